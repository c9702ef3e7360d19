//! The fits of a refinement, one after the other.

use std::borrow::Cow;

use super::course::{Channel, Course, percent, touched_of, worst};
use super::knots::{ResampleError, height, resampled, with_breaks};
use super::result::{Refined, RefinedOutput, RefinedStage, RefinedTable};
use super::search::{FoundBreak, Search, first_probes};
use super::start::{FEWEST_KNOTS, StartingTable};
use crate::gradient::touched;
use crate::identification::Identification;
use crate::identification::campaign::deferred::{distance, share_of_unknowns};
use crate::identification::campaign::layout::Owner;
use crate::identification::result::fit::Fit;
use crate::identification::said::error::IdentificationError;
use crate::identification::said::weighting::Weighting;
use crate::model::{Model, Parameter};
use crate::optimize::{Method, OptimizerSettings};
use crate::problem::{SimulationError, Steps};
use crate::table::{AnyTable, Tables};

/// Each stage fits a part of the time, with the wanted number of knots over a divisor: what comes late in a record, such as the end
/// of a resonance, depends so strongly on the tables that only good ones lead there.
const STAGES: [(f64, usize); 6] = [(0.125, 4), (0.25, 4), (0.5, 4), (1.0, 4), (1.0, 2), (1.0, 1)];

/// With a guess that leaves no more than this of what was measured, in percent, the whole record is fitted at once.
const CLOSE: f64 = 30.0;

/// The tolerances of the cost: of stages that only lead to the next one, of those between which breaks move, and of the last one, which are
/// small parts of a standard deviation of what is found.
const ROUGH: f64 = 1e-3;
const SEARCHING: f64 = 1e-5;
const FINE: f64 = 1e-7;

/// What steps may leave, in units of what the noise leaves in every unknown.
const MOST_OF_STEPS: f64 = 0.1;

/// As [`MOST_OF_STEPS`], of those that derivatives are of: what these leave is corrected.
const MOST_OF_DERIVATIVES: f64 = 2.0;

/// The most steps in place of one of those that the identification begins with; derivatives may be of so many, residuals of more.
const MOST_STEPS: usize = 10;
const MOST_FINER: usize = 40;

/// How often a stage is fitted once more with finer steps.
const MOST_FINER_FITS: usize = 3;

/// How often breaks are searched for.
const MOST_SEARCHES: usize = 8;

/// What the error of a step of second order is, in units of the difference to two steps of half the length.
const OF_HALVES: f64 = 4.0 / 3.0;

pub(super) fn run<M: Model>(
    mut identification: Identification<'_, M>,
    tables: Vec<StartingTable<M>>,
) -> Result<Refined<M>, IdentificationError> {
    for table in &tables {
        table.check()?;
        let data = with_breaks(&table.data, &table.breaks).map_err(|error| refused(table, error))?;
        identification.tables = identification.tables.clone().replaced(table.index, data);
    }
    identification.tables = identification.tables_in_units()?;
    identification.weighting = Weighting::Likelihood;
    // looked at below, beside the noise: a first guess may be harder to follow than what is found
    identification.settings.error_limit = None;
    let optimizer = of_residuals(&identification.optimizer);
    let steps = Stepping::new(&identification)?;
    let bends = vec![None; tables.len()];
    let mut work = Work { steps, identification, heights: Vec::new(), bends, tables, probes: Vec::new() };
    let begun = work.begun();
    match work.fits(&optimizer) {
        Err(error) if is_at_start(&error) && work.begin_straight(begun)? => {
            Ok(Refined { from_straight: true, ..work.fits(&optimizer)? })
        }
        result => result,
    }
}
/// What a refinement has begun with.
struct Begun<M: Model> {
    model: M,
    tables: Tables<M>,
    /// Of every experiment.
    known: Vec<Vec<(Parameter<M>, f64)>>,
}

/// How fine steps are.
struct Stepping {
    /// Of every experiment, or of the identification's own run, with which it begins.
    first: Vec<f64>,
    /// How many steps each of these is divided into; residuals may be of still finer ones.
    parts: usize,
    /// What the steps leave, in units of what the noise leaves; `None` where it is not known.
    share: Option<f64>,
}

impl Stepping {
    fn new<M: Model>(identification: &Identification<'_, M>) -> Result<Self, IdentificationError> {
        let step = |experiment| Ok(identification.run_settings(experiment)?.step);
        let first = identification.all_experiments().into_iter().map(step);
        Ok(Self { first: first.collect::<Result<_, IdentificationError>>()?, parts: 1, share: None })
    }
}

struct Work<'a, M: Model> {
    identification: Identification<'a, M>,
    tables: Vec<StartingTable<M>>,
    heights: Vec<f64>,
    /// How much each of them bends, as the latest fit has found.
    bends: Vec<Option<f64>>,
    steps: Stepping,
    /// Knots around breaks that are sought, and the positions of their tables.
    probes: Vec<(usize, Vec<f64>)>,
}

impl<M: Model> Work<'_, M> {
    /// Begins with the guesses and fits again and again, up to all knots.
    fn fits(&mut self, optimizer: &OptimizerSettings) -> Result<Refined<M>, IdentificationError> {
        let of_tables = self.tables.iter().enumerate();
        self.probes = of_tables
            .flat_map(|(k, table)| table.sought.iter().map(move |at| (k, first_probes(at))))
            .collect();
        self.heights = self.heights_of_guesses()?;
        self.take(&self.current(), true);
        // the guess may be one that cannot be simulated
        let before = or_nothing(self.courses())?;
        let guesses = self.current();
        let (mut stages, mut touched) = (Vec::new(), before.as_deref().map(touched_of));
        let mut found: Option<Fit<M>> = None;
        let mut least = before.as_deref().map_or(f64::INFINITY, worst);
        for (part, coarseness) in STAGES {
            self.identification.optimizer = within(optimizer, self.tolerance_at(coarseness));
            if part < 1.0 {
                if least <= CLOSE {
                    continue;
                }
                let kept = (self.identification.model.clone(), self.identification.tables.clone());
                if !self.beginning(part, coarseness, touched.as_deref(), &mut stages)? {
                    continue;
                }
                // it serves if it leads the whole record closer to what was measured
                let courses = or_nothing(self.courses())?;
                match courses.as_deref() {
                    Some(courses) if worst(courses) < least => {
                        (least, touched) = (worst(courses), Some(touched_of(courses)));
                    }
                    _ => (self.identification.model, self.identification.tables) = kept,
                }
                continue;
            }
            let (fit, courses) = self.stage(coarseness, touched.as_deref(), &mut stages)?;
            touched = Some(touched_of(&courses));
            found = Some(fit);
            // few unknowns follow finer steps more easily than many
            let mut is_finer = self.make_finer(&courses, stages.last())?;
            for _ in 0..MOST_FINER_FITS {
                if is_finer {
                    let (fit, courses) = self.stage(coarseness, touched.as_deref(), &mut stages)?;
                    is_finer = self.make_finer(&courses, stages.last())?;
                    touched = Some(touched_of(&courses));
                    found = Some(fit);
                }
            }
        }
        let Some(fit) = found else {
            return Err(IdentificationError::NoTable { model: M::DESCRIPTION.name });
        };
        let (fit, breaks) = self.find_breaks(fit, optimizer, touched.as_deref(), &mut stages)?;
        let after = self.courses()?;
        if !breaks.is_empty() {
            // what steps leave where the curve breaks now
            self.make_finer(&after, stages.last())?;
        }
        let outputs = outputs(&fit, before.as_deref(), &after);
        let tables = changes(&fit, &self.tables, &guesses);
        Ok(Refined {
            fit,
            outputs,
            tables,
            breaks,
            stages,
            share_of_steps: self.steps.share,
            from_straight: false,
        })
    }

    /// Of the cost, in a stage before breaks are searched for.
    fn tolerance_at(&self, coarseness: usize) -> f64 {
        match coarseness {
            1 if self.tables.iter().all(|table| table.sought.is_empty()) => FINE,
            1 => SEARCHING,
            _ => ROUGH,
        }
    }

    /// What fits go on from.
    fn begun(&self) -> Begun<M> {
        let identification = &self.identification;
        Begun {
            model: identification.model.clone(),
            tables: identification.tables.clone(),
            known: identification.experiments.iter().map(|one| one.known.clone()).collect(),
        }
    }

    /// Goes back to where it has `begun`, with second guesses; whether there are any.
    fn begin_straight(&mut self, begun: Begun<M>) -> Result<bool, IdentificationError> {
        (self.identification.model, self.identification.tables) = (begun.model, begun.tables);
        for (experiment, known) in self.identification.experiments.iter_mut().zip(begun.known) {
            experiment.known = known;
        }
        self.bends.fill(None);
        self.divide(1);
        self.identification.finer = 1;
        let mut are_any = false;
        for table in &self.tables {
            let straight = table.straight().map_err(|error| refused(table, error.into()))?;
            if let Some(straight) = straight {
                let data = with_breaks(&straight, &table.breaks).map_err(|error| refused(table, error))?;
                self.identification.tables = self.identification.tables.clone().replaced(table.index, data);
                are_any = true;
            }
        }
        Ok(are_any)
    }

    /// The tables that are refined, as they are now.
    fn current(&self) -> Vec<AnyTable> {
        let at = |table: &StartingTable<M>| self.identification.tables.at(table.index).cloned();
        self.tables.iter().map(|table| at(table).unwrap_or_else(|| table.data.clone())).collect()
    }

    fn heights_of_guesses(&self) -> Result<Vec<f64>, IdentificationError> {
        let of_table = |(table, data): (&StartingTable<M>, AnyTable)| {
            let value = table.typical.unwrap_or_else(|| height(&data));
            if value > 0.0 && value.is_finite() {
                return Ok(value);
            }
            Err(IdentificationError::UnknownTable {
                table: table.name(),
                field: "typical",
                value,
                limit: "a finite number above 0, which is half of the guess's height where none is given; give one with `StartingTable::typical`",
            })
        };
        self.tables.iter().zip(self.current()).map(of_table).collect()
    }

    /// Goes on from these tables.
    fn take(&mut self, tables: &[AnyTable], is_coarse: bool) {
        self.identification.unknown_tables.clear();
        for (((table, data), height), bend) in
            self.tables.iter().zip(tables).zip(&self.heights).zip(&self.bends)
        {
            self.identification.tables =
                self.identification.tables.clone().replaced(table.index, data.clone());
            self.identification.unknown_tables.push(table.unknown(*height, *bend, is_coarse));
        }
    }

    /// As [`stage`](Self::stage), of a part of the time from the start; whether it has led anywhere.
    fn beginning(
        &mut self,
        part: f64,
        coarseness: usize,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<bool, IdentificationError> {
        let before = (self.identification.model.clone(), self.identification.tables.clone());
        let settings: Result<Vec<(f64, f64)>, IdentificationError> = self
            .identification
            .all_experiments()
            .into_iter()
            .map(|experiment| self.identification.run_settings(experiment).map(|run| (run.step, run.end)))
            .collect();
        let settings = settings?;
        let Identification { experiments, own, .. } = &mut self.identification;
        let all = if experiments.is_empty() { std::slice::from_mut(own) } else { &mut experiments[..] };
        let mut kept = Vec::new();
        for (experiment, (step, end)) in all.iter_mut().zip(settings) {
            let steps = (part * end / step).ceil().max(1.0);
            let masked = experiment.measurements.iter().map(|measurement| measurement.masked.len());
            kept.push((experiment.end, masked.collect::<Vec<_>>()));
            experiment.end = Some(steps * step);
            for measurement in &mut experiment.measurements {
                measurement.masked.push(((steps + 0.5) * step, f64::INFINITY));
            }
        }
        let result = self.stage(coarseness, touched, stages);
        let Identification { experiments, own, .. } = &mut self.identification;
        let all = if experiments.is_empty() { std::slice::from_mut(own) } else { &mut experiments[..] };
        for (experiment, (end, masked)) in all.iter_mut().zip(kept) {
            experiment.end = end;
            for (measurement, count) in experiment.measurements.iter_mut().zip(masked) {
                measurement.masked.truncate(count);
            }
        }
        match result {
            Ok(_) => Ok(true),
            Err(error @ IdentificationError::Interrupted(_)) => Err(error),
            Err(_) => {
                (self.identification.model, self.identification.tables) = before;
                Ok(false)
            }
        }
    }

    /// A fit with the wanted knots over `coarseness`, from where the one before has ended, and the run with what it found.
    fn stage(
        &mut self,
        coarseness: usize,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<(Fit<M>, Vec<Course>), IdentificationError> {
        let mut tables = Vec::new();
        for (table, data) in self.tables.iter().zip(self.current()) {
            let knots = (table.knots / coarseness).max(FEWEST_KNOTS.min(table.knots));
            let of_table = touched.and_then(|all| all.get(table.index)).map_or(&[][..], Vec::as_slice);
            let probes = self.probes.iter().filter(|(of, _)| *of == tables.len());
            let probes: Vec<f64> = probes.flat_map(|(_, probes)| probes.iter().copied()).collect();
            let of_knots = resampled(&data, knots, of_table, &table.breaks, &probes);
            tables.push(of_knots.map_err(|error| refused(table, error))?);
        }
        self.take(&tables, coarseness > 1);
        let fit = self.fit_or_finer()?;
        self.go_on_from(&fit);
        let courses = self.courses()?;
        let summary = fit.summary();
        stages.push(RefinedStage {
            unknowns: summary.covariance.len(),
            step: summary.settings.runs.iter().map(|run| run.step).fold(f64::INFINITY, f64::min)
                / summary.settings.finer_steps.map_or(1, |finer| finer.parts) as f64,
            end: summary.settings.runs.iter().map(|run| run.end).fold(0.0, f64::max),
            iterations: summary.iterations,
            residual_percent: courses.iter().flat_map(|course| &course.channels).map(percent).collect(),
        });
        Ok((fit, courses))
    }

    /// Places breaks that are sought where this fit tells, and fits again with knots close to each other around them, until they stay
    /// there; then once more with the wanted knots.
    fn find_breaks(
        &mut self,
        mut fit: Fit<M>,
        optimizer: &OptimizerSettings,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<(Fit<M>, Vec<FoundBreak>), IdentificationError> {
        let mut searches = Vec::new();
        for (k, table) in self.tables.iter().enumerate() {
            let of_table = table.sought.iter().enumerate();
            searches.extend(of_table.map(|(j, sought)| (k, Search::new(*sought, table.breaks.len() + j))));
        }
        for _ in 0..if searches.is_empty() { 0 } else { MOST_SEARCHES } {
            let mut settled = true;
            for (k, search) in &mut searches {
                let (table, height) = (&mut self.tables[*k], self.heights[*k]);
                settled &= search.go_on(&self.identification, &fit, table, height)?;
            }
            self.probes = searches.iter().map(|(k, search)| (*k, search.probes())).collect();
            self.identification.optimizer = within(optimizer, if settled { FINE } else { SEARCHING });
            if settled {
                self.probes.clear();
            }
            match self.stage(1, touched, stages) {
                Ok((next, _)) => fit = next,
                // what is that steep cannot be followed: the place is known no better
                Err(error) if !settled && is_at_start(&error) => break,
                Err(error) => return Err(error),
            }
            if settled {
                break;
            }
        }
        if !self.probes.is_empty() {
            self.probes.clear();
            self.identification.optimizer = within(optimizer, FINE);
            fit = self.stage(1, touched, stages)?.0;
        }
        Ok((fit, searches.into_iter().filter_map(|(_, search)| search.found).collect()))
    }

    /// A fit; with finer steps where the model cannot be simulated at the start, or derivatives do not lead to where finer steps fit.
    fn fit_or_finer(&mut self) -> Result<Fit<M>, IdentificationError> {
        let is_lost = |fit: &Fit<M>| fit.summary().settings.finer_steps.is_some_and(|finer| !finer.settled);
        loop {
            match self.identification.run_again() {
                Err(error) if is_at_start(&error) && self.divide(2 * self.steps.parts) => (),
                Err(error) => return Err(error),
                Ok(fit) if is_lost(&fit) => {
                    self.go_on_from(&fit);
                    if !self.divide(2 * self.steps.parts) {
                        // no derivatives are finer: a fit of their own steps
                        self.identification.finer = 1;
                    }
                }
                Ok(fit) => return Ok(fit),
            }
        }
    }

    /// Divides the first steps into so many parts, and residuals' steps into no more than before; whether these are other steps than before.
    fn divide(&mut self, parts: usize) -> bool {
        let parts = parts.min(MOST_STEPS);
        if parts == self.steps.parts || matches!(self.identification.settings.steps, Steps::Adaptive { .. }) {
            return false;
        }
        let finest = self.identification.finer * self.steps.parts;
        self.steps.parts = parts;
        self.identification.finer = finest.div_ceil(parts);
        let step = |first: &f64| Some(first / parts as f64);
        let Identification { experiments, own, .. } = &mut self.identification;
        match &mut experiments[..] {
            [] => own.step = self.steps.first.first().and_then(step),
            several => {
                for (experiment, first) in several.iter_mut().zip(&self.steps.first) {
                    experiment.step = step(first);
                }
            }
        }
        true
    }

    /// Begins where a fit has ended.
    fn go_on_from(&mut self, fit: &Fit<M>) {
        self.identification.model = fit.model().clone();
        self.identification.tables = fit.tables().clone();
        for (bend, fitted) in self.bends.iter_mut().zip(&fit.summary().tables) {
            *bend = fitted.bend.filter(|found| *found > 0.0 && found.is_finite() && !fitted.bend_at_limit);
        }
        let own: Vec<_> = self
            .identification
            .unknowns
            .iter()
            .filter(|(_, owner)| *owner != Owner::All)
            .map(|(unknown, _)| unknown.parameter())
            .collect();
        for experiment in self.identification.experiments.iter_mut().filter(|one| !one.validates) {
            if let Some(fitted) = fit.experiment(&experiment.name) {
                for &parameter in &own {
                    experiment.known.retain(|(known, _)| *known != parameter);
                    experiment.known.push((parameter, fitted.parameter(parameter)));
                }
            }
        }
    }

    /// The runs at the present values.
    fn courses(&self) -> Result<Vec<Course>, IdentificationError> {
        self.courses_in(1)
    }

    /// As [`courses`](Self::courses), with every step divided into so many parts.
    fn courses_in(&self, parts: usize) -> Result<Vec<Course>, IdentificationError> {
        let campaign = self.identification.prepare_in(parts * self.identification.finer)?;
        let unknowns = campaign.state.parameters();
        let mut courses = Vec::new();
        for prepared in &campaign.experiments {
            let course = || -> Result<Course, SimulationError> {
                let problem: Cow<'_, _> = prepared.problem_at(&unknowns)?;
                let mut run = problem.run(&prepared.parameters(&unknowns))?;
                let channels = prepared.comparison.channels.iter().map(|channel| Channel {
                    values: channel.values.clone(),
                    fitted: channel.fitted(run.outputs(), &unknowns),
                });
                let channels = channels.collect();
                Ok(Course { channels, touched: touched(&problem, &mut run)? })
            };
            let named = |error: SimulationError| campaign.in_experiment(prepared.number, error.into());
            courses.push(course().map_err(named)?);
        }
        Ok(courses)
    }

    /// Makes steps finer where they leave too much beside the noise, with the knots of the last stage; whether they are finer now.
    fn make_finer(
        &mut self,
        courses: &[Course],
        stage: Option<&RefinedStage>,
    ) -> Result<bool, IdentificationError> {
        let has_costs = self.identification.all_experiments().iter().any(|one| !one.costs.is_empty());
        // costs belong to the steps that they were made for
        if has_costs || matches!(self.identification.settings.steps, Steps::Adaptive { .. }) {
            return Ok(false);
        }
        let unknowns = stage.map_or(1, |stage| stage.unknowns);
        // steps at which the model cannot be simulated say nothing
        let Some(finer) = or_nothing(self.courses_in(2))? else { return Ok(false) };
        let mut most = 0.0_f64;
        let pairs =
            courses.iter().zip(&finer).flat_map(|(one, other)| one.channels.iter().zip(&other.channels));
        for (channel, finer) in pairs {
            let of_steps = OF_HALVES * distance(&channel.fitted, &finer.fitted);
            let of_noise = distance(&channel.fitted, &channel.values);
            // spread over all unknowns as the noise is
            let share = share_of_unknowns(of_steps / of_noise, channel.values.len(), unknowns);
            most = most.max(share);
        }
        self.steps.share = most.is_finite().then_some(most);
        if most.is_nan() || most <= MOST_OF_STEPS {
            return Ok(false);
        }
        // of second order
        let before = self.identification.finer * self.steps.parts;
        let for_share =
            |share: f64| (before as f64 * (most / share).sqrt()).ceil().min(MOST_FINER as f64) as usize;
        let parts = for_share(MOST_OF_DERIVATIVES).max(self.steps.parts);
        self.divide(parts);
        self.identification.finer = for_share(MOST_OF_STEPS).max(before).div_ceil(self.steps.parts);
        Ok(self.identification.finer * self.steps.parts > before)
    }
}

/// Why a table has no such knots.
fn refused<M: Model>(table: &StartingTable<M>, error: ResampleError) -> IdentificationError {
    match error {
        ResampleError::Break(source) => IdentificationError::TablePrior { table: table.name(), source },
        ResampleError::Grid(error) => {
            SimulationError::TableValues { table: table.name(), reason: error.to_string() }.into()
        }
    }
}

/// The settings of one stage.
fn within(of_all: &OptimizerSettings, tolerance: f64) -> OptimizerSettings {
    let mut settings = of_all.clone();
    settings.cost_tolerance = settings.cost_tolerance.max(tolerance);
    settings.small_iterations = 1;
    settings
}

/// With a method of least squares, which finds dozens of values that depend on each other in a few iterations.
fn of_residuals(settings: &OptimizerSettings) -> OptimizerSettings {
    match settings.method {
        Method::GaussNewton | Method::LevenbergMarquardt { .. } => settings.clone(),
        _ => settings.clone().with_method(Method::GaussNewton),
    }
}

/// Whether the model cannot be simulated where a fit begins.
fn is_at_start(error: &IdentificationError) -> bool {
    match error {
        IdentificationError::Start { .. } => true,
        IdentificationError::Experiment { source, .. } => is_at_start(source),
        _ => false,
    }
}

/// Nothing where the model cannot be simulated.
fn or_nothing<T>(result: Result<T, IdentificationError>) -> Result<Option<T>, IdentificationError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(IdentificationError::Simulation(error)) if !error.fails_anywhere() => Ok(None),
        Err(IdentificationError::Experiment { source, .. }) if matches!(&*source, IdentificationError::Simulation(error) if !error.fails_anywhere()) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn outputs<M: Model>(fit: &Fit<M>, before: Option<&[Course]>, after: &[Course]) -> Vec<RefinedOutput> {
    let of_all = |courses: &[Course]| -> Vec<f64> {
        courses.iter().flat_map(|course| &course.channels).map(percent).collect()
    };
    let before = before.map(of_all);
    let measured = fit.summary().measurements.iter().zip(of_all(after)).enumerate();
    let output = measured.map(|(k, (measured, after_percent))| RefinedOutput {
        experiment: measured.experiment.clone(),
        output: measured.output,
        before_percent: before.as_ref().and_then(|all| all.get(k).copied()),
        after_percent,
    });
    output.collect()
}

fn changes<M: Model>(fit: &Fit<M>, tables: &[StartingTable<M>], guesses: &[AnyTable]) -> Vec<RefinedTable> {
    let change = |(table, guess): (&StartingTable<M>, &AnyTable)| {
        let found = fit.tables().at(table.index)?;
        let (at_knots, found) = match (guess, found) {
            (AnyTable::Curve(guess), AnyTable::Curve(found)) => {
                (found.knots().iter().map(|x| guess.value(*x)).collect::<Vec<_>>(), found.values())
            }
            (AnyTable::Surface(guess), AnyTable::Surface(found)) => {
                let [x, y] = found.knots();
                let values = x.iter().flat_map(|x| y.iter().map(|y| guess.value(*x, *y)));
                (values.collect(), found.values())
            }
            _ => return None,
        };
        let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
        let level = vec![mean; found.len()];
        let change_percent = 100.0 * distance(&at_knots, &found) / distance(&level, &found);
        Some(RefinedTable { table: table.name(), knots: found.len(), change_percent })
    };
    tables.iter().zip(guesses).filter_map(change).collect()
}
