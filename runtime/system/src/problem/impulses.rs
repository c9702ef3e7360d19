//! Inputs whose impulse in a step is not that of their samples: pulses that are shorter than a step, and jumps.

use crate::identifiers::Input;
use crate::input::InputSignal;

use super::Problem;
use super::input_samples::InputSamples;
use super::inputs::InputSource;

/// A problem whose samples of inputs have the impulse of the signals in every step.
pub(crate) struct WholeImpulses {
    pub problem: Problem,
    /// True for steps whose impulse is not that of the samples themselves; the first step is the first element.
    pub differs: Vec<bool>,
}

impl Problem {
    /// Returns the problem with samples of the inputs that have the impulse of the signals in every step; `None` where
    /// the samples themselves have it, or nearly no step's samples do.
    pub(crate) fn with_whole_impulses(&self) -> Option<WholeImpulses> {
        /// Part of the steps whose impulse may differ: signals that are faster than the steps differ everywhere.
        const MAX_PART: f64 = 0.5;
        let InputSource::Signals(description, signals) = &*self.source else { return None };
        if self.settings.steps.is_adaptive() {
            return None;
        }
        let steps = self.steps();
        let mut missing = InputSamples::zeros(self.inputs.width(), steps);
        let mut differs = vec![false; steps];
        for (input, signal) in Input::each_of(description).zip(signals) {
            if !matches!(signal, InputSignal::Constant(_)) {
                self.add_missing((input, signal), &mut missing, &mut differs);
            }
        }
        let count = differs.iter().filter(|differs| **differs).count();
        if count == 0 || count as f64 > MAX_PART * steps as f64 {
            return None;
        }
        let mut problem = self.clone().without_progress();
        let whole = |samples: &InputSamples, stride: usize| self.whole(samples, (&missing, &differs), stride).into();
        problem.inputs = whole(&self.inputs, 1);
        let last = self.level_inputs.len().saturating_sub(1);
        let levels = self.level_inputs.iter().enumerate();
        problem.level_inputs = levels.map(|(k, inputs)| whole(inputs, 1 << (last - k))).collect();
        Some(WholeImpulses { problem, differs })
    }

    /// Adds the impulse of a signal in every step that straight lines between its samples do not have.
    fn add_missing(&self, (input, signal): (Input, &InputSignal), missing: &mut InputSamples, differs: &mut [bool]) {
        /// Distance of the mean from that of the samples, relative to the range, from which on a step differs: a sine
        /// with 15 samples in a period has 0.7 %.
        const MIN_DISTANCE: f64 = 0.02;
        /// Distance of a value from the straight line, relative to the range, from which on it is looked at closely.
        const FAR: f64 = 0.1;
        /// Number of values in a step, and in a step that is looked at closely.
        const VALUES: usize = 8;
        const MANY_VALUES: usize = 256;
        let of = |i: usize| self.inputs.row(i)[input.index()];
        let all = || (0..self.inputs.len()).map(of);
        let range = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
        for (step, differs) in differs.iter_mut().enumerate() {
            let (before, after) = (of(step), of(step + 1));
            let (start, length) = (self.time(step), self.time(step + 1) - self.time(step));
            // distances from the straight line in `count` parts
            let distances = |count: usize| {
                (0..count).map(move |place| {
                    let part = (place as f64 + 0.5) / count as f64;
                    let line = before + part * (after - before);
                    signal.at(input.name(), start + part * length).map_or(0.0, |value| value - line)
                })
            };
            let mean = |count: usize| distances(count).sum::<f64>() / count as f64;
            let is_far = distances(VALUES).any(|distance| distance.abs() > FAR * range);
            let distance = if is_far { mean(MANY_VALUES) } else { mean(VALUES) };
            missing.row_mut(step)[input.index()] = distance * length;
            *differs |= distance.abs() > MIN_DISTANCE * range;
        }
    }

    /// Returns samples at every `stride`-th step's end that have the impulses of the signals where these differ.
    fn whole(
        &self,
        samples: &InputSamples,
        (missing, differs): (&InputSamples, &[bool]),
        stride: usize,
    ) -> InputSamples {
        let mut whole = samples.clone();
        let last = whole.len().saturating_sub(1);
        for k in 1..=last {
            let (from, to) = ((k - 1) * stride, (k * stride).min(differs.len()));
            if !differs.iter().take(to).skip(from).any(|differs| *differs) {
                continue;
            }
            for input in 0..whole.width() {
                // the straight lines between the samples of longer steps have another impulse
                let line = |i: usize| self.inputs.row(i)[input];
                let length = |i: usize| self.time(i + 1) - self.time(i);
                let of_step = |i: usize| 0.5 * (line(i) + line(i + 1)) * length(i) + missing.row(i)[input];
                let all: f64 = (from..to).map(of_step).sum();
                let longer = self.time(to) - self.time(from);
                let distance = all / longer - 0.5 * (samples.row(k - 1)[input] + samples.row(k)[input]);
                // half of what is missing goes to each end, which counts in half a step on both of its sides
                for (end, is_outer) in [(k - 1, k == 1), (k, k == last)] {
                    whole.row_mut(end)[input] += if is_outer { distance } else { 0.5 * distance };
                }
            }
        }
        whole
    }
}
