//! A run with what its gradient needs.

use std::fmt;

use crate::gradient::{Checkpointed, States};
use crate::integrator::Statistics;
use crate::model::Model;
use crate::series::Series;
use crate::trajectory::Trajectory;

/// A run with its outputs at all steps, and either all states or checkpoints, as [`Settings::checkpoints`] say: the
/// result of [`Problem::run`].
///
/// ```text
/// let problem = simulation.checkpoints(Checkpoints::Within(200_000_000)).problem()?;
/// println!("{:?}", problem.memory()); // bytes, checkpoints and repeated steps, before the run
/// let mut run = problem.run(&model.parameters())?;
/// cost.add_gradient(run.outputs(), &mut output_gradient);
/// let derivatives = gradient(&problem, &mut run, &output_gradient, &unknown)?;
/// ```
///
/// [`gradient`], [`sensitivities`] and [`GradientMethod`] take it as `&mut run`: a gradient uses its checkpoints up, as
/// their memory serves for others. Another gradient of the same run is as exact, but computes the run once more first.
///
/// [`Settings::checkpoints`]: crate::Settings::checkpoints
/// [`Problem::run`]: crate::Problem::run
/// [`gradient`]: crate::gradient()
/// [`sensitivities`]: crate::sensitivities()
/// [`GradientMethod`]: crate::GradientMethod
pub struct StoredRun<M: Model> {
    outputs: Series<f64>,
    kept: Kept<M>,
}

enum Kept<M: Model> {
    All(Trajectory<M, f64>),
    Checkpoints(Box<Checkpointed<M>>),
}

impl<M: Model> StoredRun<M> {
    pub(crate) fn all(outputs: Series<f64>, trajectory: Trajectory<M, f64>) -> Self {
        Self { outputs, kept: Kept::All(trajectory) }
    }

    pub(crate) fn checkpoints(outputs: Series<f64>, run: Checkpointed<M>) -> Self {
        Self { outputs, kept: Kept::Checkpoints(Box::new(run)) }
    }

    /// The outputs s_i at all steps.
    pub fn outputs(&self) -> &Series<f64> {
        &self.outputs
    }

    /// The outputs alone.
    pub fn into_outputs(self) -> Series<f64> {
        self.outputs
    }

    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<f64> {
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

    /// All states; `None` for a run with checkpoints.
    pub fn trajectory(&self) -> Option<&Trajectory<M, f64>> {
        match &self.kept {
            Kept::All(trajectory) => Some(trajectory),
            Kept::Checkpoints(_) => None,
        }
    }
}

impl<M: Model> fmt::Debug for StoredRun<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredRun")
            .field("parameters", self.parameters())
            .field("statistics", &self.statistics())
            .field("checkpoints", &matches!(self.kept, Kept::Checkpoints(_)))
            .finish_non_exhaustive()
    }
}

/// The states of a run, as gradients take them: those of a `&Trajectory` or of a `&mut StoredRun`.
pub struct RunStates<'a, M: Model>(pub(crate) States<'a, M>);

impl<'a, M: Model> From<&'a Trajectory<M, f64>> for RunStates<'a, M> {
    fn from(trajectory: &'a Trajectory<M, f64>) -> Self {
        Self(States::All(trajectory))
    }
}

impl<'a, M: Model> From<&'a mut StoredRun<M>> for RunStates<'a, M> {
    fn from(run: &'a mut StoredRun<M>) -> Self {
        match &mut run.kept {
            Kept::All(trajectory) => Self(States::All(trajectory)),
            Kept::Checkpoints(run) => Self(States::Checkpoints(run)),
        }
    }
}

impl<M: Model> fmt::Debug for RunStates<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = match self.0 {
            States::All(_) => "all",
            States::Checkpoints(_) => "checkpoints",
        };
        f.debug_tuple("RunStates").field(&kept).finish()
    }
}
