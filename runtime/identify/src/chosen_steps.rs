//! The choice of steps and order by a fit: those with the fewest steps whose errors are small beside the noise.

use costate_cost::residuals::root_mean_square;
use costate_numerics::scalar::largest::largest;
use costate_system::problem::{Problem, Remedy, SimulationError};

use super::check::noise_of;
use super::definition::Definition;
use super::definition::error::{IdentificationError, StartValuesError};
use super::definition::experiment::ExperimentDefinition;
use super::definition::noise::ChannelErrors;
use super::definition::step_choice::{MAX_PARTS, StepChoice};
use super::estimation::covariance::ChannelRows;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::observed::Observed;
use super::estimation::progress::Progress;
use super::estimation::reweighting::Round;
use super::estimation::step_shift::Other;
use super::higher_order::ERROR_OF_DIFFERENCE;
use super::result::summary::ChosenSteps;
use super::thresholds::NOTICEABLE_SHIFT;

/// Largest error of a measured value by the steps, in units of its noise.
pub(super) const MAX_ERROR: f64 = 0.1;

/// Largest error of a value where no noise is known, relative to the range of the channel: that with which the command
/// looks for the step of a run.
const MAX_RELATIVE_ERROR: f64 = 1e-3;

/// Largest shift of an unknown, as a part of `NOTICEABLE_SHIFT`, since errors at the found values are others than at
/// the start.
const MARGIN: f64 = 0.8;

/// Largest error, in units of the allowed one; not a number where runs cannot be compared.
type Judge<'j> = &'j mut dyn FnMut(&[Other], &[Other]) -> f64;

/// The number of steps of the runs of all experiments, and their residuals.
type Compared = (usize, Vec<Other>);

/// Runs in other steps, and of another order, from the same unknowns.
struct Trials<'a> {
    definition: Definition,
    unknowns: &'a [f64],
    errors: &'a [ChannelErrors],
    /// Parts and order of the runs so far, with their number of steps and their residuals; `None` for those that fail.
    known: Vec<(usize, u32, Option<Compared>)>,
}

impl Trials<'_> {
    /// Returns the number of steps of runs, and their residuals; `None` where there are more than `most` steps.
    fn run(&mut self, parts: usize, order: u32, most: usize) -> Option<&Compared> {
        let place = match self.known.iter().position(|(own, other, _)| (*own, *other) == (parts, order)) {
            Some(place) => place,
            None => {
                self.definition.choice = Some(StepChoice { parts, order, ..StepChoice::FIRST });
                let mut trial = self.definition.prepare().ok().filter(|trial| trial.steps_of_runs() <= most)?;
                trial.set_errors(self.errors);
                let run = trial.compared_runs(self.unknowns).map(|runs| (trial.steps_of_runs(), runs));
                self.known.push((parts, order, run));
                self.known.len() - 1
            }
        };
        self.known[place].2.as_ref()
    }

    /// Returns the error with so many parts, in units of the allowed one, by runs with half the steps.
    fn error(&mut self, parts: usize, order: u32, judge: Judge<'_>) -> Option<f64> {
        self.run(parts, order, usize::MAX)?;
        self.run(2 * parts, order, usize::MAX)?;
        let all = |wanted| self.known.iter().find(|(own, other, _)| (*own, *other) == (wanted, order));
        let runs = |wanted| all(wanted).and_then(|(_, _, run)| Some(&run.as_ref()?.1));
        let error = judge(runs(parts)?, runs(2 * parts)?);
        error.is_finite().then_some(error)
    }

    /// Finds the fewest parts with which runs of this order are accurate enough with at most so many steps, up to twice
    /// as many as the most that were measured; returns the parts and the number of steps.
    fn least(&mut self, order: u32, most: usize, judge: Judge<'_>) -> Option<(usize, usize)> {
        let mut measured = 1;
        loop {
            let of_measured = self.run(measured, order, most)?.0;
            let error = self.error(measured, order, judge)?;
            let parts = if error <= 1.0 { measured } else { more(measured, error, order) };
            let steps = of_measured / measured * parts;
            if steps > most {
                return None;
            }
            if parts <= 2 * measured {
                return Some((parts, steps));
            }
            measured *= 2;
        }
    }
}

/// Returns the number of parts with which an error would be the allowed one.
fn more(parts: usize, error: f64, order: u32) -> usize {
    let wanted = (parts as f64 * error.powf(1.0 / f64::from(order))).ceil();
    (wanted.min(2.0 * MAX_PARTS as f64) as usize).max(parts + 1)
}

impl Definition {
    /// Chooses steps and order at the start values, where none are given, for errors that are small beside the noise of
    /// the channels, and that shift no unknown. The sampling interval stays the step where the errors do not fall with
    /// the steps.
    pub(super) fn choose_steps(&mut self, estimation: &mut EstimationProblem) -> Result<(), IdentificationError> {
        self.choose_steps_within(estimation, &limits_of)
    }

    /// Chooses steps whose errors do not hide what is wrong with a fit, where none are given.
    pub(super) fn choose_rough_steps(&mut self, estimation: &mut EstimationProblem) -> Result<(), IdentificationError> {
        /// Largest error of a value, relative to the range of the channel, or to the residuals at the start where these
        /// are larger: a fit that explains most leaves ten times as much.
        const MAX_RELATIVE_ERROR: f64 = 1e-2;
        self.choose_steps_within(estimation, &|estimation, own| {
            let limit = |(channel, rows): (&Observed, &ChannelRows)| {
                let of_range = Limit::of_range(channel, MAX_RELATIVE_ERROR);
                Limit { error: of_range.error.max(MAX_RELATIVE_ERROR * size(&rows.residuals)), ..of_range }
            };
            channels_of(estimation, own).map(limit).collect()
        })
    }

    fn choose_steps_within(
        &mut self,
        estimation: &mut EstimationProblem,
        limits_of: &dyn Fn(&EstimationProblem, &[Other]) -> Vec<Limit>,
    ) -> Result<(), IdentificationError> {
        if !self.chooses_steps() || self.choice.is_some() {
            return Ok(());
        }
        let unknowns = estimation.state.parameters();
        let mut limits: Option<Vec<Limit>> = None;
        let chosen = self.chosen((estimation, &[]), &unknowns, &mut |own, finer| {
            let limits = limits.get_or_insert_with(|| limits_of(estimation, own));
            largest(limits.iter().zip(differences(own, finer)).map(|(limit, all)| limit.exceeded_by(&all)))
        });
        // without memory for it, no choice is made
        if let Some(finer) = chosen.and_then(|choice| self.with_choice(choice, estimation).ok()) {
            *estimation = finer;
        }
        self.choice.get_or_insert(StepChoice::FIRST);
        Ok(())
    }

    /// Goes on with steps and order that were chosen before.
    pub(super) fn take_up(
        &mut self,
        choice: Option<StepChoice>,
        estimation: &mut EstimationProblem,
    ) -> Result<(), IdentificationError> {
        if let Some(choice) = choice {
            *estimation = self.with_choice(choice, estimation)?;
        }
        Ok(())
    }

    /// Halves the steps that were chosen; returns false if they were not, or cannot be shorter.
    pub(super) fn halve_chosen(&mut self, estimation: &mut EstimationProblem) -> Result<bool, IdentificationError> {
        let halved = |choice: StepChoice| StepChoice { parts: 2 * choice.parts, ..choice };
        let Some(choice) = self.choice.map(halved).filter(|choice| choice.is_possible()) else { return Ok(false) };
        *estimation = self.with_choice(choice, estimation)?;
        Ok(true)
    }

    /// Says which steps and order were chosen, if they were.
    pub(super) fn tell_steps(&self, estimation: &EstimationProblem, progress: &Progress<'_>) {
        let Some(chosen) = self.chosen_steps(estimation) else { return };
        progress.say(&chosen.to_string());
        if let Some(listener) = &self.steps_listener {
            listener(&chosen);
        }
    }

    /// Returns the chosen steps and order with what they cost; `None` where none were chosen.
    pub(super) fn chosen_steps(&self, estimation: &EstimationProblem) -> Option<ChosenSteps> {
        let choice = self.choice.filter(|_| self.chooses_steps())?;
        let settings = || estimation.problems().map(Problem::settings);
        let first = settings().next()?;
        Some(ChosenSteps {
            step: settings().all(|other| other.step == first.step).then_some(first.step),
            parts: choice.parts,
            order: first.order,
            steps: estimation.steps_of_runs(),
            of_second_order: choice.of_second_order,
            renewals: choice.renewals,
        })
    }

    /// Chooses steps and order again where the errors of the present ones shift the found unknowns, or are no longer
    /// small beside the `noise` of the channels. `rows` are those of the fit, by the unknowns times `scales`; their
    /// residuals are overwritten.
    pub(super) fn chosen_again(
        &self,
        (estimation, round): (&EstimationProblem, &Round),
        rows: &mut [ChannelRows],
        (scales, deviations): (&[f64], &[f64]),
        noise: &[f64],
    ) -> Option<StepChoice> {
        /// Number of times that steps are chosen again at most.
        const MAX_RENEWALS: usize = 3;
        let present = self.choice.unwrap_or(StepChoice::FIRST);
        if present.renewals >= MAX_RENEWALS {
            return None;
        }
        let unknowns = round.state.parameters();
        let chosen = self.chosen((estimation, &round.errors), &unknowns, &mut |own, finer| {
            let Some(shifts) = estimation.shifts_between((own, finer), rows, (&unknowns, scales)) else {
                return f64::NAN;
            };
            let shifted = shifts.iter().zip(deviations).filter(|(_, deviation)| deviation.is_finite());
            let shifted = shifted.map(|(shift, deviation)| shift.abs() / (MARGIN * NOTICEABLE_SHIFT * deviation));
            let errors = differences(own, finer).zip(noise).map(|(all, noise)| size(&all) / (MAX_ERROR * noise));
            ERROR_OF_DIFFERENCE * largest(shifted.chain(errors))
        });
        let renewals = present.renewals + 1;
        let is_finer = |choice: &StepChoice| choice.parts > present.parts || choice.order > present.order;
        chosen.filter(is_finer).map(|choice| StepChoice { renewals, ..choice })
    }

    /// Chooses the parts and the order with the fewest steps with which runs are accurate enough.
    fn chosen(
        &self,
        (estimation, errors): (&EstimationProblem, &[ChannelErrors]),
        unknowns: &[f64],
        judge: Judge<'_>,
    ) -> Option<StepChoice> {
        /// Least factor by which halving the steps reduces errors that a shorter step can make small.
        const MIN_REDUCTION: f64 = 1.5;
        /// First numbers of parts that are tried: longer steps may have no solution, or lose the phase, so that errors
        /// are as large as the motion.
        const FIRST: [usize; 5] = [1, 2, 4, 8, 16];
        let mut trials = Trials { definition: self.clone(), unknowns, errors, known: Vec::new() };
        let falling = FIRST.into_iter().find_map(|parts| {
            let error = trials.error(parts, 2, judge)?;
            let finer = if error <= 1.0 { 0.0 } else { trials.error(2 * parts, 2, judge)? };
            (finer * MIN_REDUCTION <= error).then_some((parts, error, finer))
        });
        let (first, error, finer) = falling?;
        if error <= 1.0 {
            return Some(StepChoice { parts: first, ..StepChoice::FIRST });
        }
        let parts = if finer <= 1.0 { 2 * first } else { more(2 * first, finer, 2) };
        let of_interval = trials.run(first, 2, usize::MAX)?.0 / first;
        let steps = of_interval * parts;
        let mut best = (parts.min(MAX_PARTS), 2, steps);
        for order in [4, 6] {
            if self.may_be_of_high_order(estimation)
                && let Some((parts, steps)) = trials.least(order, (best.2 - 1).min(of_interval * MAX_PARTS), judge)
            {
                best = (parts, order, steps);
            }
        }
        let (parts, order, _) = best;
        Some(StepChoice { parts, order, of_second_order: (order > 2).then_some(steps), renewals: 0 })
    }

    /// Returns true if runs can have a high order: pieces, and derivatives with respect to inputs, take order 2, and an
    /// order that is given stays.
    fn may_be_of_high_order(&self, estimation: &EstimationProblem) -> bool {
        let is_given = |one: &&ExperimentDefinition| self.run_of(one).settings.order != 2;
        !self.approach.is_in_pieces()
            && !self.fitted_runs().iter().any(is_given)
            && estimation.experiments.iter().all(|prepared| prepared.driven.is_empty())
    }

    /// Prepares the campaign with the chosen steps and order.
    pub(super) fn with_choice(
        &mut self,
        choice: StepChoice,
        estimation: &EstimationProblem,
    ) -> Result<EstimationProblem, IdentificationError> {
        let before = self.choice.replace(choice);
        let prepared = self.prepare();
        match prepared {
            Ok(mut prepared) => {
                prepared.begin_at(&estimation.state.parameters())?;
                Ok(prepared)
            }
            Err(error) => {
                self.choice = before;
                Err(error)
            }
        }
    }
}

/// Returns true for the error of a run whose steps are too long at the start values.
pub(super) fn is_of_steps(error: &IdentificationError) -> bool {
    match error {
        IdentificationError::Experiment { source, .. } => is_of_steps(source),
        IdentificationError::StartValues(StartValuesError::Start { source }) => match source {
            SimulationError::Inaccurate(inaccuracy) => matches!(inaccuracy.remedy, Remedy::Step { .. }),
            SimulationError::UnseenChange(_) => true,
            _ => false,
        },
        _ => false,
    }
}

/// Returns true if the errors of the steps are not small beside the noise of a channel, whose residuals are no
/// rounding.
pub(super) fn exceeds_noise(
    estimation: &EstimationProblem,
    found: &[LinearizedRun],
    (unknowns, noise): (&[f64], &[f64]),
) -> bool {
    /// Root mean square of residuals relative to that of measured values up to which residuals count as zero.
    const MAX_EXPLAINED_RESIDUAL: f64 = 1e-6;
    // those of the channels, in turn
    let mut deviations = noise.iter();
    estimation.experiments.iter().zip(found).any(|(prepared, found)| {
        prepared.comparison.channels.iter().zip(&mut deviations).any(|(channel, noise)| {
            let is_noise = channel.given_deviation.is_some()
                || *noise > MAX_EXPLAINED_RESIDUAL * root_mean_square(&channel.values);
            is_noise && found.step_error(channel, unknowns).is_some_and(|error| error > MAX_ERROR * noise)
        })
    })
}

/// The allowed errors of one channel.
struct Limit {
    /// Largest error of a value.
    error: f64,
    /// Largest root of the sum of the squares of all errors: those in units of the noise bound the shift of any unknown
    /// in its deviations.
    together: f64,
}

impl Limit {
    /// Returns the limit of errors that are at most this part of the range of a channel.
    fn of_range(observed: &Observed, part: f64) -> Self {
        let range = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
        let (low, high) = observed.values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        Self { error: part * (high - low), together: f64::INFINITY }
    }

    /// Returns the errors of a run by these differences, in units of the allowed ones.
    fn exceeded_by(&self, differences: &[f64]) -> f64 {
        let together = root_mean_square(differences) * (differences.len() as f64).sqrt();
        ERROR_OF_DIFFERENCE * (size(differences) / self.error).max(together / self.together)
    }
}

/// Returns the allowed errors of every channel, by the noise of its values, or by their range where no noise is
/// known.
fn limits_of(estimation: &EstimationProblem, own: &[Other]) -> Vec<Limit> {
    let limit = |(observed, rows): (&Observed, &ChannelRows)| match noise_of(observed, &rows.residuals) {
        (noise, true) => Limit { error: MAX_ERROR * noise, together: MARGIN * NOTICEABLE_SHIFT * noise },
        (_, false) => Limit::of_range(observed, MAX_RELATIVE_ERROR),
    };
    channels_of(estimation, own).map(limit).collect()
}

/// Returns every channel with its residuals.
fn channels_of<'r>(
    estimation: &'r EstimationProblem,
    own: &'r [Other],
) -> impl Iterator<Item = (&'r Observed, &'r ChannelRows)> {
    let channels = estimation.experiments.iter().flat_map(|prepared| &prepared.comparison.channels);
    channels.zip(own.iter().flat_map(|of_it| &of_it.channels))
}

/// Returns the differences of the residuals of every channel.
fn differences<'r>(own: &'r [Other], finer: &'r [Other]) -> impl Iterator<Item = Vec<f64>> + 'r {
    let all = |runs: &'r [Other]| runs.iter().flat_map(|of_it| &of_it.channels);
    let pairs = all(own).zip(all(finer));
    pairs.map(|(own, finer)| own.residuals.iter().zip(&finer.residuals).map(|(own, finer)| own - finer).collect())
}

/// Returns the largest magnitude; NaN if one of them is.
fn size(values: &[f64]) -> f64 {
    largest(values.iter().map(|value| value.abs()))
}
