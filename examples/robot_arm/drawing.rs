//! Drawings of a body that are wrong.

use nalgebra::{Matrix3, Vector3};
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

/// Rows and columns of an inertia in the order of its parameters.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Returns the second moments about the centre of mass of a body, whose mass, xx, yy, zz, xy, xz, yz come first.
fn second_moments(body: &[f64]) -> Matrix3<f64> {
    let mut inertia = Matrix3::zeros();
    for ((row, column), value) in ENTRIES.into_iter().zip(&body[1..]) {
        (inertia[(row, column)], inertia[(column, row)]) = (*value, *value);
    }
    Matrix3::identity() * (0.5 * inertia.trace()) - inertia
}

/// Returns true if a body has a positive mass and positive definite second moments.
pub fn is_possible(body: &[f64]) -> bool {
    body[0] > 0.0 && second_moments(body).symmetric_eigenvalues().min() > 0.0
}

/// Returns another body: its mass, the lengths along its axes and its centre, relative to the radius of gyration, are
/// off by this deviation.
pub fn drawn(body: &[f64], deviation: f64, random: &mut SmallRng) -> Vec<f64> {
    let mut off = || deviation * Distribution::<f64>::sample(&StandardNormal, random);
    let second = second_moments(body);
    let radius = (second.trace() / body[0]).sqrt();
    let scale = off().exp();
    let axes = Matrix3::from_diagonal(&Vector3::from_fn(|_, _| off().exp()));
    let moved = axes * second * axes * scale;
    let inertia = Matrix3::identity() * moved.trace() - moved;
    let centre = body[7..].iter().map(|c| c + radius * off());
    [body[0] * scale].into_iter().chain(ENTRIES.map(|entry| inertia[entry])).chain(centre).collect()
}
