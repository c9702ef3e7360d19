//! The classical ways to a restoring force, which KE argues against: yardsticks for what a filter finds.
//!
//! - [`SurfaceMethod`], the restoring force surface method of Masri and Caughey (KE 1.22): what is left of the equation
//!   of motion when everything else in it is measured or integrated.
//! - [`free_vibration`] and [`forced_vibration`], Feldman's FREEVIB and FORCEVIB (KE 1.16 to 1.21): the Hilbert
//!   transform gives amplitude and frequency at every instant, and these stiffness and damping.
//!
//! Both need deformation, rate and acceleration at every sample. A [`Motion`] has all three: measured, or two of them
//! integrated or differentiated from the third, which is what spoils them. Noise enters the force by the acceleration
//! with the full mass, and displacements that are differentiated twice have it with the square of the frequency; the
//! integral of an acceleration says nothing of what is slower than its lowest frequency, such as a mean deformation.

mod analytic;
mod motion;
mod spectral;
mod surface_method;
mod vibration;

pub use analytic::{AnalyticSignal, analytic_signal};
pub use motion::{Band, Motion};
pub use surface_method::{SurfaceMethod, SurfacePoints};
pub use vibration::{Vibration, VibrationSettings, forced_vibration, free_vibration};
