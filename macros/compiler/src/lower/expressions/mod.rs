//! Expressions: the way from the syntax tree to the graph, with a unit for every expression.
//!
//! Measured quantities of bodies, joints and elements are read here as well, since they are allowed wherever an
//! expression is; `parts` therefore has the data of bodies, joints and elements. The [`Context`] alone says in which
//! block an expression is, and on what it may depend. `domain` finds operations without a value, by the ranges of
//! `symbolic`.
//!
//! Measured quantities of bodies, joints and elements are read here as well, since they are allowed wherever an
//! expression is. The [`Context`] alone says in which block an expression is.

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
mod mirrored;
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

use super::geometry::Reflection;
use super::names::Names;
use crate::diagnostic::Place;
use crate::dimension::Measured;
use crate::model::Kink;
use crate::symbolic::{Graph, Id, Ranges};
pub use context::Context;
pub use defaults::DefaultValue;
use heights::Heights;
pub use parts::{Connected, ConnectedFrame, Element, Joint, Parts, Progress};
use system_units::Findings;
pub use system_units::SystemUnits;
pub use totals::{Energies, Inertia, Totals};

/// The expressions of a model while it is read.
#[derive(Default)]
pub struct Expressions {
    pub names: Names,
    pub graph: Graph,
    /// The mirror image that the component which has been entered is read in.
    pub reflection: Reflection,
    /// The bodies, joints and elements as far as they have been read.
    pub parts: Parts,
    /// The named energies, in the order of declaration.
    pub energies: Vec<NamedEnergy>,
    /// The parts of the energies of bodies and of the model.
    pub totals: Totals,
    /// The names that `let` gave to expressions; the first name wins.
    pub let_names: HashMap<Id, String>,
    /// Places where the model is not smooth.
    pub kinks: Vec<Kink>,
    /// Known units of the whole model, and, in `findings`, those found in this pass.
    pub system_units: SystemUnits,
    pub findings: Findings,
    heights: Heights,
    ranges: Ranges,
    /// Number of branches never taken that surround the expression being read.
    pub unreachable: usize,
}

/// The value of a named energy.
#[derive(Debug, Clone, Copy, Default)]
pub struct NamedEnergy {
    /// True once the energy has been read; `value` is then `None` after a mistake.
    pub read: bool,
    pub value: Option<Measured>,
}

impl Expressions {
    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.names.report.error(place, message);
    }

    /// Reports a mistake, and returns `None` in place of a value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names.report.refuse(place, message)
    }
}
