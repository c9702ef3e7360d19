//! Quadratic interpolation.
//!
//! What: the parabola through a point with its slope and another point, J = a alpha^2 + b alpha + c.
//! When: with Newton directions, whose first step is mostly right already.
//! Source: OB 4.3.2.2, (4.26). As printed there a and alpha* have the wrong signs, which cancel in alpha*.
//! Settings: how close to an evaluated step its minimum must be to count as evaluated.

use super::descent::Sample;

/// a = (J_r - J_l - J_l' D)/D^2 with D = alpha_r - alpha_l.
pub(super) fn curvature(left: Sample, slope: f64, right: Sample) -> f64 {
    let width = right.step - left.step;
    (right.cost - left.cost - slope * width) / (width * width)
}

/// alpha* = alpha_l - J_l'/(2 a); `None` if the parabola has no minimum.
pub(super) fn minimum(left: Sample, slope: f64, right: Sample) -> Option<f64> {
    let a = curvature(left, slope, right);
    let minimum = left.step - slope / (2.0 * a);
    (a > 0.0 && minimum.is_finite()).then_some(minimum)
}
