//! Temporal formulas over numbered atoms.

/// Something that a state, or a step, satisfies or not. What it says is known to the state space only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A state predicate, by its number.
    State(u32),
    /// An action, by its number.
    Step(u32),
}

/// What the truth of a formula depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Constant,
    /// A state.
    State,
    /// A step.
    Step,
    /// A behaviour.
    Temporal,
}

/// A temporal formula. `F ~> G` is `[](~F \/ <>G)`; weak and strong fairness are written out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// TRUE or FALSE.
    Constant(bool),
    /// An atom.
    Atom(Atom),
    /// `~F`.
    Not(Box<Formula>),
    /// A conjunction.
    And(Vec<Formula>),
    /// A disjunction.
    Or(Vec<Formula>),
    /// `[]F`.
    Always(Box<Formula>),
    /// `<>F`.
    Eventually(Box<Formula>),
}

impl Formula {
    /// `~F`.
    pub fn negated(self) -> Formula {
        match self {
            Formula::Constant(b) => Formula::Constant(!b),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// `[]F`.
    pub fn always(self) -> Formula {
        Formula::Always(Box::new(self))
    }

    /// `<>F`.
    pub fn eventually(self) -> Formula {
        Formula::Eventually(Box::new(self))
    }

    /// What its truth depends on.
    pub fn level(&self) -> Level {
        let highest = |items: &[Formula]| items.iter().map(Formula::level).max().unwrap_or(Level::Constant);
        match self {
            Formula::Constant(_) => Level::Constant,
            Formula::Atom(Atom::State(_)) => Level::State,
            Formula::Atom(Atom::Step(_)) => Level::Step,
            Formula::Not(inner) => inner.level(),
            Formula::And(items) | Formula::Or(items) => highest(items),
            Formula::Always(_) | Formula::Eventually(_) => Level::Temporal,
        }
    }

    /// An action occurs in it.
    pub fn mentions_step(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Atom(Atom::State(_)) => false,
            Formula::Atom(Atom::Step(_)) => true,
            Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => inner.mentions_step(),
            Formula::And(items) | Formula::Or(items) => items.iter().any(Formula::mentions_step),
        }
    }

    /// Whether a formula without temporal operators is true, its atoms asked from left to right and only as far as needed.
    ///
    /// # Errors
    /// What an atom gives.
    pub fn holds<E>(&self, atoms: &mut dyn FnMut(Atom) -> Result<bool, E>) -> Result<bool, E> {
        match self {
            Formula::Constant(b) => Ok(*b),
            Formula::Atom(atom) => atoms(*atom),
            Formula::Not(inner) => Ok(!inner.holds(atoms)?),
            Formula::And(items) => {
                for item in items {
                    if !item.holds(atoms)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Or(items) => {
                for item in items {
                    if item.holds(atoms)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            // A state for ever: what is true of it is always true, and eventually.
            Formula::Always(inner) | Formula::Eventually(inner) => inner.holds(atoms),
        }
    }

    /// Whether it is true of a behaviour that goes through `length` states and then from the last one back to the state
    /// numbered `back`, for ever; `atoms` says it of a position.
    ///
    /// # Errors
    /// What an atom gives.
    pub fn holds_on_lasso<E>(
        &self,
        length: usize,
        back: usize,
        atoms: &mut dyn FnMut(Atom, usize) -> Result<bool, E>,
    ) -> Result<bool, E> {
        Ok(self.on_lasso(length, back, atoms)?.first().copied().unwrap_or(true))
    }

    /// Its truth at each position.
    fn on_lasso<E>(
        &self,
        length: usize,
        back: usize,
        atoms: &mut dyn FnMut(Atom, usize) -> Result<bool, E>,
    ) -> Result<Vec<bool>, E> {
        Ok(match self {
            Formula::Constant(b) => vec![*b; length],
            Formula::Atom(atom) => (0..length).map(|i| atoms(*atom, i)).collect::<Result<_, E>>()?,
            Formula::Not(inner) => inner.on_lasso(length, back, atoms)?.into_iter().map(|b| !b).collect(),
            Formula::And(items) | Formula::Or(items) => {
                let and = matches!(self, Formula::And(_));
                let mut truth = vec![and; length];
                for item in items {
                    for (all, one) in truth.iter_mut().zip(item.on_lasso(length, back, atoms)?) {
                        *all = if and { *all && one } else { *all || one };
                    }
                }
                truth
            }
            Formula::Always(inner) | Formula::Eventually(inner) => {
                let all = matches!(self, Formula::Always(_));
                let mut truth = inner.on_lasso(length, back, atoms)?;
                let fold = |a: bool, b: bool| if all { a && b } else { a || b };
                let cycle = truth.get(back..).unwrap_or_default().iter().fold(all, |a, b| fold(a, *b));
                let mut rest = cycle;
                for (i, here) in truth.iter_mut().enumerate().rev() {
                    rest = if i >= back { cycle } else { fold(*here, rest) };
                    *here = rest;
                }
                truth
            }
        })
    }
}
