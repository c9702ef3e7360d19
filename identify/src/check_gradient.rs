//! The gradient of an identification against dual numbers.

use crate::gradient::CostTerms;
use crate::problem::SimulationError;
use crate::scalar::Dual;
use crate::scalar::Scalar;
use crate::system::SecondOrder;
use costate_system::check_gradient::{BothDerivatives, GradientReport};

use super::definition::Definition;
use super::definition::error::IdentificationError;
use super::estimation::evaluation::Evaluation;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::tables_at::with_dual_tables;

impl Definition {
    pub(super) fn check_gradient(
        &self,
        system: &dyn SecondOrder,
    ) -> Result<GradientReport, IdentificationError> {
        let mut estimation = self.prepare()?;
        self.first_round(&mut estimation, false)?;
        let unknowns = estimation.state.parameters();
        let mut evaluation = Evaluation::new(&estimation, self.optimizer.method, self.gradient_method);
        let named =
            |(number, error): (usize, SimulationError)| estimation.in_experiment(number, error.into());
        let cost = evaluation.value(&unknowns).map_err(named)?;
        let gradient = evaluation.differentiate(&unknowns).map_err(named)?;
        let mut terms = CostTerms { size: 0.0, rounding: 0.0 };
        for prepared in &estimation.experiments {
            let own = prepared.cost_terms(&unknowns).map_err(|error| named((prepared.number, error)))?;
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
            let outputs =
                problem.and_then(|problem| system.outputs_dual(&problem, &prepared.dual_parameters(&seeded)));
            let outputs = outputs.map_err(|error| (prepared.number, error))?;
            sum += prepared.comparison.value_dual(&outputs, &seeded);
        }
        sum += self.priors.cost(&seeded);
        Ok(sum.derivative)
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
