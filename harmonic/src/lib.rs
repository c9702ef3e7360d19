//! Periodic responses of nonlinear models by harmonic balance: frequency responses, dynamic stiffness, stability.

mod balance;
mod basis;
mod definition;
mod error;
mod explicit_time;
mod layout;
mod newton;
mod outputs;
mod path;
mod response;
mod solve;
mod stability;
mod truncation;

pub use definition::HarmonicBalance;
pub use error::{HarmonicError, Reached};
pub use response::{Axis, Curve, Motion, Ratio, Response, Signal};
pub use stability::{Stability, Verdict};
pub use truncation::Truncation;
