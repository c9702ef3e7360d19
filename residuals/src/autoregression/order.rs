//! The order of autoregressive noise.

use serde::Serialize;

use super::burg::Burg;
use crate::information::information_criteria;
use crate::noise_error::NoiseError;
use crate::sampling::Sampling;

/// How many coefficients are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AutoregressionOrder {
    /// As many as are said.
    Given(usize),
    /// As many as a criterion prefers.
    Chosen {
        /// What is smallest for the order that is chosen.
        criterion: OrderCriterion,
        /// The largest order that is looked at; less where the samples do not suffice for it.
        limit: usize,
    },
}

/// By what an order is chosen: criteria of the exact likelihood of all samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum OrderCriterion {
    /// Akaike's, which rather takes too many coefficients than too few.
    Aic,
    /// Schwarz's, which finds the true order where there is one and samples are many.
    Bic,
}

impl AutoregressionOrder {
    /// The largest order that is looked at in these samples: as many predictions as there are unknowns, or more, are made
    /// from inside of the parts.
    pub(super) fn limit(self, series: &[(&Sampling, &[f64])]) -> Result<usize, NoiseError> {
        let predictions = |order| series.iter().map(|(sampling, _)| sampling.pairs(order)).sum::<usize>();
        let longest = series.iter().map(|(sampling, _)| sampling.longest()).max().unwrap_or(0);
        let lags: Vec<usize> = (1..=longest).collect();
        let limit = lags.partition_point(|&order| predictions(order) > order);
        match self {
            Self::Given(order) if order > limit => {
                Err(NoiseError::Order { order, samples: predictions(0), limit })
            }
            Self::Given(order) => Ok(order),
            Self::Chosen { limit: asked, .. } => Ok(asked.min(limit)),
        }
    }

    /// The order that is given, or the smallest one that the criterion prefers.
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
