//! Many parameter sets at once: four side by side in the processor's vectors, and as many fours as there are cores.
//!
//! A result does not depend, not even in a single bit, on the other sets or on the number of threads.

use rayon::iter::ParallelIterator;
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use costate_numerics::scalar::{LANES, lanes_are_available};

use crate::gradient::check_derivatives;
use crate::identifiers::Parameter;
use crate::model::{Model, SelectedParameters};
use crate::problem::{Memory, Problem, SimulationError};
use crate::run::{StoredRun, Trajectory};
use crate::series::Series;
use crate::system::Differentiable;

impl Problem {
    /// Calls [`run`](Self::run) for each of these parameter sets, on all cores and, where the processor and
    /// the model allow it, four at a time in the lanes of its vectors. The results have the order of the
    /// sets.
    ///
    /// Lanes need an x86-64 processor with AVX2, a model with an `Elimination`, and all states stored, those
    /// of four runs within `memory_limit`. A set whose run needs chosen pivots or fails is run alone. A run
    /// in lanes and a single run differ by rounding, because functions like sine and cosine are rounded
    /// differently. All runs are kept, each with the memory that [`memory`](Self::memory) says.
    ///
    /// # Errors
    /// For each set those of [`run`](Self::run).
    pub fn run_each<P: AsRef<[f64]> + Sync>(&self, parameters: &[P]) -> Vec<Result<StoredRun, SimulationError>> {
        if let Err(error) = self.memory().check_runs(self.steps(), parameters.len()) {
            return parameters.iter().map(|_| Err(error.clone().into())).collect();
        }
        let together = at_once(parameters.len());
        parameters.par_chunks(together).flat_map_iter(|some| self.run_four(some)).collect()
    }

    /// Computes the outputs of [`run_each`](Self::run_each) and keeps nothing else: for parameter studies.
    ///
    /// # Errors
    /// For each set those of [`run`](Self::run).
    pub fn outputs_each<P: AsRef<[f64]> + Sync>(&self, parameters: &[P]) -> Vec<Result<Series<f64>, SimulationError>> {
        let outputs_alone = Memory { trajectory_bytes: 0, checkpoint_bytes: 0, ..self.memory() };
        if let Err(error) = outputs_alone.check_runs(self.steps(), parameters.len()) {
            return parameters.iter().map(|_| Err(error.clone().into())).collect();
        }
        let outputs = |some: &[P]| -> Vec<_> {
            let runs = self.run_four(some).into_iter();
            runs.map(|run| run.map(StoredRun::into_outputs)).collect()
        };
        parameters.par_chunks(at_once(parameters.len())).flat_map_iter(outputs).collect()
    }

    /// Returns true if runs go in lanes: the processor and the model allow it, and `memory_limit` has room
    /// for four.
    #[doc(hidden)]
    pub fn runs_in_lanes(&self) -> bool {
        let needed = self.memory().total().saturating_mul(LANES as u64);
        let has_room = self.settings().memory_limit.is_none_or(|limit| needed <= limit);
        let alike = !self.has_checkpoints() && !self.has_adaptive_steps();
        has_room && alike && lanes_are_available() && self.description().elimination.is_some()
    }

    /// Calls [`run`](Self::run) for each of up to four parameter sets on this thread, in lanes where
    /// possible.
    #[doc(hidden)]
    pub fn run_four<P: AsRef<[f64]>>(&self, parameters: &[P]) -> Vec<Result<StoredRun, SimulationError>> {
        let sets: Vec<&[f64]> = parameters.iter().map(AsRef::as_ref).collect();
        // sets with another number of parameters get their error from a single run
        let fits = |set: &&[f64]| self.check_count(set.len()).is_ok();
        let fitting: Vec<&[f64]> = sets.iter().copied().filter(fits).collect();
        let mut in_lanes = self.run_in_lanes(&fitting).into_iter();
        let runs = sets.into_iter().map(|set| {
            let in_lanes = if fits(&set) { in_lanes.next().flatten() } else { None };
            in_lanes.unwrap_or_else(|| self.run(set))
        });
        runs.collect()
    }

    fn run_in_lanes(&self, sets: &[&[f64]]) -> [Option<Result<StoredRun, SimulationError>>; LANES] {
        let none = || std::array::from_fn(|_| None);
        // four runs without room together go one after the other
        if !self.runs_in_lanes() || self.memory().check_runs(self.steps(), LANES).is_err() {
            return none();
        }
        match self.system().run_lanes(self, sets) {
            Ok(runs) => runs.map(|run| run.map(Ok)),
            Err(error) => std::array::from_fn(|_| Some(Err(error.clone()))),
        }
    }
}

/// Returns the number of sets that go together: fewer than lanes where that leaves no core without work.
pub fn at_once(sets: usize) -> usize {
    sets.div_ceil(rayon::current_num_threads()).clamp(1, LANES)
}

/// A run of [`gradient_each`], and dJ/ds_i of its cost at every step.
#[derive(Debug)]
pub struct RunWithCost<'a> {
    /// The run.
    pub run: &'a mut StoredRun,
    /// dJ/ds_i of every output.
    pub output_gradient: &'a Series<f64>,
}

/// Calls [`gradient`](crate::gradient::gradient()) for each of these runs of `problem`, as
/// [`Problem::run_each`] runs them.
///
/// # Errors
/// For each run those of [`gradient`](crate::gradient::gradient()).
pub fn gradient_each<M: Model>(
    problem: &Problem,
    runs: &mut [RunWithCost<'_>],
    unknown: &[Parameter<M>],
) -> Vec<Result<Vec<f64>, SimulationError>> {
    let (model, unknown, together) = (M::differentiable(), &Parameter::indices(unknown)[..], at_once(runs.len()));
    let fours = runs.par_chunks_mut(together);
    fours.flat_map_iter(|four| gradient_four(model, problem, four, unknown)).collect()
}

/// Computes the gradients of up to four runs on this thread, in lanes where possible.
pub fn gradient_four(
    model: &dyn Differentiable,
    problem: &Problem,
    runs: &mut [RunWithCost<'_>],
    unknown: &[usize],
) -> Vec<Result<Vec<f64>, SimulationError>> {
    let mut in_lanes = gradient_in_lanes(model, problem, runs, unknown);
    let gradients = runs.iter_mut().enumerate().map(|(lane, run)| {
        if let Some(gradient) = in_lanes.get_mut(lane).and_then(Option::take) {
            return gradient;
        }
        let found = model.gradients(problem, (&mut *run.run).into(), &[run.output_gradient], unknown);
        found.map(|mut found| found.pop().unwrap_or_default())
    });
    gradients.collect()
}

fn gradient_in_lanes(
    model: &dyn Differentiable,
    problem: &Problem,
    runs: &[RunWithCost<'_>],
    unknown: &[usize],
) -> [Option<Result<Vec<f64>, SimulationError>>; LANES] {
    let mut found = std::array::from_fn(|_| None);
    let stored: Option<Vec<_>> = runs.iter().map(|run| Some((run.run.trajectory()?, run.output_gradient))).collect();
    let Some(stored) = stored.filter(|_| problem.runs_in_lanes()) else { return found };
    // runs that cannot go in lanes get their error from a single gradient
    let Ok(selected) = SelectedParameters::of(problem.description(), unknown) else { return found };
    let fits = |(run, output_gradient): (&Trajectory, &Series<f64>)| {
        run.conditions().check(&problem.conditions()).is_ok() && check_derivatives(problem, output_gradient).is_ok()
    };
    let lanes: Vec<usize> = (0..stored.len()).filter(|&lane| fits(stored[lane])).collect();
    let fitting: Vec<_> = lanes.iter().map(|&lane| stored[lane]).collect();
    let gradients = match model.gradient_lanes(problem, &fitting, (unknown, &selected)) {
        Ok(gradients) => gradients,
        Err(error) => std::array::from_fn(|_| Some(Err(error.clone()))),
    };
    for (lane, gradient) in lanes.into_iter().zip(gradients) {
        found[lane] = gradient;
    }
    found
}
