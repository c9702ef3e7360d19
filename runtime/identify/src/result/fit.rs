//! The result of an identification.

use std::sync::{Arc, OnceLock};

use costate_contract::BackEnd;
use costate_cost::residuals::ChannelAssessment;
use costate_numerics::scalar::array;
use costate_optimize::{Iteration, OptimizerState, Scaling, Stop, Variable};
use costate_system::identifiers::{Dynamic, Parameter};
use costate_system::model::Model;
use costate_system::state_file::fingerprint;
use costate_system::system::ModelValue;
use costate_system::table::Tables;
use serde::Serialize;

use super::fitted_experiment::{ExperimentResult, FittedExperiment};
use super::fitted_start::FittedStart;
use super::fitted_tables::{fitted_tables, with_fitted};
use super::measured_outputs::{measurements, validated};
use super::outcome::Outcome;
use super::predictions::{predictions, validated_prediction};
use super::remarks::remarks;
use super::summary::{
    AdaptiveSteps, FitSettings, FitSummary, FittedCost, FittedInput, FittedParameter, FittedRun, GrownParts,
    GrowthReason, InformationShare, SettledWeights,
};
use super::suspicions::Compared;
use crate::definition::error::RequestError;
use crate::estimation::covariance::in_units;
use crate::estimation::driven::KnotInput;
use crate::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use crate::estimation::predicted::PredictedProblem;
use crate::estimation::reweighting::Round;
use crate::solved::Solved;
use crate::validated_unknowns::OwnUnknowns;

/// A model with identified parameters; [`Display`](std::fmt::Display) prints them, and the starts of a multistart, as
/// tables; serde writes the [`FitSummary`], with a field `starts` after a multistart.
///
/// The fit keeps the data and the weights with which it was found: [`profiles`](Self::profiles),
/// [`bootstrap`](Self::bootstrap), [`leave_one_out`](Self::leave_one_out) and [`density`](Self::density) begin at the
/// minimum.
#[derive(Debug, Clone)]
pub struct Fit<M = Dynamic> {
    value: ModelValue,
    model: OnceLock<M>,
    summary: FitSummary,
    tables: Tables,
    experiments: Vec<FittedExperiment<M>>,
    assessments: Vec<ChannelAssessment>,
    starts: Arc<[FittedStart]>,
    pub(crate) solved: Arc<Solved>,
}

/// The results of a fit, without the problem that they solve.
pub(crate) struct FitResults {
    value: ModelValue,
    summary: FitSummary,
    tables: Tables,
    experiments: Vec<FittedExperiment>,
    assessments: Vec<ChannelAssessment>,
}

impl FitResults {
    pub(crate) fn of(outcome: Outcome<'_>) -> Self {
        let (estimation, state, matrix) = (outcome.estimation, &outcome.round.state, &outcome.covariance.matrix);
        let deviation = |k: usize| matrix[(k, k)].sqrt();
        let n = estimation.unknowns.len();
        let rows = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..n).map(|row| (0..n).map(|column| entry(row, column)).collect()).collect()
        };
        let correlation = |row: usize, column: usize| match row == column {
            true => 1.0,
            false => matrix[(row, column)] / (deviation(row) * deviation(column)),
        };
        let history = history(outcome.round);
        let unknowns = state.parameters();
        // flat directions are relative to the sizes of the unknowns
        let size = |(variable, found): (&Variable, &f64)| match variable.scaling() {
            Scaling::Logarithmic => *found,
            Scaling::Linear { .. } => found.abs().max(variable.start().abs()),
        };
        let sizes: Vec<f64> = state.variables().iter().zip(&unknowns).map(size).collect();
        let slopes = state.variables().iter().zip(&unknowns);
        let scales: Vec<f64> = slopes.map(|(variable, found)| variable.slope(*found)).collect();
        let mut assessments = outcome.explanation.assessments.clone();
        let (mut validation, mut of_validation) = (Vec::new(), Vec::new());
        for prepared in &estimation.validation {
            let (said, experiment, assessed) = validated(prepared, &unknowns);
            validation.push(said);
            of_validation.extend(experiment);
            assessments.extend(assessed);
        }
        for predicted in &estimation.validation_predictions {
            let (said, assessed) = validated_prediction(predicted, &unknowns);
            validation.push(said);
            assessments.extend(assessed);
        }
        for one in &mut validation {
            // predictions have their own name after that of the experiment
            let is_of_it = |own: &&OwnUnknowns| match one.experiment.strip_prefix(&own.experiment) {
                Some(rest) => rest.is_empty() || rest.starts_with(": "),
                None => false,
            };
            let own = outcome.ended.of_validation.iter().find(is_of_it);
            one.own = own.map_or(Vec::new(), |own| own.found.clone());
        }
        let weights =
            SettledWeights { rounds: outcome.round.earlier.len() + 1, settled: outcome.ended.weights_settled };
        let summary = FitSummary {
            model: outcome.model.name(),
            data: data(&outcome),
            parameters: parameters(&outcome, &deviation),
            tables: fitted_tables(outcome.unknown_tables, estimation, &outcome.covariance, &unknowns),
            inputs: inputs(estimation, &unknowns, &deviation),
            covariance: rows(&|row, column| matrix[(row, column)]),
            correlation: rows(&correlation),
            degrees_of_freedom: degrees_of_freedom(&outcome),
            undetermined: outcome.covariance.undetermined.iter().map(|one| in_units(one, &scales)).collect(),
            by_jumps: by_jumps(&outcome),
            flat: state.flat_directions().iter().map(|one| in_units(one, &sizes)).collect(),
            remarks: remarks(&outcome, &deviation),
            measurements: measurements(&outcome),
            predictions: predictions(
                estimation,
                &outcome.found,
                (&outcome.covariance.deviations, &outcome.explanation.degrees),
                (&unknowns, &outcome.round.start()),
            ),
            validation,
            shares: shares(&outcome),
            assumed_units: outcome.assumed_units.clone(),
            measured_inputs: outcome.measured_inputs.clone(),
            costs: costs(&outcome),
            deviations_valid: outcome.explanation.has_valid_deviations(),
            verdict: outcome.explanation.verdict.clone(),
            grown: grown(&outcome),
            criteria: outcome.explanation.criteria,
            cost_start: history.first().map_or(state.cost(), |first| first.cost),
            cost_start_weighed: outcome.cost_start_weighed,
            cost_end: state.cost(),
            iterations: history.last().map_or(0, |last| last.number),
            evaluations: history.last().map_or(0, |last| last.evaluations),
            simulations: outcome.spent.simulations,
            failed_trials: outcome.failed.clone(),
            weights: estimation.estimates_deviations().then_some(weights),
            stop: state.stop().unwrap_or(Stop::MaximumIterations),
            history,
            settings: settings(&outcome),
            chosen_steps: outcome.chosen.clone(),
            adaptive_steps: adaptive_steps(&outcome),
            back_end: (outcome.model.description().back_end == BackEnd::Interpreted).then_some("interpreted"),
            seconds_forward: outcome.spent.forward.as_secs_f64(),
            seconds_gradient: outcome.spent.backward.as_secs_f64(),
        };
        let mut value = outcome.model.clone();
        for (unknown, found) in estimation.unknowns.iter().zip(&unknowns) {
            if let (Some(index), None) = (unknown.parameter, &unknown.of) {
                value.parameters[index] = *found;
            }
        }
        let runs = estimation.experiments.iter().zip(outcome.found);
        let mut experiments: Vec<_> =
            runs.map(|(prepared, found)| ExperimentResult::new(prepared, found, &unknowns)).collect();
        match (&experiments[..], &estimation.predictions[..]) {
            ([only], []) => value.parameters = only.parameters().to_vec(),
            ([], [only]) => value.parameters = only.parameters(&unknowns),
            _ => {}
        }
        experiments.extend(of_validation);
        let experiments = experiments.into_iter().map(FittedExperiment::of).collect();
        let tables = with_fitted(estimation, outcome.tables.clone(), &unknowns);
        Self { value, summary, tables, experiments, assessments }
    }
}

impl Fit {
    pub(crate) fn new(results: FitResults, solved: Solved) -> Self {
        let FitResults { value, summary, tables, experiments, assessments } = results;
        let (solved, starts) = (Arc::new(solved), Arc::default());
        Self { value, model: OnceLock::new(), summary, tables, experiments, assessments, starts, solved }
    }

    /// Adds the ends of all starts of a multistart.
    pub(crate) fn with_starts(self, starts: Vec<FittedStart>) -> Self {
        Self { starts: starts.into(), ..self }
    }

    /// Returns the model with the found parameters.
    pub(crate) fn value(&self) -> &ModelValue {
        &self.value
    }

    /// Adds the type of the model.
    pub(crate) fn tagged<N>(self) -> Fit<N> {
        let Self { value, summary, tables, experiments, assessments, starts, solved, .. } = self;
        let experiments = experiments.into_iter().map(FittedExperiment::tagged).collect();
        Fit { value, model: OnceLock::new(), summary, tables, experiments, assessments, starts, solved }
    }
}

impl<M: Model> Fit<M> {
    /// Returns the model with the found parameters. With several experiments, parameters that experiments or groups
    /// have for themselves keep their values; [`FittedExperiment::model`] has the found ones.
    pub fn model(&self) -> &M {
        self.model.get_or_init(|| M::from_parameters(&array(&self.value.parameters)))
    }
}

impl<M> Fit<M> {
    /// Returns the tables of the identification, with the found values of unknown ones, in the units that the model
    /// declares: `fit.tables().curve(Damper::FORCE)` goes into another simulation.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the found value, with its deviation, of an unknown parameter that all experiments have in common, or
    /// of the only experiment; `None` for a parameter that was not unknown.
    pub fn parameter(&self, parameter: Parameter<M>) -> Option<&FittedParameter> {
        let is_it = |fitted: &&FittedParameter| fitted.quantity == parameter.name();
        let mut all = self.summary.parameters.iter().filter(is_it);
        let first = all.next();
        first.filter(|fitted| fitted.of.is_none() || all.next().is_none())
    }

    /// Returns the found value of a parameter that experiments or groups have for themselves, for the `owner` of this
    /// name.
    pub fn parameter_of(&self, parameter: Parameter<M>, owner: &str) -> Option<&FittedParameter> {
        let mut all = self.summary.parameters.iter();
        all.find(|fitted| fitted.quantity == parameter.name() && fitted.of.as_deref() == Some(owner))
    }
}

impl<M> Fit<M> {
    /// Returns the results by name.
    pub fn summary(&self) -> &FitSummary {
        &self.summary
    }

    /// Returns the solved problem for a task that simulates whole records.
    pub(crate) fn simulated(&self, what: &'static str) -> Result<&Solved, RequestError> {
        match self.summary.grown.as_ref().is_some_and(|grown| grown.only_in_pieces) {
            true => Err(RequestError::OnlyInPieces { what }),
            false => Ok(&self.solved),
        }
    }

    /// Returns the ends of all starts of a multistart, lowest cost first and failed ones last; empty for a fit from a
    /// single start. The times of the fit are the sums over all starts and threads.
    pub fn starts(&self) -> &[FittedStart] {
        &self.starts
    }

    /// Returns the runs at the found parameters: of every fitted experiment, in the order in which these were added,
    /// and then of those that validate. Experiments of predictions alone have no run: their numbers are in
    /// [`FitSummary::predictions`].
    pub fn experiments(&self) -> &[FittedExperiment<M>] {
        &self.experiments
    }

    /// Returns the tests of the residuals of every channel that could be judged, on which the
    /// [verdict](FitSummary::verdict) is based; those of experiments that validate come last.
    pub fn assessments(&self) -> &[ChannelAssessment] {
        &self.assessments
    }

    /// Returns the run of the experiment with this name.
    pub fn experiment(&self, name: &str) -> Option<&FittedExperiment<M>> {
        self.experiments.iter().find(|experiment| experiment.name() == name)
    }
}

impl<M> Serialize for Fit<M> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The summary with a further field.
        #[derive(Serialize)]
        struct WithStarts<'a> {
            #[serde(flatten)]
            summary: &'a FitSummary,
            starts: &'a [FittedStart],
        }
        match &*self.starts {
            [] => self.summary.serialize(serializer),
            starts => WithStarts { summary: &self.summary, starts }.serialize(serializer),
        }
    }
}

/// Returns the number of samples and residuals less that of the unknowns, at least 1.
fn degrees_of_freedom(outcome: &Outcome<'_>) -> f64 {
    let of_channels: usize = outcome.estimation.channels().map(|channel| channel.values.len()).sum();
    let of_costs: usize = outcome.costs.iter().map(|cost| cost.residuals).sum();
    (of_channels + of_costs).saturating_sub(outcome.explanation.determined).max(1) as f64
}

/// Joins the iterations of all minimisations, each of which begins where the previous one has ended.
fn history(round: &Round) -> Vec<Iteration> {
    let mut all: Vec<Iteration> = Vec::new();
    for state in round.earlier.iter().chain([&round.state]) {
        let (number, evaluations) = all.last().map_or((0, 0), |last| (last.number, last.evaluations));
        let begun = usize::from(!all.is_empty());
        all.extend(state.history().iter().skip(begun).map(|iteration| Iteration {
            number: iteration.number + number,
            evaluations: iteration.evaluations + evaluations,
            ..iteration.clone()
        }));
    }
    all
}

/// Returns the unknowns whose derivatives vanish at the found values, although the cost depends on them.
fn by_jumps(outcome: &Outcome<'_>) -> Vec<String> {
    let found = outcome.round.state.parameters();
    let alone = outcome.covariance.undetermined.iter().filter_map(|direction| {
        let mut involved = (0..direction.len()).filter(|k| direction[*k] != 0.0);
        involved.next().filter(|_| involved.next().is_none())
    });
    let by_jumps = alone.filter(|k| outcome.estimation.acts_nearby(&found, *k));
    by_jumps.map(|k| outcome.estimation.unknowns[k].name().to_owned()).collect()
}

/// Returns a fingerprint that is the same for the same data: times and values of channels, frequencies and amplitudes
/// of lines.
fn data(outcome: &Outcome<'_>) -> String {
    let lines = outcome.costs.iter().flat_map(|cost| &cost.lines);
    let lines: Vec<f64> = lines.flat_map(|line| [line.frequency, line.measured]).collect();
    let channels = outcome.estimation.channels().flat_map(|channel| [&channel.times[..], &channel.values]);
    match lines.is_empty() {
        true => fingerprint(channels),
        false => fingerprint(channels.chain([&lines[..]])),
    }
}

/// Returns the settings of the fit.
fn settings(outcome: &Outcome<'_>) -> FitSettings {
    let estimation = outcome.estimation;
    let run = |prepared: &ExperimentProblem| {
        let settings = prepared.problem.settings();
        let experiment = estimation.name_of(prepared.number).map(str::to_owned);
        FittedRun { experiment, step: settings.step, end: settings.end, order: settings.order }
    };
    let first = estimation.experiments.first().map(|prepared| prepared.problem.settings());
    FitSettings {
        version: env!("CARGO_PKG_VERSION"),
        scheme: first.map(|settings| settings.scheme).unwrap_or_default(),
        steps: first.map(|settings| settings.steps).unwrap_or_default(),
        optimizer: outcome.round.state.settings().clone(),
        loss: outcome.loss,
        by_likelihood: estimation.by_likelihood,
        runs: estimation.experiments.iter().map(run).collect(),
        finer_steps: outcome.ended.finer,
    }
}

/// Returns the adaptive steps of the run with the most of them.
fn adaptive_steps(outcome: &Outcome<'_>) -> Option<AdaptiveSteps> {
    let adaptive = outcome.estimation.problems().filter(|problem| problem.has_adaptive_steps());
    let plans = adaptive.filter_map(|problem| problem.step_plan());
    let steps = plans.map(|plan| plan.steps()).max()?;
    Some(AdaptiveSteps { steps, renewals: outcome.round.renewals, excess: outcome.ended.excess })
}

fn parameters(outcome: &Outcome<'_>, deviation: &dyn Fn(usize) -> f64) -> Vec<FittedParameter> {
    let state = &outcome.round.state;
    let first: &OptimizerState = outcome.round.earlier.first().unwrap_or(state);
    let (found, at_bound) = (state.parameters(), state.at_bound());
    let unknowns = outcome.estimation.unknowns.iter().enumerate();
    unknowns
        .map(|(k, unknown)| FittedParameter {
            name: unknown.name().to_owned(),
            quantity: unknown.quantity.clone(),
            of: unknown.of.clone(),
            unit: unknown.unit,
            part_of: unknown.part_of,
            start: first.variables()[k].start(),
            lower: state.variables()[k].bounds().0,
            upper: state.variables()[k].bounds().1,
            found: found[k],
            standard_deviation: deviation(k),
            relative_deviation: deviation(k) / found[k].abs(),
            step_shift: outcome.step_shifts.as_ref().map(|shifts| shifts[k]).filter(|shift| !shift.is_nan()),
            input_shift: outcome.input_shifts.as_ref().map(|shifts| shifts[k]).filter(|shift| !shift.is_nan()),
            at_bound: at_bound[k],
        })
        .collect()
}

fn inputs(estimation: &EstimationProblem, found: &[f64], deviation: &dyn Fn(usize) -> f64) -> Vec<FittedInput> {
    let of_experiment = |prepared: &ExperimentProblem| -> Vec<FittedInput> {
        let experiment = estimation.name_of(prepared.number);
        let fitted = |knots: &KnotInput| {
            let unknowns = knots.first..knots.first + knots.knots;
            let input = prepared.problem.description().inputs[knots.input];
            FittedInput {
                experiment: experiment.map(str::to_owned),
                input: input.name,
                unit: input.unit,
                times: (0..knots.knots).map(|knot| knots.from + knot as f64 * knots.interval).collect(),
                values: found[unknowns.clone()].to_vec(),
                standard_deviations: unknowns.map(deviation).collect(),
            }
        };
        prepared.driven.of_knots.iter().map(fitted).collect()
    };
    estimation.experiments.iter().flat_map(of_experiment).collect()
}

/// Returns the parts or pieces of the records that were fitted before the whole ones.
fn grown(outcome: &Outcome<'_>) -> Option<GrownParts> {
    let growth = outcome.round.growth.as_ref()?;
    let ends = outcome.estimation.experiments.iter().map(|prepared| prepared.problem.settings().end);
    let longest = ends.fold(0.0, f64::max);
    Some(GrownParts {
        pieces: growth.pieces,
        only_in_pieces: growth.only_in_pieces,
        ends: growth.parts.iter().map(|part| part * longest).collect(),
        reason: match (&growth.before, &outcome.round.alternative) {
            (None, _) => GrowthReason::Asked,
            (Some(_), None) if outcome.estimation.has_costs() => GrowthReason::WithCosts,
            (Some(_), None) => GrowthReason::LostPhase,
            (Some(_), Some(_)) => GrowthReason::BestOfManyStarts,
        },
        found_better: growth.before.is_some() && !growth.was_better,
        explains: !outcome.explanation.compared.iter().flatten().any(Compared::explains_little),
    })
}

/// Returns the information of every experiment, and of the priors, about the unknowns; empty where there is only one
/// of these.
fn shares(outcome: &Outcome<'_>) -> Vec<InformationShare> {
    let estimation = outcome.estimation;
    let count = estimation.unknowns.len();
    let mut of_owners: Vec<InformationShare> = estimation
        .experiments
        .iter()
        .map(|prepared| prepared.name.clone())
        .chain(estimation.predictions.iter().map(PredictedProblem::label))
        .map(|name| InformationShare { experiment: Some(name), parts: vec![0.0; count] })
        .collect();
    if !estimation.priors.is_empty() {
        of_owners.push(InformationShare { experiment: None, parts: vec![0.0; count] });
    }
    if of_owners.len() == 1 {
        return Vec::new();
    }
    // rows are those of the channels, of predictions, of further costs, and of priors
    let numbers = |of_one: &dyn Fn(&ExperimentProblem) -> usize| -> Vec<usize> {
        let each = estimation.experiments.iter();
        each.flat_map(|prepared| std::iter::repeat_n(prepared.number, of_one(prepared))).collect()
    };
    let mut owners = numbers(&|prepared| prepared.comparison.channels.len());
    let of_predictions = estimation.predictions.iter();
    owners.extend(of_predictions.flat_map(|one| std::iter::repeat_n(one.number, one.groups.len())));
    owners.extend(numbers(&|prepared| prepared.comparison.costs.terms().len()));
    let priors = estimation.experiments.len() + estimation.predictions.len();
    owners.resize(outcome.covariance.shares.len(), priors);
    for (owner, parts) in owners.into_iter().zip(&outcome.covariance.shares) {
        if let Some(share) = of_owners.get_mut(owner) {
            share.parts.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
    }
    of_owners
}

fn costs(outcome: &Outcome<'_>) -> Vec<FittedCost> {
    let deviations = outcome.covariance.deviations.iter().skip(outcome.estimation.channels().count());
    let all = outcome.costs.iter().zip(deviations);
    all.map(|(cost, &standard_deviation)| FittedCost { standard_deviation, ..cost.clone() }).collect()
}
