//! The equations of motion as an ordinary differential equation x' = F(x, u, p, t) in independent coordinates.
//!
//! The state x has the positions of independent coordinates, then the velocities of those whose motion moves mass.
//! Dependent coordinates solve the constraints, dependent velocities their derivative. A coordinate whose motion moves
//! no mass has its position in x alone: its velocity balances its forces.
//!
//! [`IndependentMotion::choose`] selects the coordinates once; the choice holds until the constraints no longer
//! determine the others, which is an [`IndependentError`]. `evaluate` has the motion at a state, `jacobian` its
//! derivatives in `terms` of the equations, `dependence` the solutions of both.

mod dependence;
mod error;
mod evaluate;
mod jacobian;
mod terms;

use nalgebra::DMatrix;

use costate_contract::{Argument, Block, Description, Function, Group};
use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;

use crate::system::{Equations, Instant, StateVectors};

pub use error::IndependentError;

/// The independent coordinates of a model, and the equations of motion in them.
#[derive(Debug, Clone, PartialEq)]
pub struct IndependentMotion {
    /// The independent coordinates, ascending.
    positions: Vec<usize>,
    /// Independent coordinates whose velocities are states.
    velocities: Vec<usize>,
    /// Independent coordinates whose velocities balance forces.
    massless: Vec<usize>,
    /// The other coordinates, as many as constraints.
    dependent: Vec<usize>,
}

impl IndependentMotion {
    /// Chooses independent coordinates at a state that satisfies the constraints: coordinates without mass become
    /// dependent first, since they need no state; of the others those that the constraints determine best.
    ///
    /// # Errors
    /// [`IndependentError`] for constraints that depend on others, and for coordinates that no such equation describes.
    pub fn choose(equations: &dyn Equations<f64>, at: Instant<'_, f64>) -> Result<Self, IndependentError> {
        let model = equations.description();
        let (m, n) = (model.constraints.len(), model.coordinates.len());
        let block = find(model.groups.linearization, Function::Constraint, Some(Argument::Coordinates));
        let mut jacobian = SparseMatrix::of_block(block, &equations.group(Group::Linearization, at), m, n);
        let norms = jacobian.row_norms();
        jacobian.scale_rows(&norms.iter().map(|norm| 1.0 / norm.max(f64::MIN_POSITIVE)).collect::<Vec<_>>());
        let dependent = pivots(jacobian.dense(), &massless(model)).map_err(|constraint| {
            let name = model.constraints.get(constraint).map_or("?", |quantity| quantity.name);
            IndependentError::Redundant { constraint: name }
        })?;
        Self::with_positions(model, (0..n).filter(|index| !dependent.contains(index)).collect())
    }

    /// Takes independent coordinates that were chosen before, in ascending order.
    ///
    /// # Errors
    /// [`IndependentError::Number`] for a number that the model does not have; that of
    /// [`choose`](Self::choose) for outputs.
    pub fn with_positions(model: &Description, positions: Vec<usize>) -> Result<Self, IndependentError> {
        let (m, n) = (model.constraints.len(), model.coordinates.len());
        let is_ascending = positions.windows(2).all(|pair| pair[0] < pair[1]);
        if positions.len() + m != n || !is_ascending || positions.last().is_some_and(|last| *last >= n) {
            return Err(IndependentError::Number { given: positions.len(), expected: n.saturating_sub(m) });
        }
        let is_massless = massless(model);
        let moved = moved_together(model, &positions);
        let moves_mass = |&index: &usize| moved[index].iter().any(|&other| !is_massless[other]);
        let (velocities, massless): (Vec<usize>, Vec<usize>) = positions.iter().copied().partition(moves_mass);
        let accelerated = find(model.groups.output_derivatives, Function::Output, Some(Argument::Accelerations));
        for &(output, coordinate) in accelerated.entries {
            let without = massless.iter().find(|&&index| moved[index].contains(&(coordinate as usize)));
            if let Some(&index) = without {
                let (output, coordinate) = (model.outputs[output as usize].name, model.coordinates[index].name);
                return Err(IndependentError::Acceleration { output, coordinate });
            }
        }
        let dependent = (0..n).filter(|index| !positions.contains(index)).collect();
        Ok(Self { positions, velocities, massless, dependent })
    }

    /// Returns the independent coordinates, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// Returns the coordinates whose velocities follow in the state, ascending.
    pub fn velocities(&self) -> &[usize] {
        &self.velocities
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.positions.len() + self.velocities.len()
    }

    /// Takes the state x from positions and velocities of all coordinates.
    pub fn state(&self, of: &StateVectors<f64>) -> Vec<f64> {
        let positions = self.positions.iter().map(|&index| of.coordinates[index]);
        positions.chain(self.velocities.iter().map(|&index| of.velocities[index])).collect()
    }

    /// Takes the derivative x' from velocities and accelerations of all coordinates.
    pub fn derivative(&self, of: &StateVectors<f64>) -> Vec<f64> {
        let velocities = self.positions.iter().map(|&index| of.velocities[index]);
        velocities.chain(self.velocities.iter().map(|&index| of.accelerations[index])).collect()
    }
}

/// Returns the coordinates that have no mass, whatever the parameters are.
fn massless(model: &Description) -> Vec<bool> {
    let mass = find(model.groups.linearization, Function::Inertia, Some(Argument::Accelerations));
    let mut without = vec![true; model.coordinates.len()];
    mass.entries.iter().for_each(|&(_, column)| without[column as usize] = false);
    without
}

/// Returns for every independent coordinate itself and the dependent ones that may move with it; empty for others.
fn moved_together(model: &Description, positions: &[usize]) -> Vec<Vec<usize>> {
    let block: &Block = find(model.groups.linearization, Function::Constraint, Some(Argument::Coordinates));
    let mut moved = vec![Vec::new(); model.coordinates.len()];
    for &index in positions {
        let mut found = vec![index];
        let mut next = 0;
        while let Some(&coordinate) = found.get(next) {
            let rows = block.entries.iter().filter(|(_, column)| *column as usize == coordinate).map(|(row, _)| *row);
            for row in rows.collect::<Vec<_>>() {
                let of_row = block.entries.iter().filter(|(other, _)| *other == row);
                for column in of_row.map(|(_, column)| *column as usize) {
                    if !positions.contains(&column) && !found.contains(&column) {
                        found.push(column);
                    }
                }
            }
            next += 1;
        }
        moved[index] = found;
    }
    moved
}

/// Selects a column for every row by the largest pivots, first among the preferred columns; returns the row that has
/// none.
fn pivots(mut matrix: DMatrix<f64>, preferred: &[bool]) -> Result<Vec<usize>, usize> {
    /// The smallest pivot of rows of length 1 in a preferred column: a position near a singular one leaves a wide
    /// range of motion.
    const MIN_PREFERRED: f64 = 1e-3;
    /// The smallest pivot that is not rounding.
    const MIN_PIVOT: f64 = 1e-10;
    let (mut rows, mut columns) = ((0..matrix.nrows()).collect::<Vec<_>>(), Vec::new());
    while let Some(&first) = rows.first() {
        let largest = |only: bool, taken: &[usize]| {
            let allowed = (0..matrix.ncols()).filter(|column| !taken.contains(column) && (!only || preferred[*column]));
            let places = allowed.flat_map(|column| rows.iter().map(move |&row| (row, column)));
            places.max_by(|&one, &other| matrix[one].abs().total_cmp(&matrix[other].abs()))
        };
        let place = largest(true, &columns).filter(|&place| matrix[place].abs() > MIN_PREFERRED);
        let Some((row, column)) = place.or_else(|| largest(false, &columns)) else { return Err(first) };
        let pivot = matrix[(row, column)];
        if pivot.is_nan() || pivot.abs() < MIN_PIVOT {
            return Err(row);
        }
        rows.retain(|other| *other != row);
        let own = matrix.row(row).into_owned();
        for &other in &rows {
            let factor = matrix[(other, column)] / pivot;
            matrix.row_mut(other).zip_apply(&own, |entry, own| *entry -= factor * own);
        }
        columns.push(column);
    }
    Ok(columns)
}
