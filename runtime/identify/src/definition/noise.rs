//! Correlated errors of a channel.

use costate_cost::residuals::{Autoregression, AutoregressionOrder, EQUIDISTANCE, NoiseError, Sampling};
use serde::{Deserialize, Serialize};

use costate_numerics::scalar::Scalar;

use super::weighting::{NEAR_CHANGE, SETTLED_CHANGE};

/// Noise of a channel that is not white: a given [`Autoregression`], in the output's unit, or the order of one that
/// is estimated from the residuals.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ColouredNoise {
    /// Known noise.
    Given(Autoregression),
    /// Noise that is estimated from the residuals after every minimisation, until it settles. The first minimisation
    /// takes the noise as white.
    Estimated(AutoregressionOrder),
}

impl From<Autoregression> for ColouredNoise {
    fn from(noise: Autoregression) -> Self {
        Self::Given(noise)
    }
}

impl From<AutoregressionOrder> for ColouredNoise {
    fn from(order: AutoregressionOrder) -> Self {
        Self::Estimated(order)
    }
}

/// The coloured noise of a channel at its samples.
#[derive(Debug, Clone)]
pub(crate) struct ChannelNoise {
    sampling: Sampling,
    wanted: ColouredNoise,
    /// Noise by which residuals are whitened; `None` if it is not yet estimated.
    pub model: Option<Autoregression>,
}

impl ChannelNoise {
    /// Creates the noise of a channel with samples at these times in s.
    pub fn new(wanted: ColouredNoise, times: &[f64]) -> Result<Self, NoiseError> {
        let sampling = Sampling::of_times(times, EQUIDISTANCE)?;
        let model = match &wanted {
            ColouredNoise::Given(noise) => {
                // refuses other sampling intervals
                noise.log_determinant(&sampling)?;
                Some(noise.clone())
            }
            ColouredNoise::Estimated(_) => None,
        };
        Ok(Self { sampling, wanted, model })
    }

    /// Returns true if the noise is estimated from the residuals.
    pub fn is_estimated(&self) -> bool {
        matches!(self.wanted, ColouredNoise::Estimated(_))
    }

    /// Returns the given noise, or estimates that of these residuals; the order of a previous estimate is kept.
    pub fn of_residuals(&self, residuals: &[f64]) -> Result<Autoregression, NoiseError> {
        match (&self.wanted, &self.model) {
            (ColouredNoise::Given(noise), _) => Ok(noise.clone()),
            (ColouredNoise::Estimated(order), before) => {
                let order = before.as_ref().map_or(*order, |noise| AutoregressionOrder::Given(noise.order()));
                Autoregression::estimate(&[(&self.sampling, residuals)], order)
            }
        }
    }

    /// Whitens residuals and their derivatives; leaves them unchanged if the noise is not known yet.
    pub fn whiten<S: Scalar>(&self, residuals: &mut [S]) {
        let Some(noise) = &self.model else { return };
        let mut component_values = vec![0.0; residuals.len()];
        for component in 0..S::COMPONENTS {
            for (to, from) in component_values.iter_mut().zip(&*residuals) {
                *to = from.component(component);
            }
            if noise.whiten_in_place(&self.sampling, &mut component_values).is_err() {
                component_values.fill(f64::NAN);
            }
            for (to, from) in residuals.iter_mut().zip(&component_values) {
                to.set_component(component, *from);
            }
        }
    }

    /// Transforms derivatives by whitened residuals to those by the residuals.
    pub fn transpose(&self, derivatives: &mut [f64]) {
        if let Some(noise) = &self.model
            && noise.whiten_transposed_in_place(&self.sampling, derivatives).is_err()
        {
            derivatives.fill(f64::NAN);
        }
    }

    /// Returns the logarithm of the likelihood of these residuals, and the number of estimated numbers of the noise.
    pub fn log_likelihood(&self, residuals: &[f64]) -> Option<(f64, usize)> {
        let noise = self.model.as_ref()?;
        let estimated = if self.is_estimated() { noise.order() + 1 } else { 0 };
        Some((noise.log_likelihood(&self.sampling, residuals).ok()?, estimated))
    }
}

/// Errors of a channel, by which its residuals are weighed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChannelErrors {
    /// Standard deviation, of whitened residuals where the noise is coloured.
    pub deviation: f64,
    /// Coefficients and innovation's deviation of coloured noise.
    pub noise: Option<(Vec<f64>, f64)>,
    /// True where the residuals leave too few degrees of freedom for an estimate: the deviation is then the size of the
    /// measured values, which is a weight only.
    #[serde(default)]
    pub is_unknown: bool,
}

impl ChannelErrors {
    /// Creates the errors of white noise.
    pub fn white(deviation: f64) -> Self {
        Self { deviation, noise: None, is_unknown: false }
    }

    /// Creates the errors of coloured noise.
    pub fn coloured(noise: &Autoregression) -> Self {
        let noise = (noise.coefficients().to_vec(), noise.innovation_deviation());
        Self { deviation: 1.0, noise: Some(noise), is_unknown: false }
    }

    /// Returns true if the errors have changed negligibly.
    pub fn are_settled(before: &[Self], after: &[Self]) -> bool {
        Self::are_within(SETTLED_CHANGE, before, after)
    }

    /// Returns true if the errors have changed so little that the next minimisation should converge fully.
    pub fn are_near(before: &[Self], after: &[Self]) -> bool {
        Self::are_within(NEAR_CHANGE, before, after)
    }

    fn are_within(tolerance: f64, before: &[Self], after: &[Self]) -> bool {
        let close = |a: f64, b: f64| (b / a - 1.0).abs() <= tolerance;
        let settled = |(before, after): (&Self, &Self)| match (&before.noise, &after.noise) {
            (None, None) => close(before.deviation, after.deviation),
            (Some((before, deviation_before)), Some((after, deviation_after))) => {
                let of_order = before.len() == after.len();
                let mut pairs = before.iter().zip(after);
                of_order && close(*deviation_before, *deviation_after) && pairs.all(|(a, b)| (a - b).abs() <= tolerance)
            }
            _ => false,
        };
        before.len() == after.len() && before.iter().zip(after).all(settled)
    }
}
