//! A model, linearised about an equilibrium or another state.

use std::fmt;

use costate_system::equilibrium::{ConstraintRates, Minimal, MotionMatrices, Rounding};
use nalgebra::{Complex, DMatrix};

use costate_contract::Description;
use costate_numerics::linalg::SparseMatrix;
use costate_system::simulation::Simulation;
use costate_system::system::{Instant, StateVectors};

use crate::equilibrium::Equilibrium;
use crate::error::VibrationError;
use crate::outputs::OutputMatrices;
use crate::place::Place;

/// M da + D dv + K dq + C_q^T dlambda = B du with C_q dq = 0, ds = S_q dq + S_v dv + S_a da + S_lambda dlambda + S_u
/// du: a model about a state, with its equations in independent coordinates.
#[derive(Clone)]
pub struct LinearModel {
    pub(crate) place: Place,
    pub(crate) state: StateVectors<f64>,
    /// The equilibrium about which the model is linearised, from which derivatives follow.
    pub(crate) equilibrium: Option<Equilibrium>,
    pub(crate) matrices: MotionMatrices,
    pub(crate) minimal: Minimal,
    /// The rounding of the equations in independent coordinates.
    pub(crate) rounding: Rounding,
    pub(crate) outputs: OutputMatrices,
    /// The outputs in independent coordinates: s = O_0 y + O_1 y' + O_2 y'' + F u.
    pub(crate) observed: [DMatrix<f64>; 3],
    pub(crate) direct: DMatrix<f64>,
    /// Z^T B.
    pub(crate) driven: DMatrix<f64>,
}

impl fmt::Debug for LinearModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinearModel").field("minimal", &self.minimal).finish_non_exhaustive()
    }
}

impl Equilibrium {
    /// Linearises the model about the equilibrium.
    pub fn linearized(&self) -> LinearModel {
        LinearModel::at_equilibrium(self)
    }
}

impl LinearModel {
    fn at_equilibrium(equilibrium: &Equilibrium) -> Self {
        let motion = equilibrium.balance().motion().clone();
        let minimal = |matrices: &MotionMatrices, _: &ConstraintRates| Minimal::of(matrices, &motion);
        let (place, state) = (equilibrium.place().clone(), equilibrium.vectors().clone());
        Self::linearized(place, state, Some(equilibrium.clone()), minimal)
    }

    /// Linearises the model of a simulation at `time` in s and any state q, v, a, lambda in sequence (3n + m), such as
    /// one of a run; the inputs are those of the simulation at this time.
    ///
    /// The matrices are those of this moment. Where they change in time, as along a motion, eigenvalues and responses
    /// say what would happen if they stayed as they are.
    ///
    /// # Errors
    /// [`VibrationError::StateLength`], [`VibrationError::Setting`], [`VibrationError::Simulation`].
    pub fn at<M>(simulation: &Simulation<M>, time: f64, state: &[f64]) -> Result<Self, VibrationError> {
        if !(time >= 0.0 && time.is_finite()) {
            return Err(VibrationError::Setting { setting: "the time", value: time, limit: "0 or positive" });
        }
        let description = simulation.description();
        let model = description.model.system.description();
        description.check_names().map_err(VibrationError::OtherModel)?;
        let (expected, given) = (model.state_length(), state.len());
        if given != expected {
            return Err(VibrationError::StateLength { model: model.name, expected, given });
        }
        let problem = description.problem_at_start()?;
        let parameters = description.model.parameters.clone();
        problem.check_count(parameters.len())?;
        let inputs = problem
            .inputs_at(time / problem.settings().step)
            .map_err(costate_system::problem::SimulationError::from)?;
        let state = StateVectors::of_stored(model.coordinates.len(), state);
        let place = Place { problem, parameters, time, inputs, started: Vec::new() };
        Ok(Self::linearized(place, state, None, Minimal::at))
    }

    fn linearized(
        place: Place,
        state: StateVectors<f64>,
        equilibrium: Option<Equilibrium>,
        minimal: impl Fn(&MotionMatrices, &ConstraintRates) -> Minimal,
    ) -> Self {
        let mut evaluated = None;
        place.problem.system().with_equations(&place.problem, &place.parameters, &mut |equations| {
            let at = Instant { time: place.time, state: &state, inputs: &place.inputs };
            let matrices = MotionMatrices::at(equations, at).component(0);
            let minimal = minimal(&matrices, &ConstraintRates::at(equations, at));
            let rounding = Rounding::at(&minimal, &matrices, equations, &[], at);
            evaluated = Some((matrices, (minimal, rounding), OutputMatrices::at(equations, at, 0)));
        });
        // a system always calls its work
        let (matrices, (minimal, rounding), outputs) =
            evaluated.unwrap_or_else(|| unevaluated(place.problem.description()));
        let (observed, direct) = observed(&matrices, &minimal, &outputs);
        let driven = matrices.inputs.transposed_product(&minimal.motions).transpose();
        Self { place, state, equilibrium, matrices, minimal, rounding, outputs, observed, direct, driven }
    }

    /// Returns names and units of the model.
    pub fn description(&self) -> &'static Description {
        self.place.problem.description()
    }

    /// Returns the state q, v, a, lambda in sequence (3n + m).
    pub fn state(&self) -> Vec<f64> {
        self.state.stored()
    }

    /// Returns the mass matrix M (n x n).
    pub fn mass(&self) -> DMatrix<f64> {
        self.matrices.mass.dense()
    }

    /// Returns the damping matrix D = -f_v (n x n).
    pub fn damping(&self) -> DMatrix<f64> {
        self.matrices.damping.dense()
    }

    /// Returns the stiffness matrix K = (M a)_q + (C_q^T lambda)_q - f_q (n x n).
    pub fn stiffness(&self) -> DMatrix<f64> {
        self.matrices.stiffness.dense()
    }

    /// Returns the equations in independent coordinates.
    pub fn minimal(&self) -> &Minimal {
        &self.minimal
    }

    /// Checks that inputs and outputs with these positions exist.
    pub(crate) fn check_positions(&self, inputs: &[usize], outputs: &[usize]) -> Result<(), VibrationError> {
        let model = self.description();
        let lists = [("input", inputs, model.inputs.len()), ("output", outputs, model.outputs.len())];
        for (what, positions, count) in lists {
            if let Some(&position) = positions.iter().find(|&&position| position >= count) {
                return Err(VibrationError::NoPosition { what, position, count, model: model.name });
            }
        }
        Ok(())
    }

    /// Checks that outputs do not depend on reactions that are not determined.
    pub(crate) fn check_reactions(&self, outputs: &[usize]) -> Result<(), VibrationError> {
        if self.minimal.constraints_are_independent {
            return Ok(());
        }
        let model = self.description();
        let of_reactions: Vec<usize> = self.outputs.by_multipliers.iter().map(|(row, _, _)| row).collect();
        match outputs.iter().find(|output| of_reactions.contains(output)) {
            None => Ok(()),
            Some(&output) => Err(VibrationError::Reactions {
                output: model.outputs.get(output).map_or("?", |output| output.name),
                model: model.name,
            }),
        }
    }

    /// Evaluates O_0 + s O_1 + s^2 O_2 (outputs x f).
    pub(crate) fn observed_at(&self, s: Complex<f64>) -> DMatrix<Complex<f64>> {
        let [position, velocity, acceleration] = &self.observed;
        DMatrix::from_fn(position.nrows(), position.ncols(), |row, column| {
            let at = (row, column);
            (s * acceleration[at] + velocity[at]) * s + position[at]
        })
    }
}

/// Returns O_0, O_1, O_2 and F. Reactions follow from the forces, R^T (B u - M da - D dv - K dq).
fn observed(
    matrices: &MotionMatrices,
    minimal: &Minimal,
    outputs: &OutputMatrices,
) -> ([DMatrix<f64>; 3], DMatrix<f64>) {
    let Minimal { motions, velocities, accelerations: [constant, moving], reactions, .. } = minimal;
    let MotionMatrices { mass, damping, stiffness, inputs, .. } = matrices;
    let by_forces = outputs.by_multipliers.product(&reactions.transpose());
    let of = |q: Option<&DMatrix<f64>>, v: &DMatrix<f64>, a: &DMatrix<f64>| {
        let (mut own, mut forces) = (outputs.by_velocities.product(v), damping.product(v));
        own += outputs.by_accelerations.product(a);
        forces += mass.product(a);
        if let Some(q) = q {
            own += outputs.by_coordinates.product(q);
            forces += stiffness.product(q);
        }
        own - &by_forces * forces
    };
    let zeros = DMatrix::zeros(motions.nrows(), motions.ncols());
    let observed = [of(Some(motions), velocities, constant), of(None, motions, moving), of(None, &zeros, motions)];
    (observed, outputs.by_inputs.dense() + by_forces * inputs.dense())
}

fn unevaluated(model: &Description) -> (MotionMatrices, (Minimal, Rounding), OutputMatrices) {
    let [n, m, u, outputs] =
        [model.coordinates.len(), model.constraints.len(), model.inputs.len(), model.outputs.len()];
    let zeros = |rows, columns| SparseMatrix::new(rows, columns, []);
    let matrices = MotionMatrices {
        mass: zeros(n, n),
        damping: zeros(n, n),
        stiffness: zeros(n, n),
        jacobian: zeros(m, n),
        inputs: zeros(n, u),
    };
    let minimal = Minimal::of(&matrices, &costate_system::equilibrium::SteadyMotion::rest());
    let outputs = OutputMatrices {
        by_coordinates: zeros(outputs, n),
        by_velocities: zeros(outputs, n),
        by_accelerations: zeros(outputs, n),
        by_multipliers: zeros(outputs, m),
        by_inputs: zeros(outputs, u),
    };
    let [mass, damping, stiffness] = [&minimal.mass, &minimal.damping, &minimal.stiffness].map(Clone::clone);
    (matrices, (minimal, Rounding { mass, damping, stiffness }), outputs)
}
