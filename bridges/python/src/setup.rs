//! The description of a run, as the methods of Python give it.

use std::path::PathBuf;
use std::sync::Arc;

use costate::model::Input;
use costate::simulate::{Checkpoints, InputSignal, Sampled, Scheme, Simulation};
use costate::table::{Curve, Extension, Interpolation, Surface};
use pyo3::prelude::*;

use crate::errors::{self, Raised};
use crate::model::Loaded;
use crate::numbers::Numbers;
use crate::record::GivenRecord;

/// Samples of a function of the time for each step: half steps and half of these are those of estimates of errors.
const SAMPLES_A_STEP: usize = 4;

/// Steps at which functions of the time are sampled while a step is looked for.
const STEPS_OF_SEARCH: f64 = 2e4;

/// The errors for which a step is looked for where none is given, as the command does.
const WANTED_ERROR: f64 = 1e-3;

/// The signal of an input.
#[derive(Debug, FromPyObject)]
pub enum Given {
    /// One number.
    Constant(f64),
    /// The channel of a record: record, channel, interpolation.
    Channel(GivenRecord, String, Option<String>),
    /// Times, values, interpolation.
    Samples(Numbers, Numbers, Option<String>),
    /// A function of Python: its name, and what samples it.
    Function(Py<PyAny>),
}

/// The data of a table.
#[derive(Debug, FromPyObject)]
pub enum TableGiven {
    /// Arguments and values of a curve.
    Curve(Numbers, Numbers),
    /// Both arguments, and the values by rows.
    Surface(Numbers, Numbers, Numbers),
    /// A file.
    File(PathBuf),
}

/// A run.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Setup {
    /// The values of all parameters.
    pub values: Vec<f64>,
    inputs: Vec<(String, Given)>,
    tables: Vec<(String, TableGiven)>,
    /// Step in s.
    pub step: Option<f64>,
    /// End in s.
    pub until: Option<f64>,
    scheme: Option<(String, f64)>,
    tolerance: Option<f64>,
    error_limit: Option<f64>,
    judge: Option<Vec<String>>,
    checkpoints: Option<u64>,
    memory_limit: Option<u64>,
    order: u32,
}

impl Setup {
    /// Returns the simulation without its inputs.
    fn without_inputs(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<Simulation> {
        let system = loaded.model.system();
        let mut simulation = Simulation::of(system, self.values.clone()).error_limit(self.error_limit);
        if let Some(step) = self.step {
            simulation = simulation.step(step);
        }
        if let Some(until) = self.until {
            simulation = simulation.until(until);
        }
        if let Some((name, number)) = &self.scheme {
            simulation = simulation.scheme(match name.as_str() {
                "alpha" => Scheme::GeneralizedAlpha { rho_inf: *number },
                "hht" => Scheme::Hht { alpha: *number },
                _ => Scheme::Undamped,
            });
        }
        simulation = simulation.order(self.order);
        if let Some(tolerance) = self.tolerance {
            simulation = simulation.adaptive(tolerance);
        }
        if let Some(judge) = &self.judge {
            let outputs: Result<Vec<_>, _> = judge.iter().map(|name| system.output(name)).collect();
            simulation = simulation.judge(outputs.map_err(|error| error.raised(py))?);
        }
        if let Some(bytes) = self.checkpoints {
            simulation = simulation.checkpoints(Checkpoints::Within(bytes));
        }
        if let Some(bytes) = self.memory_limit {
            simulation = simulation.memory_limit(bytes);
        }
        self.tables
            .iter()
            .try_fold(simulation, |simulation, (name, data)| with_table(py, simulation, loaded, name, data))
    }

    /// Returns the simulation; functions of the time are sampled on the grid of its steps. Without a step, one with
    /// small errors is looked for.
    pub fn simulation(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<Simulation> {
        let simulation = self.without_inputs(py, loaded)?;
        match (self.step, self.until) {
            (Some(step), Some(until)) => self.driven(py, loaded, simulation, Some((step, until))),
            (None, Some(until)) if self.tolerance.is_none() => {
                let rough = Some((until / STEPS_OF_SEARCH, until));
                let trial = self.driven(py, loaded, simulation.clone(), rough)?;
                let step = crate::work::interruptible(py, |flag| {
                    let trial = trial.error_limit(None).interrupt(flag.clone());
                    trial.step_for(WANTED_ERROR).or_else(|error| match error {
                        costate::simulate::SimulationError::Inaccurate(_) => trial.step_for(0.05),
                        error => Err(error),
                    })
                })?;
                self.driven(py, loaded, simulation.step(step), Some((step, until)))
            }
            (None, Some(until)) => {
                let step = 1e-3 * until;
                self.driven(py, loaded, simulation.step(step), Some((step, until)))
            }
            _ => self.driven(py, loaded, simulation, None),
        }
    }

    /// Returns true if an input is a function of Python, which needs a grid.
    pub fn has_functions(&self) -> bool {
        self.inputs.iter().any(|(_, given)| matches!(given, Given::Function(_)))
    }

    /// Returns the simulation with its inputs; without a grid, functions of the time are 0. The last value of a channel
    /// that drives an input continues for one step, since a run of a fit ends with the first step that is not before
    /// the last sample.
    pub fn on_grid(&self, py: Python<'_>, loaded: &Loaded, grid: Option<(f64, f64)>) -> PyResult<Simulation> {
        let simulation = self.without_inputs(py, loaded)?;
        let mut simulation = self.driven(py, loaded, simulation, grid)?;
        for (name, given) in
            self.inputs.iter().filter(|(_, given)| matches!(given, Given::Channel(..) | Given::Samples(..)))
        {
            let input = loaded.model.input(name).map_err(|error| error.raised(py))?;
            if let InputSignal::Sampled(sampled) = signal(py, input, given, grid, false)? {
                let (times, _) = sampled.samples();
                let (last, before) = (sampled.range().1, times.iter().rev().nth(1).copied().unwrap_or_default());
                let longer = self.step.unwrap_or(0.0).max(last - before);
                simulation = simulation.input(input, Sampled::clone(&sampled).held_to(last + longer));
            }
        }
        Ok(simulation)
    }

    fn driven(
        &self,
        py: Python<'_>,
        loaded: &Loaded,
        mut simulation: Simulation,
        grid: Option<(f64, f64)>,
    ) -> PyResult<Simulation> {
        let adaptive = self.tolerance.is_some();
        for (name, given) in &self.inputs {
            let input = loaded.model.input(name).map_err(|error| error.raised(py))?;
            simulation = simulation.input(input, signal(py, input, given, grid, adaptive)?);
        }
        Ok(simulation)
    }
}

fn signal(
    py: Python<'_>,
    input: Input,
    given: &Given,
    grid: Option<(f64, f64)>,
    adaptive: bool,
) -> PyResult<InputSignal> {
    let (sampled, course) = match given {
        Given::Constant(value) => return Ok((*value).into()),
        Given::Function(function) => {
            let Some((step, until)) = grid else { return Ok(0.0.into()) };
            return of_function(py, input, function, (step, until), adaptive);
        }
        Given::Samples(times, values, course) => {
            let sampled = Sampled::new(times.0.clone(), values.0.clone());
            (sampled.map_err(|error| in_input(py, input, error.raised(py)))?, course)
        }
        Given::Channel(record, channel, course) => {
            let sampled = Sampled::from_record(record.record(), channel);
            (sampled.map_err(|error| in_input(py, input, error.raised(py)))?, course)
        }
    };
    let sampled = match course.as_deref() {
        None => sampled,
        Some("straight") => sampled.straight(),
        Some("held") => sampled.held(),
        Some("cubic") => sampled.cubic().map_err(|error| in_input(py, input, error.raised(py)))?,
        Some(other) => {
            let text = format!("input `{}`: interpolation `{other}`; take straight, cubic or held", input.name());
            return Err(errors::of_text(py, "DataError", &text));
        }
    };
    Ok(sampled.into())
}

/// Names the input in an error about its samples.
fn in_input(py: Python<'_>, input: Input, error: PyErr) -> PyErr {
    errors::of_text(py, "DataError", &format!("input `{}`: {}", input.name(), error.value(py)))
}

/// Samples a function of Python on a grid finer than the steps, at whose points the signal is exact.
fn of_function(
    py: Python<'_>,
    input: Input,
    function: &Py<PyAny>,
    (step, until): (f64, f64),
    adaptive: bool,
) -> PyResult<InputSignal> {
    /// Points of a grid that fit into the memory of a usual machine.
    const MAX_POINTS: f64 = 1e8;
    let parts = if adaptive { 4 * SAMPLES_A_STEP } else { SAMPLES_A_STEP };
    let interval = step / parts as f64;
    let count = (until / interval).ceil() + 1.0;
    if !(step > 0.0 && until > 0.0 && count < MAX_POINTS) {
        // the run refuses these settings, or has no memory for so many steps
        return Ok(0.0.into());
    }
    let values: Numbers = function.call1(py, (input.name(), interval, count as usize))?.extract(py)?;
    let values: Arc<[f64]> = values.0.into();
    Ok(InputSignal::function(move |time| {
        /// Rounding of the times of a run, in intervals.
        const ROUNDING: f64 = 1e-6;
        let place = (time / interval).clamp(0.0, (values.len() - 1) as f64);
        let (below, nearest) = (place.floor(), place.round());
        if (place - nearest).abs() < ROUNDING {
            return values[nearest as usize];
        }
        let (left, right) = (values[below as usize], values[below as usize + 1]);
        left + (right - left) * (place - below)
    }))
}

fn with_table(
    py: Python<'_>,
    simulation: Simulation,
    loaded: &Loaded,
    name: &str,
    data: &TableGiven,
) -> PyResult<Simulation> {
    use costate::command::AnyTable;
    let system = loaded.model.system();
    let own = system.tables();
    let refused = |error: costate::table::GridError| {
        let text = format!("table `{name}`: {}", errors::text_of(&error));
        errors::of_text(py, "DataError", &text)
    };
    let curve = system.curve(name);
    let surface = system.surface(name);
    match (curve, surface, data) {
        (Ok(table), _, TableGiven::Curve(..) | TableGiven::File(_)) => {
            let (extension, kind) = match own.at(table.index()) {
                Some(AnyTable::Curve(curve)) => (curve.extension(), curve.interpolation()),
                _ => (Extension::default(), Interpolation::default()),
            };
            let curve = match data {
                TableGiven::Curve(x, values) => Curve::new(x.0.clone(), values.0.clone(), extension),
                TableGiven::File(path) => Curve::read_csv(path, extension),
                TableGiven::Surface(..) => return Ok(simulation),
            };
            Ok(simulation.table(table, curve.map_err(refused)?.interpolated(kind)))
        }
        (_, Ok(table), TableGiven::Surface(..) | TableGiven::File(_)) => {
            let (extensions, kinds) = match own.at(table.index()) {
                Some(AnyTable::Surface(surface)) => (surface.extensions(), surface.interpolations()),
                _ => Default::default(),
            };
            let surface = match data {
                TableGiven::Surface(x, y, values) => {
                    Surface::new(x.0.clone(), y.0.clone(), values.0.clone(), extensions)
                }
                TableGiven::File(path) => Surface::read_csv(path, extensions),
                TableGiven::Curve(..) => return Ok(simulation),
            };
            Ok(simulation.table(table, surface.map_err(refused)?.interpolated(kinds)))
        }
        (Ok(_), _, _) => Err(errors::of_text(py, "DataError", &format!("table `{name}` is a curve; give it (x, y)"))),
        (_, Ok(_), _) => {
            Err(errors::of_text(py, "DataError", &format!("table `{name}` is a surface; give it (x, y, values)")))
        }
        (Err(error), Err(_), _) => Err(error.raised(py)),
    }
}
