//! The likelihood of the innovations of a Kalman filter over a whole record (KE 1.4.1, 1.6):
//!
//! ```text
//! -2 log L = sum_i (e_i^T S_i^-1 e_i + log det S_i + m_i log 2 pi),   e_i = y_i - h(x_i-),   S_i = H P_i- H^T + R
//! ```
//!
//! `innovations` reads them off any [`KalmanFilter`](crate::KalmanFilter). `recursion` is the extended filter in any
//! numbers, in covariances instead of factors: roots of singular covariances have no derivatives, so that exact
//! derivatives of the likelihood, in [`Dual`](costate_numerics::scalar::Dual) numbers, need this form.

mod innovations;
mod recursion;

pub use innovations::{Innovations, innovations};
pub use recursion::{InnovationsIn, LinearizedProcess, deviance};
