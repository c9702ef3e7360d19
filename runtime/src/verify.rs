//! Checks of a model and a cost of your own: derivatives that the compiler wrote, and gradients of the adjoint, against dual
//! numbers, which know nothing of either.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { acceleration: m/s^2 = ddot(x) }
//! #     }
//! # }
//! use costate::check_derivatives;
//! use costate::verify::random_points;
//!
//! let report = check_derivatives(&random_points(&Mount::default(), 10, 1), 1e-12);
//! assert!(report.mismatches.is_empty(), "{report}");
//! ```
//!
//! [`check_gradient`] does so for the gradient of a [`cost`](crate::cost) of a run, [`check_table_gradient`] for that with respect
//! to the values of tables. They name the entry that differs. A model
//! for which they find a difference is a mistake of the compiler or of the runtime.

pub use costate_kernel::verify::{check_derivatives, random_points};
pub use costate_system::check_gradient::check_gradient;

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_kernel::verify::{CheckPoint, DerivativeReport, Mismatch};
#[doc(no_inline)]
pub use costate_system::check_gradient::{GradientEntry, GradientReport, check_table_gradient};
