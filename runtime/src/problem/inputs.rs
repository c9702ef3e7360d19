//! Where the inputs of a run come from.

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
