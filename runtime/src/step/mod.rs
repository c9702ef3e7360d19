//! One step in time: the scheme and its numbers.
//!
//! It knows models alone; who loops over steps, stores them or goes back through them stands above.

mod scheme;

pub use scheme::Scheme;
