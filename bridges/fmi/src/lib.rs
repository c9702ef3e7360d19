//! FMI 3.0 for models that are loaded from text: the library inside the FMUs that `costate fmu` writes.
//!
//! One library serves all models. An FMU has a copy of it, the text of its model as a resource, and settings
//! (`packed`); `functions` are those of the text, or those that were compiled into the library. `exports` has the
//! functions of the standard; `call` is the boundary that no panic crosses; `handles` finds instances by numbers, so
//! that a pointer which is not in use is an error. An `instance` has values in a `mode`. Model Exchange evaluates the
//! equations of motion in independent coordinates at a `point`, with exact `derivatives`; Co-Simulation makes `steps`
//! by a [`Stepper`](costate::Stepper), `adaptive` ones if asked to. States are `saved` in memory or as bytes.
//!
//! `step_derivatives` has symbols beside the standard: the exact adjoint and tangent of a step. Unsafe code is in it,
//! in `exports`, `pointers` and `logger` alone.

#[allow(non_snake_case, reason = "names of the standard")]
pub mod exports;

pub mod step_derivatives;

mod adaptive;
mod call;
mod derivatives;
mod functions;
mod handles;
mod instance;
mod logger;
mod mode;
mod packed;
mod point;
mod pointers;
mod refusal;
mod saved;
mod steps;
mod variables;

pub use refusal::Status;

/// A text by which `costate fmu` knows the library and its version.
#[unsafe(no_mangle)]
pub static COSTATE_FMI: &str = concat!("costate-fmi ", env!("CARGO_PKG_VERSION"), "\n");
