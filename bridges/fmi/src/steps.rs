//! Co-Simulation: communication steps, made of the model's own steps.

use costate::stepper::StepperOf;

use crate::instance::Instance;
use crate::refusal::Refusal;

/// Most steps of a communication step: a month of steps of 1 ms and more are a mistake in the unit of time.
const MAX_STEPS: f64 = 2.5e9;

/// The difference, relative to a communication step, below which times are equal: they are sums of up to 1e6 steps.
const SAME_TIME: f64 = 1e-6;

impl Instance {
    /// Advances from `time` by `length` s.
    ///
    /// Steps have the length of the FMU where the communication step is a multiple of it, and the longest that divides
    /// it otherwise; with a tolerance these are the longest, and [adaptive](crate::adaptive) ones are shorter.
    pub fn advance(&mut self, time: f64, length: f64) -> Result<(), Refusal> {
        if !(length > 0.0 && length.is_finite()) {
            return Err(Refusal::error(format!("a step of {length} s is asked for; it has to be positive and finite")));
        }
        let now = self.values.time;
        if time.is_nan() || (time - now).abs() > SAME_TIME * length {
            return Err(Refusal::error(format!(
                "a step from {time} s is asked for at {now} s; continue there, or return by `fmi3SetFMUState`"
            )));
        }
        self.prepare()?;
        let own = self.packed.settings.step;
        let ratio = length / own;
        if ratio > MAX_STEPS {
            return Err(Refusal::error(format!("{length} s are more than {MAX_STEPS:e} steps of {own} s")));
        }
        let whole = ratio.round();
        let (steps, size) = if whole >= 1.0 && (ratio - whole).abs() <= 1e-9 * whole {
            (whole, own)
        } else {
            (ratio.ceil(), length / ratio.ceil())
        };
        let made = match self.values.tolerance {
            Some(tolerance) => self.advance_adaptively(length, steps as u64, tolerance),
            None => self.advance_evenly(steps as u64, size),
        };
        self.values.time = self.stepper.as_ref().map_or(now, StepperOf::time);
        self.last_steps = *made.as_ref().unwrap_or(&0);
        self.inputs_are_stepped = true;
        // the states are those of the stepper, once they are asked for
        self.point = None;
        made.map(|_| ())
    }

    /// Makes this many steps of this size in s, and returns the number.
    fn advance_evenly(&mut self, steps: u64, size: f64) -> Result<u64, Refusal> {
        let Some(stepper) = &mut self.stepper else {
            return Err(Refusal::error("the instance makes no steps"));
        };
        if (size - self.values.length).abs() > 1e-12 * size {
            stepper.set_step(size).map_err(Refusal::discard)?;
            self.values.length = size;
        }
        for _ in 0..steps {
            stepper.step().map_err(Refusal::discard)?;
        }
        Ok(steps)
    }
}
