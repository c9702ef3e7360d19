//! Files: written whole or not at all, and read only after a look at what they are.
//!
//! Every crate that reads or writes files does it by these functions; what stands in the files is none of their concern. The
//! feature `write` has the half that writes.

#[cfg(feature = "write")]
mod leftovers;
mod read;
#[cfg(feature = "write")]
mod target;
#[cfg(feature = "write")]
mod write;

pub use read::{FileKind, ReadError, open, read, read_text};
#[cfg(feature = "write")]
pub use write::{NewFile, write};
