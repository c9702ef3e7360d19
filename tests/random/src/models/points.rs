//! Points at which models are evaluated.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::models::evaluate::Numbers;
use crate::models::flat::{Flat, Quantity};
use crate::models::tree::Table;

/// A random state: parameters around their defaults, everything else between -1 and 1 in SI units.
pub fn point(flat: &Flat, seed: u64) -> Numbers<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut any = |count: usize| -> Vec<f64> { (0..count).map(|_| random.random_range(-1.0..1.0)).collect() };
    let (n, m) = (flat.coordinates.len(), flat.constraints.len());
    let (coordinates, velocities, accelerations) = (any(n), any(n), any(n));
    let multipliers = any(m);
    let inputs = any(flat.inputs.len());
    let changes = any(flat.parameters.len());
    let parameter = |(quantity, change): (&Quantity, f64)| {
        quantity.default.unwrap_or(1.0 / quantity.unit.scale) * (1.0 + 0.2 * change)
    };
    Numbers {
        time: any(1)[0],
        coordinates,
        velocities,
        accelerations,
        multipliers,
        parameters: flat.parameters.iter().zip(changes).map(parameter).collect(),
        inputs: flat.inputs.iter().zip(inputs).map(|(input, value)| value / input.unit.scale).collect(),
    }
}

/// A polynomial that is cubic in each argument, in place of a table: its derivative of these orders, in the table's
/// units.
pub fn cubic(table: &Table, position: usize, orders: [usize; 2], x: [f64; 2]) -> f64 {
    const COEFFICIENTS: [[f64; 4]; 2] = [[0.4, 0.7, -0.3, 0.05], [0.9, -0.2, 0.15, 0.03]];
    let factor = |i: usize| {
        let Some((_, unit)) = table.arguments.get(i) else { return 1.0 };
        let (order, x) = (orders[i], x[i] * unit.scale);
        let term = |n: usize| {
            let falling: f64 = (0..order).map(|k| n as f64 - k as f64).product();
            falling * COEFFICIENTS[(i + position) % 2][n] * x.powi(n.saturating_sub(order) as i32)
        };
        unit.scale.powi(order as i32) * (order..4).map(term).sum::<f64>()
    };
    factor(0) * factor(1) / table.unit.scale
}
