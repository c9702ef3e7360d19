//! Adaptive steps of Co-Simulation: a communication step is made again with twice as many steps, or more, until the
//! error of none of them counts.
//!
//! The error of a step is that of Newmark's formula for the positions, C_q h^2 times the change of a in the step,
//! relative to the largest position of its unit so far. What velocities and accelerations move in a communication step
//! is a position too, so that a start at rest has a scale; it bounds the number of steps to about `tolerance`^(-1/2).

use costate::stepper::StepperOf;

use crate::functions::Functions;
use crate::instance::Instance;
use crate::refusal::Refusal;

/// Most halvings of steps: a million steps in a communication step, which a tolerance of about 1e-12 asks for.
const MAX_HALVINGS: usize = 20;

/// Error of a step, in units of the tolerance, below which the next communication step has half as many steps: the
/// error of a step twice as long is eight times as large.
const SMALL_ERROR: f64 = 0.1;

/// The division of communication steps, which saved states keep.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Division {
    /// The number of times that steps are halved.
    pub halvings: usize,
    /// Largest position of the run so far by coordinate, in its unit.
    pub reached: Vec<f64>,
}

/// Returns an importer's tolerance, or why it is none.
pub fn checked(tolerance: f64) -> Result<f64, Refusal> {
    match tolerance > 0.0 && tolerance.is_finite() {
        true => Ok(tolerance),
        false => Err(Refusal::error(format!("the tolerance is {tolerance}; it has to be positive"))),
    }
}

impl Instance {
    /// Makes a communication step of `length` s by at least `steps` equal steps, with errors below the tolerance.
    /// Returns the number of steps.
    pub fn advance_adaptively(&mut self, length: f64, steps: u64, tolerance: f64) -> Result<u64, Refusal> {
        let begin = self.stepper.as_ref().map(StepperOf::save);
        let Some((begin, stepper)) = begin.zip(self.stepper.as_mut()) else {
            return Err(Refusal::error("the instance makes no steps"));
        };
        let description = self.packed.model.description();
        let [of_position, _] = self.packed.settings.scheme.truncation();
        let before = self.values.length;
        let Division { halvings, reached } = &mut self.values.division;
        reached.resize(description.coordinates.len(), 0.0);
        // a state that another library has written may have any number
        *halvings = (*halvings).min(MAX_HALVINGS);
        loop {
            let number = steps << *halvings;
            let size = length / number as f64;
            let (mut largest, mut changes) = (reached.clone(), vec![0.0_f64; reached.len()]);
            if (size - self.values.length).abs() > 1e-12 * size {
                stepper.set_step(size).map_err(Refusal::discard)?;
                self.values.length = size;
            }
            let made = made(stepper, number, length, (&mut largest, &mut changes));
            let excess = made.map(|()| {
                let allowed = |j: usize| {
                    let unit = description.coordinates[j].unit;
                    let alike = description.coordinates.iter().zip(&largest).filter(|(other, _)| other.unit == unit);
                    tolerance * alike.fold(0.0, |most: f64, (_, own)| most.max(*own))
                };
                let errors = changes.iter().enumerate().filter(|(_, change)| **change > 0.0);
                let errors = errors.map(|(j, change)| of_position.abs() * size * size * change / allowed(j));
                errors.fold(0.0, f64::max)
            });
            let finer = match &excess {
                Ok(excess) if *excess <= 1.0 => {
                    *reached = largest;
                    *halvings = if *excess < SMALL_ERROR { halvings.saturating_sub(1) } else { *halvings };
                    return Ok(number);
                }
                // errors fall with the third power of the step, and with the second at jumps
                Ok(excess) => halvings.saturating_add((excess.log2() / 3.0).ceil().max(1.0) as usize),
                Err(_) => *halvings + 1,
            };
            stepper.restore(&begin).map_err(Refusal::discard)?;
            self.values.length = before;
            if *halvings == MAX_HALVINGS {
                excess?;
                return Err(Refusal::discard(format!(
                    "not even steps of {size:e} s have errors below the tolerance {tolerance:e}; export the FMU with a \
                     larger one, or with steps of one length"
                )));
            }
            *halvings = finer.min(MAX_HALVINGS);
        }
    }
}

/// Makes steps of a size. Notes the largest positions, and the largest changes of accelerations in a step.
fn made(
    stepper: &mut StepperOf<Functions>,
    number: u64,
    length: f64,
    (largest, changes): (&mut [f64], &mut [f64]),
) -> Result<(), Refusal> {
    let mut before = stepper.state().accelerations.clone();
    for _ in 0..number {
        let state = stepper.step().map_err(Refusal::discard)?;
        for (j, largest) in largest.iter_mut().enumerate() {
            let (q, v, a) = (state.coordinates[j], state.velocities[j], state.accelerations[j]);
            *largest = largest.max(q.abs()).max(length * v.abs()).max(0.5 * length * length * a.abs());
            changes[j] = changes[j].max((a - before[j]).abs());
        }
        before.clone_from(&state.accelerations);
    }
    Ok(())
}
