//! Periodic responses of nonlinear models by harmonic balance: frequency responses, dynamic stiffness, turning points,
//! stability.
//!
//! ```text
//! M a + C_q^T lambda = f(q, v, p, u),   C = 0,   q, lambda = mean + sum over k <= H of cosines and sines of k omega t
//! ```
//!
//! The unknowns are the Fourier coefficients of all coordinates and multipliers, and of the input where it controls an
//! output. Constraints are equations as the others, so that redundant coordinates and coordinates without mass need
//! nothing special. Forces are evaluated at samples of a period and transformed (alternating frequency and time); the
//! Jacobian is exact, from the first derivatives of the model. [`HarmonicBalance`] is the builder, [`Response`] the
//! result.
//!
//! Every file knows only files before it in this list:
//!
//! - `basis`: Fourier series and samples; `layout`: where the terms of the equations are in the arrays of a model;
//! - `balance`: residual; `jacobian`: its derivatives, and their factors; `newton`: motions; `path`: turning points and
//!   wanted frequencies;
//! - `outputs`, `truncation`, `stability`: what is computed of a motion that was found;
//! - `error`, `response`, `definition`, `explicit_time`, `solve`, `prediction`, `builder`: what users give and get, and
//!   the way between.
//!
//! Methods: M. Krack, J. Gross, Harmonic Balance for Nonlinear Vibration Problems, Springer 2019; G. von Groll, D. J.
//! Ewins, The harmonic balance method with arc-length continuation in rotor/stator contact problems, Journal of Sound
//! and Vibration 241 (2001).

mod balance;
mod basis;
mod builder;
mod definition;
mod error;
mod explicit_time;
mod jacobian;
mod layout;
mod newton;
mod outputs;
mod path;
mod prediction;
mod response;
mod solve;
mod stability;
mod truncation;

pub use builder::HarmonicBalance;
pub use error::{HarmonicError, PathEnd, Reached};
pub use prediction::RatioPrediction;
pub use response::{Curve, Motion, Ratio, Response, Signal};
pub use stability::{Stability, Verdict};
pub use truncation::Truncation;
