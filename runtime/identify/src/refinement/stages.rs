//! The successive fits of a refinement: parts of the record, more and more knots, and breaks that are searched for.

use costate_optimize::{Method, OptimizerSettings};

use super::coverage::{courses, or_nothing, touched_of, worst};
use super::knots::with_breaks;
use super::result::{Refined, RefinedStage, changes, outputs};
use super::search::{FoundBreak, Search, first_probes};
use super::session::{Work, is_at_start, refused};
use super::start::StartingTable;
use super::steps::Stepping;
use crate::definition::Definition;
use crate::definition::approach::Approach;
use crate::definition::error::{IdentificationError, SpecificationError};
use crate::definition::weighting::Weighting;
use crate::result::fit::Fit;

/// Part of the time and divisor of the number of knots of each stage: the end of a record, such as that of a
/// resonance, depends so strongly on the tables that only good tables lead there.
const STAGES: [(f64, usize); 6] = [(0.125, 4), (0.25, 4), (0.5, 4), (1.0, 4), (1.0, 2), (1.0, 1)];

/// The tolerances of the cost: for stages that only lead to the next one, for those between which breaks move, and
/// for the last one, at which the changes of the unknowns are small parts of their standard deviations.
const ROUGH_TOLERANCE: f64 = 1e-3;
const SEARCH_TOLERANCE: f64 = 1e-5;
const FINE_TOLERANCE: f64 = 1e-7;

pub(super) fn run(mut identification: Definition, tables: Vec<StartingTable>) -> Result<Refined, IdentificationError> {
    for table in &tables {
        table.check()?;
        let data = with_breaks(&table.data, &table.breaks).map_err(|error| refused(table, error))?;
        identification.tables = identification.tables.clone().replaced(table.index, data);
    }
    identification.tables = identification.tables_in_units()?;
    identification.weighting = Weighting::Likelihood;
    // guesses of tables may lose the phase, and stages are parts already
    identification.approach = Approach::Single;
    // the error is checked below, beside the noise: a first guess may be harder to follow than the result
    identification.change_settings(|settings| settings.error_limit = None);
    // a refinement divides the steps itself
    identification.may_choose_steps = false;
    let optimizer = of_residuals(&identification.optimizer);
    let steps = Stepping::new(&identification)?;
    let bends = vec![None; tables.len()];
    let (heights, probes) = (Vec::new(), Vec::new());
    let mut work = Work { steps, identification, heights, bends, tables, probes };
    let begun = work.begun();
    match work.fits(&optimizer) {
        Err(error) if is_at_start(&error) && work.begin_straight(begun)? => {
            Ok(Refined { from_straight: true, ..work.fits(&optimizer)? })
        }
        result => result,
    }
}

impl Work {
    /// Fits repeatedly, from the guesses up to all knots.
    fn fits(&mut self, optimizer: &OptimizerSettings) -> Result<Refined, IdentificationError> {
        /// Largest number of fits of a stage with finer steps.
        const MAX_FITS: usize = 3;
        /// Residuals with the guess, in percent of the measured values, up to which the whole record is fitted at once.
        const MAX_RESIDUAL_PERCENT: f64 = 30.0;
        let of_tables = self.tables.iter().enumerate();
        self.probes =
            of_tables.flat_map(|(k, table)| table.sought.iter().map(move |at| (k, first_probes(at)))).collect();
        self.heights = self.heights_of_guesses()?;
        self.take(&self.current(), true);
        // the model may fail with the guess
        let before = or_nothing(courses(&self.identification, 1))?;
        let guesses = self.current();
        let (mut stages, mut touched) = (Vec::new(), before.as_deref().map(touched_of));
        let mut found: Option<Fit> = None;
        let mut least = before.as_deref().map_or(f64::INFINITY, worst);
        for (part, coarseness) in STAGES {
            self.identification.optimizer = within(optimizer, self.tolerance_at(coarseness));
            if part < 1.0 {
                if least <= MAX_RESIDUAL_PERCENT {
                    continue;
                }
                let kept = (self.identification.model.clone(), self.identification.tables.clone());
                if !self.beginning(part, coarseness, touched.as_deref(), &mut stages)? {
                    continue;
                }
                // the stage is kept if it brings the whole record closer to the measured values
                let courses = or_nothing(courses(&self.identification, 1))?;
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
            let mut is_finer = self.steps.make_finer(&mut self.identification, &courses, stages.last())?;
            for _ in 0..MAX_FITS {
                if is_finer {
                    let (fit, courses) = self.stage(coarseness, touched.as_deref(), &mut stages)?;
                    is_finer = self.steps.make_finer(&mut self.identification, &courses, stages.last())?;
                    touched = Some(touched_of(&courses));
                    found = Some(fit);
                }
            }
        }
        let Some(fit) = found else {
            return Err(SpecificationError::NoTable { model: self.identification.model.name() }.into());
        };
        let (fit, breaks) = self.find_breaks(fit, optimizer, touched.as_deref(), &mut stages)?;
        let after = courses(&self.identification, 1)?;
        if !breaks.is_empty() {
            // the error of the steps with the curve's final breaks
            self.steps.make_finer(&mut self.identification, &after, stages.last())?;
        }
        let outputs = outputs(&fit, before.as_deref(), &after);
        let tables = changes(&fit, &self.tables, &guesses);
        Ok(Refined { fit, outputs, tables, breaks, stages, share_of_steps: self.steps.share, from_straight: false })
    }

    /// Returns the tolerance of the cost in a stage before breaks are searched for.
    fn tolerance_at(&self, coarseness: usize) -> f64 {
        match coarseness {
            1 if self.tables.iter().all(|table| table.sought.is_empty()) => FINE_TOLERANCE,
            1 => SEARCH_TOLERANCE,
            _ => ROUGH_TOLERANCE,
        }
    }

    /// Places sought breaks where this fit has the largest evidence, and fits again with knots close to each other
    /// around them, until the breaks stay there; then fits once more with the wanted knots.
    fn find_breaks(
        &mut self,
        mut fit: Fit,
        optimizer: &OptimizerSettings,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<(Fit, Vec<FoundBreak>), IdentificationError> {
        /// Largest number of searches for breaks.
        const MAX_SEARCHES: usize = 8;
        let mut searches = Vec::new();
        for (k, table) in self.tables.iter().enumerate() {
            let of_table = table.sought.iter().enumerate();
            searches.extend(of_table.map(|(j, sought)| (k, Search::new(*sought, table.breaks.len() + j))));
        }
        for _ in 0..if searches.is_empty() { 0 } else { MAX_SEARCHES } {
            let mut settled = true;
            for (k, search) in &mut searches {
                let (table, height) = (&mut self.tables[*k], self.heights[*k]);
                settled &= search.go_on(&self.identification, &fit, table, height)?;
            }
            self.probes = searches.iter().map(|(k, search)| (*k, search.probes())).collect();
            self.identification.optimizer = within(optimizer, if settled { FINE_TOLERANCE } else { SEARCH_TOLERANCE });
            if settled {
                self.probes.clear();
            }
            match self.stage(1, touched, stages) {
                Ok((next, _)) => fit = next,
                // a run cannot follow so steep a curve: the place stays as uncertain as it is
                Err(error) if !settled && is_at_start(&error) => break,
                Err(error) => return Err(error),
            }
            if settled {
                break;
            }
        }
        if !self.probes.is_empty() {
            self.probes.clear();
            self.identification.optimizer = within(optimizer, FINE_TOLERANCE);
            fit = self.stage(1, touched, stages)?.0;
        }
        Ok((fit, searches.into_iter().filter_map(|(_, search)| search.found).collect()))
    }
}

/// Returns the settings of one stage.
fn within(of_all: &OptimizerSettings, tolerance: f64) -> OptimizerSettings {
    let mut settings = of_all.clone();
    settings.cost_tolerance = settings.cost_tolerance.max(tolerance);
    settings.small_iterations = 1;
    settings
}

/// Chooses a least-squares method, which finds dozens of values that depend on each other in a few iterations.
fn of_residuals(settings: &OptimizerSettings) -> OptimizerSettings {
    match settings.method {
        Method::GaussNewton | Method::LevenbergMarquardt => settings.clone(),
        _ => settings.clone().with_method(Method::GaussNewton),
    }
}
