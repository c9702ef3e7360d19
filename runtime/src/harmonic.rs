//! Periodic responses of nonlinear models by harmonic balance: frequency responses, dynamic stiffness, turning points,
//! stability.
//!
//! [`HarmonicBalance`] drives an input by mean + A cos(omega t), or controls an output in this way by an unknown input,
//! as test rigs do. Each amplitude gives a curve over the frequencies, which goes through turning points: between
//! these, one frequency has several motions. A [`Motion`] has its harmonics, ratios such as a dynamic stiffness, their
//! exact derivatives with respect to parameters, and its stability.
//!
//! [`MountTest`] makes a report of a mount from such curves, from measured ones, or from both: levels, loss factors, a
//! test of linearity, errors of the model, limits of validity.
//!
//! ```
//! costate::model! {
//!     /// A machine on a mount that hardens.
//!     pub Mount {
//!         parameters { m: kg = 20, c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40 }
//!         inputs { drive: N }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
//!         initial { x = 0[m], dot(x) = 0[m/s] }
//!         outputs { displacement: m = x }
//!     }
//! }
//!
//! use costate::Simulation;
//! use costate::harmonic::HarmonicBalance;
//!
//! # fn main() -> anyhow::Result<()> {
//! let simulation = Simulation::new(&Mount::default());
//! let balance = HarmonicBalance::new(&simulation)
//!     .controlled(Mount::DISPLACEMENT, Mount::DRIVE, [0.1e-3, 2e-3])
//!     .harmonics(5)
//!     .sensitivities([Mount::C_3]);
//! let response = balance.response(&[5.0, 10.0])?;
//! println!("{response}"); // a table for each amplitude
//! for curve in &response.curves {
//!     let motion = &curve.motions[0];
//!     let stiffness = motion.stiffness(Mount::DRIVE, Mount::DISPLACEMENT)?;
//!     // the cubic spring adds 3/4 c_3 A^2
//!     let omega = 2.0 * std::f64::consts::PI * 5.0;
//!     let expected = 100e3 - 20.0 * omega * omega + 0.75 * 3e9 * curve.amplitude * curve.amplitude;
//!     assert!((stiffness.value.re / expected - 1.0).abs() < 1e-9);
//!     assert!((stiffness.value.im / (40.0 * omega) - 1.0).abs() < 1e-9);
//!     let by_c_3 = motion.stiffness_by(Mount::DRIVE, Mount::DISPLACEMENT, Mount::C_3)?;
//!     assert!((by_c_3.re / (0.75 * curve.amplitude * curve.amplitude) - 1.0).abs() < 1e-9);
//! }
//! # Ok(())
//! # }
//! ```

pub use costate_vibration::harmonic::HarmonicBalance;

// Parts of results and errors: their pages are those of the crate.
#[doc(no_inline)]
pub use costate_vibration::harmonic::{
    Curve, HarmonicError, Motion, PathEnd, Ratio, RatioPrediction, Reached, Response, Signal, Stability, Truncation,
    Verdict,
};
#[doc(no_inline)]
pub use costate_vibration::stiffness::{
    Amplitude, Band, BandDifference, Comparison, Difference, Doubt, LineError, Linearity, MountTest, Origin, Preload,
    ReportedCurve, StiffnessCurve, StiffnessError, StiffnessLine, StiffnessReport, StiffnessUnit,
};
