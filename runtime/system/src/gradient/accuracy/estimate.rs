//! The estimated error of a quantity, and the scale that it is relative to.

use std::fmt;

use crate::model::Quantity;

/// The estimated error of one quantity over a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ErrorEstimate {
    /// The quantity: a coordinate or an output.
    pub quantity: Quantity,
    /// The largest magnitude of the error, in the quantity's unit.
    pub error: f64,
    /// Time of the largest error, in s.
    pub time: f64,
    /// Largest minus least value of the quantity in the run.
    pub range: f64,
    /// The scale of the error, in the quantity's unit. For a coordinate: its range, or, where it hardly moves, the
    /// range along which a thousandth of the run's largest work would be done. For an output: its range or largest
    /// magnitude, or a full turn of an angle that comes back to where it was. The range that an output would have if
    /// all its terms added up counts as well: in full where the output moves only because of the error, as a constant
    /// energy does, and by a tenth where the output is no linear function of velocities, as a decaying energy.
    pub scale: f64,
    /// The kind of quantity that the scale is.
    pub kind: ScaleKind,
}

/// The kind of quantity that an error is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScaleKind {
    /// The range of the quantity.
    Range,
    /// The largest magnitude of the quantity.
    Magnitude,
    /// A full turn of an angle.
    Turn,
    /// The range that the terms of an output would have if they added up, or a part of it.
    Terms,
    /// The least motion of a coordinate that counts, along which a thousandth of the largest work would be done.
    Least,
}

impl ErrorEstimate {
    /// Returns the error relative to its scale.
    pub fn relative(&self) -> f64 {
        if self.error == 0.0 { 0.0 } else { self.error / self.scale }
    }
}

impl fmt::Display for ErrorEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity: Quantity { name, unit, .. }, error, time, range, scale, kind } = self;
        let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
        if error.is_nan() {
            return write!(f, "{name}: no error is known");
        }
        let percent = 100.0 * self.relative();
        write!(f, "{name}: {error:.1e}{unit} at {time:.4} s ({percent:.2} % of {kind}, {scale:.3e}{unit})")?;
        if *kind == ScaleKind::Range { Ok(()) } else { write!(f, ", range {range:.3e}{unit}") }
    }
}

impl fmt::Display for ScaleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Range => "its range",
            Self::Magnitude => "its size",
            Self::Turn => "a full turn",
            Self::Terms => "the size of its terms",
            Self::Least => "the least motion that counts",
        })
    }
}
