//! Runs of high order, and their derivatives: the same linear combination of whole runs everywhere.

use std::ops::ControlFlow;
use std::sync::Arc;

use costate_contract::machine::{Room, bytes};
use costate_numerics::scalar::{LANES, Scalar};

use crate::gradient::{
    Columns, CostTerms, Differences, FullGradient, InputChange, LaneGradients, Own, RunAndCost, check_derivatives,
};
use crate::model::SelectedParameters;
use crate::problem::{Buffer, Conditions, Level, OtherProblem, Problem, SimulationError};
use crate::series::Series;
use crate::step::Statistics;
use crate::system::{Differentiable, EachSample};

use super::stored_run::{LevelRuns, RunStates, RunStatesStored, StoredRun};
use super::trajectory::Trajectory;

/// The runs of which a trajectory is the combination, with their factors: its further data.
pub struct LevelTrajectories<S: Scalar>(Vec<(f64, Trajectory<S>)>);

/// Returns the runs of which a trajectory is the combination, with their factors; `None` for any other trajectory.
#[doc(hidden)]
pub fn levels_of<S: Scalar>(run: &Trajectory<S>) -> Option<&[(f64, Trajectory<S>)]> {
    run.basis().downcast_ref().map(|LevelTrajectories(levels)| &levels[..])
}

/// Adds up the samples of runs with their factors, where every `parts`-th row stands at a sample.
fn combined<'s, S: Scalar>(
    problem: &Problem,
    series: impl Iterator<Item = (f64, usize, &'s Series<S>)>,
) -> Result<Series<S>, SimulationError> {
    let width = problem.description().outputs.len();
    let mut sum = Series::of_run(problem.settings().step, width, problem.samples() - 1)?;
    for (weight, parts, series) in series {
        for k in 0..sum.samples() {
            add_scaled(sum.row_mut(k), series.row(k * parts), weight);
        }
    }
    Ok(sum)
}

fn add_scaled<S: Scalar>(sum: &mut [S], values: &[S], weight: f64) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += *value * weight);
}

/// Returns the outputs of a run at its samples, those of the runs of which it is the combination added up; `None` for a
/// run that is no combination.
pub fn outputs_of_levels<S: Scalar>(
    run: &Trajectory<S>,
    outputs: impl Fn(&Trajectory<S>) -> Series<S>,
) -> Option<Series<S>> {
    let mut sum = Series::zeros(run.step(), run.description().outputs.len(), run.samples());
    for (weight, level) in levels_of(run)? {
        let (parts, series) = (level.steps() / (run.samples() - 1), outputs(level));
        (0..sum.samples()).for_each(|k| add_scaled(sum.row_mut(k), series.row(k * parts), *weight));
    }
    Some(sum)
}

/// Returns the outputs of the combination of runs of these levels.
///
/// # Errors
/// Those of `outputs`, which computes the outputs of a run; [`SimulationError::OutOfMemory`].
pub fn combined_outputs<S: Scalar>(
    problem: &Problem,
    levels: &[Level],
    outputs: impl Fn(&Problem) -> Result<Series<S>, SimulationError>,
) -> Result<Series<S>, SimulationError> {
    let all = levels.iter().map(|level| outputs(&level.problem)).collect::<Result<Vec<_>, _>>()?;
    combined(problem, levels.iter().zip(&all).map(|(level, series)| (level.weight, level.parts, series)))
}

/// Returns the combination of these runs of the levels: its states at samples, and between them those of the run with
/// the shortest steps.
///
/// # Errors
/// [`SimulationError::OutOfMemory`].
pub fn combined_states<S: Scalar>(
    problem: &Problem,
    levels: &[Level],
    runs: Vec<Trajectory<S>>,
) -> Result<Trajectory<S>, SimulationError> {
    let Some(finest) = runs.last() else { return Err(SimulationError::StepTooSmall { time: 0.0, step: 0.0 }) };
    let (parameters, length) = (finest.parameters().to_vec(), problem.description().state_length());
    let numbers = finest.all_states().len();
    let missing = |_| Room::of_steps("the run", problem.steps()).missing(bytes(numbers, size_of::<S>()), None);
    let mut states: Vec<S> = problem.buffers().take(numbers).map_err(missing)?;
    states.clear();
    states.extend_from_slice(finest.all_states());
    for k in 0..problem.samples() {
        let place = finest_step(levels, k) * length;
        let Some(state) = states.get_mut(place..place + length) else { continue };
        state.fill(S::default());
        for (level, run) in levels.iter().zip(&runs) {
            add_scaled(state, run.stored(k * level.parts), level.weight);
        }
    }
    let statistics = total(runs.iter().map(Trajectory::statistics));
    let basis = LevelTrajectories(levels.iter().map(|level| level.weight).zip(runs).collect());
    let states = Buffer::new(states, problem.buffers());
    Ok(Trajectory::new(problem.conditions(), parameters, Arc::new(basis), states, statistics))
}

fn finest_step(levels: &[Level], sample: usize) -> usize {
    levels.last().map_or(sample, |level| level.parts * sample)
}

/// Returns the combination of these runs, with the data for its gradients.
///
/// # Errors
/// [`SimulationError::OutOfMemory`].
pub fn combined_run<S: Scalar>(
    problem: &Problem,
    levels: &[Level],
    runs: Vec<StoredRun<S>>,
) -> Result<StoredRun<S>, SimulationError> {
    let with_outputs = levels.iter().zip(&runs).map(|(level, run)| (level.weight, level.parts, run.outputs()));
    let outputs = combined(problem, with_outputs)?;
    if runs.iter().all(|run| run.trajectory().is_some()) {
        let runs = runs.into_iter().filter_map(StoredRun::into_trajectory).collect();
        return Ok(StoredRun::all(outputs, combined_states(problem, levels, runs)?));
    }
    let mut end = Some(vec![S::default(); problem.description().state_length()]);
    for (level, run) in levels.iter().zip(&runs) {
        match (&mut end, run.end()) {
            (Some(sum), Some(of_run)) => add_scaled(sum, of_run, level.weight),
            _ => end = None,
        }
    }
    let statistics = total(runs.iter().map(StoredRun::statistics));
    Ok(StoredRun::levels(outputs, LevelRuns { conditions: problem.conditions(), runs, end, statistics }))
}

/// Returns the combinations of runs in lanes; `None` for a lane in which a run of a level does not go.
///
/// # Errors
/// Those of `run`, which runs a level; [`SimulationError::OutOfMemory`].
pub fn combined_lanes(
    problem: &Problem,
    levels: &[Level],
    run: impl Fn(&Problem) -> Result<[Option<StoredRun>; LANES], SimulationError>,
) -> Result<[Option<StoredRun>; LANES], SimulationError> {
    let mut all: [Option<Vec<StoredRun>>; LANES] = std::array::from_fn(|_| Some(Vec::new()));
    for level in levels {
        for (of_lane, run) in all.iter_mut().zip(run(&level.problem)?) {
            match (of_lane.as_mut(), run) {
                (Some(runs), Some(run)) => runs.push(run),
                _ => *of_lane = None,
            }
        }
    }
    let mut combined = std::array::from_fn(|_| None);
    for (place, runs) in combined.iter_mut().zip(all) {
        *place = runs.map(|runs| combined_run(problem, levels, runs)).transpose()?;
    }
    Ok(combined)
}

fn total(parts: impl Iterator<Item = Statistics>) -> Statistics {
    let mut sum = Statistics::default();
    for part in parts {
        sum.steps += part.steps;
        sum.iterations += part.iterations;
        sum.worst_iterations = sum.worst_iterations.max(part.worst_iterations);
        sum.factorizations += part.factorizations;
        sum.analyses += part.analyses;
        sum.pivoted += part.pivoted;
    }
    sum
}

/// Returns the data of the runs of which `run` is the combination.
fn split<'a, S: Scalar>(problem: &Problem, run: RunStates<'a, S>) -> Result<Vec<RunStates<'a, S>>, OtherProblem> {
    let check = |conditions: &Conditions| conditions.check(&problem.conditions());
    match run.0 {
        RunStatesStored::All(trajectory) => {
            check(trajectory.conditions())?;
            let levels = levels_of(trajectory).unwrap_or_default();
            Ok(levels.iter().map(|(_, run)| RunStates::from(run)).collect())
        }
        RunStatesStored::Checkpoints(run) => {
            check(&run.conditions)?;
            Ok(Vec::new())
        }
        RunStatesStored::Levels(run) => {
            check(&run.conditions)?;
            Ok(run.runs.iter_mut().map(RunStates::from).collect())
        }
    }
}

/// Returns the part of the derivatives of a cost that acts through the run of this level.
fn share(level: &Level, output_gradient: &Series<f64>) -> Series<f64> {
    let step = level.problem.settings().step;
    let mut share = Series::zeros(step, output_gradient.width(), level.problem.samples());
    for k in 0..output_gradient.samples() {
        add_scaled(share.row_mut(k * level.parts), output_gradient.row(k), level.weight);
    }
    share
}

fn add(sum: &mut Vec<f64>, part: Vec<f64>) {
    if sum.is_empty() {
        *sum = part;
    } else {
        add_scaled(sum, &part, 1.0);
    }
}

/// Derivatives of a run of high order: those of its levels, added up; arguments, results and errors are those of the
/// methods of [`Differentiable`] with these names.
#[allow(missing_debug_implementations)]
pub struct OfLevels<'a> {
    /// The model.
    pub model: &'a dyn Differentiable,
    /// The problem whose runs are combinations.
    pub problem: &'a Problem,
    /// Levels of the problem.
    pub levels: Vec<Level>,
}

#[allow(clippy::missing_errors_doc, missing_docs)]
impl<'a> OfLevels<'a> {
    pub fn of(model: &'a dyn Differentiable, problem: &'a Problem) -> Option<Self> {
        Some(Self { model, problem, levels: problem.levels()? })
    }

    fn split<'r>(&self, run: RunStates<'r>) -> Result<impl Iterator<Item = (&Level, RunStates<'r>)>, OtherProblem> {
        Ok(self.levels.iter().zip(split(self.problem, run)?))
    }

    pub fn gradients(
        &self,
        run: RunStates<'_>,
        output_gradients: &[&Series<f64>],
        unknown: &[usize],
    ) -> Result<Vec<Vec<f64>>, SimulationError> {
        output_gradients.iter().try_for_each(|gradient| check_derivatives(self.problem, gradient))?;
        let mut sums = vec![Vec::new(); output_gradients.len()];
        for (level, run) in self.split(run)? {
            let shares: Vec<_> = output_gradients.iter().map(|gradient| share(level, gradient)).collect();
            let parts = self.model.gradients(&level.problem, run, &shares.iter().collect::<Vec<_>>(), unknown)?;
            sums.iter_mut().zip(parts).for_each(|(sum, part)| add(sum, part));
        }
        Ok(sums)
    }

    pub fn full_gradient(
        &self,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
        unknown: &[usize],
        others: (bool, &[bool]),
    ) -> Result<FullGradient, SimulationError> {
        check_derivatives(self.problem, output_gradient)?;
        let mut sum = FullGradient::default();
        for (level, run) in self.split(run)? {
            let share = share(level, output_gradient);
            let part = self.model.full_gradient(&level.problem, run, &share, unknown, others)?;
            add(&mut sum.by_parameters, part.by_parameters);
            sum.by_tables.resize(part.by_tables.len(), None);
            for (sum, part) in sum.by_tables.iter_mut().zip(part.by_tables) {
                if let Some(part) = part {
                    add(sum.get_or_insert_default(), part);
                }
            }
            if let Some(part) = part.by_inputs {
                let step = self.problem.settings().step / finest_step(&self.levels, 1) as f64;
                let all = || Series::zeros(step, part.width(), self.problem.steps() + 1);
                let sum = sum.by_inputs.get_or_insert_with(all);
                (0..part.samples()).for_each(|i| add_scaled(sum.row_mut(i * level.stride), part.row(i), 1.0));
            }
        }
        Ok(sum)
    }

    pub fn gradient_lanes(
        &self,
        runs: &[RunAndCost<'_>],
        unknown: (&[usize], &SelectedParameters),
    ) -> Result<LaneGradients, SimulationError> {
        let mut sums: LaneGradients = std::array::from_fn(|lane| (lane < runs.len()).then(|| Ok(Vec::new())));
        for (k, level) in self.levels.iter().enumerate() {
            let shares: Vec<_> = runs.iter().map(|(_, cost)| share(level, cost)).collect();
            let own = runs.iter().map(|(run, _)| levels_of(run).and_then(|levels| levels.get(k)).map(|(_, run)| run));
            let Some(own) = own.collect::<Option<Vec<_>>>() else { return Ok(std::array::from_fn(|_| None)) };
            let own: Vec<_> = own.into_iter().zip(&shares).collect();
            let parts = self.model.gradient_lanes(&level.problem, &own, unknown)?;
            for (sum, part) in sums.iter_mut().zip(parts) {
                match (sum.as_mut(), part) {
                    (Some(Ok(sum)), Some(Ok(part))) => add(sum, part),
                    (_, part) => *sum = part.filter(Result::is_err),
                }
            }
        }
        Ok(sums)
    }

    /// Computes the derivatives of all outputs, sample by sample: those of all levels but the last are kept.
    pub fn sensitivities(
        &self,
        run: RunStates<'_>,
        by: Columns<'_>,
        each: &mut EachSample<'_>,
    ) -> Result<(), SimulationError> {
        let (columns, samples) = (by.count(), self.problem.samples());
        let width = self.problem.description().outputs.len();
        let numbers = columns.saturating_mul(width);
        let remedy = "take fewer unknowns, a larger step or an earlier end, or order 2";
        let room = Room { what: "the sensitivities", count: columns, counted: "unknowns", remedy };
        let mut sum = room.take(numbers.saturating_mul(samples))?;
        sum.resize(numbers * samples, 0.0);
        let mut rows = vec![vec![0.0; width]; columns];
        let last = self.levels.len() - 1;
        for (k, (level, run)) in self.split(run)?.enumerate() {
            let strided: Vec<_> = by.inputs.iter().map(|change| strided(change, level.stride)).collect();
            let by = Columns { inputs: &strided, ..by };
            self.model.sensitivities(&level.problem, run, by, &mut |i, sensitivities| {
                if !i.is_multiple_of(level.parts) {
                    return ControlFlow::Continue(());
                }
                let sample = i / level.parts;
                let places = sum[sample * numbers..(sample + 1) * numbers].chunks_mut(width.max(1));
                for ((place, row), of_level) in places.zip(&mut rows).zip(sensitivities) {
                    add_scaled(place, of_level, level.weight);
                    row.copy_from_slice(place);
                }
                if k == last { each(sample, &rows) } else { ControlFlow::Continue(()) }
            })?;
        }
        Ok(())
    }

    pub fn lookup_arguments(&self, run: RunStates<'_>) -> Result<Vec<Vec<[f64; 2]>>, SimulationError> {
        let mut all = vec![Vec::new(); self.problem.description().tables.len()];
        for (level, run) in self.split(run)? {
            let own = self.model.lookup_arguments(&level.problem, run)?;
            all.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
        }
        Ok(all)
    }

    pub fn cost_terms(&self, run: RunStates<'_>, output_gradient: &Series<f64>) -> Result<CostTerms, SimulationError> {
        check_derivatives(self.problem, output_gradient)?;
        let mut sum = CostTerms::default();
        for (level, run) in self.split(run)? {
            let part = self.model.cost_terms(&level.problem, run, &share(level, output_gradient))?;
            (sum.size, sum.rounding) = (sum.size + part.size, sum.rounding + part.rounding);
        }
        Ok(sum)
    }
}

/// Returns the changes of an input at every `stride`-th step.
fn strided(change: &InputChange, stride: usize) -> InputChange {
    let first = change.first.div_ceil(stride);
    let end = (change.first + change.changes.len()).div_ceil(stride);
    let changes = (first..end).map(|i| change.at(i * stride)).collect();
    InputChange { input: change.input, first, changes }
}

/// Computes the differences between a run and one of `other`, a run of high order.
///
/// # Errors
/// Those of a run of `other`.
pub fn differences_to(own: Own<'_>, other: &Problem, every: (usize, usize)) -> Result<Differences, SimulationError> {
    let run = other.forward(own.run.parameters())?;
    let outputs = run.outputs();
    let width = own.run.coordinates(0).len() + own.outputs.width();
    let mut found = Differences::zeros(width);
    if let Some((_, finest)) = levels_of(&run).and_then(<[_]>::last) {
        let outputs = finest.outputs();
        for sample in 0..outputs.samples() {
            found.widen(finest.coordinates(finest.step_of_sample(sample)).iter().chain(outputs.row(sample)));
        }
    }
    for sample in 0..outputs.samples() {
        let (at, k) = (sample * every.1, sample * every.1 / every.0);
        if at.is_multiple_of(every.0) && k < own.run.samples() {
            let others = run.coordinates(run.step_of_sample(sample)).iter().chain(outputs.row(sample));
            found.take(own, (k, own.run.step_of_sample(k)), others);
        }
    }
    Ok(found)
}
