//! Rules for the step along a search direction: one file per rule, each saying what it is, when to use it, where it is
//! from and what can be set.

mod cubic;
mod descent;
mod foresight;
mod golden_section;
mod interpolation;
mod quadratic;
mod rule;
mod search;
mod section;
mod strong_wolfe;
#[cfg(test)]
mod tests;

pub use rule::StepSize;

pub(super) use search::search;
