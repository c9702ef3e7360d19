//! Forces that jump or bend at an equilibrium, of which a linear model has one side or the middle.

use costate_contract::{Function, Group};
use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;
use costate_system::system::{Equations, Instant, StateVectors};

use crate::equilibrium::Equilibrium;
use crate::linear_model::LinearModel;

/// Two deviations, relative to the sizes of coordinates.
const DEVIATIONS: [f64; 2] = [1e-5, 1e-7];

/// The variable in which a force is not smooth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Position,
    Velocity,
}

impl Equilibrium {
    /// Returns forces that jump or bend at the equilibrium, a sentence each: a linear model about it has them as they
    /// are on one side, or not at all.
    pub(crate) fn kinks(&self) -> Vec<String> {
        let (place, model) = (self.place(), self.description());
        let linear = self.linearized();
        let mut found: Vec<(usize, usize, By)> = Vec::new();
        place.problem.system().with_equations(&place.problem, &place.parameters, &mut |equations| {
            let at = |state: &StateVectors<f64>| {
                forces(equations, Instant { time: place.time, state, inputs: &place.inputs })
            };
            found = kinks(&linear, self.vectors(), &at);
        });
        found.sort_unstable();
        found.dedup_by_key(|(row, _, by)| (*row, *by));
        let text = |(row, column, by): (usize, usize, By)| {
            let [force, variable] = [row, column].map(|k| model.coordinates.get(k).map_or("?", |of| of.name));
            match by {
                By::Position => format!(
                    "the force on `{force}` jumps or bends at this value of `{variable}`: the linear model has the \
                     stiffness of one side"
                ),
                By::Velocity => format!(
                    "the force on `{force}` jumps or bends where `dot({variable})` changes its sign, as friction does: \
                     the linear model has the damping of one side, or none"
                ),
            }
        };
        found.into_iter().map(text).collect()
    }
}

/// Returns the forces of all coordinates: residuals with their sizes.
fn forces(equations: &dyn Equations<f64>, at: Instant<'_, f64>) -> Vec<f64> {
    let model = equations.description();
    let (group, layout) = (equations.group(Group::Residual, at), model.groups.residual);
    let mut rows = vec![0.0; model.coordinates.len()];
    for function in [Function::Inertia, Function::ForceResidual] {
        find(layout, function, None).iter(&group).for_each(|(row, _, value)| rows[row] += value);
    }
    rows
}

/// Returns the rows of forces that are not smooth, with the coordinate and the variable.
fn kinks(
    linear: &LinearModel,
    state: &StateVectors<f64>,
    at: &dyn Fn(&StateVectors<f64>) -> Vec<f64>,
) -> Vec<(usize, usize, By)> {
    /// Part of the linear change of a force that it may differ from it.
    const MAX_LINEAR_DIFFERENCE: f64 = 0.02;
    /// Ratio of what is not linear at the smaller and the larger deviation: 1e-4 where a force is smooth, 1e-2 at a
    /// bend, 1 at a jump.
    const MIN_BEND_RATIO: f64 = 3e-3;
    /// Rounding of a force beside its largest terms.
    const FORCE_ROUNDING: f64 = 1e-12;
    let n = state.coordinates.len();
    let here = at(state);
    let rounding: Vec<f64> = terms(linear, state).into_iter().map(|size| FORCE_ROUNDING * size).collect();
    let mut found = Vec::new();
    for column in 0..n {
        for (by, matrix) in [(By::Position, &linear.matrices.stiffness), (By::Velocity, &linear.matrices.damping)] {
            let slopes = column_of(matrix, column, n);
            for side in [1.0, -1.0] {
                // what the linear model leaves of the change of every force, and that change
                let [coarse, fine] = DEVIATIONS.map(|deviation| {
                    let mut moved = state.clone();
                    let list = match by {
                        By::Position => &mut moved.coordinates,
                        By::Velocity => &mut moved.velocities,
                    };
                    let before = list[column];
                    list[column] += side * deviation * size(state, column);
                    let change = list[column] - before;
                    let left = |(row, there): (usize, f64)| {
                        let linear = slopes[row] * change;
                        ((there - here[row] - linear).abs(), linear.abs())
                    };
                    at(&moved).into_iter().enumerate().map(left).collect::<Vec<_>>()
                });
                let is_kink = |row: &usize| {
                    let ((coarse, linear), (fine, _)) = (coarse[*row], fine[*row]);
                    coarse > MAX_LINEAR_DIFFERENCE * linear && fine > rounding[*row] && fine > MIN_BEND_RATIO * coarse
                };
                found.extend((0..n).filter(is_kink).map(|row| (row, column, by)));
            }
        }
    }
    found
}

/// Returns the size by which a coordinate is moved.
fn size(state: &StateVectors<f64>, column: usize) -> f64 {
    /// The size of coordinates that are nearly 0.
    const MIN_COORDINATE_SIZE: f64 = 1e-3;
    state.coordinates.get(column).map_or(1.0, |value| value.abs()).max(MIN_COORDINATE_SIZE)
}

/// Returns the largest terms of the forces of all coordinates.
fn terms(linear: &LinearModel, state: &StateVectors<f64>) -> Vec<f64> {
    let mut sizes = vec![0.0; state.coordinates.len()];
    for (row, column, value) in linear.matrices.stiffness.iter() {
        sizes[row] += value.abs() * size(state, column);
    }
    for (row, column, value) in linear.matrices.jacobian.iter() {
        sizes[column] += (value * state.multipliers.get(row).copied().unwrap_or(0.0)).abs();
    }
    sizes
}

fn column_of(matrix: &SparseMatrix, column: usize, n: usize) -> Vec<f64> {
    let mut all = vec![0.0; n];
    matrix.column(column).iter().for_each(|&(row, value)| all[row] = value);
    all
}
