//! The fourth phase: do invariants and properties hold of the model?

use std::collections::BTreeSet;

use primed_semantics::model::{Level, Located};
use primed_semantics::nearest;
use primed_syntax::span::SourceFile;

use super::configuration::Configuration;
use super::given::{self, Definitions};
use super::listed;
use super::runtime::{is_cut_short, search};
use super::watch::{EvaluationWatch, Opinion, Searched};
use super::{EvaluationSettings, GivenProperties};
use crate::files::read_source;
use crate::load::load_with;
use crate::{CheckReport, CheckSettings, CheckVerdict, During, ModelChecker, OpenError};

/// A property with what was found of it.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Who names it.
    pub source: PropertySource,
    /// How it is checked; `None` if it is not legal.
    pub kind: Option<PropertyKind>,
    /// What was found.
    pub verdict: PropertyVerdict,
    /// What another checker says of it.
    pub opinion: Option<Opinion>,
    /// Of an invariant that was also evaluated on the states of windows: how many windows have one that violates it, and how many
    /// one in which it has no value.
    pub observed: Option<(usize, usize)>,
}

/// Who names a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertySource {
    /// The configuration.
    Configuration,
    /// The caller, as a definition of the specification.
    Name,
    /// A text of definitions that the caller gave, by its name.
    Text(String),
}

/// How a property is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Of every state.
    Invariant,
    /// Of behaviours.
    Temporal,
}

impl PropertyKind {
    /// The word for it in a configuration, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Temporal => "property",
        }
    }
}

/// What was found of a property.
#[derive(Debug)]
pub enum PropertyVerdict {
    /// All states were searched, and it holds.
    Holds,
    /// It is violated; the search has the counterexample.
    Violated(Box<CheckReport>),
    /// It is not legal, or evaluating it failed.
    NotEvaluated {
        /// TLC's exit code.
        exit_code: i32,
        /// What is wrong.
        message: String,
        /// Where, innermost first.
        places: Vec<String>,
        /// What is not legal.
        complaints: Vec<Located>,
    },
    /// The search ended before it was decided.
    NotReached {
        /// That of what ended the search.
        exit_code: i32,
        /// What ended it, and how far it was.
        message: String,
    },
}

impl Property {
    /// 0 if it holds; TLC's code if it does not; 74 if the real TLC disagrees.
    pub fn exit_code(&self) -> i32 {
        match (&self.opinion, &self.verdict) {
            (Some(Opinion::Disputed), _) => 74,
            (Some(Opinion::Decided { exit_code: code @ 1.., .. }), _) => *code,
            (None, PropertyVerdict::Violated(report)) => report.verdict.exit_code(),
            (None, PropertyVerdict::NotEvaluated { exit_code, .. } | PropertyVerdict::NotReached { exit_code, .. }) => {
                *exit_code
            }
            _ => match self.observed {
                Some((1.., _)) => 12,
                _ => 0,
            },
        }
    }

    /// It holds of all states of the model, and of those that were observed.
    pub fn holds(&self) -> bool {
        let decided = matches!(self.opinion, Some(Opinion::Decided { .. }));
        self.exit_code() == 0 && (decided || matches!(self.verdict, PropertyVerdict::Holds))
    }
}

/// A property that can be searched, or why not.
pub(super) struct Prepared {
    name: String,
    source: PropertySource,
    pub(super) kind: Result<PropertyKind, OpenError>,
    /// What it is called in the module.
    inner: String,
    /// The number of the text that defines it, if it is not the specification.
    text: Option<usize>,
    /// The module that the text was made, and the name of the text.
    module: Option<(String, String)>,
}

impl Prepared {
    /// Its own name, where it is called by another in the module.
    fn restore(&self, name: &mut String) {
        if *name == self.inner {
            name.clone_from(&self.name);
        }
    }

    /// Places in the module that its text was made are places in the text.
    fn placed(&self, text: &mut String) {
        if let Some((module, file)) = &self.module
            && text.contains(module.as_str())
        {
            *text = text.replace(&format!("module {module}"), file);
        }
    }

    /// Invariants that the caller named: they are evaluated on observed states too.
    pub(super) fn observed(&self) -> Option<String> {
        let named = self.source == PropertySource::Name && matches!(self.kind, Ok(PropertyKind::Invariant));
        named.then(|| self.name.clone())
    }
}

/// The text and the name of the specification, for modules that extend it, and what it defines.
pub(super) struct Specification {
    name: String,
    file: SourceFile,
    taken: BTreeSet<String>,
}

/// Everything that this phase is about, legal or not.
pub(super) struct Properties<'p> {
    settings: &'p EvaluationSettings,
    config: Configuration,
    spec: Specification,
    texts: Vec<Definitions>,
    pub(super) all: Vec<Prepared>,
}

impl<'p> Properties<'p> {
    /// Finds the properties and looks at each alone.
    ///
    /// # Errors
    /// If the specification or a text of definitions cannot be read, or the model without properties cannot be opened.
    pub(super) fn new(settings: &'p EvaluationSettings, config: Configuration) -> Result<Properties<'p>, OpenError> {
        let file = read_source(&settings.spec).map_err(OpenError::File)?;
        let mut model = settings.model(Some(config.without_properties()), None);
        let model = load_with(&settings.spec, &mut model)?;
        let mut taken: BTreeSet<String> = model.exports.iter().map(|(name, _)| name.to_string()).collect();
        taken.extend(model.variables.iter().map(|v| v.name.to_string()));
        taken.extend(model.modules().map(|(name, ..)| name.to_string()));
        let spec = Specification { name: model.name.to_string(), file, taken };
        let mut properties = Properties { settings, config, spec, texts: Vec::new(), all: Vec::new() };
        let (invariants, claims) = properties.config.properties();
        for (names, kind) in [(invariants, PropertyKind::Invariant), (claims, PropertyKind::Temporal)] {
            for name in names {
                properties.prepare(name.to_string(), PropertySource::Configuration, None, Some(kind));
            }
        }
        for given in &settings.properties {
            match given {
                GivenProperties::Names(names) => names.iter().for_each(|name| {
                    let known = properties.all.iter_mut().find(|p| p.name == *name && p.text.is_none());
                    match known {
                        Some(known) => known.source = PropertySource::Name,
                        None => properties.prepare(name.clone(), PropertySource::Name, None, None),
                    }
                }),
                GivenProperties::Text(file) => properties.text(file)?,
            }
        }
        Ok(properties)
    }

    fn text(&mut self, file: &SourceFile) -> Result<(), OpenError> {
        let text = listed::text(file).map_err(OpenError::File)?;
        let listed = file.name().to_ascii_lowercase().ends_with(".json");
        let definitions = Definitions::new(&text);
        let names = definitions.properties(listed);
        self.texts.push(definitions);
        let number = Some(self.texts.len() - 1);
        for name in names {
            let source = PropertySource::Text(file.name().to_owned());
            self.prepare(name.to_string(), source, number, None);
        }
        Ok(())
    }

    /// Looks whether a property can be checked, alone.
    fn prepare(&mut self, name: String, source: PropertySource, text: Option<usize>, kind: Option<PropertyKind>) {
        let inner = self.root(text, &[&name]).and_then(|(_, names)| names.into_iter().next());
        let inner = inner.unwrap_or_else(|| name.clone());
        let guess = Ok(kind.unwrap_or(PropertyKind::Invariant));
        let file = text.and_then(|text| self.texts.get(text)).map(Definitions::file_name);
        let module = file.map(|file| (given::module_name(&self.spec.name, &self.spec.taken), file.to_owned()));
        let mut prepared = Prepared { name, source, kind: guess, inner, text, module };
        prepared.kind = self.kind(&prepared, kind).and_then(|kind| {
            prepared.kind = Ok(kind);
            self.open(&[&prepared]).map(|_| kind)
        });
        self.all.push(prepared);
    }

    /// The root module for properties of a text, and their names in it.
    fn root(&self, text: Option<usize>, names: &[&str]) -> Option<(SourceFile, Vec<String>)> {
        let definitions = self.texts.get(text?)?;
        Some(definitions.module(&self.spec.name, &self.spec.taken, names))
    }

    /// What a definition is: an invariant if it is about states.
    fn kind(&self, property: &Prepared, kind: Option<PropertyKind>) -> Result<PropertyKind, OpenError> {
        if let Some(kind) = kind {
            return Ok(kind);
        }
        let mut settings = self.model(&[property], self.config.without_properties());
        let model = load_with(&self.settings.spec, &mut settings)?;
        let missing = || {
            let own = model.exports.iter().filter(|(_, id)| !model.definition(*id).standard).map(|(name, _)| &**name);
            let near = nearest(&property.name, own).map(|near| format!("; {near}")).unwrap_or_default();
            OpenError::Missing(format!("`{}` does not define `{}`{near}", self.spec.name, property.name))
        };
        let definition = model.definition(model.find(&property.inner).ok_or_else(missing)?);
        Ok(if definition.level <= Level::State { PropertyKind::Invariant } else { PropertyKind::Temporal })
    }

    fn model(&self, properties: &[&Prepared], config: SourceFile) -> crate::ModelSettings {
        let names: Vec<&str> = properties.iter().map(|p| &*p.name).collect();
        let root = self.root(properties.first().and_then(|p| p.text), &names).map(|(root, _)| root);
        let mut settings = self.settings.model(Some(config), root);
        settings.modules.push((self.spec.name.clone(), self.spec.file.clone()));
        settings
    }

    fn config(&self, properties: &[&Prepared]) -> SourceFile {
        let names = |kind: PropertyKind| -> Vec<&str> {
            let of = |p: &&&Prepared| p.kind.as_ref().is_ok_and(|k| *k == kind);
            properties.iter().filter(of).map(|p| &*p.inner).collect()
        };
        self.config.with(&names(PropertyKind::Invariant), &names(PropertyKind::Temporal))
    }

    /// The model with these properties, which one text defines, or the specification all of them.
    fn open(&self, properties: &[&Prepared]) -> Result<ModelChecker, OpenError> {
        ModelChecker::open_with(&self.settings.spec, self.model(properties, self.config(properties)))
    }

    /// Decides all properties. `runtime_failed`: the model itself cannot be searched to its end.
    pub(super) fn run(self, watch: &mut dyn EvaluationWatch, runtime_failed: bool) -> Vec<Property> {
        let mut found: Vec<Option<PropertyVerdict>> = self.all.iter().map(|p| self.illegal(p)).collect();
        let texts = std::iter::once(None).chain((0..self.texts.len()).map(Some));
        texts.for_each(|text| self.together(text, &mut found, watch));
        let mut decided = Vec::new();
        for (i, property) in self.all.iter().enumerate() {
            let failed = !matches!(found.get(i), Some(Some(PropertyVerdict::Holds)));
            let known = found.get_mut(i).and_then(Option::take);
            let legal = property.kind.is_ok();
            let (verdict, opinion) = match known {
                Some(known) if !legal || !watch.asks_about(i + 1, failed) => (known, None),
                _ if watch.is_interrupted() => (interrupted(), None),
                _ => self.alone(i, watch, runtime_failed),
            };
            decided.push((verdict, opinion));
        }
        let property = |(p, (verdict, opinion)): (Prepared, (PropertyVerdict, Option<Opinion>))| Property {
            name: p.name,
            source: p.source,
            kind: p.kind.ok(),
            verdict,
            opinion,
            observed: None,
        };
        self.all.into_iter().zip(decided).map(property).collect()
    }

    /// What is not legal is known already.
    fn illegal(&self, property: &Prepared) -> Option<PropertyVerdict> {
        let error = property.kind.as_ref().err()?;
        let complaints = match error {
            OpenError::Specification(complaints) => complaints.clone(),
            _ => Vec::new(),
        };
        let mut message = match complaints.first() {
            Some(first) => first.diagnostic.message.clone(),
            None => error.to_string(),
        };
        property.placed(&mut message);
        Some(PropertyVerdict::NotEvaluated { exit_code: error.exit_code(), message, places: Vec::new(), complaints })
    }

    fn settings(&self) -> CheckSettings {
        // A deadlock was found before, and would hide what comes after it.
        CheckSettings { deadlock: Some(false), keep_going: false, ..self.settings.check }
    }

    /// Invariants that one text defines are searched together; each search that finds one violated goes on without it.
    fn together(&self, text: Option<usize>, found: &mut [Option<PropertyVerdict>], watch: &mut dyn EvaluationWatch) {
        let mine = |p: &Prepared| matches!(p.kind, Ok(PropertyKind::Invariant)) && p.text == text;
        loop {
            let all = self.all.iter().enumerate().zip(found.iter());
            let open: Vec<(usize, &Prepared)> =
                all.filter(|((_, p), found)| mine(p) && found.is_none()).map(|(open, _)| open).collect();
            if open.len() < 2 || watch.is_interrupted() {
                return;
            }
            let pending: Vec<&Prepared> = open.iter().map(|(_, p)| *p).collect();
            let Ok(checker) = self.open(&pending) else { return };
            let config = self.config(&pending);
            let searched = Searched { property: None, number: 0, config: config.text(), no_deadlock: true };
            let report = search(&checker, self.settings(), self.settings, &searched, watch);
            let named = |name: &str| open.iter().filter(|(_, p)| p.inner == name).map(|(i, _)| *i).collect();
            let decided: Vec<usize> = match &report.verdict {
                CheckVerdict::Invariant(name) => named(name),
                CheckVerdict::Error { during: During::Invariant(name), .. } => named(name),
                CheckVerdict::Holds => open.iter().map(|(i, _)| *i).collect(),
                verdict if is_cut_short(verdict) => open.iter().map(|(i, _)| *i).collect(),
                // Who is to blame is not known: each is searched alone.
                _ => return,
            };
            if decided.is_empty() {
                return;
            }
            for i in decided {
                if let (Some(place), Some(property)) = (found.get_mut(i), self.all.get(i)) {
                    *place = Some(verdict(report.clone(), property, false));
                }
            }
        }
    }

    /// Searches the model with one property.
    fn alone(
        &self,
        i: usize,
        watch: &mut dyn EvaluationWatch,
        runtime_failed: bool,
    ) -> (PropertyVerdict, Option<Opinion>) {
        let Some(property) = self.all.get(i) else { return (interrupted(), None) };
        let checker = match self.open(&[property]) {
            Ok(checker) => checker,
            Err(error) => {
                let (exit_code, message) = (error.exit_code(), error.to_string());
                return (PropertyVerdict::NotReached { exit_code, message }, None);
            }
        };
        let config = self.config(&[property]);
        let searched =
            Searched { property: Some(&property.name), number: i + 1, config: config.text(), no_deadlock: true };
        let report = search(&checker, self.settings(), self.settings, &searched, watch);
        let opinion = watch.searched(&checker, &searched, &report);
        (verdict(report, property, runtime_failed), opinion)
    }
}

fn interrupted() -> PropertyVerdict {
    PropertyVerdict::NotReached { exit_code: CheckVerdict::Interrupted.exit_code(), message: "interrupted".into() }
}

/// What a search says of the property that it was for.
fn verdict(mut report: CheckReport, property: &Prepared, runtime_failed: bool) -> PropertyVerdict {
    match &mut report.verdict {
        CheckVerdict::Invariant(name) | CheckVerdict::InitialProperty(name) | CheckVerdict::ActionProperty(name) => {
            property.restore(name);
        }
        CheckVerdict::TemporalProperty { names, .. } => names.iter_mut().for_each(|name| property.restore(name)),
        _ => {}
    }
    if let CheckVerdict::Error { message, places, .. } = &mut report.verdict {
        property.placed(message);
        places.iter_mut().for_each(|place| property.placed(place));
    }
    let exit_code = report.verdict.exit_code();
    let far = format!("it holds in the {} states that were found until then", report.distinct);
    let not_reached = |why: &str| PropertyVerdict::NotReached { exit_code, message: format!("{why}; {far}") };
    match &report.verdict {
        CheckVerdict::Holds | CheckVerdict::Deadlock | CheckVerdict::Postcondition(_) => PropertyVerdict::Holds,
        CheckVerdict::Invariant(_)
        | CheckVerdict::InitialProperty(_)
        | CheckVerdict::ActionProperty(_)
        | CheckVerdict::TemporalProperty { .. } => PropertyVerdict::Violated(Box::new(report)),
        CheckVerdict::Error { message, places, during, .. } => match during {
            During::Invariant(_) | During::Action(_) | During::Temporal => PropertyVerdict::NotEvaluated {
                exit_code,
                message: message.clone(),
                places: places.clone(),
                complaints: Vec::new(),
            },
            During::Postcondition => PropertyVerdict::Holds,
            During::Initial | During::Next | During::Symmetry => not_reached(message),
        },
        CheckVerdict::Unsupported(message) if !runtime_failed => PropertyVerdict::NotEvaluated {
            exit_code,
            message: message.clone(),
            places: Vec::new(),
            complaints: Vec::new(),
        },
        CheckVerdict::Unsupported(why)
        | CheckVerdict::Assumption(why)
        | CheckVerdict::Limit(why)
        | CheckVerdict::Time(why)
        | CheckVerdict::Disk(why) => not_reached(why),
        CheckVerdict::Stopped => not_reached("the specification stopped the search"),
        CheckVerdict::Interrupted => not_reached("interrupted"),
    }
}
