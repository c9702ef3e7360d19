//! Checks of models and gradients: derivatives emitted by the compiler, and gradients by the adjoint, are compared with
//! dual numbers, which are independent of both.
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
//! [`check_gradient`] checks the gradient of a [`cost`](crate::cost) of a run, [`check_table_gradient`] the gradient
//! with respect to the values of tables. Both name the entry that differs. A difference is an error of the compiler or
//! of the runtime.

pub use costate_kernel::verify::{check_derivatives, random_points};
pub use costate_system::check_gradient::check_gradient;

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_kernel::verify::{CheckPoint, DerivativeReport, Mismatch};
#[doc(no_inline)]
pub use costate_system::check_gradient::{GradientEntry, GradientReport, check_table_gradient};
