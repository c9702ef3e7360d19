//! Identifications and their results.

use std::path::PathBuf;

use costate::ensemble::Ensemble;
use costate::identify::{
    Fit as Fitted, Identification, IdentificationError, JointDensity, NoiseDeviation, ProcessNoise, ProfileSettings,
    Resampling,
};
use costate::optimize::{Failure, Iteration};
use costate::simulate::Interrupt;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::{self, Raised};
use crate::estimate::Estimate;
use crate::model::Loaded;
use crate::numbers::Numbers;
use crate::record::Record;
use crate::run::matrix;
use crate::words;
use crate::work::{interruptible, interruptible_by, observed};

/// The result of an identification.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Fit {
    fit: Fitted,
    /// The flag of the runs that are made again.
    interrupt: Interrupt,
    description: &'static costate::command::Description,
}

/// The text of a result, and its content as JSON.
pub type Result_ = (String, String);

pub fn described(py: Python<'_>, result: &(impl ToString + Serialize)) -> PyResult<Result_> {
    let json = serde_json::to_string(result);
    let json = json.map_err(|error| errors::of_text(py, "Error", &format!("no JSON: {error}")))?;
    Ok((words::of_python(&result.to_string()), json))
}

/// Identifies; `progress` is called with number, cost, parameters and evaluations of every iteration.
#[pyfunction]
#[pyo3(signature = (loaded, estimate, starts=None, seed=0, state=None, progress=None))]
pub fn fit(
    py: Python<'_>,
    loaded: &Loaded,
    estimate: Estimate,
    starts: Option<usize>,
    seed: u64,
    state: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fit> {
    let identification = estimate.identification(py, loaded)?;
    let search = Search { starts: starts.map(|starts| (starts, seed)), state, progress };
    identified(py, loaded, search, |flag| Ok::<_, IdentificationError>(identification.interrupted_by(flag.clone())))
}

/// A search: the number of starts with their seed, the file or folder of its state, and what is called with number,
/// cost, parameters and evaluations of every iteration.
pub struct Search {
    pub starts: Option<(usize, u64)>,
    pub state: Option<PathBuf>,
    pub progress: Option<Py<PyAny>>,
}

/// Identifies by what `make` makes, in the thread of the work.
pub fn identified<E: Raised + From<IdentificationError> + Send>(
    py: Python<'_>,
    loaded: &Loaded,
    search: Search,
    make: impl FnOnce(&Interrupt) -> Result<Identification, E> + Send,
) -> PyResult<Fit> {
    let Search { starts, state, progress } = search;
    let mut best: Option<(f64, Vec<f64>)> = None;
    let work = |flag: &Interrupt, sender: &std::sync::mpsc::Sender<Iteration>| {
        let identification = make(flag)?;
        let fit = match starts {
            Some((starts, seed)) => {
                let ensemble = Ensemble::new();
                let ensemble = match &state {
                    Some(folder) => ensemble.folder(folder),
                    None => ensemble,
                };
                identification.multistart_in(&ensemble, starts, seed)
            }
            None => {
                let identification = match &state {
                    Some(file) => identification.state_file(file),
                    None => identification,
                };
                identification.run_observed(|iteration| {
                    // the receiver lives as long as the work
                    let _ = sender.send(iteration.clone());
                })
            }
        };
        fit.map_err(E::from)
    };
    let interrupt = Interrupt::new();
    let result = observed(py, &interrupt, work, |py, iteration| {
        if let Some(progress) = &progress {
            let Iteration { number, cost, evaluations, parameters, .. } = &iteration;
            progress.call1(py, (*number, *cost, parameters.clone(), *evaluations))?;
        }
        if best.as_ref().is_none_or(|(cost, _)| iteration.cost <= *cost) {
            best = Some((iteration.cost, iteration.parameters));
        }
        Ok(())
    });
    match result {
        Ok(fit) => Ok(Fit { fit, interrupt, description: loaded.model.description() }),
        Err(error) => {
            if let (true, Some((cost, parameters))) = (error.is_instance_of::<PyKeyboardInterrupt>(py), best) {
                // an exception of another class may have no room for them
                let _ = error.value(py).setattr("best", parameters);
                let _ = error.value(py).setattr("cost", cost);
            }
            Err(error)
        }
    }
}

/// Says before a fit what the data determine.
#[pyfunction]
pub fn check(py: Python<'_>, loaded: &Loaded, estimate: Estimate) -> PyResult<Result_> {
    let identification = estimate.identification(py, loaded)?;
    let check = interruptible(py, |flag| identification.interrupted_by(flag.clone()).check())?;
    described(py, &check)
}

/// The noise of a fit by prediction errors: names, deviations, and true for those that are unknown.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct NoiseGiven {
    process: Vec<(String, f64, bool)>,
    outputs: Vec<(String, f64, bool)>,
    drifts: Vec<(String, f64, bool)>,
    /// Deviations of position and velocity at the start.
    start: Vec<(String, f64, f64)>,
    vanishing: bool,
}

impl NoiseGiven {
    fn noise(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<ProcessNoise> {
        let deviation = |value: f64, is_unknown: bool| match is_unknown {
            true => NoiseDeviation::Unknown(value),
            false => NoiseDeviation::Known(value),
        };
        let mut noise = ProcessNoise::new();
        for (name, value, is_unknown) in &self.process {
            let given = deviation(*value, *is_unknown);
            noise = match (loaded.model.system().coordinate(name), loaded.model.input(name)) {
                (Ok(coordinate), _) => noise.on_velocity(coordinate, given),
                (_, Ok(input)) => noise.on_input(input, given),
                (Err(error), _) => return Err(error.raised(py)),
            };
        }
        for (name, value, is_unknown) in &self.outputs {
            let output = loaded.model.output(name).map_err(|error| error.raised(py))?;
            noise = noise.of_output(output, deviation(*value, *is_unknown));
        }
        for (name, value, is_unknown) in &self.drifts {
            let output = loaded.model.output(name).map_err(|error| error.raised(py))?;
            noise = noise.drift_of(output, deviation(*value, *is_unknown));
        }
        for (name, position, velocity) in &self.start {
            let coordinate = loaded.model.system().coordinate(name).map_err(|error| error.raised(py))?;
            noise = noise.on_start(coordinate, *position, *velocity);
        }
        Ok(if self.vanishing { noise.vanishing() } else { noise })
    }
}

/// Identifies by prediction errors.
#[pyfunction]
pub fn prediction_error(py: Python<'_>, loaded: &Loaded, estimate: Estimate, noise: NoiseGiven) -> PyResult<Result_> {
    let identification = estimate.identification(py, loaded)?;
    let noise = noise.noise(py, loaded)?;
    let dual = loaded.model.dual_equations();
    let fit = interruptible(py, |flag| identification.interrupted_by(flag.clone()).prediction_error_by(&noise, dual))?;
    described(py, &fit)
}

fn record(py: Python<'_>, record: Result<costate::Record, costate::measure::RecordError>) -> PyResult<Record> {
    Ok(Record { record: record.map_err(|error| error.raised(py))? })
}

#[pymethods]
impl Fit {
    /// The text of the result.
    fn text(&self) -> String {
        words::of_python(&self.fit.to_string())
    }

    /// All results as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&self.fit).map_err(|error| errors::of_text(py, "Error", &format!("no JSON: {error}")))
    }

    /// Unknowns: name, quantity, owner, unit, start, found, deviation, lower, upper, whether at a bound, and whether
    /// part of a table or an input.
    #[allow(clippy::type_complexity)]
    fn parameters(&self) -> Vec<(&str, &str, Option<&str>, &str, f64, f64, f64, f64, f64, bool, bool)> {
        let row = |one: &'_ costate::identify::FittedParameter| {
            let (start, found, deviation) = (one.start, one.found, one.standard_deviation);
            (start, found, deviation, one.lower, one.upper, one.at_bound, one.part_of.is_some())
        };
        let all = self.fit.summary().parameters.iter();
        all.map(|one| {
            let (start, found, deviation, lower, upper, bound, part) = row(one);
            let names = (one.name.as_str(), one.quantity.as_str(), one.of.as_deref(), one.unit);
            (names.0, names.1, names.2, names.3, start, found, deviation, lower, upper, bound, part)
        })
        .collect()
    }

    /// The covariance matrix of the unknowns.
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let covariance = &self.fit.summary().covariance;
        matrix(py, covariance.iter().flatten().copied().collect(), covariance.len())
    }

    /// The correlation matrix of the unknowns.
    fn correlation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let correlation = &self.fit.summary().correlation;
        matrix(py, correlation.iter().flatten().copied().collect(), correlation.len())
    }

    /// J at the start and at the end, iterations, evaluations.
    fn numbers(&self) -> (f64, f64, usize, usize) {
        let summary = self.fit.summary();
        (summary.cost_start, summary.cost_end, summary.iterations, summary.evaluations)
    }

    /// The reason why the search has ended, and true if it has converged.
    fn stop(&self) -> (String, bool) {
        let stop = &self.fit.summary().stop;
        (words::of_python(&stop.to_string()), stop.converged())
    }

    /// Doubts about data, settings and course of the fit.
    fn doubts(&self) -> Vec<String> {
        self.fit.summary().doubts().iter().map(|doubt| words::of_python(doubt)).collect()
    }

    /// True if the standard deviations are those of a fit that explains the data.
    #[getter]
    fn deviations_valid(&self) -> bool {
        self.fit.summary().deviations_valid
    }

    /// Costs of all iterations.
    fn history<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.fit.summary().history.iter().map(|one| one.cost).collect())
    }

    /// Names of the experiments.
    fn experiments(&self) -> Vec<&str> {
        self.fit.experiments().iter().map(|one| one.name()).collect()
    }

    /// The outputs of an experiment at the found values.
    fn run(&self, py: Python<'_>, experiment: usize) -> PyResult<Record> {
        match self.fit.experiments().get(experiment) {
            Some(one) => record(py, one.run()),
            None => Err(errors::of_text(py, "DataError", "there is no such experiment")),
        }
    }

    /// The residuals of an output of an experiment, as a record; `None` for one that is not measured.
    fn residuals(&self, py: Python<'_>, experiment: usize, output: usize) -> PyResult<Option<Record>> {
        let Some(one) = self.fit.experiments().get(experiment) else {
            return Err(errors::of_text(py, "DataError", "there is no such experiment"));
        };
        let found = one.residuals(costate::Output::of(self.description, output));
        found.map(|found| record(py, found)).transpose()
    }

    /// Writes a page with all results.
    fn report(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.fit.report(path)).map_err(|error| error.raised(py))
    }

    /// The page with all results.
    fn report_html(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.fit.report_html()).map_err(|error| error.raised(py))
    }

    /// Writes all results into a folder.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<PathBuf>> {
        py.detach(|| self.fit.write(folder)).map_err(|error| error.raised(py))
    }

    /// Follows profiles of unknowns.
    fn profiles(&self, py: Python<'_>, names: Vec<String>, level: f64, points: Option<usize>) -> PyResult<Result_> {
        let mut settings = ProfileSettings::default().with_level(level).with_unknowns(names);
        if let Some(points) = points {
            settings = settings.with_points(points);
        }
        described(py, &interruptible_by(py, &self.interrupt, |_| self.fit.profiles(&settings))?)
    }

    /// Fits to data that are drawn again.
    fn bootstrap(&self, py: Python<'_>, of: &str, repetitions: usize, seed: u64) -> PyResult<Result_> {
        let resampling = match of {
            "experiments" => Resampling::Experiments,
            "residuals" => Resampling::Residuals,
            _ => Resampling::Normal,
        };
        described(py, &interruptible_by(py, &self.interrupt, |_| self.fit.bootstrap(resampling, repetitions, seed))?)
    }

    /// Fits without each experiment.
    fn leave_one_out(&self, py: Python<'_>) -> PyResult<Result_> {
        described(py, &interruptible_by(py, &self.interrupt, |_| self.fit.leave_one_out())?)
    }

    /// Effects of errors of the parameters that are taken as known.
    fn known_parameters(&self, py: Python<'_>) -> PyResult<Result_> {
        described(
            py,
            &interruptible_by::<_, IdentificationError>(py, &self.interrupt, |_| self.fit.known_parameters())?,
        )
    }
}

/// The logarithm of a posterior density with its exact gradient, for samplers.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Density {
    density: JointDensity,
    interrupt: Interrupt,
}

#[pymethods]
impl Density {
    /// Makes the density of an identification.
    #[new]
    fn new(py: Python<'_>, loaded: &Loaded, estimate: Estimate) -> PyResult<Self> {
        let identification = estimate.identification(py, loaded)?;
        let interrupt = Interrupt::new();
        let density = interruptible_by(py, &interrupt, |flag| identification.interrupted_by(flag.clone()).density())?;
        Ok(Self { density, interrupt })
    }

    /// Unknowns: name, unit, start, lower and upper end of the support, typical change.
    fn unknowns(&self) -> Vec<(&str, &'static str, f64, f64, f64, f64)> {
        let all = self.density.unknowns().iter();
        all.map(|one| (one.name.as_str(), one.unit, one.start, one.lower, one.upper, one.typical)).collect()
    }

    /// The logarithm of the density, up to a constant, and its gradient; -infinity where a simulation fails.
    fn value_and_gradient<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
        if x.0.len() != self.density.unknowns().len() {
            let text = format!("x has {} numbers; give {}", x.0.len(), self.density.unknowns().len());
            return Err(errors::of_text(py, "DataError", &text));
        }
        let (value, gradient) = interruptible_by(py, &self.interrupt, |_| {
            let mut gradient = vec![0.0; x.0.len()];
            match self.density.evaluator().evaluate(&x.0, &mut gradient) {
                Ok(value) => Ok((value, gradient)),
                Err(Failure::Here(_)) => Ok((f64::NEG_INFINITY, vec![f64::NAN; x.0.len()])),
                Err(Failure::Stop(error)) => Err(error),
            }
        })?;
        Ok((value, PyArray1::from_vec(py, gradient)))
    }
}
