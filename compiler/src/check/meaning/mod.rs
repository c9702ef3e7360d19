//! What can't be meant: divisions by zero, roots of negative numbers, masses that are never positive.

mod interval;
mod masses;
mod ranges;
mod smoothness;

#[cfg(test)]
mod tests;

pub use interval::Interval;
pub use masses::check;
pub use ranges::Ranges;
pub use smoothness::{Kink, kinks, summary};
