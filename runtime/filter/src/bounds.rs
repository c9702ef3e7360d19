//! Inequality constraints between a lower and an upper bound for each state (KE 2.53).

use costate_system::state_space::FilterError;

/// Bounds of the states; infinite for a state without a bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// States with a bound.
    bounded: Vec<usize>,
}

impl Bounds {
    /// Creates bounds that restrict none of `states` states.
    pub fn none(states: usize) -> Self {
        Self { lower: vec![f64::NEG_INFINITY; states], upper: vec![f64::INFINITY; states], bounded: Vec::new() }
    }

    /// Creates lower and upper bounds of all states (KE 2.55).
    ///
    /// # Errors
    /// [`FilterError::Length`] and [`FilterError::Bounds`].
    pub fn new(lower: Vec<f64>, upper: Vec<f64>) -> Result<Self, FilterError> {
        costate_system::state_space::check_size("upper bounds", upper.len(), lower.len())?;
        for (k, (&lower, &upper)) in lower.iter().zip(&upper).enumerate() {
            if lower.is_nan() || upper.is_nan() || lower >= upper {
                return Err(FilterError::Bounds { state: format!("x[{}]", k + 1), lower, upper });
            }
        }
        let bounded = (0..lower.len()).filter(|&k| lower[k] > f64::NEG_INFINITY || upper[k] < f64::INFINITY).collect();
        Ok(Self { lower, upper, bounded })
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.lower.len()
    }

    /// Returns the states that have a bound.
    pub fn bounded(&self) -> &[usize] {
        &self.bounded
    }

    /// Checks whether the state `k` may be `x`; a state that does not exist has no bounds.
    pub fn contain(&self, k: usize, x: f64) -> bool {
        let bounds = self.lower.get(k).zip(self.upper.get(k));
        bounds.is_none_or(|(lower, upper)| x >= *lower && x <= *upper)
    }

    /// Moves states outside of their bounds to the bounds (KE 2.53).
    pub fn clamp(&self, x: &mut [f64]) {
        for &k in &self.bounded {
            if let Some(x) = x.get_mut(k) {
                *x = x.clamp(self.lower[k], self.upper[k]);
            }
        }
    }
}
