//! The shifts of the found unknowns by the errors of the steps, and by another course of the inputs between their
//! samples.

use nalgebra::DVector;
use rayon::prelude::*;

use costate_numerics::scalar::largest::largest;
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use super::covariance::{ChannelRows, normal_equations, weighted};
use super::driven::DrivenInputs;
use super::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::linearized_run::LinearizedRun;
use super::tables_at::with_tables;

/// The residuals of channels and of further costs of another run, and the factor from their change to what moves the
/// unknowns.
pub(crate) struct Other {
    pub channels: Vec<ChannelRows>,
    costs: Vec<Option<ChannelRows>>,
    /// Error of the steps in units of the change by halving them; -1 for other residuals in place of the own ones.
    factor: f64,
}

/// Effects of other residuals, such as those without the errors of the steps.
#[derive(Debug, Clone)]
pub(crate) struct StepEffects {
    /// Shift of each unknown; NaN for unknowns that the data do not determine.
    pub shifts: Vec<f64>,
    /// Largest change of the residuals of each further cost.
    pub of_costs: Vec<f64>,
}

impl EstimationProblem {
    /// Computes how far the errors e of the steps move the minimum from that of exact runs, to first order,
    ///
    /// ```text
    /// -(S^T W S)^-1 S^T W e
    /// ```
    ///
    /// with the errors of all residuals, including those of further costs, from runs with half the steps. `rows` are
    /// those of channels, further costs and priors, by the unknowns times `scales`; the shift is NaN for unknowns
    /// that the data do not determine. `None` where runs were not stored, have no solution in finer steps, or a
    /// number is not finite.
    pub fn effects_of_steps(
        &self,
        found: &[LinearizedRun],
        rows: &[ChannelRows],
        (unknowns, scales): (&[f64], &[f64]),
    ) -> Option<StepEffects> {
        if self.experiments.is_empty() {
            return None;
        }
        let halved = self.experiments.par_iter().zip(found);
        let halved = halved.map(|(prepared, found)| prepared.halved(found, unknowns));
        let halved: Vec<Other> = halved.collect::<Option<_>>()?;
        self.effects_of(&halved, rows, (unknowns, scales))
    }

    /// Computes to first order by how much the found unknowns would move if the inputs of `others`, one for each
    /// experiment, drove the runs; `None` for an experiment whose inputs are the same. NaN for unknowns that the data
    /// do not determine.
    pub fn shifts_by_inputs(
        &self,
        others: &[Option<(Problem, DrivenInputs)>],
        rows: &[ChannelRows],
        (unknowns, scales): (&[f64], &[f64]),
    ) -> Option<Vec<f64>> {
        if others.len() != self.experiments.len() || others.iter().all(Option::is_none) {
            return None;
        }
        let mut own = rows.iter();
        let mut all = Vec::new();
        for (prepared, other) in self.experiments.iter().zip(others) {
            let own: Vec<ChannelRows> = own.by_ref().take(prepared.comparison.channels.len()).cloned().collect();
            let of_costs = prepared.comparison.costs.terms().len();
            all.push(match other {
                Some((problem, driven)) => prepared.driven_otherwise(problem, driven, unknowns)?,
                None if of_costs == 0 => Other { channels: own, costs: Vec::new(), factor: 0.0 },
                None => return None,
            });
        }
        Some(self.effects_of(&all, rows, (unknowns, scales))?.shifts)
    }

    /// Simulates all experiments without storing states; `None` where a run fails.
    pub fn compared_runs(&self, unknowns: &[f64]) -> Option<Vec<Other>> {
        let outputs = self.outputs(unknowns).ok()?;
        let compared = |(prepared, outputs): (&ExperimentProblem, _)| prepared.compared_with(outputs, unknowns);
        Some(self.experiments.iter().zip(&outputs).map(compared).collect())
    }

    /// Computes to first order by how much the unknowns of a fit with residuals of the `first` runs would move with
    /// those of the `second` ones; the residuals of `rows` are replaced by the first ones. `None` where these runs have
    /// other residuals; NaN for unknowns that the data do not determine.
    pub fn shifts_between(
        &self,
        (first, second): (&[Other], &[Other]),
        rows: &mut [ChannelRows],
        (unknowns, scales): (&[f64], &[f64]),
    ) -> Option<Vec<f64>> {
        for (rows, own) in rows.iter_mut().zip(first.iter().flat_map(|of_it| &of_it.channels)) {
            if rows.residuals.len() != own.residuals.len() {
                return None;
            }
            rows.residuals.clone_from(&own.residuals);
        }
        Some(self.effects_of(second, rows, (unknowns, scales))?.shifts)
    }

    /// Computes to first order by how much the found unknowns would move if each of these parameters were larger by the
    /// fraction `relative`; `None` where no run is possible with it.
    ///
    /// # Errors
    /// Those of inputs and tables at the unknowns.
    pub fn shifts_by_parameters(
        &self,
        parameters: &[usize],
        relative: f64,
        rows: &[ChannelRows],
        (unknowns, scales): (&[f64], &[f64]),
    ) -> Result<Vec<Option<Vec<f64>>>, SimulationError> {
        // those of an experiment, for each parameter
        let mut others: Vec<Vec<Option<Other>>> = Vec::new();
        for prepared in &self.experiments {
            let changed = parameters.iter().map(|&index| prepared.parameters_with(index, relative, unknowns));
            let problem = prepared.problem_at(unknowns)?.into_owned().without_progress();
            let outputs = problem.outputs_each(&changed.collect::<Vec<_>>());
            let other = |outputs: Result<Series<f64>, SimulationError>| {
                outputs.ok().map(|outputs| prepared.compared_with(&outputs, unknowns))
            };
            others.push(outputs.into_iter().map(other).collect());
        }
        let mut shifts = Vec::new();
        for k in 0..parameters.len() {
            let of_parameter = others.iter_mut().map(|all| all[k].take()).collect::<Option<Vec<_>>>();
            let effects = of_parameter.and_then(|others| self.effects_of(&others, rows, (unknowns, scales)));
            shifts.push(effects.map(|effects| effects.shifts));
        }
        Ok(shifts)
    }

    /// Computes the effects of `others`, one for each experiment.
    fn effects_of(
        &self,
        others: &[Other],
        rows: &[ChannelRows],
        (unknowns, scales): (&[f64], &[f64]),
    ) -> Option<StepEffects> {
        let of_channels = others.iter().flat_map(|of_it| of_it.channels.iter().map(|rows| (Some(rows), of_it.factor)));
        let of_costs = others.iter().flat_map(|of_it| of_it.costs.iter().map(|rows| (rows.as_ref(), of_it.factor)));
        // predictions have no steps
        let of_runs = self.run_channels();
        let channels = self.channels().count();
        let of_predictions = rows.iter().take(channels).skip(of_runs).map(|own| (Some(own), 0.0));
        let (mut slope, mut errors) = (DVector::zeros(unknowns.len()), Vec::new());
        for (place, (own, (finer, factor))) in
            rows.iter().zip(of_channels.chain(of_predictions).chain(of_costs)).enumerate()
        {
            let finer = &finer?.residuals;
            if finer.len() != own.residuals.len() {
                return None;
            }
            slope += (own.slope() - own.slope_of(finer)) * factor;
            if place >= channels {
                let of_residuals = own.residuals.iter().zip(finer).map(|(own, finer)| factor * (own - finer).abs());
                errors.push(largest(of_residuals));
            }
        }
        let factors = rows.iter().map(|rows| weighted(rows, unknowns.len())).collect::<Option<Vec<_>>>()?;
        let shift = normal_equations(&factors, unknowns.len()).solve(&slope);
        let shifts: Vec<f64> = shift.iter().zip(scales).map(|(shift, scale)| -shift * scale).collect();
        let is_known = !shifts.iter().any(|shift| shift.is_infinite());
        is_known.then_some(StepEffects { shifts, of_costs: errors })
    }
}

impl ExperimentProblem {
    /// Returns the residuals with half the steps, at the unknowns of the run that was `found`.
    fn halved(&self, found: &LinearizedRun, unknowns: &[f64]) -> Option<Other> {
        let order = found.accuracy.as_ref()?.order;
        // halving the steps removes all of an error but the part 2^-order
        let power = 2f64.powi(order as i32);
        let outputs = self.halved_outputs((&found.outputs, found.parts), unknowns).ok()?;
        Some(Other {
            channels: self.comparison.channel_rows(&outputs, &[], unknowns),
            costs: self.comparison.cost_rows(&outputs, &[], unknowns.len()),
            factor: power / (power - 1.0),
        })
    }

    /// Returns the residuals with the inputs of another problem.
    fn driven_otherwise(&self, problem: &Problem, driven: &DrivenInputs, unknowns: &[f64]) -> Option<Other> {
        let driven = driven.applied(problem, unknowns).ok()?;
        let problem = with_tables(driven, &self.tables, unknowns).ok()?.into_owned();
        let outputs = problem.without_progress().outputs(&self.parameters(unknowns)).ok()?;
        Some(self.compared_with(&outputs, unknowns))
    }

    /// Returns the residuals of other outputs in place of the own ones.
    fn compared_with(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Other {
        Other {
            channels: self.comparison.channel_rows(outputs, &[], unknowns),
            costs: self.comparison.cost_rows(outputs, &[], unknowns.len()),
            factor: -1.0,
        }
    }

    /// Returns the outputs less the part of their errors that half the steps remove.
    fn halved_outputs(
        &self,
        (own, parts): (&Series<f64>, usize),
        unknowns: &[f64],
    ) -> Result<Series<f64>, SimulationError> {
        let (problem, parameters) = (self.problem_at(unknowns)?, self.parameters(unknowns));
        let mut halved = problem.refined()?.without_progress().outputs(&parameters)?;
        if parts > 1 {
            // errors of finer steps are parts of those of the problem's own steps, of second order
            let part = 1.0 / (parts * parts) as f64;
            let coarse = problem.outputs(&parameters)?;
            for i in 0..halved.samples().min(own.samples()) {
                let of_both = own.row(i).iter().zip(coarse.row(i));
                let change = |(halved, (own, coarse)): (&mut f64, (&f64, &f64))| {
                    *halved = own + part * (*halved - coarse);
                };
                halved.row_mut(i).iter_mut().zip(of_both).for_each(change);
            }
        }
        Ok(halved)
    }
}
