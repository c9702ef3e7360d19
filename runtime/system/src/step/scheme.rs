//! The schemes of time integration, and their coefficients.

use serde::{Deserialize, Serialize};

use crate::model::Weights;

/// The scheme by which a step leads from one state to the next one.
///
/// All schemes are implicit and use Newmark's formulas with an *auxiliary acceleration* s,
///
/// ```text
/// q_i = q_{i-1} + h v_{i-1} + h^2/2 [(1 - 2 beta) s_{i-1} + 2 beta s_i]
/// v_i = v_{i-1} + h [(1 - gamma) s_{i-1} + gamma s_i]
/// ```
///
/// and differ in what s is and in when the equations of motion hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Scheme {
    /// Generalized alpha in the form of Arnold and Bruels (2007): the equations of motion and the constraints
    /// hold at the end of every step, and (1 - alpha_m) s_i + alpha_m s_{i-1} = (1 - alpha_f) a_i + alpha_f
    /// a_{i-1}. Of second order in q, v, a and lambda, also where the mass matrix depends on the positions,
    /// from the first step on and after every change of the step size: there a step begins again, with
    /// velocities displaced along the constraints to where those of later steps stay.
    GeneralizedAlpha {
        /// Factor per step of the amplitude of motion that h cannot resolve, in [0, 1]: 0 damps it at once, 1
        /// not at all, and errors grow with the damping.
        rho_inf: f64,
    },
    /// HHT, DA (12) to (15): s is the acceleration itself, and the forces are weighted between the ends of a step.
    /// Positions and velocities are of second order where the mass matrix is constant; where it depends on the
    /// positions they are of first order, since DA (13) takes M a at the end of a step and weights all other forces
    /// between its ends, and accelerations, those at t + alpha h, are of first order everywhere.
    Hht {
        /// alpha in [-1/3, 0]: -1/3 damps most, 0 not at all. With -0.1, motion that h cannot resolve loses
        /// 18 % per step in the limit.
        alpha: f64,
    },
    /// The trapezoidal rule, HHT with alpha = 0: of second order and without any damping. Constraints need
    /// damping: without it, rounding makes their multipliers and the accelerations oscillate from step to
    /// step, more and more. Generalized alpha with rho_inf = 1 and HHT with alpha = 0 are therefore refused
    /// for models with constraints; `Undamped` is not.
    Undamped,
}

/// The four coefficients from which the weights of a step follow.
struct Numbers {
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
}

impl Default for Scheme {
    /// Returns generalized alpha with rho_inf = 0.8, which damps motion that h cannot resolve by 20 % per
    /// step.
    fn default() -> Self {
        Self::GeneralizedAlpha { rho_inf: 0.8 }
    }
}

impl Scheme {
    /// Returns true if motion that h cannot resolve is damped.
    pub fn is_damped(self) -> bool {
        match self {
            Self::GeneralizedAlpha { rho_inf } => rho_inf < 1.0,
            Self::Hht { alpha } => alpha < 0.0,
            Self::Undamped => false,
        }
    }

    /// Returns the name, value and limits of a coefficient outside of its range, if there is one.
    pub(crate) fn out_of_range(self) -> Option<(&'static str, f64, &'static str)> {
        match self {
            Self::GeneralizedAlpha { rho_inf } if !(0.0..=1.0).contains(&rho_inf) => {
                Some(("rho_inf", rho_inf, "in [0, 1]"))
            }
            Self::Hht { alpha } if !(-1.0 / 3.0..=0.0).contains(&alpha) => Some(("alpha", alpha, "in [-1/3, 0]")),
            _ => None,
        }
    }

    /// Returns beta of Newmark's formulas, DA (12).
    pub fn beta(self) -> f64 {
        self.numbers().beta
    }

    /// Returns gamma of Newmark's formulas, DA (12).
    pub fn gamma(self) -> f64 {
        self.numbers().gamma
    }

    /// Returns true if the auxiliary acceleration is a quantity of its own, and not the acceleration itself.
    #[doc(hidden)]
    pub fn has_auxiliary(self) -> bool {
        matches!(self, Self::GeneralizedAlpha { .. })
    }

    /// Returns the factors C_q and C_v of the local errors of Newmark's formulas, C_q h^3 a' of the positions
    /// and C_v h^3 a'' of the velocities; for HHT where masses are constant.
    #[doc(hidden)]
    pub fn truncation(self) -> [f64; 2] {
        let Numbers { alpha_m, alpha_f, beta, gamma } = self.numbers();
        // s(t) = a + shift h a' + bend h^2 a''
        let (shift, bend) = match self {
            Self::GeneralizedAlpha { .. } => {
                let shift = alpha_m - alpha_f;
                (shift, 0.5 * (1.0 - alpha_f) - (1.0 - alpha_m) * (0.5 + shift))
            }
            Self::Hht { alpha } => (alpha, -0.5 * alpha),
            Self::Undamped => (0.0, 0.0),
        };
        [1.0 / 6.0 - 0.5 * shift - beta, 1.0 / 6.0 - (bend + 0.5 * gamma + gamma * shift)]
    }

    fn numbers(self) -> Numbers {
        match self {
            Self::GeneralizedAlpha { rho_inf } => {
                let (alpha_m, alpha_f) = ((2.0 * rho_inf - 1.0) / (rho_inf + 1.0), rho_inf / (rho_inf + 1.0));
                let delay = alpha_f - alpha_m;
                Numbers { alpha_m, alpha_f, beta: 0.25 * (1.0 + delay).powi(2), gamma: 0.5 + delay }
            }
            Self::Hht { alpha } => Numbers {
                alpha_m: 0.0,
                alpha_f: 0.0,
                beta: (1.0 - alpha).powi(2) / 4.0,
                gamma: (1.0 - 2.0 * alpha) / 2.0,
            },
            Self::Undamped => Self::Hht { alpha: 0.0 }.numbers(),
        }
    }

    /// Returns the weights of a step of length h that begins again: the first one of a run, or the first one
    /// of another length.
    ///
    /// The auxiliary acceleration is put on a straight line through the accelerations at the ends of the
    /// step: s = (1 + d) a_{i-1} - d a_i at the beginning and (1 - d) a_i + d a_{i-1} at the end, where s is
    /// the acceleration at a time that is earlier by d h. Newmark's formulas become
    ///
    /// ```text
    /// q_i = q_{i-1} + h (v_{i-1} + h s_{i-1}) + h^2/4 [(1 - d^2) a_{i-1} + (1 + d^2) a_i]
    /// v_i = v_{i-1} + h s_{i-1} + h/2 (a_{i-1} + a_i)
    /// ```
    ///
    /// No force is evaluated ahead, and nothing before the beginning counts. The quantity in the place of s
    /// at the beginning displaces the velocities along the constraints by h s = C_q h^2 a', to where those of
    /// later steps stay.
    #[doc(hidden)]
    pub fn start_weights(self, h: f64) -> Weights {
        let Self::GeneralizedAlpha { .. } = self else { return self.weights(h) };
        let Numbers { alpha_m, alpha_f, .. } = self.numbers();
        let delay = alpha_f - alpha_m;
        let q_of_new = 0.25 * (1.0 + delay * delay);
        Weights {
            accelerations: 1.0,
            coordinates: q_of_new * h * h,
            velocities: 0.5 * h,
            step: h,
            previous: 0.0,
            coordinates_of_auxiliary: h * h,
            coordinates_of_acceleration: (0.5 - q_of_new) * h * h,
            velocities_of_auxiliary: h,
            velocities_of_acceleration: 0.5 * h,
            auxiliary_of_new: 1.0 - delay,
            auxiliary_of_acceleration: delay,
            auxiliary_of_auxiliary: 0.0,
            displacement: self.truncation()[0] * h,
            ..Weights::default()
        }
        .with_carried()
    }

    /// Returns the weights of a step of length h.
    #[doc(hidden)]
    pub fn weights(self, h: f64) -> Weights {
        let Numbers { alpha_m, alpha_f, beta, gamma } = self.numbers();
        let alpha = if let Self::Hht { alpha } = self { alpha } else { 0.0 };
        // s_i from a_i, a_{i-1} and s_{i-1}
        let new = (1.0 - alpha_f) / (1.0 - alpha_m);
        let (of_acceleration, of_auxiliary) = (alpha_f / (1.0 - alpha_m), -alpha_m / (1.0 - alpha_m));
        let (q_of_s, v_of_s) = (beta * h * h, gamma * h);
        Weights {
            accelerations: 1.0 / (1.0 + alpha),
            coordinates: q_of_s * new,
            velocities: v_of_s * new,
            step: h,
            previous: alpha / (1.0 + alpha),
            coordinates_of_auxiliary: h * h * (0.5 - beta) + q_of_s * of_auxiliary,
            coordinates_of_acceleration: q_of_s * of_acceleration,
            velocities_of_auxiliary: h * (1.0 - gamma) + v_of_s * of_auxiliary,
            velocities_of_acceleration: v_of_s * of_acceleration,
            auxiliary_of_new: new,
            auxiliary_of_acceleration: of_acceleration,
            auxiliary_of_auxiliary: of_auxiliary,
            ..Weights::default()
        }
        .with_carried()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_hht_are_those_of_the_publication() {
        let (h, alpha) = (0.1, -0.2);
        let weights = Scheme::Hht { alpha }.weights(h);
        assert_eq!(weights.accelerations, 1.25);
        assert!((weights.coordinates - 0.36 * h * h).abs() < 1e-17);
        assert!((weights.velocities - 0.7 * h).abs() < 1e-16);
        assert_eq!(weights.previous, -0.25);
        assert_eq!([weights.auxiliary_of_new, weights.auxiliary_of_auxiliary], [1.0, 0.0]);
        // DA (18): of the adjoint variables of the step after
        assert!((weights.carried_coordinates - (0.5 * h * h + h * weights.velocities)).abs() < 1e-17);
        assert!((weights.carried_velocities - h).abs() < 1e-16);
        assert_eq!(weights.carried_auxiliaries, 0.0);
    }

    #[test]
    fn a_motion_of_second_degree_is_a_solution_of_every_scheme() {
        // with q = t^2/2 all accelerations are 1
        for scheme in [0.0, 0.3, 0.8, 1.0].map(|rho_inf| Scheme::GeneralizedAlpha { rho_inf }) {
            let Weights { step: h, coordinates, velocities, .. } = scheme.weights(0.1);
            let weights = scheme.weights(0.1);
            let q = weights.coordinates_of_auxiliary + weights.coordinates_of_acceleration + coordinates;
            let v = weights.velocities_of_auxiliary + weights.velocities_of_acceleration + velocities;
            let s = weights.auxiliary_of_new + weights.auxiliary_of_acceleration + weights.auxiliary_of_auxiliary;
            assert!((q - 0.5 * h * h).abs() < 1e-16, "{scheme:?}");
            assert!((v - h).abs() < 1e-16, "{scheme:?}");
            assert!((s - 1.0).abs() < 1e-15, "{scheme:?}");
        }
    }

    #[test]
    fn a_beginning_has_the_error_of_the_steps_behind_it() {
        // q = t^3/6: what the formulas for q leave is C_q h^3, and h s displaces velocities by as much
        for scheme in [0.0, 0.3, 0.8, 1.0].map(|rho_inf| Scheme::GeneralizedAlpha { rho_inf }) {
            let (h, [of_q, _]) = (0.1, scheme.truncation());
            let start = scheme.start_weights(h);
            assert!((h * h * h / 6.0 - start.coordinates * h - of_q * h * h * h).abs() < 1e-17, "{scheme:?}");
            assert!((start.coordinates_of_auxiliary * start.displacement - of_q * h * h * h).abs() < 1e-17);
            // s at its end is the acceleration at the time for which later steps take it
            let weights = scheme.weights(h);
            let shift = start.auxiliary_of_new - 1.0;
            let s = [h * (1.0 + shift), h * (2.0 + shift)];
            let later = weights.auxiliary_of_new * 2.0 * h
                + weights.auxiliary_of_acceleration * h
                + weights.auxiliary_of_auxiliary * s[0];
            assert!((later - s[1]).abs() < 1e-16, "{scheme:?}");
        }
        let hht = Scheme::Hht { alpha: -0.1 };
        assert_eq!(hht.start_weights(0.1), hht.weights(0.1));
    }

    #[test]
    fn numbers_outside_of_their_range_are_named() {
        assert_eq!(Scheme::Hht { alpha: 0.1 }.out_of_range(), Some(("alpha", 0.1, "in [-1/3, 0]")));
        let scheme = Scheme::GeneralizedAlpha { rho_inf: f64::NAN };
        assert_eq!(scheme.out_of_range().map(|found| found.0), Some("rho_inf"));
        assert_eq!(Scheme::GeneralizedAlpha { rho_inf: 0.0 }.out_of_range(), None);
    }
}
