//! The derivatives of the start with respect to the inputs u_0 and to the state itself, by the implicit function
//! theorem.
//!
//! Positions and velocities are specified or follow from the constraints, which do not depend on inputs; but
//! free coordinates have the velocity at which their force vanishes, and accelerations and multipliers solve
//! the equations of motion. In equilibrium, positions and multipliers balance the inputs.

use costate_numerics::linalg::LuFactors;
use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{CollectVec, Scalar, Vector, real_into};
use costate_system::model::{Argument, Block, Function, Functions, Group};
use costate_system::problem::{InitialStateError, Problem};
use costate_system::system::StateVectors;

use super::accelerations::acceleration_lu;
use super::auxiliary::differentiated;
use super::free::{free_coordinates, free_indices, free_lu};
use super::iteration::{component_matrix, subtract};
use super::rest::{self, Stiffness};
use super::system::{StartSystem, lifted, with_start_system};
use crate::step::Displacement;

/// Computes the derivatives of x_0 and s_0 by u_0: for every input those of q0, v0, a0, lambda0 and s_0
/// (4n + m), in the number type of the run that begins with `state`.
pub fn initial_input_derivatives<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
    state: &[S],
) -> Result<Vec<Vec<S>>, InitialStateError> {
    if !S::IS_PLAIN {
        return with_start_system::<M, S, _>(program, problem, parameters, |system| by_inputs(problem, system, state));
    }
    // plain numbers: compiled once, not with every model
    let (parameters, state) = plain::<M, S>(parameters, state);
    let found = with_start_system::<M, f64, _>(program, problem, &parameters, |system| {
        by_inputs_plain(problem, system, &state)
    })?;
    Ok(found.iter().map(|column| lifted(column)).collect_vec())
}

/// Converts a run's parameters and state to plain numbers.
fn plain<M: Functions, S: Scalar>(parameters: &M::Parameters<S>, state: &[S]) -> (M::Parameters<f64>, Vec<f64>) {
    let mut plain = M::Parameters::<f64>::zeros(parameters.as_ref().len());
    let mut of_state = vec![0.0; state.len()];
    real_into(parameters.as_ref(), plain.as_mut());
    real_into(state, &mut of_state);
    (plain, of_state)
}

/// [`by_inputs`] in plain numbers.
fn by_inputs_plain(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
    state: &[f64],
) -> Result<Vec<Vec<f64>>, InitialStateError> {
    by_inputs(problem, system, state)
}

fn by_inputs<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
    state: &[S],
) -> Result<Vec<Vec<S>>, InitialStateError> {
    if system.is_at_rest() {
        return at_rest(problem, system, state);
    }
    let begin = Begin::new(problem, system, state)?;
    let zeros = || vec![S::default(); begin.n];
    let column = |input: usize| begin.change(Some(input), [zeros(), zeros()]);
    Ok((0..system.description().inputs.len()).map(column).collect_vec())
}

/// Computes the derivatives of a start in equilibrium by the inputs.
fn at_rest<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
    state: &[S],
) -> Result<Vec<Vec<S>>, InitialStateError> {
    let (n, m) = (system.n(), system.m());
    let at = StateVectors::of_stored(n, state);
    let rest = rest::find(&system.plain())?;
    let matrices = Matrices::new(system, &at);
    let displacement = differentiated(problem, system, &at, None);
    let open = rest.balance.open();
    let size = open.len() + m;
    let zeros = |length| vec![S::default(); length];
    let spread = |unknowns: &[S]| {
        let mut positions = zeros(n);
        open.iter().zip(unknowns).for_each(|(&j, value)| positions[j] = *value);
        let multipliers = unknowns.iter().skip(open.len()).copied().collect_vec();
        (positions, [zeros(n), multipliers].concat())
    };
    let resting = zeros(n);
    let column = |input: usize| {
        let mut unknowns = zeros(size);
        solve(rest.balance.factors(), &mut unknowns, |unknowns| {
            let (positions, others) = spread(unknowns);
            let motion = matrices.balance(input, &positions, &others);
            open.iter().map(|&j| motion[j]).chain(motion[n..].iter().copied()).collect_vec()
        });
        let (positions, others) = spread(&unknowns);
        let auxiliary = match &displacement {
            None => resting.clone(),
            Some(displacement) => displacement.tangent([&positions, &resting, &resting], None),
        };
        [positions, resting.clone(), others, auxiliary].concat()
    };
    let stiffness = Stiffness::of(&system.matrices(Group::Linearization, &at));
    let real = |numbers: &[S]| numbers.iter().map(|number| number.real()).collect_vec();
    let mut columns = Vec::new();
    for (input, quantity) in system.description().inputs.iter().enumerate() {
        let changed = column(input);
        let (positions, others) = (&changed[..n], &changed[2 * n..3 * n + m]);
        let largest = real(&matrices.force(Some(input), [&resting, &resting]));
        let largest = largest.iter().fold(0.0, |most: f64, force| most.max(force.abs()));
        let forces = real(&matrices.balance(input, positions, others));
        let acting = stiffness.acting(&rest.held, &forces, &real(positions), &real(&others[n..]), largest);
        if let Some((j, value)) = acting {
            let coordinate = system.description().coordinates[j].name;
            return Err(InitialStateError::HeldDerivative {
                coordinate,
                by: format!("the input `{}`", quantity.name),
                value,
            });
        }
        columns.push(changed);
    }
    Ok(columns)
}

/// Computes the derivatives of q0, v0, a0, lambda0 and s_0 (4n + m) by every coordinate, then by every
/// velocity, at the start. Velocities of free coordinates follow from other values, and cannot be changed.
pub fn initial_state_changes<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    state: &[f64],
) -> Result<Vec<Vec<f64>>, InitialStateError> {
    with_start_system::<M, f64, _>(program, problem, parameters, |system| by_state(problem, system, state))
}

fn by_state(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
    state: &[f64],
) -> Result<Vec<Vec<f64>>, InitialStateError> {
    let begin = Begin::new(problem, system, state)?;
    let unit = |k: usize| (0..begin.n).map(|j| f64::from(u8::from(j == k))).collect_vec();
    let zeros = || vec![0.0; begin.n];
    let by_coordinates = (0..begin.n).map(|k| begin.change(None, [unit(k), zeros()]));
    let by_velocities = (0..begin.n).map(|k| {
        let velocities = if begin.free.contains(&k) { zeros() } else { unit(k) };
        begin.change(None, [zeros(), velocities])
    });
    Ok(by_coordinates.chain(by_velocities).collect_vec())
}

/// The equations for the start around a state, with their factors.
struct Begin<S: Scalar> {
    matrices: Matrices<S>,
    accelerations: LuFactors,
    /// Coordinates with neither mass nor constraint, and the factors of the forces on them by their velocities.
    free: Vec<usize>,
    damping: Option<LuFactors>,
    /// The displacement that s_0 comes from; `None` where s_0 is the acceleration.
    displacement: Option<Displacement<S>>,
    n: usize,
    m: usize,
}

impl<S: Scalar> Begin<S> {
    fn new(problem: &Problem, system: &StartSystem<'_, S>, state: &[S]) -> Result<Self, InitialStateError> {
        let at = StateVectors::of_stored(system.n(), state);
        let free = free_coordinates(system, &at);
        let accelerations = acceleration_lu(system, &free, &at)?;
        let free = free_indices(&free);
        let damping = match free.is_empty() {
            true => None,
            false => {
                let damping = system.matrices(Group::Linearization, &at).matrix(Function::Force, Argument::Velocities);
                Some(free_lu(system.description(), &damping.select(&free), &free)?)
            }
        };
        Ok(Self {
            matrices: Matrices::new(system, &at),
            accelerations,
            free,
            damping,
            displacement: differentiated(problem, system, &at, None),
            n: system.n(),
            m: system.m(),
        })
    }

    /// Computes the change of the start (4n + m) for a change of an input, of coordinates and of velocities.
    fn change(&self, input: Option<usize>, [positions, mut velocities]: [Vec<S>; 2]) -> Vec<S> {
        let Self { matrices, free, n, m, .. } = self;
        let zeros = |length| vec![S::default(); length];
        let mut unknowns = zeros(n + m);
        if let Some(damping) = &self.damping {
            let mut of_free = zeros(free.len());
            solve(damping, &mut of_free, |of_free| {
                free.iter().zip(of_free).for_each(|(&j, value)| velocities[j] = *value);
                let force = matrices.force(input, [&positions, &velocities]);
                free.iter().map(|&j| force[j]).collect_vec()
            });
            free.iter().zip(of_free).for_each(|(&j, value)| velocities[j] = value);
        }
        let moved = [positions, velocities];
        matrices.solve(&self.accelerations, input, &moved, free, &mut unknowns);
        let auxiliary = match &self.displacement {
            None => unknowns[..*n].to_vec(),
            Some(displacement) => displacement.tangent([&moved[0], &moved[1], &unknowns[..*n]], None),
        };
        let [positions, velocities] = moved;
        [positions, velocities, unknowns, auxiliary].concat()
    }
}

/// Solves the linear system `residual(x) = 0` with the factors of its real part, from x = 0: one round for every
/// component of the number type, and one for rounding.
fn solve<S: Scalar>(factors: &LuFactors, x: &mut [S], mut residual: impl FnMut(&[S]) -> Vec<S>) {
    for _ in 0..=S::COMPONENTS {
        let update = factors.solve(&component_matrix(&residual(x)));
        subtract(update.as_view(), 0, x, 0..x.len());
    }
}

/// The emitted matrices that are needed, in the number type S.
struct Matrices<S> {
    linearization: Vec<S>,
    kinematics: Vec<S>,
    mass: &'static Block,
    jacobian: &'static Block,
    inertia_q: &'static Block,
    constraint_force_q: &'static Block,
    force_q: &'static Block,
    force_v: &'static Block,
    force_u: &'static Block,
    acceleration_q: &'static Block,
    acceleration_v: &'static Block,
    n: usize,
    m: usize,
}

impl<S: Scalar> Matrices<S> {
    fn new(system: &StartSystem<'_, S>, at: &StateVectors<S>) -> Self {
        let groups = system.description().groups;
        let linear = |function, argument| find(groups.linearization, function, Some(argument));
        let level = Function::ConstraintAcceleration;
        Self {
            linearization: system.evaluate(Group::Linearization, at),
            kinematics: system.evaluate(Group::KinematicsDerivatives, at),
            mass: linear(Function::Inertia, Argument::Accelerations),
            jacobian: linear(Function::Constraint, Argument::Coordinates),
            inertia_q: linear(Function::Inertia, Argument::Coordinates),
            constraint_force_q: linear(Function::ConstraintForce, Argument::Coordinates),
            force_q: linear(Function::Force, Argument::Coordinates),
            force_v: linear(Function::Force, Argument::Velocities),
            force_u: linear(Function::Force, Argument::Inputs),
            acceleration_q: find(groups.kinematics_derivatives, level, Some(Argument::Coordinates)),
            acceleration_v: find(groups.kinematics_derivatives, level, Some(Argument::Velocities)),
            n: system.n(),
            m: system.m(),
        }
    }

    /// Computes df/du of the input, plus f_q dq + f_v dv (n).
    fn force(&self, input: Option<usize>, [positions, velocities]: [&[S]; 2]) -> Vec<S> {
        let mut force = vec![S::default(); self.n];
        if let Some(input) = input {
            self.force_u.add_column(&self.linearization, 1.0, input, &mut force);
        }
        self.force_q.add_product(&self.linearization, 1.0, positions, &mut force);
        self.force_v.add_product(&self.linearization, 1.0, velocities, &mut force);
        force
    }

    /// Computes the derivative of C_q^T lambda - f and of the constraints (n + m) at rest by an input, from those of q
    /// and (a, lambda).
    fn balance(&self, input: usize, positions: &[S], others: &[S]) -> Vec<S> {
        let resting = vec![S::default(); self.n];
        let force = self.force(Some(input), [positions, &resting]);
        let mut motion: Vec<S> = force.iter().map(|force| -*force).collect_vec();
        let mut constraints = vec![S::default(); self.m];
        self.constraint_force_q.add_product(&self.linearization, 1.0, positions, &mut motion);
        self.jacobian.add_transposed_product(&self.linearization, 1.0, &others[self.n..], &mut motion);
        self.jacobian.add_product(&self.linearization, 1.0, positions, &mut constraints);
        motion.append(&mut constraints);
        motion
    }

    /// Computes the derivatives of (a, lambda) with respect to an input, where positions and
    /// velocities depend on the input too; `free` coordinates have no acceleration.
    fn solve(
        &self,
        factors: &LuFactors,
        input: Option<usize>,
        moved: &[Vec<S>; 2],
        free: &[usize],
        unknowns: &mut [S],
    ) {
        solve(factors, unknowns, |unknowns| {
            let mut rows = self.motion(input, moved, unknowns);
            free.iter().for_each(|&j| rows[j] = unknowns[j]);
            rows
        });
    }

    /// Computes the derivative of M a + C_q^T lambda - f and of the constraints at acceleration level
    /// (n + m), from those of q, v and (a, lambda).
    fn motion(&self, input: Option<usize>, [positions, velocities]: &[Vec<S>; 2], unknowns: &[S]) -> Vec<S> {
        let mut motion: Vec<S> = self.force(input, [positions, velocities]).iter().map(|force| -*force).collect_vec();
        self.inertia_q.add_product(&self.linearization, 1.0, positions, &mut motion);
        self.constraint_force_q.add_product(&self.linearization, 1.0, positions, &mut motion);
        let mut constraints = vec![S::default(); self.m];
        let (a, lambda) = unknowns.split_at(self.n);
        self.mass.add_product(&self.linearization, 1.0, a, &mut motion);
        self.jacobian.add_transposed_product(&self.linearization, 1.0, lambda, &mut motion);
        self.jacobian.add_product(&self.linearization, 1.0, a, &mut constraints);
        self.acceleration_q.add_product(&self.kinematics, 1.0, positions, &mut constraints);
        self.acceleration_v.add_product(&self.kinematics, 1.0, velocities, &mut constraints);
        motion.append(&mut constraints);
        motion
    }
}
