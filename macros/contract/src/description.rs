//! Description of a model, which is known when the model's crate is built.

use crate::scene::Scene;
use crate::{Argument, BackEnd, Elimination, Function, Groups};

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
    /// A placeholder for a quantity that a model does not have.
    pub const NONE: Self = Self::new("?", "?", "");

    /// Creates a quantity with its name, unit and documentation.
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
    /// Creates a table of values over its arguments.
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
    /// Creates the lookup of the derivative of these orders of a table.
    pub const fn new(table: usize, orders: [usize; 2]) -> Self {
        Self { table, orders }
    }
}

/// Version of the interface between emitted code and the runtime. It changes with every change of [`Description`] and
/// of the arguments and results of emitted functions.
pub const VERSION: u32 = 5;

/// Description of a model, which is known when the model's crate is built.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// The [`VERSION`] of the compiler that wrote the description.
    pub version: u32,
    /// The model's name.
    pub name: &'static str,
    /// The back end, which executes the model.
    pub back_end: BackEnd,
    /// A digest of the text of a loaded model and of the files that the text names; `None` for a compiled model.
    pub digest: Option<&'static str>,
    /// Parameters, in the order of declaration.
    pub parameters: &'static [Quantity],
    /// Inputs.
    pub inputs: &'static [Quantity],
    /// Coordinates.
    pub coordinates: &'static [Quantity],
    /// Constraints; the unit is that of the constraint's expression, and empty if it is not declared.
    pub constraints: &'static [Quantity],
    /// Outputs.
    pub outputs: &'static [Quantity],
    /// Tables.
    pub tables: &'static [TableDescription],
    /// Lookups in tables; the lookups of the equations of a step and of the outputs come first.
    pub lookups: &'static [LookupDescription],
    /// Marks the coordinates whose initial position the model specifies.
    pub specified_coordinates: &'static [bool],
    /// Marks the coordinates whose initial velocity the model specifies.
    pub specified_velocities: &'static [bool],
    /// True if a run begins at rest in equilibrium: coordinates that the model does not specify are those at which
    /// forces are in balance, near their initial values.
    pub equilibrium: bool,
    /// Parameters that must be positive: masses and moments of inertia.
    pub positive_parameters: &'static [usize],
    /// Functions of velocities that jump, `sign` and `if`, on which forces depend.
    pub jumps: &'static [&'static str],
    /// True if forces depend on the time by themselves, and not by inputs alone.
    pub timed_forces: bool,
    /// True if the constraints determine the motion: there are as many as coordinates, and no function in them has a
    /// kink or a jump, tables that are given to a run apart.
    pub determined: bool,
    /// Layout of every group.
    pub groups: Groups,
    /// Elimination of the Newton matrix by the model's own functions; `None` for a model that is too large to write
    /// the elimination out.
    pub elimination: Option<Elimination>,
    /// (row, column) of every pivot in the order in which the library factorises the Newton matrix where the emitted
    /// factors fail or do not exist; n + i stands for constraint i and its multiplier. Empty if the order is that of
    /// the elimination, or if pivots are searched at run time.
    pub order: &'static [(u32, u32)],
    /// Bodies, with the joints and elements between them.
    pub scene: &'static Scene,
}

impl Description {
    /// Creates the description of an empty model with this name.
    pub const fn new(name: &'static str) -> Self {
        Self {
            version: 0,
            name,
            back_end: BackEnd::Compiled,
            digest: None,
            parameters: &[],
            inputs: &[],
            coordinates: &[],
            constraints: &[],
            outputs: &[],
            tables: &[],
            lookups: &[],
            specified_coordinates: &[],
            specified_velocities: &[],
            equilibrium: false,
            positive_parameters: &[],
            jumps: &[],
            timed_forces: false,
            determined: false,
            groups: Groups::EMPTY,
            elimination: None,
            order: &[],
            scene: const { &Scene::EMPTY },
        }
    }

    /// Returns the length of a state q, v, a, lambda: 3n + m.
    pub const fn state_length(&self) -> usize {
        3 * self.coordinates.len() + self.constraints.len()
    }

    /// Checks whether both describe the same model: names and units are equal, and the texts of two loaded models.
    pub fn is_same(&'static self, other: &'static Self) -> bool {
        let tables = |all: &'static [TableDescription]| all.iter().map(|table| table.quantity);
        let is_other_text = self.digest.zip(other.digest).is_some_and(|(own, other)| own != other);
        std::ptr::eq(self, other)
            || !is_other_text
                && self.name == other.name
                && self.parameters == other.parameters
                && self.inputs == other.inputs
                && self.coordinates == other.coordinates
                && self.constraints == other.constraints
                && self.outputs == other.outputs
                && tables(self.tables).eq(tables(other.tables))
    }

    /// Returns the quantities of the rows of a function.
    pub const fn rows(&self, function: Function) -> &'static [Quantity] {
        match function {
            Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => self.constraints,
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

    /// Returns the quantities of the columns of a derivative; lookups have no names.
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
