//! Searches from many starts, on all cores.

use std::f64::consts::TAU;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::machine::{Room, bytes};
use crate::model::Model;
use crate::optimize::MultistartProgress;
use crate::problem::SimulationError;

use super::OptimalInput;
use super::designed_input::DesignedInput;
use super::error::OptimalInputError;
use super::result::OptimalExperiment;
use super::run::{Rounds, interrupted};
use super::setup::Setup;

/// Sines that a random start is made of.
const SINES: usize = 5;

/// The highest of their frequencies, in periods per run.
const PERIODS: f64 = 8.0;

/// Between the seeds of two starts: the golden ratio of 2^64, as in SplitMix64.
const SEEDS_APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// One search of a multistart.
#[derive(Debug)]
pub struct DesignMember<M: Model> {
    /// Its number; 0 begins with the given starts.
    pub number: usize,
    /// What it found, or why it failed.
    pub outcome: Result<OptimalExperiment<M>, OptimalInputError>,
}

impl<M: Model> DesignMember<M> {
    /// Phi at the end; `None` after a failure, and where conditions or limits are not kept.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.as_ref().ok().filter(|found| found.keeps()).map(OptimalExperiment::cost)
    }
}

impl<M: Model> OptimalInput<'_, M> {
    /// Searches from `starts` inputs on the threads of rayon's pool: the given ones first, then random sums of sines within
    /// the bounds (or with the size of the given start), which depend on `seed` and not on the number of threads.
    /// `progress` is called when one has ended, by one thread at a time.
    ///
    /// The result is that of every start, lowest cost first and failed ones last: a start that fails is part of the result.
    /// State file, observer and line of progress are those of a single search and not used here.
    ///
    /// # Errors
    /// [`OptimalInputError`] for what is wrong with all starts, before anything runs.
    pub fn multistart(
        &self,
        starts: usize,
        seed: u64,
        progress: impl FnMut(MultistartProgress) + Send,
    ) -> Result<Vec<DesignMember<M>>, OptimalInputError> {
        if starts == 0 {
            return Err(OptimalInputError::NoStarts);
        }
        let setup = &self.setup;
        let settings = setup.settings()?;
        // each keeps its inputs at all steps
        let each =
            bytes(settings.steps(), size_of::<f64>()).saturating_add(size_of::<DesignMember<M>>() as u64);
        let room =
            Room { what: "a multistart", count: starts, counted: "starts", remedy: "take fewer starts" };
        room.check(each.saturating_mul(starts as u64)).map_err(SimulationError::from)?;
        // what is wrong with the given start is wrong before all others
        for design in &setup.designs {
            design.prepare(&settings)?;
        }
        let progress = Mutex::new((progress, 0, None::<f64>));
        let members = (0..starts).into_par_iter().map(|number| {
            let outcome = member(setup, number, seed);
            let member = DesignMember { number, outcome };
            let cost = member.cost();
            let mut guard = progress.lock().unwrap_or_else(PoisonError::into_inner);
            let (report, ended, best) = &mut *guard;
            *ended += 1;
            *best = [*best, cost].into_iter().flatten().reduce(f64::min);
            report(MultistartProgress { number, cost, ended: *ended, starts, best: *best });
            member
        });
        let mut members: Vec<_> = members.collect();
        let cost = |member: &DesignMember<M>| member.cost().unwrap_or(f64::INFINITY);
        members.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.number.cmp(&b.number)));
        Ok(members)
    }
}

#[inline(never)]
fn member<M: Model>(
    setup: &Setup<M>,
    number: usize,
    seed: u64,
) -> Result<OptimalExperiment<M>, OptimalInputError> {
    let begun = Instant::now();
    let (given, _) = setup.prepared(None)?;
    let mut setup = setup.clone();
    if number > 0 {
        let end = setup.settings()?.end;
        let mut random =
            SmallRng::seed_from_u64(seed.wrapping_add((number as u64).wrapping_mul(SEEDS_APART)));
        let designs = setup.designs.into_iter();
        setup.designs = designs.map(|design| randomised(design, end, &mut random)).collect();
    }
    let (search, mut state) = setup.prepared(None)?;
    let stop = Rounds::new(&setup, &search).minimize(&mut state)?;
    let concluded = setup.conclude((&given, &search), &state, stop, begun);
    concluded.map_err(|error| error.within(|| interrupted(state.iterations(), None)))
}

/// The designed input with a random start.
fn randomised<M: Model>(design: DesignedInput<M>, end: f64, random: &mut SmallRng) -> DesignedInput<M> {
    let sines: Vec<[f64; 3]> = (0..SINES)
        .map(|_| {
            let frequency = TAU * random.random_range(0.25..PERIODS) / end;
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
