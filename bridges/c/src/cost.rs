//! Least squares of outputs against samples, with exact derivatives.

use std::ffi::{c_int, c_long, c_void};

use costate::command::each_sample;
use costate::cost::{Cost as _, LeastSquares, Quadrature};
use costate::model::Differentiable;
use costate::simulate::{Problem, Series, SimulationError};

use crate::boundary::{Failure, exported};
use crate::handles::{Handle, free, keep, with};
use crate::memory::{In, Out};
use crate::model::no_index;
use crate::simulation::settings_of;

/// J(x) = 1/2 sum_j r_j(x)^2 of a run with the parameters x.
#[derive(Debug)]
pub struct CostObject {
    system: Model,
    problem: Problem,
    cost: LeastSquares,
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

impl CostObject {
    /// Returns all parameters at these unknowns.
    fn parameters(&self, x: In, count: usize) -> Result<Vec<f64>, Failure> {
        let given = x.exactly("x", count, self.unknown.len())?;
        let mut values = self.values.clone();
        for (&index, &value) in self.unknown.iter().zip(given) {
            if let Some(place) = values.get_mut(index) {
                *place = value;
            }
        }
        Ok(values)
    }

    fn count(&self) -> usize {
        self.cost.channels().iter().map(|channel| channel.values().len()).sum()
    }

    /// Refuses a cost of nothing.
    fn check(&self) -> Result<(), Failure> {
        if self.count() > 0 {
            return Ok(());
        }
        Err(Failure::data("the cost compares nothing; give samples of an output by costate_cost_measure"))
    }

    fn residuals(&self, outputs: &Series<f64>) -> Vec<f64> {
        let channels = self.cost.channels().iter();
        let of = channels.flat_map(|channel| channel.residuals(outputs).zip(channel.weights()));
        of.map(|(residual, weight)| weight.sqrt() * residual).collect()
    }

    /// Returns the derivatives of the residuals by the unknowns, a row for each residual.
    fn jacobian(&self, parameters: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut run = self.system.0.run(&self.problem, parameters)?;
        let outputs = run.outputs();
        let zeros = || Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut all: Vec<Series<f64>> = self.unknown.iter().map(|_| zeros()).collect();
        each_sample(self.system.0, &self.problem, (&mut run).into(), &self.unknown, |i, rows| {
            for (series, row) in all.iter_mut().zip(rows) {
                series.row_mut(i).copy_from_slice(row);
            }
            Ok::<(), SimulationError>(())
        })?;
        let columns = self.unknown.len();
        let mut jacobian = vec![0.0; self.count() * columns];
        for (column, series) in all.iter().enumerate() {
            let channels = self.cost.channels().iter();
            let of = channels.flat_map(|channel| channel.interpolated(series).zip(channel.weights()));
            for (row, (value, weight)) in jacobian.chunks_exact_mut(columns).zip(of) {
                row[column] = weight.sqrt() * value;
            }
        }
        Ok(jacobian)
    }
}

fn of<R>(cost: *mut c_void, work: impl FnOnce(&mut CostObject) -> Result<R, Failure>) -> Result<R, Failure> {
    with(Handle::given(cost), work)
}

exported! {
    /// Makes a cost of runs with the settings of a simulation.
    fn costate_cost_new(simulation: *mut c_void, quadrature: c_int) -> *mut c_void {
        let settings = settings_of(simulation)?;
        let quadrature = match quadrature {
            0 => Quadrature::Rectangle,
            1 => Quadrature::Trapezoid,
            2 => Quadrature::Sum,
            _ => return Err(Failure::argument(format!("there is no quadrature {quadrature}; give 0, 1 or 2"))),
        };
        let problem = settings.problem()?;
        keep(CostObject {
            system: Model(settings.model.system()),
            cost: LeastSquares::new(problem.settings().step, problem.samples(), quadrature),
            problem,
            unknown: (0..settings.values.len()).collect(),
            values: settings.values,
        })
    }

    /// Frees a cost.
    fn costate_cost_free(cost: *mut c_void) -> c_int {
        free::<CostObject>(Handle::given(cost))
    }

    /// Compares an output with samples.
    fn costate_cost_measure(
        cost: *mut c_void, output: usize, times: In, values: In, count: usize, weight: f64,
    ) -> c_int {
        of(cost, |cost| {
            let described = cost.system.0.description().outputs;
            let named = described.get(output).ok_or_else(|| no_index("output", output, described.len()))?;
            let (times, values) = (times.read("times", count)?, values.read("values", count)?);
            let output = cost.system.0.output(named.name)?;
            cost.cost = cost.cost.clone().with_channel(output, times, values, weight)?;
            Ok(())
        })
    }

    /// Chooses the parameters that are x.
    fn costate_cost_set_unknowns(cost: *mut c_void, parameters: In<usize>, count: usize) -> c_int {
        of(cost, |cost| {
            let given = parameters.read("parameters", count)?;
            for (at, &index) in given.iter().enumerate() {
                if index >= cost.values.len() {
                    return Err(no_index("parameter", index, cost.values.len()));
                }
                if given[..at].contains(&index) {
                    return Err(Failure::argument(format!("parameter {index} is named twice; name it once")));
                }
            }
            cost.unknown = given.to_vec();
            Ok(())
        })
    }

    /// Returns the number of residuals.
    fn costate_cost_residual_count(cost: *mut c_void) -> c_long {
        of(cost, |cost| Ok(cost.count()))
    }

    /// Writes J(x), and its gradient if it is wanted.
    fn costate_cost_evaluate(
        cost: *mut c_void, x: In, count: usize, value: Out, gradient: Out, gradient_count: usize,
    ) -> c_int {
        of(cost, |cost| {
            cost.check()?;
            let parameters = cost.parameters(x, count)?;
            if gradient.is_null() {
                let outputs = cost.system.0.outputs(&cost.problem, &parameters)?;
                return value.write("value", 1, &[cost.cost.value(&outputs)]);
            }
            gradient.check("gradient", gradient_count, cost.unknown.len())?;
            let mut run = cost.system.0.run(&cost.problem, &parameters)?;
            let (found, by) = (cost.cost.value(run.outputs()), cost.cost.output_gradient(run.outputs()));
            let mut all = cost.system.0.gradients(&cost.problem, (&mut run).into(), &[&by], &cost.unknown)?;
            value.write_one("value", found)?;
            gradient.write("gradient", gradient_count, &all.pop().unwrap_or_default())
        })
    }

    /// Writes the residuals r(x).
    fn costate_cost_residuals(cost: *mut c_void, x: In, count: usize, residuals: Out, residual_count: usize) -> c_int {
        of(cost, |cost| {
            cost.check()?;
            residuals.check("residuals", residual_count, cost.count())?;
            let outputs = cost.system.0.outputs(&cost.problem, &cost.parameters(x, count)?)?;
            residuals.write("residuals", residual_count, &cost.residuals(&outputs))
        })
    }

    /// Writes the derivatives of the residuals by x, by rows.
    fn costate_cost_jacobian(
        cost: *mut c_void, x: In, count: usize, jacobian: Out, rows: usize, columns: usize,
    ) -> c_int {
        of(cost, |cost| {
            cost.check()?;
            if (rows, columns) != (cost.count(), cost.unknown.len()) {
                let (expected, width) = (cost.count(), cost.unknown.len());
                let text = format!("jacobian has {rows} rows of {columns}; give {expected} rows of {width}");
                return Err(Failure::argument(text));
            }
            jacobian.check("jacobian", rows * columns, rows * columns)?;
            let all = cost.jacobian(&cost.parameters(x, count)?)?;
            jacobian.write("jacobian", rows * columns, &all)
        })
    }
}
