//! Wrong scales as the cause of a fit that explains little. Where start values are far off, the found ones bend until
//! no ratio of measured and computed values shows a wrong unit. The fit is made once more with times in other units,
//! with gains of the channels as further unknowns, and then with measured inputs in other units, or of the other sign.

use costate_cost::residuals::{Cause, Suspicion};
use costate_system::identifiers::Input;
use costate_system::input::InputSignal;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::correction::Correction;
use super::definition::digits::significant;
use super::estimation::experiment_problem::EstimationProblem;
use super::refits::{Change, Refit, cause_among};
use super::result::explanation::Explanation;
use super::result::suspicions::{Compared, is_wrong_ratio, question_at_end, units_beside};
use super::wrong_clock::are_far;
use super::wrong_delay::of_delays;

/// A channel of a record that drives an input.
struct MeasuredInput {
    input: Input,
    has_unit: bool,
}

impl MeasuredInput {
    /// Returns the factors of the input that are tried, each with what is asked then: the other sign, and other units
    /// of one that has none.
    fn factors(&self) -> impl Iterator<Item = (Input, f64, String)> {
        let unit = self.input.quantity().unit;
        let reversed = (self.input, -1.0, "is the sign of the input reversed?".to_owned());
        let units = units_beside(unit).filter(|_| !self.has_unit).map(move |(other, ratio)| {
            (self.input, ratio.recip(), format!("is the input in `{other}`, and not in `{unit}`?"))
        });
        std::iter::once(reversed).chain(units)
    }
}

/// The meaning of a change that is tried.
enum Meaning {
    /// Gains of the channels.
    Gains,
    /// Delays of the channels.
    Delays,
    /// An input times a factor, with what is asked then.
    Input { input: Input, factor: f64, question: String },
}

impl Definition {
    /// Returns the wrong scales of channels and measured inputs, or the delays of channels, with which the model
    /// explains most of what a fit has left; `None` where little is left, a reason is known, or only one fit was asked
    /// for.
    pub(super) fn wrong_scales(
        &self,
        estimation: &EstimationProblem,
        explanation: &Explanation,
        unknowns: &[f64],
    ) -> Option<Vec<Suspicion>> {
        let may_ask = self.approach == Approach::Automatic && self.can_grow();
        let is_asked = may_ask && explanation.has_unknown_reason();
        let before: Vec<Compared> = explanation.compared.iter().flatten().cloned().collect();
        // values of any size explain a free motion with any clock
        if may_ask
            && (is_asked || are_far(&estimation.state.parameters(), unknowns))
            && let Some(clock) = self.other_clock(estimation)
        {
            return Some(clock.suspicions(&before));
        }
        // a delay to first order is wrong by its square
        let is_late = may_ask && explanation.suspects_delay();
        if !is_late && !is_asked {
            return None;
        }
        let inputs = self.channels_of_inputs();
        let scales = if is_late { Vec::new() } else { self.with_scales(estimation, &inputs) };
        let delays = self.with_unknown_delays(estimation, unknowns).into_iter().map(|definition| {
            let words = "delays of the channels".to_owned();
            Change { definition, words, meaning: Meaning::Delays }
        });
        let may_be = |meaning: &Meaning, after: &Refit| {
            !matches!(meaning, Meaning::Gains) || after.compared.iter().any(|one| is_wrong_ratio(one.gain))
        };
        let is_cause = |meaning: &Meaning, after: &Refit| {
            let explains_enough =
                !matches!(meaning, Meaning::Delays) || after.compared.iter().all(Compared::explains_most);
            explains_enough && self.is_needed(&before, after)
        };
        let found = cause_among(vec![scales, delays.collect()], may_be, is_cause);
        Some(found.map_or_else(Vec::new, |(meaning, after)| match meaning {
            Meaning::Gains => of_gains(&after.compared, &inputs),
            Meaning::Delays => of_delays(&before, &after, estimation, inputs.first().map(|one| one.input.name())),
            Meaning::Input { input, factor, question } => {
                let (input, explained) = (input.name().to_owned(), after.explained());
                let cause = Cause::Input { input, factor, explained, question };
                let all = before.iter().filter(|one| !one.explains_most());
                all.map(|one| one.suspicion(false, cause.clone())).collect()
            }
        }))
    }

    /// Returns fits with other scales: with unknown gains of the channels, and with measured inputs in other units, or
    /// of the other sign.
    fn with_scales(&self, estimation: &EstimationProblem, inputs: &[MeasuredInput]) -> Vec<Change<Meaning>> {
        // from a wrong sign, unknowns run away before a gain crosses 0
        let signs = [(1.0, "gains of the channels"), (-1.0, "gains of the channels with the other sign")];
        let gains = signs.into_iter().filter_map(|(sign, words)| {
            let definition = self.with_gains(estimation, sign)?;
            Some(Change { definition, words: words.to_owned(), meaning: Meaning::Gains })
        });
        let otherwise = |(input, factor, question): (Input, f64, String)| {
            let definition = Self { input_factors: vec![(input, factor)], ..self.clone() };
            let words = format!("the input `{}` times {factor}", input.name());
            Change { definition, words, meaning: Meaning::Input { input, factor, question } }
        };
        gains.chain(inputs.iter().flat_map(MeasuredInput::factors).map(otherwise)).collect()
    }

    /// Makes the gains of all channels unknown, with the ratios that the sizes of the signals have at the start values,
    /// and this sign; `None` where no run is possible there.
    fn with_gains(&self, estimation: &EstimationProblem, sign: f64) -> Option<Self> {
        let start = estimation.state.parameters();
        let outputs = estimation.outputs(&start).ok()?;
        let mut ratios = estimation.experiments.iter().zip(&outputs).map(|(prepared, outputs)| {
            let channels = prepared.comparison.channels.iter();
            let ratio = channels.map(|one| scatter(&one.values) / scatter(&one.fitted(outputs, &start)));
            ratio.map(|ratio| if ratio > 0.0 && ratio.is_finite() { ratio } else { 1.0 }).collect::<Vec<f64>>()
        });
        let mut definition = self.clone();
        for (experiment, ratios) in definition.fitted_runs_mut().zip(ratios.by_ref()) {
            for (measurement, ratio) in experiment.measurements.iter_mut().zip(ratios) {
                let gain = &mut measurement.data.corrections.gain;
                if !gain.is_unknown {
                    let start = gain.value * sign * ratio;
                    *gain = Correction::unknown(start).typical(start.abs());
                }
            }
        }
        Some(definition)
    }

    /// Lists the inputs that are channels of records.
    fn channels_of_inputs(&self) -> Vec<MeasuredInput> {
        let mut all: Vec<MeasuredInput> = Vec::new();
        for experiment in self.fitted_runs() {
            let settings = self.run_settings(experiment).ok();
            let signals = settings.and_then(|settings| self.given_signals(experiment, settings.end).ok());
            for (input, signal) in signals.into_iter().flatten() {
                let InputSignal::Sampled(sampled) = &signal else { continue };
                if sampled.first_of_record().is_some() && all.iter().all(|known| known.input != input) {
                    let assumed = signal.in_unit_of(&input.into());
                    all.push(MeasuredInput { input, has_unit: assumed.is_ok_and(|(_, assumed)| assumed.is_none()) });
                }
            }
        }
        all
    }
}

/// Returns the standard deviation of a signal.
fn scatter(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Returns the suspicions that found gains show: wrong units or signs of channels; or of inputs without a unit, where
/// all channels have one gain.
fn of_gains(after: &[Compared], inputs: &[MeasuredInput]) -> Vec<Suspicion> {
    /// Ratio of two gains that are one.
    const MAX_SAME_RATIO: f64 = 1.1;
    let are_same = |a: f64, b: f64| (MAX_SAME_RATIO.recip()..MAX_SAME_RATIO).contains(&(a / b));
    let is_common = after.iter().all(|one| are_same(one.gain, after[0].gain));
    let of_channel = |one: &Compared| {
        let (gain, correlation) = (one.gain, one.agreement.all.correlation);
        // a heading with a unit may be wrong, which all of several channels show
        let is_suspected = |input: &&MeasuredInput| is_common && (!input.has_unit || after.len() > 1);
        let mut asked: Vec<String> =
            inputs.iter().filter(is_suspected).filter_map(|input| asked_of_input(input, gain)).collect();
        let by_input_alone = !asked.is_empty() && after.len() > 1;
        if asked.is_empty() && gain < 0.0 {
            return one.suspicion(false, Cause::Sign { ratio: gain, correlation: -correlation });
        }
        if asked.is_empty() || !one.has_unit {
            let of_unit = question_at_end(&one.heading, gain);
            let place = if by_input_alone { asked.len() } else { 0 };
            asked
                .insert(place, of_unit.unwrap_or_else(|| "are the unit and the gain of the channel right?".to_owned()));
        }
        let explained = significant(one.explained.unwrap_or_default(), 3);
        let question = Some(format!("{} With this gain, a fit explains {explained} %", asked.join(" Or ")));
        one.suspicion(false, Cause::Scale { ratio: gain, correlation: Some(correlation), question })
    };
    after.iter().filter(|one| is_wrong_ratio(one.gain)).map(of_channel).collect()
}

/// Returns the question about an input that would explain the ratio of measured and computed values: one whose unit is
/// known may only be of the other sign, or in another unit that has this ratio.
fn asked_of_input(&MeasuredInput { input, has_unit }: &MeasuredInput, ratio: f64) -> Option<String> {
    let (name, unit) = (input.name(), input.quantity().unit);
    if ratio < 0.0 {
        return Some(format!("is the sign of the input `{name}` reversed?"));
    }
    // the numbers of the channel are too small by this ratio
    let near = units_beside(unit).filter(|(_, of_unit)| !is_wrong_ratio(of_unit * ratio));
    let distance = |(_, of_unit): &(_, f64)| (of_unit * ratio).ln().abs();
    let other = near.min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let without = if has_unit { "" } else { ", which has no unit," };
    match other {
        Some((other, _)) => Some(format!("is the input `{name}`{without} in `{other}`, and not in `{unit}`?")),
        None if has_unit => None,
        None => Some(format!("are the unit and the gain of the input `{name}`, which has no unit, right?")),
    }
}
