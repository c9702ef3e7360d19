//! The test of a mount: what users give.

use costate_system::identifiers::Output;

use crate::Equilibrium;
use crate::stiffness::comparison::Comparison;
use crate::stiffness::curve::StiffnessCurve;
use crate::stiffness::error::StiffnessError;
use crate::stiffness::linearity::Linearity;
use crate::stiffness::report::{Preload, ReportedCurve, StiffnessReport, limits};
use crate::stiffness::unit::{Origin, StiffnessUnit};

/// The curves of a mount, measured, computed or both, and what a reader has to know about them.
///
/// ```
/// use costate_vibration::stiffness::{MountTest, StiffnessCurve};
///
/// # fn main() -> Result<(), costate_vibration::stiffness::StiffnessError> {
/// let frequencies: Vec<f64> = (1..=50).map(f64::from).collect();
/// let curve = |amplitude: f64, stiffness: f64| {
///     let losses: Vec<f64> = frequencies.iter().map(|f| 0.3 * f).collect();
///     StiffnessCurve::new(&frequencies, &[stiffness; 50], &losses, "N/mm")?.at_amplitude(amplitude, "mm")
/// };
/// let report = MountTest::new("Mount 7")
///     .measured([curve(0.1, 240.0)?, curve(1.0, 190.0)?])
///     .preload(1.2, "kN")
///     .temperature("23 °C")
///     .report()?;
/// assert!(!report.linearity[0].is_linear()); // 2.0 dB
/// println!("{report}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MountTest {
    title: String,
    measured: Vec<StiffnessCurve>,
    model: Vec<StiffnessCurve>,
    preload: Option<Given>,
    temperature: Option<String>,
    notes: Vec<String>,
}

/// A preload as given.
#[derive(Debug, Clone)]
struct Given {
    value: f64,
    unit: String,
    source: String,
}

impl MountTest {
    /// Creates a test without curves; the title names the mount.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            measured: Vec::new(),
            model: Vec::new(),
            preload: None,
            temperature: None,
            notes: Vec::new(),
        }
    }

    /// Adds measured curves, one for each amplitude.
    #[must_use]
    pub fn measured(mut self, curves: impl IntoIterator<Item = StiffnessCurve>) -> Self {
        self.measured.extend(curves);
        self
    }

    /// Adds curves of a model, one for each amplitude, or one of a linear model, which is compared with all measured
    /// ones.
    #[must_use]
    pub fn model(mut self, curves: impl IntoIterator<Item = StiffnessCurve>) -> Self {
        self.model.extend(curves);
        self
    }

    /// Sets the preload in this unit, such as `N`.
    #[must_use]
    pub fn preload(mut self, value: f64, unit: impl Into<String>) -> Self {
        self.preload = Some(Given { value, unit: unit.into(), source: "given".to_owned() });
        self
    }

    /// Sets the preload to an output at rest, such as the force below the mount.
    ///
    /// # Errors
    /// [`StiffnessError::OtherModel`].
    pub fn preload_at_rest<M>(mut self, rest: &Equilibrium, output: Output<M>) -> Result<Self, StiffnessError> {
        output.check_model(rest.description())?;
        let source = format!("output `{}` at rest", output.name());
        let unit = output.quantity().unit.to_owned();
        self.preload = Some(Given { value: rest.output(output), unit, source });
        Ok(self)
    }

    /// Sets the temperature, as text that the report repeats.
    #[must_use]
    pub fn temperature(mut self, text: impl Into<String>) -> Self {
        self.temperature = Some(text.into());
        self
    }

    /// Adds text that the report repeats, as on the rig or the conditioning of the rubber.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Makes the report.
    ///
    /// # Errors [`StiffnessError::NoCurve`], [`StiffnessError::RepeatedAmplitude`], [`StiffnessError::MixedUnits`],
    /// [`StiffnessError::Preload`], [`StiffnessError::NothingInCommon`]; those of [`StiffnessCurve::new`] for curves
    /// that were changed.
    pub fn report(&self) -> Result<StiffnessReport, StiffnessError> {
        let first = self.measured.iter().chain(&self.model).next();
        let unit = first.ok_or(StiffnessError::NoCurve)?.unit;
        let measured = checked(Origin::Measured, &self.measured, unit)?;
        let model = checked(Origin::Model, &self.model, unit)?;
        let linearity_of = |origin, curves| ends(curves).and_then(|[small, large]| Linearity::of(origin, small, large));
        let linearity =
            linearity_of(Origin::Measured, &measured).into_iter().chain(linearity_of(Origin::Model, &model));
        let linearity = linearity.collect();
        let reported = |origin| move |curve| ReportedCurve::of(origin, curve);
        let measured = measured.into_iter().map(reported(Origin::Measured));
        let curves = measured.chain(model.into_iter().map(reported(Origin::Model)));
        let mut report = StiffnessReport {
            title: self.title.clone(),
            unit,
            preload: self.checked_preload()?,
            temperature: self.temperature.clone(),
            notes: self.notes.clone(),
            curves: curves.collect(),
            linearity,
            comparisons: Vec::new(),
            limits: Vec::new(),
            doubts: Vec::new(),
        };
        report.comparisons = compared(&report.curves);
        if !self.measured.is_empty() && !self.model.is_empty() && report.comparisons.is_empty() {
            return Err(StiffnessError::NothingInCommon);
        }
        report.limits = limits::limits(&report);
        report.doubts = limits::doubts(&report);
        Ok(report)
    }

    fn checked_preload(&self) -> Result<Option<Preload>, StiffnessError> {
        let Some(Given { value, unit, source }) = &self.preload else { return Ok(None) };
        for wanted in ["N", "N*m"] {
            let scale = costate_contract::units::conversion(unit, wanted).map(|scale| scale.apply(*value));
            if let Ok(value) = scale
                && value.is_finite()
            {
                return Ok(Some(Preload { value, unit: wanted.to_owned(), source: source.clone() }));
            }
        }
        Err(StiffnessError::Preload { value: *value, unit: unit.clone() })
    }
}

/// The curves of the smallest and of the largest amplitude, of those in the unit of the first one.
fn ends(curves: &[StiffnessCurve]) -> Option<[&StiffnessCurve; 2]> {
    let unit = curves.iter().find_map(|curve| curve.amplitude.as_ref())?.unit.as_str();
    let sized = || {
        let value =
            |curve: &StiffnessCurve| curve.amplitude.as_ref().filter(|own| own.unit == unit).map(|own| own.value);
        curves.iter().filter_map(move |curve| Some((value(curve)?, curve)))
    };
    let small = sized().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let large = sized().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (small.0 < large.0).then_some([small.1, large.1])
}

/// Returns the curves of one origin with increasing amplitudes, after a check.
fn checked(
    origin: Origin,
    curves: &[StiffnessCurve],
    unit: StiffnessUnit,
) -> Result<Vec<StiffnessCurve>, StiffnessError> {
    let mut checked: Vec<StiffnessCurve> = Vec::with_capacity(curves.len());
    for curve in curves {
        let curve = curve.clone().checked()?;
        if curve.unit != unit {
            return Err(StiffnessError::MixedUnits);
        }
        let is_repeated = |other: &StiffnessCurve| match (&curve.amplitude, &other.amplitude) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        if checked.iter().any(is_repeated) {
            let (origin, amplitude) = (origin.name(), curve.amplitude_text());
            return Err(StiffnessError::RepeatedAmplitude { origin, amplitude });
        }
        checked.push(curve);
    }
    let size = |own: &StiffnessCurve| own.amplitude.as_ref().map_or(0.0, |own| own.value);
    checked.sort_by(|a, b| size(a).total_cmp(&size(b)));
    Ok(checked)
}

/// Compares every measured curve with that of the model for its amplitude.
fn compared(curves: &[ReportedCurve]) -> Vec<Comparison> {
    let of = |origin: Origin| curves.iter().filter(move |own| own.origin == origin).map(|own| &own.curve);
    let compared = |measured: &StiffnessCurve| Comparison::of(measured, counterpart(measured, of(Origin::Model))?);
    of(Origin::Measured).filter_map(compared).collect()
}

/// Finds the curve of the model for the amplitude of a measured one: of the same amplitude, or of a linear model.
pub(crate) fn counterpart<'a>(
    measured: &StiffnessCurve,
    model: impl Iterator<Item = &'a StiffnessCurve>,
) -> Option<&'a StiffnessCurve> {
    let mut linear = None;
    for curve in model {
        match (&curve.amplitude, &measured.amplitude) {
            (Some(own), Some(wanted)) if own.is_same(wanted) => return Some(curve),
            (None, _) => linear = Some(curve),
            _ => {}
        }
    }
    linear
}
