//! Costs of runs with exact derivatives, for the optimisers of others.

use costate::command::Columns;
use costate::cost::{LeastSquares, ParameterCost};
use costate::model::Differentiable;
use costate::simulate::{Interrupt, Problem, Series, SimulationError};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors;
use crate::errors::Raised as _;
use crate::estimate::{Estimate, quadrature};
use crate::model::Loaded;
use crate::numbers::Numbers;
use crate::run::matrix;
use crate::work::interruptible;

/// J(x) = 1/2 sum_j r_j(x)^2 of a run of the parameters x.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Cost(ParameterCost);

impl Cost {
    /// Refuses another number of unknowns.
    fn check(&self, py: Python<'_>, what: &str, given: &Numbers, wanted: usize) -> PyResult<()> {
        if given.0.len() == wanted {
            return Ok(());
        }
        let text = format!("{what} has {} numbers; give {wanted}", given.0.len());
        Err(errors::of_text(py, "DataError", &text))
    }

    /// Evaluates the cost at x, until Python is interrupted.
    fn at<R: Send>(
        &self,
        py: Python<'_>,
        x: &Numbers,
        work: impl FnOnce(&ParameterCost, &[f64]) -> Result<R, SimulationError> + Send,
    ) -> PyResult<R> {
        self.check(py, "x", x, self.0.unknown.len())?;
        interruptible(py, |flag| work(&self.0.clone().with_interrupt(flag.clone()), &x.0))
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
        for measured in &estimate.measured {
            let output = loaded.model.output(&measured.output).map_err(|error| error.raised(py))?;
            let record = measured.record.record();
            let channel = record.channel(&measured.channel).map_err(|error| error.raised(py))?;
            let weight = measured.weight.unwrap_or(1.0);
            cost = cost.with_record(output, record, channel, weight).map_err(|error| error.raised(py))?;
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
        Ok(Self(ParameterCost::new(loaded.model.system(), problem, cost, estimate.setup.values, unknown)))
    }

    /// Number of residuals.
    #[getter]
    fn samples(&self) -> usize {
        self.0.residual_count()
    }

    /// Step and end of the run in s.
    #[getter]
    fn grid(&self) -> (f64, f64) {
        let settings = self.0.problem().settings();
        (settings.step, settings.end)
    }

    fn value(&self, py: Python<'_>, x: Numbers) -> PyResult<f64> {
        self.at(py, &x, |cost, x| cost.value(x))
    }

    fn value_and_gradient<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<(f64, Bound<'py, PyArray1<f64>>)> {
        let (value, gradient) = self.at(py, &x, |cost, x| cost.value_and_gradient(x))?;
        Ok((value, PyArray1::from_vec(py, gradient)))
    }

    fn residuals<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.at(py, &x, |cost, x| cost.residuals(x))?))
    }

    /// The derivatives of the residuals by the unknowns, a row for each unknown.
    fn jacobian_transposed<'py>(&self, py: Python<'py>, x: Numbers) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = self.at(py, &x, |cost, x| cost.jacobian_columns(x))?;
        matrix(py, all.concat(), self.0.residual_count())
    }

    fn jvp<'py>(&self, py: Python<'py>, x: Numbers, v: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(py, "v", &v, self.0.unknown.len())?;
        Ok(PyArray1::from_vec(py, self.at(py, &x, |cost, x| cost.jacobian_product(x, &v.0))?))
    }

    fn vjp<'py>(&self, py: Python<'py>, x: Numbers, w: Numbers) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(py, "w", &w, self.0.residual_count())?;
        Ok(PyArray1::from_vec(py, self.at(py, &x, |cost, x| cost.transposed_product(x, &w.0))?))
    }
}

/// A model of functions.
#[derive(Clone, Copy)]
struct Model(&'static dyn Differentiable);

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.description().name)
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
