//! Items of lower crates that the command `costate` needs beside those of the other modules: safe files, shown numbers,
//! units, scenes, and the untyped forms of what programs name by types.

pub use costate_contract::{Description, Quantity, files, nearest, scene, shown, tables, units};
pub use costate_identify::significant;
pub use costate_measure::record::{Format, FormatError, LeftOut};
pub use costate_system::check_gradient::check_gradient_of;
pub use costate_system::gradient::GradientMethod;
pub use costate_system::simulation::RunDescription;
pub use costate_system::table::AnyTable;
pub use costate_view::Page;
