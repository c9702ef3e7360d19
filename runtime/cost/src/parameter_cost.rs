//! Least squares as a function of parameters, for the optimisers of others.

use costate_system::gradient::each_sample;
use costate_system::interrupt::Interrupt;
use costate_system::model::Differentiable;
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::{Cost as _, LeastSquares, MeasuredChannel};

/// The cost J(x) = 1/2 sum_j r_j(x)^2 of runs with the unknown parameters x, with exact derivatives.
///
/// Residuals r_j are those of all channels of a [`LeastSquares`], one channel after another, times the roots of their
/// weights. Slices `x` have one number for each unknown; an unknown without one keeps its value in `values`.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
/// #         inputs { drive: N }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: drive - c*x - d*dot(x) }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// use costate::cost::{LeastSquares, ParameterCost, Quadrature};
/// use costate::{Model, Simulation};
///
/// # fn main() -> anyhow::Result<()> {
/// let problem = Simulation::new(&Mount::default()).input(Mount::DRIVE, 50.0).step(1e-3).until(1.0).problem()?;
/// let measured = LeastSquares::new(1e-3, problem.samples(), Quadrature::Sum)
///     .with_channel(Mount::POSITION, &[0.1, 0.2, 0.3], &[0.2e-3, 0.7e-3, 0.4e-3], 1.0)?;
/// let cost = ParameterCost::new(Mount::differentiable(), problem, measured, vec![20.0, 100e3, 40.0], vec![1, 2]);
/// let x = [90e3, 50.0];
/// let (value, gradient) = cost.value_and_gradient(&x)?;
/// let (residuals, columns) = (cost.residuals(&x)?, cost.jacobian_columns(&x)?);
/// assert!((value - 0.5 * residuals.iter().map(|r| r * r).sum::<f64>()).abs() < 1e-12 * value);
/// for ((by, product), column) in gradient.iter().zip(cost.transposed_product(&x, &residuals)?).zip(&columns) {
///     let sum: f64 = column.iter().zip(&residuals).map(|(by, r)| by * r).sum();
///     assert!((by - product).abs() < 1e-10 * by.abs() && (by - sum).abs() < 1e-10 * by.abs());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ParameterCost {
    system: &'static dyn Differentiable,
    problem: Problem,
    /// The measured channels, which more may follow.
    pub measured: LeastSquares,
    values: Vec<f64>,
    /// Indices of the parameters that are x.
    pub unknown: Vec<usize>,
}

impl std::fmt::Debug for ParameterCost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.system.description().name;
        f.debug_struct("ParameterCost").field("model", &name).field("unknown", &self.unknown).finish_non_exhaustive()
    }
}

impl ParameterCost {
    /// Creates the cost of runs of a model. `values` are those of all parameters, `unknown` the indices of those that
    /// are x.
    pub fn new(
        system: &'static dyn Differentiable,
        problem: Problem,
        measured: LeastSquares,
        values: Vec<f64>,
        unknown: Vec<usize>,
    ) -> Self {
        Self { system, problem, measured, values, unknown }
    }

    /// Returns the cost with runs that end when `flag` is raised.
    #[must_use]
    pub fn with_interrupt(mut self, flag: Interrupt) -> Self {
        self.problem = self.problem.with_interrupt(flag);
        self
    }

    /// Returns the settings and inputs of the runs.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the number of residuals.
    pub fn residual_count(&self) -> usize {
        self.measured.channels().iter().map(|channel| channel.values().len()).sum()
    }

    /// Returns J(x).
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn value(&self, x: &[f64]) -> Result<f64, SimulationError> {
        Ok(self.measured.value(&self.outputs(x)?))
    }

    /// Returns J(x) and its derivatives by x.
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn value_and_gradient(&self, x: &[f64]) -> Result<(f64, Vec<f64>), SimulationError> {
        let mut run = self.system.run(&self.problem, &self.parameters(x))?;
        let (value, by) = (self.measured.value(run.outputs()), self.measured.output_gradient(run.outputs()));
        let mut all = self.system.gradients(&self.problem, (&mut run).into(), &[&by], &self.unknown)?;
        Ok((value, all.pop().unwrap_or_default()))
    }

    /// Returns the residuals r(x).
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn residuals(&self, x: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let outputs = self.outputs(x)?;
        let of_channel = |channel: &MeasuredChannel| -> Vec<f64> {
            channel.residuals(&outputs).zip(channel.weights()).map(|(one, weight)| weight.sqrt() * one).collect()
        };
        Ok(self.measured.channels().iter().flat_map(of_channel).collect())
    }

    /// Returns the derivatives of all residuals by x, the column of one unknown after another, by direct
    /// differentiation.
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn jacobian_columns(&self, x: &[f64]) -> Result<Vec<Vec<f64>>, SimulationError> {
        let unknowns = self.unknown.len();
        let unit = |k| (0..unknowns).map(|j| f64::from(j == k)).collect();
        self.directional(x, &Vec::from_iter((0..unknowns).map(unit)))
    }

    /// Returns the derivative of the residuals at x along `direction`, the product of their Jacobian with it.
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn jacobian_product(&self, x: &[f64], direction: &[f64]) -> Result<Vec<f64>, SimulationError> {
        Ok(self.directional(x, &[direction.to_vec()])?.pop().unwrap_or_default())
    }

    /// Returns the product of `weights`, one for each residual, with the Jacobian of the residuals at x, by the
    /// discrete adjoint.
    ///
    /// # Errors
    /// [`SimulationError`].
    pub fn transposed_product(&self, x: &[f64], weights: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let mut run = self.system.run(&self.problem, &self.parameters(x))?;
        let outputs = run.outputs();
        let mut by = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        self.measured.add_residual_products(weights, &mut by);
        let mut all = self.system.gradients(&self.problem, (&mut run).into(), &[&by], &self.unknown)?;
        Ok(all.pop().unwrap_or_default())
    }

    /// Returns all parameters at these unknowns.
    fn parameters(&self, x: &[f64]) -> Vec<f64> {
        let mut values = self.values.clone();
        for (&index, &value) in self.unknown.iter().zip(x) {
            if let Some(place) = values.get_mut(index) {
                *place = value;
            }
        }
        values
    }

    fn outputs(&self, x: &[f64]) -> Result<Series<f64>, SimulationError> {
        self.system.outputs(&self.problem, &self.parameters(x))
    }

    /// Multiplies the derivatives of the residuals by directions of the unknowns.
    fn directional(&self, x: &[f64], directions: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, SimulationError> {
        let mut run = self.system.run(&self.problem, &self.parameters(x))?;
        let outputs = run.outputs();
        let zeros = || Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut all: Vec<Series<f64>> = directions.iter().map(|_| zeros()).collect();
        each_sample(self.system, &self.problem, (&mut run).into(), &self.unknown, |i, rows| {
            for (series, direction) in all.iter_mut().zip(directions) {
                for (row, factor) in rows.iter().zip(direction).filter(|(_, factor)| **factor != 0.0) {
                    series.row_mut(i).iter_mut().zip(row).for_each(|(sum, by)| *sum += factor * by);
                }
            }
            Ok::<(), SimulationError>(())
        })?;
        let of_channel = |channel: &MeasuredChannel, series: &Series<f64>| -> Vec<f64> {
            channel.interpolated(series).zip(channel.weights()).map(|(value, weight)| weight.sqrt() * value).collect()
        };
        let channels = self.measured.channels();
        let weighted = |series| channels.iter().flat_map(|channel| of_channel(channel, series)).collect();
        Ok(all.iter().map(weighted).collect())
    }
}
