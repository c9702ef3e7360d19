//! The coefficients of a linear model as a first-order system, with their derivatives by dual numbers.

use nalgebra::{DMatrix, DVector};

use costate_kernel::evaluate;
use costate_kernel::run::constants_of;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Dual, Scalar, Vector};
use costate_system::model::{Argument, Block, Description, Function, Functions, Group, Point};
use costate_system::problem::Problem;
use costate_system::step::State;

use super::error::LinearModelError;
use super::scaled_inverse::ScaledInverse;

/// A matrix with its derivative.
#[derive(Debug, Clone)]
pub(super) struct Pair<T> {
    pub value: T,
    pub derivative: T,
}

/// x' = A x + b u + c and s = S x + e u + s_0 with x = (q, v), and their derivatives with respect to one parameter.
pub(super) struct Coefficients {
    /// A (2n x 2n).
    pub system: Pair<DMatrix<f64>>,
    /// b (2n).
    pub input: Pair<DVector<f64>>,
    /// c (2n).
    pub constant: Pair<DVector<f64>>,
    /// S (outputs x 2n).
    pub output_system: Pair<DMatrix<f64>>,
    /// s_0.
    pub output_constant: Pair<DVector<f64>>,
    /// The derivative of e.
    pub feedthrough: DVector<f64>,
    /// The sum of the magnitudes of the terms of this derivative.
    pub feedthrough_size: DVector<f64>,
}

/// Emitted groups of a model, evaluated at one point.
struct Evaluated<'a> {
    /// The group `linearization`.
    linearization: &'a [Dual],
    /// The group `output_derivatives`.
    output_derivatives: &'a [Dual],
    outputs: &'a [Dual],
}

impl Coefficients {
    /// Evaluates the coefficients with `others` as the inputs, zero for the one with the index `input`. The model
    /// has been checked to be linear.
    pub fn of_model<M: Functions>(
        program: M::Program,
        problem: &Problem,
        parameters: &M::Parameters<Dual>,
        others: &[f64],
        input: usize,
    ) -> Result<Self, LinearModelError> {
        let constants = constants_of::<M, _>(program, problem, parameters);
        let lengths = M::lengths(program);
        let mut inputs = M::Inputs::<Dual>::zeros(lengths.inputs);
        for (to, &from) in inputs.as_mut().iter_mut().zip(others) {
            *to = Dual::constant(from);
        }
        let state = State::<M, Dual>::zeros_of(program);
        let point: Point<'_, M, Dual> = state.point(0.0, &inputs, &constants);
        let mut group = M::Linearization::<Dual>::zeros(lengths.group(Group::Linearization));
        evaluate::linearization(&point, &mut group);
        let mut output_group = M::OutputDerivatives::<Dual>::zeros(lengths.group(Group::OutputDerivatives));
        M::output_derivatives(&point, &mut output_group);
        let mut output_values = M::Outputs::<Dual>::zeros(lengths.outputs);
        M::outputs(&point, &mut output_values);
        let evaluated = Evaluated {
            linearization: group.as_ref(),
            output_derivatives: output_group.as_ref(),
            outputs: output_values.as_ref(),
        };
        Self::new(M::description(program), evaluated, input)
    }

    fn new(
        description: &'static Description,
        evaluated: Evaluated<'_>,
        input: usize,
    ) -> Result<Self, LinearModelError> {
        let Evaluated { linearization, output_derivatives, outputs } = evaluated;
        let (n, m, s) = (description.coordinates.len(), description.constraints.len(), description.outputs.len());
        let u = description.inputs.len();
        let dense = |function, argument, rows, columns| {
            matrix(find(description.groups.linearization, function, argument), linearization, rows, columns)
        };
        let mass = dense(Function::Inertia, Some(Argument::Accelerations), n, n);
        let jacobian = dense(Function::Constraint, Some(Argument::Coordinates), m, n);
        let force = |argument, columns| dense(Function::Force, Some(argument), n, columns);
        let force_u = force(Argument::Inputs, u);
        let value = dense(Function::Force, None, n, 1);
        // [M, C_q^T; C_q, 0] (a, lambda) = (f, 0): the columns of f are those of q, v, u and 1
        let kkt = mass
            .with(n + m, n + m, (0, 0))
            .plus(&jacobian.transpose().with(n + m, n + m, (0, n)))
            .plus(&jacobian.with(n + m, n + m, (n, 0)));
        let columns = 2 * n + 2;
        let right = force(Argument::Coordinates, n)
            .with(n + m, columns, (0, 0))
            .plus(&force(Argument::Velocities, n).with(n + m, columns, (0, n)))
            .plus(&force_u.column(input).with(n + m, columns, (0, 2 * n)))
            .plus(&value.with(n + m, columns, (0, 2 * n + 1)));
        let no_mass = || LinearModelError::NoMass { model: description.name };
        let inverse = ScaledInverse::new(kkt.value.clone()).ok_or_else(no_mass)?;
        let solved = inverse.solve(&right.value).ok_or_else(no_mass)?;
        let changed = inverse.solve(&(&right.derivative - &kkt.derivative * &solved)).ok_or_else(no_mass)?;
        let solved = Pair { value: solved, derivative: changed };

        let output = |argument, columns| {
            let block = find(description.groups.output_derivatives, Function::Output, Some(argument));
            matrix(block, output_derivatives, s, columns)
        };
        // s = s_q q + s_v v + s_u u + s_0 + (s_a, s_lambda) (a, lambda)
        let implicit = output(Argument::Accelerations, n)
            .with(s, n + m, (0, 0))
            .plus(&output(Argument::Multipliers, m).with(s, n + m, (0, n)));
        let output_u = output(Argument::Inputs, u).column(input);
        let mut output_0 = DMatrix::zeros(s, 2);
        for (k, value) in outputs.iter().enumerate() {
            (output_0[(k, 0)], output_0[(k, 1)]) = (value.value, value.derivative);
        }
        let direct = output(Argument::Coordinates, n)
            .with(s, columns, (0, 0))
            .plus(&output(Argument::Velocities, n).with(s, columns, (0, n)))
            .plus(&output_u.with(s, columns, (0, 2 * n)))
            .plus(
                &Pair { value: output_0.columns(0, 1).into_owned(), derivative: output_0.columns(1, 1).into_owned() }
                    .with(s, columns, (0, 2 * n + 1)),
            );
        let total = Pair {
            value: &direct.value + &implicit.value * &solved.value,
            derivative: &direct.derivative
                + &implicit.derivative * &solved.value
                + &implicit.value * &solved.derivative,
        };
        let size = direct.derivative.abs()
            + implicit.derivative.abs() * solved.value.abs()
            + implicit.value.abs() * solved.derivative.abs();
        let accelerations =
            |column: usize, count: usize| solved.part((0, column), (n, count)).with(2 * n, count, (n, 0));
        let mut system = accelerations(0, 2 * n);
        system.value.view_mut((0, n), (n, n)).fill_with_identity();
        Ok(Self {
            system,
            input: accelerations(2 * n, 1).vector(),
            constant: accelerations(2 * n + 1, 1).vector(),
            output_system: total.part((0, 0), (s, 2 * n)),
            output_constant: total.part((0, 2 * n + 1), (s, 1)).vector(),
            feedthrough: total.derivative.column(2 * n).into_owned(),
            feedthrough_size: size.column(2 * n).into_owned(),
        })
    }
}

fn matrix(block: &Block, group: &[Dual], rows: usize, columns: usize) -> Pair<DMatrix<f64>> {
    let (mut value, mut derivative) = (DMatrix::zeros(rows, columns), DMatrix::zeros(rows, columns));
    for (row, column, entry) in block.iter(group) {
        value[(row, column)] = entry.value;
        derivative[(row, column)] = entry.derivative;
    }
    Pair { value, derivative }
}

impl Pair<DMatrix<f64>> {
    fn map(&self, f: impl Fn(&DMatrix<f64>) -> DMatrix<f64>) -> Self {
        Self { value: f(&self.value), derivative: f(&self.derivative) }
    }

    fn transpose(&self) -> Self {
        self.map(DMatrix::transpose)
    }

    fn column(&self, k: usize) -> Self {
        self.map(|matrix| matrix.columns(k, 1).into_owned())
    }

    fn part(&self, at: (usize, usize), size: (usize, usize)) -> Self {
        self.map(|matrix| matrix.view(at, size).into_owned())
    }

    /// Places this matrix in a larger matrix of zeros.
    fn with(&self, rows: usize, columns: usize, at: (usize, usize)) -> Self {
        self.map(|matrix| {
            let mut larger = DMatrix::zeros(rows, columns);
            larger.view_mut(at, matrix.shape()).copy_from(matrix);
            larger
        })
    }

    fn plus(&self, other: &Self) -> Self {
        Self { value: &self.value + &other.value, derivative: &self.derivative + &other.derivative }
    }

    fn vector(&self) -> Pair<DVector<f64>> {
        Pair { value: self.value.column(0).into_owned(), derivative: self.derivative.column(0).into_owned() }
    }
}
