//! Minimisations from many starts, on all cores.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use costate_contract::machine::{OutOfMemory, Room, bytes};

use super::objective::OptimizeError;
use super::settings::OptimizerSettings;
use super::state::{OptimizerState, StartError};
use super::stop::Stop;
use super::variables::Variable;

/// One minimisation of a [`multistart`].
#[derive(Debug, Clone, PartialEq)]
pub struct Member<E: Error + 'static> {
    /// Number of the member; 0 begins at the given start values.
    pub number: usize,
    /// The parameters at its start, in their units.
    pub start: Vec<f64>,
    /// The reason why the minimisation stopped or failed.
    pub outcome: Result<Stop, OptimizeError<E>>,
    /// The final state; after a failure the state after the last complete iteration.
    pub state: OptimizerState,
}

impl<E: Error + 'static> Member<E> {
    /// J at the end; `None` after a failure.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.is_ok().then(|| self.state.cost())
    }
}

/// Progress of a [`multistart`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MultistartProgress {
    /// Number of the member that has just ended.
    pub number: usize,
    /// Cost of this member; `None` if it failed.
    pub cost: Option<f64>,
    /// Members that have ended.
    pub ended: usize,
    /// Number of all members.
    pub starts: usize,
    /// The lowest cost so far; `None` if all have failed.
    pub best: Option<f64>,
}

/// A multistart that cannot begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum MultistartError {
    /// The number of starts is 0.
    #[error("a multistart needs at least one start; give their number")]
    NoStarts,
    /// An unknown has no finite range.
    #[error(
        "`{name}` has no range to start from, its bounds are [{lower}, {upper}]; give finite ones, above 0 if it is \
             scaled logarithmically"
    )]
    NoRange { name: String, lower: f64, upper: f64 },
    /// A start value, a bound, a scaling or a setting is refused.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The starts need more memory than the machine has.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

/// Minimises from `starts` points within the bounds of `variables`, on the threads of rayon's pool: all cores, unless
/// called in a pool of one's own. The first start is that of the variables, the others are a Latin hypercube in
/// their scales: every range is divided into as many parts as there are points, and each part holds one of them.
///
/// `minimize` makes an objective and minimises it from the state it is given, mostly
/// `|state| minimize(&mut objective(), state, |_| Ok(()))`. As many of them run at once, with all their memory, as
/// there are threads. `progress` is called when a member has ended, by one thread at a time.
///
/// The result is that of every member, lowest cost first and failed ones last. It depends on `seed`, not on the
/// number of threads.
///
/// # Errors
/// [`MultistartError`] before anything runs. A member that fails is part of the result.
pub fn multistart<E, F, P>(
    variables: &[Variable],
    settings: &OptimizerSettings,
    starts: usize,
    seed: u64,
    minimize: F,
    progress: P,
) -> Result<Vec<Member<E>>, MultistartError>
where
    E: Error + Send + 'static,
    F: Fn(&mut OptimizerState) -> Result<Stop, OptimizeError<E>> + Sync,
    P: FnMut(MultistartProgress) + Send,
{
    let states = states(variables, settings, starts, seed)?;
    let progress = Mutex::new((progress, 0, None::<f64>));
    let run = |(number, mut state): (usize, OptimizerState)| {
        let start = state.parameters();
        let outcome = minimize(&mut state);
        let member = Member { number, start, outcome, state };
        let cost = member.cost();
        // The count and the cost are valid even after a panic in the callback.
        let mut guard = progress.lock().unwrap_or_else(PoisonError::into_inner);
        let (report, ended, best) = &mut *guard;
        *ended += 1;
        *best = [*best, cost].into_iter().flatten().reduce(f64::min);
        report(MultistartProgress { number, cost, ended: *ended, starts, best: *best });
        member
    };
    let mut members: Vec<_> = states.into_par_iter().enumerate().map(run).collect();
    let cost = |member: &Member<E>| member.cost().unwrap_or(f64::INFINITY);
    members.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.number.cmp(&b.number)));
    Ok(members)
}

/// Checks whether the machine has the memory for this number of starts.
pub fn check_starts(variables: &[Variable], starts: usize) -> Result<(), OutOfMemory> {
    let each = size_of::<OptimizerState>() + variables.len() * (size_of::<Variable>() + 4 * size_of::<f64>());
    let room = Room { what: "a multistart", count: starts, counted: "starts", remedy: "take fewer starts" };
    room.check(bytes(starts, each))
}

/// Returns the states to begin with: that of the variables, and a Latin hypercube.
pub fn states(
    variables: &[Variable],
    settings: &OptimizerSettings,
    starts: usize,
    seed: u64,
) -> Result<Vec<OptimizerState>, MultistartError> {
    if starts == 0 {
        return Err(MultistartError::NoStarts);
    }
    let first = OptimizerState::new(variables.to_vec(), settings.clone())?;
    check_starts(variables, starts)?;
    let mut ranges = Vec::new();
    for variable in variables {
        let (low, high) = variable.scaled_bounds();
        if !(low.is_finite() && high.is_finite()) {
            let (lower, upper) = variable.bounds();
            return Err(MultistartError::NoRange { name: variable.name().to_owned(), lower, upper });
        }
        ranges.push((low, high));
    }
    let mut states = vec![first];
    for point in latin_hypercube(&ranges, starts - 1, seed) {
        let start =
            variables.iter().zip(point).map(|(variable, x)| variable.starting_with(variable.physical(x))).collect();
        states.push(OptimizerState::new(start, settings.clone())?);
    }
    Ok(states)
}

/// Returns points such that each of `count` equal parts of every range holds one (McKay, Beckman, Conover,
/// Technometrics 21, 1979).
fn latin_hypercube(ranges: &[(f64, f64)], count: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random(seed);
    let mut points = vec![Vec::with_capacity(ranges.len()); count];
    for (low, high) in ranges {
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            parts.swap(last, random.below(last + 1));
        }
        for (point, part) in points.iter_mut().zip(parts) {
            point.push(low + (high - low) * (part as f64 + random.unit()) / count as f64);
        }
    }
    points
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers on every machine and in every version.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number in 0 .. end, with `end` > 0.
    fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f64) as usize).min(end - 1)
    }
}
