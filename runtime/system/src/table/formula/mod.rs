//! Formulas in the place of a curve: which one follows its points best, and its text in the language of models.
//!
//! ```
//! use costate::table::formula::{Formula, formulas};
//!
//! # fn main() -> anyhow::Result<()> {
//! let speeds: Vec<f64> = (-20..=20).map(|k| 0.05 * f64::from(k)).collect();
//! let forces: Vec<f64> = speeds.iter().map(|v| 30.0 * v + 9.0 * (v / 0.1f64).tanh()).collect();
//!
//! let all = formulas(&speeds, &forces, None, &Formula::USUAL)?;
//! assert_eq!(all[0].formula, Formula::SmoothFriction);
//! let text = all[0].text("dot(x)", ["m/s", "N"]);
//! assert!(text.starts_with("1[N]*("), "{text}");
//! # Ok(())
//! # }
//! ```

mod compare;
mod error;
mod fitted;
mod kind;
#[cfg(test)]
mod tests;

pub use compare::formulas;
pub use error::FormulaError;
pub use fitted::{Coefficient, FittedFormula};
pub use kind::Formula;
