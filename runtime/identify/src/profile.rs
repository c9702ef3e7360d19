//! Likelihood profiles: how far each unknown may move while all others are fitted again.

use serde::Serialize;

use costate_cost::residuals::student_quantile;
use costate_system::causes::with_causes;
use costate_system::ensemble::{Ensemble, Failure, Task, Tasks};
use costate_system::gradient::GradientMethod;
use costate_system::interrupt::{Interrupt, Interrupted, InterruptedWork};

use super::conditional_minimum::minimum;
use super::definition::error::{IdentificationError, RequestError};
use super::estimation::experiment_problem::EstimationProblem;
use super::profile_side::{Follower, MAX_FLAT_RISE, ProfileEnd, ProfilePoint, Side};
use super::result::fit::Fit;
use super::result::summary::FitSummary;
use super::solved::Solved;

/// Settings of likelihood profiles.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProfileSettings {
    /// The probability that an interval covers the truth. Default 0.95.
    pub level: f64,
    /// Names of the unknowns that are profiled, as in [`FittedParameter::name`](super::FittedParameter::name); if
    /// empty, all but the values of unknown inputs and tables.
    pub unknowns: Vec<String>,
    /// Largest number of points on each side. Default 20.
    pub points: usize,
}

impl Default for ProfileSettings {
    fn default() -> Self {
        Self { level: 0.95, unknowns: Vec::new(), points: 20 }
    }
}

impl ProfileSettings {
    /// Sets the probability that an interval covers the truth, between 0 and 1.
    #[must_use]
    pub fn with_level(mut self, level: f64) -> Self {
        self.level = level;
        self
    }

    /// Makes profiles of these unknowns alone.
    #[must_use]
    pub fn with_unknowns(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.unknowns = names.into_iter().map(Into::into).collect();
        self
    }

    /// Takes at most so many points on each side.
    #[must_use]
    pub fn with_points(mut self, points: usize) -> Self {
        self.points = points;
        self
    }
}

/// Identifiability of an unknown from the data (Raue et al., Structural and practical identifiability analysis,
/// Bioinformatics 25, 2009).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Identifiability {
    /// The profile rises beyond the level on both sides, before any other unknown meets a bound.
    Identifiable,
    /// The profile has a minimum, but does not rise beyond the level on both sides, as far as it was followed or up
    /// to a bound of the unknown or of another one: more or better data would determine the unknown.
    PracticallyNot,
    /// The profile is flat as far as it was followed, or up to a bound: other unknowns compensate every change,
    /// whatever is measured.
    StructurallyNot,
}

/// The profile of one unknown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Profile {
    /// The unknown's name.
    pub name: String,
    /// Unit of the unknown.
    pub unit: &'static str,
    /// Value of the unknown at the fit.
    pub found: f64,
    /// Points by increasing value, including the fit.
    pub points: Vec<ProfilePoint>,
    /// The interval that covers the truth with the requested probability.
    pub interval: [ProfileEnd; 2],
    /// Other unknowns that are at a bound of theirs at each end of the interval, and so determine where it ends.
    pub others_at_bound: [Vec<String>; 2],
    /// The interval by the standard deviation.
    pub linear_interval: [f64; 2],
    /// Identifiability by the shape of the profile.
    pub identifiability: Identifiability,
    /// Other unknowns that change along the profile, each with its change from the first point to the last one
    /// divided by that of the profiled unknown, each in its unit. Those that are small for their unknown are left out.
    pub combination: Vec<(String, f64)>,
    /// Units of the other unknowns in [`combination`](Self::combination).
    #[serde(skip)]
    pub(crate) combined_units: Vec<&'static str>,
    /// True if a point has a lower cost than the fit: then the fit is another minimum, and should be repeated from
    /// such a [point](Self::points).
    pub lower_cost_found: bool,
}

/// Profiles of the unknowns of a fit; [`Display`](std::fmt::Display) prints them as a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
#[non_exhaustive]
pub struct Profiles {
    /// Profiles, in the order of the unknowns.
    pub profiles: Vec<Profile>,
}

impl<M> Fit<M> {
    /// Minimises along every unknown: at values further and further from the found one, from neighbour to neighbour,
    /// with all others free, until the cost exceeds the requested level. Unlike intervals by standard deviations,
    /// profiles are right where the model is not linear in the unknowns, and show which unknowns are not determined,
    /// and why. Profiles run on all cores. Residuals are weighed by their deviations
    /// ([`Weighting::Likelihood`](super::Weighting::Likelihood)), which stay those of the fit; a fit with other weights
    /// continues from its minimum with these.
    ///
    /// The level is that of Student's distribution; its degrees of freedom are the number of samples less that of the
    /// unknowns.
    ///
    /// # Errors
    /// [`SpecificationError::NeedsLikelihood`](crate::SpecificationError::NeedsLikelihood) with weights of
    /// measurements, [`RequestError::Level`], [`RequestError::UnknownName`], [`RequestError::UnknownDeviations`],
    /// [`IdentificationError::Interrupted`], [`IdentificationError::Ensemble`], and those of a fit.
    pub fn profiles(&self, settings: &ProfileSettings) -> Result<Profiles, IdentificationError> {
        self.profiles_in(&Ensemble::new(), settings)
    }

    /// Does as [`profiles`](Self::profiles), in shards or by several processes, with logs from which the work
    /// continues.
    ///
    /// # Errors
    /// As [`profiles`](Self::profiles).
    pub fn profiles_in(
        &self,
        ensemble: &Ensemble<'_>,
        settings: &ProfileSettings,
    ) -> Result<Profiles, IdentificationError> {
        if !(settings.level > 0.0 && settings.level < 1.0) {
            return Err(RequestError::Level { level: settings.level }.into());
        }
        let solved = self.simulated("a profile")?;
        let wanted = solved.estimation.numbers_of(&settings.unknowns)?;
        if solved.estimation.by_likelihood {
            solved.estimation.check_deviations()?;
            return solved.profiles(self.summary(), wanted, (settings, ensemble));
        }
        let fit = solved.by_likelihood("a profile")?;
        fit.solved.estimation.check_deviations()?;
        fit.solved.profiles(fit.summary(), wanted, (settings, ensemble))
    }
}

/// Data that all profiles of a fit have in common.
struct Setting<'c> {
    estimation: &'c EstimationProblem,
    gradient_method: GradientMethod,
    interrupt: Interrupt,
    optimum: Vec<f64>,
    cost: f64,
    /// Distance in standard deviations at which the level is reached.
    distance: f64,
    points: usize,
}

impl Solved {
    fn profiles(
        &self,
        fit: &FitSummary,
        wanted: Vec<usize>,
        (settings, ensemble): (&ProfileSettings, &Ensemble<'_>),
    ) -> Result<Profiles, IdentificationError> {
        let Self { definition, estimation, .. } = self;
        let mut setting = Setting {
            estimation,
            gradient_method: definition.gradient_method,
            interrupt: definition.run.interrupt.clone(),
            optimum: self.unknowns.clone(),
            cost: self.cost,
            distance: student_quantile(0.5 + 0.5 * settings.level, fit.degrees_of_freedom),
            points: settings.points.max(2),
        };
        setting.polish()?;
        let sides: Vec<_> = wanted.iter().flat_map(|&k| [(k, -1.0), (k, 1.0)]).collect();
        let names: Vec<_> = wanted.iter().map(|&k| estimation.unknowns[k].name()).collect();
        let mut description = self.description.clone();
        description.text("the profiled unknowns", names.join(", "));
        description.number("the level", settings.level);
        description.text("the points on a side", settings.points);
        let follow = |task: &Task| {
            let (k, direction) = sides[task.number()];
            let setting = setting.interrupted_by(task.interrupt());
            let side = setting.side(k, direction, &fit.parameters[k]);
            side.map_err(|error| Failure::new(with_causes(&error)))
        };
        let tasks = Tasks::new("profiles", sides.len()).described(description);
        let ensemble = ensemble.clone().interrupt(definition.run.interrupt.clone());
        let outcomes = ensemble.run(&tasks, follow, |_, _| ())?;
        if outcomes.is_interrupted() {
            let work = InterruptedWork::Profiles { sides: outcomes.done(), all: outcomes.tasks() };
            return Err(Interrupted::with_folder(work, ensemble.logs()).into());
        }
        let sides = outcomes.complete()?.into_iter().map(|outcome| outcome.result);
        let sides: Result<Vec<Side>, _> = sides.collect();
        let sides = sides.map_err(|failure| IdentificationError::Task { message: failure.error });
        let mut sides = sides?.into_iter();
        let mut profiles = Vec::with_capacity(wanted.len());
        for k in wanted {
            if let (Some(below), Some(above)) = (sides.next(), sides.next()) {
                profiles.push(setting.profile(k, below, above, &fit.parameters[k]));
            }
        }
        Ok(Profiles { profiles })
    }
}

impl EstimationProblem {
    /// Returns the indices of the unknowns with these names; without names those of all but the values of unknown
    /// inputs and tables.
    fn numbers_of(&self, names: &[String]) -> Result<Vec<usize>, RequestError> {
        if names.is_empty() {
            let all = (0..self.unknowns.len()).filter(|&k| self.unknowns[k].part_of.is_none());
            return Ok(all.collect());
        }
        let number = |name: &String| {
            let found = self.unknowns.iter().position(|unknown| unknown.name() == name);
            found.ok_or_else(|| RequestError::UnknownName {
                name: name.clone(),
                unknowns: self.unknowns.iter().map(|unknown| unknown.name().to_owned()).collect(),
            })
        };
        names.iter().map(number).collect()
    }
}

impl Setting<'_> {
    /// Completes the minimisation of the fit, so that no profile falls below the fit because its search stopped
    /// early.
    fn polish(&mut self) -> Result<(), IdentificationError> {
        let (cost, unknowns) = self.minimum(None, &self.optimum)?;
        if cost < self.cost {
            (self.cost, self.optimum) = (cost, unknowns);
        }
        Ok(())
    }

    /// Returns a copy that is stopped by another flag.
    fn interrupted_by(&self, interrupt: &Interrupt) -> Self {
        Self { interrupt: interrupt.clone(), optimum: self.optimum.clone(), ..*self }
    }

    /// Minimises the cost from `start`, with one unknown fixed at a value or all of them free; returns the least cost
    /// and the unknowns there.
    fn minimum(&self, fixed: Option<(usize, f64)>, start: &[f64]) -> Result<(f64, Vec<f64>), IdentificationError> {
        minimum(self.estimation, (self.gradient_method, &self.interrupt), fixed, start)
    }

    /// Follows the profile of unknown k in one direction.
    fn side(&self, k: usize, direction: f64, fitted: &super::FittedParameter) -> Result<Side, IdentificationError> {
        let follower = Follower {
            variables: self.estimation.state.variables(),
            optimum: &self.optimum,
            cost: self.cost,
            distance: self.distance,
            points: self.points,
            minimum: &|k, value, start| self.minimum(Some((k, value)), start),
        };
        follower.side(k, direction, fitted.standard_deviation)
    }

    fn profile(&self, k: usize, below: Side, above: Side, fitted: &super::FittedParameter) -> Profile {
        let optimum = ProfilePoint { value: self.optimum[k], rise: 0.0, unknowns: self.optimum.clone() };
        let mut points: Vec<_> = below.points.into_iter().chain([optimum]).chain(above.points).collect();
        points.sort_by(|a, b| a.value.total_cmp(&b.value));
        let highest = below.highest.max(above.highest);
        let interval = [below.end, above.end];
        let level = self.distance * self.distance;
        let is_told = below.others_at_bound.is_empty() && above.others_at_bound.is_empty();
        let identifiability = match interval {
            [ProfileEnd::At(_), ProfileEnd::At(_)] if is_told => Identifiability::Identifiable,
            _ if highest < MAX_FLAT_RISE * level => Identifiability::StructurallyNot,
            _ => Identifiability::PracticallyNot,
        };
        let half_width = self.distance * fitted.standard_deviation;
        let combination = self.combination(k, &points);
        Profile {
            name: fitted.name.clone(),
            unit: fitted.unit,
            found: self.optimum[k],
            interval,
            others_at_bound: [below.others_at_bound, above.others_at_bound],
            linear_interval: [fitted.found - half_width, fitted.found + half_width],
            identifiability,
            combined_units: combination.iter().map(|(j, _)| self.estimation.unknowns[*j].unit).collect(),
            combination: combination
                .into_iter()
                .map(|(j, change)| (self.estimation.unknowns[j].name().to_owned(), change))
                .collect(),
            lower_cost_found: points.iter().any(|point| point.rise < -MAX_FLAT_RISE * level),
            points,
        }
    }

    /// Returns the indices of the other unknowns that change along a profile, and their changes divided by that of the
    /// profiled one, in their units.
    fn combination(&self, k: usize, points: &[ProfilePoint]) -> Vec<(usize, f64)> {
        /// Relative changes along a profile below this part of the largest change are left out of its combination.
        const MIN_RELATIVE_CHANGE: f64 = 0.05;
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
        let variables = self.estimation.state.variables();
        let change = |j: usize| last.unknowns[j] - first.unknowns[j];
        let size = |j: usize| variables[j].starting_with(self.optimum[j]).slope(self.optimum[j]);
        let others = (0..variables.len()).filter(|j| *j != k).map(|j| (j, change(j) / change(k)));
        let others: Vec<_> = others.filter(|(_, ratio)| ratio.is_finite()).collect();
        let relative = |(j, ratio): &(usize, f64)| (ratio * size(k) / size(*j)).abs();
        let largest = others.iter().map(relative).fold(1.0, f64::max);
        others.into_iter().filter(|one| relative(one) > MIN_RELATIVE_CHANGE * largest).collect()
    }
}
