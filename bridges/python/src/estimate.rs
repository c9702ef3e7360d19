//! Identifications, as the methods of Python describe them.

use costate::cost::Quadrature;
use costate::identify::residuals::Loss;
use costate::identify::{
    Approach, Correction, Experiment, Identification, Measurement, Prior, UnknownInput, UnknownParameter, UnknownTable,
    Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Simulation;
use pyo3::prelude::*;

use crate::errors::{self, Raised};
use crate::model::Loaded;
use crate::record::GivenRecord;
use crate::setup::Setup;

/// A gain, an offset or a delay: its value, and for an unknown one its bounds.
type CorrectionGiven = (f64, bool, Option<(f64, f64)>);

/// A measured output.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Measured {
    /// Name of the output.
    pub output: String,
    /// The record with the channel.
    pub record: GivenRecord,
    /// Name of the channel.
    pub channel: String,
    /// Weight of the channel; 1 without.
    pub weight: Option<f64>,
    deviation: Option<f64>,
    windows: Vec<(f64, f64)>,
    without: Vec<(f64, f64)>,
    gain: Option<CorrectionGiven>,
    offset: Option<CorrectionGiven>,
    delay: Option<CorrectionGiven>,
}

/// An unknown parameter.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Unknown {
    /// Name of the parameter.
    pub name: String,
    bounds: Option<(f64, f64)>,
    scaling: Option<(String, f64)>,
    owner: String,
    prior: Option<(String, f64, f64)>,
}

/// One of several experiments.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct ExperimentGiven {
    name: String,
    setup: Setup,
    measured: Vec<Measured>,
    group: Option<String>,
    validation: bool,
}

/// An identification.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Estimate {
    /// The run that all experiments have in common.
    pub setup: Setup,
    /// Measurements, where there are no experiments.
    pub measured: Vec<Measured>,
    experiments: Vec<ExperimentGiven>,
    /// Unknowns.
    pub unknown: Vec<Unknown>,
    /// Inputs of which a part is to be found: name, distance of the knots in s, typical value, deviation.
    unknown_inputs: Vec<(String, f64, f64, Option<f64>)>,
    /// Tables whose values are to be found: name, typical value, bend.
    unknown_tables: Vec<(String, f64, Option<f64>)>,
    loss: Option<(String, f64)>,
    weighting: Option<String>,
    /// Weights of samples.
    pub quadrature: Option<String>,
    approach: Option<String>,
    pieces: Option<usize>,
    method: Option<String>,
    iterations: Option<usize>,
    tolerance: Option<f64>,
    ignore_check: bool,
}

/// Returns the entry of a list with this name.
fn chosen<T: Copy>(py: Python<'_>, what: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|(known, _)| *known).collect();
        errors::of_text(py, "DataError", &format!("`{what}` is `{name}`; give one of {}", known.join(", ")))
    })
}

/// Returns the weights of samples of this name.
pub fn quadrature(py: Python<'_>, name: Option<&str>) -> PyResult<Quadrature> {
    let all = [("rectangle", Quadrature::Rectangle), ("trapezoid", Quadrature::Trapezoid), ("sum", Quadrature::Sum)];
    name.map_or(Ok(Quadrature::default()), |name| chosen(py, "quadrature", name, &all))
}

impl Estimate {
    /// Returns the identification, whose functions of the time are sampled on the grids of its runs.
    pub fn identification(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<Identification> {
        let own = self.experiments.is_empty();
        let common = match own {
            true => on_grid(py, loaded, &self.setup, &self.measured)?,
            false => self.setup.on_grid(py, loaded, None)?,
        };
        let mut identification = bare(py, loaded, &common, if own { &self.measured } else { &[] })?;
        for experiment in &self.experiments {
            let simulation = on_grid(py, loaded, &experiment.setup, &experiment.measured)?;
            let mut one = Experiment::new(&experiment.name).simulation(&simulation);
            if let Some(group) = &experiment.group {
                one = one.group(group);
            }
            if experiment.validation {
                one = one.validation();
            }
            for measured in &experiment.measured {
                let output = loaded.model.output(&measured.output).map_err(|error| error.raised(py))?;
                one = one.measured(output, measured.measurement());
            }
            for unknown in self.inputs(py, loaded)? {
                one = one.unknown_input(unknown);
            }
            identification = identification.experiment(one);
        }
        if own {
            identification = self.inputs(py, loaded)?.into_iter().fold(identification, Identification::unknown_input);
        }
        for unknown in self.tables(py, loaded)? {
            identification = identification.unknown_table(unknown);
        }
        for unknown in &self.unknown {
            let parameter = loaded.model.parameter(&unknown.name).map_err(|error| error.raised(py))?;
            let mut one = UnknownParameter::from(parameter);
            if let Some((lower, upper)) = unknown.bounds {
                one = one.within(lower, upper);
            }
            one = match &unknown.scaling {
                None => one,
                Some((kind, _)) if kind == "log" => one.logarithmic(),
                Some((_, typical)) => one.linear(*typical),
            };
            identification = match unknown.owner.as_str() {
                "experiment" => identification.unknown_per_experiment([one]),
                "group" => identification.unknown_per_group([one]),
                _ => identification.unknown([one]),
            };
            if let Some((kind, centre, deviation)) = &unknown.prior {
                let prior = match kind.as_str() {
                    "lognormal" => Prior::LogNormal { median: *centre, log_deviation: *deviation },
                    _ => Prior::Normal { mean: *centre, standard_deviation: *deviation },
                };
                identification = identification.prior(parameter, prior);
            }
        }
        if let Some((kind, number)) = &self.loss {
            identification = identification.loss(match kind.as_str() {
                "huber" => Loss::Huber { threshold: *number },
                "cauchy" => Loss::Cauchy { scale: *number },
                "student" => Loss::Student { degrees_of_freedom: *number },
                _ => Loss::Squares,
            });
        }
        if let Some(name) = &self.weighting {
            let all = [("likelihood", Weighting::Likelihood), ("given", Weighting::Given)];
            identification = identification.weighting(chosen(py, "weighting", name, &all)?);
        }
        identification = identification.quadrature(quadrature(py, self.quadrature.as_deref())?);
        if let Some(name) = &self.approach {
            let all =
                [("automatic", Approach::Automatic), ("single", Approach::Single), ("growing", Approach::Growing)];
            identification = identification.approach(chosen(py, "approach", name, &all)?);
        }
        if let Some(pieces) = self.pieces {
            identification = identification.pieces(pieces);
        }
        if self.ignore_check {
            identification = identification.ignore_check();
        }
        Ok(identification.optimizer(self.optimizer(py)?))
    }

    fn inputs(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<Vec<UnknownInput>> {
        let one = |(name, interval, typical, deviation): &(String, f64, f64, Option<f64>)| {
            let input = loaded.model.input(name).map_err(|error| error.raised(py))?;
            let unknown = UnknownInput::straight(input, *interval, *typical);
            Ok(deviation.map_or(unknown.clone(), |deviation| unknown.deviation(deviation)))
        };
        self.unknown_inputs.iter().map(one).collect()
    }

    fn tables(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<Vec<UnknownTable>> {
        let system = loaded.model.system();
        let one = |(name, typical, bend): &(String, f64, Option<f64>)| {
            let unknown = match system.curve(name) {
                Ok(curve) => UnknownTable::new(curve, *typical),
                Err(_) => UnknownTable::new(system.surface(name).map_err(|error| error.raised(py))?, *typical),
            };
            Ok(match bend {
                Some(bend) => unknown.smoothness(*bend),
                None => unknown.smooth(),
            })
        };
        self.unknown_tables.iter().map(one).collect()
    }

    fn optimizer(&self, py: Python<'_>) -> PyResult<OptimizerSettings> {
        let mut settings = OptimizerSettings::default();
        if let Some(name) = &self.method {
            let all = [
                ("automatic", Method::Automatic),
                ("levenberg_marquardt", Method::LevenbergMarquardt),
                ("gauss_newton", Method::GaussNewton),
                ("bfgs", Method::Bfgs),
                ("limited_memory_bfgs", Method::limited_memory_bfgs()),
                ("steepest_descent", Method::SteepestDescent),
            ];
            settings = settings.with_method(chosen(py, "method", name, &all)?);
        }
        if let Some(iterations) = self.iterations {
            settings = settings.with_maximum_iterations(iterations);
        }
        if let Some(tolerance) = self.tolerance {
            settings = settings.with_cost_tolerance(tolerance);
        }
        Ok(settings)
    }

    /// Returns the run of a single experiment, with step and end that may come from the records.
    pub fn problem(&self, py: Python<'_>, loaded: &Loaded) -> PyResult<costate::simulate::Problem> {
        let simulation = on_grid(py, loaded, &self.setup, &self.measured)?;
        let bare = bare(py, loaded, &simulation, &self.measured)?;
        bare.problem().map_err(|error| error.raised(py))
    }
}

/// Returns an identification of measured outputs alone.
fn bare(py: Python<'_>, loaded: &Loaded, simulation: &Simulation, measured: &[Measured]) -> PyResult<Identification> {
    measured.iter().try_fold(Identification::of(loaded.model.system(), simulation), |all, one| {
        let output = loaded.model.output(&one.output).map_err(|error| error.raised(py))?;
        Ok(all.measured(output, one.measurement()))
    })
}

/// Returns a simulation with functions of the time on the grid of its steps, which may come from the records.
pub fn on_grid(py: Python<'_>, loaded: &Loaded, setup: &Setup, measured: &[Measured]) -> PyResult<Simulation> {
    let mut simulation = setup.on_grid(py, loaded, None)?;
    if setup.has_functions() {
        let problem = bare(py, loaded, &simulation, measured)?.problem().map_err(|error| error.raised(py))?;
        let settings = problem.settings();
        simulation = setup.on_grid(py, loaded, Some((settings.step, settings.end)))?;
    }
    Ok(simulation)
}

impl Measured {
    fn measurement(&self) -> Measurement {
        let mut one = Measurement::new(self.record.record()).channel(&self.channel);
        if let Some(weight) = self.weight {
            one = one.weight(weight);
        }
        if let Some(deviation) = self.deviation {
            one = one.standard_deviation(deviation);
        }
        if let Some(gain) = &self.gain {
            one = one.gain(correction(gain));
        }
        if let Some(offset) = &self.offset {
            one = one.offset(correction(offset));
        }
        if let Some(delay) = &self.delay {
            one = one.delay(correction(delay));
        }
        let one = self.windows.iter().fold(one, |one, (from, to)| one.window(*from, *to));
        self.without.iter().fold(one, |one, (from, to)| one.without(*from, *to))
    }
}

fn correction((value, is_unknown, bounds): &CorrectionGiven) -> Correction {
    let one = if *is_unknown { Correction::unknown(*value) } else { Correction::known(*value) };
    bounds.map_or(one.clone(), |(lower, upper)| one.within(lower, upper))
}
