//! Random masses, forces, energies, constraints, initial values and outputs.

use std::ops::Range;

use rand::Rng;

use super::Generator;
use super::expression::Allowed;
use super::names::{Array, Kinds, Names};
use crate::models::tree::{
    Block, Condition, Energy, Entry, Expr, Index, Initial, InitialKind, Mass, Named, Path, Written, add, multiply,
    negate, number, power, rate, subtract,
};
use crate::models::units::{Dimension, ENERGY, LENGTH, MASS, ONE, TIME};

/// Dimension that kinetic energies contain twice: a rate.
const RATE: Dimension = Dimension([0, 0, -1]);

impl Generator {
    fn loops_over<'a>(&self, names: &'a Names, own: &Range<usize>) -> Vec<&'a Array> {
        let declared = |array: &&Array| {
            let first = Path::element(&array.name, Index::number(1));
            names.coordinates[own.clone()].iter().any(|coordinate| coordinate.path == first)
        };
        names.arrays.iter().filter(|array| array.kinds == Kinds::COORDINATES).filter(declared).collect()
    }

    /// Returns the names known inside of a loop over an array: its elements, and those of other arrays of the
    /// same length.
    fn in_loop(&self, names: &Names, array: &Array, variable: &str) -> Names {
        let mut inner = names.clone();
        inner.add(Expr::Leaf(Path::name(variable)), ONE, Kinds::NONE, true);
        for other in names.arrays.iter().filter(|other| other.last == array.last) {
            let element = Path::element(&other.name, Index::variable(variable, 0));
            if other.kinds == Kinds::COORDINATES {
                inner.add_coordinate(&element, other.dimension);
            } else {
                inner.add(Expr::Leaf(element), other.dimension, other.kinds, other.kinds == Kinds::PARAMETERS);
            }
        }
        inner
    }

    /// Makes a positive mass for every own coordinate, and some off the diagonal.
    pub(super) fn masses(&mut self, names: &Names, own: Range<usize>) -> Block {
        let allowed = Allowed { names, kinds: Kinds::MASS };
        let mut entries = Vec::new();
        for array in self.loops_over(names, &own) {
            let variable = self.name();
            let inner = self.in_loop(names, array, &variable);
            let of = Path::element(&array.name, Index::variable(&variable, 0));
            let value = self.mass((array.dimension, array.dimension), Allowed { names: &inner, kinds: Kinds::MASS });
            let entry = Entry::One(Mass { of: (of, None), value });
            entries.push(Entry::For(variable, Index::number(1), array.last.clone(), vec![entry]));
        }
        for coordinate in &names.coordinates[own.clone()] {
            if coordinate.path.0[0].index.is_none() {
                let value = self.mass((coordinate.dimension, coordinate.dimension), allowed);
                entries.push(Entry::One(Mass { of: (coordinate.path.clone(), None), value }));
            }
        }
        let all = &names.coordinates;
        if all.len() > 1 && self.chance(0.5) {
            let (a, b) = (self.random.random_range(0..all.len()), self.random.random_range(0..all.len()));
            if all[a].path != all[b].path && !self.may_be_one(names, a, b) {
                let dimension = MASS + LENGTH.times(2) - all[a].dimension - all[b].dimension;
                let value = multiply(number(0.1), self.expr(dimension, allowed, 2));
                entries.push(Entry::One(Mass { of: (all[a].path.clone(), Some(all[b].path.clone())), value }));
            }
        }
        Block::Mass(entries)
    }

    /// Checks whether two names may stand for one coordinate, as two connections do.
    fn may_be_one(&self, names: &Names, a: usize, b: usize) -> bool {
        names.coordinates[a].dimension == names.coordinates[b].dimension
    }

    fn mass(&mut self, of: (Dimension, Dimension), allowed: Allowed<'_>) -> Written {
        self.positive(MASS + LENGTH.times(2) - of.0 - of.1, allowed, 2)
    }

    pub(super) fn forces(&mut self, names: &Names, own: Range<usize>) -> Option<Block> {
        let allowed = Allowed { names, kinds: Kinds::FORCE };
        let mut entries = Vec::new();
        for array in self.loops_over(names, &own) {
            entries.push(self.chain(names, array));
        }
        for coordinate in &names.coordinates {
            if self.chance(0.6) {
                let value = self.expr(ENERGY - coordinate.dimension, allowed, 4);
                entries.push(Entry::One(Named { of: coordinate.path.clone(), unit: None, value }));
            }
        }
        if let (Some(feature), Some(coordinate)) = (names.features.first(), names.coordinates.first()) {
            let branch = |generator: &mut Generator| {
                let value = generator.expr(ENERGY - coordinate.dimension, allowed, 2);
                vec![Entry::One(Named { of: coordinate.path.clone(), unit: None, value })]
            };
            let feature = Condition::Feature(feature.clone());
            let condition = if self.chance(0.5) { feature } else { Condition::Not(feature.into()) };
            let (yes, no) = (branch(self), if self.chance(0.5) { branch(self) } else { Vec::new() });
            entries.push(Entry::If(condition, yes, no));
        }
        (!entries.is_empty()).then_some(Block::Forces(entries))
    }

    /// Makes forces between neighbours of an array.
    fn chain(&mut self, names: &Names, array: &Array) -> Entry<Named> {
        let variable = self.name();
        let mut inner = self.in_loop(names, array, &variable);
        let [here, before] = [0, -1].map(|offset| Path::element(&array.name, Index::variable(&variable, offset)));
        inner.add_coordinate(&before, array.dimension);
        let force = self.name();
        let dimension = ENERGY - array.dimension;
        let value = self.expr(dimension, Allowed { names: &inner, kinds: Kinds::FORCE }, 3);
        let stretch = subtract(Expr::Leaf(here.clone()), Expr::Leaf(before.clone()));
        let linear = multiply(self.number(dimension - array.dimension), stretch);
        let leaf = || Expr::Leaf(Path::name(&force));
        let entries = vec![
            Entry::Let(force.clone(), add(linear, value)),
            Entry::One(Named { of: here, unit: None, value: negate(leaf()) }),
            Entry::One(Named { of: before, unit: None, value: leaf() }),
        ];
        Entry::For(variable, Index::number(2), array.last.clone(), entries)
    }

    pub(super) fn energies(&mut self, names: &Names, inside: bool) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.chance(0.5) {
            let entries = (0..self.random.random_range(1..3)).map(|_| self.kinetic(names)).collect();
            blocks.push(Block::Kinetic(entries));
        }
        if self.chance(0.5) {
            // an input of a component may be bound to an expression that depends on velocities
            let kinds = if inside { Kinds::CONSTRAINT } else { Kinds::POTENTIAL };
            let value = self.expr(ENERGY, Allowed { names, kinds }, 4);
            blocks.push(Block::Potential(vec![self.energy(value)]));
        }
        if self.chance(0.3) {
            let value = self.expr(ENERGY - TIME, Allowed { names, kinds: Kinds::FORCE }, 3);
            blocks.push(Block::Dissipation(vec![self.energy(value)]));
        }
        blocks
    }

    fn energy(&mut self, value: Written) -> Entry<Energy> {
        let name = self.chance(0.3).then(|| self.name());
        Entry::One(Energy { name, value })
    }

    /// Makes m/2 dot(e)^2 with a position e that may depend on time, or a term linear in the velocities.
    fn kinetic(&mut self, names: &Names) -> Entry<Energy> {
        let (fixed, moving) = (Allowed { names, kinds: Kinds::MASS }, Allowed { names, kinds: Kinds::CONSTRAINT });
        let velocity = names.coordinates.get(self.random.random_range(0..names.coordinates.len()));
        if let (Some(coordinate), true) = (velocity, self.chance(0.2)) {
            let factor = self.expr(ENERGY - coordinate.dimension + TIME, moving, 2);
            return self.energy(multiply(factor, rate(Expr::Leaf(coordinate.path.clone()))));
        }
        let time = Allowed { names, kinds: Kinds::PARAMETERS.with(Kinds::TIME) };
        let mut place = self.expr(LENGTH, fixed, 3);
        if self.chance(0.4) {
            place = add(place, self.expr(LENGTH, time, 2));
        }
        let mass = self.positive(MASS, fixed, 1);
        debug_assert_eq!(LENGTH + RATE, LENGTH - TIME);
        self.energy(multiply(multiply(number(0.5), mass), power(rate(place), 2.0)))
    }

    /// Makes constraints that each have a coordinate of their own, and returns their multipliers with dimensions.
    pub(super) fn constraints(
        &mut self,
        names: &Names,
        own: Range<usize>,
    ) -> (Option<Block>, Vec<(Written, Dimension)>) {
        let plain = |i: &usize| names.coordinates[*i].path.0[0].index.is_none();
        let all: Vec<usize> = own.filter(plain).collect();
        let count = if all.len() < 2 || self.chance(0.4) { 0 } else { self.random.random_range(1..all.len()) };
        let dependent = &all[..count];
        let mut others = names.clone();
        others.items.retain(|item| {
            let mut free = item.kinds.contain(Kinds::NONE);
            crate::models::walk::leaves(&item.expr, &mut |path: &Path| {
                free &= dependent.iter().all(|i| names.coordinates[*i].path != *path);
                // a `let` or another connection may hide them
                free &=
                    !item.kinds.contain(Kinds::COORDINATES) || names.coordinates.iter().any(|one| one.path == *path);
            });
            free
        });
        let (mut entries, mut multipliers) = (Vec::new(), Vec::new());
        for i in dependent {
            let coordinate = &names.coordinates[*i];
            let allowed = Allowed { names: &others, kinds: Kinds::CONSTRAINT };
            let value = self.expr(coordinate.dimension, allowed, 3);
            let mut value = subtract(Expr::Leaf(coordinate.path.clone()), value);
            let mut dimension = coordinate.dimension;
            if self.chance(0.4) {
                let factor = self.any_dimension();
                value = multiply(self.positive(factor, Allowed { names: &others, kinds: Kinds::MASS }, 1), value);
                dimension = dimension + factor;
            }
            let name = Path::name(&self.name());
            multipliers.push((Expr::Multiplier(name.clone()), ENERGY - dimension));
            entries.push(Entry::One(Named { of: name, unit: None, value }));
        }
        ((!entries.is_empty()).then_some(Block::Constraints(entries)), multipliers)
    }

    pub(super) fn initial_values(&mut self, names: &Names, own: Range<usize>) -> Option<Block> {
        let allowed = Allowed { names, kinds: Kinds::PARAMETERS };
        let mut entries = Vec::new();
        for coordinate in &names.coordinates[own] {
            let of = &coordinate.path;
            let what = match self.random.random_range(0..4) {
                0 => Some(InitialKind::Position),
                1 => Some(InitialKind::Near),
                _ => None,
            };
            if let Some(what) = what {
                let value = self.expr(coordinate.dimension, allowed, 2);
                entries.push(Entry::One(Initial { of: of.clone(), what, value }));
            }
            if self.chance(0.3) {
                let value = self.expr(coordinate.dimension - TIME, allowed, 2);
                entries.push(Entry::One(Initial { of: of.clone(), what: InitialKind::Velocity, value }));
            }
        }
        (!entries.is_empty()).then_some(Block::Initial(entries))
    }

    pub(super) fn outputs(&mut self, names: &Names) -> Block {
        let mut entries = Vec::new();
        for _ in 0..self.random.random_range(1..4) {
            let dimension = self.any_dimension();
            let value = self.expr(dimension, Allowed { names, kinds: Kinds::OUTPUT }, 4);
            let unit = Some(self.unit(dimension));
            entries.push(Entry::One(Named { of: Path::name(&self.name()), unit, value }));
        }
        for array in names.arrays.iter().filter(|array| array.kinds == Kinds::COORDINATES) {
            let (name, variable) = (self.name(), self.name());
            let inner = self.in_loop(names, array, &variable);
            let value = self.expr(ONE, Allowed { names: &inner, kinds: Kinds::OUTPUT }, 2);
            let of = Path::element(&name, Index::variable(&variable, 0));
            let entry = Entry::One(Named { of, unit: Some(self.unit(ONE)), value });
            entries.push(Entry::For(variable, Index::number(1), array.last.clone(), vec![entry]));
        }
        Block::Outputs(entries)
    }
}
