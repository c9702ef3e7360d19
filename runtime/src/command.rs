//! Items of lower crates that the command `costate` and the bridge to Python need beside those of the other modules:
//! safe files, shown numbers, units, scenes, and the untyped forms of what programs name by types.

pub use costate_contract::{Argument, Description, Function, Quantity, files, nearest, scene, shown, tables, units};
pub use costate_identify::significant;
#[cfg(feature = "interpreted")]
pub use costate_interpreter::shared_library;
#[cfg(feature = "interpreted")]
pub use costate_interpreter::{
    ArgumentValue, Arguments, Bridge, BuildError, Compiled, Diagnostic, FileError, ModelFile,
};
pub use costate_measure::record::{Format, FormatError, LeftOut};
pub use costate_system::check_gradient::check_gradient_of;
pub use costate_system::gradient::{Columns, GradientMethod, InputChange};
pub use costate_system::independent::{IndependentError, IndependentMotion};
pub use costate_system::model::Group;
pub use costate_system::simulation::RunDescription;
pub use costate_system::state_bytes::StateBytes;
pub use costate_system::system::{Equations, Instant, StateVectors};
pub use costate_system::table::AnyTable;
pub use costate_view::Page;
