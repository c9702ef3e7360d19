//! Spectra of records: densities, frequency responses, spectrograms, and maps over speeds and orders.

use costate::campaign::words::Words;
use costate::signal::{
    Averaging, Estimator, Mapping, SignalError, SpectralMap, Tacho, Trigger, Window, cut, events, frequency_responses,
    order_map, spectral_density, spectrogram, speed_map,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors;
use crate::record::GivenRecord;
use crate::run::matrix;
use crate::work::interruptible;

/// Segments of a record, or blows in it, and the lines that are kept.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Segments {
    length: Option<usize>,
    window: Option<String>,
    overlap: Option<f64>,
    between: Option<(f64, f64)>,
    estimator: Option<String>,
    /// Level of the first input, seconds before and after, time constant of an exponential window.
    blows: Option<(f64, f64, f64, Option<f64>)>,
}

/// The value of a word.
fn named<T: Words>(py: Python<'_>, what: &str, word: Option<&str>) -> PyResult<Option<T>> {
    let Some(word) = word else { return Ok(None) };
    let all = || T::WORDS.iter().map(|(known, _)| known.replace('-', "_")).collect::<Vec<_>>().join(", ");
    match T::named(&word.replace('_', "-")) {
        Some(value) => Ok(Some(value)),
        None => Err(errors::of_text(py, "DataError", &format!("`{what}` is {word:?}; give one of {}", all()))),
    }
}

impl Segments {
    fn window(&self, py: Python<'_>) -> PyResult<Option<Window>> {
        named(py, "window", self.window.as_deref())
    }

    fn averaging(&self, py: Python<'_>, samples: usize) -> PyResult<Averaging> {
        let mut averaging = match (self.blows, self.length) {
            (Some((.., time_constant)), _) => {
                let whole = Averaging::repetitions();
                time_constant.map_or(whole.clone(), |time_constant| whole.exponential_window(time_constant))
            }
            (None, Some(length)) => Averaging::segments(length),
            (None, None) => Averaging::usual_segments(samples),
        };
        if let Some(window) = self.window(py)? {
            averaging = averaging.window(window);
        }
        if let Some(overlap) = self.overlap {
            averaging = averaging.overlap(overlap);
        }
        if let Some((from, to)) = self.between {
            averaging = averaging.between(from, to);
        }
        let estimator: Option<Estimator> = named(py, "estimator", self.estimator.as_deref())?;
        Ok(estimator.map_or(averaging.clone(), |estimator| averaging.estimator(estimator)))
    }
}

type Row<'py> = Bound<'py, PyArray1<f64>>;

/// Channel, unit, frequencies, densities, deviations, number of averages, root mean square.
type Density<'py> = (String, Option<String>, Row<'py>, Row<'py>, Row<'py>, f64, f64);

/// Spectral densities of channels.
#[pyfunction]
pub fn densities<'py>(
    py: Python<'py>,
    record: GivenRecord,
    channels: Vec<String>,
    segments: Segments,
) -> PyResult<Vec<Density<'py>>> {
    let record = record.record();
    let averaging = segments.averaging(py, record.times().len())?;
    let found = interruptible(py, |_| {
        let of = |channel: &String| spectral_density([record], channel, &averaging);
        channels.iter().map(of).collect::<Result<Vec<_>, SignalError>>()
    })?;
    let row = |one: costate::signal::SpectralDensity| {
        let (deviations, rms) = (one.deviations(), one.mean_square(0.0, f64::INFINITY).sqrt());
        let array = |values| PyArray1::from_vec(py, values);
        let (frequencies, values) = (array(one.frequencies), array(one.densities));
        (one.channel, one.unit, frequencies, values, array(deviations), one.averages, rms)
    };
    Ok(found.into_iter().map(row).collect())
}

/// Name, units of output and input, frequencies, real and imaginary parts, coherence, deviations, number of averages,
/// decay added by a window in 1/s, notes.
type Response<'py> = (
    (String, Option<String>, Option<String>),
    (Row<'py>, Row<'py>, Row<'py>),
    (Option<Row<'py>>, Option<Row<'py>>, Option<f64>),
    f64,
    Vec<String>,
);

/// Frequency responses of all outputs to all inputs.
#[pyfunction]
pub fn responses<'py>(
    py: Python<'py>,
    record: GivenRecord,
    outputs: Vec<String>,
    inputs: Vec<String>,
    segments: Segments,
) -> PyResult<Vec<Response<'py>>> {
    let record = record.record();
    let averaging = segments.averaging(py, record.times().len())?;
    let found = interruptible(py, |_| {
        let [inputs, outputs] = [&inputs, &outputs].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
        let pieces = match segments.blows {
            Some((level, before, after, _)) => {
                let first = inputs.first().copied().unwrap_or_default();
                let found = events(record, first, &Trigger::of_blows(level))?;
                cut(record, &found, before, after)?.pieces
            }
            None => vec![record.clone()],
        };
        frequency_responses(&pieces, &inputs, &outputs, &averaging)
    })?;
    let row = |one: costate::measure::FrequencyResponse| {
        let deviations = one.deviations();
        let array = |values| PyArray1::from_vec(py, values);
        let values = (array(one.frequencies), array(one.real), array(one.imaginary));
        let certainty = (one.coherence.map(array), deviations.map(array), one.averages);
        ((one.name, one.unit, one.reference_unit), values, certainty, one.added_decay, one.notes)
    };
    Ok(found.responses.into_iter().map(row).collect())
}

/// The shaft of a map over its speed.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Shaft {
    tacho: String,
    threshold: f64,
    hysteresis: f64,
    pulses: usize,
    orders: bool,
    highest_order: Option<f64>,
}

/// Channel, unit, name, unit and values of both axes, values by rows of the second axis, speeds in 1/min, notes.
type Map<'py> = (
    (String, Option<String>),
    (&'static str, Option<&'static str>, Row<'py>),
    (&'static str, Option<&'static str>, Row<'py>),
    (Bound<'py, PyArray2<f64>>, Option<Row<'py>>, Vec<String>),
);

/// The spectrogram of a channel, or with a shaft its spectra over speeds or its orders.
#[pyfunction]
#[pyo3(signature = (record, channel, segments, shaft))]
pub fn spectral_map<'py>(
    py: Python<'py>,
    record: GivenRecord,
    channel: &str,
    segments: Segments,
    shaft: Option<Shaft>,
) -> PyResult<Map<'py>> {
    let record = record.record();
    let mut mapping = Mapping { length: segments.length, window: segments.window(py)?, ..Mapping::default() };
    mapping.overlap = segments.overlap.unwrap_or(mapping.overlap);
    let map = interruptible(py, |_| {
        let Some(shaft) = shaft else { return spectrogram(record, channel, &mapping) };
        mapping.highest_order = shaft.highest_order.unwrap_or(mapping.highest_order);
        let trigger = Trigger::rising(shaft.threshold).hysteresis(shaft.hysteresis);
        let tacho = Tacho::new(record, &shaft.tacho, &trigger, shaft.pulses)?;
        match shaft.orders {
            true => order_map(record, channel, &tacho, &mapping),
            false => speed_map(record, channel, &tacho, &mapping),
        }
    })?;
    let SpectralMap { channel, unit, x, y, values, speeds, notes, .. } = map;
    let array = |values| PyArray1::from_vec(py, values);
    let values = matrix(py, values, x.values.len())?;
    let axis = |axis: costate::signal::MapAxis| (axis.name, axis.unit, array(axis.values));
    Ok(((channel, unit), axis(x), axis(y), (values, speeds.map(array), notes)))
}
