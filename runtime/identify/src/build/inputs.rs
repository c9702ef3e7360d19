//! Preparation of inputs that depend on unknowns.

use std::sync::Arc;

use costate_measure::record::{AssumedUnit, Record};
use costate_system::identifiers::Input;
use costate_system::input::{InputError, InputSignal, Sampled};
use costate_system::problem::{Settings, SettingsError, SimulationError};

use crate::definition::Definition;
use crate::definition::correction::Correction;
use crate::definition::error::{DataError, IdentificationError, SpecificationError};
use crate::definition::experiment::ExperimentDefinition;
use crate::definition::unknown_input::UnknownInput;
use crate::estimation::driven::{DelayedInput, DrivenInputs, KnotInput};
use crate::estimation::layout::{Corrected, Layout, Value};
use crate::thresholds::ROUNDING_OF_DECIMALS;

impl Definition {
    /// Returns the delays of inputs in an experiment; of several delays of an input the last one counts.
    pub(crate) fn input_delays(&self, experiment: &ExperimentDefinition) -> Vec<(Input, Correction)> {
        let own = if self.experiments.is_empty() { &[][..] } else { &experiment.input_delays };
        let mut delays: Vec<(Input, Correction)> = Vec::new();
        for (input, delay) in self.own.input_delays.iter().chain(own) {
            delays.retain(|(known, _)| known != input);
            delays.push((*input, delay.clone()));
        }
        delays
    }

    /// Prepares the inputs of an experiment that depend on unknowns, and adds these to `layout`.
    pub(super) fn driven_inputs(
        &self,
        experiment: &ExperimentDefinition,
        settings: &Settings,
        layout: &mut Layout,
        several: bool,
    ) -> Result<DrivenInputs, IdentificationError> {
        let mut driven = DrivenInputs::default();
        let refused = |input: Input, what, remedy| {
            Err(SpecificationError::DrivenInput { input: input.name(), what, remedy }.into())
        };
        let end = settings.end;
        let delays = self.input_delays(experiment);
        let signals = self.given_signals(experiment, end)?;
        for (input, delay) in &delays {
            let corrected = Corrected { correction: "delay", of: input.name(), unit: "s", typical: 1.0 };
            let value = layout.correction(corrected, delay, experiment, several)?;
            let signal = signals.iter().rev().find(|(given, _)| given == input).map(|(_, signal)| signal);
            let Delayed { sampled, assumed } = delayed_signal(*input, signal, (delay, value), end)?;
            // a known delay is a shift of the given signal
            if value.is_known() {
                continue;
            }
            let curve = sampled.curve().map_err(|source| DataError::DelayedSignal { input: input.name(), source })?;
            let Some((signal, later)) = curve else {
                return refused(
                    *input,
                    "has an unknown delay, and a signal that is held between its samples has no derivative by it",
                    "give the delay a value, or take the signal as straight or cubic between its samples",
                );
            };
            driven.assumed.extend(assumed);
            driven.delayed.push(DelayedInput { input: input.index(), delay: value, signal, later });
        }
        for (number, unknown) in experiment.unknown_inputs.iter().enumerate() {
            let input = unknown.input;
            if experiment.unknown_inputs[..number].iter().any(|other| other.input == input) {
                return refused(input, "is unknown twice", "leave one of them out");
            }
            if experiment.validates {
                return refused(
                    input,
                    "is unknown in a validation experiment",
                    "give it a signal: a validation experiment has no unknowns of its own",
                );
            }
            let is_given = signals.iter().any(|(given, _)| *given == input);
            let is_measured = |record: &Record| record.channel(input.name()).is_ok();
            if !is_given && experiment.measurements.iter().any(|measured| is_measured(&measured.data.record)) {
                return refused(
                    input,
                    "is unknown, and a record has a channel of its name",
                    "write `.input(input, 0.0)` in the simulation to identify the whole input, or `.input(input, \
                         Sampled::from_record(&record, \"channel\")?)` to identify what is added to the record",
                );
            }
            let (from, knots) = unknown.knots(end)?;
            let first = layout.knots(unknown, (from, knots), experiment, several);
            let UnknownInput { interval, course, .. } = *unknown;
            driven.of_knots.push(KnotInput { input: input.index(), first, knots, from, interval, course });
        }
        if !driven.is_empty() && settings.steps.is_adaptive() {
            let adaptive = SettingsError::Adaptive { what: "an unknown or delayed input" };
            return Err(SimulationError::from(adaptive).into());
        }
        Ok(driven)
    }
}

/// The signal of a delayed input in the input's unit, and that unit if it is assumed.
struct Delayed {
    sampled: Arc<Sampled>,
    assumed: Option<AssumedUnit>,
}

/// Returns the signal of a delayed input, which covers all delays within the bounds.
fn delayed_signal(
    input: Input,
    signal: Option<&InputSignal>,
    (delay, value): (&Correction, Value),
    end: f64,
) -> Result<Delayed, IdentificationError> {
    let sampled = match signal {
        None => return Err(SimulationError::from(InputError::Missing { name: input.name() }).into()),
        Some(InputSignal::Sampled(_)) => signal.map(|signal| signal.in_unit_of(&input.into())),
        Some(_) => None,
    };
    let Some((InputSignal::Sampled(sampled), assumed)) = sampled.transpose().map_err(SimulationError::from)? else {
        return Err(SpecificationError::DrivenInput {
            input: input.name(),
            what: "has a delay, and its signal is not sampled",
            remedy: "give it a record in the simulation, `.input(input, Sampled::from_record(&record, \"channel\")?)`",
        }
        .into());
    };
    let (least, most) = match value {
        Value::Known(delay) => (delay, delay),
        Value::Unknown(_) => delay.bounds.unwrap_or_default(),
    };
    let (first, last) = sampled.range();
    let (from, to) = (-most, end - least);
    let rounding = ROUNDING_OF_DECIMALS * (last - first);
    if from < first - rounding || to > last + rounding {
        let input = input.name();
        return Err(DataError::DelayedInput { input, first, last, least, most, from, to }.into());
    }
    Ok(Delayed { sampled, assumed })
}
