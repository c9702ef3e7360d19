//! The matrices of the equations of motion about a state.

use costate_contract::{Argument, Block, Function, Group};
use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Scalar;

use crate::system::{Equations, Instant};

/// M da + D dv + K dq + C_q^T dlambda = B du with C_q dq = 0: the equations of motion about a state.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionMatrices {
    /// Mass matrix M (n x n).
    pub mass: SparseMatrix,
    /// Damping matrix D = -f_v (n x n).
    pub damping: SparseMatrix,
    /// Stiffness matrix K = (M a)_q + (C_q^T lambda)_q - f_q (n x n).
    pub stiffness: SparseMatrix,
    /// Constraint Jacobian C_q (m x n).
    pub jacobian: SparseMatrix,
    /// B = f_u (n x inputs).
    pub inputs: SparseMatrix,
}

impl MotionMatrices {
    /// Evaluates the matrices; those of a number type with derivatives are the matrices of one `component` of their
    /// entries.
    pub fn at<S: Scalar>(equations: &dyn Equations<S>, at: Instant<'_, S>) -> Linearized<S> {
        Linearized {
            sizes: [
                equations.description().coordinates.len(),
                equations.description().constraints.len(),
                equations.description().inputs.len(),
                equations.description().parameters.len(),
            ],
            layout: equations.description().groups.linearization,
            group: equations.group(Group::Linearization, at),
        }
    }

    /// Adds the constraints that keep these coordinates where they are.
    #[must_use]
    pub fn with_held(&self, held: &[usize]) -> Self {
        let (m, n) = (self.jacobian.rows(), self.jacobian.columns());
        let units = held.iter().enumerate().map(|(row, &index)| (m + row, index, 1.0));
        let jacobian = SparseMatrix::new(m + held.len(), n, self.jacobian.iter().chain(units));
        Self { jacobian, ..self.clone() }
    }
}

/// The derivatives of the equations of motion at a state.
#[derive(Debug, Clone)]
pub struct Linearized<S> {
    sizes: [usize; 4],
    layout: &'static [Block],
    group: Vec<S>,
}

impl<S: Scalar> Linearized<S> {
    /// Returns a component of a derivative, with its sign.
    fn entries(
        &self,
        (function, argument): (Function, Argument),
        sign: f64,
        component: usize,
    ) -> impl Iterator<Item = (usize, usize, f64)> {
        let block = find(self.layout, function, Some(argument));
        block.iter(&self.group).map(move |(row, column, value)| (row, column, sign * value.component(component)))
    }

    /// Returns a component of all matrices: 0 for their values, others for derivatives that the number type carries.
    pub fn component(&self, component: usize) -> MotionMatrices {
        use Argument::{Accelerations, Coordinates, Inputs, Velocities};
        let [n, m, inputs, _] = self.sizes;
        let entries = |of, sign| self.entries(of, sign, component);
        let stiffness = entries((Function::Inertia, Coordinates), 1.0)
            .chain(entries((Function::ConstraintForce, Coordinates), 1.0))
            .chain(entries((Function::Force, Coordinates), -1.0));
        MotionMatrices {
            mass: SparseMatrix::new(n, n, entries((Function::Inertia, Accelerations), 1.0)),
            damping: SparseMatrix::new(n, n, entries((Function::Force, Velocities), -1.0)),
            stiffness: SparseMatrix::new(n, n, stiffness),
            jacobian: SparseMatrix::new(m, n, entries((Function::Constraint, Coordinates), 1.0)),
            inputs: SparseMatrix::new(n, inputs, entries((Function::Force, Inputs), 1.0)),
        }
    }

    /// Returns the largest of the forces f and C_q^T lambda.
    pub fn largest_force(&self) -> f64 {
        let values = |function| find(self.layout, function, None).values(&self.group);
        let all = values(Function::Force).iter().chain(values(Function::ConstraintForce));
        all.fold(0.0, |largest, force| force.real().abs().max(largest))
    }

    /// Returns the derivatives of the residuals M a + C_q^T lambda - f (n rows) and C (m rows) with respect to the
    /// parameters.
    pub fn by_parameters(&self) -> SparseMatrix {
        let [n, m, _, parameters] = self.sizes;
        let entries = |function, sign| self.entries((function, Argument::Parameters), sign, 0);
        let motion = entries(Function::Inertia, 1.0)
            .chain(entries(Function::ConstraintForce, 1.0))
            .chain(entries(Function::Force, -1.0));
        let constraint = entries(Function::Constraint, 1.0).map(move |(row, column, value)| (n + row, column, value));
        SparseMatrix::new(n + m, parameters, motion.chain(constraint))
    }
}

/// Returns A B.
pub fn product(a: &SparseMatrix, b: &SparseMatrix) -> SparseMatrix {
    let entries = b.iter().flat_map(|(inner, column, factor)| {
        a.column(inner).iter().map(move |&(row, value)| (row, column, value * factor))
    });
    SparseMatrix::new(a.rows(), b.columns(), entries.collect::<Vec<_>>())
}
