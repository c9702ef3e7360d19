//! Wrong scales, signs and senses of angles of measured responses, and delays, as the cause of a fit that does not
//! explain them. The fit is made once more with each of these changes.

use std::f64::consts::TAU;

use costate_cost::residuals::{Cause, ResponseChange, Suspicion};
use costate_system::prediction::PredictedGroup;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::curve::{CurveChange, Meaning, angular_frequency, meaning};
use super::estimation::experiment_problem::EstimationProblem;
use super::refits::Steps;
use super::response_units::question;
use super::result::compared_curves::ComparedCurve;
use super::result::explanation::Explanation;
use super::result::suspicions::{Compared, is_wrong_ratio};

/// Factor by which the residuals of all responses fall where a change is their reason and explains most: that of
/// channels in time.
const MIN_IMPROVEMENT: f64 = 3.0;

/// Part of a response, in residuals over numbers, that is more than noise though no test was possible.
const MAX_UNEXPLAINED: f64 = 0.5;

/// The changes of all responses that a fit tries.
type Trial = Vec<Option<CurveChange>>;

/// The end of a fit with changed responses.
struct Tried {
    curves: Vec<ComparedCurve>,
    compared: Vec<Option<Compared>>,
    is_sufficient: bool,
    /// Gain and delay of every response.
    changes: Vec<(f64, f64)>,
    /// The unknowns by name.
    found: Vec<(String, f64)>,
}

/// Measured and computed numbers of a response, as sizes and angles, with 2 pi f.
struct Numbers {
    omega: Vec<f64>,
    measured: Vec<(f64, f64)>,
    computed: Vec<(f64, f64)>,
}

impl Definition {
    /// Returns the wrong scales, signs, senses of angles or delays of measured responses with which the model explains
    /// most of what a fit has left of them.
    pub(super) fn wrong_responses(
        &self,
        estimation: &EstimationProblem,
        explanation: &Explanation,
        unknowns: &[f64],
    ) -> Vec<Suspicion> {
        let before = &explanation.curves;
        if self.approach != Approach::Automatic || !before.iter().any(is_unexplained) {
            return Vec::new();
        }
        let names = estimation.unknowns.iter().map(|unknown| unknown.name().to_owned());
        let found: Vec<(String, f64)> = names.zip(unknowns.iter().copied()).collect();
        for (at, start) in [(estimation.state.parameters(), &[][..]), (unknowns.to_vec(), &found)] {
            let mut best: Option<(Trial, Tried)> = None;
            for trial in trials(estimation, before, &at) {
                let Some(tried) = self.tried(before, &trial, start) else { continue };
                let is_better = best.as_ref().is_none_or(|(_, best)| left(&tried.curves) < left(&best.curves));
                if is_better && tried.explains(explanation, &trial) && !named(before, &trial, &tried).is_empty() {
                    best = Some((trial, tried));
                }
            }
            let Some((trial, tried)) = best else { continue };
            let alone = Self { approach: Approach::Single, ..self.clone() };
            let unchanged = vec![None; before.len()];
            let alone = alone.tried(before, &unchanged, &tried.found);
            // else a local minimum was the reason
            if alone.is_none_or(|alone| !alone.explains(explanation, &unchanged)) {
                return named(before, &trial, &tried);
            }
        }
        Vec::new()
    }

    /// Fits once more with changed responses.
    fn tried(&self, before: &[ComparedCurve], trial: &[Option<CurveChange>], start: &[(String, f64)]) -> Option<Tried> {
        /// Part of a response, in residuals over numbers, that rounding in files and the search leave.
        const MAX_ROUNDING: f64 = 1e-3;
        let mut definition = self.clone();
        let fitted = definition.fitted_experiments_mut();
        for (index, prediction) in fitted.flat_map(|one| &mut one.predictions).enumerate() {
            let changes = before.iter().zip(trial).filter(|(curve, _)| curve.prediction == index);
            prediction.changes = changes.filter_map(|(_, change)| change.clone()).collect();
        }
        let (estimation, last) =
            definition.refit_from(start, "other scales and delays of the responses", Steps::Fine)?;
        let unknowns = last.round.state.parameters();
        let explanation = Explanation::of(&estimation, &last.found, &last.rows, &unknowns);
        let change = |one: &ComparedCurve| {
            let changes = &estimation.predictions.get(one.prediction)?.changes;
            let change = changes.iter().find(|change| change.curve == one.curve)?;
            Some((change.gain.of(&unknowns), change.delay.of(&unknowns)))
        };
        let names = estimation.unknowns.iter().map(|unknown| unknown.name().to_owned());
        Some(Tried {
            is_sufficient: match explanation.verdict {
                Some(_) => !explanation.is_insufficient(),
                // no test is possible, or numbers have no noise
                None => left(&explanation.curves) < MAX_ROUNDING,
            },
            changes: explanation.curves.iter().map(|one| change(one).unwrap_or((1.0, 0.0))).collect(),
            curves: explanation.curves,
            compared: explanation.compared,
            found: names.zip(unknowns.iter().copied()).collect(),
        })
    }
}

impl Tried {
    /// Returns true if most of what was left of the responses is explained, and all others are explained as before. A
    /// delay, and a ratio of no units, are numbers by which incomplete models may be bent: nothing but noise may be
    /// left.
    fn explains(&self, before: &Explanation, trial: &[Option<CurveChange>]) -> bool {
        /// Part of a response, in residuals over numbers, that may be left where tests still contradict the model.
        const MAX_LEFT: f64 = 0.1;
        /// Factor by which the residuals fall where no test contradicts the model any more: more than by chance with
        /// the fewest numbers that are tested, twenty.
        const MIN_IMPROVEMENT_TO_NOISE: f64 = 1.1;
        /// Factor by which residuals of a response that was explained may grow.
        const MAX_GROWTH: f64 = 2.0;
        let improvement = left(&before.curves) / left(&self.curves);
        let is_kept = before.compared.iter().zip(&self.compared).all(|(before, after)| match (before, after) {
            (Some(before), Some(after)) => !before.explains_most() || after.explains_most(),
            _ => true,
        });
        let pairs = before.curves.iter().zip(&self.curves);
        let mut known = pairs.filter(|(before, _)| !is_unexplained(before));
        let is_noise = self.is_sufficient
            && improvement >= MIN_IMPROVEMENT_TO_NOISE
            && self.curves.iter().all(|one| one.left <= MAX_UNEXPLAINED && !one.explains_little());
        let is_most = self.curves.iter().all(|one| one.left <= MAX_LEFT) && improvement >= MIN_IMPROVEMENT;
        let changes = before.curves.iter().zip(trial).zip(&self.changes);
        let mut kinds = changes
            .filter_map(|((one, change), (gain, delay))| Some(Kind::of(change.as_ref()?, &one.heading, *gain, *delay)));
        is_kept
            && known.all(|(before, after)| after.left <= MAX_GROWTH * before.left)
            && (is_noise || is_most)
            && kinds.all(|kind| match kind {
                Kind::Discrete => true,
                Kind::Free => is_noise,
                Kind::Lead => is_noise && improvement >= MIN_IMPROVEMENT,
                Kind::Bent => false,
            })
    }
}

/// Ways in which a change may bend an incomplete model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A sign, a sense of angles, or the ratio of two units.
    Discrete,
    /// A number of any value.
    Free,
    /// A negative delay, which missing friction makes as well.
    Lead,
    /// A ratio of no units that is as small as an incomplete model makes it.
    Bent,
}

impl Kind {
    fn of(change: &CurveChange, heading: &str, gain: f64, delay: f64) -> Self {
        /// Ratio, or its inverse, of no units that no model is bent to: that from which on start values show units.
        const MIN_FREE_RATIO: f64 = 6.0;
        let size = gain.abs();
        match () {
            () if change.delay.is_some() => {
                if delay < 0.0 {
                    Self::Lead
                } else {
                    Self::Free
                }
            }
            () if !is_wrong_ratio(size) || question(heading, gain).is_some() => Self::Discrete,
            () if size.max(size.recip()) > MIN_FREE_RATIO => Self::Free,
            () => Self::Bent,
        }
    }
}

/// Returns true if tests contradict a response, or little of it is explained.
fn is_unexplained(curve: &ComparedCurve) -> bool {
    curve.is_contradicted || curve.explains_little() || curve.left > MAX_UNEXPLAINED
}

/// Returns the residuals of all responses relative to their numbers.
fn left(curves: &[ComparedCurve]) -> f64 {
    curves.iter().map(|one| one.left).fold(0.0, f64::hypot)
}

/// Returns the changes that are tried, beginning with computed responses at these unknowns.
fn trials(estimation: &EstimationProblem, before: &[ComparedCurve], unknowns: &[f64]) -> Vec<Trial> {
    /// Responses at most that are changed one by one as well.
    const MAX_ALONE: usize = 6;
    let numbers: Vec<Option<Numbers>> = before.iter().map(|one| Numbers::of(estimation, one, unknowns)).collect();
    let change =
        |one: &ComparedCurve| CurveChange { curve: one.curve.clone(), gain: None, is_conjugate: false, delay: None };
    let unexplained: Vec<usize> = (0..before.len()).filter(|at| is_unexplained(&before[*at])).collect();
    // all responses, and each one alone
    let mut changed = vec![(0..before.len()).collect::<Vec<usize>>()];
    if (2..=MAX_ALONE).contains(&before.len()) {
        changed.extend(unexplained.iter().map(|at| vec![*at]));
    }
    let gains = |negative: &[usize]| -> Trial {
        let each = before.iter().zip(&numbers).enumerate();
        let each = each.map(|(at, (one, numbers))| {
            let size = numbers.as_ref().map_or(1.0, Numbers::size_ratio);
            let sign = if negative.contains(&at) { -1.0 } else { 1.0 };
            Some(CurveChange { gain: Some(sign * size), ..change(one) })
        });
        each.collect()
    };
    let has_phase = |at: &usize| before[*at].curve.has_phase;
    let conjugates = |changed: &Vec<usize>| -> Trial {
        let is_changed = |at: usize| changed.contains(&at) && has_phase(&at);
        let each = before.iter().enumerate();
        each.map(|(at, one)| is_changed(at).then(|| CurveChange { is_conjugate: true, ..change(one) })).collect()
    };
    let delays = || -> Trial {
        let each = before.iter().zip(&numbers);
        let each = each.map(|(one, numbers)| {
            let delay = numbers.as_ref().filter(|_| one.curve.has_phase).and_then(Numbers::delay);
            delay.map(|delay| CurveChange { delay: Some(delay), ..change(one) })
        });
        each.collect()
    };
    let mut all = vec![gains(&[])];
    all.extend(changed.iter().filter(|changed| changed.iter().any(has_phase)).map(|changed| gains(changed)));
    all.extend(changed.iter().map(conjugates));
    all.push(delays());
    all.retain(|trial| trial.iter().any(Option::is_some));
    all
}

/// Returns the suspicions that found changes show.
fn named(before: &[ComparedCurve], trial: &[Option<CurveChange>], tried: &Tried) -> Vec<Suspicion> {
    /// Part of the largest angle of all responses by which the angles of a response are turned by a delay that is told.
    const MIN_PART: f64 = 0.1;
    let explained = tried.curves.iter().filter_map(|one| one.explained).fold(100.0, f64::min);
    let longest = tried.changes.iter().fold(0.0_f64, |longest, (_, delay)| longest.max(delay.abs()));
    let each = before.iter().zip(trial).zip(&tried.changes);
    let each = each.filter_map(|((one, change), &(gain, delay))| {
        let change = change.as_ref()?;
        let (change, question) = match () {
            () if change.is_conjugate => (ResponseChange::Conjugate, None),
            () if change.delay.is_some() => {
                let is_told = delay.abs() > MIN_PART * longest;
                (is_told.then_some(ResponseChange::Delay { delay })?, None)
            }
            () if !is_wrong_ratio(gain) => return None,
            () if !is_wrong_ratio(-gain) => (ResponseChange::Sign, None),
            () => (ResponseChange::Scale { ratio: gain }, question(&one.heading, gain)),
        };
        let cause = Cause::Response { change, explained, question };
        let (channel, experiment) = (one.name.clone(), one.experiment.clone());
        Some(Suspicion { channel, experiment, at_start: false, cause })
    });
    each.collect()
}

impl Numbers {
    /// Returns the numbers of a response with what is computed of it at these unknowns.
    fn of(estimation: &EstimationProblem, curve: &ComparedCurve, unknowns: &[f64]) -> Option<Self> {
        let predicted = estimation.predictions.get(curve.prediction)?;
        let outputs = predicted.outputs(unknowns).ok()?;
        let measured = predicted.measured(&curve.curve)?;
        let (mut of_measured, mut of_computed): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        let mut groups: Vec<&PredictedGroup> = Vec::new();
        for (_, group, channel) in measured {
            groups.push(predicted.prediction.groups().get(group.index)?);
            of_measured.push(channel.values.clone());
            of_computed.push(channel.fitted(&outputs, unknowns));
        }
        let first = *groups.first()?;
        let polar = |numbers: &[Vec<f64>], k: usize| {
            let second = numbers.get(1).and_then(|second| second.get(k)).copied().unwrap_or(0.0);
            let number = numbers[0][k];
            match meaning(first) {
                Some(Meaning::Part) => (number.hypot(second), second.atan2(number)),
                Some(Meaning::Decibels) => (10_f64.powf(number / 20.0), second),
                _ => (number, second),
            }
        };
        let count = 0..first.places.len();
        Some(Self {
            omega: count.clone().map(|k| angular_frequency(first, k)).collect(),
            measured: count.clone().map(|k| polar(&of_measured, k)).collect(),
            computed: count.map(|k| polar(&of_computed, k)).collect(),
        })
    }

    /// Returns the ratio of measured and computed sizes, the mean of logarithms; 1 without any.
    fn size_ratio(&self) -> f64 {
        let pairs = self.measured.iter().zip(&self.computed);
        let logarithms: Vec<f64> = pairs.map(|((y, _), (s, _))| (y / s).ln()).filter(|log| log.is_finite()).collect();
        (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
    }

    /// Returns the delay with which the measured angles are most like the computed ones, and a typical change of it;
    /// `None` where the numbers are not over a frequency. Angles of lines at even distances do not tell longer delays
    /// than half of the inverse distance.
    fn delay(&self) -> Option<(f64, f64)> {
        /// Lines at most that are compared, with each delay.
        const MAX_LINES: usize = 500;
        /// Delays that are tried in a period of the highest frequency.
        const DELAYS: f64 = 8.0;
        let stride = self.omega.len().div_ceil(MAX_LINES).max(1);
        let (first, last) = self.omega.first().zip(self.omega.last()).filter(|(first, last)| last > first)?;
        let differences = self.measured.iter().zip(&self.computed).map(|((_, y), (_, s))| y - s);
        let lines: Vec<(f64, f64)> = self.omega.iter().copied().zip(differences).step_by(stride).collect();
        let longest = std::f64::consts::PI * lines.len().saturating_sub(1) as f64 / (last - first);
        let step = TAU / (DELAYS * last);
        let likeness = |delay: f64| {
            let turned = lines.iter().map(|(omega, angle)| angle + omega * delay);
            let (sine, cosine) = turned.fold((0.0, 0.0), |(s, c), angle: f64| (s + angle.sin(), c + angle.cos()));
            f64::hypot(sine, cosine)
        };
        let count = (longest / step) as i64;
        let delays = (-count..=count).map(|k| k as f64 * step);
        let best = delays.max_by(|a, b| likeness(*a).total_cmp(&likeness(*b)))?;
        Some((best, step))
    }
}
