//! A configuration with other properties than its own.

use std::sync::Arc;

use primed_syntax::ast::Ident;
use primed_syntax::cfg::{Config, parse_config};
use primed_syntax::span::SourceFile;

use super::EvaluationSettings;
use crate::OpenError;
use crate::load::read_config;

/// A configuration as it was read.
pub(super) struct Configuration {
    file: SourceFile,
    parsed: Config,
}

/// Reads the configuration.
///
/// # Errors
/// If there is none, or it cannot be read. What is wrong in it is said when a model is opened with it.
pub(super) fn read(settings: &EvaluationSettings) -> Result<Configuration, OpenError> {
    let Some(path) = settings.config_path() else {
        let text = "the specification needs a configuration: beside it under the same name, or named";
        return Err(OpenError::Configuration(text.into()));
    };
    let file = read_config(&path).map_err(OpenError::Configuration)?;
    let parsed = parse_config(&file).0;
    Ok(Configuration { file, parsed })
}

impl Configuration {
    /// The invariants and the properties that it names, each once.
    pub(super) fn properties(&self) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
        let names = |idents: &[Ident]| {
            let mut names: Vec<Arc<str>> = Vec::new();
            idents.iter().for_each(|i| {
                if !names.contains(&i.name) {
                    names.push(i.name.clone());
                }
            });
            names
        };
        (names(&self.parsed.invariants), names(&self.parsed.properties))
    }

    /// It without invariants and properties.
    pub(super) fn without_properties(&self) -> SourceFile {
        self.without(&[&self.parsed.invariants, &self.parsed.properties], "")
    }

    /// It with these invariants or properties only, and without post-conditions. Those that it names stay where they stand, so that
    /// what is wrong with them is said of that place.
    pub(super) fn with(&self, invariants: &[&str], properties: &[&str]) -> SourceFile {
        let Config { invariants: own, properties: claims, postconditions, possible, .. } = &self.parsed;
        let mut more = String::new();
        let mut taken_out = vec![postconditions.clone(), possible.clone()];
        for (word, wanted, own) in [("INVARIANT", invariants, own), ("PROPERTY", properties, claims)] {
            let first = |ident: &Ident| own.iter().find(|o| o.name == ident.name).is_some_and(|o| o.span == ident.span);
            let stays = |ident: &&Ident| wanted.contains(&&*ident.name) && first(ident);
            taken_out.push(own.iter().filter(|ident| !stays(ident)).cloned().collect());
            let absent = wanted.iter().filter(|name| !own.iter().any(|ident| *ident.name == ***name));
            absent.for_each(|name| more.push_str(&format!("\n{word} {name}")));
        }
        self.without(&taken_out.iter().collect::<Vec<_>>(), &more)
    }

    /// Names are taken out where they stand, so that the places of everything else stay. A word without names asks for nothing.
    fn without(&self, names: &[&Vec<Ident>], more: &str) -> SourceFile {
        let mut text = self.file.text().as_bytes().to_vec();
        for ident in names.iter().flat_map(|idents| idents.iter()) {
            if let Some(bytes) = text.get_mut(ident.span.start as usize..ident.span.end as usize) {
                bytes.fill(b' ');
            }
        }
        // Whole names were taken out, so that it is text still.
        let text = String::from_utf8_lossy(&text).into_owned() + more + if more.is_empty() { "" } else { "\n" };
        SourceFile::new(self.file.name(), text)
    }
}
