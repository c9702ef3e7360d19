//! Expressions: from the syntax tree to the graph, with the unit of each.
//!
//! Measured quantities of bodies, joints and elements are read here as well, since they stand wherever an expression may
//! stand. Nothing is known of the blocks that expressions are in but the [`Context`].

mod arithmetic;
mod call;
mod context;
mod defaults;
mod domain;
mod energies;
mod frames;
mod heights;
mod lets;
mod lookup;
mod measures;
mod name;
mod parts;
mod products;
mod read;
mod sums;
mod system_units;
mod totals;
mod units;
mod vectors;

use std::collections::HashMap;

use super::names::Names;
use crate::diagnostic::Place;
use crate::dimension::Measured;
use crate::model::Kink;
use crate::symbolic::{Graph, Id, Ranges};
pub use context::Context;
pub use defaults::DefaultValue;
use heights::Heights;
pub use parts::{Element, Joint, Parts, Progress};
use system_units::Findings;
pub use system_units::SystemUnits;
pub use totals::{Energies, Inertia, Totals};

/// The expressions of a model while it is read.
#[derive(Default)]
pub struct Expressions {
    pub names: Names,
    pub graph: Graph,
    /// What is known of bodies, joints and elements.
    pub parts: Parts,
    /// The named energies, in the order of declaration.
    pub energies: Vec<NamedEnergy>,
    /// What the energies of bodies and of the model are made of.
    pub totals: Totals,
    /// The names that `let` gave to expressions; the first name wins.
    pub let_names: HashMap<Id, String>,
    /// Where the model is not smooth.
    pub kinks: Vec<Kink>,
    /// What is known of the units of the whole model, and what is found while it is read.
    pub system_units: SystemUnits,
    pub findings: Findings,
    heights: Heights,
    ranges: Ranges,
    /// How many branches that are never taken are around what is being read.
    pub unreachable: usize,
}

/// The value of a named energy.
#[derive(Debug, Clone, Copy, Default)]
pub struct NamedEnergy {
    /// It stands above what is being read; without a value there was a mistake in it.
    pub read: bool,
    pub value: Option<Measured>,
}

impl Expressions {
    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.names.report.error(place, message);
    }

    /// Reports a mistake because of which there is no value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names.report.refuse(place, message)
    }
}
