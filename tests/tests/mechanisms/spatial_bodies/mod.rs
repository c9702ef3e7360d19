//! Spatial bodies with Euler parameters: closed forms, the same motion by energies, reactions, what is conserved.

mod closed_forms;
mod free_body;
mod models;
mod top;
