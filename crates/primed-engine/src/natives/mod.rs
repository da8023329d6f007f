//! Operators of standard modules with a native form. They stay definitions: the form is looked up by module and name, so that a
//! configuration can replace them and an instance can carry them.

use primed_semantics::model::Definition;

use crate::compile::Facts;
use crate::nodes::calls::{Native0, Native1, Native2, Native3, NativeByCode, NativeWith};
use crate::nodes::logic::Relation;

mod arithmetic;
mod bags;
mod bitwise;
mod commands;
mod complaints;
mod csv;
mod finite_sets;
mod format;
mod functions_ext;
mod graphs;
pub(crate) mod io;
mod randomization;
pub(crate) mod registers;
mod sequences;
mod sequences_ext;
mod text;
mod text_files;
pub(crate) mod tlc;
mod tlc_ext;

/// A native form.
#[derive(Clone, Copy)]
pub(crate) enum Native {
    Zero(Native0),
    One(Native1),
    Two(Native2),
    Three(Native3),
    /// Two values to a Boolean.
    Relation(Relation),
    /// Operators and values, each kind in the order of the parameters.
    With(NativeWith),
    /// The code of the arguments: it evaluates them as it sees fit.
    ByCode(NativeByCode),
}

impl Native {
    /// Whether it may stand for a definition with so many parameters: a module of the same name need not be the standard one.
    fn takes(&self, parameters: usize) -> bool {
        match self {
            Native::Zero(_) => parameters == 0,
            Native::One(_) => parameters == 1,
            Native::Two(_) | Native::Relation(_) => parameters == 2,
            Native::Three(_) => parameters == 3,
            Native::With(_) | Native::ByCode(_) => parameters > 0,
        }
    }
}

/// What a native operator depends on besides its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depends {
    Nothing,
    /// The process environment.
    Run,
    /// Registers, random numbers, output.
    Moment,
    /// The moment too, and TLC takes it for a state function.
    Search,
    /// A file, which is taken to stay as it is unless the specification writes files.
    File,
    /// The moment too: it does something outside.
    Effect(Effect),
}

/// What an operator of a standard module does outside of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It writes files.
    Writes,
    /// It runs commands.
    Runs,
}

/// A row of a module's table.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) native: Native,
    pub(crate) depends: Depends,
}

/// A row that depends on its arguments alone.
pub(crate) const fn pure(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::Nothing }
}

/// A row that depends on the moment.
pub(crate) const fn momentary(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::Moment }
}

/// A row that reads a file which is taken to stay as it is.
pub(crate) const fn reading(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::File }
}

/// A row that writes files.
pub(crate) const fn writing(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::Effect(Effect::Writes) }
}

/// A row that runs commands.
pub(crate) const fn running(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::Effect(Effect::Runs) }
}

/// A row that depends on where the search is.
pub(crate) const fn searching(name: &'static str, native: Native) -> Entry {
    Entry { name, native, depends: Depends::Search }
}

/// Each module's table.
const MODULES: &[(&str, &[Entry])] = &[
    ("Naturals", arithmetic::NATURALS),
    ("Integers", arithmetic::INTEGERS),
    ("Sequences", sequences::SEQUENCES),
    ("FiniteSets", finite_sets::FINITE_SETS),
    ("FiniteSetsExt", finite_sets::FINITE_SETS_EXT),
    ("Bags", bags::BAGS),
    ("BagsExt", bags::BAGS_EXT),
    ("Functions", functions_ext::FUNCTIONS),
    ("Folds", functions_ext::FOLDS),
    ("SequencesExt", sequences_ext::SEQUENCES_EXT),
    ("Graphs", graphs::GRAPHS),
    ("UndirectedGraphs", graphs::UNDIRECTED_GRAPHS),
    ("Bitwise", bitwise::BITWISE),
    ("Combinatorics", bitwise::COMBINATORICS),
    ("Randomization", randomization::RANDOMIZATION),
    ("TLC", tlc::TLC),
    ("TLCExt", tlc_ext::TLC_EXT),
    ("Json", io::JSON),
    ("CSV", csv::CSV),
    ("IOUtils", io::IO_UTILS),
];

fn entry(definition: &Definition) -> Option<&'static Entry> {
    if !definition.standard {
        return None;
    }
    let (_, entries) = MODULES.iter().find(|(module, _)| *module == &*definition.module)?;
    let parameters = definition.params.len();
    entries.iter().find(|e| e.name == &*definition.name).filter(|e| e.native.takes(parameters))
}

/// The native form of a definition.
pub(crate) fn lookup(definition: &Definition) -> Option<Native> {
    entry(definition).map(|e| e.native)
}

/// What a native definition depends on; `None` if it has no native form.
pub(crate) fn facts(definition: &Definition) -> Option<Facts> {
    let entry = entry(definition)?;
    let asks_run = entry.depends == Depends::Search;
    let moment = matches!(entry.depends, Depends::Moment | Depends::Search | Depends::Effect(_));
    Some(Facts { run: entry.depends == Depends::Run, moment, asks_run, ..Facts::default() })
}

/// Whether the native form reads a file whose content is taken to stay as it is, unless the specification writes files.
pub(crate) fn reads_files(definition: &Definition) -> bool {
    entry(definition).is_some_and(|entry| entry.depends == Depends::File)
}

/// Whether the native form writes files or runs commands.
pub(crate) fn writes_files(definition: &Definition) -> bool {
    entry(definition).is_some_and(|entry| matches!(entry.depends, Depends::Effect(_)))
}

/// Every operator of a standard module that does something outside of the evaluation: its module, its name, and what it does.
pub fn operators_with_effects() -> impl Iterator<Item = (&'static str, &'static str, Effect)> {
    let rows = MODULES.iter().flat_map(|(module, rows)| rows.iter().map(move |row| (*module, row)));
    rows.filter_map(|(module, row)| match row.depends {
        Depends::Effect(effect) => Some((module, row.name, effect)),
        _ => None,
    })
}

/// Whether TLC keeps the value that this definition has for an argument that is constant.
pub(crate) fn keeps_value(definition: &Definition) -> bool {
    &*definition.module == "TLC" && &*definition.name == "TLCEval" && entry(definition).is_some()
}

/// Arithmetic and sequence operators that take little time and surely end.
pub(crate) fn is_cheap(definition: &Definition) -> bool {
    definition.standard
        && matches!(&*definition.module, "Naturals" | "Integers" | "Sequences")
        && entry(definition).is_some_and(|e| matches!(e.native, Native::One(_) | Native::Two(_) | Native::Relation(_)))
}

#[cfg(test)]
mod tests {
    use super::MODULES;

    /// Operators whose definitions are as good.
    const BY_DEFINITION: &[&str] = &["AssertEq", "TLCCache", "factorial", "CausalOrder"];

    #[test]
    fn every_operator_that_the_library_lists_has_a_native_form() {
        let list = include_str!("../../../primed-semantics/modules/natives.tsv");
        let mut missing = Vec::new();
        for row in list.lines().filter(|row| !row.starts_with('#')) {
            let mut columns = row.split('\t');
            let (Some(module), Some(name)) = (columns.next(), columns.next()) else { continue };
            let name = match name {
                "(+)" => "\\oplus",
                "(-)" => "\\ominus",
                other => other,
            };
            let entries = MODULES.iter().filter(|(m, _)| *m == module).flat_map(|(_, entries)| *entries);
            if !BY_DEFINITION.contains(&name) && !entries.into_iter().any(|entry| entry.name == name) {
                missing.push(format!("{module}!{name}"));
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}
