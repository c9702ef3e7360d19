//! Curves: lines of one amplitude.

use serde::{Deserialize, Serialize};

use crate::stiffness::error::StiffnessError;
use crate::stiffness::unit::{Amplitude, StiffnessUnit};

/// Dynamic stiffness over frequency at one amplitude, measured or computed.
///
/// ```
/// use costate_vibration::stiffness::StiffnessCurve;
///
/// # fn main() -> Result<(), costate_vibration::stiffness::StiffnessError> {
/// // 200 N/mm and a damper of 100 N*s/m
/// let curve = StiffnessCurve::new(&[5.0, 10.0], &[200.0, 200.0], &[3.14, 6.28], "N/mm")?.at_amplitude(0.5, "mm")?;
/// assert!((curve.lines[0].level() - 106.02).abs() < 0.01);
/// assert!((curve.lines[1].loss_factor().unwrap() - 0.0314).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StiffnessCurve {
    /// Amplitude of the excitation; `None` for a curve that holds for all amplitudes, as that of a linear model, or
    /// whose amplitude is unknown.
    pub amplitude: Option<Amplitude>,
    /// Unit of all lines.
    pub unit: StiffnessUnit,
    /// The lines, over increasing frequencies.
    pub lines: Vec<StiffnessLine>,
    /// Frequencies in Hz at which a computed curve turns back, so that a sweep jumps there.
    pub turning_points: Vec<f64>,
    /// Number of harmonics of a harmonic balance; `None` for other curves.
    pub harmonics: Option<usize>,
    /// Name of what the curve comes from, such as a file; may be empty.
    pub source: String,
}

/// The dynamic stiffness at one frequency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StiffnessLine {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Real part, in the unit of the curve.
    pub real: f64,
    /// Imaginary part, in the unit of the curve; positive where the mount takes energy.
    pub imaginary: f64,
    /// Doubt about a computed motion.
    pub doubt: Option<Doubt>,
    /// Estimated error of the motion by the harmonics beyond the last one, relative to the largest harmonic; `None` for
    /// other curves.
    pub truncation: Option<f64>,
}

/// Doubt whether a rig shows a computed motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// The motion is unstable, and there is no stable one on the path.
    Unstable,
    /// The stability of the motion could not be judged.
    StabilityUnknown,
    /// The frequency has several motions, of which the line has the first stable one: sweeps up and down differ, and
    /// jump.
    Several,
}

impl Doubt {
    /// Returns the doubt in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Unstable => "unstable",
            Self::StabilityUnknown => "stability is not known",
            Self::Several => "several motions",
        }
    }
}

impl StiffnessLine {
    pub(crate) fn new(frequency: f64, [real, imaginary]: [f64; 2]) -> Self {
        Self { frequency, real, imaginary, doubt: None, truncation: None }
    }

    /// Returns the magnitude |k|, in the unit of the curve.
    pub fn magnitude(&self) -> f64 {
        self.real.hypot(self.imaginary)
    }

    /// Returns the level 20 lg |k| in dB, relative to 1 in the unit of the curve.
    pub fn level(&self) -> f64 {
        20.0 * self.magnitude().log10()
    }

    /// Returns the loss factor Im k / Re k; `None` where the real part is below a tenth of the magnitude or negative:
    /// inertia in the mount then balances its spring, and the quotient says nothing about losses.
    pub fn loss_factor(&self) -> Option<f64> {
        /// Part of the magnitude below which the real part is too small for a loss factor to mean anything: the loss
        /// angle is beyond 84 degrees.
        const MIN_REAL_PART: f64 = 0.1;
        (self.real >= MIN_REAL_PART * self.magnitude()).then(|| self.imaginary / self.real)
    }

    /// Returns the loss angle in degrees, the phase of k between -180 and 180.
    pub fn loss_angle(&self) -> f64 {
        self.imaginary.atan2(self.real).to_degrees()
    }
}

impl StiffnessCurve {
    /// Creates a curve of real and imaginary parts in this unit, such as `N/mm`, over increasing frequencies in Hz.
    ///
    /// # Errors
    /// [`StiffnessError::Unit`], [`StiffnessError::Count`], [`StiffnessError::NoLine`], [`StiffnessError::Frequency`],
    /// [`StiffnessError::Order`], [`StiffnessError::NotFinite`], [`StiffnessError::Zero`].
    pub fn new(frequencies: &[f64], real: &[f64], imaginary: &[f64], unit: &str) -> Result<Self, StiffnessError> {
        let needed = frequencies.len();
        for (column, what) in [(real, "real parts"), (imaginary, "imaginary parts")] {
            if column.len() != needed {
                return Err(StiffnessError::Count { what, given: column.len(), needed });
            }
        }
        let (unit, factor) = StiffnessUnit::of(unit)?;
        let parts = real.iter().zip(imaginary);
        let lines = frequencies
            .iter()
            .zip(parts)
            .map(|(&frequency, (real, imaginary))| StiffnessLine::new(frequency, [factor * real, factor * imaginary]));
        Self::of_lines(unit, lines.collect())
    }

    /// Creates a curve of checked lines.
    pub(crate) fn of_lines(unit: StiffnessUnit, lines: Vec<StiffnessLine>) -> Result<Self, StiffnessError> {
        let (turning_points, source) = (Vec::new(), String::new());
        Self { amplitude: None, unit, lines, turning_points, harmonics: None, source }.checked()
    }

    /// Checks lines and amplitude, which users may have changed.
    pub(crate) fn checked(mut self) -> Result<Self, StiffnessError> {
        if self.lines.is_empty() {
            return Err(StiffnessError::NoLine);
        }
        let mut before: Option<f64> = None;
        for (index, line) in self.lines.iter().enumerate() {
            let frequency = line.frequency;
            if !(frequency > 0.0 && frequency.is_finite()) {
                return Err(StiffnessError::Frequency { index, value: frequency });
            }
            if let Some(before) = before.filter(|before| *before >= frequency) {
                return Err(StiffnessError::Order { value: frequency, before });
            }
            before = Some(frequency);
            // squares of magnitudes are averaged
            let square = line.magnitude().powi(2);
            if !square.is_finite() {
                return Err(StiffnessError::NotFinite { frequency });
            }
            if square == 0.0 {
                return Err(StiffnessError::Zero { frequency });
            }
        }
        let amplitude = self.amplitude.map(|own| Amplitude::of(own.value, &own.unit)).transpose()?;
        self.amplitude = amplitude;
        Ok(self)
    }

    /// Sets the amplitude of the excitation, half of the width from peak to peak, in this unit, such as `mm`.
    ///
    /// # Errors
    /// [`StiffnessError::Amplitude`], [`StiffnessError::AmplitudeUnit`].
    pub fn at_amplitude(mut self, value: f64, unit: &str) -> Result<Self, StiffnessError> {
        self.amplitude = Some(Amplitude::of(value, unit)?);
        Ok(self)
    }

    /// Names what the curve comes from, such as a file.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// The amplitude in words.
    pub(crate) fn amplitude_text(&self) -> String {
        self.amplitude.as_ref().map_or_else(|| "any amplitude".to_owned(), Amplitude::to_string)
    }

    /// The lowest and the highest frequency in Hz.
    pub(crate) fn range(&self) -> (f64, f64) {
        let end = |line: Option<&StiffnessLine>| line.map_or(f64::NAN, |line| line.frequency);
        (end(self.lines.first()), end(self.lines.last()))
    }
}
