//! Observability of a compiled model by a choice of outputs (KE 1.27): Lie derivatives of the outputs along the motion,
//! exact by Taylor series in the emitted functions.

mod taylor;

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::block::find;
use costate_numerics::linalg::{SparseMatrix, dense};
use costate_numerics::scalar::{Dual, Scalar, Vector, array};
use costate_system::identifiers::{Output, Parameter};
use costate_system::model::{Argument, Description, Function, Functions, Group, Model, NameOf, Point, Weights};
use costate_system::problem::Problem;
use costate_system::state_space::FilterError;

use crate::evaluate;
use crate::run::constants_of;
use crate::step::State;

use taylor::{TERMS, Taylor};

/// Singular values below this fraction of the largest one, of the matrix with rows and columns of length 1,
/// are zero.
const MIN_SINGULAR_VALUE: f64 = 1e-9;
/// Share of a null vector from which on a state is named.
const MIN_SHARE: f64 = 1e-6;

/// The observability of a state by outputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Observability {
    /// O (KE 1.27): one row for each state, and for each output the derivatives of its Lie derivatives of order 0, 1,
    /// ..
    pub matrix: DMatrix<f64>,
    /// Number of states: independent positions, their velocities, and parameters.
    pub states: usize,
    /// Rank of O; the state is locally observable if it is the number of states.
    pub rank: usize,
    /// Names of coordinates, velocities and parameters that can change together without a change of the outputs.
    pub unobservable: Vec<String>,
}

/// Computes the observability of coordinates, velocities and `parameters` by `outputs` at a state, with
/// constant inputs.
///
/// There are as many Lie derivatives as states, 16 at most. For a model with constraints the rows belong to an
/// orthonormal basis of the motions that they allow.
///
/// # Errors
/// [`FilterError::Unsuitable`] where accelerations and multipliers are not determined, and for parameters that change a
/// constraint.
pub fn observability<M: Model>(
    problem: &Problem,
    model: &M,
    state: &State<M::Functions, f64>,
    time: f64,
    inputs: &[f64],
    outputs: &[Output<M>],
    parameters: &[Parameter<M>],
) -> Result<Observability, FilterError> {
    costate_system::state_space::check_size("inputs", inputs.len(), M::description().inputs.len())?;
    let parameters_of = array(model.parameters().as_ref());
    let mut motion = Motion::<M::Functions>::new(M::program(), problem, parameters_of, time, inputs);
    let directions = motion.directions(state, parameters)?;
    let (states, orders) = (directions.ncols(), directions.ncols().min(TERMS));
    let mut matrix = DMatrix::zeros(states, orders * outputs.len());
    for (row, direction) in directions.column_iter().enumerate() {
        let series = motion.outputs(state, direction.as_slice(), parameters)?;
        for (k, output) in outputs.iter().enumerate() {
            let mut factorial = 1.0;
            for order in 0..orders {
                factorial *= (order as f64).max(1.0);
                let coefficient = series.as_ref()[output.index()].coefficients[order];
                matrix[(row, k * orders + order)] = factorial * coefficient.derivative;
            }
        }
    }
    let (rank, null) = null_space(&matrix);
    let unobservable = name(M::description(), &(directions * null), parameters);
    Ok(Observability { matrix, states, rank, unobservable })
}

/// Computes the rank, and a basis of the combinations of rows that vanish.
fn null_space(matrix: &DMatrix<f64>) -> (usize, DMatrix<f64>) {
    let states = matrix.nrows();
    let mut scaled = matrix.clone();
    let mut rows = DVector::repeat(states, 1.0);
    // Units and powers of time do not matter for the rank.
    for _ in 0..3 {
        for mut column in scaled.column_iter_mut() {
            let norm = column.norm();
            if norm > 0.0 {
                column /= norm;
            }
        }
        for (i, mut row) in scaled.row_iter_mut().enumerate() {
            let norm = row.norm();
            if norm > 0.0 {
                row /= norm;
                rows[i] /= norm;
            }
        }
    }
    // As many columns as rows at least, so that U is complete.
    let wide = scaled.ncols().max(states);
    let svd = dense::svd(scaled.resize_horizontally(wide, 0.0), true, false);
    let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
    let zero: Vec<usize> = (0..states).filter(|&k| svd.singular_values[k] <= MIN_SINGULAR_VALUE * largest).collect();
    let mut null = svd.u.map_or_else(|| DMatrix::zeros(states, 0), |u| u.select_columns(&zero));
    for (i, mut row) in null.row_iter_mut().enumerate() {
        row *= rows[i];
    }
    (states - zero.len(), null)
}

/// Returns the names of the states that move in the null vectors, relative to the largest motion of their
/// kind.
fn name<N>(described: &Description, null: &DMatrix<f64>, parameters: &[Parameter<N>]) -> Vec<String> {
    let n = described.coordinates.len();
    let names = described.coordinates.iter().map(|quantity| quantity.name.to_owned());
    let velocities = described.coordinates.iter().map(|quantity| format!("dot({})", quantity.name));
    let names: Vec<_> =
        names.chain(velocities).chain(parameters.iter().map(|parameter| parameter.name().to_owned())).collect();
    let largest = null.amax();
    let moves = |row: usize| {
        // Parameters have units of their own.
        let size = if row < 2 * n { largest } else { 0.0 };
        null.row(row).amax() > MIN_SHARE * size && null.row(row).amax() > 1e-9 * largest
    };
    names.into_iter().enumerate().filter(|(row, _)| moves(*row)).map(|(_, name)| name).collect()
}

/// The motion from a state, as Taylor series.
struct Motion<'a, M: Functions> {
    program: M::Program,
    problem: &'a Problem,
    parameters: M::Parameters<f64>,
    time: f64,
    inputs: M::Inputs<f64>,
}

impl<'a, M: Functions> Motion<'a, M> {
    const WEIGHTS: Weights = Weights::NO_STEP;

    fn new(
        program: M::Program,
        problem: &'a Problem,
        parameters: M::Parameters<f64>,
        time: f64,
        inputs: &[f64],
    ) -> Self {
        let mut given = M::Inputs::<f64>::zeros(M::lengths(program).inputs);
        given.as_mut().copy_from_slice(inputs);
        Self { program, problem, parameters, time, inputs: given }
    }

    /// Returns the number of coordinates.
    fn n(&self) -> usize {
        M::lengths(self.program).coordinates
    }

    /// Returns changes of (q, v, parameters) that are independent of each other and satisfy the constraints.
    fn directions<N: NameOf<M>>(
        &self,
        state: &State<M, f64>,
        parameters: &[Parameter<N>],
    ) -> Result<DMatrix<f64>, FilterError> {
        let (n, m, p) = (self.n(), M::lengths(self.program).multipliers, parameters.len());
        if m == 0 {
            return Ok(DMatrix::identity(2 * n + p, 2 * n + p));
        }
        let constants = constants_of::<M, _>(self.program, self.problem, &self.parameters);
        let point = state.point(self.time, &self.inputs, &constants);
        let mut group = M::Linearization::<f64>::zeros(M::lengths(self.program).group(Group::Linearization));
        evaluate::linearization(&point, &mut group);
        let mut kinematics =
            M::KinematicsDerivatives::<f64>::zeros(M::lengths(self.program).group(Group::KinematicsDerivatives));
        M::kinematics_derivatives(&point, &mut kinematics);
        let groups = M::description(self.program).groups;
        let changed = find(groups.linearization, Function::Constraint, Some(Argument::Parameters));
        let wrong = parameters
            .iter()
            .find(|parameter| changed.entries.iter().any(|(_, column)| *column as usize == parameter.index()));
        if let Some(parameter) = wrong {
            return Err(FilterError::Unsuitable {
                what: format!("the parameter `{}` changes a constraint", parameter.name()),
                remedy: "ask for the observability without it",
            });
        }
        let jacobian = find(groups.linearization, Function::Constraint, Some(Argument::Coordinates));
        let jacobian = SparseMatrix::of_block(jacobian, group.as_ref(), m, n).dense();
        let velocity = find(groups.kinematics_derivatives, Function::ConstraintVelocity, Some(Argument::Coordinates));
        let velocity = SparseMatrix::of_block(velocity, kinematics.as_ref(), m, n).dense();
        let square = dense::svd(jacobian.clone().resize_vertically(n.max(m), 0.0), true, true);
        let largest = square.singular_values.iter().copied().fold(0.0, f64::max);
        let Some(v_t) = square.v_t else {
            return Err(super::unsuitable::<M>(
                self.program,
                "has a constraint Jacobian without null space",
                "look at its constraints",
            ));
        };
        let free: Vec<_> =
            (0..n).filter(|&k| square.singular_values.get(k).is_none_or(|&value| value <= 1e-10 * largest)).collect();
        let basis = v_t.select_rows(&free).transpose();
        let inverse = jacobian.pseudo_inverse(1e-12 * largest).map_err(|_| {
            super::unsuitable::<M>(self.program, "has a constraint Jacobian without inverse", "look at its constraints")
        })?;
        let dof = free.len();
        let mut directions = DMatrix::zeros(2 * n + p, 2 * dof + p);
        directions.view_mut((0, 0), (n, dof)).copy_from(&basis);
        // The velocity that keeps the constraint at velocity level.
        directions.view_mut((n, 0), (n, dof)).copy_from(&(-(inverse * velocity * &basis)));
        directions.view_mut((n, dof), (n, dof)).copy_from(&basis);
        directions.view_mut((2 * n, 2 * dof), (p, p)).fill_with_identity();
        Ok(directions)
    }

    /// Evaluates the outputs along the motion, with their derivatives in this direction.
    fn outputs<N: NameOf<M>>(
        &mut self,
        state: &State<M, f64>,
        direction: &[f64],
        parameters: &[Parameter<N>],
    ) -> Result<M::Outputs<Taylor>, FilterError> {
        let n = self.n();
        let mut seeded = M::Parameters::<Taylor>::zeros(M::lengths(self.program).parameters);
        for (to, from) in seeded.as_mut().iter_mut().zip(self.parameters.as_ref()) {
            *to = Taylor::constant(*from);
        }
        for (parameter, change) in parameters.iter().zip(&direction[2 * n..]) {
            seeded.as_mut()[parameter.index()].coefficients[0].derivative = *change;
        }
        let constants = evaluate::constants::<M, _>(self.program, &seeded, &Self::WEIGHTS, self.problem.tables());
        let mut inputs = M::Inputs::<Taylor>::zeros(M::lengths(self.program).inputs);
        for (to, from) in inputs.as_mut().iter_mut().zip(self.inputs.as_ref()) {
            *to = Taylor::constant(*from);
        }
        let mut series = State::<M, Taylor>::zeros_of(self.program);
        for j in 0..n {
            let dual = |value: f64, derivative: f64| Taylor::dual(Dual { value, derivative });
            series.coordinates.as_mut()[j] = dual(state.coordinates.as_ref()[j], direction[j]);
            series.velocities.as_mut()[j] = dual(state.velocities.as_ref()[j], direction[n + j]);
        }
        let time = Taylor::time(self.time);
        // Each evaluation gives one more coefficient of the accelerations.
        for k in 0..TERMS {
            self.accelerate(&mut series, time, &inputs, &constants)?;
            if k + 1 < TERMS {
                for j in 0..n {
                    let a = series.accelerations.as_ref()[j].coefficients[k];
                    let v = &mut series.velocities.as_mut()[j].coefficients;
                    v[k + 1] = a / (k + 1) as f64;
                    let v = v[k];
                    series.coordinates.as_mut()[j].coefficients[k + 1] = v / (k + 1) as f64;
                }
            }
        }
        let mut outputs = M::Outputs::<Taylor>::zeros(M::lengths(self.program).outputs);
        M::outputs(&point(&series, time, &inputs, &constants), &mut outputs);
        Ok(outputs)
    }

    /// Computes a and lambda from M a + C_q^T lambda = f and the constraints at acceleration level.
    fn accelerate(
        &self,
        series: &mut State<M, Taylor>,
        time: Taylor,
        inputs: &M::Inputs<Taylor>,
        constants: &M::Constants<Taylor>,
    ) -> Result<(), FilterError> {
        let (n, m) = (self.n(), M::lengths(self.program).multipliers);
        series.accelerations = Vector::zeros(n);
        series.multipliers = Vector::zeros(m);
        let at = point(series, time, inputs, constants);
        let groups = M::description(self.program).groups;
        let mut group = M::Newton::<Taylor>::zeros(M::lengths(self.program).group(Group::Newton));
        evaluate::newton(&at, &mut group);
        let size = n + m;
        let mut matrix = vec![Taylor::default(); size * size];
        let mut right = vec![Taylor::default(); size];
        for (row, column, value) in
            find(groups.newton, Function::Step, Some(Argument::Accelerations)).iter(group.as_ref())
        {
            matrix[row * size + column] = value;
        }
        for (row, column, value) in
            find(groups.newton, Function::Constraint, Some(Argument::Coordinates)).iter(group.as_ref())
        {
            matrix[(n + row) * size + column] = value;
            matrix[column * size + n + row] = value;
        }
        for (row, _, value) in find(groups.newton, Function::ForceResidual, None).iter(group.as_ref()) {
            right[row] = -value;
        }
        if m > 0 {
            let mut kinematics = M::Kinematics::<Taylor>::zeros(M::lengths(self.program).group(Group::Kinematics));
            evaluate::kinematics(&at, &mut kinematics);
            let level = find(groups.kinematics, Function::ConstraintAcceleration, None);
            for (row, _, value) in level.iter(kinematics.as_ref()) {
                right[n + row] = -value;
            }
        }
        if !eliminate(&mut matrix, &mut right) {
            return Err(super::unsuitable::<M>(
                self.program,
                "has accelerations or multipliers that nothing determines",
                "give each coordinate a mass or a constraint, and remove redundant constraints",
            ));
        }
        series.accelerations.as_mut().copy_from_slice(&right[..n]);
        series.multipliers.as_mut().copy_from_slice(&right[n..]);
        Ok(())
    }
}

fn point<'a, M: Functions>(
    state: &'a State<M, Taylor>,
    time: Taylor,
    inputs: &'a M::Inputs<Taylor>,
    constants: &'a M::Constants<Taylor>,
) -> Point<'a, M, Taylor> {
    Point {
        time,
        coordinates: &state.coordinates,
        velocities: &state.velocities,
        accelerations: &state.accelerations,
        multipliers: &state.multipliers,
        inputs,
        constants,
    }
}

/// Eliminates by Gauss, with pivots chosen by the size of constant terms relative to their rows; the solution
/// is in `right`. Returns false for a singular matrix.
fn eliminate(matrix: &mut [Taylor], right: &mut [Taylor]) -> bool {
    let n = right.len();
    let scales: Vec<f64> =
        (0..n).map(|row| matrix[row * n..(row + 1) * n].iter().map(|x| x.real().abs()).fold(0.0, f64::max)).collect();
    let mut order: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let size = |row: usize| matrix[row * n + k].real().abs() / scales[row].max(f64::MIN_POSITIVE);
        let Some(best) = (k..n).max_by(|&a, &b| size(order[a]).total_cmp(&size(order[b]))) else {
            return false;
        };
        if size(order[best]).is_nan() || size(order[best]) <= 1e-13 {
            return false;
        }
        order.swap(k, best);
        let pivot = order[k];
        for &row in &order[k + 1..] {
            if matrix[row * n + k].coefficients.iter().all(|c| c.value == 0.0 && c.derivative == 0.0) {
                continue;
            }
            let factor = matrix[row * n + k] / matrix[pivot * n + k];
            for column in k..n {
                let change = factor * matrix[pivot * n + column];
                matrix[row * n + column] -= change;
            }
            let change = factor * right[pivot];
            right[row] -= change;
        }
    }
    let mut solution = vec![Taylor::default(); n];
    for k in (0..n).rev() {
        let row = order[k];
        let mut sum = right[row];
        for column in k + 1..n {
            sum -= matrix[row * n + column] * solution[column];
        }
        solution[k] = sum / matrix[row * n + k];
    }
    right.copy_from_slice(&solution);
    true
}
