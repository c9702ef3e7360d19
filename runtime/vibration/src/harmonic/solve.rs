//! The way from a definition to its response.

use std::f64::consts::PI;
use std::sync::Arc;

use costate_system::identifiers::{Input, Output};
use costate_system::input::InputSignal;
use costate_system::problem::{Problem, SimulationError, Steps};
use costate_system::system::{Equations, StateVectors};

use crate::harmonic::balance::{Balance, Excitation, Fault, Motion as Balanced, room};
use crate::harmonic::basis::Basis;
use crate::harmonic::definition::Definition;
use crate::harmonic::error::{HarmonicError, PathEnd, Reached};
use crate::harmonic::explicit_time;
use crate::harmonic::layout::Layout;
use crate::harmonic::newton::{Failure, Found, Parameter, from_afar, relative, sizes};
use crate::harmonic::outputs::{derivatives, outputs};
use crate::harmonic::path::{Broken, Hit, Path, Task, Turn, follow};
use crate::harmonic::response::{Common, Curve, Motion, Response};
use crate::harmonic::stability::stability;
use crate::harmonic::truncation::truncation;
use crate::place::start_of;

/// Finds the response that is defined, at frequencies in Hz.
pub(crate) fn response(definition: &Definition, frequencies: &[f64]) -> Result<Response, HarmonicError> {
    let run = &definition.run;
    let description = run.model.system.description();
    let drive = definition.checked_drive(frequencies)?;
    let (problem, mut inputs) = constant_problem(definition, drive)?;
    if let Some(own) = inputs.get_mut(drive.index())
        && definition.controlled.is_none()
    {
        *own = definition.mean.unwrap_or(*own);
    }
    let excitation = Excitation { inputs, mean: definition.mean.filter(|_| definition.controlled.is_some()) };
    let layout = Layout::new(description, drive.index(), definition.controlled.map(Output::index));
    let mut result = Err(HarmonicError::Interrupted);
    let parameters = &run.model.parameters;
    let start = start_of(&problem, parameters, false);
    problem.system().with_equations(&problem, parameters, &mut |equations| {
        let solver = Solver { definition, layout: &layout, excitation: &excitation, equations };
        result = solver.response(&start, drive, frequencies);
    });
    result
}

/// A problem with constant inputs, and these.
fn constant_problem(definition: &Definition, drive: Input) -> Result<(Problem, Vec<f64>), HarmonicError> {
    let run = &definition.run;
    run.check_names()?;
    // inputs without a signal are 0
    let all = Input::each_of(run.model.system.description());
    let mut constants: Vec<(Input, InputSignal)> = all.map(|input| (input, InputSignal::Constant(0.0))).collect();
    constants.push((drive, InputSignal::Constant(0.0)));
    for (input, signal) in &run.signals {
        let (signal, _) = signal.in_unit_of(&(*input).into()).map_err(SimulationError::from)?;
        let value = signal.at(input.name(), 0.0).map_err(SimulationError::from)?;
        constants.push((*input, InputSignal::Constant(value)));
    }
    let mut settings = run.settings.clone().with_step_and_end(1.0, 1.0);
    settings.steps = Steps::Constant;
    let problem = run.problem_with(settings, &constants, &run.tables, &run.model.parameters)?;
    for (parameter, &value) in run.model.system.description().parameters.iter().zip(&run.model.parameters) {
        costate_numerics::scalar::out_of_range::require(parameter.name, value, value.is_finite(), "finite")?;
    }
    let inputs = problem.inputs().row(0).to_vec();
    Ok((problem, inputs))
}

struct Solver<'a> {
    definition: &'a Definition,
    layout: &'a Layout,
    excitation: &'a Excitation,
    equations: &'a dyn Equations<f64>,
}

impl Solver<'_> {
    fn response(
        &self,
        start: &StateVectors<f64>,
        drive: Input,
        frequencies: &[f64],
    ) -> Result<Response, HarmonicError> {
        explicit_time::refuse(self.equations, start, &self.excitation.inputs)?;
        let harmonics = self.definition.harmonics;
        let new = |basis| Balance::new(self.layout, basis, self.equations, self.excitation);
        let mut balance = new(Basis::new(harmonics, self.definition.samples()));
        let mut finer = new(Basis::new((2 * harmonics).max(3), 2 * self.definition.samples()));
        let common = Arc::new(Common {
            description: self.layout.description,
            harmonics,
            drive,
            controlled: self.definition.controlled,
            inputs: self.excitation.inputs.clone(),
            parameters: self.definition.parameters.clone(),
        });
        let paths = self.over_frequencies(&mut balance, start, frequencies)?;
        let mut curves = Vec::with_capacity(paths.len());
        let mut sorted = frequencies.to_vec();
        sorted.sort_by(f64::total_cmp);
        for (path, &amplitude) in paths.into_iter().zip(&self.definition.amplitudes) {
            let turning_points = path.turns.iter().map(|turn| turn.parameter / (2.0 * PI)).collect();
            let turning_point_errors = path.turns.iter().map(|turn| turn.error / (2.0 * PI)).collect();
            let mut motions = Vec::with_capacity(path.hits.len());
            for (hit, branch) in path.hits {
                self.poll()?;
                // as it was given: a frequency in rad/s and back has another last bit
                let frequency = sorted.get(hit.target).copied();
                let motion = self.finished(&mut balance, &mut finer, (hit, branch), &common)?;
                motions.push(Motion { frequency: frequency.unwrap_or(motion.frequency), ..motion });
            }
            let end = path.end;
            curves.push(Curve { amplitude, motions, turning_points, turning_point_errors, end });
        }
        Ok(Response { curves, common })
    }

    fn poll(&self) -> Result<(), HarmonicError> {
        if self.definition.run.interrupt.is_triggered() { Err(HarmonicError::Interrupted) } else { Ok(()) }
    }

    /// Computes everything that belongs to a motion.
    fn finished(
        &self,
        balance: &mut Balance<'_>,
        finer: &mut Balance<'_>,
        (hit, branch): (Hit, usize),
        common: &Arc<Common>,
    ) -> Result<Motion, HarmonicError> {
        let Hit { found: Found { motion, evaluation, iterations }, turns, .. } = hit;
        let failed = |fault: Fault| self.error(fault.into(), &motion);
        let outputs = outputs(balance, &motion).map_err(failed)?;
        let truncation = truncation(balance, finer, &motion, &outputs).map_err(failed)?;
        let at = reached(&motion);
        if let Some(limit) = self.definition.error_limit
            && !(truncation.error <= limit && truncation.error.is_finite())
        {
            let (harmonics, error) = (self.definition.harmonics, truncation.error);
            return Err(HarmonicError::Truncated { harmonics, at, error, limit });
        }
        let parameters: Vec<usize> = self.definition.parameters.iter().map(|parameter| parameter.index()).collect();
        if !parameters.is_empty() {
            balance.factor(&evaluation, motion.omega, None).map_err(failed)?;
        }
        let derivatives = derivatives(balance, &motion, &parameters).map_err(failed)?;
        let stability = self.definition.judges_stability.then(|| stability(balance, &motion));
        Ok(Motion {
            frequency: at.frequency,
            amplitude: at.amplitude,
            turns,
            branch,
            stability,
            truncation,
            iterations,
            unknowns: motion.coefficients,
            outputs,
            derivatives,
            common: Arc::clone(common),
        })
    }

    /// Finds the position of rest, and follows the path over the amplitude from it.
    fn path_from_rest(
        &self,
        balance: &mut Balance<'_>,
        start: &StateVectors<f64>,
        omega: f64,
    ) -> Result<(Path, Vec<f64>), HarmonicError> {
        /// Iterations from the initial values to the mean position.
        const MAX_ITERATIONS_TO_REST: usize = 100;
        let width = balance.basis.width();
        let mut coefficients = vec![0.0; balance.unknowns()];
        let means = start.coordinates.iter().chain(&start.multipliers);
        coefficients.chunks_exact_mut(width).zip(means).for_each(|(own, mean)| {
            if let Some(first) = own.first_mut() {
                *first = *mean;
            }
        });
        let drive = self.layout.drive_column() * width;
        if let Some(own) = coefficients.get_mut(drive) {
            *own = self.excitation.inputs.get(self.layout.drive).copied().unwrap_or(0.0);
        }
        let motion = Balanced { coefficients, omega, amplitude: 0.0 };
        self.check_effect(balance, &motion)?;
        let rest = from_afar(balance, motion.clone(), MAX_ITERATIONS_TO_REST).map_err(|failure| match failure {
            Failure::Slow(correction) => HarmonicError::NoRest { correction },
            fault => self.error(fault, &motion),
        })?;
        let mut amplitudes = self.definition.amplitudes.clone();
        amplitudes.sort_by(f64::total_cmp);
        let largest = amplitudes.last().copied().unwrap_or(0.0);
        let mut linear: Vec<f64> = rest.evaluation.by_amplitude.iter().map(|value| -value * largest).collect();
        balance.factor(&rest.evaluation, omega, None).map_err(|fault| self.error(fault.into(), &rest.motion))?;
        balance.solve(false, &mut linear);
        let task = Task {
            parameter: Parameter::Amplitude,
            targets: &amplitudes,
            direction: 1.0,
            floors: &sizes(balance, (&linear, 0), (&rest.evaluation, omega)),
            parameter_floor: largest,
        };
        let path = self.followed(balance, rest, &task)?;
        Ok((path, amplitudes))
    }

    fn followed(&self, balance: &mut Balance<'_>, start: Found, task: &Task<'_>) -> Result<Path, HarmonicError> {
        let interrupt = &self.definition.run.interrupt;
        let path = follow(balance, start, task, || interrupt.is_triggered());
        self.poll()?;
        path.map_err(|Broken { failure, last }| match failure {
            Failure::Slow(correction) => HarmonicError::NoConvergence { last: reached(&last), correction },
            fault => self.error(fault, &last),
        })
    }

    /// Refuses an input that moves nothing, and one that does not move the controlled output.
    fn check_effect(&self, balance: &Balance<'_>, motion: &Balanced) -> Result<(), HarmonicError> {
        let evaluation = balance.evaluate(motion).map_err(|fault| self.error(fault.into(), motion))?;
        let layout = self.layout;
        let is_used =
            |slot: usize| evaluation.slots.get(slot).is_some_and(|values| values.iter().any(|value| *value != 0.0));
        let entries: Vec<(usize, usize)> = (layout.slots.iter().enumerate())
            .filter(|(slot, _)| is_used(*slot))
            .map(|(_, slot)| (slot.row, slot.column))
            .collect();
        let column = layout.drive_column();
        let quantity = |k: usize| layout.description.inputs.get(k).map_or("?", |input| input.name);
        let input = quantity(layout.drive);
        if !entries.iter().any(|(row, own)| *own == column && *row < layout.n) && layout.controlled.is_none() {
            return Err(HarmonicError::NoEffect { input });
        }
        let Some(controlled) = layout.controlled else { return Ok(()) };
        // functions and equations that are connected with the drive
        let mut columns = vec![false; column + 1];
        let mut rows = vec![false; column + 1];
        if let Some(drive) = columns.get_mut(column) {
            *drive = true;
        }
        for _ in 0..=2 * column + 2 {
            for &(row, own) in &entries {
                if let (Some(row), Some(own)) = (rows.get_mut(row), columns.get_mut(own)) {
                    (*row, *own) = (*row || *own, *row || *own);
                }
            }
        }
        if rows.last() == Some(&true) {
            return Ok(());
        }
        let output = layout.description.outputs.get(controlled).map_or("?", |output| output.name);
        Err(HarmonicError::Unreachable { output, input })
    }

    /// One path over the frequency for every amplitude, in the order of the definition.
    fn over_frequencies(
        &self,
        balance: &mut Balance<'_>,
        start: &StateVectors<f64>,
        frequencies: &[f64],
    ) -> Result<Vec<Branches>, HarmonicError> {
        let mut targets: Vec<f64> = frequencies.iter().map(|frequency| 2.0 * PI * frequency).collect();
        targets.sort_by(f64::total_cmp);
        let (Some(&lowest), Some(&highest)) = (targets.first(), targets.last()) else {
            return Ok(Vec::new());
        };
        let (up, amplitudes) = self.path_from_rest(balance, start, lowest)?;
        // a path that cannot be followed at the other end does not matter for the first one
        let down = match targets.len() > 1 {
            true => self.path_from_rest(balance, start, highest).ok().map(|(path, _)| path),
            false => None,
        };
        let task = |direction: f64| Task {
            parameter: Parameter::Omega,
            targets: &targets,
            direction,
            floors: &[],
            parameter_floor: 0.0,
        };
        let first = |path: &Path, amplitude: f64| {
            let target = amplitudes.iter().position(|own| *own == amplitude)?;
            path.hits.iter().find(|hit| hit.target == target).map(|hit| hit.found.clone())
        };
        let mut all = Vec::new();
        for &amplitude in &self.definition.amplitudes {
            let Some(found) = first(&up, amplitude) else {
                let at = Reached { frequency: lowest / (2.0 * PI), amplitude };
                return Err(HarmonicError::NotReached { at, last: reached(&up.last), end: up.end });
            };
            let path = self.followed(balance, found, &task(1.0))?;
            let mut branches = Branches::of(path);
            let back = down.as_ref().and_then(|path| first(path, amplitude));
            if let Some(back) = back.filter(|back| !branches.has(balance, &back.motion)) {
                let path = self.followed(balance, back, &task(-1.0))?;
                branches.add(balance, path);
            }
            all.push(branches);
        }
        Ok(all)
    }

    fn error(&self, failure: Failure, motion: &Balanced) -> HarmonicError {
        let at = reached(motion);
        match failure {
            Failure::Fault(Fault::NotFinite) => HarmonicError::NotFinite { at },
            Failure::Fault(Fault::Memory { needed, available }) => {
                room(self.definition.harmonics).missing(needed, available).into()
            }
            Failure::Fault(Fault::Singular { column }) => {
                let width = 2 * self.definition.harmonics + 1;
                HarmonicError::Undetermined { unknown: self.layout.name(column / width), at }
            }
            Failure::Slow(correction) => HarmonicError::NoConvergence { last: at, correction },
        }
    }
}

fn reached(motion: &Balanced) -> Reached {
    Reached { frequency: motion.omega / (2.0 * PI), amplitude: motion.amplitude }
}

/// The motions of one curve, with the numbers of their branches.
struct Branches {
    hits: Vec<(Hit, usize)>,
    turns: Vec<Turn>,
    /// The end of the first path.
    end: (PathEnd, Reached),
}

impl Branches {
    fn of(path: Path) -> Self {
        let end = (path.end, reached(&path.last));
        Self { hits: path.hits.into_iter().map(|hit| (hit, 0)).collect(), turns: path.turns, end }
    }

    /// Checks whether a motion is one of the curve's.
    fn has(&self, balance: &Balance<'_>, motion: &Balanced) -> bool {
        /// Distance between two motions, relative to their sizes, below which they are one.
        const SAME_MOTION_DISTANCE: f64 = 1e-6;
        self.hits.iter().any(|(hit, _)| {
            let own = &hit.found.motion;
            let change: Vec<f64> = own.coefficients.iter().zip(&motion.coefficients).map(|(a, b)| a - b).collect();
            let is_same = own.omega == motion.omega && own.amplitude == motion.amplitude;
            is_same
                && relative(
                    balance,
                    &change,
                    &sizes(balance, (&own.coefficients, 0), (&hit.found.evaluation, own.omega)),
                ) < SAME_MOTION_DISTANCE
        })
    }

    /// Adds the motions of another path that are new.
    fn add(&mut self, balance: &Balance<'_>, path: Path) {
        let hits: Vec<Hit> = path.hits.into_iter().filter(|hit| !self.has(balance, &hit.found.motion)).collect();
        self.hits.extend(hits.into_iter().map(|hit| (hit, 1)));
        let is_new = |turn: &Turn| {
            let is_same = |own: &Turn| (own.parameter - turn.parameter).abs() < 1e-4 * own.parameter.abs();
            !self.turns.iter().any(is_same)
        };
        let turns: Vec<Turn> = path.turns.into_iter().filter(is_new).collect();
        self.turns.extend(turns);
    }
}
