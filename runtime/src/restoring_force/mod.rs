//! Nonparametric identification of restoring forces (KE): from one measured signal per degree of freedom to the curves
//! and surfaces of the forces between bodies, without an assumption about their form.

mod error;
mod model;
mod sensor;

pub use error::RestoringForceError;
pub use model::{RestoringForceModel, TransitionMatrix};
pub use sensor::{Sensor, SensorKind};
