//! Methods of publications that everyday work does not need, for comparison with others: classical identification of
//! restoring forces (KE 1.4.2), the continuous adjoint (OB 3.3.4), and the times at which the best inputs of linear
//! models switch (OB 5).
//!
//! The methods of everyday use are in `costate-filter`, `costate-kernel` and `costate-experiment`, which do not know
//! this crate.

pub mod classical;
pub mod continuous_adjoint;
pub mod switching;
