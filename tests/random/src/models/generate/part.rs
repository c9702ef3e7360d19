//! The blocks of a model or of a component.

use rand::Rng;
use rand::seq::SliceRandom;

use super::Generator;
use super::components::Component;
use super::expression::{Allowed, rounded};
use super::names::{Array, Kinds, Names};
use crate::models::tree::{Block, Condition, Declared, Entry, Expr, Index, Path};
use crate::models::units::{ACCELERATION, DAMPING, Dimension, FORCE, INERTIA, LENGTH, MASS, ONE, STIFFNESS, TIME};

impl Generator {
    /// Blocks that declare and use what `names` does not have yet.
    pub(super) fn part(&mut self, names: &mut Names, components: &[Component], inside: bool) -> Vec<Block> {
        if names.items.iter().all(|item| item.expr != Expr::Time) {
            names.add(Expr::Time, TIME, Kinds::TIME, false);
        }
        for size in names.sizes.clone() {
            names.add(Expr::Leaf(Path::name(&size)), ONE, Kinds::NONE, true);
        }
        let mut declarations = vec![self.parameters(names)];
        if self.chance(0.6) {
            declarations.push(self.inputs(names));
        }
        let own = names.coordinates.len();
        declarations.push(self.coordinates(names));
        let own = own..names.coordinates.len();
        let mut blocks = Vec::new();
        if !inside && self.chance(0.35) {
            blocks.extend(self.planar_bodies(names));
        }
        blocks.extend(self.lets(names));
        blocks.extend(self.uses(names, components));
        let mut equations = vec![self.masses(names, own.clone())];
        equations.extend(self.forces(names, own.clone()));
        equations.extend(self.energies(names, inside));
        let (constraints, known) = self.constraints(names, own.clone());
        equations.extend(constraints);
        equations.extend(self.initial_values(names, own));
        let mut outer = names.clone();
        known.into_iter().for_each(|(expr, dimension)| outer.add(expr, dimension, Kinds::MULTIPLIERS, false));
        equations.push(self.outputs(&outer));
        // what declares may stand anywhere among the blocks, what a `let` names only below it
        equations.shuffle(&mut self.random);
        blocks.extend(equations);
        for declaration in declarations {
            let place = self.random.random_range(0..=blocks.len());
            blocks.insert(place, declaration);
        }
        blocks
    }

    pub(super) fn parameters(&mut self, names: &mut Names) -> Block {
        const SOME: [Dimension; 10] =
            [MASS, LENGTH, ONE, STIFFNESS, DAMPING, INERTIA, ACCELERATION, FORCE, Dimension([0, 0, -1]), TIME];
        let mut entries = Vec::new();
        let all_have_defaults = self.chance(0.8);
        for _ in 0..self.random.random_range(2..6) {
            let dimension = SOME[self.random.random_range(0..SOME.len())];
            let (name, unit) = (self.name(), self.unit(dimension));
            let default = rounded(self.random.random_range(0.5..2.0) / unit.scale);
            let range = self.chance(0.2).then(|| self.array(names, &name, dimension, Kinds::PARAMETERS));
            if range.is_none() {
                names.add(Expr::Leaf(Path::name(&name)), dimension, Kinds::PARAMETERS, true);
            }
            let default = (all_have_defaults || self.chance(0.5)).then_some(default);
            entries.push(Entry::One(Declared { name, range, unit, default }));
        }
        if let Some(feature) = names.features.first().cloned()
            && self.chance(0.5)
        {
            // of the same name and unit in both branches, so that it is there in any case
            let (name, unit) = (self.name(), self.unit(STIFFNESS));
            names.add(Expr::Leaf(Path::name(&name)), STIFFNESS, Kinds::PARAMETERS, true);
            let one = |default: f64| {
                let default = Some(rounded(default / unit.scale));
                vec![Entry::One(Declared { name: name.clone(), range: None, unit: unit.clone(), default })]
            };
            entries.push(Entry::If(Condition::Feature(feature), one(0.75), one(1.25)));
        }
        Block::Parameters(entries)
    }

    /// The range of an array, whose first element and loops are known from here on.
    fn array(&mut self, names: &mut Names, name: &str, dimension: Dimension, kinds: Kinds) -> (Index, Index) {
        let last = match names.sizes.first() {
            Some(size) if self.chance(0.7) => Index::variable(size, 0),
            _ => Index::number(self.random.random_range(1..4)),
        };
        let first = Path::element(name, Index::number(1));
        if kinds == Kinds::COORDINATES {
            names.add_coordinate(&first, dimension);
        } else {
            names.add(Expr::Leaf(first), dimension, kinds, kinds == Kinds::PARAMETERS);
        }
        names.arrays.push(Array { name: name.to_owned(), dimension, kinds, last: last.clone() });
        (Index::number(1), last)
    }

    pub(super) fn inputs(&mut self, names: &mut Names) -> Block {
        let mut entries = Vec::new();
        for _ in 0..self.random.random_range(1..3) {
            let dimension = self.any_dimension();
            let (name, unit) = (self.name(), self.unit(dimension));
            let range = self.chance(0.2).then(|| self.array(names, &name, dimension, Kinds::INPUTS));
            if range.is_none() {
                names.add(Expr::Leaf(Path::name(&name)), dimension, Kinds::INPUTS, false);
            }
            entries.push(Entry::One(Declared { name, range, unit, default: None }));
        }
        Block::Inputs(entries)
    }

    fn coordinates(&mut self, names: &mut Names) -> Block {
        let mut entries = Vec::new();
        for _ in 0..self.random.random_range(1..4) {
            let (name, dimension) = (self.name(), if self.chance(0.7) { LENGTH } else { ONE });
            let mut units = dimension.units();
            let unit = if dimension == ONE && self.chance(0.7) { units.swap_remove(1) } else { units.swap_remove(0) };
            let range = self.chance(0.3).then(|| self.array(names, &name, dimension, Kinds::COORDINATES));
            if range.is_none() {
                names.add_coordinate(&Path::name(&name), dimension);
            }
            entries.push(Entry::One(Declared { name, range, unit, default: None }));
        }
        Block::Coordinates(entries)
    }

    fn lets(&mut self, names: &mut Names) -> Vec<Block> {
        let blocks = (0..self.random.random_range(0..3)).map(|_| {
            let kinds =
                [Kinds::PARAMETERS, Kinds::MASS, Kinds::CONSTRAINT, Kinds::FORCE][self.random.random_range(0..4)];
            let dimension = self.any_dimension();
            let value = self.expr(dimension, Allowed { names, kinds }, 3);
            let name = self.name();
            names.add(Expr::Leaf(Path::name(&name)), dimension, kinds, false);
            Block::Let(name, value)
        });
        blocks.collect()
    }
}
