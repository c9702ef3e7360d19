//! The prior distributions of all unknowns.

use costate_cost::residuals::Loss;
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use costate_numerics::scalar::Scalar;

use super::covariance::ChannelRows;
use super::inertias::InertiaPrior;
use crate::definition::prior::Prior;

/// Largest factor by which an estimated deviation may change from its start, in either direction.
pub(super) const MAX_DEVIATION_FACTOR: f64 = 1e6;

/// A sum of a constant and of unknowns, by index and coefficient, that is normally distributed about zero.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Combination {
    pub constant: f64,
    pub terms: Vec<(usize, f64)>,
}

impl Combination {
    fn of<S: Scalar>(&self, unknowns: &[S]) -> S {
        let mut sum = S::constant(self.constant);
        for (unknown, coefficient) in &self.terms {
            sum += unknowns[*unknown] * *coefficient;
        }
        sum
    }
}

/// Combinations with one standard deviation, as all second derivatives of one input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CombinedPrior {
    pub combinations: Vec<Combination>,
    /// Standard deviation of the combinations, in units of the one that was given.
    pub deviation: f64,
    /// True if the deviation is estimated from the data.
    pub is_estimated: bool,
}

impl CombinedPrior {
    /// Creates a prior of combinations whose standard deviation is 1.
    pub fn given(combinations: Vec<Combination>) -> Self {
        Self { combinations, deviation: 1.0, is_estimated: false }
    }

    fn rows(&self, unknowns: &[f64]) -> ChannelRows {
        let count = self.combinations.len();
        let mut sensitivities = DMatrix::zeros(count, unknowns.len());
        for (row, combination) in self.combinations.iter().enumerate() {
            for (unknown, coefficient) in &combination.terms {
                sensitivities[(row, *unknown)] += coefficient / self.deviation;
            }
        }
        let residuals = self.combinations.iter().map(|combination| combination.of(unknowns) / self.deviation);
        unit_rows(sensitivities, residuals.collect())
    }
}

/// The priors of an identification: half the sum of the squares of their residuals is a part of J.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Priors {
    /// Priors of single unknowns, with the indices of these.
    pub of_unknowns: Vec<(usize, Prior)>,
    /// Priors of mass, inertia and centre of bodies.
    pub of_inertias: Vec<InertiaPrior>,
    /// Priors of the values of unknown inputs and tables.
    pub combined: Vec<CombinedPrior>,
}

impl Priors {
    /// Returns true if there are no priors.
    pub fn is_empty(&self) -> bool {
        self.of_unknowns.is_empty() && self.of_inertias.is_empty() && self.combined.is_empty()
    }

    /// Returns true if there is a prior of this unknown.
    pub fn have(&self, unknown: usize) -> bool {
        let combinations = self.combined.iter().flat_map(|prior| &prior.combinations);
        self.of_unknowns.iter().any(|(of, _)| *of == unknown)
            || self.of_inertias.iter().any(|prior| prior.places.contains(&unknown))
            || combinations.flat_map(|one| &one.terms).any(|(of, _)| *of == unknown)
    }

    /// Returns the number of residuals.
    pub fn count(&self) -> usize {
        let of_inertias = self.of_inertias.iter().map(|prior| prior.places.len());
        let combined = self.combined.iter().map(|prior| prior.combinations.len());
        self.of_unknowns.len() + of_inertias.chain(combined).sum::<usize>()
    }

    /// Returns the number of groups of rows.
    pub fn row_count(&self) -> usize {
        self.of_unknowns.len() + self.of_inertias.len() + self.combined.len()
    }

    /// Returns the part of J.
    pub fn cost<S: Scalar>(&self, unknowns: &[S]) -> S {
        let mut sum = S::default();
        for (unknown, prior) in &self.of_unknowns {
            let residual = prior.residual_of(unknowns[*unknown]);
            sum += residual * residual * 0.5;
        }
        for prior in &self.of_inertias {
            prior.residuals(unknowns).into_iter().for_each(|residual| sum += residual * residual * 0.5);
        }
        for prior in &self.combined {
            let weight = 0.5 / (prior.deviation * prior.deviation);
            for combination in &prior.combinations {
                let residual = combination.of(unknowns);
                sum += residual * residual * weight;
            }
        }
        sum
    }

    /// Adds dJ/dz to `gradient`.
    pub fn add_gradient(&self, unknowns: &[f64], gradient: &mut [f64]) {
        for (unknown, prior) in &self.of_unknowns {
            let (residual, derivative) = prior.residual(unknowns[*unknown]);
            gradient[*unknown] += residual * derivative;
        }
        for prior in &self.of_inertias {
            let (residuals, derivatives) = prior.linear(unknowns);
            for (&place, column) in prior.places.iter().zip(&derivatives) {
                gradient[place] += residuals.iter().zip(column).map(|(residual, entry)| residual * entry).sum::<f64>();
            }
        }
        for prior in &self.combined {
            let weight = 1.0 / (prior.deviation * prior.deviation);
            for combination in &prior.combinations {
                let residual = combination.of(unknowns) * weight;
                combination.terms.iter().for_each(|(unknown, factor)| gradient[*unknown] += residual * factor);
            }
        }
    }

    /// Returns the residuals with their derivatives by the unknowns: rows for every single unknown, and for every
    /// body, and for every combined prior.
    pub fn rows(&self, unknowns: &[f64]) -> Vec<ChannelRows> {
        let count = unknowns.len();
        let single = self.of_unknowns.iter();
        let single = single.map(|(unknown, prior)| prior_row(*prior, *unknown, unknowns[*unknown], count));
        let of_bodies = self.of_inertias.iter().map(|prior| inertia_rows(prior, unknowns));
        single.chain(of_bodies).chain(self.combined.iter().map(|prior| prior.rows(unknowns))).collect()
    }

    /// Sets the deviations that are estimated.
    pub fn set_estimated(&mut self, deviations: impl Iterator<Item = f64>) {
        let estimated = self.combined.iter_mut().filter(|prior| prior.is_estimated);
        estimated.zip(deviations).for_each(|(prior, deviation)| prior.deviation = deviation);
    }
}

/// Returns true if an estimated deviation is as large or small as allowed: then the data do not determine it.
pub(crate) fn is_at_limit(deviation: f64) -> bool {
    !(1.01 / MAX_DEVIATION_FACTOR..MAX_DEVIATION_FACTOR / 1.01).contains(&deviation)
}

/// Returns the prior of an unknown as a residual, with its derivatives by `count` unknowns.
fn prior_row(prior: Prior, unknown: usize, value: f64, count: usize) -> ChannelRows {
    let (residual, derivative) = prior.residual(value);
    let mut sensitivities = DMatrix::zeros(1, count);
    sensitivities[(0, unknown)] = derivative;
    unit_rows(sensitivities, vec![residual])
}

/// Returns the prior of a body as residuals, with their derivatives by all unknowns.
fn inertia_rows(prior: &InertiaPrior, unknowns: &[f64]) -> ChannelRows {
    let (residuals, derivatives) = prior.linear(unknowns);
    let mut sensitivities = DMatrix::zeros(residuals.len(), unknowns.len());
    prior.places.iter().zip(&derivatives).for_each(|(&place, column)| {
        sensitivities.column_mut(place).copy_from_slice(column);
    });
    unit_rows(sensitivities, residuals)
}

/// Returns rows of residuals in units of their deviation.
fn unit_rows(sensitivities: DMatrix<f64>, residuals: Vec<f64>) -> ChannelRows {
    let weights = vec![1.0; residuals.len()];
    ChannelRows { sensitivities, weights, residuals, deviation: Some(1.0), loss: Loss::Squares }
}
