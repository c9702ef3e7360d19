//! A run with the data for its gradient.

use std::any::Any;
use std::fmt;

use costate_numerics::scalar::Scalar;

use crate::problem::Conditions;
use crate::series::Series;
use crate::step::Statistics;

use super::trajectory::Trajectory;

/// A run with its outputs at all steps, and either all states or checkpoints, as `Settings::checkpoints` say: the
/// result of `Problem::run`.
///
/// ```text
/// let problem = simulation.checkpoints(Checkpoints::Within(200_000_000)).problem()?;
/// println!("{:?}", problem.memory()); // bytes, checkpoints and repeated steps, before the run
/// let mut run = problem.run(&model.parameters())?;
/// let output_gradient = cost.output_gradient(run.outputs());
/// let derivatives = gradient(&problem, &mut run, &output_gradient, &[Mount::C, Mount::D])?;
/// ```
///
/// [`gradient`], `sensitivities` and `GradientMethod` take the run as `&mut run`: a gradient uses up its
/// checkpoints, whose memory is used again. Another gradient of the same run is as exact, but repeats the run
/// first.
///
/// [`gradient`]: crate::gradient::gradient()
pub struct StoredRun<S: Scalar = f64> {
    outputs: Series<S>,
    kept: StoredStates<S>,
}

enum StoredStates<S: Scalar> {
    All(Box<Trajectory<S>>),
    Checkpoints(Box<CheckpointedRun<S>>),
    Levels(Box<LevelRuns<S>>),
}

/// The runs of which one of high order is the combination, where some hold checkpoints.
#[allow(missing_debug_implementations)]
pub struct LevelRuns<S: Scalar> {
    /// The conditions of the combination besides its parameters.
    pub conditions: Conditions,
    /// The runs, beginning with the longest steps.
    pub runs: Vec<StoredRun<S>>,
    /// The state of the combination at the end.
    pub end: Option<Vec<S>>,
    /// Work counters of all runs together.
    pub statistics: Statistics,
}

/// A run that holds checkpoints.
#[allow(missing_debug_implementations)]
pub struct CheckpointedRun<S: Scalar> {
    /// The conditions of the run besides its parameters.
    pub conditions: Conditions,
    /// All parameters.
    pub parameters: Vec<S>,
    /// Work counters of the run.
    pub statistics: Statistics,
    /// The `Checkpointed` of the kernel.
    pub kept: Box<dyn StoredCheckpoints<S>>,
}

/// The checkpoints of a run, whose model type is erased.
pub trait StoredCheckpoints<S>: Send {
    /// Returns x_N, while the checkpoints are those of the end.
    fn end(&self) -> Option<&[S]>;
    /// Returns the checkpoints for a downcast to the type of their model.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Scalar> StoredRun<S> {
    /// Creates a run with all states.
    #[doc(hidden)]
    pub fn all(outputs: Series<S>, trajectory: Trajectory<S>) -> Self {
        Self { outputs, kept: StoredStates::All(Box::new(trajectory)) }
    }

    /// Creates a run with checkpoints.
    #[doc(hidden)]
    pub fn checkpoints(outputs: Series<S>, run: CheckpointedRun<S>) -> Self {
        Self { outputs, kept: StoredStates::Checkpoints(Box::new(run)) }
    }

    /// Creates a run that is the combination of others.
    pub(crate) fn levels(outputs: Series<S>, runs: LevelRuns<S>) -> Self {
        Self { outputs, kept: StoredStates::Levels(Box::new(runs)) }
    }

    /// Returns all states alone; `None` for a run with checkpoints.
    pub(crate) fn into_trajectory(self) -> Option<Trajectory<S>> {
        match self.kept {
            StoredStates::All(trajectory) => Some(*trajectory),
            StoredStates::Checkpoints(_) | StoredStates::Levels(_) => None,
        }
    }

    /// Returns the outputs s_i at all steps.
    pub fn outputs(&self) -> &Series<S> {
        &self.outputs
    }

    /// Returns the outputs alone.
    pub fn into_outputs(self) -> Series<S> {
        self.outputs
    }

    /// Returns the parameters of the run.
    pub fn parameters(&self) -> &[S] {
        match &self.kept {
            StoredStates::All(trajectory) => trajectory.parameters(),
            StoredStates::Checkpoints(run) => &run.parameters,
            StoredStates::Levels(levels) => levels.runs.first().map(Self::parameters).unwrap_or_default(),
        }
    }

    /// Returns the work counters of the run.
    pub fn statistics(&self) -> Statistics {
        match &self.kept {
            StoredStates::All(trajectory) => trajectory.statistics(),
            StoredStates::Checkpoints(run) => run.statistics,
            StoredStates::Levels(levels) => levels.statistics,
        }
    }

    /// Returns the state x_N at the end (3n + m); `None` for a run whose checkpoints a gradient has used up.
    pub fn end(&self) -> Option<&[S]> {
        match &self.kept {
            StoredStates::All(trajectory) => Some(trajectory.stored(trajectory.steps())),
            StoredStates::Checkpoints(run) => run.kept.end(),
            StoredStates::Levels(levels) => levels.end.as_deref(),
        }
    }

    /// Returns all states; `None` for a run with checkpoints.
    pub fn trajectory(&self) -> Option<&Trajectory<S>> {
        match &self.kept {
            StoredStates::All(trajectory) => Some(trajectory),
            StoredStates::Checkpoints(_) | StoredStates::Levels(_) => None,
        }
    }
}

impl<S: Scalar> fmt::Debug for StoredRun<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredRun")
            .field("parameters", &self.parameters())
            .field("statistics", &self.statistics())
            .field("checkpoints", &!matches!(self.kept, StoredStates::All(_)))
            .finish_non_exhaustive()
    }
}

/// The states of a run, as gradients take them: those of a `&Trajectory` or of a `&mut StoredRun`.
pub struct RunStates<'a, S: Scalar = f64>(pub RunStatesStored<'a, S>);

#[allow(missing_debug_implementations)]
/// The stored data of a run for a gradient.
pub enum RunStatesStored<'a, S: Scalar> {
    /// All states.
    All(&'a Trajectory<S>),
    /// Checkpoints, which a sweep uses up.
    Checkpoints(&'a mut CheckpointedRun<S>),
    /// Runs whose combination is the run, which sweeps use up.
    Levels(&'a mut LevelRuns<S>),
}

impl<'a, S: Scalar> From<&'a Trajectory<S>> for RunStates<'a, S> {
    fn from(trajectory: &'a Trajectory<S>) -> Self {
        Self(RunStatesStored::All(trajectory))
    }
}

impl<'a, S: Scalar> From<&'a mut StoredRun<S>> for RunStates<'a, S> {
    fn from(run: &'a mut StoredRun<S>) -> Self {
        match &mut run.kept {
            StoredStates::All(trajectory) => Self(RunStatesStored::All(trajectory)),
            StoredStates::Checkpoints(run) => Self(RunStatesStored::Checkpoints(run)),
            StoredStates::Levels(runs) => Self(RunStatesStored::Levels(runs)),
        }
    }
}

impl<S: Scalar> fmt::Debug for RunStates<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = match self.0 {
            RunStatesStored::All(_) => "all",
            RunStatesStored::Checkpoints(_) => "checkpoints",
            RunStatesStored::Levels(_) => "runs of a combination",
        };
        f.debug_tuple("RunStates").field(&kept).finish()
    }
}
