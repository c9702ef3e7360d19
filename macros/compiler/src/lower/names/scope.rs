//! Names that are valid inside a block: `let` and loop variables.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::space::Elements;
use crate::dimension::{Measure, Measured};
use crate::lower::geometry::{Frame, Vector};

/// The value of a `let`.
#[derive(Debug, Clone, Copy)]
pub enum LetValue {
    Number(Measured),
    /// A vector, with `true` if it has three components and `false` if it has two.
    Vector(MeasuredVector, bool),
    /// A point or a frame, with `true` if it is spatial; `None` for the ground itself, which can be either.
    Frame(Frame, Option<bool>),
}

/// A vector in inertial axes and the units of its components.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredVector {
    pub components: Vector,
    pub units: [Measure; 3],
}

/// The meaning of a local name.
#[derive(Debug, Clone)]
pub enum Local {
    /// The current value of a loop variable.
    Loop(i64),
    /// A named expression; `None` if its definition has an error, which has been reported. `definition` is the number
    /// of the `let` in the order of reading.
    Let { value: Option<LetValue>, definition: usize },
    /// A named expression for each index.
    Lets { array: Rc<Array>, definition: usize },
}

/// The values of a `let` with an index.
#[derive(Debug)]
pub struct Array {
    elements: Elements,
    values: Vec<LetValue>,
}

impl Default for Array {
    fn default() -> Self {
        Array { elements: Elements::Array(BTreeMap::new()), values: Vec::new() }
    }
}

impl Array {
    /// Adds the value of a new index.
    pub fn push(&mut self, index: i64, value: LetValue) {
        if let Elements::Array(positions) = &mut self.elements {
            positions.insert(index, self.values.len());
            self.values.push(value);
        }
    }

    /// Returns the value with this index; `Err` says why there is none. `name` is the name of the array.
    pub fn at(&self, name: &str, index: Option<i64>) -> Result<LetValue, String> {
        self.elements.at(name, index).map(|position| self.values[position])
    }

    /// Checks whether the values are vectors; `false` for an empty range.
    pub fn is_of_vectors(&self) -> bool {
        matches!(self.values.first(), Some(LetValue::Vector(..)))
    }

    /// Lists the values with their indices.
    pub fn each(&self) -> impl Iterator<Item = (i64, LetValue)> {
        let positions = match &self.elements {
            Elements::Array(positions) => Some(positions),
            Elements::Scalar(_) => None,
        };
        positions.into_iter().flatten().map(|(index, position)| (*index, self.values[*position]))
    }
}

/// Nested scopes, the innermost last. The outermost scope is known everywhere; the others are hidden inside a
/// component.
#[derive(Debug)]
pub struct Scopes {
    stack: Vec<HashMap<String, Local>>,
    /// The scopes around the components that have been entered.
    outside: Vec<Vec<HashMap<String, Local>>>,
}

impl Default for Scopes {
    /// Creates the scope of names that are known everywhere, also inside components, and the scope of the model.
    fn default() -> Self {
        Scopes { stack: vec![HashMap::new(), HashMap::new()], outside: Vec::new() }
    }
}

impl Scopes {
    /// Hides the names around a component.
    pub fn enter_component(&mut self) {
        let around = self.stack.split_off(self.stack.len().min(1));
        self.outside.push(around);
        self.push();
    }

    /// Restores the names around the component.
    pub fn leave_component(&mut self) {
        self.stack.truncate(1);
        self.stack.extend(self.outside.pop().unwrap_or_default());
    }

    /// Finds `name` in the scopes around the component that has been entered, at any distance.
    pub fn get_outside(&self, name: &str) -> Option<Local> {
        self.outside.iter().rev().flatten().find_map(|scope| scope.get(name)).cloned()
    }

    pub fn push(&mut self) {
        self.stack.push(HashMap::new());
    }

    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// Adds a name to the innermost scope.
    pub fn define(&mut self, name: String, local: Local) {
        if let Some(scope) = self.stack.last_mut() {
            scope.insert(name, local);
        }
    }

    pub fn get(&self, name: &str) -> Option<Local> {
        self.stack.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    /// All names in scope, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.stack.iter().flat_map(|scope| scope.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names
    }
}
