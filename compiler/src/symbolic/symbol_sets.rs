//! Sets of symbols: what expressions depend on. There are few distinct ones, which many expressions share.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::graph::Symbol;

/// Index of a set.
pub type SetId = u32;

/// The set without symbols.
pub const EMPTY: SetId = 0;

/// Sets as bits, one for every symbol that has occurred.
#[derive(Debug, Clone)]
pub struct SymbolSets {
    symbols: Vec<Symbol>,
    indices: FxHashMap<Symbol, usize>,
    sets: Vec<Set>,
    ids: FxHashMap<Box<[u64]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

#[derive(Debug, Clone)]
struct Set {
    /// Without zeros at the end.
    bits: Box<[u64]>,
    /// Whether there are constants of a run only.
    is_run_constant: bool,
    /// The symbols in order, once somebody wants to know.
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

    /// The set of one symbol.
    pub fn single(&mut self, symbol: Symbol) -> SetId {
        let next = self.symbols.len();
        let index = *self.indices.entry(symbol).or_insert(next);
        if index == next {
            self.symbols.push(symbol);
        }
        let mut bits = vec![0; index / 64 + 1];
        bits[index / 64] = 1 << (index % 64);
        self.set(bits.into(), symbol.is_run_constant())
    }

    /// The symbols of both sets.
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
        let (long, short) = if a.bits.len() < b.bits.len() { (b, a) } else { (a, b) };
        let mut bits = long.bits.clone();
        bits.iter_mut().zip(&short.bits).for_each(|(word, other)| *word |= other);
        let is_run_constant = a.is_run_constant && b.is_run_constant;
        let id = self.set(bits, is_run_constant);
        self.unions.insert(key, id);
        id
    }

    fn set(&mut self, bits: Box<[u64]>, is_run_constant: bool) -> SetId {
        if let Some(&id) = self.ids.get(&bits) {
            return id;
        }
        let id = self.sets.len() as SetId;
        self.sets.push(Set { bits: bits.clone(), is_run_constant, sorted: OnceLock::new() });
        self.ids.insert(bits, id);
        id
    }

    /// Whether the symbol is in the set.
    pub fn contains(&self, set: SetId, symbol: Symbol) -> bool {
        let word = |index: usize| self.sets[set as usize].bits.get(index / 64).copied().unwrap_or(0);
        self.indices.get(&symbol).is_some_and(|&index| word(index) >> (index % 64) & 1 == 1)
    }

    /// Whether all symbols of the set are constants of a run.
    pub fn is_run_constant(&self, set: SetId) -> bool {
        self.sets[set as usize].is_run_constant
    }

    /// The symbols of the set, sorted.
    pub fn symbols(&self, set: SetId) -> &[Symbol] {
        let Set { bits, sorted, .. } = &self.sets[set as usize];
        sorted.get_or_init(|| {
            let is_in = |&(index, _): &(usize, &Symbol)| {
                bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
            };
            let mut symbols: Vec<Symbol> =
                self.symbols.iter().enumerate().filter(is_in).map(|(_, &symbol)| symbol).collect();
            symbols.sort_unstable();
            symbols.into()
        })
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
    }
}
