//! Execution of programs without a build.
//!
//! [`Tape`] is a function of a program in executable form, and [`Workspace`] the registers in which it is executed, with any type of
//! numbers. [`Given`] and [`Results`] are the arrays that a function reads and fills.

mod arrays;
mod description;
mod execute;
mod functions;
mod loaded;
mod lookup;
mod program;
mod run_constants;
mod tape;
mod workspace;

pub use arrays::{Given, Results};
pub use description::{description, tables};
pub use execute::ExecutionError;
pub use functions::Interpreted;
pub use loaded::{LoadError, LoadedModel, Mistake, NoDefault, load};
pub use program::LoadedProgram;
pub use run_constants::RunConstants;
pub use tape::{ArrayLengths, Tape, TranslationError};
pub use workspace::Workspace;
