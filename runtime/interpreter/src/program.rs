//! The program of a model in executable form, with everything else that runs need of the model.

use std::sync::OnceLock;

use costate_compiler::Compiled;
use costate_compiler::program::Function;
use costate_contract::Description;
use costate_kernel::Compiled as KernelModel;
use costate_system::model::Lengths;
use costate_system::table::Tables;

use crate::description::{description, tables};
use crate::functions::Interpreted;
use crate::tape::{ArrayLengths, Tape, TranslationError};

/// The functions of a model, by their place in [`LoadedProgram`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Constants,
    Geometry,
    Initial,
    InitialDerivatives,
    Residual,
    Newton,
    NewtonCorrection,
    ChordCorrection,
    Solve,
    SolveTransposed,
    Adjoint,
    AdjointCoefficients,
    AdjointRecurrence,
    AdjointHistory,
    AdjointStep,
    Linearization,
    Kinematics,
    KinematicsDerivatives,
    Outputs,
    OutputDerivatives,
    InputDerivatives,
    Lookups,
    InitialLookups,
}

impl Name {
    /// All functions, in the order of their places.
    pub const ALL: [(Name, &'static str); 23] = [
        (Name::Constants, "constants"),
        (Name::Geometry, "geometry"),
        (Name::Initial, "initial"),
        (Name::InitialDerivatives, "initial_derivatives"),
        (Name::Residual, "residual"),
        (Name::Newton, "newton"),
        (Name::NewtonCorrection, "newton_correction"),
        (Name::ChordCorrection, "chord_correction"),
        (Name::Solve, "solve"),
        (Name::SolveTransposed, "solve_transposed"),
        (Name::Adjoint, "adjoint"),
        (Name::AdjointCoefficients, "adjoint_coefficients"),
        (Name::AdjointRecurrence, "adjoint_recurrence"),
        (Name::AdjointHistory, "adjoint_history"),
        (Name::AdjointStep, "adjoint_step"),
        (Name::Linearization, "linearization"),
        (Name::Kinematics, "kinematics"),
        (Name::KinematicsDerivatives, "kinematics_derivatives"),
        (Name::Outputs, "outputs"),
        (Name::OutputDerivatives, "output_derivatives"),
        (Name::InputDerivatives, "input_derivatives"),
        (Name::Lookups, "lookups"),
        (Name::InitialLookups, "initial_lookups"),
    ];
}

/// A model that has been loaded: its functions as tapes, its description, and the data of its own tables.
#[derive(Debug)]
pub struct LoadedProgram {
    pub(crate) description: &'static Description,
    pub(crate) lengths: Lengths,
    /// Number of constants of a run.
    pub(crate) constants: usize,
    /// Number of numbers of the scene.
    pub(crate) geometry: usize,
    pub(crate) tables: Tables,
    tapes: [Option<Tape>; Name::ALL.len()],
    system: OnceLock<KernelModel<Interpreted>>,
}

impl LoadedProgram {
    /// Translates the program of a model.
    ///
    /// # Errors
    /// [`TranslationError`], which is a mistake of the compiler.
    pub(crate) fn new(compiled: &Compiled, digest: &str) -> Result<Self, TranslationError> {
        let program = &compiled.program;
        let arrays = ArrayLengths::new(compiled, program);
        let description = description(compiled, digest);
        let mut tapes = [const { None }; Name::ALL.len()];
        for (tape, (name, text)) in tapes.iter_mut().zip(Name::ALL) {
            let function: Option<&Function> = match name {
                Name::Constants => Some(&program.constants),
                Name::Geometry => program.geometry.as_ref(),
                _ => program.function(text),
            };
            if let Some(function) = function {
                *tape = Some(Tape::new(program, function, &arrays.of_function(compiled, text))?);
            }
        }
        let length = |name: &str| arrays.of_function(compiled, name).out;
        let lengths = Lengths {
            coordinates: arrays.coordinates,
            multipliers: arrays.constraints,
            unknowns: arrays.coordinates + arrays.constraints,
            parameters: arrays.parameters,
            inputs: arrays.inputs,
            outputs: arrays.outputs,
            initial: length("initial"),
            initial_derivatives: length("initial_derivatives"),
            residual: length("residual"),
            newton: length("newton"),
            adjoint: length("adjoint"),
            factors: arrays.factors,
            adjoint_coefficients: arrays.adjoint_coefficients,
            linearization: length("linearization"),
            kinematics: length("kinematics"),
            kinematics_derivatives: length("kinematics_derivatives"),
            output_derivatives: length("output_derivatives"),
            input_derivatives: length("input_derivatives"),
        };
        Ok(Self {
            description,
            lengths,
            constants: arrays.constants,
            geometry: length("geometry"),
            tables: tables(compiled, description),
            tapes,
            system: OnceLock::new(),
        })
    }

    /// Returns a function; `None` where all its results are structurally zero.
    #[inline(always)]
    pub(crate) fn tape(&self, name: Name) -> Option<&Tape> {
        self.tapes[name as usize].as_ref()
    }

    /// Returns the model as a value that can be run and differentiated.
    pub(crate) fn system(&'static self) -> &'static KernelModel<Interpreted> {
        self.system.get_or_init(|| KernelModel::of(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_stand_at_their_places() {
        for (place, (name, _)) in Name::ALL.into_iter().enumerate() {
            assert_eq!(name as usize, place);
        }
    }
}
