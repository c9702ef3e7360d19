//! The interface for C: its header, its numbers, and what it does with calls that cannot be.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// Functions of C are called here as C calls them.
#![allow(clippy::undocumented_unsafe_blocks)]

mod calls;
mod derivatives;
mod exact;
mod examples;
mod header;
mod memory;
mod misuse;
mod random;
