//! What is known beforehand of all unknowns.

use costate_residuals::Loss;
use nalgebra::DMatrix;

use crate::scalar::Scalar;

use super::covariance::ChannelRows;
use super::prior::{Prior, prior_row};

/// A sum of unknowns that is normally distributed about zero with the standard deviation 1: index and coefficient of each.
pub(super) type Combination = Vec<(usize, f64)>;

/// What is known beforehand: J has half the sum of the squares of its residuals.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Priors {
    /// Of single unknowns by their indices.
    pub of_unknowns: Vec<(usize, Prior)>,
    /// Of the values of unknown inputs, one list for each input.
    pub of_inputs: Vec<Vec<Combination>>,
}

impl Priors {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.of_unknowns.is_empty() && self.of_inputs.is_empty()
    }

    /// How many residuals there are.
    pub fn count(&self) -> usize {
        self.of_unknowns.len() + self.of_inputs.iter().map(Vec::len).sum::<usize>()
    }

    fn combinations(&self) -> impl Iterator<Item = &Combination> {
        self.of_inputs.iter().flatten()
    }

    /// The part of J.
    pub fn cost<S: Scalar>(&self, unknowns: &[S]) -> S {
        let single = self.of_unknowns.iter().map(|(unknown, prior)| prior.residual_of(unknowns[*unknown]));
        let mut sum = S::default();
        for residual in single.chain(self.combinations().map(|sum| combined(sum, unknowns))) {
            sum += residual * residual * 0.5;
        }
        sum
    }

    /// Adds dJ/dz.
    pub fn add_gradient(&self, unknowns: &[f64], gradient: &mut [f64]) {
        for (unknown, prior) in &self.of_unknowns {
            let (residual, derivative) = prior.residual(unknowns[*unknown]);
            gradient[*unknown] += residual * derivative;
        }
        for combination in self.combinations() {
            let residual = combined(combination, unknowns);
            for (unknown, coefficient) in combination {
                gradient[*unknown] += residual * coefficient;
            }
        }
    }

    /// The residuals with their derivatives by the unknowns: rows for every single unknown, and for every input.
    pub fn rows(&self, unknowns: &[f64]) -> Vec<ChannelRows> {
        let count = unknowns.len();
        let single = self.of_unknowns.iter();
        let mut rows: Vec<_> =
            single.map(|(unknown, prior)| prior_row(*prior, *unknown, unknowns[*unknown], count)).collect();
        for of_input in &self.of_inputs {
            let mut sensitivities = DMatrix::zeros(of_input.len(), count);
            for (row, combination) in of_input.iter().enumerate() {
                combination
                    .iter()
                    .for_each(|(unknown, coefficient)| sensitivities[(row, *unknown)] = *coefficient);
            }
            rows.push(ChannelRows {
                sensitivities,
                weights: vec![1.0; of_input.len()],
                residuals: of_input.iter().map(|combination| combined(combination, unknowns)).collect(),
                deviation: Some(1.0),
                loss: Loss::Squares,
            });
        }
        rows
    }
}

/// The sum.
fn combined<S: Scalar>(combination: &Combination, unknowns: &[S]) -> S {
    let mut sum = S::default();
    for (unknown, coefficient) in combination {
        sum += unknowns[*unknown] * *coefficient;
    }
    sum
}
