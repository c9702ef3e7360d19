//! Random models: the same seed gives the same model everywhere.

mod components;
mod entries;
mod expression;
mod names;
mod part;
mod planar;
mod spatial;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::models::tree::{Argument, ArgumentValue, Block, Model, Table};
use crate::models::units::{ENERGY, FORCE, LENGTH, ONE, STIFFNESS};
use names::Names;

pub use spatial::spatial_model;

/// The source of random choices, and of names that are not used yet.
pub(crate) struct Generator {
    pub(crate) random: ChaCha8Rng,
    count: usize,
}

/// Operations of a model, and its coordinates, with which it is compiled and evaluated in a moment.
const MODERATE: (usize, usize) = (1000, 12);

/// The model of a seed.
pub fn model(seed: u64) -> Model {
    let mut generator = Generator { random: ChaCha8Rng::seed_from_u64(seed), count: 0 };
    loop {
        let model = generator.model(&format!("Random{seed}"));
        let flat = model.written_out(&[]);
        if flat.size() <= MODERATE.0 && flat.coordinates.len() <= MODERATE.1 {
            return model;
        }
        generator.count = 0;
    }
}

impl Generator {
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.random.random_bool(probability)
    }

    /// A name of its own. Some look like those of emitted code, of units or of functions.
    pub(crate) fn name(&mut self) -> String {
        const BEGINNINGS: [&str; 20] = [
            "x",
            "phi",
            "k",
            "c",
            "d",
            "m",
            "e",
            "out",
            "at",
            "rate",
            "S",
            "q",
            "constants",
            "mass",
            "sin_",
            "kg",
            "state",
            "Rod",
            "a_b_",
            "w",
        ];
        self.count += 1;
        format!("{}{}", BEGINNINGS[self.random.random_range(0..BEGINNINGS.len())], self.count)
    }

    fn model(&mut self, name: &str) -> Model {
        let mut names = Names::default();
        let mut arguments = Vec::new();
        let mut blocks = Vec::new();
        if self.chance(0.6) {
            let value = ArgumentValue::Size(self.random.random_range(1..4));
            arguments.push(Argument { name: self.name(), value });
            names.sizes.push(arguments[0].name.clone());
        }
        if self.chance(0.4) {
            let value = ArgumentValue::Feature(self.chance(0.5));
            let argument = Argument { name: self.name(), value };
            names.features.push(argument.name.clone());
            arguments.push(argument);
        }
        if self.chance(0.4) {
            blocks.push(self.tables(&mut names));
        }
        let components = self.components(&names);
        let inner = self.part(&mut names, &components, false);
        let (definitions, inner) = (components.into_iter().map(|component| component.block), inner);
        blocks.extend(definitions);
        blocks.extend(inner);
        Model { name: name.to_owned(), arguments, blocks }
    }

    fn tables(&mut self, names: &mut Names) -> Block {
        let tables = (0..self.random.random_range(1..3)).map(|_| {
            let count = self.random.random_range(1..3);
            let mut dimension = || [ONE, LENGTH, FORCE, STIFFNESS, ENERGY][self.random.random_range(0..5)];
            let (own, arguments) = (dimension(), (0..count).map(|_| dimension()).collect::<Vec<_>>());
            let table = Table {
                name: self.name(),
                arguments: arguments.iter().map(|dimension| (self.name(), self.unit(*dimension))).collect(),
                unit: self.unit(own),
            };
            names.tables.push((table.name.clone(), arguments, own));
            table
        });
        Block::Tables(tables.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_language_occurs() {
        let texts: String = (0..400).map(|seed| model(seed).text()).collect();
        let words = "parameters inputs tables coordinates mass forces constraints initial kinetic potential \
             dissipation \
             bodies joints elements gravity outputs component components connections let for if else in usize bool \
             dot( \
             ddot( multiplier( value( sin( cos( tan( asin( acos( atan( sinh( cosh( tanh( exp( ln( log10( sqrt( abs( \
             sign( min( max( atan2( smooth_step( pi && || ! ~ ^ == planar fixed( revolute( prismatic( point_on_line( \
             distance( force( torque( spring( torsional( bushing( .at( .rotated( .position .velocity .acceleration \
             .angular_velocity .length .reaction .angle .displacement [deg] [mm]";
        let missing: Vec<&str> = words.split_whitespace().filter(|word| !texts.contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_seed_is_a_model() {
        assert_eq!(model(7).text(), model(7).text());
        assert_ne!(model(7).text(), model(8).text());
    }
}
