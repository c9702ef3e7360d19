//! The order of autoregressive noise.

use serde::Serialize;

use super::burg::Burg;
use crate::residuals::information::information_criteria;
use crate::residuals::noise_error::NoiseError;
use crate::residuals::sampling::Sampling;

/// Number of coefficients that are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AutoregressionOrder {
    /// A given number.
    Given(usize),
    /// The number that a criterion prefers.
    Chosen {
        /// Criterion that the chosen order minimises.
        criterion: OrderCriterion,
        /// Largest order that is considered; less where the samples do not suffice for it.
        limit: usize,
    },
}

/// Criterion by which an order is chosen, from the exact likelihood of all samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum OrderCriterion {
    /// Akaike's criterion, which tends to choose too many coefficients rather than too few.
    Aic,
    /// Schwarz's criterion, which finds the true order where there is one and there are many samples.
    Bic,
}

impl AutoregressionOrder {
    /// Returns the largest order that is considered for these samples: there are more predictions inside the
    /// parts than unknowns.
    pub(super) fn limit(self, series: &[(&Sampling, &[f64])]) -> Result<usize, NoiseError> {
        let predictions = |order| series.iter().map(|(sampling, _)| sampling.pairs(order)).sum::<usize>();
        let longest = series.iter().map(|(sampling, _)| sampling.longest()).max().unwrap_or(0);
        let lags: Vec<usize> = (1..=longest).collect();
        let limit = lags.partition_point(|&order| predictions(order) > order);
        match self {
            Self::Given(order) if order > limit => Err(NoiseError::Order { order, samples: predictions(0), limit }),
            Self::Given(order) => Ok(order),
            Self::Chosen { limit: asked, .. } => Ok(asked.min(limit)),
        }
    }

    /// Returns the given order, or the smallest one that the criterion prefers.
    pub(super) fn choose(self, burg: &Burg) -> Result<usize, NoiseError> {
        let criterion = match self {
            Self::Given(order) => return Ok(order),
            Self::Chosen { criterion, .. } => criterion,
        };
        let (mut best, mut least) = (0, f64::INFINITY);
        for (order, found) in burg.orders.iter().enumerate() {
            let criteria = information_criteria(found.log_likelihood, order + 1, burg.samples)?;
            let value = match criterion {
                OrderCriterion::Aic => criteria.aic,
                OrderCriterion::Bic => criteria.bic,
            };
            if value < least {
                (best, least) = (order, value);
            }
        }
        Ok(best)
    }
}
