//! A motion through positions that a mechanism can reach: from its start, straight on as far as the constraints
//! allow.
//!
//! Random states are of little use for choosing pivots. A mechanism that is not assembled has singular positions that
//! it never reaches, and a mechanism that is assembled in another way has other vanishing entries: for example, the
//! axes of a hinge may be opposed instead of parallel.

use super::super::equations::Equations;
use super::random::Random;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Lookup, Symbol};

/// Largest change of a coordinate in one step.
const MAX_STEP: f64 = 0.25;

/// Number of linearizations of the constraints in a step.
const LINEARIZATIONS: usize = 4;

/// A walk at its current coordinates.
pub struct Walk<'a, V, T> {
    graph: &'a Graph,
    /// The constraints, and then their derivatives.
    roots: Vec<Id>,
    /// (row, column) of the derivatives.
    pattern: Vec<(usize, usize)>,
    value: V,
    table: T,
    coordinates: Vec<f64>,
    velocities: Vec<f64>,
}

/// The linearized constraints at some coordinates: their values, and their derivatives by rows.
struct Linearization {
    values: Vec<f64>,
    rows: Vec<Vec<(usize, f64)>>,
}

impl<'a, V: Fn(Symbol) -> f64, T: Fn(Lookup, [f64; 2]) -> f64> Walk<'a, V, T> {
    /// Starts near the initial coordinates, in a random direction. `value` and `table` return all values other than
    /// coordinates.
    pub fn new(
        model: &'a Model,
        graph: &'a Graph,
        equations: &Equations,
        random: &mut Random,
        value: V,
        table: T,
    ) -> Self {
        // Number of linearizations of the constraints at the start.
        const LINEARIZATIONS_AT_START: usize = 12;
        let slopes: Vec<(usize, usize, Id)> = equations.constraint_q.iter().collect();
        let constraints = equations.constraint.iter().copied();
        let mut walk = Walk {
            roots: constraints.chain(slopes.iter().map(|&(.., id)| id)).collect(),
            pattern: slopes.iter().map(|&(row, column, _)| (row, column)).collect(),
            coordinates: start(model, graph, &value),
            velocities: model.coordinates.iter().map(|_| random.between(-1.0, 1.0)).collect(),
            graph,
            value,
            table,
        };
        let start = walk.coordinates.clone();
        if let Some((assembled, _)) = walk.assembled(&start, LINEARIZATIONS_AT_START) {
            walk.coordinates = assembled;
        }
        walk
    }

    /// Returns a nearby position: every coordinate is changed by up to `reach`, and then the constraints are
    /// satisfied.
    pub fn beside(&self, random: &mut Random, reach: f64) -> Vec<f64> {
        let moved: Vec<f64> = self.coordinates.iter().map(|q| q + random.between(-reach, reach)).collect();
        self.assembled(&moved, LINEARIZATIONS).map_or(moved, |(assembled, _)| assembled)
    }

    /// Takes one step.
    pub fn advance(&mut self) {
        // Largest distance from a constraint after a step, relative to the length of the step.
        const MAX_VIOLATION: f64 = 0.05;
        // Largest number of times that a step is halved, where the constraints are curved.
        const MAX_HALVINGS: i32 = 5;
        let Some(here) = self.linearized(&self.coordinates) else { return };
        here.satisfy(&vec![0.0; here.rows.len()], &mut self.velocities);
        let largest = self.velocities.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        self.velocities.iter_mut().for_each(|v| *v /= largest);
        for halved in 0..=MAX_HALVINGS {
            let length = MAX_STEP * 0.5f64.powi(halved);
            let ahead: Vec<f64> = self.coordinates.iter().zip(&self.velocities).map(|(q, v)| q + length * v).collect();
            let Some((assembled, left)) = self.assembled(&ahead, LINEARIZATIONS) else { continue };
            let bend = assembled.iter().zip(&ahead).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            if (left < MAX_VIOLATION * length && bend < length) || halved == MAX_HALVINGS {
                self.coordinates = assembled;
                return;
            }
        }
    }

    /// Moves the coordinates until the constraints nearly hold; also returns the largest distance before the last
    /// correction.
    fn assembled(&self, coordinates: &[f64], iterations: usize) -> Option<(Vec<f64>, f64)> {
        let mut moved = coordinates.to_vec();
        let mut left = 0.0;
        for _ in 0..iterations {
            let here = self.linearized(&moved)?;
            left = here.distance();
            let mut change = vec![0.0; moved.len()];
            here.satisfy(&here.values, &mut change);
            moved.iter_mut().zip(change).for_each(|(q, change)| *q += change.clamp(-MAX_STEP, MAX_STEP));
        }
        Some((moved, left))
    }

    fn linearized(&self, coordinates: &[f64]) -> Option<Linearization> {
        let number = |symbol: Symbol| match symbol {
            Symbol::Coordinate(i) => coordinates[i],
            other => (self.value)(other),
        };
        let mut values = self.graph.evaluate_with(&self.roots, number, &self.table);
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let slopes = values.split_off(self.roots.len() - self.pattern.len());
        let mut rows = vec![Vec::new(); values.len()];
        for (&(row, column), slope) in self.pattern.iter().zip(slopes) {
            rows[row].push((column, slope));
        }
        Some(Linearization { values, rows })
    }
}

impl Linearization {
    /// Changes x so that `values` + C_q x is nearly 0, by projections on one row after the other (Kaczmarz).
    fn satisfy(&self, values: &[f64], x: &mut [f64]) {
        // Number of sweeps over all linearized constraints, in which these are satisfied one after the other.
        const CONSTRAINT_SWEEPS: usize = 5;
        for _ in 0..CONSTRAINT_SWEEPS {
            for (row, value) in self.rows.iter().zip(values) {
                let square: f64 = row.iter().map(|(_, slope)| slope * slope).sum();
                let left = row.iter().map(|&(column, slope)| slope * x[column]).sum::<f64>() + value;
                if square > f64::EPSILON {
                    row.iter().for_each(|&(column, slope)| x[column] -= left / square * slope);
                }
            }
        }
    }

    /// Returns the largest distance of the coordinates from a constraint.
    fn distance(&self) -> f64 {
        let distance = |(row, value): (&Vec<(usize, f64)>, &f64)| {
            let square: f64 = row.iter().map(|(_, slope)| slope * slope).sum();
            if square > f64::EPSILON { value.abs() / square.sqrt() } else { 0.0 }
        };
        self.rows.iter().zip(&self.values).map(distance).fold(0.0, f64::max)
    }
}

/// Returns the initial or near coordinates as far as they are known, and zero for the others.
fn start(model: &Model, graph: &Graph, value: impl Fn(Symbol) -> f64) -> Vec<f64> {
    let given = model.initial_coordinates.iter().zip(&model.near_coordinates);
    let roots: Vec<Option<Id>> = given.map(|(initial, near)| initial.or(*near)).collect();
    let known: Vec<Id> = roots.iter().copied().flatten().collect();
    let mut numbers = graph.evaluate(&known, value).into_iter();
    let mut number = |root: Option<Id>| root.and_then(|_| numbers.next());
    roots.into_iter().map(|root| number(root).filter(|number| number.is_finite()).unwrap_or(0.0)).collect()
}
