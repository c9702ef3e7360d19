//! Frequency responses of one or several outputs to one or several inputs.

use costate_numerics::fourier::Complex;

use crate::record::{FrequencyResponse, Record};

use super::cross::{Cross, cross};
use super::hermitian::inverse;
use super::{Averaging, Estimator};
use crate::signal::SignalError;

/// Responses of outputs to inputs that act at the same time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Responses {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Responses, output by output: of the first one to all inputs, then of the next one. Each has the partial
    /// coherence, that of input and output without the parts of the other inputs.
    pub responses: Vec<FrequencyResponse>,
    /// Multiple coherence of every output, one per frequency: the part of its density that all inputs explain together.
    pub multiple_coherence: Vec<Vec<f64>>,
    /// Largest coherence of an input with the other ones, one per frequency: deviations grow by the root of one over
    /// what is missing to 1.
    pub input_coherence: Vec<f64>,
}

impl Responses {
    /// The response of an output to an input.
    pub fn of(&self, output: &str, input: &str) -> Option<&FrequencyResponse> {
        let row = self.outputs.iter().position(|name| name == output)?;
        let column = self.inputs.iter().position(|name| name == input)?;
        self.responses.get(row * self.inputs.len() + column)
    }
}

/// Computes the response of the channel `output` to `input` at the lines between 0 Hz and half the rate, with its
/// coherence and its variances.
///
/// Variances are those of noise that is random and independent of the input (Bendat and Piersol, Random Data, 2010,
/// section 9.2): the square of the response times `(1 - coherence)/(2 coherence (averages - 1))` for the real and the
/// imaginary part. Segments that overlap count by the correlation of their windows, which is that of random inputs; for
/// periodic ones, take segments of whole periods without overlap. A bias by the window, at resonances narrower than two
/// lines, is not part of the variance, nor is the bias of an estimator that does not fit the noise.
///
/// ```
/// # use costate_measure::signal::{Averaging, Record, frequency_response};
/// let noise = |k: f64| (0.5 * k * k).sin();
/// let force: Vec<f64> = (0..4000).map(|i| noise(f64::from(i))).collect();
/// let disturbance = |k: f64| 0.02 * (1.7 * k * k).cos();
/// let a = (0..4000).map(|i| 0.5 * force[i] + disturbance(i as f64)).collect();
/// let record = Record::new((0..4000).map(|i| 0.01 * f64::from(i)).collect())?
///     .with_channel("force", Some("N"), force)?
///     .with_channel("a", Some("m/s^2"), a)?;
/// let response = frequency_response([&record], "force", "a", &Averaging::segments(100).between(10.0, 40.0))?;
/// assert!(response.magnitudes().iter().all(|size| (size - 0.5).abs() < 0.1));
/// assert_eq!(response.unit.as_deref(), Some("m/s^2"));
/// # Ok::<(), costate_measure::signal::SignalError>(())
/// ```
///
/// # Errors
/// As of [`spectral_density`](super::spectral_density); [`SignalError::OneAverage`], [`SignalError::Unexcited`] where
/// the input has no density, [`SignalError::Repeated`] for one channel as input and output.
pub fn frequency_response<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    input: &str,
    output: &str,
    averaging: &Averaging,
) -> Result<FrequencyResponse, SignalError> {
    let mut found = frequency_responses(records, &[input], &[output], averaging)?;
    found.responses.pop().ok_or_else(|| SignalError::Repeated { channel: output.to_owned() })
}

/// Computes the responses of all `outputs` to all `inputs` by H1: the inverse of the matrix of the densities of the
/// inputs times their cross densities with each output. One input may have another estimator.
///
/// # Errors
/// As of [`frequency_response`]; [`SignalError::CorrelatedInputs`] where the effects of inputs cannot be distinguished,
/// [`SignalError::Setting`] for another estimator of several inputs.
pub fn frequency_responses<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    inputs: &[&str],
    outputs: &[&str],
    averaging: &Averaging,
) -> Result<Responses, SignalError> {
    /// Density of an input over its largest one below which there is rounding alone.
    const ROUNDING_FLOOR: f64 = 1e-24;
    let records: Vec<&Record> = records.into_iter().collect();
    let (many, names) = (inputs.len(), [inputs, outputs].concat());
    if inputs.is_empty() || outputs.is_empty() {
        return Err(SignalError::Setting {
            what: "a frequency response without an input or an output",
            instead: "name at least one channel for each",
        });
    }
    if many > 1 && averaging.estimator != Estimator::H1 {
        return Err(SignalError::Setting {
            what: "H2 or Hv of several inputs",
            instead: "take `Estimator::H1`, or one input alone",
        });
    }
    let found = cross(&records, &names, many, averaging, false)?;
    // as many averages as inputs explain every output
    let is_judged = found.effective > many as f64 + 0.5;
    let may_be_alone = averaging.without_coherence && many == 1;
    if !is_judged && !may_be_alone {
        return Err(SignalError::OneAverage { averages: found.effective, inputs: many });
    }
    let record = records.first().map_or("", |record| record.name());
    let largest = |channel: usize| {
        let densities = found.lines.iter().filter_map(|line| line.get(channel * (names.len() + 1)));
        densities.map(|density| density.re).fold(0.0, f64::max)
    };
    let floors: Vec<f64> = (0..many).map(|channel| ROUNDING_FLOOR * largest(channel)).collect();
    let lines = found.frequencies.iter().zip(&found.lines).map(|(frequency, values)| {
        let line = Line { values, names: &names, inputs: many, frequency: *frequency, record };
        line.solved(averaging, &floors, found.effective)
    });
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    gathered(&found, &lines, (inputs, outputs), averaging, is_judged)
}

/// The densities at a frequency.
struct Line<'a> {
    values: &'a [Complex<f64>],
    names: &'a [&'a str],
    inputs: usize,
    frequency: f64,
    record: &'a str,
}

/// Responses at a frequency.
struct Solved {
    /// For every output and input: response, partial coherence, variance.
    entries: Vec<(Complex<f64>, f64, f64)>,
    /// For every output.
    multiple: Vec<f64>,
    inputs: f64,
}

impl Line<'_> {
    fn at(&self, row: usize, column: usize) -> Complex<f64> {
        self.values.get(row * self.names.len() + column).copied().unwrap_or_default()
    }

    fn density(&self, channel: usize) -> f64 {
        self.at(channel, channel).re
    }

    fn solved(&self, averaging: &Averaging, floors: &[f64], averages: f64) -> Result<Solved, SignalError> {
        let many = self.inputs;
        for (channel, floor) in floors.iter().enumerate() {
            if self.density(channel) <= *floor {
                return Err(self.unexcited(channel));
            }
        }
        let root = |channel: usize| self.density(channel).sqrt();
        let pairs = (0..many).flat_map(|i| (0..many).map(move |k| (i, k)));
        let scaled: Vec<_> = pairs.map(|(i, k)| self.at(i, k) / (root(i) * root(k))).collect();
        let inverse = inverse(&scaled, many);
        let diagonal =
            |k: usize| inverse.as_ref().and_then(|all| all.get(k * (many + 1))).map_or(f64::INFINITY, |value| value.re);
        let (worst, correlated) =
            (0..many).map(|k| (k, 1.0 - 1.0 / diagonal(k))).fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        let Some(inverse) = inverse.as_ref().filter(|_| many == 1 || correlated <= averaging.correlated) else {
            return Err(self.correlated(worst, correlated, averaging.correlated));
        };
        let (mut entries, mut multiple) = (Vec::new(), Vec::new());
        for output in many..self.names.len() {
            let of_output = self.density(output);
            // H1 in units of the roots of the densities, so that large and small units are alike
            let with: Vec<_> = (0..many).map(|i| self.at(i, output) / root(i)).collect();
            let responses: Vec<Complex<f64>> =
                inverse.chunks_exact(many).map(|row| row.iter().zip(&with).map(|(a, b)| a * b).sum()).collect();
            let explained: f64 = with.iter().zip(&responses).map(|(a, b)| (a.conj() * b).re).sum();
            // an output that is 0 is explained by nothing
            let part = if of_output > 0.0 { (explained / of_output).clamp(0.0, 1.0) } else { 0.0 };
            let rest = of_output * (1.0 - part);
            for (k, response) in responses.iter().enumerate() {
                let alone = response.norm_sqr() / diagonal(k);
                let partial = if alone > 0.0 { alone / (rest + alone) } else { 0.0 };
                let h1 = response / root(k);
                let variance = rest * diagonal(k) / (2.0 * (averages - many as f64)) / self.density(k);
                let (value, variance) = match many {
                    1 => self.estimated(averaging.estimator, h1, variance),
                    _ => (h1, variance),
                };
                if !(value.re.is_finite() && value.im.is_finite()) {
                    return Err(self.unexcited(output));
                }
                entries.push((value, partial, variance));
            }
            multiple.push(part);
        }
        Ok(Solved { entries, multiple, inputs: correlated })
    }

    /// The estimator of one input, and its variance; the relative one is that of H1.
    fn estimated(&self, estimator: Estimator, h1: Complex<f64>, variance: f64) -> (Complex<f64>, f64) {
        let (input, output, cross) = (self.density(0), self.density(1), self.at(0, 1));
        let ratio = match estimator {
            Estimator::H1 => return (h1, variance),
            Estimator::H2 => 0.0,
            Estimator::Hv => output / input,
            Estimator::HvOfNoise(ratio) => ratio,
        };
        // least eigenvector of the densities in units of the noise
        let difference = output - ratio * input;
        let root = difference.hypot(2.0 * ratio.sqrt() * cross.norm());
        let value = match difference < 0.0 {
            true => cross * (2.0 * ratio / (root - difference)),
            false => (root + difference) / (2.0 * cross.conj()),
        };
        (value, variance * (value.norm_sqr() / h1.norm_sqr()))
    }

    fn name(&self, channel: usize) -> String {
        self.names.get(channel).copied().unwrap_or_default().to_owned()
    }

    fn unexcited(&self, channel: usize) -> SignalError {
        let (record, channel) = (self.record.to_owned(), self.name(channel));
        SignalError::Unexcited { record, channel, frequency: self.frequency }
    }

    fn correlated(&self, worst: usize, coherence: f64, limit: f64) -> SignalError {
        let with = |other: usize| self.at(worst, other).norm_sqr() / (self.density(worst) * self.density(other));
        let second = (0..self.inputs)
            .filter(|other| *other != worst)
            .max_by(|a, b| with(*a).total_cmp(&with(*b)))
            .unwrap_or_default();
        let (first, second, frequency) = (self.name(worst), self.name(second), self.frequency);
        SignalError::CorrelatedInputs { first, second, frequency, coherence, limit }
    }
}

/// Collects lines as responses.
fn gathered(
    found: &Cross,
    lines: &[Solved],
    (inputs, outputs): (&[&str], &[&str]),
    averaging: &Averaging,
    is_judged: bool,
) -> Result<Responses, SignalError> {
    let many = inputs.len();
    let mut responses = Vec::new();
    for (row, output) in outputs.iter().enumerate() {
        for (column, input) in inputs.iter().enumerate() {
            let entries: Vec<_> = lines.iter().filter_map(|line| line.entries.get(row * many + column)).collect();
            let mut response = FrequencyResponse::new(
                format!("{output} / {input}"),
                found.frequencies.clone(),
                entries.iter().map(|entry| entry.0.re).collect(),
                entries.iter().map(|entry| entry.0.im).collect(),
            )?;
            response.unit = found.units.get(many + row).cloned().flatten();
            response.reference_unit = found.units.get(column).cloned().flatten();
            response.notes.clone_from(&found.notes);
            response.added_decay = averaging.time_constant.map_or(0.0, f64::recip);
            if is_judged {
                response.averages = Some(found.effective - (many as f64 - 1.0));
                response = response.with_coherence(entries.iter().map(|entry| entry.1).collect())?;
                response = response.with_variances(entries.iter().map(|entry| entry.2).collect())?;
            } else {
                response.notes.push("one average does not tell the coherence nor the variances".to_owned());
            }
            responses.push(response);
        }
    }
    let multiple = |row: usize| lines.iter().filter_map(|line| line.multiple.get(row).copied()).collect();
    Ok(Responses {
        inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
        outputs: outputs.iter().map(|name| (*name).to_owned()).collect(),
        responses,
        multiple_coherence: (0..outputs.len()).map(multiple).collect(),
        input_coherence: lines.iter().map(|line| line.inputs).collect(),
    })
}
