//! Ratios of first harmonics over frequency and amplitude, as predictions that identifications compare with measured
//! ones.

use costate_contract::shown::Exact;
use costate_system::identifiers::Parameter;
use costate_system::interrupt::{Interrupted, InterruptedWork};
use costate_system::prediction::{PredictedGroup, Prediction, PredictionError, complex_parts};
use nalgebra::{Complex, DMatrix};

use crate::harmonic::definition::Definition;
use crate::harmonic::error::{HarmonicError, Reached};
use crate::harmonic::response::{Curve, Motion, Response, Signal, quotient, stiffness_unit};
use crate::harmonic::solve;

/// Ratios of first harmonics, such as a dynamic stiffness, over the frequency for every amplitude of a
/// [`HarmonicBalance`](crate::harmonic::HarmonicBalance).
///
/// Every ratio has two groups for each amplitude, in the order of the amplitudes:
/// `force/displacement at 0.001 m: real part`, and the same with `imaginary part`, over the frequency in Hz. One
/// response gives all numbers, and their derivatives.
///
/// The first stable motion along the path counts at a frequency that has several: a slow sweep upwards, from rest at
/// the lowest frequency, stays on this motion up to the turning point, and jumps there. Predicted numbers jump as well,
/// also when parameters move the turning point over a frequency, which their derivatives do not show. Parameters
/// without a stable motion at a frequency are a failed trial. Without [judged
/// stability](crate::harmonic::HarmonicBalance::stability), the first motion along the path counts.
#[derive(Debug, Clone)]
pub struct RatioPrediction {
    name: String,
    definition: Definition,
    frequencies: Vec<f64>,
    ratios: Vec<Quotient>,
    groups: Vec<PredictedGroup>,
}

/// Two signals, and the factor to the unit of their ratio.
#[derive(Debug, Clone, Copy)]
struct Quotient {
    numerator: Signal,
    denominator: Signal,
    factor: f64,
}

impl RatioPrediction {
    pub(crate) fn of(name: String, definition: &Definition, frequencies: &[f64]) -> Result<Self, HarmonicError> {
        definition.checked_drive(frequencies)?;
        for pair in frequencies.windows(2) {
            if let [before, value] = *pair
                && value < before
            {
                return Err(HarmonicError::Order { value, before });
            }
        }
        let (definition, frequencies) = (definition.clone(), frequencies.to_vec());
        Ok(Self { name, definition, frequencies, ratios: Vec::new(), groups: Vec::new() })
    }

    /// Adds a dynamic stiffness in N/m or N*m/rad, with the name `force/displacement`.
    ///
    /// # Errors
    /// [`HarmonicError::NotStiffness`] for other units; [`HarmonicError::OtherModel`],
    /// [`HarmonicError::RepeatedRatio`].
    pub fn stiffness(self, force: impl Into<Signal>, displacement: impl Into<Signal>) -> Result<Self, HarmonicError> {
        let (numerator, denominator) = (force.into(), displacement.into());
        let unit = quotient(numerator.unit(), denominator.unit());
        let (factor, unit) = stiffness_unit(numerator, denominator, &unit)?;
        self.with(Quotient { numerator, denominator, factor }, &unit)
    }

    /// Adds the ratio of two signals, such as a transmissibility, in the quotient of their units, with the name
    /// `numerator/denominator`.
    ///
    /// # Errors
    /// [`HarmonicError::OtherModel`], [`HarmonicError::RepeatedRatio`].
    pub fn ratio(self, numerator: impl Into<Signal>, denominator: impl Into<Signal>) -> Result<Self, HarmonicError> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        let unit = quotient(numerator.unit(), denominator.unit());
        self.with(Quotient { numerator, denominator, factor: 1.0 }, &unit)
    }

    fn with(mut self, ratio: Quotient, unit: &str) -> Result<Self, HarmonicError> {
        let description = self.definition.run.model.system.description();
        ratio.numerator.check_model(description)?;
        ratio.denominator.check_model(description)?;
        let name = format!("{}/{}", ratio.numerator.name(), ratio.denominator.name());
        let names = |own: &Quotient| (own.numerator.name(), own.denominator.name());
        if self.ratios.iter().any(|own| names(own) == names(&ratio)) {
            return Err(HarmonicError::RepeatedRatio { name });
        }
        let of_drive = self.definition.drive.map(Signal::from);
        let excited = self.definition.controlled.map(Signal::from).or(of_drive);
        let excited = excited.map_or("", Signal::unit);
        for amplitude in &self.definition.amplitudes {
            let name = format!("{name} at {} {excited}", Exact(*amplitude));
            self.groups.extend(PredictedGroup::of_complex(&name, unit, &self.frequencies));
        }
        self.ratios.push(ratio);
        Ok(self)
    }

    fn response(&self, parameters: &[f64], unknown: &[Parameter]) -> Result<Response, HarmonicError> {
        let mut definition = self.definition.clone();
        definition.run.model.parameters = parameters.to_vec();
        definition.parameters = unknown.to_vec();
        solve::response(&definition, &self.frequencies)
    }

    /// Returns the motions of a curve that count, one for every frequency.
    fn motions<'a>(&self, curve: &'a Curve) -> Result<Vec<&'a Motion>, HarmonicError> {
        let judged = self.definition.judges_stability;
        let one = |&frequency: &f64| {
            let at = Reached { frequency, amplitude: curve.amplitude };
            let mut own = curve.motions.iter().filter(|motion| motion.frequency == frequency).peekable();
            if own.peek().is_none() {
                let (end, last) = curve.end;
                return Err(HarmonicError::NotReached { at, last, end });
            }
            own.find(|motion| !judged || motion.is_stable()).ok_or(HarmonicError::NotStable { at })
        };
        self.frequencies.iter().map(one).collect()
    }

    /// Evaluates all numbers, and their derivatives with respect to each of the unknown parameters.
    fn evaluate(&self, parameters: &[f64], unknown: &[Parameter]) -> Result<(Vec<f64>, Vec<Vec<f64>>), HarmonicError> {
        let response = self.response(parameters, unknown)?;
        let curves: Vec<Vec<&Motion>> =
            response.curves.iter().map(|curve| self.motions(curve)).collect::<Result<_, _>>()?;
        let (mut values, mut columns) = (Vec::new(), vec![Vec::new(); unknown.len()]);
        for &Quotient { numerator, denominator, factor } in &self.ratios {
            for motions in &curves {
                let each = |value: &dyn Fn(&Motion) -> Result<Complex<f64>, HarmonicError>| {
                    motions
                        .iter()
                        .map(|motion| value(motion).map(|value| value * factor))
                        .collect::<Result<Vec<_>, HarmonicError>>()
                };
                values.extend(complex_parts(&each(&|motion| Ok(motion.ratio(numerator, denominator)?.value))?));
                for (column, &parameter) in columns.iter_mut().zip(unknown) {
                    let changes = each(&|motion| motion.ratio_by(numerator, denominator, parameter))?;
                    column.extend(complex_parts(&changes));
                }
            }
        }
        Ok((values, columns))
    }
}

/// Sorts errors into those of the parameters, and those that other parameters do not avoid.
fn failed(error: HarmonicError) -> PredictionError {
    match error {
        HarmonicError::Simulation(error) => error.into(),
        HarmonicError::Interrupted => {
            PredictionError::anywhere(Interrupted::without_trace(InterruptedWork::Run { time: 0.0 }))
        }
        HarmonicError::NoDrive { .. }
        | HarmonicError::ExplicitTime { .. }
        | HarmonicError::OtherModel(_)
        | HarmonicError::Memory(_) => PredictionError::anywhere(error),
        error => PredictionError::here(error),
    }
}

impl Prediction for RatioPrediction {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        self.definition.run.model.system.description().name
    }

    fn groups(&self) -> &[PredictedGroup] {
        &self.groups
    }

    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError> {
        Ok(self.evaluate(parameters, &[]).map_err(failed)?.0)
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let description = self.definition.run.model.system.description();
        let of: Vec<Parameter> = unknown.iter().map(|&index| Parameter::of(description, index)).collect();
        let (values, columns) = self.evaluate(parameters, &of).map_err(failed)?;
        let entry =
            |row: usize, column: usize| columns.get(column).and_then(|own| own.get(row)).copied().unwrap_or(0.0);
        let derivatives = DMatrix::from_fn(values.len(), unknown.len(), entry);
        Ok((values, derivatives))
    }
}
