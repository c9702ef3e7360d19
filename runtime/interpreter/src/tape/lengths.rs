//! Lengths of the arrays that functions read and write.

use costate_compiler::Compiled;
use costate_compiler::program::{Array, Program};
use costate_compiler::symbolic::Integrator;

/// Number of entries of every array of a function, and the arguments of every table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrayLengths {
    /// Number n of coordinates.
    pub coordinates: usize,
    /// Number m of constraints.
    pub constraints: usize,
    /// Number of inputs.
    pub inputs: usize,
    /// Number of parameters.
    pub parameters: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Number of constants of a run.
    pub constants: usize,
    /// Number of factors of the Newton matrix that change during a run.
    pub factors: usize,
    /// Number of coefficients of the recurrence of the adjoint.
    pub adjoint_coefficients: usize,
    /// Number of results of the function, if it is that of a group, or numbers of the scene.
    pub out: usize,
    /// Number of arguments of every table, 1 or 2.
    pub tables: Vec<usize>,
}

impl ArrayLengths {
    /// Returns the number of entries of an array; 0 for a local array.
    pub fn of(&self, array: Array) -> usize {
        match array {
            Array::Time => 1,
            Array::Coordinates
            | Array::Velocities
            | Array::Accelerations
            | Array::History
            | Array::Carried
            | Array::UpdateCoordinates
            | Array::UpdateVelocities => self.coordinates,
            Array::Multipliers => self.constraints,
            Array::Inputs => self.inputs,
            Array::Parameters | Array::Gradient => self.parameters,
            Array::Weights => Integrator::ALL.len(),
            Array::Constants => self.constants,
            Array::Factors => self.factors,
            Array::AdjointCoefficients => self.adjoint_coefficients,
            Array::OutputGradient => self.outputs,
            Array::CarryRight | Array::Correction | Array::Unknowns | Array::UpdateUnknowns => {
                self.coordinates + self.constraints
            }
            Array::Out => self.out,
            Array::Local(_) => 0,
        }
    }
}

/// Lengths of the arrays of a compiled model.
impl ArrayLengths {
    /// Returns the lengths of the arrays of all functions of a model; those of `out` differ.
    pub fn new(compiled: &Compiled, program: &Program) -> Self {
        let model = &compiled.model;
        Self {
            coordinates: model.coordinates.len(),
            constraints: model.constraints.len(),
            inputs: model.inputs.len(),
            parameters: model.parameters.len(),
            outputs: model.outputs.len(),
            constants: program.run_constants.len(),
            factors: program.factors,
            adjoint_coefficients: program.adjoint_coefficients,
            out: 0,
            tables: model.tables.iter().map(|table| table.arguments.len()).collect(),
        }
    }

    /// Returns the lengths of the arrays of one function.
    #[must_use]
    pub fn of_function(&self, compiled: &Compiled, name: &str) -> Self {
        let group = compiled.groups.all.iter().find(|group| group.kind.name() == name);
        let out = match group {
            Some(group) => group.length(),
            None if name == "geometry" => compiled.model.geometry.len(),
            None => 0,
        };
        Self { out, ..self.clone() }
    }
}
