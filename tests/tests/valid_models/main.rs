//! Rare models that are right: they compile without a warning and run.

mod back_ends;
mod components;
mod conditions;
mod constants_in_scope;
mod dimensions;
mod documentation;
mod from_another_macro;
mod loops;
mod names_near_generated_ones;
mod numbers_and_units;
mod prelude_names;
mod saturation;
mod sizes;
mod small_models;
