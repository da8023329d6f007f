//! Interned texts: strings, field names and names of model values.

use std::sync::{Arc, RwLock};

use hashbrown::HashMap;

/// An interned text. Its order is the order of interning, which is also the order that TLC gives to strings and model
/// values (`SANY_AND_TLC.md` 3.3): whoever loads a specification interns in TLC's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// The table of one loaded specification. Grows while evaluating (strings read or built), hence the lock; symbols that exist
/// are never moved or removed.
#[derive(Debug, Default)]
pub struct Symbols {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    ids: HashMap<Arc<str>, u32, ahash::RandomState>,
    texts: Vec<Arc<str>>,
}

impl Symbols {
    /// An empty table.
    pub fn new() -> Symbols {
        Symbols::default()
    }

    /// The symbol of a text, new if it was never seen.
    pub fn intern(&self, text: &str) -> Symbol {
        if let Some(symbol) = self.get(text) {
            return symbol;
        }
        let mut inner = self.inner.write().unwrap_or_else(|e| e.into_inner());
        if let Some(id) = inner.ids.get(text) {
            return Symbol(*id);
        }
        let (id, text): (u32, Arc<str>) = (inner.texts.len() as u32, text.into());
        inner.texts.push(text.clone());
        inner.ids.insert(text, id);
        Symbol(id)
    }

    /// The symbol of a text if it was ever interned.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        let inner = self.inner.read().unwrap_or_else(|e| e.into_inner());
        inner.ids.get(text).map(|id| Symbol(*id))
    }

    /// The text of a symbol of this table; empty for a foreign one.
    pub fn text(&self, symbol: Symbol) -> Arc<str> {
        let inner = self.inner.read().unwrap_or_else(|e| e.into_inner());
        inner
            .texts
            .get(symbol.0 as usize)
            .cloned()
            .unwrap_or_else(|| "".into())
    }
}
