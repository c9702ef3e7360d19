//! Where the inputs of a run come from.

use std::fmt;
use std::sync::Arc;

use crate::identifiers::Input;
use crate::input::{InputError, InputSignal};
use crate::model::Model;
use crate::scalar::Vector;

use super::settings::Settings;

/// Where inputs come from.
pub(super) enum InputSource<M: Model> {
    /// In the order of the inputs.
    Signals(Vec<InputSignal>),
    /// One for every sampling interval, and straight lines between them.
    Samples(Arc<Vec<M::Inputs<f64>>>),
}

impl<M: Model> InputSource<M> {
    /// At a time in sampling intervals of `step` s.
    pub fn at(&self, intervals: f64, step: f64) -> Result<M::Inputs<f64>, InputError> {
        let mut inputs = M::Inputs::<f64>::zeros();
        match self {
            Self::Signals(signals) => {
                for (input, signal) in Input::<M>::all().zip(signals) {
                    inputs.as_mut()[input.index()] = signal.at(input.name(), intervals * step)?;
                }
            }
            Self::Samples(samples) => {
                let before = intervals.floor().max(0.0) as usize;
                let part = intervals - before as f64;
                if let Some(sample) = samples.get(before).or(samples.last()) {
                    inputs.clone_from(sample);
                }
                if let Some(next) = samples.get(before + 1).filter(|_| part > 0.0) {
                    for (input, next) in inputs.as_mut().iter_mut().zip(next.as_ref()) {
                        *input += (next - *input) * part;
                    }
                }
            }
        }
        Ok(inputs)
    }
}

/// An input that does between two samples what no run with these can see.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct UnseenInput {
    /// The input's name.
    pub input: &'static str,
    /// A time at which it is beyond its samples before and behind, in s.
    pub time: f64,
    /// What it is there, in its unit.
    pub value: f64,
    /// The samples before and behind.
    pub samples: [f64; 2],
}

impl fmt::Display for UnseenInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, time, value, samples: [before, behind] } = self;
        write!(f, "the input `{input}` is {value} at {time:.6} s, between samples of {before} and {behind}")
    }
}

/// An input is beyond its samples before and behind from this part of the range of all samples on.
const BEYOND: f64 = 0.1;

/// What is no more than rounding of the samples.
const ROUNDING: f64 = 1e-9;

/// See [`Problem::unseen_input`](super::Problem): `time` is that of a step's end, in sampling intervals of some length in s.
pub(super) fn unseen<M: Model>(
    source: &InputSource<M>,
    samples: &[M::Inputs<f64>],
    (interval, places, only_at_rest): (f64, usize, bool),
    time: impl Fn(usize) -> f64,
) -> Option<UnseenInput> {
    let InputSource::Signals(signals) = source else { return None };
    for (input, signal) in
        Input::<M>::all().zip(signals).filter(|(_, signal)| !matches!(signal, InputSignal::Constant(_)))
    {
        let of = |i: usize| samples[i].as_ref()[input.index()];
        let all = (0..samples.len()).map(of);
        let (least, largest) =
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
        let allowed = BEYOND * (largest - least) + ROUNDING * least.abs().max(largest.abs());
        for i in 1..samples.len() {
            let (before, behind) = (of(i - 1), of(i));
            if only_at_rest && before != behind {
                continue;
            }
            let (start, end) = (time(i - 1), time(i));
            let (mut least, mut largest) = (before.min(behind), before.max(behind));
            // runs with half the step see the middle
            if !only_at_rest && let Ok(middle) = signal.at(input.name(), 0.5 * (start + end) * interval) {
                (least, largest) = (least.min(middle), largest.max(middle));
            }
            for place in 1..=places {
                let at = (start + (end - start) * place as f64 / (places + 1) as f64) * interval;
                // what is no number there is none that a run would see
                let Ok(value) = signal.at(input.name(), at) else { continue };
                if value > largest + allowed || value < least - allowed {
                    let (input, samples) = (input.name(), [before, behind]);
                    return Some(UnseenInput { input, time: at, value, samples });
                }
            }
        }
    }
    None
}

/// One finite sample for every step.
pub(super) fn check_samples<M: Model>(
    settings: &Settings,
    inputs: &[M::Inputs<f64>],
) -> Result<(), InputError> {
    let expected = settings.steps() + 1;
    if inputs.len() != expected {
        return Err(InputError::Samples { expected, given: inputs.len() });
    }
    for (i, sample) in inputs.iter().enumerate() {
        for input in Input::<M>::all() {
            let (value, time) = (sample.as_ref()[input.index()], i as f64 * settings.step);
            if !value.is_finite() {
                return Err(InputError::NotFinite { name: input.name(), time, value });
            }
        }
    }
    Ok(())
}
