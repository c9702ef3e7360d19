//! Sensors of the measured signals.

use costate_measure::record::Wanted;

/// The kinematic quantity of a signal (KE 2.32).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensorKind {
    /// Deformation z of the element.
    Displacement,
    /// Rate of deformation v.
    Velocity,
    /// v', relative to the moving base.
    RelativeAcceleration,
    /// v' - B u, in the inertial frame: the signal of an accelerometer on the structure (KE 3.2, 3.13).
    Acceleration,
}

/// The quantity of the signal in SI units; where angles are measured, it is to be replaced by one in their unit, such
/// as `"rad/s^2"`.
impl From<SensorKind> for Wanted {
    fn from(kind: SensorKind) -> Self {
        match kind {
            SensorKind::Displacement => Self::new("a displacement sensor", "m"),
            SensorKind::Velocity => Self::new("a velocity sensor", "m/s"),
            SensorKind::RelativeAcceleration | SensorKind::Acceleration => Self::new("an accelerometer", "m/s^2"),
        }
    }
}

/// A signal that is measured at one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensor {
    /// Number of the element, from 0.
    pub element: usize,
    /// Kinematic quantity of the signal.
    pub kind: SensorKind,
}

impl Sensor {
    /// Creates a displacement sensor at this element.
    pub fn displacement(element: usize) -> Self {
        Self { element, kind: SensorKind::Displacement }
    }

    /// Creates a velocity sensor at this element.
    pub fn velocity(element: usize) -> Self {
        Self { element, kind: SensorKind::Velocity }
    }

    /// Creates an accelerometer at this element.
    pub fn acceleration(element: usize) -> Self {
        Self { element, kind: SensorKind::Acceleration }
    }

    /// Creates a sensor of the acceleration relative to the moving base, at this element.
    pub fn relative_acceleration(element: usize) -> Self {
        Self { element, kind: SensorKind::RelativeAcceleration }
    }
}
