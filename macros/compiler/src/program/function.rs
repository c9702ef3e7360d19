//! Functions of a model, and the program that they make.

use super::{Expression, Statement};

/// The functions of a model.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The constants of a run, in the order of [`Array::Constants`](super::Array::Constants).
    pub run_constants: Vec<Constant>,
    /// The name of every table of the model, next to the constants.
    pub tables: Vec<String>,
    /// Computes the constants of a run from parameters, weights and tables.
    pub constants: Function,
    /// Computes the numbers of the scene from parameters and tables; `None` for a model without bodies.
    pub geometry: Option<Function>,
    /// The functions of groups and of steps; functions whose results are all structurally zero are left out.
    pub functions: Vec<Function>,
    /// The functions `kinematics` and `kinematics_derivatives` in fewer statements, for back ends whose functions take
    /// numbers with rates; `None` where those in `functions` are short.
    pub along_motion: Option<AlongMotion>,
    /// The weights w_a, w_q and w_v with which `adjoint` adds the results of `linearization`, for back ends whose
    /// runtime adds them; `None` where `adjoint` is written out.
    pub adjoint_weights: Option<[Expression; 3]>,
    /// Number of factors of the Newton matrix that change during a run.
    pub factors: usize,
    /// Number of coefficients of `adjoint_recurrence`; 0 where the adjoint step is in one piece.
    pub adjoint_coefficients: usize,
}

impl Program {
    /// Returns the function with this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

/// The constraints on velocities and accelerations, as derivatives of the constraints with respect to time.
#[derive(Debug, Clone)]
pub struct AlongMotion {
    /// Computes the constraints, and their derivatives with respect to coordinates and parameters, of time, coordinates
    /// and constants of the run.
    pub constraints: Function,
    /// Number of its results.
    pub length: usize,
    /// The functions of both groups. They read two local arrays that are filled before: the rates of these results and
    /// their accelerations, in a motion that has the velocities and accelerations of the point.
    pub levels: Vec<Function>,
}

/// A quantity that does not change during a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The name; that of the parameter for a parameter.
    pub name: String,
    /// The meaning: a formula, or the function that needs the quantity.
    pub documentation: String,
}

/// A function: it reads arrays of numbers and fills others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Function {
    /// The name, that of the method of `costate::Model`.
    pub name: &'static str,
    /// The description of the results.
    pub documentation: String,
    /// The names of the variables, none twice in one scope.
    pub variables: Vec<String>,
    /// The local arrays. Every entry is stored before it is read.
    pub locals: Vec<LocalArray>,
    /// The name of every table of the model, for back ends that hold tables in variables; empty where tables are beside
    /// the constants.
    pub tables: Vec<String>,
    /// Tables of positions, by repetition of a loop. Several loops may use a table, some of them only the first of its
    /// positions.
    pub positions: Vec<Vec<usize>>,
    /// Tables of numbers, by repetition of a loop.
    pub numbers: Vec<Vec<f64>>,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A local array of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    /// The name, not that of a variable.
    pub name: String,
    /// Number of entries.
    pub length: usize,
}
