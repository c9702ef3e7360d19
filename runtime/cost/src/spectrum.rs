//! Least squares of spectral lines.

use super::Residuals;
use super::SpectrumForm;
use super::form::{self, SpectralValue};
use super::fourier::{FourierCoefficients, FourierLine, fourier_coefficients};
use super::order_tracking::OrderLine;
use super::span::{Grid, Span};
use super::spectrum_error::SpectrumError;
use super::{ComparedLine, Cost, CostOutput, add_none, is_weight, named, same_step};
use costate_measure::record::{AssumedUnit, Channel, Record, note};
use costate_numerics::scalar::{Dual, Scalar};
use costate_system::identifiers::Output;
use costate_system::series::Series;

/// The way in which the coefficients of a line follow from the outputs.
#[derive(Debug, Clone, PartialEq)]
enum Transform {
    /// Over time, by `spans[span]`, at `frequency` in Hz.
    Time { span: usize, frequency: f64 },
    /// Over the angle that is another output.
    Angle { angle: usize, line: OrderLine },
}

/// A line with its measured value.
#[derive(Debug, Clone, PartialEq)]
struct CostLine {
    output: CostOutput,
    transform: Transform,
    target: [f64; 2],
    weight: f64,
}

/// J = sum over lines of the comparison of a [`SpectrumForm`], FD (5): Fourier coefficients of outputs
/// against measured ones.
///
/// The coefficients are trapezoidal sums over the steps of the run, linear in the outputs (over time), so
/// that the gradient is that of the computed number. The cost belongs to runs of one step size and length;
/// for other runs, and for orders over an angle that a run does not reach, the value is NaN and no gradient
/// is added.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
/// #         inputs { drive: N }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: drive - c*x - d*dot(x) }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// # use costate::cost::{FourierLine, SpectrumCost, SpectrumForm, Window};
/// // The lines of a run of 10 s with steps of 1 ms that are in the band from 1.2 to 1.5 Hz, against a measurement.
/// let times: Vec<f64> = (0..=10_000).map(|i| f64::from(i) * 1e-3).collect();
/// let measured: Vec<f64> = times.iter().map(|t| (8.0 * t).sin()).collect();
/// let lines = FourierLine::band((1.2, 1.5), 0.0, 10.0, Window::Rectangular)?;
/// let cost = SpectrumCost::new(1e-3, 10_001, SpectrumForm::SquaredAmplitude)
///     .with_measured(Mount::POSITION, &lines, &times, &measured, 1.0)?;
/// assert_eq!(cost.lines(), 4);
/// # Ok::<(), costate::cost::SpectrumError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SpectrumCost {
    step: f64,
    samples: usize,
    form: SpectrumForm,
    spans: Vec<Span>,
    lines: Vec<CostLine>,
    assumed_units: Vec<AssumedUnit>,
}

impl SpectrumCost {
    /// Creates a cost without lines for runs of `samples` = N + 1 samples with `step` = h in s.
    pub fn new(step: f64, samples: usize, form: SpectrumForm) -> Self {
        Self { step, samples, form, spans: Vec::new(), lines: Vec::new(), assumed_units: Vec::new() }
    }

    /// Adds a line of the output, with its measured value and weight w.
    ///
    /// # Errors
    /// [`SpectrumError`]: a frequency that is not between 0 and half of the run's sampling rate, an interval outside
    /// the run, a weight that is not positive, a value that is no measured one in this form, a line that the output has
    /// already.
    pub fn with_line<M>(
        self,
        output: Output<M>,
        line: FourierLine,
        measured: impl Into<SpectralValue>,
        weight: f64,
    ) -> Result<Self, SpectrumError> {
        self.with_line_of(output.into(), line, measured.into(), weight)
    }

    fn with_line_of(
        mut self,
        output: CostOutput,
        line: FourierLine,
        measured: SpectralValue,
        weight: f64,
    ) -> Result<Self, SpectrumError> {
        let FourierLine { frequency, from, to, window } = line;
        let span = match self.spans.iter().position(|span| span.is(from, to, window)) {
            Some(span) => span,
            None => {
                let grid = Grid::Steps { step: self.step, samples: self.samples };
                self.spans.push(Span::new(grid, from, to, window)?);
                self.spans.len() - 1
            }
        };
        self.spans[span].check(frequency)?;
        let name = || format!("{frequency} Hz");
        self.push(output, Transform::Time { span, frequency }, measured, weight, name)
    }

    /// Adds lines of the output, measured by a signal in the output's unit with one value per time in s, all
    /// with the same weight w: the measured values are the [`fourier_coefficients`] of the signal at the same
    /// lines.
    ///
    /// # Errors
    /// As [`with_line`](Self::with_line), for the measured signal as well.
    pub fn with_measured<M>(
        mut self,
        output: Output<M>,
        lines: &[FourierLine],
        times: &[f64],
        values: &[f64],
        weight: f64,
    ) -> Result<Self, SpectrumError> {
        for (line, measured) in lines.iter().zip(fourier_coefficients(times, values, lines)?) {
            self = self.with_line(output, *line, measured, weight)?;
        }
        Ok(self)
    }

    /// Adds lines of the output, measured by a channel of `record` that is converted to the output's unit, all with the
    /// same weight w.
    ///
    /// # Errors
    /// As [`with_measured`](Self::with_measured); [`SpectrumError::Unit`]; [`SpectrumError::Gap`] names the channel.
    pub fn with_record<M>(
        mut self,
        output: Output<M>,
        lines: &[FourierLine],
        record: &Record,
        channel: &Channel,
        weight: f64,
    ) -> Result<Self, SpectrumError> {
        let wanted = output.into();
        let converted = channel.in_unit_of(record.name(), &wanted)?;
        for (line, measured) in lines.iter().zip(FourierCoefficients::of(record, &converted, lines)?) {
            self = self.with_line(output, *line, measured, weight)?;
        }
        note(&mut self.assumed_units, channel.assumed(record.name(), &wanted));
        Ok(self)
    }

    /// Adds an order of the output over the angle that is the output `angle`, with its measured value and weight w.
    ///
    /// # Errors
    /// [`SpectrumError`] for the weight and the measured value; that a run does not reach the angle shows
    /// only when it has run.
    pub fn with_order<M>(
        self,
        output: Output<M>,
        angle: Output<M>,
        line: OrderLine,
        measured: impl Into<SpectralValue>,
        weight: f64,
    ) -> Result<Self, SpectrumError> {
        let name = || format!("order {} from {} to {} rad", line.order(), line.from(), line.to());
        self.push(output.into(), Transform::Angle { angle: angle.index(), line }, measured.into(), weight, name)
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Returns the form of the comparison.
    pub fn form(&self) -> SpectrumForm {
        self.form
    }

    /// Computes A and B of every line, in the order in which lines were added; `None` for outputs of another
    /// run.
    pub fn coefficients<S: Scalar>(&self, outputs: &Series<S>) -> Option<Vec<[S; 2]>> {
        if !self.fits(outputs.step(), outputs.samples(), outputs.width()) {
            return None;
        }
        self.lines.iter().map(|line| self.line_coefficients(line, outputs)).collect()
    }

    fn push(
        mut self,
        output: CostOutput,
        transform: Transform,
        measured: SpectralValue,
        weight: f64,
        name: impl Fn() -> String,
    ) -> Result<Self, SpectrumError> {
        if !is_weight(weight) {
            return Err(SpectrumError::Weight { line: name(), weight });
        }
        let target = form::target(self.form, measured, &name)?;
        if self.lines.iter().any(|line| line.output == output && line.transform == transform) {
            return Err(SpectrumError::Repeated { output: output.name, line: name() });
        }
        self.lines.push(CostLine { output, transform, target, weight });
        Ok(self)
    }

    /// Computes A and B of a line; `None` where the angle does not pass through the line's interval.
    fn line_coefficients<S: Scalar>(&self, line: &CostLine, outputs: &Series<S>) -> Option<[S; 2]> {
        let value = |i: usize| outputs.row(i)[line.output.index];
        match &line.transform {
            Transform::Time { span, frequency } => Some(self.spans[*span].coefficients(*frequency, value)),
            Transform::Angle { angle, line } => line.coefficients(outputs.samples(), |i| outputs.row(i)[*angle], value),
        }
    }

    /// Returns a line with its coefficients in a run.
    fn compared(&self, line: &CostLine, [a, b]: [f64; 2], outputs: &Series<f64>) -> ComparedLine {
        let (frequency, order) = match &line.transform {
            Transform::Time { frequency, .. } => (*frequency, None),
            Transform::Angle { angle, line } => {
                let speed = line.mean_speed(outputs.step(), outputs.samples(), |i| outputs.row(i)[*angle]);
                (line.order() * speed.unwrap_or(f64::NAN) / std::f64::consts::TAU, Some(line.order()))
            }
        };
        let residuals = form::residuals(self.form, [a, b], line.target);
        ComparedLine {
            output: line.output.name,
            unit: line.output.unit,
            frequency,
            order,
            measured: form::amplitude(self.form, line.target),
            fitted: a.hypot(b),
            form: self.form,
            residuals: residuals[..form::count(self.form)].to_vec(),
            weight: line.weight * form::factor(self.form),
            is_independent: self.is_independent(line),
        }
    }

    /// Checks whether a line and all others of its output are multiples of one line over the same interval,
    /// without a window.
    fn is_independent(&self, line: &CostLine) -> bool {
        let Transform::Time { span: own, .. } = line.transform else { return false };
        let of_output = |other: &&CostLine| other.output == line.output;
        self.lines.iter().filter(of_output).all(|other| match other.transform {
            Transform::Time { span, frequency } => span == own && self.spans[span].is_whole(frequency),
            Transform::Angle { .. } => false,
        })
    }

    fn evaluate<S: Scalar>(&self, outputs: &Series<S>) -> S {
        let Some(coefficients) = self.coefficients(outputs) else { return S::constant(f64::NAN) };
        let mut sum = S::default();
        for (line, coefficients) in self.lines.iter().zip(coefficients) {
            sum += form::cost(self.form, coefficients, line.target) * line.weight;
        }
        sum
    }
}

impl Cost for SpectrumCost {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.evaluate(outputs)
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        self.evaluate(outputs)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        let alike = self.fits(gradient.step(), gradient.samples(), gradient.width());
        let Some(coefficients) = self.coefficients(outputs).filter(|_| alike) else {
            return add_none(gradient);
        };
        for (line, coefficients) in self.lines.iter().zip(coefficients) {
            let derivatives =
                form::derivatives(self.form, coefficients, line.target).map(|derivative| line.weight * derivative);
            let output = line.output.index;
            match &line.transform {
                Transform::Time { span, frequency } => {
                    self.spans[*span].add_transposed(*frequency, derivatives, |i, derivative| {
                        gradient.row_mut(i)[output] += derivative;
                    });
                }
                Transform::Angle { angle, line } => {
                    let (theta, y) = (|i: usize| outputs.row(i)[*angle], |i: usize| outputs.row(i)[output]);
                    line.add_transposed(outputs.samples(), theta, y, derivatives, |i, by_angle, by_value| {
                        gradient.row_mut(i)[*angle] += by_angle;
                        gradient.row_mut(i)[output] += by_value;
                    });
                }
            }
        }
    }

    fn has_residuals(&self) -> bool {
        true
    }

    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        let mut all = Residuals::default();
        for (line, coefficients) in self.lines.iter().zip(self.coefficients(outputs)?) {
            let residuals = form::residuals(self.form, coefficients, line.target);
            let weight = line.weight * form::factor(self.form);
            all.extend(residuals.into_iter().take(form::count(self.form)).map(|residual| (weight, residual)));
        }
        Some(all)
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let wide = self.lines.iter().all(|line| {
            line.output.index < width
                && match line.transform {
                    Transform::Time { .. } => true,
                    Transform::Angle { angle, .. } => angle < width,
                }
        });
        wide && same_step(step, self.step) && samples == self.samples
    }

    fn name(&self) -> String {
        let is_over_angle = |line: &CostLine| matches!(line.transform, Transform::Angle { .. });
        let of = if self.lines.iter().all(is_over_angle) { "orders" } else { "spectrum" };
        named(of, self.lines.iter().map(|line| line.output.name))
    }

    fn lines(&self, outputs: &Series<f64>) -> Vec<ComparedLine> {
        let Some(coefficients) = self.coefficients(outputs) else { return Vec::new() };
        let of_lines = self.lines.iter().zip(coefficients);
        of_lines.map(|(line, coefficients)| self.compared(line, coefficients, outputs)).collect()
    }

    fn assumed_units(&self) -> Vec<AssumedUnit> {
        self.assumed_units.clone()
    }
}
