//! Checks that an element's force acts along the deformation in its outputs: by virtual work, df/ds = -z dz/dq and
//! df/dd = -v dz/dq.

use costate_numerics::linalg::block::{Products, find};
use costate_system::model::{Argument, Function, Group};
use costate_system::problem::Problem;
use costate_system::system::{Instant, StateVectors};

use crate::FilterRun;

use super::ModelElement;
use crate::restoring_force::error::RestoringForceError;

/// Arguments on which the deformation of an element may not depend; its rate may depend on the first one.
const DEFORMATION: [(Argument, &str); 3] = [
    (Argument::Velocities, "velocities"),
    (Argument::Accelerations, "accelerations"),
    (Argument::Multipliers, "multipliers"),
];

impl ModelElement {
    /// Checks the arguments on which the outputs of the element depend; `number` is that of the element, from 1.
    pub(super) fn check_outputs(&self, number: usize) -> Result<(), RestoringForceError> {
        let outputs = [(self.deformation, "deformation", &DEFORMATION[..]), (self.rate, "rate", &DEFORMATION[1..])];
        for (output, role, forbidden) in outputs {
            for (argument, name) in forbidden {
                let block =
                    find(self.deformation.description().groups.output_derivatives, Function::Output, Some(*argument));
                if block.entries.iter().any(|(row, _)| *row as usize == output.index()) {
                    let why = format!("it depends on {name}");
                    return Err(RestoringForceError::Element { element: number, role, output: output.name(), why });
                }
            }
        }
        Ok(())
    }

    /// Checks at samples of a run that the element's force is s z + d v along z; `places` has the indices of s and d
    /// in the state, which begins with q and v.
    pub(super) fn check_force(
        &self,
        number: usize,
        problem: &Problem,
        parameters: &[f64],
        run: &FilterRun,
        places: [usize; 2],
    ) -> Result<(), RestoringForceError> {
        /// Number of samples at which forces are compared.
        const COMPARED_SAMPLES: usize = 16;
        let mut compared = [Compared::default(); 2];
        let every = run.samples().div_ceil(COMPARED_SAMPLES).max(1);
        for i in (0..run.samples()).step_by(every) {
            if i >= problem.inputs().len() {
                break;
            }
            let (x, model) = (run.mean(i), problem.description());
            let n = model.coordinates.len();
            let mut state = StateVectors::zeros(n, model.constraints.len());
            state.coordinates.copy_from_slice(&x[..n]);
            state.velocities.copy_from_slice(&x[n..2 * n]);
            let mut parameters = parameters.to_vec();
            for (parameter, place) in [self.stiffness, self.damping].iter().zip(places) {
                parameters[parameter.index()] = x[place];
            }
            let (time, inputs) = (i as f64 * run.interval(), problem.inputs().row(i));
            let at = Instant { time, state: &state, inputs };
            let (mut forces, mut outputs, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
            problem.system().with_equations(problem, &parameters, &mut |equations| {
                forces = equations.group(Group::Linearization, at);
                outputs = equations.group(Group::Outputs, at);
                slopes = equations.group(Group::OutputDerivatives, at);
            });
            let groups = model.groups;
            let by_q = find(groups.output_derivatives, Function::Output, Some(Argument::Coordinates));
            let by_p = find(groups.linearization, Function::Force, Some(Argument::Parameters));
            let mut unit = vec![0.0; outputs.len()];
            unit[self.deformation.index()] = 1.0;
            let mut lever = vec![0.0; n];
            by_q.add_transposed_product(&slopes, 1.0, &unit, &mut lever);
            let roles = [(self.stiffness, self.deformation), (self.damping, self.rate)];
            for (compared, (parameter, output)) in compared.iter_mut().zip(roles) {
                let mut force = vec![0.0; n];
                by_p.add_column(&forces, 1.0, parameter.index(), &mut force);
                let value = outputs[output.index()];
                for (force, lever) in force.iter().zip(&lever) {
                    compared.add(*force, -value * lever);
                }
            }
        }
        let roles = [("deformation", self.deformation, self.stiffness), ("rate", self.rate, self.damping)];
        for (compared, (role, output, parameter)) in compared.iter().zip(roles) {
            if !compared.agree() {
                let name = parameter.name();
                let why = format!(
                    "by virtual work the force of `{name}` would be {name} times this output, and the model's differs \
                     by {:.3} % of it: give the {role} that `{name}` multiplies in the model, at the place where the \
                     force acts",
                    100.0 * compared.difference()
                );
                return Err(RestoringForceError::Element { element: number, role, output: output.name(), why });
            }
        }
        Ok(())
    }
}

/// Sums of squares of a force, of its expected value, and of their difference.
#[derive(Debug, Clone, Copy, Default)]
struct Compared {
    force: f64,
    expected: f64,
    difference: f64,
}

impl Compared {
    fn add(&mut self, force: f64, expected: f64) {
        self.force += force * force;
        self.expected += expected * expected;
        self.difference += (force - expected).powi(2);
    }

    /// Returns the difference relative to the expected force.
    fn difference(&self) -> f64 {
        (self.difference / self.expected).sqrt()
    }

    fn agree(&self) -> bool {
        /// Largest relative difference of the forces.
        const MAX_FORCE_DIFFERENCE: f64 = 1e-6;
        self.difference <= MAX_FORCE_DIFFERENCE * MAX_FORCE_DIFFERENCE * self.force.max(self.expected)
    }
}
