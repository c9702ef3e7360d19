//! What every block is read into.

use super::definitions::Components;
use crate::diagnostic::Place;
use crate::lower::expressions::Expressions;
use crate::lower::mechanism::Mechanism;
use crate::lower::names::Names;
use crate::lower::system::System;
use crate::model::DefaultPlace;

/// The blocks of a model while they are read.
#[derive(Default)]
pub struct Lowering<'a> {
    pub mechanism: Mechanism,
    pub components: Components<'a>,
    /// Default of every parameter, in its own unit.
    pub defaults: Vec<Option<f64>>,
    pub default_places: Vec<DefaultPlace>,
    /// In the first pass names are declared and `let`s are left alone.
    pub declaring: bool,
}

impl Lowering<'_> {
    pub fn system(&mut self) -> &mut System {
        &mut self.mechanism.system
    }

    pub fn expressions(&mut self) -> &mut Expressions {
        &mut self.mechanism.system.expressions
    }

    pub fn names(&mut self) -> &mut Names {
        &mut self.mechanism.system.expressions.names
    }

    /// Reports a mistake.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.names().report.error(place, message);
    }

    /// Reports a mistake because of which there is no value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names().report.refuse(place, message)
    }
}
