//! The sizes of the rounding that entries of the matrices of the motion carry.

use nalgebra::DMatrix;

use costate_numerics::linalg::SparseMatrix;

use crate::equilibrium::matrices::MotionMatrices;
use crate::equilibrium::minimal::Minimal;
use crate::system::{Equations, Instant, StateVectors};

/// The rounding of the matrices in independent coordinates, entry by entry (f x f).
#[derive(Debug, Clone, PartialEq)]
pub struct Rounding {
    /// Rounding of the mass matrix.
    pub mass: DMatrix<f64>,
    /// Rounding of the damping matrix.
    pub damping: DMatrix<f64>,
    /// Rounding of the stiffness matrix.
    pub stiffness: DMatrix<f64>,
}

impl Rounding {
    /// Estimates the rounding at a state.
    ///
    /// An entry may be what is left of large terms that cancel, such as a force times a lever of 0: how large they are
    /// shows at states that differ from this one by rounding. `held` are the coordinates that are held in `matrices`.
    pub fn at(
        minimal: &Minimal,
        matrices: &MotionMatrices,
        equations: &dyn Equations<f64>,
        held: &[usize],
        at: Instant<'_, f64>,
    ) -> Self {
        /// Number of neighbouring states at which the matrices are evaluated once more.
        const NEIGHBOURS: usize = 3;
        let near: Vec<MotionMatrices> = (1..=NEIGHBOURS)
            .map(|number| {
                let state = neighbour(equations, at.state, number);
                MotionMatrices::at(equations, Instant { state: &state, ..at }).component(0).with_held(held)
            })
            .collect();
        let change = |of: fn(&MotionMatrices) -> &SparseMatrix| {
            let here = of(matrices);
            let differences = near.iter().map(|there| {
                let minus = here.iter().map(|(row, column, value)| (row, column, -value));
                SparseMatrix::new(here.rows(), here.columns(), of(there).iter().chain(minus))
            });
            let all: Vec<_> = differences.flat_map(|change| sizes(&change, 1.0).collect::<Vec<_>>()).collect();
            SparseMatrix::new(here.rows(), here.columns(), all)
        };
        Self::of(
            minimal,
            matrices,
            &[change(|of| &of.mass), change(|of| &of.damping), change(|of| &of.stiffness), change(|of| &of.jacobian)],
        )
    }

    fn of(minimal: &Minimal, matrices: &MotionMatrices, changes: &[SparseMatrix; 4]) -> Self {
        /// Rounding of an entry relative to its terms: that of a parameter, of a product and of a sum.
        const ENTRY_ROUNDING: f64 = 2.0 * f64::EPSILON;
        let [motions, velocities, constant, moving, reactions] = [
            &minimal.motions,
            &minimal.velocities,
            &minimal.accelerations[0],
            &minimal.accelerations[1],
            &minimal.reactions,
        ]
        .map(|matrix| matrix.abs());
        let [mass_change, damping_change, stiffness_change, jacobian_change] = changes;
        let has_constraints = reactions.ncols() > 0;
        let turned = match has_constraints {
            true => reactions * jacobian_change.product(&motions) + &motions * ENTRY_ROUNDING,
            false => DMatrix::zeros(motions.nrows(), motions.ncols()),
        };
        let condensed = |matrix: &SparseMatrix, change: &SparseMatrix, others: DMatrix<f64>| {
            let terms = SparseMatrix::new(matrix.rows(), matrix.columns(), sizes(matrix, 1.0));
            let mut sides = terms.product(&motions) * ENTRY_ROUNDING + change.product(&motions) + others;
            if !has_constraints {
                return motions.tr_mul(&sides);
            }
            sides += terms.product(&turned);
            motions.tr_mul(&sides) + turned.tr_mul(&terms.product(&motions))
        };
        let with = |matrix: &SparseMatrix, change: &SparseMatrix, factor: &DMatrix<f64>| {
            let terms = sizes(matrix, ENTRY_ROUNDING).chain(change.iter());
            SparseMatrix::new(matrix.rows(), matrix.columns(), terms.collect::<Vec<_>>()).product(factor)
        };
        let (mass, damping, stiffness) = (&matrices.mass, &matrices.damping, &matrices.stiffness);
        let none = DMatrix::zeros(motions.nrows(), motions.ncols());
        let of_velocities = with(damping, damping_change, &velocities) + with(mass, mass_change, &constant);
        Self {
            mass: condensed(mass, mass_change, none),
            damping: condensed(damping, damping_change, with(mass, mass_change, &moving)),
            stiffness: condensed(stiffness, stiffness_change, of_velocities),
        }
    }
}

fn sizes(matrix: &SparseMatrix, factor: f64) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    matrix.iter().map(move |(row, column, value)| (row, column, factor * value.abs()))
}

/// Returns a state that differs from this one by rounding: of a coordinate beside the largest one in its unit, of a
/// multiplier beside the largest one.
fn neighbour(equations: &dyn Equations<f64>, state: &StateVectors<f64>, number: usize) -> StateVectors<f64> {
    let model = equations.description();
    // signs without a pattern, the same for every call
    let shift = |k: usize| 2.0 * f64::EPSILON * (2.3 * k as f64 + 1.7 * number as f64).sin().signum();
    let size = |k: usize| {
        let unit = |k: usize| model.coordinates.get(k).map_or("1", |of| of.unit);
        let own = unit(k);
        // angles come from quotients of lengths
        let least = if matches!(own, "1" | "rad") { 1.0 } else { 0.0 };
        let alike = state.coordinates.iter().enumerate().filter(|&(other, _)| unit(other) == own);
        alike.fold(least, |most: f64, (_, value)| most.max(value.abs()))
    };
    let mut near = state.clone();
    near.coordinates.iter_mut().enumerate().for_each(|(k, value)| *value += shift(k) * size(k));
    let largest = state.multipliers.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    near.multipliers.iter_mut().enumerate().for_each(|(k, value)| *value += shift(k + 7) * largest);
    near
}
