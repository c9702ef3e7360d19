//! Tests of programs: their data for small models, and their values for all functions of larger ones.

mod evaluator;
mod shape;
mod values;
