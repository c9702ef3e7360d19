//! The derivatives of the model's functions at the start, by the quantities by which the initial state is
//! differentiated.

use nalgebra::DMatrix;

use costate_system::model::{Argument, Function, Group};
use costate_system::system::StateVectors;

use super::consistent::Consistent;
use super::system::{Matrices, StartSystem};

/// The quantities by which the initial state is differentiated.
#[derive(Clone, Copy)]
pub(super) enum Unknown<'a> {
    /// The parameters with these indices.
    Parameters(&'a [usize]),
    /// The results of these lookups in tables, at the start and shortly after it.
    Lookups(&'a [usize]),
    /// Numbers of a given start: the positions, then the velocities (2n).
    Given(&'a [usize]),
}

/// A consistent initial state that is differentiated.
pub(super) struct Derivatives<'a> {
    pub system: &'a StartSystem<'a, f64>,
    pub consistent: &'a Consistent<f64>,
    pub unknown: Unknown<'a>,
}

impl Derivatives<'_> {
    /// Returns the state with the multipliers of a projection.
    pub fn with_multipliers(&self, multipliers: &[f64]) -> StateVectors<f64> {
        StateVectors { multipliers: multipliers.to_vec(), ..self.consistent.state.clone() }
    }

    /// Returns the wanted columns of a function's derivative; `matrices` has the derivatives with respect to
    /// parameters.
    pub fn columns(&self, matrices: &Matrices, state: &StateVectors<f64>, function: Function) -> DMatrix<f64> {
        match self.unknown {
            Unknown::Parameters(unknown) => {
                matrices.matrix(function, Argument::Parameters).select_columns(unknown).dense()
            }
            Unknown::Lookups(unknown) => {
                let here = self.system.matrices(Group::InitialLookups, state).matrix(function, Argument::Lookups);
                let here = here.select_columns(unknown).dense();
                let columns = here.ncols();
                // the results of lookups shortly after the start have no influence here
                here.insert_columns(columns, columns, 0.0)
            }
            Unknown::Given(unknown) => {
                let rows = matrices.matrix(function, Argument::Coordinates).rows();
                DMatrix::zeros(rows, unknown.len())
            }
        }
    }

    /// Returns the name of the quantity that a column differentiates by.
    pub fn name(&self, column: usize) -> String {
        let description = self.system.description();
        match self.unknown {
            Unknown::Parameters(unknown) => format!("`{}`", description.parameters[unknown[column]].name),
            Unknown::Lookups(unknown) => {
                let lookup = &description.lookups[unknown[column % unknown.len()]];
                format!("the table `{}`", description.tables[lookup.table].quantity.name)
            }
            Unknown::Given(unknown) => {
                let (k, n) = (unknown[column], self.system.n());
                let level = if k < n { "position" } else { "velocity" };
                format!("the given {level} of `{}`", description.coordinates[k % n].name)
            }
        }
    }

    /// Returns the derivatives of the specified values; zero rows for open ones.
    pub fn specified(&self, function: Function, specified: &[bool]) -> DMatrix<f64> {
        let at = &self.consistent.state;
        if self.system.given.is_some() {
            return self.given(function, specified);
        }
        let mut values = self.columns(&self.system.matrices(Group::InitialDerivatives, at), at, function);
        for (mut row, specified) in values.row_iter_mut().zip(specified) {
            if !specified {
                row.fill(0.0);
            }
        }
        values
    }

    /// Returns the derivatives of the kept values of a given start.
    fn given(&self, function: Function, kept: &[bool]) -> DMatrix<f64> {
        let n = self.system.n();
        let Unknown::Given(unknown) = self.unknown else { return DMatrix::zeros(n, self.count()) };
        let first = if function == Function::InitialVelocities { n } else { 0 };
        DMatrix::from_fn(n, unknown.len(), |row, column| {
            let is_own = kept[row] && unknown[column] == first + row;
            f64::from(u8::from(is_own))
        })
    }

    /// Returns the number of columns.
    fn count(&self) -> usize {
        match self.unknown {
            Unknown::Parameters(unknown) | Unknown::Given(unknown) => unknown.len(),
            Unknown::Lookups(unknown) => 2 * unknown.len(),
        }
    }
}
