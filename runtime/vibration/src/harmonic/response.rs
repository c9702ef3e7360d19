//! Responses: curves of periodic motions, with their signals, ratios and derivatives.

use std::f64::consts::PI;
use std::fmt;
use std::sync::Arc;

use costate_contract::shown::Shown;
use costate_contract::units::conversion;
use costate_contract::{Description, Quantity};
use costate_system::identifiers::{Coordinate, Input, Output, Parameter};
use nalgebra::Complex;

use crate::harmonic::basis::value;
use crate::harmonic::error::{HarmonicError, PathEnd, Reached};
use crate::harmonic::outputs::Derivative;
use crate::harmonic::stability::{Stability, Verdict};
use crate::harmonic::truncation::Truncation;

/// An output, input or coordinate of which a response has the course.
#[derive(Debug, Clone, Copy)]
pub struct Signal(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    Output(Output),
    Input(Input),
    Coordinate(Coordinate),
}

impl<M> From<Output<M>> for Signal {
    fn from(output: Output<M>) -> Self {
        Self(Kind::Output(output.erased()))
    }
}

impl<M> From<Input<M>> for Signal {
    fn from(input: Input<M>) -> Self {
        Self(Kind::Input(input.erased()))
    }
}

impl<M> From<Coordinate<M>> for Signal {
    fn from(coordinate: Coordinate<M>) -> Self {
        Self(Kind::Coordinate(coordinate.erased()))
    }
}

impl Signal {
    fn quantity(self) -> &'static Quantity {
        match self.0 {
            Kind::Output(output) => output.quantity(),
            Kind::Input(input) => input.quantity(),
            Kind::Coordinate(coordinate) => coordinate.quantity(),
        }
    }

    pub(crate) fn check_model(self, model: &'static Description) -> Result<(), HarmonicError> {
        let checked = match self.0 {
            Kind::Output(output) => output.check_model(model),
            Kind::Input(input) => input.check_model(model),
            Kind::Coordinate(coordinate) => coordinate.check_model(model),
        };
        Ok(checked?)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.quantity().name
    }

    /// Returns the unit.
    pub fn unit(self) -> &'static str {
        self.quantity().unit
    }
}

/// The properties that all motions of a response share.
pub(crate) struct Common {
    pub description: &'static Description,
    pub harmonics: usize,
    pub drive: Input,
    pub controlled: Option<Output>,
    pub inputs: Vec<f64>,
    pub parameters: Vec<Parameter>,
}

impl fmt::Debug for Common {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} harmonics", self.description.name, self.harmonics)
    }
}

/// Periodic responses: one curve for each amplitude.
#[derive(Debug, Clone)]
pub struct Response {
    /// The curves, in the order in which amplitudes were given.
    pub curves: Vec<Curve>,
    pub(crate) common: Arc<Common>,
}

/// Periodic motions along a path over the frequency.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Curve {
    /// The amplitude of the excitation, which all motions share.
    pub amplitude: f64,
    /// The motions with wanted frequencies, in the order of the path. Several of one frequency differ in
    /// [`turns`](Motion::turns) or [`branch`](Motion::branch).
    pub motions: Vec<Motion>,
    /// The frequencies in Hz at which the path turns back, by a cubic between neighbouring motions.
    pub turning_points: Vec<f64>,
    /// Estimated errors of the turning points in Hz.
    pub turning_point_errors: Vec<f64>,
    /// The end of the path from the lowest frequency, with the excitation there.
    pub end: (PathEnd, Reached),
}

/// One periodic motion.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Motion {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Amplitude of the excitation, in the unit of the input, or of the controlled output.
    pub amplitude: f64,
    /// Number of turning points of the path before this motion.
    pub turns: usize,
    /// 0 for the path from the lowest frequency, 1 for that back from the highest frequency.
    pub branch: usize,
    /// Stability; `None` if it is not judged.
    pub stability: Option<Stability>,
    /// Estimate of what the harmonics beyond the last one would change.
    pub truncation: Truncation,
    /// Newton iterations.
    pub iterations: usize,
    pub(crate) unknowns: Vec<f64>,
    pub(crate) outputs: Vec<f64>,
    pub(crate) derivatives: Vec<Derivative>,
    pub(crate) common: Arc<Common>,
}

/// The ratio of the first harmonics of two signals.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratio {
    /// Numerator over denominator, both as complex amplitudes X of x(t) = Re(X exp(i omega t)).
    pub value: Complex<f64>,
    /// Unit.
    pub unit: String,
}

impl Ratio {
    /// Returns the phase in rad, which is the loss angle of a dynamic stiffness.
    pub fn phase(&self) -> f64 {
        self.value.arg()
    }

    /// Returns the size.
    pub fn magnitude(&self) -> f64 {
        self.value.norm()
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at {} deg", Shown(self.magnitude()), self.unit, Shown(self.phase().to_degrees()))
    }
}

impl Motion {
    fn reached(&self) -> Reached {
        Reached { frequency: self.frequency, amplitude: self.amplitude }
    }

    fn width(&self) -> usize {
        2 * self.common.harmonics + 1
    }

    /// The coefficients of a signal: mean, then cosine and sine of every harmonic.
    fn series(&self, signal: Signal) -> Result<Vec<f64>, HarmonicError> {
        let Common { description, drive, controlled, inputs, .. } = &*self.common;
        let part = |all: &[f64], k: usize| {
            let own = all.get(k * self.width()..(k + 1) * self.width());
            own.unwrap_or_default().to_vec()
        };
        match signal.0 {
            Kind::Output(output) => {
                output.check_model(description)?;
                Ok(part(&self.outputs, output.index()))
            }
            Kind::Coordinate(coordinate) => {
                coordinate.check_model(description)?;
                Ok(part(&self.unknowns, coordinate.index()))
            }
            Kind::Input(input) => {
                input.check_model(description)?;
                let drive_column = description.coordinates.len() + description.constraints.len();
                if input == *drive && controlled.is_some() {
                    return Ok(part(&self.unknowns, drive_column));
                }
                let mut series = vec![0.0; self.width()];
                let amplitude = if input == *drive { self.amplitude } else { 0.0 };
                let constants = [inputs.get(input.index()).copied().unwrap_or(0.0), amplitude];
                series.iter_mut().zip(constants).for_each(|(own, value)| *own = value);
                Ok(series)
            }
        }
    }

    /// The derivatives of a signal's coefficients with respect to a parameter.
    fn series_by(&self, signal: Signal, parameter: Parameter) -> Result<Vec<f64>, HarmonicError> {
        let Common { description, drive, controlled, parameters, .. } = &*self.common;
        parameter.check_model(description)?;
        let known = parameters.iter().position(|own| *own == parameter);
        let derivative = known.and_then(|place| self.derivatives.get(place));
        let Some(derivative) = derivative else {
            let what = format!("derivatives with respect to `{}`", parameter.name());
            return Err(HarmonicError::Missing { what, remedy: "name the parameter in `.sensitivities([..])`" });
        };
        if let Kind::Input(input) = signal.0
            && (input != *drive || controlled.is_none())
        {
            input.check_model(description)?;
            return Ok(vec![0.0; self.width()]);
        }
        let (unknowns, outputs) = (derivative.unknowns.clone(), derivative.outputs.clone());
        Self { unknowns, outputs, ..self.clone() }.series(signal)
    }

    /// Returns the complex amplitude X_k of a harmonic, x(t) = X_0 + sum of Re(X_k exp(i k omega t)), in the signal's
    /// unit; 0 is the mean.
    ///
    /// # Errors
    /// [`HarmonicError::OtherModel`]; [`HarmonicError::Missing`] beyond the last harmonic.
    pub fn harmonic(&self, signal: impl Into<Signal>, harmonic: usize) -> Result<Complex<f64>, HarmonicError> {
        complex(&self.series(signal.into())?, harmonic)
    }

    /// Returns the derivative of [`harmonic`](Self::harmonic) with respect to a parameter.
    ///
    /// # Errors
    /// Those of [`harmonic`](Self::harmonic); [`HarmonicError::Missing`] for a parameter that is not among the
    /// sensitivities.
    pub fn harmonic_by<M>(
        &self,
        signal: impl Into<Signal>,
        harmonic: usize,
        parameter: Parameter<M>,
    ) -> Result<Complex<f64>, HarmonicError> {
        complex(&self.series_by(signal.into(), parameter.erased())?, harmonic)
    }

    /// Returns `count` equidistant values of one period, the first at omega t = 0; harmonics beyond the last one are
    /// missing.
    ///
    /// # Errors
    /// [`HarmonicError::OtherModel`].
    pub fn course(&self, signal: impl Into<Signal>, count: usize) -> Result<Vec<f64>, HarmonicError> {
        let series = self.series(signal.into())?;
        Ok((0..count).map(|j| value(&series, 2.0 * PI * j as f64 / count as f64)).collect())
    }

    /// Returns the ratio of the first harmonics of two signals, such as a transmissibility.
    ///
    /// # Errors
    /// [`HarmonicError::OtherModel`]; [`HarmonicError::NoMotion`] for a denominator without first harmonic.
    pub fn ratio(&self, numerator: impl Into<Signal>, denominator: impl Into<Signal>) -> Result<Ratio, HarmonicError> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        let (over, under) = (self.harmonic(numerator, 1)?, self.harmonic(denominator, 1)?);
        let mean = self.harmonic(denominator, 0)?.norm();
        // rounding errors of the mean
        if under.norm() <= 1e-14 * mean || under.norm() == 0.0 {
            return Err(HarmonicError::NoMotion { denominator: denominator.name(), at: self.reached() });
        }
        Ok(Ratio { value: over / under, unit: quotient(numerator.unit(), denominator.unit()) })
    }

    /// Returns the derivative of [`ratio`](Self::ratio) with respect to a parameter, in the unit of the ratio per unit
    /// of the parameter.
    ///
    /// # Errors
    /// Those of [`ratio`](Self::ratio) and [`harmonic_by`](Self::harmonic_by).
    pub fn ratio_by<M>(
        &self,
        numerator: impl Into<Signal>,
        denominator: impl Into<Signal>,
        parameter: Parameter<M>,
    ) -> Result<Complex<f64>, HarmonicError> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        let ratio = self.ratio(numerator, denominator)?.value;
        let (over, under) = (self.harmonic_by(numerator, 1, parameter)?, self.harmonic_by(denominator, 1, parameter)?);
        Ok((over - ratio * under) / self.harmonic(denominator, 1)?)
    }

    /// Returns the dynamic stiffness, the ratio of a force to a displacement in N/m, or of a torque to an angle in
    /// N*m/rad.
    ///
    /// # Errors
    /// [`HarmonicError::NotStiffness`] for other units; those of [`ratio`](Self::ratio).
    pub fn stiffness(&self, force: impl Into<Signal>, displacement: impl Into<Signal>) -> Result<Ratio, HarmonicError> {
        let (force, displacement) = (force.into(), displacement.into());
        let ratio = self.ratio(force, displacement)?;
        let (factor, unit) = stiffness_unit(force, displacement, &ratio.unit)?;
        Ok(Ratio { value: ratio.value * factor, unit })
    }

    /// Returns the derivative of [`stiffness`](Self::stiffness) with respect to a parameter.
    ///
    /// # Errors
    /// Those of [`stiffness`](Self::stiffness) and [`harmonic_by`](Self::harmonic_by).
    pub fn stiffness_by<M>(
        &self,
        force: impl Into<Signal>,
        displacement: impl Into<Signal>,
        parameter: Parameter<M>,
    ) -> Result<Complex<f64>, HarmonicError> {
        let (force, displacement) = (force.into(), displacement.into());
        let (factor, _) = stiffness_unit(force, displacement, &quotient(force.unit(), displacement.unit()))?;
        Ok(self.ratio_by(force, displacement, parameter)? * factor)
    }

    /// Returns the signal whose amplitude is given: the controlled output, or the input that drives.
    #[doc(hidden)]
    pub fn excited(&self) -> Signal {
        let Common { drive, controlled, .. } = &*self.common;
        controlled.map_or_else(|| Signal::from(*drive), Signal::from)
    }

    /// Returns the number of harmonics of the balance.
    #[doc(hidden)]
    pub fn harmonics(&self) -> usize {
        self.common.harmonics
    }

    /// Returns true unless a perturbation grows, or stability was not judged or did not settle.
    pub fn is_stable(&self) -> bool {
        let verdict = self.stability.as_ref().map(|stability| stability.verdict);
        matches!(verdict, Some(Verdict::Stable | Verdict::Limit))
    }
}

fn complex(series: &[f64], harmonic: usize) -> Result<Complex<f64>, HarmonicError> {
    let at = |k: usize| series.get(k).copied();
    let found = match harmonic {
        0 => at(0).map(|mean| Complex::new(mean, 0.0)),
        k => at(2 * k - 1).zip(at(2 * k)).map(|(cosine, sine)| Complex::new(cosine, -sine)),
    };
    let missing = || HarmonicError::Missing { what: format!("harmonic {harmonic}"), remedy: "raise `.harmonics(..)`" };
    found.ok_or_else(missing)
}

/// The unit of a ratio, as text.
pub(crate) fn quotient(numerator: &str, denominator: &str) -> String {
    let grouped = |unit: &str| match unit.contains(['*', '/', ' ']) {
        true => format!("({unit})"),
        false => unit.to_owned(),
    };
    match (numerator, denominator) {
        _ if numerator == denominator => "1".to_owned(),
        (numerator, "1") => numerator.to_owned(),
        _ if numerator.contains('/') => format!("({numerator})/{}", grouped(denominator)),
        _ => format!("{numerator}/{}", grouped(denominator)),
    }
}

/// The factor to N/m or N*m/rad, with this unit.
pub(crate) fn stiffness_unit(force: Signal, displacement: Signal, unit: &str) -> Result<(f64, String), HarmonicError> {
    for wanted in ["N/m", "N*m/rad"] {
        let [over, under] = if wanted == "N/m" { ["N", "m"] } else { ["N*m", "rad"] };
        let factors = (conversion(force.unit(), over), conversion(displacement.unit(), under));
        // an angle has a unit of its own: a torque over a pure number may be anything
        if let (Ok(over), Ok(under)) = factors
            && displacement.unit() != "1"
        {
            return Ok((over.apply(1.0) / under.apply(1.0), wanted.to_owned()));
        }
    }
    let (numerator, denominator) = (force.name(), displacement.name());
    Err(HarmonicError::NotStiffness { numerator, denominator, unit: unit.to_owned() })
}

impl Curve {
    /// Returns a value of every motion.
    ///
    /// # Errors
    /// That of the first motion without this value.
    pub fn each<T>(&self, value: impl FnMut(&Motion) -> Result<T, HarmonicError>) -> Result<Vec<T>, HarmonicError> {
        self.motions.iter().map(value).collect()
    }
}

/// Writes the first harmonics of all outputs, and of the input of a controlled output, as a table for each curve.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Common { description, drive, controlled, harmonics, .. } = &*self.common;
        let driver = controlled.map_or(*drive.quantity(), |output| *output.quantity());
        let signals: Vec<Signal> = controlled
            .map(|_| Signal::from(*drive))
            .into_iter()
            .chain(Output::each_of(description).map(Signal::from))
            .collect();
        for (k, curve) in self.curves.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            let unit = driver.unit;
            writeln!(f, "{}: amplitude {} {unit}", driver.name, Shown(curve.amplitude))?;
            write!(f, "{:>12}", "Hz")?;
            for signal in &signals {
                write!(f, "  {:>24}", format!("{} ({})", signal.name(), signal.unit()))?;
            }
            writeln!(f)?;
            for motion in &curve.motions {
                write!(f, "{:>12}", Shown(motion.frequency).to_string())?;
                for &signal in &signals {
                    let amplitude = motion.harmonic(signal, 1).map_err(|_| fmt::Error)?;
                    let phase = amplitude.arg().to_degrees();
                    write!(f, "  {:>24}", format!("{} at {phase:.1} deg", Shown(amplitude.norm())))?;
                }
                match motion.stability.as_ref().map(|stability| stability.verdict) {
                    None | Some(Verdict::Stable) => {}
                    Some(Verdict::Unstable) => write!(f, "  unstable")?,
                    Some(Verdict::Limit) => write!(f, "  at the limit of stability")?,
                    Some(Verdict::Unsettled) => write!(f, "  stability is not known")?,
                }
                writeln!(f)?;
            }
            for (turn, error) in curve.turning_points.iter().zip(&curve.turning_point_errors) {
                writeln!(f, "turns back at {} Hz +- {}", Shown(*turn), Shown(*error))?;
            }
            let (end, at) = &curve.end;
            if *end != PathEnd::Passed {
                writeln!(f, "the path {end} at {at}")?;
            }
        }
        let errors = self.curves.iter().flat_map(|curve| &curve.motions);
        let largest = errors.map(|motion| motion.truncation.error).fold(0.0, f64::max);
        writeln!(f, "{harmonics} harmonics: estimated error of outputs up to {}", Shown(largest))
    }
}
