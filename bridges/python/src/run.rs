//! Runs and what they hold.

use std::path::PathBuf;

use costate::simulate::{Accuracy as Estimates, ErrorEstimate, Interrupt, Run as Simulated};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::model::Loaded;
use crate::setup::Setup;
use crate::work::interruptible_by;

/// The result of a simulation.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Run {
    run: Simulated,
    /// The flag of the runs that are made again.
    interrupt: Interrupt,
}

/// Simulates a model.
#[pyfunction]
pub fn simulate(py: Python<'_>, loaded: &Loaded, setup: Setup) -> PyResult<Run> {
    let simulation = setup.simulation(py, loaded)?;
    let interrupt = Interrupt::new();
    let run = interruptible_by(py, &interrupt, |flag| simulation.interrupt(flag.clone()).run())?;
    Ok(Run { run, interrupt })
}

/// Makes a two-dimensional array of rows that are as long as each other.
pub fn matrix<'py>(py: Python<'py>, values: Vec<f64>, width: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = values.len().checked_div(width).unwrap_or(0);
    PyArray1::from_vec(py, values).reshape([rows, width])
}

#[pymethods]
impl Run {
    /// Times of the samples in s.
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.run.times())
    }

    /// All outputs, a row for each.
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let outputs = self.run.outputs();
        let all = (0..outputs.width()).flat_map(|k| outputs.channel(k).into_iter().flatten());
        matrix(py, all.collect(), outputs.samples())
    }

    /// Coordinates, velocities, accelerations and multipliers, a row for each.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let trajectory = self.run.trajectory();
        let samples = trajectory.samples();
        let stored: Vec<&[f64]> = (0..samples).map(|k| trajectory.stored(trajectory.step_of_sample(k))).collect();
        let length = stored.first().map_or(0, |first| first.len());
        let all = (0..length).flat_map(|entry| stored.iter().map(move |state| state[entry]));
        matrix(py, all.collect(), samples)
    }

    /// Number of steps.
    #[getter]
    fn steps(&self) -> usize {
        self.run.trajectory().steps()
    }

    /// Step, or for adaptive steps the sampling interval, in s.
    #[getter]
    fn step(&self) -> f64 {
        self.run.trajectory().step()
    }

    /// Estimates of the errors that the steps leave.
    fn accuracy(&self, py: Python<'_>) -> PyResult<Accuracy> {
        let run = &self.run;
        Ok(Accuracy { estimates: interruptible_by(py, &self.interrupt, |_| run.accuracy())? })
    }

    /// Writes a page (`.html`), glTF (`.gltf`, `.glb`) or a still (`.svg`).
    fn animate(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let run = &self.run;
        py.detach(|| run.animation().write(path)).map_err(|error| error.raised(py))
    }

    /// The page of an animation.
    fn animation_html(&self, py: Python<'_>) -> String {
        let run = &self.run;
        py.detach(|| run.animation().html())
    }
}

/// Estimates of the errors that the steps of a run leave in coordinates and outputs.
#[pyclass(frozen, module = "costate")]
#[derive(Debug)]
pub struct Accuracy {
    estimates: Estimates,
}

#[pymethods]
impl Accuracy {
    /// Largest error, relative to its scale.
    #[getter]
    fn relative(&self) -> f64 {
        self.estimates.relative()
    }

    /// Power of the step with which the worst error falls.
    #[getter]
    fn order(&self) -> u32 {
        self.estimates.order
    }

    /// Name of the quantity with the largest error.
    #[getter]
    fn worst(&self) -> Option<&'static str> {
        self.estimates.worst().map(|worst| worst.quantity.name)
    }

    /// Errors of all coordinates and outputs: name, unit, largest error, its time in s, and the error relative to its
    /// scale.
    #[getter]
    fn errors(&self) -> Vec<(&'static str, &'static str, f64, f64, f64)> {
        let all = self.estimates.coordinates.iter().chain(&self.estimates.outputs);
        let row = |one: &ErrorEstimate| (one.quantity.name, one.quantity.unit, one.error, one.time, one.relative());
        all.map(row).collect()
    }

    /// The step in s with which the largest error is expected to be at most this fraction of its scale.
    fn step_for(&self, relative: f64) -> f64 {
        self.estimates.step_for(relative)
    }

    fn __str__(&self) -> String {
        self.estimates.to_string()
    }

    fn __repr__(&self) -> String {
        self.estimates.to_string()
    }
}
