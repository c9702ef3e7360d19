//! The gradient of an identification against dual numbers.

use costate_numerics::scalar::{Dual, Scalar};
use costate_system::check_gradient::{BothDerivatives, GradientReport};
use costate_system::gradient::CostTerms;
use costate_system::problem::SimulationError;
use costate_system::series::Series;
use costate_system::system::SecondOrder;

use super::definition::Definition;
use super::definition::error::IdentificationError;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::predicted::PredictedProblem;
use super::estimation::tables_at::with_dual_tables;

/// Half the smaller width of central differences, relative to the unknown: their errors are of fourth order in it.
const DIFFERENCE_WIDTH: f64 = 1e-4;

/// Part of the terms of a cost to which differences of predictions know its derivatives, by rounding and curvature.
const DIFFERENCE_ACCURACY: f64 = 1e-10;

impl Definition {
    pub(super) fn check_gradient(&self, system: &dyn SecondOrder) -> Result<GradientReport, IdentificationError> {
        let mut estimation = self.prepare()?;
        self.first_round(&mut estimation, false, None)?;
        let unknowns = estimation.state.parameters();
        let mut evaluation = self.evaluation(&estimation, None);
        let named = |(number, error): (usize, SimulationError)| estimation.in_experiment(number, error.into());
        let cost = evaluation.value(&unknowns).map_err(named)?;
        let gradient = evaluation.differentiate(&unknowns).map_err(named)?;
        let mut terms = CostTerms { size: 0.0, rounding: 0.0 };
        for prepared in &estimation.experiments {
            let own = prepared.cost_terms(&unknowns).map_err(|error| named((prepared.number, error)))?;
            terms.size += own.size;
            terms.rounding += own.rounding;
        }
        for predicted in &estimation.predictions {
            let own = predicted.cost_terms(&unknowns).map_err(|error| named((predicted.number, error)))?;
            terms.size += own.size;
            terms.rounding += own.rounding;
        }
        let mut derivatives = Vec::new();
        for (k, (unknown, adjoint)) in estimation.unknowns.iter().zip(gradient).enumerate() {
            derivatives.push(BothDerivatives {
                unknown: unknown.name().to_owned(),
                value: unknowns[k],
                adjoint,
                dual: estimation.dual_derivative(system, &unknowns, k).map_err(named)?,
            });
        }
        Ok(GradientReport::of(cost, derivatives, &terms))
    }
}

impl EstimationProblem {
    /// dJ/dz_k by dual numbers, or the experiment that failed.
    fn dual_derivative(
        &self,
        system: &dyn SecondOrder,
        unknowns: &[f64],
        k: usize,
    ) -> Result<f64, (usize, SimulationError)> {
        let mut seeded: Vec<Dual> = unknowns.iter().map(|value| Dual::constant(*value)).collect();
        seeded[k].derivative = 1.0;
        let mut sum = Dual::default();
        for prepared in &self.experiments {
            let problem = prepared.driven.applied_dual(&prepared.problem, &seeded);
            let problem = problem.and_then(|problem| with_dual_tables(problem, &prepared.tables, &seeded));
            let outputs = problem.and_then(|problem| system.outputs_dual(&problem, &prepared.dual_parameters(&seeded)));
            let outputs = outputs.map_err(|error| (prepared.number, error))?;
            sum += prepared.comparison.value_dual(&outputs, &seeded);
        }
        for predicted in &self.predictions {
            let found = predicted.differences(unknowns, k).map_err(|error| (predicted.number, error))?;
            sum += predicted.comparison.value_dual(&found, &seeded);
        }
        sum += self.priors.cost(&seeded);
        Ok(sum.derivative)
    }
}

impl PredictedProblem {
    /// Returns the numbers with their derivatives by unknown k, by central differences of the prediction in two widths.
    fn differences(&self, unknowns: &[f64], k: usize) -> Result<Series<Dual>, SimulationError> {
        let own = self.outputs(unknowns)?;
        let mut all = Series::zeros(own.step(), own.width(), own.samples());
        let width = DIFFERENCE_WIDTH * if unknowns[k] == 0.0 { 1.0 } else { unknowns[k].abs() };
        let at = |change: f64| {
            let mut changed = unknowns.to_vec();
            changed[k] += change;
            self.outputs(&changed)
        };
        let depends = self.selection.unknowns.contains(&k);
        let around = match depends {
            true => Some([at(width)?, at(-width)?, at(2.0 * width)?, at(-2.0 * width)?]),
            false => None,
        };
        for i in 0..own.samples() {
            let number = |series: &Series<f64>| series.row(i).first().copied().unwrap_or(f64::NAN);
            let derivative = around.as_ref().map_or(0.0, |[right, left, far_right, far_left]| {
                let near = number(right) - number(left);
                (8.0 * near - (number(far_right) - number(far_left))) / (12.0 * width)
            });
            all.row_mut(i).fill(Dual { value: number(&own), derivative });
        }
        Ok(all)
    }

    /// The terms that the derivative of the cost of the prediction is made of; central differences know derivatives to
    /// a part of them.
    fn cost_terms(&self, unknowns: &[f64]) -> Result<CostTerms, SimulationError> {
        let outputs = self.outputs(unknowns)?;
        let by_outputs = self.comparison.gradient(&outputs, unknowns, &mut vec![0.0; unknowns.len()]);
        let products = (0..outputs.samples()).flat_map(|i| outputs.row(i).iter().zip(by_outputs.row(i)));
        let size: f64 = products.map(|(value, by_value)| (value * by_value).abs()).sum();
        Ok(CostTerms { size, rounding: DIFFERENCE_ACCURACY * size })
    }
}

impl ExperimentProblem {
    fn dual_parameters(&self, unknowns: &[Dual]) -> Vec<Dual> {
        let mut parameters: Vec<Dual> = self.known.iter().map(|value| Dual::constant(*value)).collect();
        for (&index, &unknown) in self.selection.parameters.iter().zip(&self.selection.unknowns) {
            parameters[index] = unknowns[unknown];
        }
        parameters
    }

    /// The terms that the derivative of the experiment's cost is made of.
    fn cost_terms(&self, unknowns: &[f64]) -> Result<CostTerms, SimulationError> {
        let problem = self.problem_at(unknowns)?;
        let mut run = problem.run(&self.parameters(unknowns))?;
        let mut by_unknowns = vec![0.0; unknowns.len()];
        let by_outputs = self.comparison.gradient(run.outputs(), unknowns, &mut by_unknowns);
        let terms = self.model.cost_terms(&problem, (&mut run).into(), &by_outputs)?;
        // what corrections add is relative to themselves
        let of_corrections = by_unknowns.iter().zip(unknowns).map(|(derivative, z)| (derivative * z).abs());
        Ok(CostTerms { size: of_corrections.fold(terms.size, f64::max), ..terms })
    }
}
