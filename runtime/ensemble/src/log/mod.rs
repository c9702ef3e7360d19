//! Logs of outcomes in a folder.
//!
//! Every process appends to a file of its own, which no other one ever opens for writing: the header, and then one line
//! for every task that has ended, each with a checksum. A line that a kill or a full disk has cut short is left out
//! when logs are read, and its task is done again; nothing is ever written after it.

mod folder;
mod header;
mod line;
mod read;
mod writer;

pub(crate) use folder::Folder;
pub(crate) use header::Header;
pub(crate) use read::{Log, read_logs};
pub(crate) use writer::LogWriter;
