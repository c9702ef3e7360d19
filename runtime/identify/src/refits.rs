//! Fits that are made once more with a change that may be the cause of what a fit has left.

use costate_optimize::Iteration;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::progress::Progress;
use super::result::suspicions::Compared;
use super::run::LastRound;
use super::search::Search;

/// Factor by which the unexplained part of a channel falls where a wrong scale was its reason.
const MIN_IMPROVEMENT: f64 = 3.0;

/// The end of a fit that is made once more.
pub(super) struct Refit {
    pub compared: Vec<Compared>,
    /// The unknowns by name.
    pub found: Vec<(String, f64)>,
}

/// Steps of a fit that is made once more, where it chooses them.
pub(super) enum Steps {
    /// Steps so long that what is wrong can just be seen.
    Rough,
    /// Steps of a result.
    Fine,
}

/// A change of an identification that may be the cause of what a fit has left.
pub(super) struct Change<M> {
    pub definition: Definition,
    /// The change in words, for the progress.
    pub words: String,
    /// The meaning of the change.
    pub meaning: M,
}

/// Returns the meaning of the change that is the cause, and the fit with it: of the first group that has one, the one
/// that explains most. Every change is tried with one simulation of every record; where none is the cause, the most
/// promising one of every group that `may_be` is tried in pieces and growing parts as well, which take ten times as
/// long.
pub(super) fn cause_among<M>(
    groups: Vec<Vec<Change<M>>>,
    may_be: impl Fn(&M, &Refit) -> bool,
    is_cause: impl Fn(&M, &Refit) -> bool,
) -> Option<(M, Refit)> {
    let mut promising = Vec::new();
    for changes in groups {
        let tried = changes.into_iter().filter_map(|change| {
            let after = change.alone().refit(&[], &change.words).filter(|after| may_be(&change.meaning, after))?;
            Some((change, after))
        });
        let mut tried: Vec<(Change<M>, Refit)> = tried.collect();
        tried.sort_by(|(_, one), (_, other)| other.explained().total_cmp(&one.explained()));
        if let Some(place) = tried.iter().position(|(change, after)| is_cause(&change.meaning, after)) {
            let (change, after) = tried.swap_remove(place);
            let after = change.in_fine_steps(after);
            return Some((change.meaning, after));
        }
        promising.extend(tried.into_iter().next().map(|(change, _)| change));
    }
    promising.into_iter().find_map(|change| {
        let after = change.definition.refit(&[], &change.words)?;
        let is_found = may_be(&change.meaning, &after) && is_cause(&change.meaning, &after);
        let after = is_found.then(|| change.in_fine_steps(after))?;
        Some((change.meaning, after))
    })
}

impl<M> Change<M> {
    /// Returns the fit by one simulation of every record.
    fn alone(&self) -> Definition {
        Definition { approach: Approach::Single, ..self.definition.clone() }
    }

    /// Returns the end of the fit in the steps of a result, from where it has ended in rough ones.
    fn in_fine_steps(&self, after: Refit) -> Refit {
        let alone = self.alone();
        if !alone.chooses_steps() {
            return after;
        }
        let finer = alone.refit_from(&after.found, &self.words, Steps::Fine);
        finer.map_or(after, |(estimation, last)| Refit::of(&estimation, &last))
    }
}

impl Refit {
    fn of(estimation: &EstimationProblem, last: &LastRound) -> Self {
        let unknowns = last.round.state.parameters();
        let names = estimation.unknowns.iter().map(|unknown| unknown.name().to_owned());
        Self {
            compared: estimation.compared(&last.found, &unknowns),
            found: names.zip(unknowns.iter().copied()).collect(),
        }
    }

    /// Returns the part in % of the channel of which the least is explained; nothing of one is whose computed values
    /// are not finite.
    pub fn explained(&self) -> f64 {
        let percents = self.compared.iter().filter_map(|one| one.explained);
        percents.map(|percent| if percent.is_nan() { f64::NEG_INFINITY } else { percent }).fold(100.0, f64::min)
    }
}

impl Definition {
    /// Returns true if a refit explains most of what was left, and a fit without its scales that begins where it has
    /// ended does not: else a local minimum was the reason.
    pub(super) fn is_needed(&self, before: &[Compared], after: &Refit) -> bool {
        let alone = Self { approach: Approach::Single, ..self.clone() };
        explains(before, &after.compared)
            && alone
                .refit(&after.found, "the found values as start values")
                .is_none_or(|alone| !explains(before, &alone.compared))
    }

    /// Fits once more in rough steps, and compares what was found.
    fn refit(&self, start: &[(String, f64)], words: &str) -> Option<Refit> {
        let (estimation, last) = self.refit_from(start, words, Steps::Rough)?;
        Some(Refit::of(&estimation, &last))
    }

    /// Fits once more, without a check, from the start values or from these; the words say what is tried.
    pub(super) fn refit_from(
        &self,
        start: &[(String, f64)],
        words: &str,
        steps: Steps,
    ) -> Option<(EstimationProblem, LastRound)> {
        self.tell_trial(words, None);
        let ended = self.refitted(start, words, steps);
        self.tell_trial("", None);
        ended
    }

    fn refitted(&self, start: &[(String, f64)], words: &str, steps: Steps) -> Option<(EstimationProblem, LastRound)> {
        /// Iterations at most: what is asked is how much is explained.
        const MAX_ITERATIONS: usize = 60;
        let mut definition = self.trial(MAX_ITERATIONS);
        if let Steps::Rough = steps {
            definition.choice = None;
        }
        let mut estimation = definition.prepare().ok()?;
        match steps {
            Steps::Rough => definition.choose_rough_steps(&mut estimation).ok()?,
            Steps::Fine => definition.choose_steps(&mut estimation).ok()?,
        }
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
