//! Receptance, mobility, accelerance and their inverses.

use std::f64::consts::TAU;
use std::fmt;

use costate_contract::units::conversion;

use super::{FrequencyResponse, ResponseError};

/// Units of displacements, velocities and accelerations, and of their forces.
const MOTIONS: [([&str; 3], &str); 2] = [(["m", "m/s", "m/s^2"], "N"), (["rad", "rad/s", "rad/s^2"], "N*m")];

/// The quantities of a mechanical frequency response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseKind {
    /// Displacement per force.
    Receptance,
    /// Velocity per force.
    Mobility,
    /// Acceleration per force.
    Accelerance,
    /// Force per displacement.
    DynamicStiffness,
    /// Force per velocity.
    Impedance,
    /// Force per acceleration.
    ApparentMass,
}

impl ResponseKind {
    /// The number of derivatives of the displacement, and whether the force is the numerator.
    fn parts(self) -> (usize, bool) {
        match self {
            Self::Receptance => (0, false),
            Self::Mobility => (1, false),
            Self::Accelerance => (2, false),
            Self::DynamicStiffness => (0, true),
            Self::Impedance => (1, true),
            Self::ApparentMass => (2, true),
        }
    }

    fn of(parts: (usize, bool)) -> Self {
        match parts {
            (0, false) => Self::Receptance,
            (1, false) => Self::Mobility,
            (_, false) => Self::Accelerance,
            (0, true) => Self::DynamicStiffness,
            (1, true) => Self::Impedance,
            (_, true) => Self::ApparentMass,
        }
    }
}

impl fmt::Display for ResponseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Receptance => "receptance",
            Self::Mobility => "mobility",
            Self::Accelerance => "accelerance",
            Self::DynamicStiffness => "dynamic stiffness",
            Self::Impedance => "impedance",
            Self::ApparentMass => "apparent mass",
        })
    }
}

/// A quantity in units of the SI: translation or rotation, for a motion the number of derivatives, and the factor to
/// these units.
struct Quantity {
    set: usize,
    derivatives: Option<usize>,
    factor: f64,
}

fn quantity(unit: &str) -> Option<Quantity> {
    let factor = |wanted: &str| conversion(unit, wanted).ok().map(|scale| scale.apply(1.0));
    for (set, (motions, force)) in MOTIONS.iter().enumerate() {
        if let Some(factor) = factor(force) {
            return Some(Quantity { set, derivatives: None, factor });
        }
        for (derivatives, motion) in motions.iter().enumerate() {
            if let Some(factor) = factor(motion) {
                return Some(Quantity { set, derivatives: Some(derivatives), factor });
            }
        }
    }
    None
}

impl FrequencyResponse {
    /// Returns the quantities that the units say.
    ///
    /// # Errors
    /// [`ResponseError::Units`] for units that are not those of a motion and a force.
    pub fn kind(&self) -> Result<ResponseKind, ResponseError> {
        Ok(ResponseKind::of(self.quantities()?.2))
    }

    /// Converts to other quantities, in units of the SI: between displacement, velocity and acceleration by
    /// `s = 2 pi i f`, and between a response and its reciprocal, with the variances. With an added decay, `s` has it
    /// as real part.
    ///
    /// The reciprocal of one response is a stiffness or an impedance with all other forces at 0, and not an entry of
    /// the inverse of a matrix of responses.
    ///
    /// ```
    /// # use costate_measure::record::{FrequencyResponse, ResponseKind};
    /// // a mass of 2 kg: 0.5 m/s^2 per N
    /// let measured = FrequencyResponse::new("mass", vec![10.0], vec![500.0], vec![0.0])?.in_units("mm/s^2", "N");
    /// let stiffness = measured.converted(ResponseKind::DynamicStiffness)?;
    /// assert!((stiffness.real[0] / (-2.0 * (20.0 * std::f64::consts::PI).powi(2)) - 1.0).abs() < 1e-12);
    /// # Ok::<(), costate_measure::record::ResponseError>(())
    /// ```
    ///
    /// # Errors
    /// [`ResponseError::Units`]; [`ResponseError::ZeroFrequency`] for integrals at 0 Hz; [`ResponseError::Range`] for
    /// reciprocals of 0.
    pub fn converted(&self, wanted: ResponseKind) -> Result<Self, ResponseError> {
        let (numerator, denominator, (derivatives, is_inverse)) = self.quantities()?;
        let (wanted_derivatives, wants_inverse) = wanted.parts();
        let scale = numerator.factor / denominator.factor;
        let mut made = self.clone();
        for (index, &frequency) in self.frequencies.iter().enumerate() {
            let at = |values: &[f64]| values.get(index).copied().unwrap_or(f64::NAN);
            let s = [self.added_decay, TAU * frequency];
            if s == [0.0, 0.0] && derivatives > wanted_derivatives {
                return Err(ResponseError::ZeroFrequency { response: self.name.clone(), wanted });
            }
            let mut value = [scale * at(&self.real), scale * at(&self.imaginary)];
            let size = squared(value).sqrt();
            let mut variance = self.variances.as_ref().map_or(0.0, |all| at(all) * scale * scale);
            if is_inverse {
                variance = variance / squared(value) / squared(value);
                value = reciprocal(value);
            }
            let by = if wanted_derivatives > derivatives { s } else { reciprocal(s) };
            let steps = wanted_derivatives.abs_diff(derivatives);
            for _ in 0..steps {
                value = product(value, by);
            }
            if steps > 0 {
                variance *= squared(by).powi(steps as i32);
            }
            if wants_inverse {
                variance = variance / squared(value) / squared(value);
                value = reciprocal(value);
            }
            if !value.iter().chain([&variance]).all(|number| number.is_finite()) {
                let response = self.name.clone();
                return Err(ResponseError::Range { response, wanted, frequency, size });
            }
            let columns = [
                (Some(&mut made.real), value[0]),
                (Some(&mut made.imaginary), value[1]),
                (made.variances.as_mut(), variance),
            ];
            for (column, number) in columns {
                if let Some(place) = column.and_then(|column| column.get_mut(index)) {
                    *place = number;
                }
            }
        }
        let motion = if is_inverse { denominator.set } else { numerator.set };
        let force = if is_inverse { numerator.set } else { denominator.set };
        let unit_of = |set: usize| MOTIONS.get(set).copied().unwrap_or(MOTIONS[0]);
        let motion = unit_of(motion).0.get(wanted_derivatives).map(|unit| (*unit).to_owned());
        let force = Some(unit_of(force).1.to_owned());
        (made.unit, made.reference_unit) = if wants_inverse { (force, motion) } else { (motion, force) };
        if wants_inverse != is_inverse {
            std::mem::swap(&mut made.response, &mut made.reference);
        }
        if wanted.parts() != (derivatives, is_inverse) {
            made.name = format!("{wanted} of {}", self.name);
        }
        Ok(made)
    }

    /// Numerator, denominator, and the parts of the kind.
    fn quantities(&self) -> Result<(Quantity, Quantity, (usize, bool)), ResponseError> {
        let both = self.unit.as_deref().and_then(quantity).zip(self.reference_unit.as_deref().and_then(quantity));
        if let Some((numerator, denominator)) = both {
            let parts = match (numerator.derivatives, denominator.derivatives) {
                (Some(derivatives), None) => Some((derivatives, false)),
                (None, Some(derivatives)) => Some((derivatives, true)),
                _ => None,
            };
            if let Some(parts) = parts {
                return Ok((numerator, denominator, parts));
            }
        }
        Err(ResponseError::Units {
            response: self.name.clone(),
            unit: self.unit.clone(),
            reference_unit: self.reference_unit.clone(),
        })
    }
}

fn squared([re, im]: [f64; 2]) -> f64 {
    re * re + im * im
}

fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn reciprocal(value: [f64; 2]) -> [f64; 2] {
    let size = squared(value);
    [value[0] / size, -value[1] / size]
}
