//! Cubic interpolation.
//!
//! What: the cubic through a point with its slope and two other points, the second from the parabola's minimum.
//! When: as the quadratic interpolation, for costs that are less alike to a parabola.
//! Source: OB 4.3.2.2, figure 4.10; Nocedal, Wright, Numerical Optimization, 2nd ed., section 3.5.
//! Settings: as the quadratic interpolation.

use super::descent::Sample;
use super::quadratic;

/// The minimum of J_l + J_l' t + b t^2 + c t^3 with t = alpha - alpha_l; `None` if there is none.
///
/// The coefficient a of the parabola through each of the other points is b + c t there.
pub(super) fn minimum(left: Sample, slope: f64, others: [Sample; 2]) -> Option<f64> {
    let [one, two] = others;
    let a = others.map(|other| quadratic::curvature(left, slope, other));
    let c = (a[0] - a[1]) / (one.step - two.step);
    let b = a[0] - c * (one.step - left.step);
    // The root of 3 c t^2 + 2 b t + J_l' = 0 with the positive second derivative.
    let minimum = left.step - slope / (b + (b * b - 3.0 * c * slope).sqrt());
    (minimum.is_finite() && minimum > left.step).then_some(minimum)
}
