//! The words that the compiler of models and the runtime share, so that both mean the same by them.
//!
//! The compiler lays out what a model's functions compute and describes it, the runtime finds its way in it: a
//! [`Description`] has [`Block`]s of [`Function`]s and their derivatives with respect to [`Argument`]s, in [`Group`]s.
//! Both read [`tables`] and [`units`], so that the same file or unit is right or wrong for both. Expressions are the
//! compiler's, number types and lookups the runtime's.
//!
//! [`files`] reads and writes the files of every crate, and [`machine`] counts the memory that is left for data.
//!
//! A file is written by `files::write`, or by `files::NewFile` piece by piece, and read by `files::open`, `files::read`
//! or `files::read_text`. A number in a message is a `shown::Shown`, or `shown::Exact` where it is compared with a near
//! one; text from elsewhere passes `shown::plain`, and bytes are `machine::Bytes`.

mod back_end;
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

pub use back_end::BackEnd;
pub use description::{Description, LookupDescription, Quantity, TableDescription, VERSION};
pub use elimination::{Elimination, Factor};
pub use function::{Argument, Function};
pub use group::{Group, Groups};
pub use layout::Block;
