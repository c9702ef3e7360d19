//! Sets of the symbols on which expressions depend. There are few distinct sets, which many expressions share.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::symbol::Symbol;

/// Index of a set.
pub type SetId = u32;

/// The set without symbols.
pub const EMPTY: SetId = 0;

/// Some bits of a set: the index of a word, and the word. A set stores its nonzero words, in order.
type Word = (u32, u64);

/// Sets as bits, with one bit for every symbol that has occurred.
#[derive(Debug, Clone)]
pub struct SymbolSets {
    symbols: Vec<Symbol>,
    indices: FxHashMap<Symbol, usize>,
    sets: Vec<Set>,
    ids: FxHashMap<Box<[Word]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

#[derive(Debug, Clone)]
struct Set {
    bits: Box<[Word]>,
    /// True if all symbols are constants of a run.
    is_run_constant: bool,
    /// The symbols in order, computed at the first use.
    sorted: OnceLock<Box<[Symbol]>>,
}

impl SymbolSets {
    pub fn new() -> Self {
        let empty = Set { bits: Box::default(), is_run_constant: true, sorted: OnceLock::new() };
        SymbolSets {
            symbols: Vec::new(),
            indices: FxHashMap::default(),
            sets: vec![empty],
            ids: FxHashMap::from_iter([(Box::default(), EMPTY)]),
            unions: FxHashMap::default(),
        }
    }

    /// Returns the set of one symbol.
    pub fn single(&mut self, symbol: Symbol) -> SetId {
        let next = self.symbols.len();
        let index = *self.indices.entry(symbol).or_insert(next);
        if index == next {
            self.symbols.push(symbol);
        }
        let bits = vec![((index / 64) as u32, 1 << (index % 64))];
        self.set(bits.into(), symbol.is_run_constant())
    }

    /// Returns the union of two sets.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let (a, b) = (&self.sets[a as usize], &self.sets[b as usize]);
        let bits = merged(&a.bits, &b.bits);
        let is_run_constant = a.is_run_constant && b.is_run_constant;
        let id = self.set(bits, is_run_constant);
        self.unions.insert(key, id);
        id
    }

    fn set(&mut self, bits: Box<[Word]>, is_run_constant: bool) -> SetId {
        if let Some(&id) = self.ids.get(&bits) {
            return id;
        }
        let id = self.sets.len() as SetId;
        self.sets.push(Set { bits: bits.clone(), is_run_constant, sorted: OnceLock::new() });
        self.ids.insert(bits, id);
        id
    }

    /// Checks whether the symbol is in the set.
    pub fn contains(&self, set: SetId, symbol: Symbol) -> bool {
        let Some(&index) = self.indices.get(&symbol) else { return false };
        let bits = &self.sets[set as usize].bits;
        let word = bits.binary_search_by_key(&((index / 64) as u32), |&(at, _)| at);
        word.is_ok_and(|at| bits[at].1 >> (index % 64) & 1 == 1)
    }

    /// Checks whether all symbols of `part` are in the set.
    pub fn includes(&self, set: SetId, part: SetId) -> bool {
        let bits = &self.sets[set as usize].bits;
        let mut words = self.sets[part as usize].bits.iter();
        words.all(|&(at, word)| {
            let found = bits.binary_search_by_key(&at, |&(at, _)| at);
            found.is_ok_and(|place| word & !bits[place].1 == 0)
        })
    }

    /// Returns the symbols of any of these sets.
    pub fn symbols_of(&self, sets: impl IntoIterator<Item = SetId>) -> FxHashSet<Symbol> {
        let mut words = vec![0; self.symbols.len().div_ceil(64)];
        let distinct: FxHashSet<SetId> = sets.into_iter().collect();
        for &(at, word) in distinct.iter().flat_map(|&set| &self.sets[set as usize].bits) {
            words[at as usize] |= word;
        }
        let bits: Vec<Word> = words.into_iter().enumerate().map(|(at, word)| (at as u32, word)).collect();
        self.of_bits(&bits).collect()
    }

    fn of_bits<'a>(&'a self, bits: &'a [Word]) -> impl Iterator<Item = Symbol> + 'a {
        bits.iter().flat_map(move |&(at, word)| {
            let places = (0..64).filter(move |place| word >> place & 1 == 1);
            places.map(move |place| self.symbols[64 * at as usize + place])
        })
    }

    /// Checks whether all symbols of the set are constants of a run.
    pub fn is_run_constant(&self, set: SetId) -> bool {
        self.sets[set as usize].is_run_constant
    }

    /// Returns the symbols of the set, sorted.
    pub fn symbols(&self, set: SetId) -> &[Symbol] {
        let Set { bits, sorted, .. } = &self.sets[set as usize];
        sorted.get_or_init(|| {
            let mut symbols: Vec<Symbol> = self.of_bits(bits).collect();
            symbols.sort_unstable();
            symbols.into()
        })
    }
}

/// Merges the words of two sets.
fn merged(a: &[Word], b: &[Word]) -> Box<[Word]> {
    let mut bits = Vec::with_capacity(a.len().max(b.len()));
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        bits.push(match (a.peek().copied(), b.peek().copied()) {
            (Some((at, word)), Some((other, more))) if at == other => {
                a.next();
                b.next();
                (at, word | more)
            }
            (Some(first), Some(second)) if first.0 < second.0 => (a.next(), first).1,
            (Some(first), None) => (a.next(), first).1,
            (_, Some(second)) => (b.next(), second).1,
            (None, None) => return bits.into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_found_again() {
        let mut sets = SymbolSets::new();
        let symbols: Vec<Symbol> = (0..150).rev().map(Symbol::Parameter).collect();
        let singles: Vec<SetId> = symbols.iter().map(|&symbol| sets.single(symbol)).collect();
        let all = singles.iter().fold(EMPTY, |all, &single| sets.union(all, single));
        let again = singles.iter().rev().fold(EMPTY, |all, &single| sets.union(single, all));
        assert_eq!(all, again);
        assert!(sets.symbols(all).iter().copied().eq((0..150).map(Symbol::Parameter)));
        let some = sets.union(singles[3], singles[140]);
        assert_eq!(sets.union(all, some), all);
        assert_eq!(sets.symbols(some), [Symbol::Parameter(9), Symbol::Parameter(146)]);
        assert!(sets.contains(some, Symbol::Parameter(9)) && !sets.contains(some, Symbol::Parameter(0)));
        assert!(!sets.contains(all, Symbol::Time) && sets.is_run_constant(all));
        let time = sets.single(Symbol::Time);
        let varying = sets.union(some, time);
        assert!(!sets.is_run_constant(varying) && sets.is_run_constant(EMPTY));
        assert!(sets.symbols(EMPTY).is_empty());
        let several: Vec<Symbol> = sets.symbols_of([singles[3], time, singles[140], EMPTY]).into_iter().collect();
        assert!(several.len() == 3 && several.iter().all(|&symbol| sets.contains(varying, symbol)));
    }
}
