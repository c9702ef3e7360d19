//! What is known of a model when its crate is built: names, and where every entry of a group is.

#[cfg(doc)]
use super::{Model, Weights};

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
    pub(crate) const NONE: Self = Self { name: "?", unit: "?", documentation: "" };
}

/// A table of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableDescription {
    /// Name, documentation and the unit of the values.
    pub quantity: Quantity,
    /// Names and units of the arguments, one or two.
    pub arguments: &'static [Quantity],
}

/// What is known of a model when its crate is built.
#[derive(Debug, Clone, Copy)]
pub struct Description {
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
    /// Coordinates whose initial position the model specifies.
    pub specified_coordinates: &'static [bool],
    /// Coordinates whose initial velocity the model specifies.
    pub specified_velocities: &'static [bool],
    /// Layout of every group.
    pub groups: Groups,
    /// How [`Model::newton_correction`] eliminates the Newton matrix; `None` for a model that is too large to write that out.
    pub elimination: Option<Elimination>,
}

/// The elimination of the Newton matrix [N, C_q^T; C_q, 0] that was laid out when the model was compiled: its order of
/// pivots, and which of its factors change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elimination {
    /// Rows of constraints, n + i, that are added to equations of motion before the elimination begins, times their own
    /// entry there and a moment of inertia.
    pub sums: &'static [u32],
    /// (row, column) of every pivot, in order; n + i stands for constraint i and its multiplier.
    pub pivots: &'static [(u32, u32)],
    /// The varying factors. One element of the array may be several factors, up to the sign.
    pub factors: &'static [Factor],
}

/// A varying factor of the Newton matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// What it is.
    pub part: FactorPart,
    /// Its row in the Newton matrix.
    pub row: u32,
    /// Its column.
    pub column: u32,
    /// Its place in the array of [`Model::Factors`].
    pub index: u32,
}

/// The parts of the factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorPart {
    /// The reciprocal of a pivot.
    Pivot,
    /// An entry of U beside the pivots, which are not divided out.
    Upper,
    /// An entry of L.
    Lower,
}

/// The layout of the emitted functions' results.
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    /// [`Model::initial`].
    pub initial: &'static [Block],
    /// [`Model::initial_derivatives`].
    pub initial_derivatives: &'static [Block],
    /// [`Model::residual`].
    pub residual: &'static [Block],
    /// [`Model::newton`].
    pub newton: &'static [Block],
    /// [`Model::adjoint`].
    pub adjoint: &'static [Block],
    /// [`Model::linearization`].
    pub linearization: &'static [Block],
    /// [`Model::kinematics`].
    pub kinematics: &'static [Block],
    /// [`Model::kinematics_derivatives`].
    pub kinematics_derivatives: &'static [Block],
    /// [`Model::outputs`].
    pub outputs: &'static [Block],
    /// [`Model::output_derivatives`].
    pub output_derivatives: &'static [Block],
    /// [`Model::input_derivatives`].
    pub input_derivatives: &'static [Block],
}

/// A vector function of a model, or the matrix of its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// q0(p), the initial positions (n).
    InitialCoordinates,
    /// v0(p), the initial velocities (n).
    InitialVelocities,
    /// M a (n).
    Inertia,
    /// f, the generalized forces (n).
    Force,
    /// C_q^T lambda, the constraint forces (n).
    ConstraintForce,
    /// G = C_q^T lambda - f (n).
    ForceResidual,
    /// The combination that a step solves, with q, v depending on a through [`Weights`] (n).
    Step,
    /// C (m).
    Constraint,
    /// C_q v + C_t (m).
    ConstraintVelocity,
    /// C_q a + (C_q v)_q v + 2 C_qt v + C_tt (m).
    ConstraintAcceleration,
    /// s, the outputs.
    Output,
}

/// What a function is differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// q
    Coordinates,
    /// v
    Velocities,
    /// a
    Accelerations,
    /// lambda
    Multipliers,
    /// p
    Parameters,
    /// u
    Inputs,
}

/// One vector or sparse matrix in a group's array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The function.
    pub function: Function,
    /// The argument of the derivative; `None` for the function's value, which is stored densely.
    pub argument: Option<Argument>,
    /// Length of the function's value.
    pub rows: usize,
    /// Length of the argument; 1 for a value.
    pub columns: usize,
    /// Index of the first entry in the group's array.
    pub offset: usize,
    /// (row, column) of every stored entry, by rows; a value has all rows.
    pub entries: &'static [(u32, u32)],
}
