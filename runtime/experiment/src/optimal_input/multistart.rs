//! Searches from many starts, as tasks of an ensemble.

use std::f64::consts::TAU;
use std::time::{Duration, TryFromFloatSecsError};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use costate_contract::machine::{Room, bytes};
use costate_optimize::{MultistartProgress, Stop};
use costate_system::ensemble::{self, Ensemble, Errors, Failure, Outcome, Task, Tasks};
use costate_system::identifiers::Dynamic;
use costate_system::interrupt::{Interrupt, Interrupted, InterruptedWork};
use costate_system::problem::SimulationError;

use super::definition::Definition;
use super::designed_input::DesignedInput;
use super::error::OptimalInputError;
use super::evaluation::Search;
use super::result::OptimalExperiment;
use super::run::Rounds;
use super::state::SearchState;

/// One search of a multistart.
#[derive(Debug)]
pub struct DesignMember<M = Dynamic> {
    /// Number of the search; 0 begins with the given starts.
    pub number: usize,
    /// The result of the search, or its error.
    pub outcome: Result<OptimalExperiment<M>, OptimalInputError>,
}

impl DesignMember {
    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> DesignMember<N> {
        DesignMember { number: self.number, outcome: self.outcome.map(OptimalExperiment::tagged) }
    }
}

impl<M> DesignMember<M> {
    /// Returns Phi at the end; `None` after a failure, and where conditions or limits are not kept.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.as_ref().ok().filter(|found| found.keeps()).map(OptimalExperiment::cost)
    }
}

impl Definition {
    /// See [`OptimalInput::multistart`](super::OptimalInput::multistart).
    pub fn multistart(
        &self,
        ensemble: &Ensemble<'_>,
        (starts, seed): (usize, u64),
        progress: &mut (dyn FnMut(MultistartProgress) + Send),
    ) -> Result<Vec<DesignMember>, OptimalInputError> {
        if starts == 0 {
            return Err(OptimalInputError::NoStarts);
        }
        let settings = self.settings()?;
        // each search keeps its inputs at all steps
        let each = bytes(settings.steps(), size_of::<f64>()).saturating_add(size_of::<DesignMember>() as u64);
        let room = Room { what: "a multistart", count: starts, counted: "starts", remedy: "take fewer starts" };
        room.check(each.saturating_mul(starts as u64)).map_err(SimulationError::from)?;
        // mistakes in the given start are reported before all others
        for design in &self.designs {
            design.prepare(&settings)?;
        }
        let logs = ensemble.logs();
        let all_interrupted =
            |ended: usize| Interrupted::with_folder(InterruptedWork::Multistart { ended, starts }, logs);
        let (given, _) = self.prepared(None).map_err(|error| error.within(|| all_interrupted(0)))?;
        let mut description = self.description(&given);
        description.text("the maximum number of iterations", self.optimizer.maximum_iterations);
        description.text("the seed of the starts", seed);
        let errors = Errors::default();
        let search = |task: &Task| {
            let searched = searched(self, (task.number(), seed), task.interrupt());
            searched.map_err(|error| Failure::new(errors.keep(task.number(), error)))
        };
        let mut best = None::<f64>;
        let show = |outcome: &Outcome<Searched>, all: &ensemble::Progress| {
            let found = outcome.result.as_ref().ok();
            let last = found.and_then(|found| found.state.history.last());
            let cost = last.filter(|last| last.violation <= self.tolerance).map(|last| last.cost);
            best = [best, cost].into_iter().flatten().reduce(f64::min);
            progress(MultistartProgress { number: outcome.number, cost, ended: all.done, starts: all.tasks, best });
        };
        let tasks = Tasks::new("searches for an optimal input", starts).described(description);
        let ensemble = ensemble.clone().interrupt(self.run.interrupt.clone());
        let outcomes = ensemble.run(&tasks, search, show)?;
        let ended = outcomes.done() - outcomes.failed();
        if outcomes.is_interrupted() {
            return Err(all_interrupted(ended).into());
        }
        let conclude = |Outcome { number, result, seconds }: Outcome<Searched>| {
            let outcome = match result {
                Ok(found) => concluded(self, &given, (number, seed), &found, Duration::try_from_secs_f64(seconds)),
                Err(Failure { error: message, .. }) => {
                    let known = errors.take(number, &message);
                    Err(known.unwrap_or(OptimalInputError::Task { message }))
                }
            };
            match outcome {
                Err(OptimalInputError::Interrupted(_)) if self.run.interrupt.is_triggered() => {
                    Err(all_interrupted(ended).into())
                }
                outcome => Ok(DesignMember { number, outcome }),
            }
        };
        let members = outcomes.complete()?.into_par_iter().map(conclude);
        let mut members: Vec<_> = members.collect::<Result<_, OptimalInputError>>()?;
        let cost = |member: &DesignMember| member.cost().unwrap_or(f64::INFINITY);
        members.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.number.cmp(&b.number)));
        Ok(members)
    }
}

/// The end of a search.
#[derive(Serialize, Deserialize)]
struct Searched {
    state: Box<SearchState>,
    stop: Stop,
}

/// Searches from one start.
fn searched(definition: &Definition, of: (usize, u64), interrupt: &Interrupt) -> Result<Searched, OptimalInputError> {
    let mut definition = started(definition, of)?;
    definition.run.interrupt = interrupt.clone();
    let (search, mut state) = definition.prepared(None)?;
    let stop = Rounds::new(&definition, &search).minimize(&mut state)?;
    Ok(Searched { state: Box::new(state), stop })
}

/// Returns the result of a search, with the `given` start for comparison.
fn concluded(
    definition: &Definition,
    given: &Search,
    of: (usize, u64),
    found: &Searched,
    elapsed: Result<Duration, TryFromFloatSecsError>,
) -> Result<OptimalExperiment, OptimalInputError> {
    let definition = started(definition, of)?;
    let (search, fresh) = definition.prepared(None)?;
    if !found.state.fits(&fresh) {
        return Err(OptimalInputError::Task { message: "its state is not of this search".to_owned() });
    }
    definition.conclude((given, &search), &found.state, found.stop, elapsed.unwrap_or_default())
}

/// Returns the definition with the start of this number: the given one, or a random one.
fn started(definition: &Definition, (number, seed): (usize, u64)) -> Result<Definition, OptimalInputError> {
    /// Difference between the seeds of two starts: the golden ratio of 2^64, as in SplitMix64.
    const SEED_DISTANCE: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut definition = definition.clone();
    if number > 0 {
        let end = definition.settings()?.end;
        let mut random = SmallRng::seed_from_u64(seed.wrapping_add((number as u64).wrapping_mul(SEED_DISTANCE)));
        let designs = definition.designs.into_iter();
        definition.designs = designs.map(|design| randomised(design, end, &mut random)).collect();
    }
    Ok(definition)
}

/// Returns the designed input with a random start.
fn randomised(design: DesignedInput, end: f64, random: &mut SmallRng) -> DesignedInput {
    /// Highest frequency of these sines, in periods per run.
    const MAX_PERIODS: f64 = 8.0;
    /// Number of sines in a random start.
    const SINES: usize = 5;
    let sines: Vec<[f64; 3]> = (0..SINES)
        .map(|_| {
            let frequency = TAU * random.random_range(0.25..MAX_PERIODS) / end;
            [random.random_range(-1.0..1.0), frequency, random.random_range(0.0..TAU)]
        })
        .collect();
    let largest: f64 = sines.iter().map(|[amplitude, ..]| amplitude.abs()).sum();
    let unit = move |t: f64| {
        let sum: f64 =
            sines.iter().map(|[amplitude, frequency, phase]| amplitude * (frequency * t + phase).sin()).sum();
        if largest > 0.0 { sum / largest } else { 0.0 }
    };
    design.with_random_start(unit, random)
}
