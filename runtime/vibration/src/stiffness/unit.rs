//! Units of stiffness and amplitude, and where a curve comes from.

use std::fmt;

use costate_contract::shown::Shown;
use costate_contract::units::conversion;
use serde::{Deserialize, Serialize};

use crate::stiffness::error::StiffnessError;

/// The unit in which a report has a stiffness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StiffnessUnit {
    /// A force over a displacement; text and pictures have N/mm.
    #[serde(rename = "N/m")]
    NewtonPerMetre,
    /// A torque over an angle.
    #[serde(rename = "N*m/rad")]
    NewtonMetrePerRadian,
}

impl StiffnessUnit {
    /// Returns the unit as text: `N/m` or `N*m/rad`. Levels are relative to 1 in this unit.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewtonPerMetre => "N/m",
            Self::NewtonMetrePerRadian => "N*m/rad",
        }
    }

    /// Finds the unit that a unit is converted to, with the factor.
    pub(crate) fn of(unit: &str) -> Result<(Self, f64), StiffnessError> {
        for kind in [Self::NewtonPerMetre, Self::NewtonMetrePerRadian] {
            if let Ok(scale) = conversion(unit, kind.name()) {
                return Ok((kind, scale.apply(1.0)));
            }
        }
        Err(StiffnessError::Unit { unit: unit.to_owned() })
    }

    /// The unit of pictures and tables, with the factor from that of the data.
    pub(crate) fn shown(self) -> (&'static str, f64) {
        match self {
            Self::NewtonPerMetre => ("N/mm", 1e-3),
            Self::NewtonMetrePerRadian => ("N·m/rad", 1.0),
        }
    }

    /// The reference of levels, in print.
    pub(crate) fn reference(self) -> &'static str {
        match self {
            Self::NewtonPerMetre => "dB re 1 N/m",
            Self::NewtonMetrePerRadian => "dB re 1 N·m/rad",
        }
    }
}

/// The amplitude of an excitation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Amplitude {
    /// The amplitude, half of the width from peak to peak.
    pub value: f64,
    /// The unit: m, rad, N or N*m.
    pub unit: String,
}

/// Units of amplitudes, with those that text and pictures have and the factors to them.
const UNITS: [(&str, &str, f64); 4] =
    [("m", "mm", 1e3), ("rad", "deg", 57.295_779_513_082_32), ("N", "N", 1.0), ("N*m", "N·m", 1.0)];

/// Checks whether two frequencies or amplitudes are the same, up to the rounding of units and files.
pub(crate) fn is_same(a: f64, b: f64) -> bool {
    /// Relative difference up to which two numbers are the same amplitude or frequency.
    const SAME_NUMBER_ROUNDING: f64 = 1e-6;
    (a - b).abs() <= SAME_NUMBER_ROUNDING * a.abs().max(b.abs())
}

impl Amplitude {
    /// Converts an amplitude; a plain number is no angle.
    pub(crate) fn of(value: f64, unit: &str) -> Result<Self, StiffnessError> {
        let known = |wanted: &&(&str, &str, f64)| unit.trim() != "1" && conversion(unit, wanted.0).is_ok();
        let Some((wanted, ..)) = UNITS.iter().find(known) else {
            return Err(StiffnessError::AmplitudeUnit { unit: unit.to_owned() });
        };
        let factor = conversion(unit, wanted).map_or(1.0, |scale| scale.apply(1.0));
        match value > 0.0 && (factor * value).is_finite() {
            true => Ok(Self { value: factor * value, unit: (*wanted).to_owned() }),
            false => Err(StiffnessError::Amplitude { value }),
        }
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.unit == other.unit && is_same(self.value, other.value)
    }
}

impl fmt::Display for Amplitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, factor) = UNITS
            .iter()
            .find(|known| known.0 == self.unit)
            .map_or((self.unit.as_str(), 1.0), |(_, unit, factor)| (unit, *factor));
        write!(f, "{} {unit}", Shown(self.value * factor))
    }
}

/// The origin of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Origin {
    /// A measurement.
    #[serde(rename = "measured")]
    Measured,
    /// A model.
    #[serde(rename = "model")]
    Model,
}

impl Origin {
    /// Returns the origin as text: `measured` or `model`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Model => "model",
        }
    }
}
