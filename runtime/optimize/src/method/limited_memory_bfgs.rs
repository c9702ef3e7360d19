//! Limited-memory BFGS.
//!
//! What: the product of BFGS's inverse Hessian with the gradient, from the latest steps alone.
//! When: hundreds of parameters and more; memory and time per iteration grow with their number only.
//! Source: Nocedal, Wright, Numerical Optimization, 2nd ed., algorithm 7.4 (two loops), 7.5, and (7.20) for H_0.
//! Settings: the number of steps that are remembered.

use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use super::super::split::Split;

/// A step s and the change y of the gradient along it, y^T s > 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Pair {
    pub s: Vec<f64>,
    pub y: Vec<f64>,
}

/// The two loops over the components of the moving variables F; pairs that show no curvature there are left out.
/// While the held variables stay where they are, that is BFGS of the moving ones alone.
pub(in super::super) fn step(pairs: &[Pair], gradient: &[f64], split: &Split) -> Option<Vec<f64>> {
    let moving = |all: &[f64]| DVector::from_iterator(split.moving.len(), split.moving.iter().map(|&k| all[k]));
    let reduced = |pair: &Pair| {
        let (s, y) = (moving(&pair.s), moving(&pair.y));
        let curvature = y.dot(&s);
        (curvature > f64::EPSILON * s.norm() * y.norm()).then_some((s, y, curvature))
    };
    let pairs: Vec<_> = pairs.iter().filter_map(reduced).collect();
    let (_, y, curvature) = pairs.last()?;
    let initial = curvature / y.norm_squared();
    let mut direction = -moving(gradient);
    let mut factors = Vec::with_capacity(pairs.len());
    for (s, y, curvature) in pairs.iter().rev() {
        let factor = s.dot(&direction) / curvature;
        direction.axpy(-factor, y, 1.0);
        factors.push(factor);
    }
    direction *= initial;
    for ((s, y, curvature), factor) in pairs.iter().zip(factors.iter().rev()) {
        let correction = factor - y.dot(&direction) / curvature;
        direction.axpy(correction, s, 1.0);
    }
    direction.iter().all(|d| d.is_finite()).then(|| direction.as_slice().to_vec())
}

/// Adds a pair, in place of the oldest one if `memory` is full.
pub(in super::super) fn remember(pairs: &mut Vec<Pair>, memory: usize, s: &DVector<f64>, y: &DVector<f64>) {
    if pairs.len() >= memory {
        pairs.remove(0);
    }
    pairs.push(Pair { s: s.as_slice().to_vec(), y: y.as_slice().to_vec() });
}
