//! Preparing inputs that depend on unknowns.

use std::sync::Arc;

use costate_contract::tables::Extension;

use crate::identifiers::Input;
use crate::input::{InputError, InputSignal};
use crate::model::Model;
use crate::problem::{Settings, SettingsError, SimulationError};
use crate::table::Curve;

use super::Identification;
use super::campaign::driven::{DelayedInput, DrivenInputs, KnotInput};
use super::campaign::layout::{Corrected, Layout, Value};
use super::campaign::priors::{Combination, CombinedPrior};
use super::said::correction::Correction;
use super::said::error::IdentificationError;
use super::said::experiment::Experiment;
use super::said::unknown_input::{UnknownInput, curvatures};

/// Parts of a record's range by which a run may be behind its ends, for rounding.
const AT_END: f64 = 1e-9;

impl<'a, M: Model> Identification<'a, M> {
    /// The delays of inputs in an experiment, of each input the last one that is said.
    pub(super) fn input_delays(&self, experiment: &Experiment<'a, M>) -> Vec<(Input<M>, Correction)> {
        let own = if self.experiments.is_empty() { &[][..] } else { &experiment.input_delays };
        let mut delays: Vec<(Input<M>, Correction)> = Vec::new();
        for (input, delay) in self.own.input_delays.iter().chain(own) {
            delays.retain(|(known, _)| known != input);
            delays.push((*input, delay.clone()));
        }
        delays
    }

    /// What of the inputs of an experiment depends on unknowns, which are added.
    pub(super) fn driven_inputs(
        &self,
        experiment: &Experiment<'a, M>,
        settings: &Settings,
        layout: &mut Layout,
        several: bool,
    ) -> Result<DrivenInputs, IdentificationError> {
        let mut driven = DrivenInputs::default();
        let refused = |input: Input<M>, what, remedy| {
            Err(IdentificationError::DrivenInput { input: input.name(), what, remedy })
        };
        let end = settings.end;
        let delays = self.input_delays(experiment);
        let signals = self.given_signals(experiment, end)?;
        for (input, delay) in &delays {
            let corrected = Corrected { correction: "delay", of: input.name(), unit: "s", typical: 1.0 };
            let value = layout.correction(corrected, delay, experiment, several)?;
            let signal = signals.iter().rev().find(|(given, _)| given == input).map(|(_, signal)| signal);
            let signal = delayed_signal(*input, signal, (delay, value), end)?;
            driven.delayed.push(DelayedInput {
                input: input.index(),
                delay: value,
                signal: Arc::new(signal),
            });
        }
        for (number, unknown) in experiment.unknown_inputs.iter().enumerate() {
            let input = unknown.input;
            if experiment.unknown_inputs[..number].iter().any(|other| other.input == input) {
                return refused(input, "is unknown twice", "leave one of them out");
            }
            if experiment.validates {
                return refused(
                    input,
                    "is unknown in an experiment that validates",
                    "give it a signal: such an experiment has nothing unknown of its own",
                );
            }
            let (from, knots) = unknown.knots(end)?;
            let first = layout.knots(unknown, (from, knots), experiment, several);
            let UnknownInput { interval, course, .. } = *unknown;
            driven.of_knots.push(KnotInput { input: input.index(), first, knots, from, interval, course });
        }
        if !driven.is_empty() {
            if settings.steps.is_adaptive() {
                return Err(SimulationError::from(SettingsError::Adaptive {
                    what: "an unknown or delayed input",
                })
                .into());
            }
            if self.is_continuous() {
                return Err(IdentificationError::ContinuousInputs);
            }
        }
        Ok(driven)
    }

    /// What is known beforehand of unknown inputs.
    pub(super) fn priors_of_inputs(
        &self,
        experiment: &Experiment<'a, M>,
        driven: &DrivenInputs,
    ) -> Vec<CombinedPrior> {
        let mut all = Vec::new();
        for (unknown, of_knots) in experiment.unknown_inputs.iter().zip(&driven.of_knots) {
            let numbered = |terms: &[(usize, f64)]| {
                let terms = terms.iter().map(|(knot, part)| (of_knots.first + knot, *part));
                Combination { constant: 0.0, terms: terms.collect() }
            };
            if let Some(deviation) = unknown.deviation {
                let each = (0..of_knots.knots).map(|knot| numbered(&[(knot, 1.0 / deviation)]));
                all.push(CombinedPrior::given(each.collect()));
            }
            if let Some(curvature) = unknown.curvature {
                let sums = curvatures(unknown.interval, of_knots.knots, curvature);
                all.push(CombinedPrior::given(sums.iter().map(|sum| numbered(sum)).collect()));
            }
        }
        all
    }
}

/// The signal of a delayed input as a spline, which reaches as far as the delay moves it.
fn delayed_signal<M: Model>(
    input: Input<M>,
    signal: Option<&InputSignal>,
    (delay, value): (&Correction, Value),
    end: f64,
) -> Result<Curve, IdentificationError> {
    let sampled = match signal {
        None => return Err(SimulationError::from(InputError::Missing { name: input.name() }).into()),
        Some(InputSignal::Sampled(_)) => signal.map(|signal| signal.in_unit_of(&input.into())),
        Some(_) => None,
    };
    let Some((InputSignal::Sampled(sampled), _)) = sampled.transpose().map_err(SimulationError::from)? else {
        return Err(IdentificationError::DrivenInput {
            input: input.name(),
            what: "has a delay, and a signal without samples",
            remedy: "drive it with a record, `.signal(input, Sampled::from_record(&record, \"channel\")?)`",
        });
    };
    let (least, most) = match value {
        Value::Known(delay) => (delay, delay),
        Value::Unknown(_) => delay.bounds.unwrap_or_default(),
    };
    let (first, last) = sampled.range();
    let (from, to) = (-most, end - least);
    let rounding = AT_END * (last - first);
    if from < first - rounding || to > last + rounding {
        let input = input.name();
        return Err(IdentificationError::DelayedInput { input, first, last, least, most, from, to });
    }
    let (times, values) = sampled.samples();
    Curve::new(times.to_vec(), values.to_vec(), Extension::Linear)
        .map_err(|source| IdentificationError::DelayedSignal { input: input.name(), source })
}
