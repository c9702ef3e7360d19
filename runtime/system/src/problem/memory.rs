//! The memory that a run needs, and the part of it that may be stored at once.

use costate_contract::machine::{OutOfMemory, Room, bytes};

use crate::model::Description;
use crate::system::System;

use super::checkpoints::{Checkpoints, automatic_budget};
use super::error::SimulationError;
use super::plan::{Plan, Sizes};
use super::settings::Settings;

/// Memory that a run needs, and steps that the gradient repeats to limit it: known before the run starts.
///
/// A run that needs more memory than the machine has left, free swap space included, is refused before it
/// starts, whatever `memory_limit` is. Where the system does not report its free memory, which is everywhere
/// but on Linux, the run is refused when the system does not grant the memory.
///
/// Not counted are data that do not grow with the number of steps, such as one set of factors for every
/// choice of pivots, and the data and results of costs: their derivatives by the outputs take `output_bytes`
/// once more, and direct differentiation takes as much for every unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Memory {
    /// Bytes of the states that are stored at once: those of all steps, or of a block of steps between checkpoints.
    pub trajectory_bytes: u64,
    /// Bytes of the checkpoints.
    pub checkpoint_bytes: u64,
    /// Bytes of the input samples.
    pub input_bytes: u64,
    /// Bytes of the output samples.
    pub output_bytes: u64,
    /// Checkpoints at once; 0 if all states are stored.
    pub checkpoints: usize,
    /// Steps that the discrete adjoint computes once more, besides the N of the run. Direct differentiation repeats N.
    pub repeated_steps: u64,
}

/// The sizes that determine the memory of a run, besides its number of steps.
#[allow(missing_debug_implementations)]
pub struct RunSizes {
    /// Names and sizes of the model.
    pub model: &'static Description,
    /// Bytes of a number.
    pub number: usize,
    /// Bytes of a checkpoint without the states of its block.
    pub snapshot: u64,
}

impl RunSizes {
    /// Returns the sizes of runs in plain numbers.
    pub fn of(system: &'static dyn System) -> Self {
        Self { model: system.description(), number: size_of::<f64>(), snapshot: system.snapshot_bytes() }
    }
}

impl Memory {
    /// Returns the memory of a run with all states and this many steps.
    #[doc(hidden)]
    pub fn of_all(steps: usize, sizes: &RunSizes) -> Self {
        let RunSizes { model, number, .. } = sizes;
        let bytes = |numbers: usize, size: usize| bytes(numbers, size).saturating_mul(steps as u64 + 1);
        Self {
            trajectory_bytes: bytes(model.state_length(), *number),
            checkpoint_bytes: 0,
            input_bytes: bytes(model.inputs.len(), size_of::<f64>()),
            output_bytes: bytes(model.outputs.len(), *number),
            checkpoints: 0,
            repeated_steps: 0,
        }
    }

    /// Returns the plan that the settings ask for, and its memory; `None` for the plan if all states are
    /// stored.
    #[doc(hidden)]
    pub fn planned(settings: &Settings, steps: usize, run: &RunSizes) -> Result<(Option<Plan>, Self), SimulationError> {
        let all = Self::of_all(steps, run);
        let Some((field, budget)) = budget(settings) else {
            all.check(settings, steps)?;
            return Ok((None, all));
        };
        if all.total() <= budget {
            return Ok((None, all));
        }
        let state = (run.model.state_length() * run.number) as u64;
        let sizes = Sizes { snapshot: run.snapshot, state };
        let fixed = all.input_bytes.saturating_add(all.output_bytes);
        let plan = budget.checked_sub(fixed).and_then(|left| Plan::within(left, steps, sizes));
        let Some(plan) = plan else {
            let needed = fixed.saturating_add(sizes.least(steps));
            return Err(SimulationError::Checkpoints { field, bytes: budget, needed });
        };
        let memory = Self {
            trajectory_bytes: plan.states() as u64 * sizes.state,
            checkpoint_bytes: plan.snapshots() as u64 * sizes.snapshot,
            checkpoints: plan.snapshots(),
            repeated_steps: plan.repeated_steps(),
            ..all
        };
        Ok((Some(plan), memory))
    }

    /// Adds the memory of another run that is stored at the same time.
    pub(super) fn add(&mut self, other: Self) {
        self.trajectory_bytes = self.trajectory_bytes.saturating_add(other.trajectory_bytes);
        self.checkpoint_bytes = self.checkpoint_bytes.saturating_add(other.checkpoint_bytes);
        self.input_bytes = self.input_bytes.saturating_add(other.input_bytes);
        self.output_bytes = self.output_bytes.saturating_add(other.output_bytes);
        self.checkpoints += other.checkpoints;
        self.repeated_steps += other.repeated_steps;
    }

    /// Returns the sum of all bytes; at most `u64::MAX`.
    pub fn total(&self) -> u64 {
        let parts = [self.checkpoint_bytes, self.input_bytes, self.output_bytes];
        parts.into_iter().fold(self.trajectory_bytes, u64::saturating_add)
    }

    /// Checks the memory against the setting `memory_limit`.
    pub(crate) fn check(&self, settings: &Settings, steps: usize) -> Result<(), SimulationError> {
        let needed = self.total();
        match settings.memory_limit {
            Some(limit) if needed > limit => Err(SimulationError::Memory { steps, needed, limit }),
            _ => Ok(()),
        }
    }

    /// Checks whether the machine has room for the least memory of a prepared run: its inputs, and at least
    /// one number at every step.
    pub(crate) fn check_least(&self, steps: usize) -> Result<(), OutOfMemory> {
        let outputs = self.output_bytes.max(bytes(steps, size_of::<f64>()));
        Room::of_steps("the run", steps).check(self.input_bytes.saturating_add(outputs))
    }

    /// Checks whether the machine has room for `runs` of them at once, whose inputs are stored already.
    #[doc(hidden)]
    pub fn check_runs(&self, steps: usize, runs: usize) -> Result<(), OutOfMemory> {
        match runs {
            1 => Room::of_steps("the run", steps).check(self.without_inputs()),
            runs => room_of_group(runs).check(self.without_inputs().saturating_mul(runs as u64)),
        }
    }

    /// Checks whether the machine has room for all of these runs at once, each `times` times, whose inputs
    /// are stored already.
    #[doc(hidden)]
    pub fn check_group(runs: impl Iterator<Item = Self>, times: usize) -> Result<(), OutOfMemory> {
        let (mut count, mut bytes) = (0, 0_u64);
        for run in runs {
            (count, bytes) = (count + times, bytes.saturating_add(run.without_inputs()));
        }
        room_of_group(count).check(bytes.saturating_mul(times as u64))
    }

    fn without_inputs(&self) -> u64 {
        self.total().saturating_sub(self.input_bytes)
    }
}

fn room_of_group(count: usize) -> Room {
    let remedy = "take fewer at a time, a larger step, an earlier end, or `checkpoints` in place of all states";
    Room { what: "a group", count, counted: "runs", remedy }
}

/// Returns the bytes that a run with checkpoints may take, and the setting that limits them; `None` without a
/// limit.
fn budget(settings: &Settings) -> Option<(&'static str, u64)> {
    let own = match settings.checkpoints {
        Checkpoints::Off => return None,
        Checkpoints::Within(bytes) => Some(bytes),
        Checkpoints::Automatic => automatic_budget(),
    };
    let own = own.map(|bytes| ("checkpoints", bytes));
    let limit = settings.memory_limit.map(|bytes| ("memory_limit", bytes));
    own.into_iter().chain(limit).min_by_key(|(_, bytes)| *bytes)
}
