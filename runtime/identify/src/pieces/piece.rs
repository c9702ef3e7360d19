//! One piece of a record: the run between two of its samples, from a start of its own.

use nalgebra::DMatrix;

use costate_cost::Stencil;
use costate_numerics::linalg::SparseMatrix;
use costate_optimize::LinearResiduals;
use costate_system::equilibrium::{MotionMatrices, independent_coordinates};
use costate_system::gradient::{self, Columns};
use costate_system::problem::{GivenStart, Problem, SimulationError};
use costate_system::run::StoredRun;
use costate_system::series::Series;
use costate_system::system::{Instant, StateVectors};

use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::{Observed, Places};
use crate::estimation::simulations::NumberedSeries;

/// A run between two samples of an experiment.
pub(super) struct Piece {
    prepared: ExperimentProblem,
}

/// The numbers with which a piece begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PieceStart {
    /// q and v (2n).
    pub state: Vec<f64>,
    /// The independent numbers among them: the unknowns of the piece.
    pub independent: Vec<usize>,
}

/// The residuals of a piece and its end, and the run that they are of.
pub(super) struct Evaluated {
    /// Residuals of every channel whose half sum of squares is the cost, with their derivatives by all unknowns and
    /// then by the independent numbers of the start, which are zeros before the run is differentiated.
    pub residuals: Vec<LinearResiduals>,
    /// q and v at the end (2n).
    pub end: Vec<f64>,
    /// The derivatives of the end, by all unknowns and then by the independent numbers of the start; empty before the
    /// run is differentiated.
    pub end_by: DMatrix<f64>,
    /// The run with its problem, before it is differentiated.
    run: Option<(Problem, StoredRun)>,
}

impl Evaluated {
    /// Exchanges residuals and end with those of another run of the piece; derivatives stay.
    pub fn swap_values(&mut self, other: &mut Self) {
        for (own, other) in self.residuals.iter_mut().zip(&mut other.residuals) {
            std::mem::swap(&mut own.values, &mut other.values);
        }
        std::mem::swap(&mut self.end, &mut other.end);
    }
}

impl Piece {
    /// Multiplies a known parameter by a factor.
    pub fn scale(&mut self, parameter: usize, factor: f64) {
        self.prepared.known[parameter] *= factor;
    }

    /// Cuts the steps from sample `first` to sample `last` out of an experiment; the last piece of an experiment has
    /// the measured samples at its end too.
    pub fn cut(whole: &ExperimentProblem, (first, last): (usize, usize)) -> Result<Self, SimulationError> {
        let problem = whole.problem.part(first..=last, None)?;
        let (from, until) = (whole.problem.time(first), whole.problem.time(last));
        let is_last = last == whole.problem.steps();
        let is_own = |time: f64| (first == 0 || time >= from) && (is_last || time < until);
        let mut prepared = whole.without_channels(problem);
        let channels = whole.comparison.channels.iter();
        prepared.comparison.channels = channels.map(|channel| cut(channel, is_own, from, &prepared.problem)).collect();
        Ok(Self { prepared })
    }

    fn problem(&self, start: Option<&PieceStart>, unknowns: &[f64]) -> Result<Problem, SimulationError> {
        let problem = self.prepared.problem_at(unknowns)?;
        Ok(match start {
            Some(start) => problem.with_start(start.given()),
            None => problem.into_owned(),
        })
    }

    fn run(&self, start: Option<&PieceStart>, unknowns: &[f64]) -> Result<(Problem, StoredRun), SimulationError> {
        let problem = self.problem(start, unknowns)?;
        let run = problem.run(&self.prepared.parameters(unknowns))?;
        Ok((problem, run))
    }

    /// Differentiates the end of a run (2n rows) by all unknowns and then by the independent numbers of the start, as
    /// the outputs that are compared.
    fn derivatives(
        &self,
        (problem, run): (&Problem, &mut StoredRun),
        start: Option<&PieceStart>,
        unknowns: &[f64],
    ) -> Result<(NumberedSeries, DMatrix<f64>), SimulationError> {
        let n = problem.description().coordinates.len();
        let own: &[usize] = start.map_or(&[], |start| &start.independent);
        let compared = self.prepared.comparison.compared_outputs(run.outputs().width());
        let (derivatives, of_end) = self.prepared.derivatives_of_part(problem, run, unknowns, &compared, Some(own))?;
        let mut end_by = DMatrix::zeros(2 * n, unknowns.len() + own.len());
        for (column, of_end) in of_end {
            let mut column = end_by.column_mut(column);
            column.iter_mut().zip(of_end.row(0)).for_each(|(sum, value)| *sum += value);
        }
        Ok((derivatives, end_by))
    }

    /// Simulates the piece from a start, `None` for that of the model, with the derivatives of the compared outputs.
    pub fn linearized(&self, start: Option<&PieceStart>, unknowns: &[f64]) -> Result<LinearizedRun, SimulationError> {
        let (problem, mut run) = self.run(start, unknowns)?;
        let (derivatives, _) = self.derivatives((&problem, &mut run), start, unknowns)?;
        Ok(LinearizedRun { derivatives, ..LinearizedRun::without_derivatives(run.into_outputs()) })
    }

    /// Simulates the piece from a start, `None` for that of the model, and compares it with the samples.
    pub fn evaluate(&self, start: Option<&PieceStart>, unknowns: &[f64]) -> Result<Evaluated, SimulationError> {
        let (problem, run) = self.run(start, unknowns)?;
        let n = problem.description().coordinates.len();
        Ok(Evaluated {
            residuals: self.residuals(run.outputs(), &[], start, unknowns),
            end: run.end().map_or_else(Vec::new, |end| end[..2 * n].to_vec()),
            end_by: DMatrix::zeros(0, 0),
            run: Some((problem, run)),
        })
    }

    /// Differentiates what was evaluated with this start and these unknowns, unless it is.
    pub fn differentiate(
        &self,
        evaluated: &mut Evaluated,
        start: Option<&PieceStart>,
        unknowns: &[f64],
    ) -> Result<(), SimulationError> {
        let Some((problem, mut run)) = evaluated.run.take() else { return Ok(()) };
        let (derivatives, end_by) = self.derivatives((&problem, &mut run), start, unknowns)?;
        evaluated.residuals = self.residuals(run.outputs(), &derivatives, start, unknowns);
        evaluated.end_by = end_by;
        Ok(())
    }

    /// Differentiates the residuals of what was evaluated by the independent numbers of the start alone.
    pub fn differentiate_by_start(
        &self,
        evaluated: &mut Evaluated,
        start: &PieceStart,
        unknowns: &[f64],
    ) -> Result<(), SimulationError> {
        let Some((problem, mut run)) = evaluated.run.take() else { return Ok(()) };
        let compared = self.prepared.comparison.compared_outputs(run.outputs().width());
        let by = Columns { start: Some(&start.independent), ..Columns::default() };
        let model = self.prepared.model;
        let found = gradient::part_sensitivities(model, &problem, (&mut run).into(), (by, &[]), &compared)?;
        let derivatives: NumberedSeries = (unknowns.len()..).zip(found.outputs).collect();
        evaluated.residuals = self.residuals(run.outputs(), &derivatives, Some(start), unknowns);
        Ok(())
    }

    /// Returns the residuals of every channel by these outputs and their numbered derivatives.
    fn residuals(
        &self,
        outputs: &Series<f64>,
        derivatives: &[(usize, Series<f64>)],
        start: Option<&PieceStart>,
        unknowns: &[f64],
    ) -> Vec<LinearResiduals> {
        // numbers of the start are unknowns after the others
        let own = start.map_or(0, |start| start.independent.len());
        let extended: Vec<f64> = unknowns.iter().copied().chain(std::iter::repeat_n(0.0, own)).collect();
        let rows = self.prepared.comparison.channel_rows(outputs, derivatives, &extended);
        let linear = rows.iter().map(|rows| {
            let mut linear = LinearResiduals::default();
            rows.add_linear(&mut linear);
            linear
        });
        linear.collect()
    }

    /// Returns the start that is nearest to q and v (2n), which a run has or a search proposes, with the independent
    /// numbers that are chosen there.
    pub fn start_at(&self, state: &[f64], unknowns: &[f64]) -> Result<PieceStart, SimulationError> {
        let problem = self.prepared.problem_at(unknowns)?;
        let (n, m) = (problem.description().coordinates.len(), problem.description().constraints.len());
        let mut at = StateVectors::zeros(n, m);
        at.coordinates.copy_from_slice(&state[..n]);
        at.velocities.copy_from_slice(&state[n..]);
        let mut independent = Vec::new();
        let moment = problem.moment(0);
        problem.system().with_equations(&problem, &self.prepared.parameters(unknowns), &mut |equations| {
            let instant = Instant { time: moment.time, state: &at, inputs: moment.inputs };
            let matrices = MotionMatrices::at(equations, instant).component(0);
            let positions = independent_coordinates(&matrices.jacobian);
            let velocities = positions.iter().copied().filter(|j| !is_free(&matrices.mass, &matrices.jacobian, *j));
            let velocities: Vec<usize> = velocities.map(|j| n + j).collect();
            independent = positions;
            independent.extend(velocities);
        });
        Ok(PieceStart { state: state.to_vec(), independent })
    }

    /// Returns the state on the constraints with the independent numbers of `start` (2n).
    pub fn admitted(&self, start: &PieceStart, unknowns: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let problem = self.problem(Some(start), unknowns)?;
        let state = problem.initial_state(&self.prepared.parameters(unknowns))?;
        Ok(state[..2 * problem.description().coordinates.len()].to_vec())
    }
}

impl PieceStart {
    fn given(&self) -> GivenStart {
        let n = self.state.len() / 2;
        let kept = |first: usize| (first..first + n).map(|k| self.independent.contains(&k)).collect();
        GivenStart {
            coordinates: self.state[..n].to_vec(),
            velocities: self.state[n..].to_vec(),
            kept_coordinates: kept(0),
            kept_velocities: kept(n),
        }
    }
}

/// Returns true for a coordinate with neither mass nor constraint, whose velocity is no state.
fn is_free(mass: &SparseMatrix, jacobian: &SparseMatrix, coordinate: usize) -> bool {
    let has_mass = mass.iter().any(|(row, column, _)| row == coordinate || column == coordinate);
    !has_mass && jacobian.column(coordinate).is_empty()
}

/// Returns the samples of a channel in a piece that begins at `from`.
fn cut(channel: &Observed, is_own: impl Fn(f64) -> bool, from: f64, problem: &Problem) -> Observed {
    let own: Vec<usize> = (0..channel.times.len()).filter(|j| is_own(channel.times[*j])).collect();
    let take = |values: &[f64]| own.iter().map(|j| values[*j]).collect::<Vec<f64>>();
    let times: Vec<f64> = own.iter().map(|j| channel.times[*j] - from).collect();
    let (step, samples) = (problem.settings().step, problem.samples());
    let places = times.iter().filter_map(|time| Stencil::at(*time, step, samples)).collect();
    Observed {
        values: take(&channel.values),
        weights: take(&channel.weights),
        roots: channel.roots.as_deref().map(take),
        finer: channel.finer.as_deref().map(take),
        noise: None,
        filter: None,
        places: Places::Fixed(places),
        times,
        ..channel.clone()
    }
}
