//! Whether an element's force acts where its outputs say: by virtual work, df/ds = -z dz/dq and df/dd = -v dz/dq.

use super::ModelElement;
use crate::block::{Products, find};
use crate::evaluate;
use crate::filter::FilterRun;
use crate::model::{Argument, Function, Model};
use crate::problem::Problem;
use crate::restoring_force::error::RestoringForceError;
use crate::run::constants_of;
use crate::scalar::Vector;
use crate::step::State;

/// Samples at which forces are compared.
const COMPARED: usize = 16;

/// Part of a force by which both may differ.
const TOLERANCE: f64 = 1e-6;

/// What the outputs of an element may not depend on.
const DEFORMATION: [(Argument, &str); 3] = [
    (Argument::Velocities, "velocities"),
    (Argument::Accelerations, "accelerations"),
    (Argument::Multipliers, "multipliers"),
];

impl<M: Model> ModelElement<M> {
    /// Checks what its outputs depend on; `number` is that of the element, from 1.
    pub(super) fn check_outputs(&self, number: usize) -> Result<(), RestoringForceError> {
        let outputs =
            [(self.deformation, "deformation", &DEFORMATION[..]), (self.rate, "rate", &DEFORMATION[1..])];
        for (output, role, forbidden) in outputs {
            for (argument, name) in forbidden {
                let block = find(M::DESCRIPTION.groups.output_derivatives, Function::Output, Some(*argument));
                if block.entries.iter().any(|(row, _)| *row as usize == output.index()) {
                    let why = format!("it depends on {name}");
                    return Err(RestoringForceError::Element {
                        element: number,
                        role,
                        output: output.name(),
                        why,
                    });
                }
            }
        }
        Ok(())
    }

    /// Checks at samples of a run that its force is s z + d v along z; `places` has where s and d are in the state, which begins with
    /// q and v.
    pub(super) fn check_force(
        &self,
        number: usize,
        problem: &Problem,
        parameters: &M::Parameters<f64>,
        run: &FilterRun,
        places: [usize; 2],
    ) -> Result<(), RestoringForceError> {
        let mut compared = [Compared::default(); 2];
        let every = run.samples().div_ceil(COMPARED).max(1);
        for i in (0..run.samples()).step_by(every) {
            if i >= problem.inputs().len() {
                break;
            }
            let inputs = problem.moment(i).plain_inputs();
            let x = run.mean(i);
            let mut state = State::<M, f64>::zeros();
            let (q, v) = (state.coordinates.as_mut(), state.velocities.as_mut());
            let n = q.len();
            q.copy_from_slice(&x[..n]);
            v.copy_from_slice(&x[n..2 * n]);
            let mut parameters = parameters.clone();
            for (parameter, place) in [self.stiffness, self.damping].iter().zip(places) {
                parameters.as_mut()[parameter.index()] = x[place];
            }
            let constants = constants_of::<M, _>(problem, &parameters);
            let point = state.point(i as f64 * run.interval(), &inputs, &constants);
            let mut forces = M::Linearization::<f64>::zeros();
            evaluate::linearization(&point, &mut forces);
            let (mut outputs, mut slopes) =
                (M::Outputs::<f64>::zeros(), M::OutputDerivatives::<f64>::zeros());
            M::outputs(&point, &mut outputs);
            M::output_derivatives(&point, &mut slopes);
            let groups = M::DESCRIPTION.groups;
            let by_q = find(groups.output_derivatives, Function::Output, Some(Argument::Coordinates));
            let by_p = find(groups.linearization, Function::Force, Some(Argument::Parameters));
            let mut unit = M::Outputs::<f64>::zeros();
            unit.as_mut()[self.deformation.index()] = 1.0;
            let mut lever = vec![0.0; n];
            by_q.add_transposed_product(slopes.as_ref(), 1.0, unit.as_ref(), &mut lever);
            let roles = [(self.stiffness, self.deformation), (self.damping, self.rate)];
            for (compared, (parameter, output)) in compared.iter_mut().zip(roles) {
                let mut force = vec![0.0; n];
                by_p.add_column(forces.as_ref(), 1.0, parameter.index(), &mut force);
                let value = outputs.as_ref()[output.index()];
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
                    "by virtual work the force of `{name}` would be {name} times this output, and the model's differs by {:.3} % of it: \
                     give the {role} that `{name}` multiplies in the model, at the place where the force acts",
                    100.0 * compared.difference()
                );
                return Err(RestoringForceError::Element {
                    element: number,
                    role,
                    output: output.name(),
                    why,
                });
            }
        }
        Ok(())
    }
}

/// Sums of squares of a force, of what it should be, and of their difference.
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

    /// As a part of what it should be.
    fn difference(&self) -> f64 {
        (self.difference / self.expected).sqrt()
    }

    fn agree(&self) -> bool {
        self.difference <= TOLERANCE * TOLERANCE * self.force.max(self.expected)
    }
}
