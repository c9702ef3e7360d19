//! Files that are read and written, and what of them is refused.

#[cfg(feature = "write")]
mod checked;
mod mutated;
mod read;
#[cfg(feature = "write")]
mod write;
