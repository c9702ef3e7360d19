//! The cost J of one experiment as a function of its outputs and of the unknowns.

use nalgebra::DMatrix;

use costate_cost::{Cost, SumCost};
use costate_numerics::scalar::Dual;
use costate_system::series::Series;

use super::covariance::ChannelRows;
use super::observed::Observed;

/// Measured channels and further costs of an experiment.
#[derive(Clone, Default)]
pub(crate) struct Comparison {
    pub channels: Vec<Observed>,
    pub costs: SumCost<'static>,
    /// Number of times that the experiment counts: 1 unless experiments are drawn again.
    pub multiplicity: f64,
}

impl Comparison {
    /// Returns J of this experiment.
    pub fn value(&self, outputs: &Series<f64>, unknowns: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.channels.iter().for_each(|channel| channel.add_value(outputs, unknowns, &mut sum));
        if self.costs.terms().len() > 0 {
            sum += self.costs.value(outputs);
        }
        self.multiplicity * sum
    }

    /// Returns the part of J of every channel.
    pub fn channel_values(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Vec<f64> {
        let value = |channel: &Observed| {
            let mut sum = 0.0;
            channel.add_value(outputs, unknowns, &mut sum);
            self.multiplicity * sum
        };
        self.channels.iter().map(value).collect()
    }

    /// Returns J with its derivative in the direction that outputs and unknowns carry.
    pub fn value_dual(&self, outputs: &Series<Dual>, unknowns: &[Dual]) -> Dual {
        let mut sum = Dual::default();
        self.channels.iter().for_each(|channel| channel.add_value(outputs, unknowns, &mut sum));
        sum += self.costs.value_dual(outputs);
        sum * self.multiplicity
    }

    /// Returns dJ/ds of all samples, and adds dJ/dz of the corrections to `by_unknowns`.
    pub fn gradient(&self, outputs: &Series<f64>, unknowns: &[f64], by_unknowns: &mut [f64]) -> Series<f64> {
        let mut by_outputs = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut of_corrections = vec![0.0; by_unknowns.len()];
        for channel in &self.channels {
            channel.add_gradient(outputs, unknowns, &mut by_outputs, &mut of_corrections);
        }
        self.costs.add_gradient(outputs, &mut by_outputs);
        if self.multiplicity != 1.0 {
            (0..by_outputs.samples()).for_each(|i| {
                by_outputs.row_mut(i).iter_mut().for_each(|derivative| *derivative *= self.multiplicity);
            });
        }
        let corrections = by_unknowns.iter_mut().zip(of_corrections);
        corrections.for_each(|(sum, derivative)| *sum += self.multiplicity * derivative);
        by_outputs
    }

    /// Returns the indices, below `width`, of the outputs whose derivatives are needed.
    pub fn compared_outputs(&self, width: usize) -> Vec<usize> {
        let is_compared = |output: &usize| self.channels.iter().any(|channel| channel.output == *output);
        (0..width).filter(|output| self.costs.terms().len() > 0 || is_compared(output)).collect()
    }

    /// Returns the residuals of every channel, with their derivatives by all unknowns: `derivatives` are those of the
    /// [compared outputs](Self::compared_outputs) by some of the unknowns.
    pub fn channel_rows(
        &self,
        outputs: &Series<f64>,
        derivatives: &[(usize, Series<f64>)],
        unknowns: &[f64],
    ) -> Vec<ChannelRows> {
        let compared = self.compared_outputs(outputs.width());
        let rows = |channel: &Observed| {
            let place = compared.iter().position(|output| *output == channel.output).unwrap_or_default();
            channel.rows(outputs, (derivatives, place), unknowns)
        };
        let mut rows: Vec<_> = self.channels.iter().map(rows).collect();
        rows.iter_mut().flat_map(|rows| &mut rows.weights).for_each(|weight| *weight *= self.multiplicity);
        rows
    }

    /// Returns the residuals of every further cost, with their derivatives by `count` unknowns, by dual numbers;
    /// `None` for a cost without residuals.
    pub fn cost_rows(
        &self,
        outputs: &Series<f64>,
        derivatives: &[(usize, Series<f64>)],
        count: usize,
    ) -> Vec<Option<ChannelRows>> {
        if self.costs.terms().len() == 0 {
            return Vec::new();
        }
        let directions: Vec<_> =
            derivatives.iter().map(|(unknown, derivative)| (*unknown, directed(outputs, derivative))).collect();
        let still = directed(outputs, &Series::zeros(outputs.step(), outputs.width(), outputs.samples()));
        let rows = |(weight, cost): (f64, &(dyn Cost + '_))| {
            let values = cost.residuals(&still)?;
            let mut sensitivities = DMatrix::zeros(values.residuals.len(), count);
            for (unknown, outputs) in &directions {
                for (row, residual) in cost.residuals(outputs)?.residuals.iter().enumerate() {
                    sensitivities[(row, *unknown)] += residual.derivative;
                }
            }
            Some(ChannelRows {
                sensitivities,
                weights: values.weights.iter().map(|own| self.multiplicity * weight * own).collect(),
                residuals: values.residuals.iter().map(|residual| residual.value).collect(),
                deviation: None,
                loss: costate_cost::residuals::Loss::Squares,
            })
        };
        self.costs.terms().map(rows).collect()
    }
}

/// Returns the outputs as dual numbers with this derivative.
fn directed(outputs: &Series<f64>, derivative: &Series<f64>) -> Series<Dual> {
    let mut directed = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        let numbers = outputs.row(i).iter().zip(derivative.row(i));
        for (to, (&value, &derivative)) in directed.row_mut(i).iter_mut().zip(numbers) {
            *to = Dual { value, derivative };
        }
    }
    directed
}
