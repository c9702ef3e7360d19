//! Models that are loaded while a program runs, and executed without a build.
//!
//! [`load`] makes a [`LoadedModel`] of a file, which the kernel runs as it runs compiled models: [`Interpreted`]
//! implements the functions of a model by tapes. A [`Tape`] is a function of a program in executable form, and a
//! [`Workspace`] has the registers in which it is executed, with any type of numbers. [`Given`] and [`Results`] are the
//! arrays that a function reads and fills.
//!
//! Every module knows only modules before it in this list, except that [`Interpreted`] and [`LoadedProgram`] know each
//! other:
//!
//! - `tape`: functions as instructions over one array of registers; `arrays`, `workspace`, `lookup` and `execute`:
//!   their execution;
//! - `description`: names, patterns and tables of a model, as `model!` writes them when a crate is built;
//! - `program`, `run_constants`, `functions`: the model for the kernel;
//! - `loaded`: files, mistakes, and the models that have been loaded; `model_text`: those of `model!`;
//!   `shared_library`: libraries that cargo compiles a model into.

mod arrays;
mod description;
mod execute;
mod functions;
mod kept;
mod loaded;
mod lookup;
mod machine_code;
mod model_text;
mod program;
mod run_constants;
mod shared_library;
mod tape;
mod workspace;

pub use loaded::{LoadError, LoadedModel, LoadedStepper, Mistake, NoDefault, SavedLoadedStepper, load};

#[doc(hidden)]
pub use arrays::{Given, Results};
#[doc(hidden)]
pub use costate_compiler::{ArgumentValue, Arguments, Compiled, Diagnostic, FileError, ModelFile};
#[doc(hidden)]
pub use execute::ExecutionError;
pub use functions::Interpreted;
#[doc(hidden)]
pub use model_text::ModelText;
#[doc(hidden)]
pub use program::LoadedProgram;
#[doc(hidden)]
pub use run_constants::RunConstants;
#[doc(hidden)]
pub use shared_library::{Bridge, BuildError, shared_library};
pub use tape::TranslationError;
#[doc(hidden)]
pub use tape::{ArrayLengths, Tape};
#[doc(hidden)]
pub use workspace::Workspace;
