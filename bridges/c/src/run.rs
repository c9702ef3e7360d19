//! Runs and what they hold.

use std::ffi::{c_int, c_long, c_void};

use costate::cost::{LeastSquares, Quadrature};
use costate::model::System;
use costate::simulate::{Accuracy, Run, Series, Trajectory};

use crate::boundary::{Failure, exported};
use crate::handles::{Handle, Kept, free, keep, with};
use crate::memory::{In, Out};
use crate::model::no_index;
use crate::simulation::settings_of;

/// A run: with estimates of errors where it begins as the model says.
#[derive(Debug)]
pub enum RunObject {
    /// A run that begins as the model says.
    Own(Box<Run>),
    /// A run that begins with given positions and velocities.
    Given(Trajectory, Series<f64>),
}

impl Kept for RunObject {
    const KIND: usize = 3;
}

impl RunObject {
    fn trajectory(&self) -> &Trajectory {
        match self {
            Self::Own(run) => run.trajectory(),
            Self::Given(trajectory, _) => trajectory,
        }
    }

    fn outputs(&self) -> &Series<f64> {
        match self {
            Self::Own(run) => run.outputs(),
            Self::Given(_, outputs) => outputs,
        }
    }

    fn channel(&self, index: usize) -> Result<Vec<f64>, Failure> {
        let outputs = self.outputs();
        let channel = outputs.channel(index).ok_or_else(|| no_index("output", index, outputs.width()))?;
        Ok(channel.collect())
    }

    fn accuracy(&self) -> Result<Accuracy, Failure> {
        match self {
            Self::Own(run) => Ok(run.accuracy()?),
            Self::Given(..) => Err(Failure::data(
                "errors are estimated of runs that begin as the model says; leave out costate_simulation_set_start",
            )),
        }
    }
}

fn of<R>(run: *mut c_void, work: impl FnOnce(&mut RunObject) -> Result<R, Failure>) -> Result<R, Failure> {
    with(Handle::given(run), work)
}

exported! {
    /// Runs a simulation.
    fn costate_simulation_run(simulation: *mut c_void) -> *mut c_void {
        let settings = settings_of(simulation)?;
        if settings.start().is_none() {
            return keep(RunObject::Own(Box::new(settings.simulation()?.run()?)));
        }
        let trajectory = settings.problem()?.forward(&settings.values)?;
        let outputs = trajectory.outputs();
        keep(RunObject::Given(trajectory, outputs))
    }

    /// Frees a run.
    fn costate_run_free(run: *mut c_void) -> c_int {
        free::<RunObject>(Handle::given(run))
    }

    /// Returns the number of samples.
    fn costate_run_samples(run: *mut c_void) -> c_long {
        of(run, |run| Ok(run.trajectory().samples()))
    }

    /// Returns the number of steps.
    fn costate_run_steps(run: *mut c_void) -> c_long {
        of(run, |run| Ok(run.trajectory().steps()))
    }

    /// Writes the times of all samples.
    fn costate_run_times(run: *mut c_void, times: Out, count: usize) -> c_int {
        of(run, |run| {
            let trajectory = run.trajectory();
            times.check("times", count, trajectory.samples())?;
            let all: Vec<f64> =
                (0..trajectory.samples()).map(|k| trajectory.time(trajectory.step_of_sample(k))).collect();
            times.write("times", count, &all)
        })
    }

    /// Writes an output at all samples.
    fn costate_run_output(run: *mut c_void, index: usize, values: Out, count: usize) -> c_int {
        of(run, |run| values.write("values", count, &run.channel(index)?))
    }

    /// Writes an output at given times, by interpolation between samples.
    fn costate_run_output_at(
        run: *mut c_void, index: usize, times: In, values: Out, count: usize,
    ) -> c_int {
        of(run, |run| {
            let system: &dyn System = run.trajectory().system();
            let described = system.description().outputs;
            let output = described.get(index).ok_or_else(|| no_index("output", index, described.len()))?;
            let (output, outputs) = (system.output(output.name)?, run.outputs());
            let times = times.read("times", count)?;
            values.check("values", count, count)?;
            let cost = LeastSquares::new(outputs.step(), outputs.samples(), Quadrature::Sum);
            let cost = cost.with_channel(output, times, &vec![0.0; count], 1.0)?;
            let all: Vec<f64> = cost.channels().iter().flat_map(|channel| channel.interpolated(outputs)).collect();
            values.write("values", count, &all)
        })
    }

    /// Writes q, v, a and lambda at a sample.
    fn costate_run_state(run: *mut c_void, sample: usize, state: Out, count: usize) -> c_int {
        of(run, |run| {
            let trajectory = run.trajectory();
            if sample >= trajectory.samples() {
                return Err(no_index("sample", sample, trajectory.samples()));
            }
            state.write("state", count, trajectory.stored(trajectory.step_of_sample(sample)))
        })
    }

    /// Writes the largest estimated error relative to its scale, the order of errors, and the step for a wanted error.
    fn costate_run_accuracy(
        run: *mut c_void, wanted: f64, relative: Out, order: Out, step: Out,
    ) -> c_int {
        of(run, |run| {
            let accuracy = run.accuracy()?;
            relative.write_one("relative", accuracy.relative())?;
            order.write_one("order", f64::from(accuracy.order))?;
            step.write_one("step", accuracy.step_for(wanted))
        })
    }
}
