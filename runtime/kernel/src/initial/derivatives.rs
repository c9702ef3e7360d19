//! The derivatives of the initial state with respect to parameters and to the results of lookups in tables,
//! by the implicit function theorem, from the emitted matrices.

use nalgebra::DMatrix;

use costate_numerics::linalg::SparseMatrix;
use costate_system::model::{Argument, Function, Functions, Group, SelectedParameters};
use costate_system::problem::{InitialStateError, Problem};
use costate_system::system::StateVectors;

use super::auxiliary::differentiated;
use super::check_parameters;
use super::consistent::{Consistent, Levels, Solution, solve_plain};
use super::free::{free_indices, free_lu, open_indices};
use super::iteration::MAX_RELATIVE_RESIDUAL;
use super::level::Level;
use super::project::{least_norm, matrix};
use super::rest_derivatives::at_rest;
use super::rounding;
use super::system::{StartSystem, with_start_system};
use super::unknowns::{Derivatives, Unknown};
use crate::step::Displacement;

use Argument::{Coordinates, Velocities};

/// Computes the derivatives of x_0 and s_0, rows q0, v0, a0, lambda0 and s_0, one column for each parameter
/// in `unknown`; `consistent` is the initial state of these parameters, if it is available.
pub fn initial_derivatives<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    consistent: Option<&Consistent<f64>>,
    unknown: &[usize],
) -> Result<DMatrix<f64>, InitialStateError> {
    with_start_system::<M, f64, _>(program, problem, parameters, |system| {
        by_parameters(problem, system, consistent, unknown)
    })
}

fn by_parameters(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
    consistent: Option<&Consistent<f64>>,
    unknown: &[usize],
) -> Result<DMatrix<f64>, InitialStateError> {
    SelectedParameters::of(system.description(), unknown)?;
    derivatives(problem, system, consistent, Unknown::Parameters(unknown)).map(|(columns, _)| columns)
}

/// Computes the derivatives of x_0 and s_0 like [`initial_derivatives`], one column for each of these numbers of a
/// given start: its positions, then its velocities (2n).
pub fn derivatives_by_given<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    unknown: &[usize],
) -> Result<DMatrix<f64>, InitialStateError> {
    with_start_system::<M, f64, _>(program, problem, parameters, |system| {
        derivatives(problem, system, None, Unknown::Given(unknown)).map(|(columns, _)| columns)
    })
}

/// The derivatives of the start of a run with respect to lookups in tables.
pub struct InitialLookups {
    /// The derivatives of x_0 and s_0, rows q0, v0, a0, lambda0 and s_0, with respect to the results of
    /// lookups: one column for each wanted lookup at the start, then one for each shortly after the start,
    /// where s_0 depends on these.
    pub derivatives: DMatrix<f64>,
    /// The arguments of all lookups at the start and shortly after it.
    pub arguments: [Vec<f64>; 2],
}

/// Computes the derivatives of x_0 and s_0 with respect to the results of the lookups in columns `unknown`;
/// `consistent` is the initial state of these parameters, if it is available.
pub fn initial_lookups<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    consistent: Option<&Consistent<f64>>,
    unknown: &[usize],
) -> Result<InitialLookups, InitialStateError> {
    with_start_system::<M, f64, _>(program, problem, parameters, |system| {
        by_lookups(problem, system, consistent, unknown)
    })
}

fn by_lookups(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
    consistent: Option<&Consistent<f64>>,
    unknown: &[usize],
) -> Result<InitialLookups, InitialStateError> {
    let (derivatives, arguments) = derivatives(problem, system, consistent, Unknown::Lookups(unknown))?;
    Ok(InitialLookups { derivatives, arguments })
}

/// Computes the derivatives of x_0 and s_0, and the arguments of lookups.
fn derivatives(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
    consistent: Option<&Consistent<f64>>,
    unknown: Unknown<'_>,
) -> Result<(DMatrix<f64>, [Vec<f64>; 2]), InitialStateError> {
    check_parameters(system.description(), system.parameters)?;
    let solved;
    let consistent = match consistent {
        Some(consistent) => consistent,
        None => {
            solved = solve_plain(problem, system)?;
            &solved
        }
    };
    let derivatives = Derivatives { system, consistent, unknown };
    let state = match &consistent.solution {
        Solution::Rest(rest) => at_rest(&derivatives, rest)?,
        Solution::Levels(levels) => {
            let q = derivatives.positions(levels)?;
            let v = derivatives.velocities(levels, &q)?;
            let rest = derivatives.accelerations(levels, &q, &v);
            stack(&stack(&q, &v), &rest)
        }
    };
    let n = system.n();
    let [q, v, a] = [0, n, 2 * n].map(|first| state.rows(first, n).into_owned());
    let mut arguments = [Vec::new(), Vec::new()];
    if let Unknown::Lookups(_) = unknown {
        arguments[0] = system.matrices(Group::InitialLookups, &consistent.state).values(Function::LookupArguments);
    }
    let factors = consistent.solution.factors();
    let auxiliary = match differentiated(problem, system, &consistent.state, factors) {
        None => a,
        Some(displacement) => derivatives.auxiliary(&displacement, [&q, &v, &a], &mut arguments[1]),
    };
    Ok((stack(&state, &auxiliary), arguments))
}

impl Derivatives<'_> {
    /// Returns the derivatives of the hints for open positions; zero rows for specified positions.
    fn near(&self, specified: &[bool]) -> DMatrix<f64> {
        let inverse: Vec<bool> = specified.iter().map(|specified| !specified).collect();
        self.specified(Function::InitialCoordinates, &inverse)
    }

    /// Computes dq0/dp.
    fn positions(&self, levels: &Levels<f64>) -> Result<DMatrix<f64>, InitialStateError> {
        let specified = self.system.specified_coordinates();
        let open = open_indices(specified, &[]);
        let state = self.with_multipliers(&levels.position_multipliers);
        let matrices = self.system.matrices(Group::Linearization, &state);
        let curvature = matrices.matrix(Function::ConstraintForce, Coordinates);
        let curvature_p = self.columns(&matrices, &state, Function::ConstraintForce);
        let jacobian = matrices.matrix(Function::Constraint, Coordinates);
        let constraint_p = self.columns(&matrices, &state, Function::Constraint);
        let mut q = self.specified(Function::InitialCoordinates, specified);
        let near = if self.system.given.is_some() { q.map(|_| 0.0) } else { self.near(specified) };
        let upper = curvature.product(&q) + curvature_p - near;
        let lower = jacobian.product(&q) + &constraint_p;
        let rounded = self.project(Level::Positions, &open, &state, &upper, &lower, &mut q);
        let fixed =
            |state: &_| self.columns(&self.system.matrices(Group::Linearization, state), state, Function::Constraint);
        self.check(Level::Positions, &state, (&jacobian, &q, &constraint_p), fixed, rounded)?;
        Ok(q)
    }

    /// Computes dv0/dp.
    fn velocities(&self, levels: &Levels<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, InitialStateError> {
        let specified = self.system.specified_velocities();
        let open = open_indices(specified, &levels.free);
        let state = self.with_multipliers(&levels.velocity_multipliers);
        let matrices = self.system.matrices(Group::Linearization, &state);
        let curvature = matrices.matrix(Function::ConstraintForce, Coordinates);
        let upper = curvature.product(q) + self.columns(&matrices, &state, Function::ConstraintForce);
        let jacobian = matrices.matrix(Function::Constraint, Coordinates);
        let fixed = |state: &_| {
            let kinematics = self.system.matrices(Group::KinematicsDerivatives, state);
            kinematics.matrix(Function::ConstraintVelocity, Coordinates).product(q)
                + self.columns(&kinematics, state, Function::ConstraintVelocity)
        };
        let mut v = self.specified(Function::InitialVelocities, specified);
        let constant = fixed(&state);
        let lower = jacobian.product(&v) + &constant;
        let solved = self.project(Level::Velocities, &open, &state, &upper, &lower, &mut v);
        let rounded = || {
            let kinematics = self.system.matrices(Group::KinematicsDerivatives, &state);
            solved() + kinematics.matrix(Function::ConstraintVelocity, Coordinates).terms(q).1
        };
        self.check(Level::Velocities, &state, (&jacobian, &v, &constant), fixed, rounded)?;
        self.free_velocities(levels, q, &mut v)?;
        Ok(v)
    }

    /// Computes the rows of dv0/dp of the free coordinates, from f_F = 0.
    fn free_velocities(
        &self,
        levels: &Levels<f64>,
        q: &DMatrix<f64>,
        v: &mut DMatrix<f64>,
    ) -> Result<(), InitialStateError> {
        let free = free_indices(&levels.free);
        if free.is_empty() {
            return Ok(());
        }
        for &j in &free {
            v.row_mut(j).fill(0.0);
        }
        let matrices = self.system.matrices(Group::Linearization, &self.consistent.state);
        let damping = matrices.matrix(Function::Force, Velocities);
        let right = matrices.matrix(Function::Force, Coordinates).product(q)
            + damping.product(v)
            + self.columns(&matrices, &self.consistent.state, Function::Force);
        let solution =
            free_lu(self.system.description(), &damping.select(&free), &free)?.solve(&right.select_rows(&free));
        for (row, &j) in free.iter().enumerate() {
            v.row_mut(j).copy_from(&-solution.row(row));
        }
        Ok(())
    }

    /// Computes the derivatives of s_0 from those of q0, v0 and a0, and writes the `arguments` of lookups
    /// shortly after the start.
    fn auxiliary(
        &self,
        displacement: &Displacement<f64>,
        [q, v, a]: [&DMatrix<f64>; 3],
        arguments: &mut Vec<f64>,
    ) -> DMatrix<f64> {
        let lookups = match self.unknown {
            Unknown::Parameters(_) | Unknown::Given(_) => None,
            Unknown::Lookups(_) => {
                Some(displacement.lookups(self.system.equations(), self.system.time, &self.consistent.state))
            }
        };
        if let Some(lookups) = &lookups {
            *arguments = lookups.arguments()[1].to_vec();
        }
        let mut auxiliary = DMatrix::zeros(q.nrows(), q.ncols());
        for (k, mut column) in auxiliary.column_iter_mut().enumerate() {
            let direct = match (self.unknown, &lookups) {
                (Unknown::Given(_), _) => None,
                (Unknown::Lookups(unknown), Some(lookups)) => {
                    Some(lookups.by_lookup(unknown[k % unknown.len()], k >= unknown.len()))
                }
                (Unknown::Lookups(unknown) | Unknown::Parameters(unknown), _) => {
                    Some(displacement.by_parameter(unknown[k]))
                }
            };
            let state = [q, v, a].map(|all| &all.as_slice()[k * q.nrows()..][..q.nrows()]);
            column.copy_from_slice(&displacement.tangent(state, direct.as_ref()));
        }
        auxiliary
    }

    /// Computes the derivatives of the accelerations and, below them, of the multipliers of the state, from
    /// those of its positions and velocities.
    fn accelerations(&self, levels: &Levels<f64>, q: &DMatrix<f64>, v: &DMatrix<f64>) -> DMatrix<f64> {
        let (system, state) = (self.system, &self.consistent.state);
        let factors = &levels.acceleration_factors;
        let matrices = system.matrices(Group::Linearization, state);
        let kinematics = system.matrices(Group::KinematicsDerivatives, state);
        let by_q = |function| matrices.matrix(function, Coordinates).product(q);
        let by_p = |function| self.columns(&matrices, state, function);
        let by_v = matrices.matrix(Function::Force, Velocities).product(v);
        let mut upper = by_q(Function::Inertia) + by_q(Function::ConstraintForce) - by_q(Function::Force) - by_v
            + by_p(Function::Inertia)
            + by_p(Function::ConstraintForce)
            - by_p(Function::Force);
        for j in free_indices(&levels.free) {
            upper.row_mut(j).fill(0.0);
        }
        let level = Function::ConstraintAcceleration;
        let lower = kinematics.matrix(level, Coordinates).product(q)
            + kinematics.matrix(level, Velocities).product(v)
            + self.columns(&kinematics, state, level);
        -factors.solve(&stack(&upper, &lower))
    }

    /// Computes the open rows of `x` = dq0/dp or dv0/dp, from the derivatives at fixed open values: `upper`
    /// of the projection's condition (n rows), `lower` of the constraint (m rows). Returns a function for the
    /// sizes of the numbers in each constraint's solution, whose rounding the constraint has (m rows).
    fn project(
        &self,
        level: Level,
        open: &[usize],
        state: &StateVectors<f64>,
        upper: &DMatrix<f64>,
        lower: &DMatrix<f64>,
        x: &mut DMatrix<f64>,
    ) -> impl FnOnce() -> DMatrix<f64> + use<> {
        let (matrix, scales) = matrix(self.system, level, open, state);
        let mut lower = lower.clone();
        for (mut row, scale) in lower.row_iter_mut().zip(scales.iter()) {
            row *= *scale;
        }
        let factors = self.consistent.solution.factors();
        let solution = least_norm(self.system, open, factors).solve(&matrix, &stack(&upper.select_rows(open), &lower));
        // without solution the open rows stay zero, and `check` names the constraint
        if let Some(solution) = &solution {
            for (row, &j) in open.iter().enumerate() {
                x.row_mut(j).copy_from(&-solution.row(row));
            }
        }
        let columns = x.ncols();
        move || {
            // elimination mixes the constraints with the other rows, whose unknowns may be larger
            let norm = matrix.terms(&DMatrix::repeat(matrix.columns(), 1, 1.0)).0.amax();
            let mut sizes = DMatrix::zeros(scales.len(), columns);
            for (j, solution) in solution.iter().flat_map(|solution| solution.column_iter().enumerate()) {
                let size = norm * solution.amax();
                sizes.column_mut(j).iter_mut().zip(&scales).for_each(|(to, scale)| *to = size / scale);
            }
            sizes
        }
    }

    /// Checks that the constraint's derivative, `jacobian x + constant`, vanishes, except for rounding of
    /// numbers of the sizes `rounded` (m rows) and of the state, from which `fixed` computes `constant`.
    fn check(
        &self,
        level: Level,
        state: &StateVectors<f64>,
        (jacobian, x, constant): (&SparseMatrix, &DMatrix<f64>, &DMatrix<f64>),
        fixed: impl Fn(&StateVectors<f64>) -> DMatrix<f64>,
        rounded: impl FnOnce() -> DMatrix<f64>,
    ) -> Result<(), InitialStateError> {
        let rest = jacobian.product(x) + constant;
        let (terms, largest) = jacobian.terms(x);
        // rounding of a solution with as many unknowns
        let rounding = x.nrows().max(16) as f64 * f64::EPSILON;
        let mut allowed = (terms + constant.abs()) * MAX_RELATIVE_RESIDUAL + largest * rounding;
        let holds = |allowed: &DMatrix<f64>| rest.iter().zip(allowed).all(|(rest, most)| rest.abs() <= *most);
        if holds(&allowed) {
            return Ok(());
        }
        allowed += rounded() * rounding;
        if holds(&allowed) {
            return Ok(());
        }
        let values = |state: &StateVectors<f64>| fixed(state).as_slice().to_vec();
        let of_state = rounding::of_state(level, &[0], state, values);
        allowed.iter_mut().zip(of_state).for_each(|(allowed, rounding)| *allowed += rounding);
        for column in 0..rest.ncols() {
            for row in 0..rest.nrows() {
                let value = rest[(row, column)];
                if value.abs() > allowed[(row, column)] {
                    let constraint = self.system.description().constraints[row].name;
                    let parameter = format!(" ({})", self.name(column));
                    return Err(InitialStateError::Derivative { constraint, parameter, value });
                }
            }
        }
        Ok(())
    }
}

/// Stacks `upper` above `lower`.
fn stack(upper: &DMatrix<f64>, lower: &DMatrix<f64>) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(upper.nrows() + lower.nrows(), upper.ncols());
    all.rows_mut(0, upper.nrows()).copy_from(upper);
    all.rows_mut(upper.nrows(), lower.nrows()).copy_from(lower);
    all
}
