//! Complex numbers of a prediction that were measured with another factor, the other sign of their angles, or a delay,
//! as a further fit tries them.

use std::f64::consts::{LN_10, PI};
use std::ops::Range;

use costate_system::prediction::{Part, PredictedGroup};

use super::layout::Value;
use crate::definition::curve::{Curve, Meaning, angular_frequency, meaning};

/// A change between the predicted numbers H of a curve and the measured ones: gain H exp(-i w delay), or that of the
/// conjugate of H.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangedCurve {
    pub curve: Curve,
    pub gain: Value,
    pub is_conjugate: bool,
    /// In s.
    pub delay: Value,
}

impl ChangedCurve {
    /// Changes the numbers of a prediction, or their derivatives.
    pub fn apply(&self, groups: &[PredictedGroup], numbers: &mut [f64], unknowns: &[f64], are_derivatives: bool) {
        let (gain, delay) = (self.gain.of(unknowns), self.delay.of(unknowns));
        let sign = if self.is_conjugate { -1.0 } else { 1.0 };
        for (group, places) in self.places(groups) {
            let count = places.len();
            for (k, place) in places.enumerate() {
                let angle = -angular_frequency(group, k) * delay;
                let half_turn = if gain < 0.0 { PI } else { 0.0 };
                match meaning(group) {
                    Some(Meaning::Part) => {
                        let (sine, cosine) = angle.sin_cos();
                        let (real, imaginary) = (numbers[place], sign * numbers[place + count]);
                        numbers[place] = gain * (cosine * real - sine * imaginary);
                        numbers[place + count] = gain * (cosine * imaginary + sine * real);
                    }
                    Some(Meaning::Magnitude) => numbers[place] *= gain.abs(),
                    Some(Meaning::Decibels) if !are_derivatives => numbers[place] += 20.0 * gain.abs().log10(),
                    Some(Meaning::Angle) => {
                        let shift = if are_derivatives { 0.0 } else { angle + half_turn };
                        numbers[place] = sign * numbers[place] + shift;
                    }
                    _ => (),
                }
            }
        }
    }

    /// Returns the derivatives of the changed numbers by the unknowns among gain and delay.
    pub fn derivatives(&self, groups: &[PredictedGroup], numbers: &[f64], unknowns: &[f64]) -> Vec<(usize, Vec<f64>)> {
        let gain = self.gain.of(unknowns);
        let (mut by_gain, mut by_delay) = (vec![0.0; numbers.len()], vec![0.0; numbers.len()]);
        for (group, places) in self.places(groups) {
            let count = places.len();
            for (k, place) in places.enumerate() {
                let omega = angular_frequency(group, k);
                match meaning(group) {
                    Some(Meaning::Part) => {
                        let (real, imaginary) = (numbers[place], numbers[place + count]);
                        (by_gain[place], by_gain[place + count]) = (real / gain, imaginary / gain);
                        (by_delay[place], by_delay[place + count]) = (omega * imaginary, -omega * real);
                    }
                    Some(Meaning::Magnitude) => by_gain[place] = numbers[place] / gain,
                    Some(Meaning::Decibels) => by_gain[place] = 20.0 / (LN_10 * gain),
                    Some(Meaning::Angle) => by_delay[place] = -omega,
                    None => (),
                }
            }
        }
        let both = [(self.gain, by_gain), (self.delay, by_delay)];
        let unknown = both.into_iter().filter_map(|(value, derivatives)| match value {
            Value::Unknown(index) => Some((index, derivatives)),
            Value::Known(_) => None,
        });
        unknown.collect()
    }

    /// Returns the groups of the curve, each with the places of its numbers; imaginary parts follow those of their real
    /// parts and are left out.
    fn places<'a>(&self, groups: &'a [PredictedGroup]) -> impl Iterator<Item = (&'a PredictedGroup, Range<usize>)> {
        let mut end = 0;
        let all = groups.iter().map(move |group| {
            end += group.places.len();
            (group, end - group.places.len()..end)
        });
        let Range { start, end } = self.curve.groups;
        all.skip(start).take(end - start).filter(|(group, _)| group.part != Part::Imaginary)
    }
}
