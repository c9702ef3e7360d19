//! A run with what its gradient needs.

use std::fmt;

use crate::model::Model;
use crate::scalar::Scalar;
use crate::series::Series;
use crate::step::Statistics;

use super::checkpoints::Checkpointed;
use super::states::States;
use super::trajectory::Trajectory;

/// A run with its outputs at all steps, and either all states or checkpoints, as [`Settings::checkpoints`] say: the
/// result of [`Problem::run`].
///
/// ```text
/// let problem = simulation.checkpoints(Checkpoints::Within(200_000_000)).problem()?;
/// println!("{:?}", problem.memory()); // bytes, checkpoints and repeated steps, before the run
/// let mut run = problem.run(&model.parameters())?;
/// let output_gradient = cost.output_gradient(run.outputs());
/// let derivatives = gradient(&problem, &mut run, &output_gradient, &[Mount::C, Mount::D])?;
/// ```
///
/// [`gradient`], [`sensitivities`] and [`GradientMethod`] take it as `&mut run`: a gradient uses its checkpoints up, as
/// their memory serves for others. Another gradient of the same run is as exact, but computes the run once more first.
///
/// [`Settings::checkpoints`]: crate::simulate::Settings::checkpoints
/// [`Problem::run`]: crate::simulate::Problem::run
/// [`gradient`]: crate::gradient()
/// [`sensitivities`]: crate::differentiate::sensitivities()
/// [`GradientMethod`]: crate::differentiate::GradientMethod
pub struct StoredRun<M: Model, S: Scalar = f64> {
    outputs: Series<S>,
    kept: Kept<M, S>,
}

enum Kept<M: Model, S: Scalar> {
    All(Box<Trajectory<M, S>>),
    Checkpoints(Box<Checkpointed<M, S>>),
}

impl<M: Model, S: Scalar> StoredRun<M, S> {
    pub(crate) fn all(outputs: Series<S>, trajectory: Trajectory<M, S>) -> Self {
        Self { outputs, kept: Kept::All(Box::new(trajectory)) }
    }

    pub(crate) fn checkpoints(outputs: Series<S>, run: Checkpointed<M, S>) -> Self {
        Self { outputs, kept: Kept::Checkpoints(Box::new(run)) }
    }

    /// The outputs s_i at all steps.
    pub fn outputs(&self) -> &Series<S> {
        &self.outputs
    }

    /// The outputs alone.
    pub fn into_outputs(self) -> Series<S> {
        self.outputs
    }

    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<S> {
        match &self.kept {
            Kept::All(trajectory) => trajectory.parameters(),
            Kept::Checkpoints(run) => run.parameters(),
        }
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        match &self.kept {
            Kept::All(trajectory) => trajectory.statistics(),
            Kept::Checkpoints(run) => run.statistics(),
        }
    }

    /// The state x_N at the end (3n + m); `None` for a run whose checkpoints a gradient has used up.
    pub fn end(&self) -> Option<&[S]> {
        match &self.kept {
            Kept::All(trajectory) => Some(trajectory.stored(trajectory.steps())),
            Kept::Checkpoints(run) => run.end(),
        }
    }

    /// All states; `None` for a run with checkpoints.
    pub fn trajectory(&self) -> Option<&Trajectory<M, S>> {
        match &self.kept {
            Kept::All(trajectory) => Some(trajectory),
            Kept::Checkpoints(_) => None,
        }
    }
}

impl<M: Model, S: Scalar> fmt::Debug for StoredRun<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredRun")
            .field("parameters", self.parameters())
            .field("statistics", &self.statistics())
            .field("checkpoints", &matches!(self.kept, Kept::Checkpoints(_)))
            .finish_non_exhaustive()
    }
}

/// The states of a run, as gradients take them: those of a `&Trajectory` or of a `&mut StoredRun`.
pub struct RunStates<'a, M: Model, S: Scalar = f64>(pub(crate) States<'a, M, S>);

impl<'a, M: Model, S: Scalar> From<&'a Trajectory<M, S>> for RunStates<'a, M, S> {
    fn from(trajectory: &'a Trajectory<M, S>) -> Self {
        Self(States::All(trajectory))
    }
}

impl<'a, M: Model, S: Scalar> From<&'a mut StoredRun<M, S>> for RunStates<'a, M, S> {
    fn from(run: &'a mut StoredRun<M, S>) -> Self {
        match &mut run.kept {
            Kept::All(trajectory) => Self(States::All(trajectory)),
            Kept::Checkpoints(run) => Self(States::Checkpoints(run)),
        }
    }
}

impl<M: Model, S: Scalar> fmt::Debug for RunStates<'_, M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = match self.0 {
            States::All(_) => "all",
            States::Checkpoints(_) => "checkpoints",
        };
        f.debug_tuple("RunStates").field(&kept).finish()
    }
}
