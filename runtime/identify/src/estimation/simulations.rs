//! Cost and gradient of one experiment by simulation.

use costate_numerics::scalar::LANES;
use costate_optimize::LinearResiduals;
use costate_system::gradient::{self, Columns, GradientMethod};
use costate_system::problem::{Problem, SimulationError};
use costate_system::run::StoredRun;
use costate_system::series::Series;

use super::covariance::ChannelRows;
use super::experiment_problem::ExperimentProblem;
use super::linearized_run::LinearizedRun;
use super::tables_at::TableUnknowns;

/// Smallest number of runs for which lanes are faster than single runs.
pub(super) const MIN_IN_LANES: usize = 3;

/// Derivatives, with the indices of the unknowns.
type NumberedDerivatives = Vec<(usize, f64)>;

/// Derivatives of outputs, with the indices of the unknowns.
pub(crate) type NumberedSeries = Vec<(usize, Series<f64>)>;

/// A run, and the unknowns on which it depends.
struct Known<R> {
    unknowns: Vec<f64>,
    run: R,
}

impl ExperimentProblem {
    /// The outputs, without derivatives, and how accurate they are.
    pub fn simulated(&self, unknowns: &[f64]) -> Result<LinearizedRun, SimulationError> {
        let problem = self.problem_at(unknowns)?;
        let run = problem.run(&self.parameters(unknowns))?;
        let accuracy = run.trajectory().map(|states| gradient::accuracy(&problem, states, run.outputs()));
        let accuracy = accuracy.transpose()?;
        Ok(LinearizedRun { accuracy, outputs: run.into_outputs(), derivatives: Vec::new(), parts: 1 })
    }

    /// The derivatives of a cost of `run`, a run of `problem`, by the unknown parameters, and by what inputs and tables
    /// depend on, with indices.
    fn adjoint(
        &self,
        problem: &Problem,
        run: &mut StoredRun,
        by_outputs: &Series<f64>,
        unknowns: &[f64],
    ) -> Result<(Vec<f64>, NumberedDerivatives), SimulationError> {
        let wanted = self.wanted_tables();
        let of_inputs = !self.driven.is_empty();
        let parameters = &self.selection.parameters;
        let others = (of_inputs, &wanted[..]);
        let found = self.model.full_gradient(problem, run.into(), by_outputs, parameters, others)?;
        let mut others = Vec::new();
        if let Some(by_inputs) = &found.by_inputs {
            let changes = self.driven.changes(problem, unknowns).into_iter();
            others.extend(changes.map(|(unknown, change)| (unknown, change.derivative(by_inputs))));
        }
        for table in self.tables.iter() {
            if let Some(Some(by_values)) = found.by_tables.get(table.index) {
                others.extend(table.unknowns().zip(table.coordinates.by_coordinates(by_values)));
            }
        }
        Ok((found.by_parameters, others))
    }

    /// The derivatives of the compared outputs of `run`, a run of `problem`, by the unknowns.
    fn compared_derivatives(
        &self,
        problem: &Problem,
        run: &mut StoredRun,
        unknowns: &[f64],
    ) -> Result<NumberedSeries, SimulationError> {
        let compared = self.comparison.compared_outputs(run.outputs().width());
        self.derivatives(problem, run, unknowns, &compared)
    }

    /// The derivatives of these outputs of `run`, a run of `problem`, by the unknowns: parameters first, then what
    /// inputs depend on.
    fn derivatives(
        &self,
        problem: &Problem,
        run: &mut StoredRun,
        unknowns: &[f64],
        outputs: &[usize],
    ) -> Result<NumberedSeries, SimulationError> {
        Ok(self.derivatives_of_part(problem, run, unknowns, outputs, None)?.0)
    }

    /// The [`derivatives`](Self::derivatives) of a part of a run by the unknowns, and by these numbers of its given
    /// start (of 2n), which are numbered after the unknowns; and those of q and v at its end (a sample of 2n), which
    /// are zeros without `start`.
    pub fn derivatives_of_part(
        &self,
        problem: &Problem,
        run: &mut StoredRun,
        unknowns: &[f64],
        outputs: &[usize],
        start: Option<&[usize]>,
    ) -> Result<(NumberedSeries, NumberedSeries), SimulationError> {
        let (of_inputs, changes): (Vec<_>, Vec<_>) = self.driven.changes(problem, unknowns).into_iter().unzip();
        let by = Columns { parameters: &self.selection.parameters, inputs: &changes, start, tables: None };
        let wanted = self.wanted_tables();
        let found = gradient::part_sensitivities(self.model, problem, run.into(), (by, &wanted), outputs)?;
        let of_start = (0..start.map_or(0, <[usize]>::len)).map(|k| unknowns.len() + k);
        let of_others = self.selection.unknowns.iter().copied().chain(of_start).chain(of_inputs);
        let of_others: Vec<usize> = of_others.collect();
        let numbered = |mut series: Vec<Series<f64>>| {
            let mut by_values = series.split_off(of_others.len()).into_iter();
            let mut all: NumberedSeries = of_others.iter().copied().zip(series).collect();
            // in the order of the model's tables, which need not be that of the unknown ones
            let counts = found.of_tables.iter();
            let mut by_tables: Vec<Vec<Series<f64>>> =
                counts.map(|count| by_values.by_ref().take(*count).collect()).collect();
            for table in self.tables.iter() {
                let Some(by_values) = by_tables.get_mut(table.index) else { continue };
                all.extend(table.unknowns().zip(by_coordinates(table, std::mem::take(by_values))));
            }
            all
        };
        let of_end = found.end.column_iter().map(|column| {
            let mut end = Series::zeros(problem.settings().step, column.len(), 1);
            end.row_mut(0).iter_mut().zip(&column).for_each(|(place, value)| *place = *value);
            end
        });
        let of_end = numbered(of_end.collect());
        Ok((numbered(found.outputs), of_end))
    }

    /// Which of the model's tables are unknown.
    fn wanted_tables(&self) -> Vec<bool> {
        let mut wanted = vec![false; self.problem.description().tables.len()];
        self.tables.iter().for_each(|table| wanted[table.index] = true);
        wanted
    }
}

/// The runs of one experiment.
pub(crate) struct Simulations<'a> {
    prepared: &'a ExperimentProblem,
    /// The run at the latest trial.
    latest: Option<Known<StoredRun>>,
    /// Runs that were announced, and others of the same line search.
    announced: Vec<Known<Result<StoredRun, SimulationError>>>,
    /// The latest derivatives of compared outputs, and the unknowns of their run: a minimisation ends where it has
    /// differentiated last, and the next one begins there.
    differentiated: Option<(Vec<f64>, NumberedSeries)>,
    /// Simulations for the cost.
    pub count: usize,
}

impl<'a> Simulations<'a> {
    pub fn new(prepared: &'a ExperimentProblem) -> Self {
        Self { prepared, latest: None, announced: Vec::new(), differentiated: None, count: 0 }
    }

    /// The experiment.
    pub fn prepared(&self) -> &'a ExperimentProblem {
        self.prepared
    }

    /// Returns true if a run with these unknowns is stored.
    pub fn knows(&self, unknowns: &[f64]) -> bool {
        let wanted = self.prepared.of_run(unknowns);
        let of_announced = self.announced.iter().map(|announced| &announced.unknowns);
        self.latest.iter().map(|latest| &latest.unknowns).chain(of_announced).any(|known| *known == wanted)
    }

    /// Takes a run with these unknowns, in place of those before.
    pub fn take(&mut self, unknowns: &[f64], run: Result<StoredRun, SimulationError>) {
        self.forget();
        self.count += 1;
        self.announced.push(Known { unknowns: self.prepared.of_run(unknowns), run });
    }

    /// The run at the latest trial.
    pub fn latest_mut(&mut self) -> Option<&mut StoredRun> {
        self.latest.as_mut().map(|latest| &mut latest.run)
    }

    /// Gives the memory of old runs back before new states are stored.
    pub fn forget(&mut self) {
        self.latest = None;
        self.announced.clear();
    }

    /// The outputs, their derivatives by the unknowns, and how accurate they are, if that is wanted.
    pub fn sensitivities(
        &mut self,
        unknowns: &[f64],
        is_accuracy_wanted: bool,
    ) -> Result<LinearizedRun, SimulationError> {
        let of_run = self.prepared.of_run(unknowns);
        let latest = self.latest.take().filter(|latest| latest.unknowns == of_run);
        let known = self.differentiated.take().filter(|(unknowns, _)| *unknowns == of_run);
        self.forget();
        let problem = self.prepared.problem_at(unknowns)?;
        let mut run = match latest {
            Some(latest) => latest.run,
            None => problem.run(&self.prepared.parameters(unknowns))?,
        };
        let derivatives = match known {
            Some((_, derivatives)) => derivatives,
            None => self.prepared.compared_derivatives(&problem, &mut run, unknowns)?,
        };
        let states = run.trajectory().filter(|_| is_accuracy_wanted);
        let accuracy = states.map(|states| gradient::accuracy(&problem, states, run.outputs()));
        Ok(LinearizedRun { accuracy: accuracy.transpose()?, outputs: run.into_outputs(), derivatives, parts: 1 })
    }

    /// Begins with what the [`sensitivities`](Self::sensitivities) at these unknowns were.
    pub fn know(&mut self, unknowns: &[f64], found: LinearizedRun) {
        self.differentiated = Some((self.prepared.of_run(unknowns), found.derivatives));
    }

    /// J of the experiment.
    pub fn cost(&mut self, unknowns: &[f64]) -> Result<f64, SimulationError> {
        let comparison = &self.prepared.comparison;
        let of_run = self.prepared.of_run(unknowns);
        if let Some(run) = self.take_announced(&of_run) {
            let run = run?;
            let cost = comparison.value(run.outputs(), unknowns);
            self.latest = Some(Known { unknowns: of_run, run });
            return Ok(cost);
        }
        // trials that differ in the numbers of measurements, or of other experiments, alone
        if let Some(latest) = self.latest.as_ref().filter(|latest| latest.unknowns == of_run) {
            return Ok(comparison.value(latest.run.outputs(), unknowns));
        }
        self.forget();
        self.count += 1;
        let run = self.prepared.problem_at(unknowns)?.run(&self.prepared.parameters(unknowns))?;
        let cost = comparison.value(run.outputs(), unknowns);
        self.latest = Some(Known { unknowns: of_run, run });
        Ok(cost)
    }

    /// The part of J of every channel.
    pub fn channel_costs(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, SimulationError> {
        self.simulated(unknowns)?;
        let outputs = self.latest.as_ref().map(|latest| latest.run.outputs());
        Ok(outputs.map_or(Vec::new(), |outputs| self.prepared.comparison.channel_values(outputs, unknowns)))
    }

    /// Simulates at several trials at once, in lanes.
    pub fn announce(&mut self, trials: &[Vec<f64>]) {
        if trials.len() < MIN_IN_LANES || !self.prepared.runs_in_lanes() {
            return;
        }
        self.forget();
        for four in trials.chunks(LANES) {
            let parameters: Vec<_> = four.iter().map(|unknowns| self.prepared.parameters(unknowns)).collect();
            let runs = self.prepared.problem.run_four(&parameters).into_iter().zip(four);
            let known = |(run, unknowns): (_, &Vec<f64>)| Known { unknowns: self.prepared.of_run(unknowns), run };
            self.announced.extend(runs.map(known));
        }
        self.count += trials.len();
    }

    /// The run that was announced with these unknowns; keeps the latest one in its place, as the search may return. One
    /// that has failed stays, as it may be asked for again where another one beside it panics.
    fn take_announced(&mut self, of_run: &[f64]) -> Option<Result<StoredRun, SimulationError>> {
        let place = self.announced.iter().position(|announced| announced.unknowns == of_run)?;
        if let Err(error) = &self.announced[place].run {
            return Some(Err(error.clone()));
        }
        let Known { run, .. } = self.announced.swap_remove(place);
        if let Some(Known { unknowns, run }) = self.latest.take() {
            self.announced.push(Known { unknowns, run: Ok(run) });
        }
        Some(run)
    }

    /// Simulates unless the latest run has these unknowns.
    pub fn simulated(&mut self, unknowns: &[f64]) -> Result<(), SimulationError> {
        let wanted = self.prepared.of_run(unknowns);
        if !self.latest.as_ref().is_some_and(|latest| latest.unknowns == wanted) {
            self.cost(unknowns)?;
        }
        Ok(())
    }

    /// dJ/dz of the experiment.
    pub fn gradient(&mut self, unknowns: &[f64], method: GradientMethod) -> Result<Vec<f64>, SimulationError> {
        self.simulated(unknowns)?;
        let mut gradient = vec![0.0; unknowns.len()];
        let Some(Known { unknowns: of_run, run: mut latest }) = self.latest.take() else {
            return Ok(gradient);
        };
        let ExperimentProblem { comparison, selection, .. } = self.prepared;
        let by_outputs = comparison.gradient(latest.outputs(), unknowns, &mut gradient);
        let problem = self.prepared.problem_at(unknowns)?;
        let result = match (method, self.prepared.is_of_parameters()) {
            (_, true) => {
                let (model, unknown) = (self.prepared.model, &selection.parameters);
                method.of(model, &problem, (&mut latest).into(), &by_outputs, unknown)
            }
            (GradientMethod::DirectDifferentiation, false) => {
                let all = gradient::all_outputs(&problem);
                let derivatives = self.prepared.derivatives(&problem, &mut latest, unknowns, &all)?;
                for (unknown, series) in &derivatives[selection.unknowns.len()..] {
                    gradient[*unknown] += product(series, &by_outputs);
                }
                let of_parameters = &derivatives[..selection.unknowns.len()];
                Ok(of_parameters.iter().map(|(_, series)| product(series, &by_outputs)).collect())
            }
            (_, false) => {
                self.prepared.adjoint(&problem, &mut latest, &by_outputs, unknowns).map(|(by_parameters, others)| {
                    others.into_iter().for_each(|(unknown, part)| gradient[unknown] += part);
                    by_parameters
                })
            }
        };
        self.latest = Some(Known { unknowns: of_run, run: latest });
        let by_parameters = result?;
        for (&unknown, derivative) in selection.unknowns.iter().zip(by_parameters) {
            gradient[unknown] += derivative;
        }
        Ok(gradient)
    }

    /// The residuals of the experiment, weights included, with their derivatives by all unknowns; `None` for a cost
    /// without residuals.
    pub fn residuals(&mut self, unknowns: &[f64]) -> Result<Option<LinearResiduals>, SimulationError> {
        let rows: Option<Vec<ChannelRows>> = self.rows(unknowns)?.into_iter().collect();
        Ok(rows.map(|rows| {
            let mut linear = LinearResiduals::default();
            rows.iter().for_each(|rows| rows.add_linear(&mut linear));
            linear
        }))
    }

    /// The residuals of the experiment at the latest trial, weights included; `None` for a cost without residuals.
    pub fn residual_values(&mut self, unknowns: &[f64]) -> Result<Option<Vec<f64>>, SimulationError> {
        self.simulated(unknowns)?;
        let Some(Known { run: latest, .. }) = &self.latest else { return Ok(Some(Vec::new())) };
        let (outputs, comparison) = (latest.outputs(), &self.prepared.comparison);
        let channels = comparison.channel_rows(outputs, &[], unknowns).into_iter().map(Some);
        let costs = comparison.cost_rows(outputs, &[], unknowns.len());
        let rows: Option<Vec<ChannelRows>> = channels.chain(costs).collect();
        Ok(rows.map(|rows| {
            let mut linear = LinearResiduals::default();
            rows.iter().for_each(|rows| rows.add_linear(&mut linear));
            linear.values
        }))
    }

    /// The residuals of every channel and of every further cost, with their derivatives by all unknowns; `None` for a
    /// cost without residuals.
    pub fn rows(&mut self, unknowns: &[f64]) -> Result<Vec<Option<ChannelRows>>, SimulationError> {
        self.simulated(unknowns)?;
        let Some(Known { run: latest, .. }) = &mut self.latest else { return Ok(Vec::new()) };
        let of_run = self.prepared.of_run(unknowns);
        // others give their memory back before new ones are stored
        let known = self.differentiated.take().filter(|(unknowns, _)| *unknowns == of_run);
        let derivatives = match known {
            Some((_, derivatives)) => derivatives,
            None => {
                let problem = self.prepared.problem_at(unknowns)?;
                self.prepared.compared_derivatives(&problem, latest, unknowns)?
            }
        };
        let (outputs, comparison) = (latest.outputs(), &self.prepared.comparison);
        let channels = comparison.channel_rows(outputs, &derivatives, unknowns).into_iter().map(Some);
        let costs = comparison.cost_rows(outputs, &derivatives, unknowns.len());
        let rows = channels.chain(costs).collect();
        self.differentiated = Some((of_run, derivatives));
        Ok(rows)
    }
}

/// From the derivatives by the values of a table to those by its coordinates, most of which are values themselves, and
/// change few others.
fn by_coordinates(table: &TableUnknowns, mut by_values: Vec<Series<f64>>) -> Vec<Series<f64>> {
    let coordinates = &table.coordinates;
    if coordinates.are_values() {
        return by_values;
    }
    let directions = (0..coordinates.count()).map(|k| {
        let direction = coordinates.direction(k).into_iter().enumerate();
        direction.filter(|(_, weight)| *weight != 0.0).collect::<Vec<_>>()
    });
    let directions: Vec<Vec<(usize, f64)>> = directions.collect();
    let mut users = vec![0_usize; by_values.len()];
    directions.iter().flatten().for_each(|(value, _)| users[*value] += 1);
    let mut all = Vec::with_capacity(directions.len());
    for direction in directions {
        // what no other coordinate needs is changed in place
        let own = direction.iter().position(|(value, weight)| users[*value] == 1 && *weight == 1.0);
        let (mut sum, others) = match own {
            Some(own) => {
                let empty = Series::zeros(0.0, 0, 0);
                let series = std::mem::replace(&mut by_values[direction[own].0], empty);
                (series, [&direction[..own], &direction[own + 1..]].concat())
            }
            None => {
                let first = by_values.first().map_or((0.0, 0, 0), |one| (one.step(), one.width(), one.samples()));
                (Series::zeros(first.0, first.1, first.2), direction)
            }
        };
        for (value, weight) in others {
            let series = &by_values[value];
            for i in 0..sum.samples() {
                sum.row_mut(i).iter_mut().zip(series.row(i)).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        all.push(sum);
    }
    all
}

/// The sum over all samples of all outputs.
fn product(a: &Series<f64>, b: &Series<f64>) -> f64 {
    (0..a.samples()).flat_map(|i| a.row(i).iter().zip(b.row(i))).map(|(a, b)| a * b).sum()
}
