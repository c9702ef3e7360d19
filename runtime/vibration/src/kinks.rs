//! Forces that jump or bend at an equilibrium, of which a linear model has one side or the middle, and friction that is
//! smooth, of which it has a damper.

use costate_contract::shown::Shown;
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
    /// Returns forces that jump or bend at the equilibrium, or do not grow with a velocity, a sentence each: a linear
    /// model about it has them as they are on one side, not at all, or as large dampers.
    pub(crate) fn kinks(&self) -> Vec<String> {
        let (place, model) = (self.place(), self.description());
        let linear = self.linearized();
        let mut found: Vec<(usize, usize, By)> = Vec::new();
        let mut friction: Vec<(usize, f64)> = Vec::new();
        place.problem.system().with_equations(&place.problem, &place.parameters, &mut |equations| {
            let at = |state: &StateVectors<f64>| {
                forces(equations, Instant { time: place.time, state, inputs: &place.inputs })
            };
            found = kinks(&linear, self.vectors(), &at);
            friction = smooth_friction(&linear, self.vectors(), &at);
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
        let of_friction = |(column, speed): (usize, f64)| {
            let (name, unit) = model.coordinates.get(column).map_or(("?", "?"), |of| (of.name, of.unit));
            format!(
                "the force on `{name}` hardly grows where `dot({name})` is beyond {} {unit}/s, as friction does: the \
                 linear model has a damper in its place, which overdamps slower motions and is wrong for all others",
                Shown(speed)
            )
        };
        found.into_iter().map(text).chain(friction.into_iter().map(of_friction)).collect()
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

/// Returns the coordinates that friction overdamps: its force does not grow with the velocity but for small ones; each
/// with the speed at which it has half the force that the linear model has.
fn smooth_friction(
    linear: &LinearModel,
    state: &StateVectors<f64>,
    at: &dyn Fn(&StateVectors<f64>) -> Vec<f64>,
) -> Vec<(usize, f64)> {
    /// Speeds in m/s or rad/s: sliding begins below the largest one, and dampers that saturate do so beyond it.
    const DECADES: std::ops::RangeInclusive<i32> = -8..=-2;
    /// Part of the linear force that friction has at the speed that is looked for.
    const PART: f64 = 0.5;
    /// Slope of the force from that speed to four times as much, relative to that of the linear model, up to which it
    /// hardly grows: some percent for a hyperbolic tangent.
    const MAX_SLOPE: f64 = 0.1;
    let (here, n) = (at(state), state.coordinates.len());
    let entry = |matrix: &SparseMatrix, k: usize| column_of(matrix, k, n)[k];
    let of_column = |column: usize| {
        let [mass, damping, stiffness] =
            [&linear.matrices.mass, &linear.matrices.damping, &linear.matrices.stiffness].map(|of| entry(of, column));
        if damping <= 0.0 || damping * damping <= 4.0 * mass * stiffness {
            return None;
        }
        // force over that of the linear model
        let part = |speed: f64| {
            let mut moved = state.clone();
            moved.velocities[column] += speed;
            (at(&moved)[column] - here[column]) / (damping * speed)
        };
        let speeds = DECADES.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)));
        let speed = speeds.into_iter().find(|&speed| [speed, -speed].iter().all(|side| part(*side) < PART))?;
        let slope = |speed: f64| (4.0 * part(4.0 * speed) - part(speed)) / 3.0;
        [speed, -speed].iter().all(|side| slope(*side) < MAX_SLOPE).then_some((column, speed))
    };
    (0..n).filter_map(of_column).collect()
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
