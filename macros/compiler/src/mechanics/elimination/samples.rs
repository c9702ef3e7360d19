//! Values of the entries of the Newton matrix at some made-up states, by which pivots are chosen.

use std::cell::Cell;
use std::f64::consts::PI;

use super::random::Random;
use super::walk::Walk;
use crate::mechanics::equations::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator, Lookup, Symbol};

/// Number of states: enough for an entry that vanishes at some angle to come near zero in one of them.
pub const SAMPLES: usize = 16;

/// The values of one entry in all states.
pub type Values = [f64; SAMPLES];

/// Largest offset of a coordinate from the walk, and from zero.
const MAX_OFFSET: f64 = 0.02;

/// Positions that a mechanism reaches, each with the number of steps of the walk before it.
#[derive(Debug)]
pub struct Reached(Vec<(Vec<f64>, usize)>);

impl Reached {
    /// Walks through positions from the start.
    pub fn new(model: &Model, graph: &Graph, equations: &Equations) -> Self {
        // Number of steps of the walk between two of the other samples.
        const WALK_STRIDE: usize = 4;
        // Number of samples near the start.
        const SAMPLES_AT_START: usize = 3;
        let mut random = Random::new(1);
        let clock = Cell::new(0);
        let value = |symbol| driven(model, symbol, clock.get());
        let mut walk = Walk::new(model, graph, equations, &mut random, value, table(0));
        let position = |sample| {
            // the first samples are near the start, where many mechanisms are at rest and the sines of their angles
            // vanish
            let here = (walk.beside(&mut random, MAX_OFFSET), clock.get());
            for _ in 0..WALK_STRIDE * usize::from(sample >= SAMPLES_AT_START) {
                clock.set(clock.get() + 1);
                walk.advance();
            }
            here
        };
        Self((0..SAMPLES).map(position).collect())
    }

    /// Samples the values of all entries, with rows and columns scaled so that the largest entries are near 1.
    pub fn sampled(&self, model: &Model, graph: &Graph, entries: &[(usize, usize, Id)]) -> Vec<Values> {
        let roots: Vec<Id> = entries.iter().map(|&(_, _, value)| value).collect();
        collected(entries, |sample| {
            let (here, clock) = &self.0[sample];
            state(graph, &roots, sample as u64, &|symbol| match symbol {
                Symbol::Coordinate(i) => here[i],
                other => driven(model, other, *clock),
            })
        })
    }
}

/// Samples the values of `entries` at positions of all kinds, even if the mechanism cannot reach them.
pub fn anywhere(model: &Model, graph: &Graph, entries: &[(usize, usize, Id)]) -> Vec<Values> {
    let roots: Vec<Id> = entries.iter().map(|&(_, _, value)| value).collect();
    collected(entries, |sample| {
        let seed = sample as u64;
        let between = |key: u64, from, to| Random::new((seed << 32) + key).between(from, to);
        // every other sample is near zero, where many mechanisms are at rest and the sines of their angles vanish
        let reach = if seed.is_multiple_of(2) { PI } else { MAX_OFFSET };
        state(graph, &roots, seed, &|symbol| match symbol {
            Symbol::Parameter(i) => model.defaults[i].unwrap_or(1.0) * between(key(3, i), 0.9, 1.1),
            Symbol::Time => between(4, -1.5, 1.5),
            Symbol::Coordinate(i) => between(key(5, i), -reach, reach),
            Symbol::Input(i) => between(key(9, i), -1.5, 1.5),
            _ => 0.0,
        })
    })
}

/// Collects the samples of all entries, and equilibrates each sample.
fn collected(entries: &[(usize, usize, Id)], mut sample: impl FnMut(usize) -> Vec<f64>) -> Vec<Values> {
    let mut values = vec![[0.0; SAMPLES]; entries.len()];
    for i in 0..SAMPLES {
        let mut numbers = sample(i);
        equilibrate(entries, &mut numbers);
        for (value, number) in values.iter_mut().zip(numbers) {
            value[i] = number;
        }
    }
    values
}

/// Returns the parameters, near their defaults, and the time and the inputs at a step of the walk.
fn driven(model: &Model, symbol: Symbol, clock: usize) -> f64 {
    // Largest change of time and inputs per step of the walk.
    const MAX_DRIFT: f64 = 0.2;
    let between = |key: u64, from, to| Random::new(key).between(from, to);
    let moving =
        |start: u64, rate: u64| between(start, -1.5, 1.5) + clock as f64 * between(rate, -MAX_DRIFT, MAX_DRIFT);
    match symbol {
        Symbol::Parameter(i) => model.defaults[i].unwrap_or(1.0) * between(key(3, i), 0.98, 1.02),
        Symbol::Time => moving(4, 5),
        Symbol::Input(i) => moving(key(9, i), key(8, i)),
        _ => 0.0,
    }
}

/// Returns random numbers for values and derivatives of tables.
fn table(seed: u64) -> impl Fn(Lookup, [f64; 2]) -> f64 {
    move |lookup, _| {
        let [first, second] = lookup.orders.map(usize::from);
        let key = key(10 + first, 4 * lookup.table as usize + second);
        Random::new((seed << 32) + key).between(-1.0, 1.0)
    }
}

/// Evaluates at random velocities, accelerations and multipliers, with the weights of a plausible step size; `given`
/// returns the other symbols. Every symbol has a random number of its own, so that the result does not depend on how
/// a model is written.
fn state(graph: &Graph, roots: &[Id], seed: u64, given: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let between = |key: u64, from, to| Random::new((seed << 32) + key).between(from, to);
    let (h, alpha) = (between(1, 2e-4, 1e-3), between(2, -0.2, 0.0));
    let value = |symbol: Symbol| match symbol {
        Symbol::Integrator(Integrator::Accelerations) => 1.0 / (1.0 + alpha),
        Symbol::Integrator(Integrator::Coordinates) => 0.25 * (1.0 - alpha) * (1.0 - alpha) * h * h,
        Symbol::Integrator(Integrator::Velocities) => (0.5 - alpha) * h,
        Symbol::Integrator(Integrator::Step) => h,
        Symbol::Integrator(Integrator::Previous) => alpha / (1.0 + alpha),
        Symbol::Velocity(i) => between(key(6, i), -1.5, 1.5),
        Symbol::Acceleration(i) => between(key(7, i), -1.5, 1.5),
        Symbol::Multiplier(i) => between(key(8, i), -1.5, 1.5),
        // not in the Newton matrix
        Symbol::Given(..) => 0.0,
        other => given(other),
    };
    let numbers = graph.evaluate_with(roots, value, table(seed));
    // outside of the domain of a root or logarithm, random numbers are used
    let replaced = numbers.into_iter().enumerate();
    replaced.map(|(i, number)| if number.is_finite() { number } else { between(key(20, i), 0.5, 1.0) }).collect()
}

/// Combines a kind of symbol and an index into one number.
fn key(kind: usize, index: usize) -> u64 {
    ((index as u64) << 8) + kind as u64
}

/// Scales rows and columns repeatedly by the square roots of their largest entries (Ruiz).
fn equilibrate(entries: &[(usize, usize, Id)], values: &mut [f64]) {
    // Number of sweeps of the equilibration.
    const EQUILIBRATION_SWEEPS: usize = 6;
    let size = entries.iter().map(|&(row, column, _)| row.max(column) + 1).max().unwrap_or(0);
    for _ in 0..EQUILIBRATION_SWEEPS {
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
