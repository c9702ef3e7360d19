//! The state of reading the blocks of a model.

use super::definitions::Components;
use crate::diagnostic::Place;
use crate::lower::expressions::Expressions;
use crate::lower::mechanism::Mechanism;
use crate::lower::names::Names;
use crate::lower::system::System;
use crate::model::DefaultPlace;

/// A model whose blocks are being read.
#[derive(Default)]
pub struct Lowering<'a> {
    pub mechanism: Mechanism,
    pub components: Components<'a>,
    /// Default of every parameter, in its own unit.
    pub defaults: Vec<Option<f64>>,
    pub default_places: Vec<DefaultPlace>,
    /// True in the first pass, in which names are declared and `let`s are not evaluated.
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

    /// Reports a mistake, and returns `None` in place of a value.
    pub fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names().report.refuse(place, message)
    }
}
