//! The words that the compiler of models and the runtime share, so that both mean the same by them.
//!
//! The compiler lays out what a model's functions compute and describes it, the runtime finds its way in it: a
//! [`Description`] has [`Block`]s of [`Function`]s and their derivatives with respect to [`Argument`]s, in [`Group`]s.
//! Both read [`tables`] and [`units`], so that the same file or unit is right or wrong for both. Expressions are the
//! compiler's, number types and lookups the runtime's.
//!
//! [`files`] reads and writes the files of every crate, and [`machine`] counts the memory that is left for data.

mod description;
mod elimination;
pub mod files;
mod function;
mod group;
mod layout;
pub mod machine;
pub mod nearest;
pub mod scene;
pub mod shown;
pub mod stl;
pub mod tables;
pub mod units;

pub use description::{Description, LookupDescription, Quantity, TableDescription, VERSION};
pub use elimination::{Elimination, Factor};
pub use function::{Argument, Function};
pub use group::Group;
pub use layout::{Block, Groups};
