//! Files: written whole or not at all, and read only after a look at what they are.
//!
//! Every crate that reads or writes files does it by these functions; what is in the files is not their
//! concern. The feature `write` has the half that writes.

mod known;
#[cfg(feature = "write")]
mod leftovers;
#[cfg(feature = "write")]
mod part;
mod read;
mod resolved;
mod source;
#[cfg(feature = "write")]
mod target;
#[cfg(feature = "write")]
mod write;

pub use known::{are_same, remember_reads, was_read};
#[cfg(feature = "write")]
pub use part::abandon;
pub use read::{FileKind, ReadError, open, read, read_text};
pub use resolved::resolved;
pub use source::FileSource;
#[cfg(feature = "write")]
pub use write::{NewFile, check, check_folder, write};
