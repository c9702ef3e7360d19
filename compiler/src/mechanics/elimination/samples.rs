//! Numbers for the entries of the Newton matrix at a few made-up states, to judge pivots by.

use std::f64::consts::PI;

use rustc_hash::FxHashMap;

use super::random::Random;
use crate::model::{Model, Norm};
use crate::symbolic::{Id, Integrator, Lookup, Symbol};

/// Number of states: enough for an entry that vanishes at some angle to come near zero in one of them.
pub const SAMPLES: usize = 16;

/// The numbers of one entry.
pub type Values = [f64; SAMPLES];

/// Coordinates near zero.
const NEAR_REST: f64 = 0.02;

/// Sweeps of the equilibration.
const SWEEPS: usize = 6;

/// The values of all entries, with rows and columns scaled so that the largest are near 1.
pub fn samples(model: &Model, entries: &[(usize, usize, Id)]) -> Vec<Values> {
    let roots: Vec<Id> = entries.iter().map(|&(_, _, value)| value).collect();
    let mut values = vec![[0.0; SAMPLES]; entries.len()];
    for sample in 0..SAMPLES {
        let mut numbers = state(model, &roots, sample as u64);
        equilibrate(entries, &mut numbers);
        for (value, number) in values.iter_mut().zip(numbers) {
            value[sample] = number;
        }
    }
    values
}

/// Evaluates at a random state, near the default parameters, with the weights of a plausible step size. Every symbol
/// has a random number of its own, so that it does not matter how a model is written.
fn state(model: &Model, roots: &[Id], seed: u64) -> Vec<f64> {
    let between = |key: u64, from, to| Random::new((seed << 32) + key).between(from, to);
    let (h, alpha) = (between(1, 2e-4, 1e-3), between(2, -0.2, 0.0));
    // Anywhere in turn with near zero, where many mechanisms are at rest and the sines of their angles vanish.
    let reach = if seed.is_multiple_of(2) { PI } else { NEAR_REST };
    let coordinate = |i| between(key(5, i), -reach, reach);
    let euler_parameters = euler_parameters(model, coordinate, reach);
    let value = |symbol: Symbol| match symbol {
        Symbol::Parameter(i) => model.defaults[i].unwrap_or(1.0) * between(key(3, i), 0.9, 1.1),
        Symbol::Integrator(Integrator::Accelerations) => 1.0 / (1.0 + alpha),
        Symbol::Integrator(Integrator::Coordinates) => 0.25 * (1.0 - alpha) * (1.0 - alpha) * h * h,
        Symbol::Integrator(Integrator::Velocities) => (0.5 - alpha) * h,
        Symbol::Integrator(Integrator::Step) => h,
        Symbol::Integrator(Integrator::Previous) => alpha / (1.0 + alpha),
        Symbol::Time => between(4, -1.5, 1.5),
        Symbol::Coordinate(i) => euler_parameters.get(&i).copied().unwrap_or_else(|| coordinate(i)),
        Symbol::Velocity(i) => between(key(6, i), -1.5, 1.5),
        Symbol::Acceleration(i) => between(key(7, i), -1.5, 1.5),
        Symbol::Multiplier(i) => between(key(8, i), -1.5, 1.5),
        Symbol::Input(i) => between(key(9, i), -1.5, 1.5),
        // not in the Newton matrix
        Symbol::Integrator(_) | Symbol::Given(..) => 0.0,
    };
    let table = |lookup: Lookup, _| {
        let [first, second] = lookup.orders.map(usize::from);
        between(key(10 + first, 4 * lookup.table as usize + second), -1.0, 1.0)
    };
    let numbers = model.graph.evaluate_with(roots, value, table);
    // outside of the domain of a root or logarithm any number will do
    let replaced = numbers.into_iter().enumerate();
    replaced
        .map(|(i, number)| if number.is_finite() { number } else { between(key(20, i), 0.5, 1.0) })
        .collect()
}

/// Euler parameters of norm 1: those of bodies that turn a little where coordinates are near zero.
fn euler_parameters(
    model: &Model,
    coordinate: impl Fn(usize) -> f64,
    reach: f64,
) -> FxHashMap<usize, f64> {
    let near_rest = if reach == NEAR_REST { 1.0 } else { 0.0 };
    let of_body = |norm: &Norm| {
        let places: [usize; 4] = std::array::from_fn(|i| norm.first + i);
        let mut e = places.map(&coordinate);
        e[0] += near_rest;
        let length = e.iter().map(|e| e * e).sum::<f64>().sqrt();
        std::iter::zip(places, e.map(|e| e / length))
    };
    model.norms.iter().flat_map(of_body).collect()
}

/// One number for a kind of symbol and an index.
fn key(kind: usize, index: usize) -> u64 {
    ((index as u64) << 8) + kind as u64
}

/// Divides rows and columns by the roots of their largest entries, again and again (Ruiz).
fn equilibrate(entries: &[(usize, usize, Id)], values: &mut [f64]) {
    let size = entries.iter().map(|&(row, column, _)| row.max(column) + 1).max().unwrap_or(0);
    for _ in 0..SWEEPS {
        let (mut rows, mut columns) = (vec![0f64; size], vec![0f64; size]);
        for (&(row, column, _), value) in entries.iter().zip(&*values) {
            rows[row] = rows[row].max(value.abs());
            columns[column] = columns[column].max(value.abs());
        }
        let root = |largest: f64| if largest > 0.0 { largest.sqrt() } else { 1.0 };
        for (&(row, column, _), value) in entries.iter().zip(&mut *values) {
            *value /= root(rows[row]) * root(columns[column]);
        }
    }
}
