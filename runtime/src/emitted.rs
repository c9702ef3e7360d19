//! Parts of the code that `model!` and `costate compile` emit: the tables of the entries of a model, and the arguments
//! and results of its functions. Programs should not use this module, which changes with every version.

pub use costate_contract::scene::{PartKind, Scene, SceneBody, SceneEnd, ScenePart, ScenePoint, SceneShape, ShapeKind};
pub use costate_contract::{
    Argument, Block, Description, Elimination, Factor, Function, Groups, LookupDescription, TableDescription,
};
#[cfg(feature = "interpreted")]
pub use costate_interpreter::{ArgumentValue, Interpreted, LoadedProgram, ModelText};
pub use costate_kernel::Compiled;
pub use costate_numerics::scalar::{Branching, Numbers, PartLoop, Repetitions, Work};
pub use costate_system::model::SelectedParameters;
pub use costate_system::model::Weights;
pub use costate_system::model::{
    AdjointCarry, AdjointTerms, AdjointUpdate, Configuration, Functions, Point, along_motion, put, take,
};
pub use costate_system::system::{Differentiable, DualEquations, SecondOrder, System};
