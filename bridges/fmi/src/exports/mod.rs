//! The functions of FMI 3.0 with the signatures of `fmi3FunctionTypes.h`.
//!
//! # Safety
//! Every function here is called as the standard says: arrays have the given lengths, texts end with a zero, and
//! nothing that is handed over changes during a call. Null pointers, numbers of instances and states that are not in
//! use, and calls in a wrong order are errors.

#![allow(clippy::missing_safety_doc, reason = "one rule for all functions, see the page of the module")]
#![allow(clippy::too_many_arguments, reason = "signatures of the standard")]

mod absent;
mod continuous;
mod derivatives;
mod instances;
mod modes;
mod states;
mod steps;
mod values;

pub use absent::*;
pub use continuous::*;
pub use derivatives::*;
pub use instances::*;
pub use modes::*;
pub use states::*;
pub use steps::*;
pub use values::*;
