//! The course of a table along one argument: how its nodes follow from its values.

use costate_contract::tables::spline::{self, interpolate};
use costate_contract::tables::{Extension, Interpolation};

use super::slopes::slopes;
use super::transposed::transposed;

/// The behaviour of a table between and beyond the knots of one argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    pub between: Interpolation,
    pub beyond: Extension,
}

impl Course {
    /// Returns the knots of the nodes: those of the data, and more where a spline needs them.
    pub fn refined(self, knots: &[f64]) -> Vec<f64> {
        match self.between {
            Interpolation::Spline => spline::refined(knots, self.beyond),
            Interpolation::Monotone | Interpolation::Straight => knots.to_vec(),
        }
    }

    /// Selects the entries at the knots of the data from those at every node.
    pub fn of_data<T: Copy>(self, all: &[T]) -> Vec<T> {
        match self.between {
            Interpolation::Spline => spline::of_data(all, self.beyond),
            Interpolation::Monotone | Interpolation::Straight => all.to_vec(),
        }
    }

    /// Computes value and slope at every node, through `values` at the knots of the data.
    pub fn nodes(self, knots: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
        match self.between {
            Interpolation::Spline => interpolate(knots, values, self.beyond),
            Interpolation::Monotone | Interpolation::Straight => {
                let slopes = slopes(knots, values, self.between, self.beyond).into_iter();
                values.iter().zip(slopes).map(|(value, slope)| [*value, slope.value]).collect()
            }
        }
    }

    /// Computes the rates of value and slope at every node, for values that change at `rates`.
    pub fn rates(self, knots: &[f64], values: &[f64], rates: &[f64]) -> Vec<[f64; 2]> {
        match self.between {
            Interpolation::Spline => interpolate(knots, rates, self.beyond),
            Interpolation::Monotone | Interpolation::Straight => {
                let rate = |chord: usize| (rates[chord + 1] - rates[chord]) / (knots[chord + 1] - knots[chord]);
                let of_slope = slopes(knots, values, self.between, self.beyond).into_iter();
                let of_slope = of_slope.map(|slope| slope.by_chords.iter().map(|(chord, by)| by * rate(*chord)).sum());
                rates.iter().copied().zip(of_slope).map(|(rate, of_slope)| [rate, of_slope]).collect()
            }
        }
    }

    /// Transforms the derivatives of a number with respect to value and slope at every node to those with respect to
    /// the values, which are now those of the nodes `own`. A period's first and last knot have one value: the first
    /// entry has its derivative, the last is 0.
    pub fn by_values(self, knots: &[f64], own: &[[f64; 2]], nodes: &[[f64; 2]]) -> Vec<f64> {
        if self.between == Interpolation::Spline {
            return transposed(knots, nodes, self.beyond);
        }
        let values: Vec<f64> = own.iter().map(|node| node[0]).collect();
        let mut of_values: Vec<f64> = nodes.iter().map(|node| node[0]).collect();
        for (slope, [_, of_slope]) in slopes(knots, &values, self.between, self.beyond).into_iter().zip(nodes) {
            for (chord, by) in slope.by_chords {
                let share = of_slope * by / (knots[chord + 1] - knots[chord]);
                of_values[chord] -= share;
                of_values[chord + 1] += share;
            }
        }
        if let (Extension::Periodic, [first, .., last]) = (self.beyond, &mut *of_values) {
            *first += std::mem::take(last);
        }
        of_values
    }
}
