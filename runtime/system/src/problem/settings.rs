//! Settings of a run, and the constants of the scheme that follow from them.

use costate_contract::shown::Exact;
use serde::{Deserialize, Serialize};

use costate_numerics::scalar::out_of_range::{OutOfRange, require};

use super::checkpoints::Checkpoints;
use crate::model::{Description, Weights};
use crate::step::{NewtonSettings, Scheme};

/// Settings of a simulation. Create them with [`Settings::new`] and change the fields that shall differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Step size h in s, and the time between two samples of inputs and outputs. No default: 0, which
    /// [`validate`](Settings::validate) refuses.
    pub step: f64,
    /// The lengths of the steps, constant or adaptive.
    pub steps: Steps,
    /// End time T in s, a whole number of steps. No default either.
    pub end: f64,
    /// The scheme of time integration. The default is generalized alpha with rho_inf = 0.8, of second order
    /// for every model; it damps motion that h cannot resolve (20 % per step in the limit) and hardly affects
    /// slower motion.
    pub scheme: Scheme,
    /// The order of the run in [2, 6]: the power of the step with which the errors of positions and velocities fall.
    /// The default is 2, a run of the scheme alone. A run of order p is the combination of p - 1 of them whose steps
    /// are `step`, half, a fourth .. of it; of p/2, rounded up, for `Scheme::Undamped` without constraints.
    #[serde(skip_serializing_if = "is_second")]
    pub order: u32,
    /// The largest error of a coordinate or output, relative to its range, that `Simulation::run` and the
    /// start of an identification accept, as `Run::accuracy` estimates it; 0.05 by default. With `None`
    /// errors are not checked; they are not checked either in identifications with checkpoints and in runs of
    /// a `Problem`, such as those of studies.
    pub error_limit: Option<f64>,
    /// Settings of the Newton iteration.
    pub newton: NewtonSettings,
    /// Largest amount of memory in bytes that a run may need; by default there is no limit.
    pub memory_limit: Option<u64>,
    /// The choice whether all states that a gradient needs are stored; by default they are.
    pub checkpoints: Checkpoints,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.0,
            steps: Steps::Constant,
            end: 0.0,
            scheme: Scheme::default(),
            order: 2,
            error_limit: Some(0.05),
            newton: NewtonSettings::default(),
            memory_limit: None,
            checkpoints: Checkpoints::Off,
        }
    }
}

/// Returns true for the order that is not written.
fn is_second(order: &u32) -> bool {
    *order == 2
}

/// The lengths of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub enum Steps {
    /// All are [`step`](Settings::step).
    #[default]
    Constant,
    /// Each is `step` over a power of two, such that the error of the step is at most a given one; outputs
    /// are sampled at every `step` as before. The lengths are found with the parameters of the simulation, or
    /// with those at the start of an identification, and kept: the cost stays a smooth function of the
    /// parameters, and gradients are exact for it. Positions, velocities, accelerations and multipliers have
    /// the order of the scheme.
    Adaptive {
        /// The error that one step may leave in the position of a coordinate, relative to the coordinate's range, in
        /// [1e-13, 0.01].
        tolerance: f64,
    },
}

impl Steps {
    /// Returns true if steps are adaptive.
    pub fn is_adaptive(self) -> bool {
        self != Self::Constant
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SettingsError {
    /// A number outside of its range.
    #[error("setting {0}")]
    OutOfRange(OutOfRange),
    /// The end is not a whole number of steps.
    #[error(
        "setting `end` is {end} s, not a whole number of steps of {step} s: the nearest is {nearest} s",
        end = Exact(*end), step = Exact(*step), nearest = Exact(*nearest)
    )]
    NotAMultiple { end: f64, step: f64, nearest: f64 },
    /// A scheme that does not keep its order where the length of steps changes.
    #[error(
        "the scheme {scheme:?} is of first order where the length of steps changes: take `Scheme::GeneralizedAlpha {{ \
         rho_inf }}` for adaptive steps, or constant ones"
    )]
    AdaptiveScheme { scheme: Scheme },
    /// A high order with a scheme, or with steps, of which no runs can be combined.
    #[error("the order {order} needs {needed}: take these, or order 2")]
    OrderNeeds { order: u32, needed: &'static str },
    /// A high order for a computation that goes from one step to the next.
    #[error("{what} takes runs of order 2, and `order` is {order}: set order 2 and a `step` that is short enough")]
    HighOrder { what: &'static str, order: u32 },
    /// A run with adaptive steps whose lengths were not found yet.
    #[error("the lengths of adaptive steps are not known yet: find them with `Problem::with_steps_for` the parameters")]
    StepsUnknown,
    /// Adaptive steps for a computation that needs constant ones.
    #[error(
        "{what} needs constant steps, and `steps` is adaptive: set `Steps::Constant` and a `step` that is short enough"
    )]
    Adaptive { what: &'static str },
    /// A scheme without damping, for a model with constraints.
    #[error(
        "the scheme {scheme:?} has no damping, and `{model}` has constraints: their multipliers and the accelerations \
         would oscillate from step to step with growing amplitude; take `Scheme::GeneralizedAlpha {{ rho_inf }}` with \
         rho_inf < 1 or `Scheme::Hht {{ alpha }}` with alpha < 0, or `Scheme::Undamped` if this is what you want"
    )]
    NoDamping { scheme: Scheme, model: &'static str },
    /// A setting without default is missing.
    #[error(
        "setting `{field}` is missing and has no default: set it in the simulation, as with `.step(h)` and `.until(T)`"
    )]
    Missing { field: &'static str },
}

// the message contains the text of the error, which is not a cause besides
impl From<OutOfRange> for SettingsError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl Settings {
    /// Creates settings with `step` h and `end` T in s; all others have their defaults.
    pub fn new(step: f64, end: f64) -> Self {
        Self { step, end, ..Self::default() }
    }

    /// Sets another step size and another end, both in s.
    #[must_use]
    #[doc(hidden)]
    pub fn with_step_and_end(self, step: f64, end: f64) -> Self {
        Self { step, end, ..self }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`SettingsError`] with the field, its value and its limit.
    pub fn validate(&self) -> Result<(), SettingsError> {
        /// The least tolerance of adaptive steps: the rounding of positions is hundreds of times 2.2e-16 of their
        /// ranges.
        const MIN_ADAPTIVE_TOLERANCE: f64 = 1e-13;
        /// Allowed distance, in steps, of the end from a whole number of steps: more than the rounding of
        /// `end / step`.
        const STEP_COUNT_ROUNDING: f64 = 1e-9;
        let positive = |value: f64| value > 0.0 && value.is_finite();
        require("step", self.step, positive(self.step), "positive and finite (s)")?;
        require("end", self.end, positive(self.end), "positive and finite (s)")?;
        if let Some((field, value, limit)) = self.scheme.out_of_range() {
            return Err(OutOfRange { field, value, limit }.into());
        }
        if let Some(limit) = self.error_limit {
            require("error_limit", limit, positive(limit), "positive and finite, or `None`")?;
        }
        if let Steps::Adaptive { tolerance } = self.steps {
            let limits = (MIN_ADAPTIVE_TOLERANCE..=0.01).contains(&tolerance);
            require("steps.tolerance", tolerance, limits, "in [1e-13, 0.01]: below are the roundings of a step")?;
            if matches!(self.scheme, Scheme::Hht { .. }) {
                return Err(SettingsError::AdaptiveScheme { scheme: self.scheme });
            }
        }
        require("order", f64::from(self.order), (2..=6).contains(&self.order), "2, 3, 4, 5 or 6")?;
        if self.order > 2 {
            let needed = match (self.steps, self.scheme) {
                (Steps::Adaptive { .. }, _) => Some("constant steps"),
                (_, Scheme::Hht { .. }) => Some("the scheme of generalized alpha, or the undamped one"),
                _ => None,
            };
            if let Some(needed) = needed {
                return Err(SettingsError::OrderNeeds { order: self.order, needed });
            }
        }
        let tolerance = self.newton.tolerance;
        require("newton.tolerance", tolerance, tolerance > 0.0 && tolerance <= 1e-3, "in (0, 1e-3]")?;
        let iterations = self.newton.maximum_iterations;
        require("newton.maximum_iterations", iterations as f64, iterations >= 2, "at least 2")?;
        let count = (self.end / self.step).round();
        require("end", self.end, count < 2f64.powi(53), "fewer than 2^53 steps")?;
        let tolerance = STEP_COUNT_ROUNDING.max(4.0 * f64::EPSILON * count);
        if count < 1.0 || (self.end / self.step - count).abs() > tolerance {
            // Fifteen digits: 0.9999 and not 0.9998999999999999.
            let nearest = count.max(1.0) * self.step;
            let nearest = format!("{nearest:.14e}").parse().unwrap_or(nearest);
            return Err(SettingsError::NotAMultiple { end: self.end, step: self.step, nearest });
        }
        Ok(())
    }

    /// Checks every field, and whether the model can be run with them.
    ///
    /// # Errors
    /// [`SettingsError`] as [`validate`](Self::validate); [`SettingsError::NoDamping`] for a model with constraints.
    #[doc(hidden)]
    pub fn validate_for(&self, model: &Description) -> Result<(), SettingsError> {
        self.validate()?;
        let has_constraints = !model.constraints.is_empty();
        if has_constraints && !self.scheme.is_damped() && self.scheme != Scheme::Undamped {
            return Err(SettingsError::NoDamping { scheme: self.scheme, model: model.name });
        }
        Ok(())
    }

    /// Returns the number of steps N = T/h, where steps are constant; for adaptive steps, that of sampling
    /// intervals.
    pub fn steps(&self) -> usize {
        (self.end / self.step).round() as usize
    }

    /// Returns the weights of a step.
    pub fn weights(&self) -> Weights {
        self.scheme.weights(self.step)
    }

    /// Returns the weights of the first step.
    #[doc(hidden)]
    pub fn start_weights(&self) -> Weights {
        self.scheme.start_weights(self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_settings_pass_and_count_steps() {
        let settings = Settings::new(1e-4, 1.0);
        assert_eq!(settings.validate(), Ok(()));
        assert_eq!(settings.steps(), 10_000);
        assert_eq!(Settings::new(5e-5, 8.4).validate(), Ok(()));
        assert_eq!(Settings::new(0.1, 0.3).steps(), 3);
    }

    #[test]
    fn every_field_is_checked_by_name() {
        let field = |settings: Settings| match settings.validate() {
            Err(SettingsError::OutOfRange(OutOfRange { field, .. })) => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(Settings::new(0.0, 1.0)), "step");
        assert_eq!(field(Settings::new(f64::NAN, 1.0)), "step");
        assert_eq!(field(Settings::new(0.1, f64::INFINITY)), "end");
        let hht = |alpha: f64| Settings { scheme: Scheme::Hht { alpha }, ..Settings::new(0.1, 1.0) };
        assert_eq!(field(hht(-0.34)), "alpha");
        assert_eq!(field(hht(0.01)), "alpha");
        let newton = NewtonSettings { tolerance: 0.0, ..NewtonSettings::default() };
        assert_eq!(field(Settings { newton, ..Settings::new(0.1, 1.0) }), "newton.tolerance");
    }

    #[test]
    fn an_end_between_steps_names_the_nearest() {
        let error = Settings::new(0.1, 1.04).validate().unwrap_err();
        assert_eq!(error, SettingsError::NotAMultiple { end: 1.04, step: 0.1, nearest: 1.0 });
        let error = Settings::new(0.1, 0.01).validate().unwrap_err();
        assert_eq!(error, SettingsError::NotAMultiple { end: 0.01, step: 0.1, nearest: 0.1 });
    }

    #[test]
    fn settings_survive_serialization() {
        let (scheme, checkpoints) = (Scheme::Hht { alpha: -0.05 }, Checkpoints::Within(1 << 30));
        let settings = Settings { scheme, checkpoints, ..Settings::new(1e-4, 1.0) };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{\"step\":0.1,\"end\":1.0}").unwrap(), Settings::new(0.1, 1.0));
    }
}
