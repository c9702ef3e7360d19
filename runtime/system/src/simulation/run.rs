//! The result of a simulation.

use std::marker::PhantomData;

use costate_measure::record::{AssumedUnit, Record, RecordError};
use costate_view::{Animation, Mechanism, Motion, Plot};

use crate::gradient::{Accuracy, accuracy, judged};
use crate::identifiers::{Constraint, Coordinate, Dynamic, Output};
use crate::problem::{Memory, Problem, SimulationError};
use crate::run::Trajectory;
use crate::series::Series;
use crate::step::Statistics;

/// The result of a simulation: N + 1 samples of everything at t_i = i h, which are the ends of the steps
/// where these are constant.
#[derive(Debug)]
pub struct Run<M = Dynamic> {
    result: RunResult,
    model: PhantomData<fn() -> M>,
}

/// A [`Run`] without the type of its model.
#[derive(Debug, Clone)]
pub(crate) struct RunResult {
    pub trajectory: Trajectory,
    pub outputs: Series<f64>,
    pub memory: Memory,
    pub problem: Problem,
}

impl<M> Clone for Run<M> {
    fn clone(&self) -> Self {
        Self { result: self.result.clone(), model: PhantomData }
    }
}

/// Converts all outputs to channels with their names and units: a simulation in place of a measurement.
///
/// # Errors
/// [`RecordError::ChannelName`] for an output whose name a file cannot have, such as `time`, and
/// [`RecordError::Value`] for one that becomes infinite.
impl<M> TryFrom<&Run<M>> for Record {
    type Error = RecordError;

    fn try_from(run: &Run<M>) -> Result<Self, RecordError> {
        let model = run.trajectory().description();
        let mut outputs = model.outputs.iter().enumerate();
        outputs.try_fold(Self::new(run.times())?.named(model.name), |record, (k, output)| {
            let values = run.outputs().channel(k).into_iter().flatten().collect();
            record.with_channel(output.name, Some(output.unit), values)
        })
    }
}

impl<M> Run<M> {
    pub(crate) fn of(result: RunResult) -> Self {
        Self { result, model: PhantomData }
    }

    /// Returns the times of the samples in s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.result.trajectory.samples())
            .map(|k| self.result.trajectory.time(self.result.trajectory.step_of_sample(k)))
            .collect()
    }

    /// Returns one output at all times, in its unit.
    pub fn output(&self, output: Output<M>) -> Vec<f64> {
        self.result.outputs.output(output).into_iter().flatten().collect()
    }

    /// Returns all outputs.
    pub fn outputs(&self) -> &Series<f64> {
        &self.result.outputs
    }

    /// Returns a coordinate at all times.
    pub fn coordinate(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.coordinates(i).get(coordinate.index()))
    }

    /// Returns a coordinate's velocity at all times.
    pub fn velocity(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.velocities(i).get(coordinate.index()))
    }

    /// Returns a coordinate's acceleration at all times.
    pub fn acceleration(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.accelerations(i).get(coordinate.index()))
    }

    /// Returns a constraint's Lagrange multiplier at all times.
    pub fn multiplier(&self, constraint: Constraint<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.multipliers(i).get(constraint.index()))
    }

    /// Returns all states.
    pub fn trajectory(&self) -> &Trajectory {
        &self.result.trajectory
    }

    /// Returns the work counters of the run.
    pub fn statistics(&self) -> Statistics {
        self.result.trajectory.statistics()
    }

    /// Estimates the errors that the step size leaves in coordinates and outputs, by runs with half and with
    /// twice the step, which keep no states and take two and a half times as long as the run.
    ///
    /// # Errors
    /// [`SimulationError`] of the runs with other steps.
    pub fn accuracy(&self) -> Result<Accuracy, SimulationError> {
        accuracy(&self.result.problem, &self.result.trajectory, &self.result.outputs)
    }

    /// Checks that the errors, which were estimated, are within this limit, as a fraction of the scales.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`], `SimulationError::UnseenChange`.
    #[doc(hidden)]
    pub fn judge(&self, accuracy: &Accuracy, limit: f64) -> Result<(), SimulationError> {
        judged(accuracy, limit, (&self.result.problem, self.result.trajectory.parameters()))
    }

    /// Returns the memory that the run needed.
    pub fn memory(&self) -> Memory {
        self.result.memory
    }

    /// Returns the channels that drove inputs, and the columns of tables, that have no unit and were taken in
    /// the model's.
    pub fn assumed_units(&self) -> &[AssumedUnit] {
        self.result.problem.assumed_units()
    }

    /// Returns the run as a picture that moves: where all bodies are at its samples, and all outputs. Of long runs
    /// every second, third ... sample is taken, so that files stay small.
    pub fn animation(&self) -> Animation {
        let trajectory = self.trajectory();
        let times = self.times();
        let model = trajectory.description();
        let plots = model.outputs.iter().enumerate().map(|(k, quantity)| {
            let values = self.outputs().channel(k).into_iter().flatten();
            Plot {
                name: quantity.name.to_owned(),
                unit: quantity.unit.to_owned(),
                documentation: quantity.documentation.to_owned(),
                points: times.iter().copied().zip(values).collect(),
            }
        });
        let motion = Motion::new(
            self.mechanism(),
            trajectory.step(),
            trajectory.samples(),
            |sample| trajectory.coordinates(trajectory.step_of_sample(sample)).to_vec(),
            plots.collect(),
        );
        Animation::new(model.name, "", motion)
    }

    /// Returns the bodies of the run's model and what joins them, with the run's parameters.
    pub fn mechanism(&self) -> Mechanism {
        let numbers = self.trajectory().system().geometry(self.trajectory().parameters(), self.result.problem.tables());
        Mechanism::new(self.trajectory().description().scene, &numbers)
    }

    fn collect<'a>(&'a self, value: impl Fn(usize) -> Option<&'a f64>) -> Vec<f64> {
        let steps = (0..self.result.trajectory.samples()).map(|k| self.result.trajectory.step_of_sample(k));
        steps.filter_map(value).copied().collect()
    }
}
