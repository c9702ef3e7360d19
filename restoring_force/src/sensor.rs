//! Where the measured signals come from.

use crate::record::Wanted;

/// The kinematic quantity of a signal (KE 2.32).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensorKind {
    /// Deformation z of the element.
    Displacement,
    /// Rate of deformation v.
    Velocity,
    /// v', relative to the moving base.
    RelativeAcceleration,
    /// v' - B u, in the inertial frame: what an accelerometer on the structure measures (KE 3.2, 3.13).
    Acceleration,
}

/// The signal in SI units; where angles are measured, give their units instead: `"rad/s^2"`.
impl From<SensorKind> for Wanted {
    fn from(kind: SensorKind) -> Self {
        match kind {
            SensorKind::Displacement => Self::new("a displacement sensor", "m"),
            SensorKind::Velocity => Self::new("a velocity sensor", "m/s"),
            SensorKind::RelativeAcceleration | SensorKind::Acceleration => {
                Self::new("an accelerometer", "m/s^2")
            }
        }
    }
}

/// A signal that is measured at one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensor {
    /// Number of the element, from 0.
    pub element: usize,
    /// What is measured.
    pub kind: SensorKind,
}

impl Sensor {
    /// A displacement sensor at this element.
    pub fn displacement(element: usize) -> Self {
        Self { element, kind: SensorKind::Displacement }
    }

    /// A velocity sensor.
    pub fn velocity(element: usize) -> Self {
        Self { element, kind: SensorKind::Velocity }
    }

    /// An accelerometer.
    pub fn acceleration(element: usize) -> Self {
        Self { element, kind: SensorKind::Acceleration }
    }

    /// A sensor of the acceleration relative to the moving base.
    pub fn relative_acceleration(element: usize) -> Self {
        Self { element, kind: SensorKind::RelativeAcceleration }
    }
}
