//! A named action written as TLA+ that means the same in a module that extends the root module.
//!
//! The text is the specification's own, in the columns in which it stands there, so that junction lists stay what they are. What
//! stands in the scope of another module (an instance) has no text here, and is refused by name.

use hashbrown::HashSet;
use primed_semantics::model::{Argument, DefinitionId, Expr, ExprKind, LocalId, Model, Param};
use primed_value::error::Place;

use super::Compiler;
use super::choices::{Around, Way};

/// A formula in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(pub Vec<Piece>);

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Text(String),
    /// The set that a parameter ranges over, to be narrowed to the value that it is fixed to.
    Range {
        /// The number of the parameter.
        parameter: usize,
        /// The set as the specification has it.
        set: String,
    },
}

impl Formula {
    /// The text, with the expressions that parameters are fixed to.
    pub fn text(&self, fixed: impl Fn(usize) -> Option<String>) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Range { parameter, set } => match fixed(*parameter) {
                Some(value) => format!("{{given_ \\in {{{value}}} : given_ \\in {set}}}"),
                None => set.clone(),
            },
        };
        self.0.iter().map(piece).collect()
    }

    fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }
}

/// What is in scope while a formula is written.
struct Writer<'m> {
    model: &'m Model,
    /// The files whose definitions the root module has under their own names.
    files: HashSet<u32>,
    formula: Formula,
    /// Names bound so far on this way.
    bound: Vec<(String, LocalId)>,
    /// What ends the parts that are open, the innermost last.
    ends: Vec<String>,
}

type Written = Result<(), String>;

impl<'m> Compiler<'m> {
    /// The formula of an action that is called in these ways.
    pub(super) fn action_formula(
        &self,
        id: DefinitionId,
        ways: &[Way<'m>],
        free: &[Option<LocalId>],
    ) -> Result<Formula, String> {
        let mut writer = Writer::new(self.model);
        if ways.is_empty() {
            let exported = self.model.exports.iter().find(|(_, d)| *d == id);
            let (name, _) = exported.ok_or_else(|| format!("`{}` has no name outside its module", self.name_of(id)))?;
            writer.formula.push(name);
            return Ok(writer.formula);
        }
        for (i, way) in ways.iter().enumerate() {
            writer.formula.push(if i == 0 { "(" } else { " \\/ (" });
            let own = super::named::free_parameters(self.model.definition(id), std::slice::from_ref(way));
            debug_assert_eq!(own.len(), free.len());
            let fixed: Vec<Option<LocalId>> = own.iter().zip(free).map(|(own, all)| all.and(*own)).collect();
            writer.way(way, &fixed)?;
            writer.formula.push(")");
        }
        Ok(writer.formula)
    }

    fn name_of(&self, id: DefinitionId) -> &'m str {
        &self.model.definition(id).name
    }
}

/// A state predicate or action as TLA+ in the root module's scope.
///
/// # Errors
/// If it stands in the scope of another module.
pub fn expression_text(model: &Model, expr: &Expr) -> Result<String, String> {
    let mut writer = Writer::new(model);
    writer.expression(expr, 0)?;
    Ok(writer.formula.text(|_| None))
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Writer<'m> {
        let mut files = HashSet::new();
        let mut instanced = HashSet::new();
        for (name, id) in &model.exports {
            let file = model.definition(*id).place.file;
            match name.contains('!') || model.instances.contains_key(id) {
                true => instanced.insert(file),
                false => files.insert(file),
            };
        }
        // A module that is extended and instantiated would have two meanings.
        files.retain(|file| !instanced.contains(file));
        Writer { model, files, formula: Formula::default(), bound: Vec::new(), ends: Vec::new() }
    }

    /// A part of the specification's text, in parentheses, in its own columns.
    fn source(&self, place: Place) -> Result<String, String> {
        let file = self.model.sources.get(place.file as usize).filter(|_| self.files.contains(&place.file));
        let Some(file) = file else {
            return Err(format!("{} is in the scope of another module", self.model.describe(place)));
        };
        let before = file.text().get(..place.start as usize).unwrap_or("");
        let line = before.rsplit('\n').next().unwrap_or("");
        let margin: String = line.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        Ok(format!("(\n{margin}{}\n)", self.model.text(place)))
    }

    fn way(&mut self, way: &Way<'m>, fixed: &[Option<LocalId>]) -> Written {
        self.bound.clear();
        for around in &way.around {
            self.around(around, fixed)?;
        }
        let call = self.source(way.place)?;
        self.formula.push(&call);
        while let Some(end) = self.ends.pop() {
            self.formula.push(&end);
        }
        Ok(())
    }

    /// Begins a part that a parenthesis ends.
    fn open(&mut self, text: &str) {
        self.formula.push(text);
        self.ends.push(")".to_owned());
    }

    fn around(&mut self, around: &Around<'m>, fixed: &[Option<LocalId>]) -> Written {
        match *around {
            Around::Bounds(bounds) => {
                for bound in bounds {
                    let set = bound.set.as_ref().ok_or("a quantifier has no set")?;
                    let set = self.source(set.place)?;
                    if bound.tuple {
                        let names: Vec<&str> = bound.locals.iter().map(|p| &*p.name).collect();
                        self.open(&format!("\\E <<{}>> \\in {set} : (", names.join(", ")));
                    } else {
                        bound.locals.iter().for_each(|param| self.quantifier(param, &set, fixed));
                    }
                    bound.locals.iter().try_for_each(|param| self.bind(param))?;
                }
                Ok(())
            }
            Around::Let(definitions) => {
                for definition in definitions {
                    let recursive = matches!(&*definition.body.kind, ExprKind::Function { this: Some(_), .. });
                    if recursive || definition.params.iter().any(|p| p.arity > 0) {
                        return Err(format!("`{}` around the action cannot be written by itself", definition.name));
                    }
                    let params: Vec<&str> = definition.params.iter().map(|p| &*p.name).collect();
                    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
                    let body = self.source(definition.body.place)?;
                    self.open(&format!("(LET {}{params} == {body} IN ", definition.name));
                    self.name(&definition.name, definition.local)?;
                }
                Ok(())
            }
            Around::Call(params, args) => params.iter().zip(args).try_for_each(|(p, a)| self.passed(p, a)),
            Around::Beside(before, after) => {
                for item in before {
                    let text = self.source(item.place)?;
                    self.open(&format!("({text} /\\ "));
                }
                // In their order: what stands after an action may read what it does.
                let mut end = String::from(")");
                for item in after {
                    end.push_str(&format!(" /\\ {}", self.source(item.place)?));
                }
                self.formula.push("((");
                self.ends.push(end + ")");
                Ok(())
            }
            Around::Condition(condition, holds) => self.condition(condition, holds),
            Around::Arms(arms, last) => {
                arms.iter().try_for_each(|(guard, _)| self.condition(guard, false))?;
                last.map_or(Ok(()), |guard| self.condition(guard, true))
            }
        }
    }

    fn quantifier(&mut self, param: &Param, set: &str, fixed: &[Option<LocalId>]) {
        self.formula.push(&format!("\\E {} \\in ", param.name));
        let set = set.to_owned();
        self.formula.0.push(match fixed.iter().position(|f| *f == Some(param.local)) {
            Some(parameter) => Piece::Range { parameter, set },
            None => Piece::Text(set),
        });
        self.open(" : (");
    }

    fn condition(&mut self, condition: &Expr, holds: bool) -> Written {
        let text = self.source(condition.place)?;
        self.open(&format!("({}{text} /\\ ", if holds { "" } else { "~" }));
        Ok(())
    }

    /// A parameter stands for its argument; under the same name nothing needs to be said.
    fn passed(&mut self, param: &Param, argument: &Argument) -> Written {
        let Argument::Value(expr) = argument else {
            return Err(format!("`{}` around the action is an operator", param.name));
        };
        if let ExprKind::Local(local) = &*expr.kind
            && let Some((name, _)) = self.bound.iter().rev().find(|(_, l)| l == local)
            && **name == *param.name
        {
            self.bound.push((param.name.to_string(), param.local));
            return Ok(());
        }
        let text = self.source(expr.place)?;
        self.open(&format!("(LET {} == {text} IN ", param.name));
        self.bind(param)
    }

    fn bind(&mut self, param: &Param) -> Written {
        self.name(&param.name, param.local)
    }

    /// A name is bound; a second one of the same name would be an error in TLA+.
    fn name(&mut self, name: &str, local: LocalId) -> Written {
        if self.bound.iter().any(|(known, _)| known == name) {
            return Err(format!("the name `{name}` is bound twice around the action"));
        }
        self.bound.push((name.to_owned(), local));
        Ok(())
    }

    fn expression(&mut self, expr: &Expr, depth: usize) -> Written {
        match &*expr.kind {
            ExprKind::Call { definition, args } if args.is_empty() => {
                let exported = self.model.exports.iter().find(|(_, d)| d == definition);
                match exported {
                    Some((name, _)) => self.formula.push(name),
                    None => {
                        let text = self.source(expr.place)?;
                        self.formula.push(&text);
                    }
                }
                Ok(())
            }
            ExprKind::Junction { and: true, items } if depth < 100 => {
                for (i, item) in items.iter().enumerate() {
                    self.formula.push(if i == 0 { "(" } else { ") /\\ (" });
                    self.expression(item, depth + 1)?;
                }
                self.formula.push(")");
                Ok(())
            }
            _ => {
                let text = self.source(expr.place)?;
                self.formula.push(&text);
                Ok(())
            }
        }
    }
}
