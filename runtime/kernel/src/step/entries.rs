//! The operations of a step on single entries of the state: Newmark's formulas, the start of Newton's
//! iteration, and corrections.

use super::entrywise::Operation;
use costate_numerics::scalar::Scalar;
use costate_system::model::Weights;

/// Extrapolates one number from the last three steps to the start of the next one.
#[derive(Clone, Copy)]
pub(super) struct Extrapolate {
    /// 1 for a straight line through the last two, 0 for the last one.
    pub line: f64,
    /// 1 for a parabola through three.
    pub parabola: f64,
}

impl Operation<0, 3> for Extrapolate {
    #[inline(always)]
    fn at<S: Scalar>(&self, []: [S; 0], [now, before, earlier]: [S; 3]) -> [S; 3] {
        let slope = now - before;
        let bend = slope - (before - earlier);
        [now + (slope * self.line + bend * self.parabola), now, before]
    }
}

/// Predicts the state that Newton's iteration starts from, (q, v, a, the last two a, s of the step before,
/// q*, v*), from (q, v, a), the accelerations of the two steps before and the auxiliary acceleration of the
/// last step: q* and v* are Newmark's formulas without a_i.
pub(super) struct Predict<'w> {
    pub weights: &'w Weights,
    /// 1 where s is already that of the step before, at the start of a run; 0 where s is one step older.
    pub starts: f64,
    pub accelerations: Extrapolate,
}

impl Operation<0, 8> for Predict<'_> {
    #[inline(always)]
    fn at<S: Scalar>(&self, []: [S; 0], [q, v, a, before, earlier, s, ..]: [S; 8]) -> [S; 8] {
        let (w, h, goes_on) = (self.weights, self.weights.step, 1.0 - self.starts);
        let s = s * (w.auxiliary_of_auxiliary * goes_on + self.starts)
            + (a * (w.auxiliary_of_new * goes_on) + before * (w.auxiliary_of_acceleration * goes_on));
        let of_before = s * w.coordinates_of_auxiliary + a * w.coordinates_of_acceleration;
        let q_star = q + (v * h + of_before);
        let v_star = v + (s * w.velocities_of_auxiliary + a * w.velocities_of_acceleration);
        let [a, before, earlier] = self.accelerations.at([], [a, before, earlier]);
        [q_star + a * w.coordinates, v_star + a * w.velocities, a, before, earlier, s, q_star, v_star]
    }
}

/// Computes s_i from a_i and a_{i-1}.
pub(super) struct Follow<'w>(pub &'w Weights);

impl Operation<2, 1> for Follow<'_> {
    #[inline(always)]
    fn at<S: Scalar>(&self, [a, before]: [S; 2], [s]: [S; 1]) -> [S; 1] {
        let w = self.0;
        [s * w.auxiliary_of_auxiliary + (a * w.auxiliary_of_new + before * w.auxiliary_of_acceleration)]
    }
}

/// Computes q and v from q*, v* and a.
pub(super) struct Integrate<'w>(pub &'w Weights);

impl Operation<3, 2> for Integrate<'_> {
    #[inline(always)]
    fn at<S: Scalar>(&self, [q_star, v_star, a]: [S; 3], _: [S; 2]) -> [S; 2] {
        [q_star + a * self.0.coordinates, v_star + a * self.0.velocities]
    }
}

/// Computes a, q and v from a correction of a and from q* and v*.
pub(super) struct Correct<'w>(pub &'w Weights);

impl Operation<3, 3> for Correct<'_> {
    #[inline(always)]
    fn at<S: Scalar>(&self, [correction, q_star, v_star]: [S; 3], [a, ..]: [S; 3]) -> [S; 3] {
        let a = a + correction;
        let [q, v] = Integrate(self.0).at([q_star, v_star, a], [a; 2]);
        [a, q, v]
    }
}

/// Adds the given number.
pub(super) struct Increase;

impl Operation<1, 1> for Increase {
    #[inline(always)]
    fn at<S: Scalar>(&self, [increment]: [S; 1], [value]: [S; 1]) -> [S; 1] {
        [value + increment]
    }
}

/// Scales G_{i-1} and subtracts the product of the given mass and acceleration.
pub(super) struct Remember {
    pub ratio: f64,
}

impl Operation<2, 1> for Remember {
    #[inline(always)]
    fn at<S: Scalar>(&self, [mass, a]: [S; 2], [history]: [S; 1]) -> [S; 1] {
        [history * self.ratio - mass * a]
    }
}
