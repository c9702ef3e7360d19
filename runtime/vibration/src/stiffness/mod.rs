//! Reports of the dynamic stiffness of mounts, with the quantities of ISO 10846: levels, loss factors, linearity,
//! limits of validity.
//!
//! ```text
//! k(f) = F/x,   level = 10 lg(|k|^2 / (1 N/m)^2) dB,   loss factor = Im k / Re k,
//! one-third octave band: mean of |k|^2 over its lines
//! ```
//!
//! F is the complex amplitude of the force below the blocked mount, x that of the displacement above it.
//! [`StiffnessCurve`] has the lines of one amplitude, measured or computed; [`MountTest`] collects curves, and makes a
//! [`StiffnessReport`] of them.
//!
//! Every file knows only files before it in this list:
//!
//! - `error`; `unit`: units of stiffness and amplitude; `curve`: lines of one amplitude; `computed`: curves of models;
//! - `band`, `linearity`, `comparison`: what follows from one curve, from two amplitudes, and from measured and
//!   computed curves;
//! - `report`: the report as data, with its limits, text, pictures and page; `test`: what users give.
//!
//! Nothing here evaluates a model: periodic responses stand in [`harmonic`](crate::harmonic), linear ones in the
//! crate's root.

mod band;
mod comparison;
mod computed;
mod curve;
mod error;
mod linearity;
mod report;
mod test;
mod unit;

pub use band::Band;
pub use comparison::{Comparison, LineError};
pub use curve::{Doubt, StiffnessCurve, StiffnessLine};
pub use error::StiffnessError;
pub use linearity::{BandDifference, Difference, Linearity};
pub use report::{Preload, ReportedCurve, StiffnessReport};
pub use test::MountTest;
pub use unit::{Amplitude, Origin, StiffnessUnit};
