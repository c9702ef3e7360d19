//! Wrong scales as the cause of a fit that explains little. Where start values are far off, the found ones bend until
//! no ratio of measured and computed values shows a wrong unit. The fit is made once more with times in other units,
//! with gains of the channels as further unknowns, and then with measured inputs in other units, or of the other sign.

use costate_cost::residuals::{Cause, Suspicion};
use costate_optimize::Iteration;
use costate_system::identifiers::Input;
use costate_system::input::InputSignal;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::correction::Correction;
use super::definition::digits::significant;
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::progress::Progress;
use super::result::explanation::Explanation;
use super::result::suspicions::{Compared, is_wrong_ratio, question_at_end, units_beside};
use super::run::LastRound;
use super::search::Search;
use super::wrong_clock::are_far;

/// Factor by which the unexplained part of a channel falls where a wrong scale was its reason.
const MIN_IMPROVEMENT: f64 = 3.0;

/// The end of a fit that is made once more.
pub(super) struct Refit {
    pub compared: Vec<Compared>,
    /// The unknowns by name.
    pub found: Vec<(String, f64)>,
}

/// A channel of a record that drives an input.
struct MeasuredInput {
    input: Input,
    has_unit: bool,
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
        let delays = || {
            let inputs: Vec<&str> = self.channels_of_inputs().iter().map(|one| one.input.name()).collect();
            self.delays(estimation, &before, unknowns, &inputs)
        };
        // a delay to first order is wrong by its square
        if may_ask && explanation.suspects_delay() {
            return Some(delays());
        }
        is_asked
            .then(|| Some(self.scales(estimation, &before)).filter(|scales| !scales.is_empty()).unwrap_or_else(delays))
    }

    /// Returns the wrong scales with which the model explains most of what a fit has left.
    fn scales(&self, estimation: &EstimationProblem, before: &[Compared]) -> Vec<Suspicion> {
        let inputs = self.channels_of_inputs();
        // from a wrong sign, unknowns run away before a gain crosses 0
        for (sign, words) in [(1.0, "gains of the channels"), (-1.0, "gains of the channels with the other sign")] {
            let with_gains = self.with_gains(estimation, sign).and_then(|with_gains| with_gains.refit(&[], words));
            if let Some(after) = with_gains
                && after.compared.iter().any(|one| is_wrong_ratio(one.gain))
                && self.is_needed(before, &after)
            {
                return of_gains(&after.compared, &inputs);
            }
        }
        let mut best: Option<(f64, Input, f64, String)> = None;
        for MeasuredInput { input, has_unit } in inputs {
            let (name, unit) = (input.name(), input.quantity().unit);
            let reversed = (-1.0, "is the sign of the input reversed?".to_owned());
            let units = units_beside(unit)
                .filter(|_| !has_unit)
                .map(|(other, ratio)| (ratio.recip(), format!("is the input in `{other}`, and not in `{unit}`?")));
            for (factor, question) in std::iter::once(reversed).chain(units) {
                let otherwise = Self { input_factors: vec![(input, factor)], ..self.clone() };
                let after = otherwise.refit(&[], &format!("the input `{name}` times {factor}"));
                let Some(after) = after.filter(|after| explains(before, &after.compared)) else { continue };
                let worst = after.compared.iter().filter_map(|one| one.explained).fold(100.0, f64::min);
                // several units may explain enough
                if best.as_ref().is_none_or(|(most, ..)| worst > *most) && self.is_needed(before, &after) {
                    best = Some((worst, input, factor, question));
                }
            }
        }
        let Some((explained, input, factor, question)) = best else { return Vec::new() };
        let of_channel = |one: &Compared| {
            let (input, question) = (input.name().to_owned(), question.clone());
            one.suspicion(false, Cause::Input { input, factor, explained, question })
        };
        before.iter().filter(|one| !one.explains_most()).map(of_channel).collect()
    }

    /// Returns true if a refit explains most of what was left, and a fit without its scales that begins where it has
    /// ended does not: else a local minimum was the reason.
    pub(super) fn is_needed(&self, before: &[Compared], after: &Refit) -> bool {
        let alone = Self { approach: Approach::Single, ..self.clone() };
        explains(before, &after.compared)
            && alone
                .refit(&after.found, "the found values as start values")
                .is_none_or(|alone| !explains(before, &alone.compared))
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

    /// Fits once more, and compares what was found.
    pub(super) fn refit(&self, start: &[(String, f64)], words: &str) -> Option<Refit> {
        let (estimation, last) = self.refit_from(start, words)?;
        let unknowns = last.round.state.parameters();
        let names = estimation.unknowns.iter().map(|unknown| unknown.name().to_owned());
        Some(Refit {
            compared: estimation.compared(&last.found, &unknowns),
            found: names.zip(unknowns.iter().copied()).collect(),
        })
    }

    /// Fits once more, without a check, from the start values or from these; the words say what is tried.
    pub(super) fn refit_from(&self, start: &[(String, f64)], words: &str) -> Option<(EstimationProblem, LastRound)> {
        self.tell_trial(words, None);
        let ended = self.refitted(start, words);
        self.tell_trial("", None);
        ended
    }

    fn refitted(&self, start: &[(String, f64)], words: &str) -> Option<(EstimationProblem, LastRound)> {
        /// Iterations at most: what is asked is how much is explained.
        const MAX_ITERATIONS: usize = 60;
        let mut definition = self.trial(MAX_ITERATIONS);
        let mut estimation = definition.prepare().ok()?;
        definition.choose_steps(&mut estimation).ok()?;
        if !start.is_empty() {
            let mut unknowns = estimation.state.parameters();
            for (unknown, value) in estimation.unknowns.iter().zip(&mut unknowns) {
                let given = start.iter().find(|(name, _)| name == unknown.name());
                *value = given.map_or(*value, |(_, given)| *given);
            }
            estimation.begin_at(&unknowns).ok()?;
        }
        definition.correct_at_start(&mut estimation).ok()?;
        let first = definition.first_round(&mut estimation, true, None).ok()?;
        let mut observer = |iteration: &Iteration| self.tell_trial(words, Some(iteration));
        let mut progress = Progress::new(false, estimation.problems()).observed_by(Some(&mut observer));
        let mut search = Search::unstored(&mut progress);
        let last = definition.rounds(&mut estimation, first, Spent::default(), &mut search).ok()?;
        Some((estimation, last))
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

/// Returns true if most of what was left of every channel is explained, and the others are explained as before.
fn explains(before: &[Compared], after: &[Compared]) -> bool {
    let left = |one: &Compared| one.explained.map_or(f64::INFINITY, |percent| 100.0 - percent);
    before.len() == after.len()
        && before.iter().zip(after).all(|(before, after)| match before.explains_most() {
            true => after.explains_most(),
            false => MIN_IMPROVEMENT * left(after) <= left(before),
        })
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
