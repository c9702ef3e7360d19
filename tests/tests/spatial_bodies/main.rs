//! Spatial bodies with Euler parameters: closed forms, the same motion by energies, reactions, what is conserved.

#![allow(missing_docs, reason = "the names of the models' parts say it")]

mod closed_forms;
mod free_body;
mod models;
mod top;
