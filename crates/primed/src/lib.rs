//! A native TLA+ checker that runs inside your process.
//!
//! A specification is opened once and kept compiled in memory. Then it says of steps that were observed in a real system
//! whether the action they name allows exactly that change, and if not, why:
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use primed::{Outcome, Spec};
//! use serde::Serialize;
//!
//! /// The state of the real lock, as the program under test has it.
//! #[derive(Serialize)]
//! #[allow(non_snake_case)]
//! struct State {
//!     lockState: &'static str,
//!     pc: BTreeMap<&'static str, &'static str>,
//! }
//!
//! let spec = Spec::open("../../conformance-suite/systems/spin/SpinLockMistaken.tla")?;
//! let state = |lock, one| State { lockState: lock, pc: [("0", "idle"), ("1", one), ("2", "idle")].into() };
//!
//! // A thread that waits takes the lock: the specification allows it.
//! let (pre, post) = (state("unlocked", "acquiring"), state("locked", "locked"));
//! assert_eq!(spec.check_step("AcquireSuccess", &pre, &post), Outcome::Conforms);
//!
//! // The real lock also has a fast path from "idle". The specification forgot it, and Primed says where.
//! let (pre, post) = (state("unlocked", "idle"), state("locked", "locked"));
//! let Outcome::Refused(why) = spec.check_step("AcquireSuccess", &pre, &post) else { panic!() };
//! assert_eq!(why.reasons[0].location.text, r#"pc[t] = "acquiring""#);
//! assert_eq!(why.reasons[0].operands[0], ("pc[t]".to_string(), r#""idle""#.to_string()));
//! # Ok::<(), primed::OpenError>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | check steps of your own program | [`Spec::check_step`] |
//! | judge recorded windows | [`Spec::judge_all`] |
//! | run a TV module as SysMoBench writes it | [`TvModule`] |
//! | evaluate an expression | [`Evaluator`] |
//! | find all that is wrong in a specification, as SANY does | [`analyse`] |
//! | score a specification in four phases | [`evaluation::evaluate`] |
//! | judge each definition of a broken specification on its own | [`decompose`] |

mod analyse;
mod checkpoint;
mod error;
mod evaluate;
pub mod evaluation;
mod files;
mod load;
mod model;
mod spec;
mod startup;
mod tv;

pub use analyse::{analyse, analyse_with, decompose};
pub use checkpoint::Checkpoints;
pub use error::{OpenError, TlcMessage, exit_status};
pub use evaluate::{Evaluator, ExpressionError};
pub use files::{Folders, HearsWarnings, Permissions, PrintTo, RunsCommands, libraries_with_environment, read_source};
pub use load::{ModelSettings, check_configuration};
pub use model::ModelChecker;
pub use model::coverage::{CoverageKind, ExpressionCount, InnerCount, VariableCount};
pub use model::graph::{Graph, GraphState, GraphStep};
pub use model::report::{
    CheckReport, CheckSettings, CheckVerdict, Coverage, During, Mode, Parameter, Storage, TraceEnding, TraceState,
    TraceValue, Unfingerprinted,
};
pub use model::watch::{CheckpointEvent, Expanded, OutDegree, Watch};
pub use primed_engine::world::{Executed, Undone};
pub use primed_engine::{Effect, operators_with_effects};
pub use primed_explore::liveness::Liveness;
pub use primed_explore::progress::Progress;
pub use primed_explore::search::Kept;
pub use primed_semantics::analysis::{
    Analysis, Decomposition, Depth, Judged, ParsedFiles, Processed, Stub, StubReason, UnitVerdict,
};
pub use primed_semantics::library::standard_modules;
pub use primed_semantics::model::Located;
pub use primed_syntax::PieceKind;
pub use primed_syntax::diagnostic::{Diagnostic, Note, Severity};
pub use primed_syntax::span::{Position, SourceFile, Span};
pub use primed_windows::tally::{self, Outcomes, Tally};
pub use primed_windows::verdict::{
    Assumed, Difference, Elsewhere, Finding, FindingKind, Location, MOST_REASONS, Outcome, Reason, Refused, Tried,
    Trouble, Verdict,
};
pub use primed_windows::{Allowed, Bound, HeldStep, Names};
pub use spec::{Spec, SpecBuilder};
pub use tv::{TvModule, TvResult};
