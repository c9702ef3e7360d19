//! The sources of the inputs of a run.

use std::sync::Arc;

use costate_contract::machine::Room;

use crate::identifiers::Input;
use crate::input::{InputError, InputSignal};
use crate::model::{Description, Quantity};

use super::error::{Changing, SimulationError, UnseenChange};
use super::input_samples::InputSamples;
use super::settings::Settings;

/// The source of inputs.
pub(super) enum InputSource {
    /// Signals, in the order of the inputs.
    Signals(&'static Description, Vec<InputSignal>),
    /// Samples, this number of them for every sampling interval, with linear interpolation between them.
    Samples(Arc<InputSamples>, usize),
}

impl InputSource {
    /// Evaluates the inputs at a time in sampling intervals of `step` s.
    pub fn at(&self, intervals: f64, step: f64) -> Result<Vec<f64>, InputError> {
        match self {
            Self::Signals(description, signals) => {
                let named = description.inputs.iter().zip(signals);
                named.map(|(input, signal)| signal.at(input.name, intervals * step)).collect()
            }
            Self::Samples(samples, parts) => {
                let place = intervals * *parts as f64;
                let before = place.floor().max(0.0) as usize;
                let part = place - before as f64;
                let last = samples.len().saturating_sub(1);
                let mut inputs = samples.row(before.min(last)).to_vec();
                if part > 0.0 && before < last {
                    for (input, next) in inputs.iter_mut().zip(samples.row(before + 1)) {
                        *input += (next - *input) * part;
                    }
                }
                Ok(inputs)
            }
        }
    }

    /// Evaluates the inputs at the start and at the ends of `steps` steps, whose `time` is in sampling
    /// intervals of `step` s. Signals that are held have their means around the ends of steps, but for `adaptive`
    /// steps, which are chosen while they are made.
    pub fn sampled(
        &self,
        steps: usize,
        adaptive: bool,
        step: f64,
        time: impl Fn(usize) -> f64,
    ) -> Result<InputSamples, SimulationError> {
        let width = match self {
            Self::Signals(_, signals) => signals.len(),
            Self::Samples(samples, _) => samples.width(),
        };
        let numbers = steps.saturating_add(1).saturating_mul(width);
        let mut inputs = InputSamples::empty(width, Room::of_steps("the inputs", steps).take(numbers)?);
        for i in 0..=steps {
            match self {
                Self::Signals(description, signals) if !adaptive => {
                    let [before, here, after] = [i.saturating_sub(1), i, (i + 1).min(steps)].map(&time);
                    let half = [0.5 * (here - before) * step, 0.5 * (after - here) * step];
                    let of_signal =
                        |(input, signal): (&Quantity, &InputSignal)| signal.at_step(input.name, here * step, half);
                    let row = description.inputs.iter().zip(signals).map(of_signal).collect::<Result<Vec<_>, _>>()?;
                    inputs.push(&row);
                }
                _ => inputs.push(&self.at(time(i), step)?),
            }
        }
        Ok(inputs)
    }
}

/// Finds an unseen input, for [`Problem::unseen_input`](super::Problem): `time` is that of a step's end, in sampling
/// intervals of `interval` s.
pub(super) fn unseen(
    source: &InputSource,
    samples: &InputSamples,
    interval: f64,
    places: &[f64],
    only_at_rest: bool,
    time: impl Fn(usize) -> f64,
) -> Option<UnseenChange> {
    let InputSource::Signals(description, signals) = source else { return None };
    let varying = |signal: &InputSignal| !matches!(signal, InputSignal::Constant(_));
    for (input, signal) in Input::each_of(description).zip(signals).filter(|(_, signal)| varying(signal)) {
        let of = |i: usize| samples.row(i)[input.index()];
        let all = (0..samples.len()).map(of);
        let (least, largest) =
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
        let allowed = UnseenChange::allowed([least, largest]);
        let every = samples.len().div_ceil(UnseenChange::MIN_CHECKED_STEPS);
        for i in 1..samples.len() {
            let (before, after) = (of(i - 1), of(i));
            if only_at_rest && before != after && !i.is_multiple_of(every) {
                continue;
            }
            let (start, end) = (time(i - 1), time(i));
            let (mut least, mut largest) = (before.min(after), before.max(after));
            // runs with half the step see the middle
            if !only_at_rest && let Ok(middle) = signal.at(input.name(), 0.5 * (start + end) * interval) {
                (least, largest) = (least.min(middle), largest.max(middle));
            }
            for place in places {
                let at = (start + (end - start) * place) * interval;
                // runs do not evaluate the input where it has no value
                let Ok(value) = signal.at(input.name(), at) else { continue };
                if value > largest + allowed || value < least - allowed {
                    let (quantity, samples) = (Changing::Input(input.name()), [before, after]);
                    return Some(UnseenChange { quantity, time: at, value, samples });
                }
            }
        }
    }
    None
}

/// Collects one finite sample for the start and for the end of each of these `steps`.
pub(super) fn checked_samples(
    description: &'static Description,
    settings: &Settings,
    steps: usize,
    rows: impl IntoIterator<Item = impl AsRef<[f64]>>,
) -> Result<InputSamples, InputError> {
    let (expected, width) = (steps + 1, description.inputs.len());
    let mut samples = InputSamples::empty(width, Vec::new());
    for row in rows {
        let row = row.as_ref();
        if row.len() != width {
            return Err(InputError::Width { row: samples.len(), expected: width, given: row.len() });
        }
        if samples.len() < expected {
            for (input, &value) in description.inputs.iter().zip(row) {
                let time = samples.len() as f64 * settings.step * (settings.steps() as f64 / steps as f64);
                if !value.is_finite() {
                    return Err(InputError::NotFinite { name: input.name, time, value });
                }
            }
        }
        samples.push(row);
    }
    match samples.len() == expected {
        true => Ok(samples),
        false => Err(InputError::Samples { expected, given: samples.len() }),
    }
}
