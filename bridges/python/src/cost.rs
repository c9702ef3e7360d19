//! Costs of runs with exact derivatives, for the optimisers of others.

use costate::command::{Columns, each_sample};
use costate::cost::{Cost as _, LeastSquares, MeasuredChannel, Quadrature};
use costate::model::Differentiable;
use costate::simulate::{Interrupt, Problem, Series, SimulationError, StoredRun};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::{self, Raised};
use crate::estimate::{Estimate, quadrature};
use crate::model::Loaded;
use crate::numbers::Numbers;
use crate::run::matrix;
use crate::work::interruptible;

/// J(x) = 1/2 sum_j r_j(x)^2 of a run of the parameters x.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Cost {
    system: Model,
    problem: Problem,
    cost: LeastSquares,
    /// Times, values and weight of every channel, in its order.
    channels: Vec<(costate::Output, Vec<f64>, f64)>,
    quadrature: Quadrature,
    values: Vec<f64>,
    unknown: Vec<usize>,
}

/// A model of costs.
#[derive(Clone, Copy)]
struct Model(&'static dyn Differentiable);

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.description().name)
    }
}

impl Cost {
    /// Returns all parameters at these unknowns.
    fn parameters(&self, unknown: &[f64]) -> Vec<f64> {
        let mut values = self.values.clone();
        for (index, value) in self.unknown.iter().zip(unknown) {
            if let Some(place) = values.get_mut(*index) {
                *place = *value;
            }
        }
        values
    }

    /// Refuses another number of unknowns.
    fn check(&self, py: Python<'_>, what: &str, given: &Numbers, wanted: usize) -> PyResult<()> {
        if given.0.len() == wanted {
            return Ok(());
        }
        let text = format!("{what} has {} numbers; give {wanted}", given.0.len());
        Err(errors::of_text(py, "DataError", &text))
    }

    fn count(&self) -> usize {
        self.cost.channels().iter().map(|channel| channel.values().len()).sum()
    }

    fn problem(&self, flag: &Interrupt) -> Problem {
        self.problem.clone().with_interrupt(flag.clone())
    }

    /// Runs, and multiplies the sensitivities of all outputs by the columns of a matrix.
    fn directional(
        &self,
        problem: &Problem,
        unknown: &[f64],
        directions: &[Vec<f64>],
    ) -> Result<Vec<Series<f64>>, SimulationError> {
        let mut run = self.system.0.run(problem, &self.parameters(unknown))?;
        let outputs = run.outputs();
        let zeros = || Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut all: Vec<Series<f64>> = directions.iter().map(|_| zeros()).collect();
        each_sample(self.system.0, problem, (&mut run).into(), &self.unknown, |i, rows| {
            for (series, direction) in all.iter_mut().zip(directions) {
                for (row, factor) in rows.iter().zip(direction).filter(|(_, factor)| **factor != 0.0) {
                    series.row_mut(i).iter_mut().zip(row).for_each(|(sum, by)| *sum += factor * by);
                }
            }
            Ok::<(), SimulationError>(())
        })?;
        Ok(all)
    }

    /// Returns the weighted values of all channels in these outputs.
    fn weighted(&self, outputs: &Series<f64>) -> Vec<f64> {
        let of_channel = |channel: &MeasuredChannel| -> Vec<f64> {
            channel.interpolated(outputs).zip(channel.weights()).map(|(value, weight)| weight.sqrt() * value).collect()
        };
        self.cost.channels().iter().flat_map(of_channel).collect()
    }

    fn residuals_of(&self, outputs: &Series<f64>) -> Vec<f64> {
        let of_channel = |channel: &MeasuredChannel| -> Vec<f64> {
            channel.residuals(outputs).zip(channel.weights()).map(|(one, weight)| weight.sqrt() * one).collect()
        };
        self.cost.channels().iter().flat_map(of_channel).collect()
    }

    /// Returns the cost whose derivatives by the outputs are those of the product of the residuals with `weights`: its
    /// residuals at these outputs are the weights.
    fn product(&self, outputs: &Series<f64>, weights: &[f64]) -> Result<LeastSquares, costate::cost::MeasurementError> {
        let mut weights = weights.iter();
        let mut cost = LeastSquares::new(outputs.step(), outputs.samples(), self.quadrature);
        for (channel, (output, times, weight)) in self.cost.channels().iter().zip(&self.channels) {
            let of_samples = channel.interpolated(outputs).zip(channel.weights());
            let values: Vec<f64> = of_samples
                .zip(weights.by_ref())
                .map(|((value, scale), weight)| value - weight / scale.sqrt())
                .collect();
            cost = cost.with_channel(*output, times, &values, *weight)?;
        }
        Ok(cost)
    }

    fn gradient(&self, problem: &Problem, run: &mut StoredRun, by: &Series<f64>) -> Result<Vec<f64>, SimulationError> {
        let mut all = self.system.0.gradients(problem, run.into(), &[by], &self.unknown)?;
        Ok(all.pop().unwrap_or_default())
    }
}

#[pymethods]
impl Cost {
    /// Makes the cost of an identification with one experiment.
    #[new]
    fn new(py: Python<'_>, loaded: &Loaded, estimate: Estimate) -> PyResult<Self> {
        let problem = estimate.problem(py, loaded)?;
        let quadrature = quadrature(py, estimate.quadrature.as_deref())?;
        let mut cost = LeastSquares::new(problem.settings().step, problem.samples(), quadrature);
        let mut channels = Vec::new();
        for measured in &estimate.measured {
            let output = loaded.model.output(&measured.output).map_err(|error| error.raised(py))?;
            let record = &measured.record.get().record;
            let channel = record.channel(&measured.channel).map_err(|error| error.raised(py))?;
            let weight = measured.weight.unwrap_or(1.0);
            cost = cost.with_record(output, record, channel, weight).map_err(|error| error.raised(py))?;
            channels.push((output, record.samples_of(channel).times, weight));
        }
        let mut unknown = Vec::new();
        for one in &estimate.unknown {
            let index = loaded.model.parameter(&one.name).map_err(|error| error.raised(py))?.index();
            if unknown.contains(&index) {
                let text = format!("the unknown `{}` is named twice; name it once", one.name);
                return Err(errors::of_text(py, "DataError", &text));
            }
            unknown.push(index);
        }
        let values = estimate.setup.values;
        Ok(Self { system: Model(loaded.model.system()), problem, cost, channels, quadrature, values, unknown })
    }

    /// Number of residuals.
    #[getter]
    fn samples(&self) -> usize {
        self.count()
    }

    /// Step and end of the run in s.
    #[getter]
    fn grid(&self) -> (f64, f64) {
        (self.problem.settings().step, self.problem.settings().end)
    }

    fn value(&self, py: Python<'_>, x: Numbers) -> PyResult<f64> {
        self.check(py, "x", &x, self.unknown.len())?;
        interruptible(py, |flag| {
            let problem = self.problem(flag);
            let outputs = self.system.0.outputs(&problem, &self.parameters(&x.0))?;
            Ok::<_, SimulationError>(self.cost.value(&outputs))
        })
    }

    fn value_and_gradient<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
        self.check(py, "x", &x, self.unknown.len())?;
        let (value, gradient) = interruptible(py, |flag| {
            let problem = self.problem(flag);
            let mut run = self.system.0.run(&problem, &self.parameters(&x.0))?;
            let (value, by) = (self.cost.value(run.outputs()), self.cost.output_gradient(run.outputs()));
            Ok::<_, SimulationError>((value, self.gradient(&problem, &mut run, &by)?))
        })?;
        Ok((value, PyArray1::from_vec(py, gradient)))
    }

    fn residuals<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(py, "x", &x, self.unknown.len())?;
        let all = interruptible(py, |flag| {
            let outputs = self.system.0.outputs(&self.problem(flag), &self.parameters(&x.0))?;
            Ok::<_, SimulationError>(self.residuals_of(&outputs))
        })?;
        Ok(PyArray1::from_vec(py, all))
    }

    /// The derivatives of the residuals by the unknowns, a row for each unknown.
    fn jacobian_transposed<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.check(py, "x", &x, self.unknown.len())?;
        let unknowns = self.unknown.len();
        let unit = |k: usize| (0..unknowns).map(|j| if j == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let directions: Vec<Vec<f64>> = (0..unknowns).map(unit).collect();
        let all = interruptible(py, |flag| {
            let series = self.directional(&self.problem(flag), &x.0, &directions)?;
            Ok::<_, SimulationError>(series.iter().flat_map(|one| self.weighted(one)).collect::<Vec<f64>>())
        })?;
        matrix(py, all, self.count())
    }

    fn jvp<'py>(&self, py: Python<'py>, x: Numbers, v: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(py, "x", &x, self.unknown.len())?;
        self.check(py, "v", &v, self.unknown.len())?;
        let all = interruptible(py, |flag| {
            let series = self.directional(&self.problem(flag), &x.0, std::slice::from_ref(&v.0))?;
            Ok::<_, SimulationError>(series.iter().flat_map(|one| self.weighted(one)).collect::<Vec<f64>>())
        })?;
        Ok(PyArray1::from_vec(py, all))
    }

    fn vjp<'py>(&self, py: Python<'py>, x: Numbers, w: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(py, "x", &x, self.unknown.len())?;
        self.check(py, "w", &w, self.count())?;
        let gradient = interruptible(py, |flag| {
            let problem = self.problem(flag);
            let mut run = self.system.0.run(&problem, &self.parameters(&x.0)).map_err(Failed::Run)?;
            let product = self.product(run.outputs(), &w.0).map_err(Failed::Weights)?;
            let by = product.output_gradient(run.outputs());
            self.gradient(&problem, &mut run, &by).map_err(Failed::Run)
        })?;
        Ok(PyArray1::from_vec(py, gradient))
    }
}

/// The reasons why a product fails.
enum Failed {
    Run(SimulationError),
    Weights(costate::cost::MeasurementError),
}

impl Raised for Failed {
    fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Run(error) => error.raised(py),
            Self::Weights(error) => error.raised(py),
        }
    }
}

/// Products of weights of outputs with the derivatives by parameters, and by inputs over time.
type Products<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// Outputs over time as a function of parameters and inputs over time, with the products of its derivatives.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Function {
    system: Model,
    problem: Problem,
    values: Vec<f64>,
    unknown: Vec<usize>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl Function {
    /// Returns the run of these unknowns and inputs, a row of samples for each.
    fn at(&self, flag: &Interrupt, x: &[f64], u: &[f64]) -> Result<(Problem, Vec<f64>), SimulationError> {
        let mut values = self.values.clone();
        for (index, value) in self.unknown.iter().zip(x) {
            values[*index] = *value;
        }
        let mut problem = self.problem.clone().with_interrupt(flag.clone());
        if !self.inputs.is_empty() {
            self.problem.require_constant_steps("a cost of inputs")?;
            let samples = self.problem.samples();
            let row = |i: usize| {
                let mut row = self.problem.inputs().row(i).to_vec();
                self.inputs.iter().enumerate().for_each(|(k, input)| row[*input] = u[k * samples + i]);
                row
            };
            problem = problem.with_inputs((0..samples).map(row))?;
        }
        Ok((problem, values))
    }

    fn chosen(&self, series: &Series<f64>) -> Vec<f64> {
        self.outputs.iter().flat_map(|k| series.channel(*k).into_iter().flatten()).collect()
    }

    fn check(&self, py: Python<'_>, x: &Numbers, u: &Numbers) -> PyResult<()> {
        let (unknown, inputs) = (self.unknown.len(), self.inputs.len() * self.problem.samples());
        if x.0.len() == unknown && u.0.len() == inputs {
            return Ok(());
        }
        let text = format!(
            "{} parameters and {} samples of inputs are given; give {unknown} and {inputs}",
            x.0.len(),
            u.0.len()
        );
        Err(errors::of_text(py, "DataError", &text))
    }
}

#[pymethods]
impl Function {
    /// Makes the function of these parameters, inputs and outputs.
    #[new]
    fn new(
        py: Python<'_>,
        loaded: &Loaded,
        setup: crate::setup::Setup,
        parameters: Vec<String>,
        inputs: Vec<String>,
        outputs: Vec<String>,
    ) -> PyResult<Self> {
        let model = loaded.model;
        let problem = setup.simulation(py, loaded)?.problem().map_err(|error| error.raised(py))?;
        let refused = |error: costate::model::UnknownName| error.raised(py);
        let index = |name: &String| model.parameter(name).map(costate::Parameter::index).map_err(refused);
        let unknown = parameters.iter().map(index).collect::<PyResult<_>>()?;
        let index = |name: &String| model.input(name).map(costate::Input::index).map_err(refused);
        let inputs = inputs.iter().map(index).collect::<PyResult<_>>()?;
        let index = |name: &String| model.output(name).map(costate::Output::index).map_err(refused);
        let outputs = outputs.iter().map(index).collect::<PyResult<_>>()?;
        Ok(Self { system: Model(model.system()), problem, values: setup.values, unknown, inputs, outputs })
    }

    /// Number of samples of inputs and outputs.
    #[getter]
    fn samples(&self) -> usize {
        self.problem.samples()
    }

    /// The outputs, a row for each.
    fn value<'py>(&self, py: Python<'py>, x: Numbers, u: Numbers) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.check(py, &x, &u)?;
        let all = interruptible(py, |flag| {
            let (problem, values) = self.at(flag, &x.0, &u.0)?;
            Ok::<_, SimulationError>(self.chosen(&self.system.0.outputs(&problem, &values)?))
        })?;
        matrix(py, all, self.samples())
    }

    /// The product of the derivatives with weights of the outputs: by the parameters, and by the inputs.
    fn vjp<'py>(&self, py: Python<'py>, x: Numbers, u: Numbers, w: Numbers) -> PyResult<Products<'py>> {
        self.check(py, &x, &u)?;
        let samples = self.samples();
        if w.0.len() != self.outputs.len() * samples {
            let text = format!("w has {} numbers; give {samples} for each output", w.0.len());
            return Err(errors::of_text(py, "DataError", &text));
        }
        let (by_parameters, by_inputs) = interruptible(py, |flag| {
            let (problem, values) = self.at(flag, &x.0, &u.0)?;
            let mut run = self.system.0.run(&problem, &values)?;
            let mut by = Series::zeros(run.outputs().step(), run.outputs().width(), samples);
            for i in 0..samples {
                for (k, output) in self.outputs.iter().enumerate() {
                    by.row_mut(i)[*output] += w.0[k * samples + i];
                }
            }
            let others = (!self.inputs.is_empty(), &[][..]);
            let full = self.system.0.full_gradient(&problem, (&mut run).into(), &by, &self.unknown, others)?;
            let by_inputs = full.by_inputs.map_or_else(Vec::new, |series| {
                self.inputs.iter().flat_map(|k| series.channel(*k).into_iter().flatten()).collect()
            });
            Ok::<_, SimulationError>((full.by_parameters, by_inputs))
        })?;
        Ok((PyArray1::from_vec(py, by_parameters), matrix(py, by_inputs, samples)?))
    }

    /// The derivative of the outputs in a direction of parameters and inputs.
    fn jvp<'py>(
        &self,
        py: Python<'py>,
        x: Numbers,
        u: Numbers,
        along_x: Numbers,
        along_u: Numbers,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.check(py, &x, &u)?;
        self.check(py, &along_x, &along_u)?;
        let samples = self.samples();
        let all = interruptible(py, |flag| {
            let (problem, values) = self.at(flag, &x.0, &u.0)?;
            let mut run = self.system.0.run(&problem, &values)?;
            let change = |(k, input): (usize, &usize)| costate::command::InputChange {
                input: *input,
                first: 0,
                changes: along_u.0[k * samples..(k + 1) * samples].to_vec(),
            };
            let changes: Vec<_> = self.inputs.iter().enumerate().map(change).collect();
            let by = Columns { parameters: &self.unknown, inputs: &changes, ..Columns::default() };
            let factors: Vec<f64> = along_x.0.iter().copied().chain(changes.iter().map(|_| 1.0)).collect();
            let mut sum = Series::zeros(run.outputs().step(), run.outputs().width(), samples);
            self.system.0.sensitivities(&problem, (&mut run).into(), by, &mut |i, rows| {
                for (row, factor) in rows.iter().zip(&factors) {
                    sum.row_mut(i).iter_mut().zip(row).for_each(|(sum, by)| *sum += factor * by);
                }
                std::ops::ControlFlow::Continue(())
            })?;
            Ok::<_, SimulationError>(self.chosen(&sum))
        })?;
        matrix(py, all, samples)
    }
}
