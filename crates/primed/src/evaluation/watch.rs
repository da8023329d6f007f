//! Who hears how an evaluation goes, and may put what it finds before another checker.

use std::collections::BTreeSet;
use std::sync::Arc;

use primed_explore::progress::Progress;
use primed_windows::verdict::Verdict;

use super::{TvWindows, WindowsSource};
use crate::{CheckReport, ModelChecker, Spec, TvModule, TvResult};

/// The phases of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationPhase {
    /// Is the module legal?
    Syntax,
    /// Does the finite model run?
    Runtime,
    /// Are observed steps allowed?
    Conformance,
    /// Do the properties hold?
    Invariants,
}

impl EvaluationPhase {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            EvaluationPhase::Syntax => "syntax",
            EvaluationPhase::Runtime => "runtime",
            EvaluationPhase::Conformance => "conformance",
            EvaluationPhase::Invariants => "invariants",
        }
    }
}

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'s> {
    /// The property; `None` for the model without any, or with several.
    pub property: Option<&'s str>,
    /// 0 for the model, then the number of the property.
    pub number: usize,
    /// The configuration that it is searched with.
    pub config: &'s str,
    /// A state without successors is no error.
    pub no_deadlock: bool,
}

/// What another checker says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It disagrees, and its verdict stands.
    Disputed,
    /// It decided what Primed does not support.
    Decided {
        /// Its exit code.
        exit_code: i32,
        /// What it says.
        message: String,
    },
}

/// Hears how an evaluation goes. What is said of other checkers may be left out: then none is asked.
pub trait EvaluationWatch {
    /// A phase begins.
    fn begins(&mut self, _phase: EvaluationPhase) {}

    /// A search begins; by `progress` it can be followed and ended.
    fn searches(&mut self, _searched: &Searched<'_>, _progress: &Arc<Progress>) {}

    /// The model, or the model with one property, was searched: what does another checker say of it? Of properties that were
    /// searched together nothing is asked.
    fn searched(
        &mut self,
        _checker: &ModelChecker,
        _searched: &Searched<'_>,
        _report: &CheckReport,
    ) -> Option<Opinion> {
        None
    }

    /// Whether [`EvaluationWatch::searched`] is to be called for this property, which was found to hold or not.
    fn asks_about(&self, _number: usize, _failed: bool) -> bool {
        false
    }

    /// So many bytes of so many were read, and one more window was judged.
    fn judged(&mut self, _verdict: &Verdict) {}

    /// Whether [`EvaluationWatch::windows`] and [`EvaluationWatch::tv`] are to be called: then all verdicts are kept until then.
    fn asks_about_windows(&self) -> bool {
        false
    }

    /// What does another checker say of windows? Verdicts that it overrules are changed; the lines that are disputed come back.
    fn windows(
        &mut self,
        _spec: &Spec,
        _source: &WindowsSource,
        _lines: &[String],
        _verdicts: &mut [Verdict],
    ) -> BTreeSet<usize> {
        BTreeSet::new()
    }

    /// The same of the windows of a TV module, by their numbers.
    fn tv(
        &mut self,
        _module: &TvModule,
        _source: &TvWindows,
        _lines: &[String],
        _results: &mut [(usize, TvResult)],
    ) -> BTreeSet<usize> {
        BTreeSet::new()
    }

    /// Whether nothing more is to be done: what was not begun until then is not run.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Nobody listens.
#[derive(Debug)]
pub struct Unwatched;

impl EvaluationWatch for Unwatched {}
