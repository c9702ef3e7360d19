//! The state of a refinement: a single fit, and the start of the next one.

use costate_system::model::Parameter;
use costate_system::problem::SimulationError;
use costate_system::system::ModelValue;
use costate_system::table::{AnyTable, Tables};

use super::coverage::{Course, courses, percent};
use super::knots::{ResampleError, height, resampled, with_breaks};
use super::result::RefinedStage;
use super::start::{MIN_KNOTS, StartingTable};
use super::steps::Stepping;
use crate::definition::Definition;
use crate::definition::error::{IdentificationError, SpecificationError, StartValuesError};
use crate::estimation::layout::Owner;
use crate::result::fit::Fit;

pub(super) struct Work {
    pub(super) identification: Definition,
    pub(super) tables: Vec<StartingTable>,
    pub(super) heights: Vec<f64>,
    /// Bend of each table by the latest fit; `None` if not known.
    pub(super) bends: Vec<Option<f64>>,
    pub(super) steps: Stepping,
    /// Knots around breaks that are sought, with the positions of their tables.
    pub(super) probes: Vec<(usize, Vec<f64>)>,
}

/// The start of a refinement.
pub(super) struct Begun {
    model: ModelValue,
    tables: Tables,
    /// Known parameters of every experiment.
    known: Vec<Vec<(Parameter, f64)>>,
}

impl Work {
    /// Returns the current start of fits.
    pub(super) fn begun(&self) -> Begun {
        let identification = &self.identification;
        Begun {
            model: identification.model.clone(),
            tables: identification.tables.clone(),
            known: identification.experiments.iter().map(|one| one.known.clone()).collect(),
        }
    }

    /// Returns to the `begun` state, with second guesses; returns false if there are none.
    pub(super) fn begin_straight(&mut self, begun: Begun) -> Result<bool, IdentificationError> {
        (self.identification.model, self.identification.tables) = (begun.model, begun.tables);
        for (experiment, known) in self.identification.experiments.iter_mut().zip(begun.known) {
            experiment.known = known;
        }
        self.bends.fill(None);
        self.steps.divide(&mut self.identification, 1);
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

    /// Returns the current data of the tables that are refined.
    pub(super) fn current(&self) -> Vec<AnyTable> {
        let at = |table: &StartingTable| self.identification.tables.at(table.index).cloned();
        self.tables.iter().map(|table| at(table).unwrap_or_else(|| table.data.clone())).collect()
    }

    pub(super) fn heights_of_guesses(&self) -> Result<Vec<f64>, SpecificationError> {
        let of_table = |(table, data): (&StartingTable, AnyTable)| {
            let value = table.typical.unwrap_or_else(|| height(&data));
            if value > 0.0 && value.is_finite() {
                return Ok(value);
            }
            Err(SpecificationError::UnknownTable {
                table: table.name(),
                field: "typical",
                value,
                limit: "a finite number above 0, which is half of the guess's height where none is given; give one \
                     with `StartingTable::typical`",
            })
        };
        self.tables.iter().zip(self.current()).map(of_table).collect()
    }

    /// Sets the tables, and their values as unknowns.
    pub(super) fn take(&mut self, tables: &[AnyTable], is_coarse: bool) {
        self.identification.unknown_tables.clear();
        for (((table, data), height), bend) in self.tables.iter().zip(tables).zip(&self.heights).zip(&self.bends) {
            self.identification.tables = self.identification.tables.clone().replaced(table.index, data.clone());
            self.identification.unknown_tables.push(table.unknown(*height, *bend, is_coarse));
        }
    }

    /// Fits as [`stage`](Self::stage), a part of the time from the start; returns false, with the model and tables of
    /// before, if the fit has failed.
    pub(super) fn beginning(
        &mut self,
        part: f64,
        coarseness: usize,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<bool, IdentificationError> {
        let before = (self.identification.model.clone(), self.identification.tables.clone());
        let settings: Result<Vec<(f64, f64)>, SpecificationError> = self
            .identification
            .all_experiments()
            .into_iter()
            .map(|experiment| self.identification.run_settings(experiment).map(|run| (run.step, run.end)))
            .collect();
        let settings = settings?;
        let Definition { experiments, own, .. } = &mut self.identification;
        let all = if experiments.is_empty() { std::slice::from_mut(own) } else { &mut experiments[..] };
        let mut kept = Vec::new();
        for (experiment, (step, end)) in all.iter_mut().zip(settings) {
            let steps = (part * end / step).ceil().max(1.0);
            let masked = experiment.measurements.iter().map(|measurement| measurement.data.masked.len());
            kept.push((experiment.end, masked.collect::<Vec<_>>()));
            experiment.end = Some(steps * step);
            for measurement in &mut experiment.measurements {
                measurement.data.masked.push(((steps + 0.5) * step, f64::INFINITY));
            }
        }
        let result = self.stage(coarseness, touched, stages);
        let Definition { experiments, own, .. } = &mut self.identification;
        let all = if experiments.is_empty() { std::slice::from_mut(own) } else { &mut experiments[..] };
        for (experiment, (end, masked)) in all.iter_mut().zip(kept) {
            experiment.end = end;
            for (measurement, count) in experiment.measurements.iter_mut().zip(masked) {
                measurement.data.masked.truncate(count);
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

    /// Fits the wanted number of knots over `coarseness`, from the end of the previous fit; returns the fit and the
    /// runs with it.
    pub(super) fn stage(
        &mut self,
        coarseness: usize,
        touched: Option<&[Vec<[f64; 2]>]>,
        stages: &mut Vec<RefinedStage>,
    ) -> Result<(Fit, Vec<Course>), IdentificationError> {
        let mut tables = Vec::new();
        for (table, data) in self.tables.iter().zip(self.current()) {
            let knots = (table.knots / coarseness).max(MIN_KNOTS.min(table.knots));
            let of_table = touched.and_then(|all| all.get(table.index)).map_or(&[][..], Vec::as_slice);
            let probes = self.probes.iter().filter(|(of, _)| *of == tables.len());
            let probes: Vec<f64> = probes.flat_map(|(_, probes)| probes.iter().copied()).collect();
            let of_knots = resampled(&data, knots, of_table, &table.breaks, &probes);
            tables.push(of_knots.map_err(|error| refused(table, error))?);
        }
        self.take(&tables, coarseness > 1);
        let fit = self.fit_or_finer()?;
        self.go_on_from(&fit);
        let courses = courses(&self.identification, 1)?;
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

    /// Fits; with finer steps where the model cannot be simulated at the start, or the corrections of finer steps do
    /// not settle.
    fn fit_or_finer(&mut self) -> Result<Fit, IdentificationError> {
        let is_lost = |fit: &Fit| fit.summary().settings.finer_steps.is_some_and(|finer| !finer.settled);
        loop {
            match self.identification.fit(None) {
                Err(error) if !(is_at_start(&error) && self.halve_steps()) => return Err(error),
                Err(_) => (),
                Ok(fit) if is_lost(&fit) => {
                    self.go_on_from(&fit);
                    if !self.halve_steps() {
                        // derivatives cannot be finer: residuals are those of the same steps
                        self.identification.finer = 1;
                    }
                }
                Ok(fit) => return Ok(fit),
            }
        }
    }

    /// Halves the steps of derivatives; returns false if these cannot be finer.
    fn halve_steps(&mut self) -> bool {
        self.steps.divide(&mut self.identification, 2 * self.steps.parts)
    }

    /// Sets the end of a fit as the start of the next one.
    fn go_on_from(&mut self, fit: &Fit) {
        self.identification.model = fit.value().clone();
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
}

/// Converts the error of knots that a table cannot have.
pub(super) fn refused(table: &StartingTable, error: ResampleError) -> IdentificationError {
    match error {
        ResampleError::Break(source) => SpecificationError::TablePrior { table: table.name(), source }.into(),
        ResampleError::Grid(error) => {
            // knots reach as far as the motion with the first guess
            let source = SimulationError::TableValues { table: table.name(), reason: error.to_string() };
            StartValuesError::Start { source }.into()
        }
    }
}

/// Returns true if the error is that of a simulation at the start of a fit.
pub(super) fn is_at_start(error: &IdentificationError) -> bool {
    match error {
        IdentificationError::StartValues(StartValuesError::Start { .. }) => true,
        IdentificationError::Experiment { source, .. } => is_at_start(source),
        _ => false,
    }
}
