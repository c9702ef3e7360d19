//! The compiler as a library: text in; models, messages or code out.

mod checks;
mod files;
mod loops;
mod messages;
mod robustness;
mod tables;
mod variants;
