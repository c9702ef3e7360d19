//! The accelerations and multipliers of a model at a state, with their derivatives, in any numbers.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Function, Group};
use costate_system::system::{Equations, Instant, StateVectors};

use costate_numerics::linalg::small::{Lu, product};

/// a and lambda with M a + C_q^T lambda = f and C_q a = -gamma, and their derivatives.
pub(super) struct Motion<S> {
    /// State with a and lambda.
    pub state: StateVectors<S>,
    /// Derivatives of (a, lambda) by q, v and u, by rows ((n + m) x (2n + inputs)).
    pub derivatives: Vec<S>,
}

/// The sizes of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub n: usize,
    pub m: usize,
    pub inputs: usize,
}

impl Sizes {
    pub fn of<S: Scalar>(equations: &dyn Equations<S>) -> Self {
        let model = equations.description();
        Self { n: model.coordinates.len(), m: model.constraints.len(), inputs: model.inputs.len() }
    }

    /// Number of columns of the derivatives of a and lambda.
    pub fn columns(self) -> usize {
        2 * self.n + self.inputs
    }
}

impl<S: Scalar> Motion<S> {
    /// Returns a state (q, v) for functions that depend on neither a nor lambda.
    pub fn without_accelerations(sizes: Sizes, x: &[S]) -> Self {
        let mut state = StateVectors::zeros(sizes.n, sizes.m);
        state.coordinates.copy_from_slice(&x[..sizes.n]);
        state.velocities.copy_from_slice(&x[sizes.n..]);
        Self { state, derivatives: Vec::new() }
    }
}

/// Evaluates a and lambda at (q, v), the 2n numbers `x`; `None` where nothing determines them.
pub(super) fn motion<S: Scalar>(equations: &dyn Equations<S>, time: f64, x: &[S], inputs: &[S]) -> Option<Motion<S>> {
    let sizes = Sizes::of(equations);
    let Sizes { n, m, .. } = sizes;
    let groups = equations.description().groups;
    let Motion { mut state, .. } = Motion::without_accelerations(sizes, x);
    let at_rest = equations.group(Group::Linearization, Instant { time, state: &state, inputs });
    let linear = |function, argument| find(groups.linearization, function, argument);
    let size = n + m;
    let mut matrix = vec![S::default(); size * size];
    for (i, j, value) in linear(Function::Inertia, Some(Argument::Accelerations)).iter(&at_rest) {
        matrix[i * size + j] = value;
    }
    for (i, j, value) in linear(Function::Constraint, Some(Argument::Coordinates)).iter(&at_rest) {
        matrix[(n + i) * size + j] = value;
        matrix[j * size + n + i] = value;
    }
    let mut right = vec![S::default(); size];
    right[..n].copy_from_slice(linear(Function::Force, None).values(&at_rest));
    if m > 0 {
        let kinematics = equations.group(Group::Kinematics, Instant { time, state: &state, inputs });
        let level = find(groups.kinematics, Function::ConstraintAcceleration, None).values(&kinematics);
        right[n..].iter_mut().zip(level).for_each(|(to, level)| *to = -*level);
    }
    let factors = Lu::new(matrix, size)?;
    factors.solve(&mut right);
    state.accelerations.copy_from_slice(&right[..n]);
    state.multipliers.copy_from_slice(&right[n..]);

    let at = Instant { time, state: &state, inputs };
    let depends = |function| !linear(function, Some(Argument::Coordinates)).entries.is_empty();
    let group = match depends(Function::Inertia) || depends(Function::ConstraintForce) {
        true => equations.group(Group::Linearization, at),
        false => at_rest,
    };
    let columns = sizes.columns();
    let mut derivatives = vec![S::default(); size * columns];
    let mut add = |function, argument, offset: usize, sign: f64| {
        for (i, j, value) in linear(function, Some(argument)).iter(&group) {
            derivatives[i * columns + offset + j] += value * sign;
        }
    };
    add(Function::Inertia, Argument::Coordinates, 0, -1.0);
    add(Function::ConstraintForce, Argument::Coordinates, 0, -1.0);
    add(Function::Force, Argument::Coordinates, 0, 1.0);
    add(Function::Force, Argument::Velocities, n, 1.0);
    add(Function::Force, Argument::Inputs, 2 * n, 1.0);
    if m > 0 {
        let group = equations.group(Group::KinematicsDerivatives, at);
        for (argument, offset) in [(Argument::Coordinates, 0), (Argument::Velocities, n)] {
            let block = find(groups.kinematics_derivatives, Function::ConstraintAcceleration, Some(argument));
            for (i, j, value) in block.iter(&group) {
                derivatives[(n + i) * columns + offset + j] -= value;
            }
        }
    }
    factors.solve_columns(&mut derivatives, columns);
    Some(Motion { state, derivatives })
}

/// Moves q and v to the constraints, and writes the projection of deviations (2n x 2n): dq to C_q dq = 0, dv to the
/// derivative of that by the time. Returns false where the constraints depend on each other.
pub(super) fn project<S: Scalar>(
    equations: &dyn Equations<S>,
    time: f64,
    x: &mut [S],
    inputs: &[S],
    projection: &mut [S],
) -> bool {
    /// Number of Newton iterations for positions at most: near the constraints they converge quadratically.
    const ROUNDS: usize = 5;
    /// Residual of the constraints at which iterations end, in their units.
    const MAX_RESIDUAL: f64 = 1e-13;
    let sizes = Sizes::of(equations);
    let Sizes { n, m, .. } = sizes;
    let groups = equations.description().groups;
    let Motion { mut state, .. } = Motion::without_accelerations(sizes, x);
    let (mut jacobian, mut normal) = (vec![S::default(); m * n], None);
    let linearize = |state: &StateVectors<S>, jacobian: &mut Vec<S>| {
        let group = equations.group(Group::Linearization, Instant { time, state, inputs });
        jacobian.fill(S::default());
        let block = find(groups.linearization, Function::Constraint, Some(Argument::Coordinates));
        block.iter(&group).for_each(|(i, j, value)| jacobian[i * n + j] = value);
        let mut normal = vec![S::default(); m * m];
        for i in 0..m {
            for k in 0..m {
                (0..n).for_each(|j| normal[i * m + k] += jacobian[i * n + j] * jacobian[k * n + j]);
            }
        }
        Lu::new(normal, m)
    };
    let shift = |jacobian: &[S], normal: &Lu<S>, mut residual: Vec<S>, to: &mut [S]| {
        normal.solve(&mut residual);
        for (i, residual) in residual.iter().enumerate() {
            (0..n).for_each(|j| to[j] -= jacobian[i * n + j] * *residual);
        }
    };
    for round in 0..ROUNDS {
        let group = equations.group(Group::Residual, Instant { time, state: &state, inputs });
        let residual = find(groups.residual, Function::Constraint, None).values(&group).to_vec();
        if round > 0 && residual.iter().all(|value| value.real().abs() < MAX_RESIDUAL) {
            break;
        }
        let Some(factors) = linearize(&state, &mut jacobian) else { return false };
        shift(&jacobian, &factors, residual, &mut state.coordinates);
        normal = linearize(&state, &mut jacobian);
    }
    let Some(normal) = normal else { return false };
    let kinematics = equations.group(Group::Kinematics, Instant { time, state: &state, inputs });
    let level = find(groups.kinematics, Function::ConstraintVelocity, None).values(&kinematics).to_vec();
    shift(&jacobian, &normal, level, &mut state.velocities);
    x[..n].copy_from_slice(&state.coordinates);
    x[n..].copy_from_slice(&state.velocities);

    // Pi = 1 - C_q^+ C_q for dq; dv -> Pi dv - C_q^+ (d(C_q v + C_t)/dq) Pi dq
    let group = equations.group(Group::KinematicsDerivatives, Instant { time, state: &state, inputs });
    let by_q = find(groups.kinematics_derivatives, Function::ConstraintVelocity, Some(Argument::Coordinates));
    let mut change = vec![S::default(); m * n];
    by_q.iter(&group).for_each(|(i, j, value)| change[i * n + j] = value);
    let pseudo_times = |rows: &[S]| {
        let mut solved = rows.to_vec();
        normal.solve_columns(&mut solved, n);
        let mut result = vec![S::default(); n * n];
        for i in 0..n {
            for l in 0..m {
                (0..n).for_each(|k| result[i * n + k] += jacobian[l * n + i] * solved[l * n + k]);
            }
        }
        result
    };
    let mut admitted = pseudo_times(&jacobian);
    for (place, entry) in admitted.iter_mut().enumerate() {
        *entry = S::constant(f64::from(u8::from(place % (n + 1) == 0))) - *entry;
    }
    let along = product(&pseudo_times(&change), &admitted, (n, n, n));
    projection.fill(S::default());
    for i in 0..n {
        for k in 0..n {
            projection[i * 2 * n + k] = admitted[i * n + k];
            projection[(n + i) * 2 * n + n + k] = admitted[i * n + k];
            projection[(n + i) * 2 * n + k] = -along[i * n + k];
        }
    }
    true
}
