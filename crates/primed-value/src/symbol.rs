//! Interned texts: strings, field names and names of model values.
//!
//! INVARIANT: a symbol that exists is never moved, changed or removed, so reading a text or its hash takes no lock; only the
//! search for the symbol of a text does.

use std::sync::{Arc, OnceLock, RwLock};

use hashbrown::HashMap;

use crate::hash::hash_text;

/// An interned text. Its order is the order of interning, which is also the order that TLC gives to strings and model
/// values (`SANY_AND_TLC.md` 3.3): whoever loads a specification interns in TLC's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// Entries are kept in chunks of doubling size: chunk `k` has the symbols `2^k - 1 .. 2^(k+1) - 1`.
const CHUNKS: usize = 32;

/// The table of one loaded specification. Grows while evaluating (strings read or built), hence the lock; symbols that exist
/// are never moved or removed.
#[derive(Debug, Default)]
pub struct Symbols {
    ids: RwLock<HashMap<Arc<str>, u32, ahash::RandomState>>,
    chunks: [OnceLock<Box<[OnceLock<Entry>]>>; CHUNKS],
}

#[derive(Debug)]
struct Entry {
    text: Arc<str>,
    hash: u64,
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
        let mut ids = self.ids.write().unwrap_or_else(|e| e.into_inner());
        if let Some(id) = ids.get(text) {
            return Symbol(*id);
        }
        let (id, text): (u32, Arc<str>) = (ids.len() as u32, text.into());
        let (chunk, index) = place(Symbol(id));
        let size = 1usize << chunk;
        if let Some(chunk) = self.chunks.get(chunk) {
            let entries = chunk.get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
            if let Some(entry) = entries.get(index) {
                let hash = hash_text(&text);
                // The write lock makes this the only writer.
                let _ = entry.set(Entry { text: text.clone(), hash });
            }
        }
        ids.insert(text, id);
        Symbol(id)
    }

    /// How many texts there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        self.ids.read().unwrap_or_else(|e| e.into_inner()).len() as u32
    }

    /// The symbol of a text if it was ever interned.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        let ids = self.ids.read().unwrap_or_else(|e| e.into_inner());
        ids.get(text).map(|id| Symbol(*id))
    }

    /// The text of a symbol of this table; empty for a foreign one.
    pub fn text(&self, symbol: Symbol) -> Arc<str> {
        self.entry(symbol).map_or_else(|| "".into(), |e| e.text.clone())
    }

    /// Like [`Symbols::text`], borrowed.
    pub fn text_of(&self, symbol: Symbol) -> &str {
        self.entry(symbol).map_or("", |e| &e.text)
    }

    /// A hash of the text, the same in every process.
    pub(crate) fn hash_of(&self, symbol: Symbol) -> u64 {
        self.entry(symbol).map_or(0, |e| e.hash)
    }

    #[inline]
    fn entry(&self, symbol: Symbol) -> Option<&Entry> {
        let (chunk, index) = place(symbol);
        self.chunks.get(chunk)?.get()?.get(index)?.get()
    }
}

/// The chunk of a symbol and the index there.
#[inline]
fn place(symbol: Symbol) -> (usize, usize) {
    let number = u64::from(symbol.0) + 1;
    let chunk = number.ilog2();
    (chunk as usize, (number - (1 << chunk)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_numbered_in_order_and_keep_their_texts() {
        let symbols = Symbols::new();
        let all: Vec<Symbol> = (0..2000).map(|i| symbols.intern(&format!("s{i}"))).collect();
        assert!(all.windows(2).all(|w| w[0] < w[1]));
        assert!(all.iter().enumerate().all(|(i, s)| *symbols.text(*s) == *format!("s{i}") && s.0 as usize == i));
        assert_eq!(symbols.intern("s77"), all[77]);
        assert_eq!(symbols.get("none"), None);
        assert_eq!(symbols.text_of(Symbol(9999)), "");
    }
}
