//! What is known of a model when its crate is built.

use crate::scene::Scene;
use crate::{Argument, Elimination, Function, Groups};

/// A named quantity of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    /// Name as declared; `x[2]` for an element of an array.
    pub name: &'static str,
    /// Unit as declared; `1` if dimensionless.
    pub unit: &'static str,
    /// Documentation as written above the declaration.
    pub documentation: &'static str,
}

impl Quantity {
    /// What stands for a quantity that a model does not have.
    pub const NONE: Self = Self::new("?", "?", "");

    /// A quantity with its name, unit and documentation.
    pub const fn new(name: &'static str, unit: &'static str, documentation: &'static str) -> Self {
        Self { name, unit, documentation }
    }
}

/// A table of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableDescription {
    /// Name, documentation and the unit of the values.
    pub quantity: Quantity,
    /// Names and units of the arguments, one or two.
    pub arguments: &'static [Quantity],
}

impl TableDescription {
    /// A table of values over its arguments.
    pub const fn new(quantity: Quantity, arguments: &'static [Quantity]) -> Self {
        Self { quantity, arguments }
    }
}

/// A place in a model's equations where a table is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookupDescription {
    /// Position of the table.
    pub table: usize,
    /// Orders of the derivative with respect to the first and second argument.
    pub orders: [usize; 2],
}

impl LookupDescription {
    /// The derivative of these orders of a table.
    pub const fn new(table: usize, orders: [usize; 2]) -> Self {
        Self { table, orders }
    }
}

/// What emitted code and the runtime have agreed on: it changes with every change of [`Description`] and of what emitted functions
/// take and give.
pub const VERSION: u32 = 1;

/// What is known of a model when its crate is built.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// The [`VERSION`] of the compiler that wrote it.
    pub version: u32,
    /// The model's name.
    pub name: &'static str,
    /// Parameters, in the order of declaration.
    pub parameters: &'static [Quantity],
    /// Inputs.
    pub inputs: &'static [Quantity],
    /// Coordinates.
    pub coordinates: &'static [Quantity],
    /// Constraints; the unit is that of the multiplier's partner, empty where it is not declared.
    pub constraints: &'static [Quantity],
    /// Outputs.
    pub outputs: &'static [Quantity],
    /// Tables.
    pub tables: &'static [TableDescription],
    /// Lookups in tables; first those that the equations of a step and the outputs make.
    pub lookups: &'static [LookupDescription],
    /// Coordinates whose initial position the model specifies.
    pub specified_coordinates: &'static [bool],
    /// Coordinates whose initial velocity the model specifies.
    pub specified_velocities: &'static [bool],
    /// Parameters that have to be positive: masses and moments of inertia.
    pub positive_parameters: &'static [usize],
    /// Functions of velocities that jump, `sign` and `if`, on which forces depend.
    pub jumps: &'static [&'static str],
    /// Layout of every group.
    pub groups: Groups,
    /// How the model's own functions eliminate the Newton matrix; `None` for a model that is too large to write that out.
    pub elimination: Option<Elimination>,
    /// Bodies and what joins them.
    pub scene: &'static Scene,
}

impl Description {
    /// A model of this name without anything in it.
    pub const fn new(name: &'static str) -> Self {
        Self {
            version: 0,
            name,
            parameters: &[],
            inputs: &[],
            coordinates: &[],
            constraints: &[],
            outputs: &[],
            tables: &[],
            lookups: &[],
            specified_coordinates: &[],
            specified_velocities: &[],
            positive_parameters: &[],
            jumps: &[],
            groups: Groups::EMPTY,
            elimination: None,
            scene: const { &Scene::EMPTY },
        }
    }

    /// Numbers of a state q, v, a, lambda: 3n + m.
    pub const fn state_length(&self) -> usize {
        3 * self.coordinates.len() + self.constraints.len()
    }

    /// Whether both describe one model: names, units and sizes are those of the other.
    pub fn is_same(&'static self, other: &'static Self) -> bool {
        let tables = |all: &'static [TableDescription]| all.iter().map(|table| table.quantity);
        std::ptr::eq(self, other)
            || self.name == other.name
                && self.parameters == other.parameters
                && self.inputs == other.inputs
                && self.coordinates == other.coordinates
                && self.constraints == other.constraints
                && self.outputs == other.outputs
                && tables(self.tables).eq(tables(other.tables))
    }

    /// The quantities that the rows of a function belong to.
    pub const fn rows(&self, function: Function) -> &'static [Quantity] {
        match function {
            Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => {
                self.constraints
            }
            Function::Output => self.outputs,
            Function::LookupArguments => &[],
            Function::InitialCoordinates
            | Function::InitialVelocities
            | Function::Inertia
            | Function::Force
            | Function::ConstraintForce
            | Function::ForceResidual
            | Function::Step => self.coordinates,
        }
    }

    /// The quantities that the columns of a derivative belong to; lookups have no names.
    pub const fn columns(&self, argument: Argument) -> &'static [Quantity] {
        match argument {
            Argument::Coordinates | Argument::Velocities | Argument::Accelerations => self.coordinates,
            Argument::Multipliers => self.constraints,
            Argument::Parameters => self.parameters,
            Argument::Inputs => self.inputs,
            Argument::Lookups => &[],
        }
    }
}
