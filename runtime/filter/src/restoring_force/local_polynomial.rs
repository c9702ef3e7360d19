//! Local quadratic regression in two variables by weighted least squares (KE 2.97 to 2.103).

use nalgebra::{SMatrix, SVector};

/// A fused point: z, v, f and the variance of f, all in scaled units.
#[derive(Debug, Clone, Copy)]
pub(super) struct FusedPoint {
    pub z: f64,
    pub v: f64,
    pub f: f64,
    pub variance: f64,
}

fn terms(z: f64, v: f64) -> SVector<f64, 6> {
    SVector::from([1.0, z, v, z * v, z * z, v * v])
}

/// Value and variance at (z, v) of the quadratic polynomial through points nearby; of fewer terms where there are too
/// few points, and nothing where they do not determine even a plane.
pub(super) fn regression(points: &[&FusedPoint], z: f64, v: f64) -> Option<(f64, f64)> {
    // Around the node: its value is the first coefficient.
    let wanted = match points.len() {
        0..=3 => return None,
        4..=7 => 3,
        _ => 6,
    };
    solve(points, z, v, wanted).or_else(|| (wanted > 3).then(|| solve(points, z, v, 3)).flatten())
}

fn solve(points: &[&FusedPoint], z: f64, v: f64, wanted: usize) -> Option<(f64, f64)> {
    let mut normal = SMatrix::<f64, 6, 6>::identity();
    normal.view_mut((0, 0), (wanted, wanted)).fill(0.0);
    let mut right = SVector::<f64, 6>::zeros();
    for point in points {
        let h = terms(point.z - z, point.v - v);
        let weight = 1.0 / point.variance;
        for i in 0..wanted {
            for j in 0..wanted {
                normal[(i, j)] += weight * h[i] * h[j];
            }
            right[i] += weight * h[i] * point.f;
        }
    }
    // Scaled to a unit diagonal, so that the conditioning shows.
    let scale = normal.diagonal().map(|entry| if entry > 0.0 { 1.0 / entry.sqrt() } else { 0.0 });
    let scaled = SMatrix::<f64, 6, 6>::from_fn(|i, j| normal[(i, j)] * scale[i] * scale[j]);
    let factor = scaled.cholesky()?;
    if factor.l_dirty().diagonal().iter().take(wanted).any(|pivot| pivot.powi(2) < 1e-4) {
        return None;
    }
    let solution = factor.solve(&right.component_mul(&scale));
    let unit = SVector::<f64, 6>::from_fn(|i, _| if i == 0 { scale[0] } else { 0.0 });
    let variance = factor.solve(&unit)[0] * scale[0];
    Some((solution[0] * scale[0], variance))
}
