//! Functions of a model, and the program that they make.

use super::Statement;

/// The functions of a model.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Computes the constants of a run from parameters, weights and tables.
    pub constants: Function,
    /// Computes the numbers of the scene from parameters and tables; `None` for a model without bodies.
    pub geometry: Option<Function>,
    /// The functions of groups and of steps; functions whose results are all structurally zero are left out.
    pub functions: Vec<Function>,
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

/// A function: it reads arrays of numbers and fills others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Function {
    /// The name, that of the method of `costate::Model`.
    pub name: &'static str,
    /// What it computes.
    pub documentation: String,
    /// The names of the variables, none twice in one scope.
    pub variables: Vec<String>,
    /// The local arrays, all zero at first.
    pub locals: Vec<LocalArray>,
    /// Tables of positions, by repetition of a loop.
    pub positions: Vec<Vec<usize>>,
    /// Tables of numbers, by repetition of a loop.
    pub numbers: Vec<Vec<f64>>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A local array of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    /// Its name.
    pub name: String,
    /// Number of entries.
    pub length: usize,
}
