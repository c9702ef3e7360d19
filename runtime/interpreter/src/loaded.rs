//! Models that are loaded from files or text while a program runs.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use costate_compiler::{Arguments, Compiled, FileError, ModelFile};
use costate_contract::{BackEnd, Description};
use costate_kernel::state_space::{FilterProcess, ImplicitModel};
use costate_kernel::stepper::{SavedStepperOf, StepperOf};
use costate_system::model::{Input, Model, Output, Parameter, UnknownName};
use costate_system::problem::{Problem, SimulationError};
use costate_system::simulation::Simulation;
use costate_system::state_space::FilterError;
use costate_system::system::{Differentiable, DualEquations, SecondOrder};
use sha2::{Digest, Sha256};

use crate::functions::Interpreted;
use crate::program::LoadedProgram;
use crate::tape::TranslationError;

/// A model that cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A model with mistakes.
    #[error("{}", at_lines(path, mistakes))]
    Model {
        /// The file.
        path: PathBuf,
        /// All mistakes.
        mistakes: Vec<Mistake>,
    },
    /// A file that cannot be read, or has no such model.
    #[error("{message}")]
    File {
        /// The mistake, and after a semicolon what to write instead.
        message: String,
    },
    /// A mistake of the compiler.
    #[error(
        "the program of `{model}` cannot be executed, which is a mistake of costate: {source}; please report it with \
             this model"
    )]
    Program {
        /// Name of the model.
        model: String,
        /// The part that cannot be executed.
        source: TranslationError,
    },
}

/// A parameter that has no default.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parameter `{parameter}` of `{model}` has no default; write one in the model, as in `{parameter} = 1`, or \
         give the values of \
     all parameters to `Simulation::of`"
)]
pub struct NoDefault {
    /// Name of the model.
    pub model: &'static str,
    /// Name of the parameter.
    pub parameter: &'static str,
}

/// A mistake in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in the line, from 1.
    pub column: usize,
    /// The mistake, and after a semicolon what to write instead.
    pub message: String,
}

impl From<FileError> for LoadError {
    fn from(error: FileError) -> Self {
        match error {
            // the places of a compiler are those of its own thread
            FileError::Model { path, errors } => {
                let mistakes = errors.into_iter().map(|error| {
                    let (line, column) = error.position();
                    Mistake { line, column, message: error.message }
                });
                Self::Model { path, mistakes: mistakes.collect() }
            }
            other => Self::File { message: with_source(&other) },
        }
    }
}

fn with_source(error: &FileError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

fn at_lines(path: &Path, mistakes: &[Mistake]) -> String {
    let line = |Mistake { line, column, message }: &Mistake| format!("{}:{line}:{column}: {message}", path.display());
    mistakes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A model that was loaded while the program runs, and is executed without a build.
///
/// [`simulation`](Self::simulation) creates a simulation of the model, and
/// `Identification::of(model.system(), &simulation)` an identification; both take the names that
/// [`parameter`](Self::parameter), [`input`](Self::input) and [`output`](Self::output) return.
#[derive(Clone, Copy)]
pub struct LoadedModel {
    program: &'static LoadedProgram,
    defaults: &'static [Option<f64>],
    /// The functions that were compiled from the same text, if the program has them.
    compiled: Option<&'static CompiledFunctions>,
}

/// The values of a compiled model.
struct CompiledFunctions {
    differentiable: fn() -> &'static dyn Differentiable,
    dual_equations: fn() -> &'static dyn DualEquations,
}

/// A stepper of a loaded model, from [`LoadedModel::stepper`].
pub type LoadedStepper = StepperOf<Interpreted>;

/// The saved state of a [`LoadedStepper`].
pub type SavedLoadedStepper = SavedStepperOf<Interpreted>;

/// The models that have been loaded, by their digests.
static LOADED: Mutex<Option<HashMap<&'static str, LoadedModel>>> = Mutex::new(None);

/// Digests everything that a program depends on: the text of the file, which of its models is meant, its arguments, and
/// the contents of the files that the model names.
pub(crate) fn digest(file: &ModelFile, compiled: &Compiled, back_end: BackEnd) -> String {
    let model = &compiled.model;
    let mut parts = vec![file.text().to_owned(), model.name.to_string(), format!("{back_end:?}")];
    parts.extend(model.arguments.iter().map(|argument| format!("{} = {:?}", argument.name, argument.value)));
    parts.extend(model.tables.iter().map(|table| format!("{:?} {:?}", table.values, table.without_units)));
    let mut digest = Sha256::new();
    let shapes = model.scene.bodies.iter().flat_map(|body| body.shapes.iter()).map(|shape| &*shape.data);
    for part in parts.iter().map(String::as_bytes).chain(shapes) {
        // lengths keep the parts apart
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Loads the only model of a file; [`LoadedModel::of_file`] chooses one of several.
///
/// # Errors
/// [`LoadError`].
pub fn load(path: impl AsRef<Path>) -> Result<LoadedModel, LoadError> {
    let file = ModelFile::read(path.as_ref())?;
    LoadedModel::of_file(&file, None, &Arguments::new())
}

impl LoadedModel {
    /// Loads a model of a file that was read: the one with this name, with these values of its structural arguments.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn of_file(file: &ModelFile, name: Option<&str>, arguments: &Arguments) -> Result<Self, LoadError> {
        Self::of_compiled(file, &file.compile(name, arguments)?)
    }

    /// Loads a model that was compiled from a file. What is loaded stays until the program ends; the same text is
    /// loaded once, and what it has in common with others is kept once.
    ///
    /// # Errors
    /// [`LoadError::Program`].
    pub fn of_compiled(file: &ModelFile, compiled: &Compiled) -> Result<Self, LoadError> {
        Self::executed(file, compiled, BackEnd::Loaded)
    }

    pub(crate) fn executed(file: &ModelFile, compiled: &Compiled, back_end: BackEnd) -> Result<Self, LoadError> {
        let digest = digest(file, compiled, back_end);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = loaded.get_or_insert_default();
        if let Some(model) = loaded.get(&*digest) {
            return Ok(*model);
        }
        let digest: &'static str = digest.leak();
        let program = LoadedProgram::new(compiled, digest, back_end);
        let program =
            program.map_err(|source| LoadError::Program { model: compiled.model.name.to_string(), source })?;
        let model = Self {
            program: Box::leak(Box::new(program)),
            defaults: Box::leak(compiled.model.defaults.as_slice().into()),
            compiled: None,
        };
        loaded.insert(digest, model);
        Ok(model)
    }

    /// Returns the model with the functions of a type that was compiled from the same text: runs, their derivatives,
    /// and [`dual_equations`](Self::dual_equations).
    #[doc(hidden)]
    #[must_use]
    pub fn with_functions_of<M: Model>(self) -> Self {
        let compiled =
            const { &CompiledFunctions { differentiable: M::differentiable, dual_equations: M::dual_equations } };
        Self { compiled: Some(compiled), ..self }
    }

    /// Returns the functions of the model.
    #[doc(hidden)]
    pub fn program(self) -> &'static LoadedProgram {
        self.program
    }

    /// Returns the name of the model.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// Returns names, units and sizes.
    pub fn description(self) -> &'static Description {
        self.system().description()
    }

    /// Returns the model as a value that can be run and differentiated.
    pub fn system(self) -> &'static dyn Differentiable {
        self.compiled.map_or_else(|| self.program.system() as _, |compiled| (compiled.differentiable)())
    }

    /// Returns the model as a value with second derivatives.
    pub fn second_order(self) -> &'static dyn SecondOrder {
        self.program.system()
    }

    /// Returns the functions of the model at points in dual numbers.
    pub fn dual_equations(self) -> &'static dyn DualEquations {
        self.compiled.map_or_else(|| self.program.system() as _, |compiled| (compiled.dual_equations)())
    }

    /// Returns the default of every parameter, `None` for a parameter without one.
    pub fn defaults(self) -> &'static [Option<f64>] {
        self.defaults
    }

    /// Creates a simulation with the defaults of the parameters.
    ///
    /// # Errors
    /// [`NoDefault`] for a parameter without one: [`Simulation::of`] takes the values of all parameters.
    pub fn simulation(self) -> Result<Simulation, NoDefault> {
        let named = self.description().parameters.iter().zip(self.defaults);
        let values = named
            .map(|(parameter, default)| default.ok_or(NoDefault { model: self.name(), parameter: parameter.name }));
        Ok(Simulation::of(self.system(), values.collect::<Result<Vec<f64>, _>>()?))
    }

    /// Returns the parameter that is declared with this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn parameter(self, name: &str) -> Result<Parameter, UnknownName> {
        self.system().parameter(name)
    }

    /// Returns the input that is declared with this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn input(self, name: &str) -> Result<Input, UnknownName> {
        self.system().input(name)
    }

    /// Returns the output that is declared with this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn output(self, name: &str) -> Result<Output, UnknownName> {
        self.system().output(name)
    }

    /// Creates the process of a filter whose steps are those of `problem`, with the values of all parameters, in the
    /// order of their declaration, which follows some of them from these standard deviations by measured outputs.
    ///
    /// # Errors
    /// [`FilterError::Model`] for a problem of another model, another number of parameters, and a model without an
    /// initial state; [`FilterError::Unsuitable`] where the equations do not determine accelerations.
    pub fn process(
        self,
        problem: &Problem,
        parameters: &[f64],
        (followed, outputs): (&[(Parameter, f64)], &[Output]),
    ) -> Result<FilterProcess, FilterError> {
        let checked = costate_kernel::run::check_model::<Interpreted>(self.program, problem);
        checked.and_then(|()| problem.check_count(parameters.len())).map_err(FilterError::of_model)?;
        ImplicitModel::<Interpreted>::of(self.program, problem, parameters.to_vec()).following(followed, outputs)
    }

    /// Creates a stepper at the initial state of `problem`, whose end does not count, with the values of all
    /// parameters, in the order of their declaration.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`] for a problem of another model, that of another number of parameters,
    /// [`SimulationError::Settings`] for adaptive steps, and [`SimulationError::InitialState`].
    pub fn stepper(self, problem: &Problem, parameters: &[f64]) -> Result<LoadedStepper, SimulationError> {
        problem.check_count(parameters.len())?;
        problem.check_start(parameters)?;
        LoadedStepper::new(self.program, problem, parameters.to_vec())
    }
}

impl fmt::Debug for LoadedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadedModel({})", self.name())
    }
}
