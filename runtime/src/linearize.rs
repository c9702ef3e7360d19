//! Linearisation of the equations of motion at a state, and natural frequencies.
//!
//! ```
//! costate::model! {
//!     pub Mount {
//!         parameters { m: kg = 20, c: N/m = 100e3 }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: -c*x }
//!         initial { x = 0[m], dot(x) = 0[m/s] }
//!     }
//! }
//!
//! use costate::{Linearization, Model, Simulation};
//!
//! # fn main() -> anyhow::Result<()> {
//! let mount = Mount::default();
//! let problem = Simulation::new(&mount).step(1e-3).until(1.0).problem()?;
//! let parameters = mount.parameters();
//! let state = costate::simulate::initial_state_in::<Mount, f64>(&problem, &parameters)?;
//! let linear = Linearization::at(&problem, &parameters, 0.0, &state, problem.inputs().row(0))?;
//! assert!((linear.natural_frequencies()?[0] - 11.254).abs() < 1e-3); // in Hz
//! # Ok(())
//! # }
//! ```
//!
//! To linearise a model at a state other than its initial state, use a state of a [`Run`](crate::Run) or of a
//! [`Stepper`](crate::Stepper).

use nalgebra::DMatrix;

use crate::input::InputError;
use crate::linalg::block::find;
use crate::model::{Argument, Block, Function, Group, Model};
use crate::problem::{Problem, SimulationError};
use crate::step::State;
use crate::system::{Instant, StateVectors};

/// Singular values below this part of the largest one are zero.
const RANK_TOLERANCE: f64 = 1e-10;

/// M da + D dv + K dq + C_q^T dlambda = f_u du + ... with C_q dq = 0: the matrices of the equations of motion at one
/// state, dense.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearization {
    /// Mass matrix M (n x n).
    pub mass: DMatrix<f64>,
    /// Damping matrix D = -f_v (n x n).
    pub damping: DMatrix<f64>,
    /// Stiffness matrix K = (M a)_q + (C_q^T lambda)_q - f_q (n x n).
    pub stiffness: DMatrix<f64>,
    /// Constraint Jacobian C_q (m x n).
    pub constraint_jacobian: DMatrix<f64>,
    /// f_u (n x number of inputs).
    pub force_wrt_inputs: DMatrix<f64>,
}

/// A linearised model without natural frequencies.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModesError {
    /// Some motion that the constraints allow moves no mass.
    #[error("a motion that the constraints allow moves no mass: give each coordinate a mass or a constraint")]
    NoMass,
    /// The matrices are not finite, or their eigenvalues could not be computed.
    #[error("the linearised matrices are not finite at this state")]
    NotFinite,
}

impl Linearization {
    /// Linearises the model with these parameters at `time` in s, `state` and `inputs`; the tables are the problem's.
    ///
    /// The state should satisfy the equations of motion, as those of a run and of
    /// [`Problem::initial_state`](crate::simulate::Problem::initial_state) do.
    ///
    /// # Errors
    /// [`SimulationError::ParameterCount`] for another number of parameters than the model has, [`SimulationError::OtherProblem`] for a
    /// problem of another model, [`InputError::Width`] for another number of inputs.
    pub fn at<M: Model>(
        problem: &Problem,
        parameters: &[f64],
        time: f64,
        state: &State<M, f64>,
        inputs: &[f64],
    ) -> Result<Self, SimulationError> {
        costate_kernel::run::check_model::<M>((), problem)?;
        problem.check_count(parameters.len())?;
        let (expected, given) = (problem.description().inputs.len(), inputs.len());
        if given != expected {
            return Err(InputError::Width { row: 0, expected, given }.into());
        }
        let mut numbers = Vec::new();
        state.store(&mut numbers);
        Ok(Self::at_numbers(problem, parameters, time, &numbers, inputs))
    }

    /// At a state q, v, a, lambda in sequence (3n + m).
    fn at_numbers(problem: &Problem, parameters: &[f64], time: f64, state: &[f64], inputs: &[f64]) -> Self {
        let description = problem.description();
        let state = StateVectors::of_stored(description.coordinates.len(), state);
        let (at, mut group) = (Instant { time, state: &state, inputs }, Vec::new());
        problem.system().with_equations(problem, parameters, &mut |equations| {
            group = equations.group(Group::Linearization, at);
        });
        let (n, m, u) =
            (description.coordinates.len(), description.constraints.len(), description.inputs.len());
        let dense = |function, argument, rows, columns| {
            let block: &Block = find(description.groups.linearization, function, Some(argument));
            let mut matrix = DMatrix::zeros(rows, columns);
            for (row, column, value) in block.iter(&group) {
                matrix[(row, column)] = value;
            }
            matrix
        };
        let force = |argument, columns| dense(Function::Force, argument, n, columns);
        Self {
            mass: dense(Function::Inertia, Argument::Accelerations, n, n),
            damping: -force(Argument::Velocities, n),
            stiffness: dense(Function::Inertia, Argument::Coordinates, n, n)
                + dense(Function::ConstraintForce, Argument::Coordinates, n, n)
                - force(Argument::Coordinates, n),
            constraint_jacobian: dense(Function::Constraint, Argument::Coordinates, m, n),
            force_wrt_inputs: force(Argument::Inputs, u),
        }
    }

    /// An orthonormal basis of the motions that the constraints allow, C_q Z = 0 (n x degrees of freedom).
    pub fn free_motions(&self) -> DMatrix<f64> {
        let n = self.mass.nrows();
        // With as many rows as columns the decomposition has the whole null space.
        let square =
            self.constraint_jacobian.clone().resize_vertically(n.max(self.constraint_jacobian.nrows()), 0.0);
        let svd = square.svd(false, true);
        let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
        let Some(v_t) = svd.v_t else { return DMatrix::identity(n, n) };
        let free: Vec<_> = (0..n)
            .filter(|&k| svd.singular_values.get(k).is_none_or(|&value| value <= RANK_TOLERANCE * largest))
            .collect();
        v_t.select_rows(&free).transpose()
    }

    /// The undamped natural frequencies in Hz, ascending; those of rigid body motions are 0, and motions that grow
    /// instead of oscillating (a pendulum upside down) are left out.
    ///
    /// # Errors
    /// [`ModesError`].
    pub fn natural_frequencies(&self) -> Result<Vec<f64>, ModesError> {
        let z = self.free_motions();
        let (mass, stiffness) = (z.transpose() * &self.mass * &z, z.transpose() * &self.stiffness * &z);
        if !mass.iter().chain(stiffness.iter()).all(|value| value.is_finite()) {
            return Err(ModesError::NotFinite);
        }
        let singular = mass.clone().singular_values();
        let (largest, smallest) = (
            singular.iter().copied().fold(0.0, f64::max),
            singular.iter().copied().fold(f64::INFINITY, f64::min),
        );
        if smallest <= f64::EPSILON * largest {
            return Err(ModesError::NoMass);
        }
        let dynamic = mass.lu().solve(&stiffness).ok_or(ModesError::NoMass)?;
        let eigenvalues = dynamic.complex_eigenvalues();
        let size = eigenvalues.iter().map(|value| value.norm()).fold(0.0, f64::max);
        let mut frequencies: Vec<f64> = eigenvalues
            .iter()
            .filter(|value| value.re >= -1e-9 * size)
            .map(|value| value.re.max(0.0).sqrt() / (2.0 * std::f64::consts::PI))
            .collect();
        frequencies.sort_by(f64::total_cmp);
        Ok(frequencies)
    }
}
