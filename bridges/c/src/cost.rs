//! Least squares of outputs against samples, with exact derivatives.

use std::ffi::{c_int, c_long, c_void};

use costate::cost::{LeastSquares, ParameterCost, Quadrature};
use costate::interpreted::LoadedModel;

use crate::boundary::{Failure, exported};
use crate::handles::{Handle, Kept, free, keep, with};
use crate::memory::{In, Out};
use crate::model::no_index;
use crate::simulation::settings_of;

/// A cost, and the model whose outputs are measured.
#[derive(Debug)]
pub struct CostObject {
    model: LoadedModel,
    cost: ParameterCost,
    parameters: usize,
}

impl Kept for CostObject {
    const KIND: usize = 4;
}

impl CostObject {
    /// Returns x, if there is one number for each unknown and something is compared.
    fn unknowns<'a>(&self, x: In, count: usize) -> Result<&'a [f64], Failure> {
        if self.cost.residual_count() == 0 {
            return Err(Failure::data("the cost compares nothing; give samples of an output by costate_cost_measure"));
        }
        x.exactly("x", count, self.cost.unknown.len())
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
        let measured = LeastSquares::new(problem.settings().step, problem.samples(), quadrature);
        let (model, parameters) = (settings.model, settings.values.len());
        let all = (0..parameters).collect();
        let cost = ParameterCost::new(model.system(), problem, measured, settings.values, all);
        keep(CostObject { model, cost, parameters })
    }

    /// Frees a cost.
    fn costate_cost_free(cost: *mut c_void) -> c_int {
        free::<CostObject>(Handle::given(cost))
    }

    /// Compares an output with samples.
    fn costate_cost_measure(
        cost: *mut c_void, output: usize, times: In, values: In, count: usize, weight: f64,
    ) -> c_int {
        of(cost, |own| {
            let described = own.model.description().outputs;
            let named = described.get(output).ok_or_else(|| no_index("output", output, described.len()))?;
            let (times, values) = (times.read("times", count)?, values.read("values", count)?);
            let measured = own.cost.measured.clone();
            own.cost.measured = measured.with_channel(own.model.output(named.name)?, times, values, weight)?;
            Ok(())
        })
    }

    /// Chooses the parameters that are x.
    fn costate_cost_set_unknowns(cost: *mut c_void, parameters: In<usize>, count: usize) -> c_int {
        of(cost, |own| {
            let given = parameters.read("parameters", count)?;
            for (at, &index) in given.iter().enumerate() {
                if index >= own.parameters {
                    return Err(no_index("parameter", index, own.parameters));
                }
                if given[..at].contains(&index) {
                    return Err(Failure::argument(format!("parameter {index} is named twice; name it once")));
                }
            }
            own.cost.unknown = given.to_vec();
            Ok(())
        })
    }

    /// Returns the number of residuals.
    fn costate_cost_residual_count(cost: *mut c_void) -> c_long {
        of(cost, |own| Ok(own.cost.residual_count()))
    }

    /// Writes J(x), and its gradient if it is wanted.
    fn costate_cost_evaluate(
        cost: *mut c_void, x: In, count: usize, value: Out, gradient: Out, gradient_count: usize,
    ) -> c_int {
        of(cost, |own| {
            let x = own.unknowns(x, count)?;
            if gradient.is_null() {
                return value.write("value", 1, &[own.cost.value(x)?]);
            }
            gradient.check("gradient", gradient_count, own.cost.unknown.len())?;
            let (found, derivatives) = own.cost.value_and_gradient(x)?;
            value.write_one("value", found)?;
            gradient.write("gradient", gradient_count, &derivatives)
        })
    }

    /// Writes the residuals r(x).
    fn costate_cost_residuals(cost: *mut c_void, x: In, count: usize, residuals: Out, residual_count: usize) -> c_int {
        of(cost, |own| {
            let x = own.unknowns(x, count)?;
            residuals.check("residuals", residual_count, own.cost.residual_count())?;
            residuals.write("residuals", residual_count, &own.cost.residuals(x)?)
        })
    }

    /// Writes the derivatives of the residuals by x, by rows.
    fn costate_cost_jacobian(
        cost: *mut c_void, x: In, count: usize, jacobian: Out, rows: usize, columns: usize,
    ) -> c_int {
        of(cost, |own| {
            let x = own.unknowns(x, count)?;
            let (expected, width) = (own.cost.residual_count(), own.cost.unknown.len());
            if (rows, columns) != (expected, width) {
                let text = format!("jacobian has {rows} rows of {columns}; give {expected} rows of {width}");
                return Err(Failure::argument(text));
            }
            jacobian.check("jacobian", rows * columns, rows * columns)?;
            let all = own.cost.jacobian_columns(x)?;
            let by_rows: Vec<f64> = (0..rows).flat_map(|row| all.iter().map(move |column| column[row])).collect();
            jacobian.write("jacobian", rows * columns, &by_rows)
        })
    }
}
