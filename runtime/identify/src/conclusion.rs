//! The end of an identification: the fit after its last minimisation, with covariances, doubts and causes.

use costate_cost::explained_percent;
use costate_cost::residuals::{Cause, root_mean_square};
use costate_system::problem::Problem;
use costate_system::series::Series;

use super::chosen_steps::exceeds_noise;
use super::definition::Definition;
use super::definition::experiment::ExperimentDefinition;
use super::definition::step_choice::StepChoice;
use super::estimation::covariance::{ChannelRows, Covariance, covariance};
use super::estimation::driven::DrivenInputs;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::observed::Observed;
use super::estimation::reweighting::Round;
use super::result::explanation::Explanation;
use super::result::fit::FitResults;
use super::result::moved_by_steps::advised_part;
use super::result::outcome::Outcome;
use super::result::summary::FittedCost;
use super::run::LastRound;

impl Definition {
    /// Returns the fit after the last minimisation, its state, and the steps that are chosen in place of those before.
    pub(super) fn conclude(
        &self,
        estimation: &EstimationProblem,
        last: LastRound,
    ) -> (FitResults, Round, Option<StepChoice>) {
        /// Largest part of the errors of the steps to which residuals show that the measured values have the same
        /// errors.
        const MAX_SAME_STEPS: f64 = 1e-3;
        let LastRound { round, found, mut rows, spent, failed, mut ended, .. } = last;
        let unknowns = round.state.parameters();
        let count = unknowns.len();
        let mut explanation = Explanation::of(estimation, &found, &rows, &unknowns);
        let has_grown = round.growth.is_some();
        let taken_up = explanation.suspect((estimation, &found, &rows), &unknowns, (&ended.at_start, has_grown));
        ended.remarks.extend(taken_up);
        let scales = self.wrong_scales(estimation, &explanation, &unknowns);
        // beyond a resonance, signs are reversed: a fit with gains of this sign would have found a wrong one
        if scales.as_ref().is_some_and(Vec::is_empty) && explanation.forget_signs_at_start() {
            ended.at_start.retain(|one| !matches!(one.cause, Cause::Sign { .. }));
            explanation.suspect((estimation, &found, &rows), &unknowns, (&ended.at_start, has_grown));
        }
        let causes = scales.filter(|scales| !scales.is_empty());
        let causes = causes.unwrap_or_else(|| self.contradicting_costs(&explanation));
        let causes = match causes.is_empty() {
            true => self.wrong_responses(estimation, &explanation, &unknowns),
            false => causes,
        };
        if !causes.is_empty() {
            explanation.suspect_instead(causes);
        }
        let channels = rows.len();
        let mut costs = Vec::new();
        for (prepared, of_it) in estimation.experiments.iter().zip(&found) {
            let of_costs = prepared.comparison.cost_rows(&of_it.outputs, &of_it.derivatives, count);
            for ((weight, cost), of_cost) in prepared.comparison.costs.terms().zip(of_costs) {
                let lines = cost.lines(&of_it.outputs);
                costs.push(FittedCost {
                    experiment: estimation.name_of(prepared.number).map(str::to_owned),
                    name: cost.name(),
                    weight,
                    fit_percent: explained_percent(&lines),
                    step_error: None,
                    lines,
                    cost: cost.value(&of_it.outputs),
                    residuals: of_cost.as_ref().map_or(0, |rows| rows.residuals.len()),
                    standard_deviation: f64::INFINITY,
                });
                rows.push(of_cost.unwrap_or_else(|| ChannelRows::unknown(count)));
            }
        }
        rows.extend(estimation.priors.rows(&unknowns));
        let variables = round.state.variables().iter().zip(&unknowns);
        let scales: Vec<f64> = variables.map(|(variable, p)| variable.slope(*p)).collect();
        rows.iter_mut().for_each(|rows| rows.scale(&scales));
        let step_effects = estimation.effects_of_steps(&found, &rows, (&unknowns, &scales));
        let input_shifts = match round.growth.as_ref().is_some_and(|growth| growth.only_in_pieces) {
            true => None,
            false => estimation.shifts_by_inputs(&self.experiments_otherwise(estimation), &rows, (&unknowns, &scales)),
        };
        let errors = step_effects.iter().flat_map(|effects| &effects.of_costs);
        let mut left = explanation.left.clone();
        for (cost, (rows, error)) in costs.iter_mut().zip(rows[channels..].iter().zip(errors)) {
            cost.step_error = Some(*error);
            left.push(root_mean_square(&rows.residuals) / error);
        }
        // data that have been made with the same steps have the same errors
        let is_of_same_steps = !left.is_empty() && left.iter().all(|left| *left < MAX_SAME_STEPS);
        let step_shifts = step_effects.as_ref().filter(|_| !is_of_same_steps).map(|effects| effects.shifts.clone());
        let is_unknown = |(number, channel): (usize, &Observed)| channel.is_unknown.then_some(number);
        let unknown = estimation.channels().enumerate().filter_map(is_unknown);
        let covariance = physical(covariance(&rows, count), &scales).without_deviations(unknown);
        let deviations: Vec<f64> = covariance.matrix.diagonal().iter().map(|variance| variance.sqrt()).collect();
        let mut next = None;
        if let Some(shifts) = step_shifts.as_ref().filter(|_| self.choice.is_some() && self.chooses_steps()) {
            let in_deviations = shifts.iter().zip(&deviations).map(|(shift, deviation)| shift / deviation);
            let noise = &covariance.deviations;
            if advised_part(in_deviations, 1).is_some() || exceeds_noise(estimation, &found, (&unknowns, noise)) {
                next = self.chosen_again((estimation, &round), &mut rows, (&scales, &deviations), noise);
            }
        }
        let order_four = step_shifts.as_ref().filter(|_| self.choice.is_none()).and_then(|shifts| {
            let in_deviations = shifts.iter().zip(&deviations).map(|(shift, deviation)| shift / deviation);
            let part = advised_part(in_deviations, LinearizedRun::order_of(&found))?;
            self.order_for_unknowns((estimation, &round), &mut rows, (&scales, &deviations), part)
        });
        let results = FitResults::of(Outcome {
            model: &self.model,
            estimation,
            loss: self.loss,
            unknown_tables: &self.unknown_tables,
            tables: &self.tables,
            found,
            assumed_units: self.assumed_units(estimation),
            measured_inputs: self.measured_inputs(),
            costs,
            step_shifts,
            order_four,
            chosen: self.chosen_steps(estimation),
            input_shifts,
            inputs_by_default: self.straight_inputs(),
            explanation,
            covariance,
            cost_start_weighed: self.cost_start_weighed(estimation, &round),
            round: &round,
            ended,
            spent,
            failed,
        });
        (results, round, next)
    }

    /// Returns the experiments with another course of their sampled inputs between the samples; `None` where it is the
    /// same.
    fn experiments_otherwise(&self, estimation: &EstimationProblem) -> Vec<Option<(Problem, DrivenInputs)>> {
        let each = estimation.experiments.iter().zip(self.fitted_runs());
        let otherwise = |(prepared, experiment): (&ExperimentProblem, &ExperimentDefinition)| {
            let mut driven = prepared.driven.clone();
            driven.delayed.iter_mut().for_each(|delayed| *delayed = delayed.otherwise());
            let other = self.inputs_otherwise(experiment, &prepared.problem, &prepared.known)?;
            let is_same = other.inputs() == prepared.problem.inputs() && driven.delayed.is_empty();
            (!is_same).then_some((other, driven))
        };
        each.map(otherwise).collect()
    }

    /// Lists the sampled inputs that are straight between their samples because nothing else was said.
    fn straight_inputs(&self) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = Vec::new();
        for experiment in self.fitted_runs() {
            for input in self.inputs_by_default(experiment) {
                if !all.contains(&input) {
                    all.push(input);
                }
            }
        }
        all
    }

    /// Returns J at the start values with the weights of the last minimisation; `None` where these are the first ones,
    /// or where the start cannot be simulated.
    fn cost_start_weighed(&self, estimation: &EstimationProblem, round: &Round) -> Option<f64> {
        let first = round.earlier.first().filter(|_| estimation.estimates_deviations())?;
        let start: Vec<f64> = first.variables().iter().map(|variable| variable.start()).collect();
        self.evaluation(estimation, None).value(&start).ok()
    }
}

/// Transforms the covariance of the scaled variables to that of the unknowns.
fn physical(mut covariance: Covariance, scales: &[f64]) -> Covariance {
    for (row, a) in scales.iter().enumerate() {
        for (column, b) in scales.iter().enumerate() {
            covariance.matrix[(row, column)] *= a * b;
        }
    }
    covariance
}

/// Returns the outputs of all experiments.
pub(super) fn outputs_of(found: &[LinearizedRun]) -> Vec<&Series<f64>> {
    found.iter().map(|found| &found.outputs).collect()
}
