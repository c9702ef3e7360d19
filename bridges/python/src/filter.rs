//! Kalman filters and smoothers: states and parameters, followed through a record.

use costate::filter::{
    FilterError, FilterProcess, FilterRun, KalmanFilter, KalmanMethod, SigmaPoints, Smoothed, StateSpace, Storage,
};
use costate::filter::{run as run_filter, smooth as run_smoother};
use costate::measure::RecordError;
use costate::simulate::SimulationError;
use costate::{Output, Parameter};
use nalgebra::DMatrix;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::errors::{self, Raised};
use crate::estimate::{Measured, on_grid};
use crate::functions;
use crate::model::Loaded;
use crate::run::matrix;
use crate::setup::Setup;
use crate::work::interruptible;

/// A followed parameter: name, deviation at the start, drift in a second.
type Followed = (String, f64, f64);

/// Part of a step by which the last sample may miss a whole number of steps.
const STEP_ROUNDING: f64 = 1e-6;

/// The estimates of a filter.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Filtered {
    /// Time between two samples in s.
    interval: f64,
    names: Vec<String>,
    outputs: usize,
    filtered: FilterRun,
    smoothed: Option<Smoothed>,
}

/// The reasons why a filter fails.
enum Fault {
    Filter(FilterError),
    Run(SimulationError),
    Record(RecordError),
}

impl Raised for Fault {
    fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Filter(error) => error.raised(py),
            Self::Run(error) => error.raised(py),
            Self::Record(error) => error.raised(py),
        }
    }
}

/// Filters a record, of whose outputs the standard deviations of the errors are given.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn filter(
    py: Python<'_>,
    loaded: &Loaded,
    mut setup: Setup,
    measured: Vec<Measured>,
    noise: Vec<f64>,
    follow: Vec<Followed>,
    method: &str,
    smooth: bool,
) -> PyResult<Filtered> {
    let model = loaded.model;
    let records: Vec<&costate::Record> = measured.iter().map(|one| one.record.record()).collect();
    let first = records.first().ok_or_else(|| errors::of_text(py, "DataError", "nothing is measured"))?;
    let text = "the samples of the record are not equidistant; give `step`";
    let interval = setup.step.or_else(|| first.interval());
    let interval = interval.ok_or_else(|| errors::of_text(py, "DataError", text))?;
    let last = setup.until.or(first.times().last().copied()).unwrap_or_default();
    let steps = (last / interval + STEP_ROUNDING).floor().max(1.0);
    (setup.step, setup.until) = (Some(interval), Some(steps * interval));
    let simulation = on_grid(py, loaded, &setup, &measured)?;
    let outputs: Vec<Output> = measured
        .iter()
        .map(|one| model.output(&one.output).map_err(|error| error.raised(py)))
        .collect::<PyResult<_>>()?;
    let parameters: Vec<Parameter> = follow
        .iter()
        .map(|(name, ..)| model.parameter(name).map_err(|error| error.raised(py)))
        .collect::<PyResult<_>>()?;
    let channels: Vec<&str> = measured.iter().map(|one| one.channel.as_str()).collect();
    let method = match method {
        "unscented" => KalmanMethod::Unscented(SigmaPoints::default()),
        "square_root_unscented" => KalmanMethod::SquareRootUnscented(SigmaPoints::default()),
        _ => KalmanMethod::Extended,
    };
    let samples = steps as usize + 1;
    interruptible(py, |flag| {
        let problem = simulation.interrupt(flag.clone()).problem().map_err(Fault::Run)?;
        let deviations = follow.iter().map(|(_, deviation, _)| *deviation);
        let followed: Vec<(Parameter, f64)> = parameters.iter().copied().zip(deviations).collect();
        let process = functions::process(model, &problem, &setup.values, (&followed, &outputs));
        let FilterProcess { space, inputs, initial, places } = process.map_err(Fault::Filter)?;
        let states = initial.mean.len();
        let mut drift = DMatrix::zeros(states, states);
        for (place, (.., rate)) in places.iter().zip(&follow) {
            drift[(*place, *place)] = rate * rate * interval;
        }
        let variances: Vec<f64> = noise.iter().map(|deviation| deviation * deviation).collect();
        let errors = DMatrix::from_diagonal(&variances.into());
        let names = (0..states).map(|state| space.state_name(state)).collect();
        let filter = KalmanFilter::new(space, method, interval, &initial, &drift, &errors);
        let mut filter = filter.map_err(Fault::Filter)?;
        let mut rows = vec![f64::NAN; samples * outputs.len()];
        for (column, (record, (channel, output))) in records.iter().zip(channels.iter().zip(&outputs)).enumerate() {
            let values = record.rows([(*channel, *output)], interval).map_err(Fault::Record)?.values;
            let places = rows.iter_mut().skip(column).step_by(outputs.len());
            places.zip(values).for_each(|(place, value)| *place = value);
        }
        let kept = if smooth { Storage::Gains } else { Storage::Covariances };
        let filtered = run_filter(&mut filter, &inputs, &rows, kept).map_err(Fault::Filter)?;
        let smoothed = smooth.then(|| run_smoother(&filtered)).transpose().map_err(Fault::Filter)?;
        Ok::<_, Fault>(Filtered { interval, names, outputs: outputs.len(), filtered, smoothed })
    })
}

#[pymethods]
impl Filtered {
    /// Time between two samples in s.
    #[getter]
    fn interval(&self) -> f64 {
        self.interval
    }

    /// Names of the states.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The estimates of the states, a row for each.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let row = |state: usize| -> Vec<f64> {
            match &self.smoothed {
                Some(smoothed) => smoothed.state(state).collect(),
                None => self.filtered.state(state).collect(),
            }
        };
        matrix(py, (0..self.names.len()).flat_map(row).collect(), self.filtered.samples())
    }

    /// The standard deviations of the states, a row for each.
    fn deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let variance = |state: usize, i: usize| match &self.smoothed {
            Some(smoothed) => smoothed.covariance(i)[(state, state)],
            None => self.filtered.covariance_entry(i, state, state).unwrap_or(f64::NAN),
        };
        let samples = self.filtered.samples();
        let row = |state: usize| (0..samples).map(move |i| variance(state, i).max(0.0).sqrt());
        matrix(py, (0..self.names.len()).flat_map(row).collect(), samples)
    }

    /// The predictions of the measured outputs, a row for each.
    fn predicted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let samples = self.filtered.samples();
        let of = |k: usize, i: usize| self.filtered.predicted_measurement(i).get(k).copied().unwrap_or(f64::NAN);
        matrix(py, (0..self.outputs).flat_map(|k| (0..samples).map(move |i| of(k, i))).collect(), samples)
    }
}
