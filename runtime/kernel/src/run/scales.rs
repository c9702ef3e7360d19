//! The scales that the errors of a run are compared with.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Vector;
use costate_system::model::{Argument, Block, Description, Function, Functions, Group};
use costate_system::problem::Problem;

use super::basis::{RunBasis, basis_of};
use super::{Scales, Trajectory, levels_of};
use crate::evaluate;
use crate::step::{Blocks, LinearStep, State, StepConstants};

/// Fraction of the run's largest work from which on the work of a coordinate counts.
const MIN_WORK: f64 = 1e-3;

/// The quantities that are observed along a run.
struct Observed {
    /// Ranges of all entries of a state (3n + m).
    ranges: Vec<f64>,
    /// The range of every coordinate below which it is rounding (n).
    rounding: Vec<f64>,
    /// Range that the outputs would have if the contributions of all entries of the state added up; entries
    /// that hardly move contribute the least range that counts.
    reached: Vec<f64>,
    /// True if the derivative of an output with respect to a velocity depends on velocities.
    is_curved: Vec<bool>,
    /// The largest forces along the coordinates, those of inertia among them (n).
    forces: Vec<f64>,
    /// The largest masses of the coordinates (n), and how fast the motion with the largest work is, in 1/s.
    masses: Vec<f64>,
    rate: f64,
    /// The largest sizes of the entries of C_q and of the outputs' derivatives by q, v, a and lambda.
    constraints: Vec<f64>,
    outputs: [Vec<f64>; 4],
    /// The middles of the ranges of the velocities (n), and the largest changes of the outputs' terms in them from
    /// there.
    middles: Vec<f64>,
    terms: Vec<f64>,
}

/// Computes the ranges of a run of `problem`, and the resulting ranges of its outputs: ranges from every
/// `strides.0`-th state, those of outputs from every `strides.1`-th.
pub fn scales_of<M: Functions>(problem: &Problem, run: &Trajectory, strides: (usize, usize)) -> Scales {
    if let (Some(levels), Some(runs)) = (problem.levels(), levels_of(run))
        && let (Some(level), Some((_, run))) = (levels.last(), runs.last())
    {
        return scales_of::<M>(&level.problem, run, strides);
    }
    let mut observed = Observed::new(problem.description(), run, strides.0);
    if let Ok(basis) = basis_of::<M, f64>(run) {
        observed.look(problem, run, basis, strides.1);
    }
    observed.scales()
}

impl Observed {
    fn new(model: &Description, run: &Trajectory, stride: usize) -> Self {
        let n = model.coordinates.len();
        let rows = (0..=run.steps()).step_by(stride).map(|i| run.stored(i));
        let bounds = bounds(rows, model.state_length());
        let ranges = bounds.iter().map(|(least, largest)| (largest - least).max(0.0)).collect();
        let rounding = rounding(model, &bounds);
        let middles = bounds.iter().skip(n).take(n).map(|(least, largest)| 0.5 * (least + largest)).collect();
        let blocks = Blocks::of(model);
        let zeros = |block: &Block| vec![0.0; block.entries.len()];
        let of_outputs = [blocks.output_q, blocks.output_v, blocks.output_a, blocks.output_lambda];
        let outputs = model.outputs.len();
        Self {
            ranges,
            rounding,
            reached: vec![0.0; outputs],
            is_curved: vec![false; outputs],
            forces: vec![0.0; n],
            masses: vec![0.0; n],
            rate: 0.0,
            constraints: zeros(blocks.constraint_q),
            outputs: of_outputs.map(zeros),
            middles,
            terms: zeros(blocks.output_v),
        }
    }

    /// Observes every `stride`-th state of the run.
    fn look<M: Functions>(&mut self, problem: &Problem, run: &Trajectory, basis: &RunBasis<M, f64>, stride: usize) {
        let (constants, program) = (&basis.constants, basis.constants.program());
        let mut linear = LinearStep::<M>::new(program);
        for i in (0..=run.steps()).step_by(stride) {
            linear.load(problem.moment(i), run.of_step::<M>(program, i));
            linear.evaluate(constants.first());
            linear.evaluate_outputs(constants.first());
            self.take(&linear, constants.first(), run.velocities(i));
            let by_velocities: Vec<f64> = linear.blocks.output_v.values(linear.outputs()).to_vec();
            if !by_velocities.is_empty() {
                linear.load(problem.moment(i), &self.faster(run.of_step::<M>(program, i)));
                linear.evaluate_outputs(constants.first());
                self.compare(linear.blocks.output_v, &by_velocities, linear.outputs());
            }
        }
        let mut state = State::<M, f64>::zeros_of(program);
        state.load(run.of_step::<M>(program, 0));
        let mut group = M::Linearization::<f64>::zeros(M::lengths(program).group(Group::Linearization));
        let at = problem.moment(0);
        evaluate::linearization(&state.point(at.time, &at.plain_inputs(), constants.model()), &mut group);
        let mass = find(M::description(program).groups.linearization, Function::Inertia, Some(Argument::Accelerations));
        for (row, _, value) in mass.iter(group.as_ref()).filter(|(row, column, _)| row == column) {
            self.masses[row] = value.abs();
        }
        self.conclude(M::description(program));
    }

    /// Observes the state where `linear` is evaluated, which has these velocities.
    fn take<M: Functions>(&mut self, linear: &LinearStep<M>, constants: &StepConstants<M, f64>, velocities: &[f64]) {
        let residual = linear.residual(constants);
        for function in [Function::Inertia, Function::ForceResidual] {
            let block: &Block = find(M::description(constants.program()).groups.residual, function, None);
            for (j, _, force) in block.iter(residual.as_ref()) {
                self.forces[j] = self.forces[j].max(force.abs());
            }
        }
        let blocks = &linear.blocks;
        raise(&mut self.constraints, blocks.constraint_q.values(linear.adjoint()));
        let of_outputs = [blocks.output_q, blocks.output_v, blocks.output_a, blocks.output_lambda];
        for (most, block) in self.outputs.iter_mut().zip(of_outputs) {
            raise(most, block.values(linear.outputs()));
        }
        self.take_terms(blocks.output_v, linear.outputs(), velocities);
    }

    /// Returns a state with other velocities.
    fn faster(&self, state: &[f64]) -> Vec<f64> {
        let (n, mut state) = (self.middles.len(), state.to_vec());
        for (j, velocity) in state[n..2 * n].iter_mut().enumerate() {
            *velocity += self.ranges[n + j] + self.middles[j].abs();
        }
        state
    }

    /// Compares the derivatives of the outputs by the velocities with those at other velocities.
    fn compare(&mut self, output_v: &Block, before: &[f64], outputs: &[f64]) {
        /// Variation of a derivative with respect to a velocity, relative to its larger size, up to which it counts as
        /// constant.
        const MAX_VARIATION: f64 = 0.1;
        for ((output, _, value), before) in output_v.iter(outputs).zip(before) {
            self.is_curved[output] |= (value - before).abs() > MAX_VARIATION * value.abs().max(before.abs());
        }
    }

    /// Observes the outputs' terms in the velocities.
    fn take_terms(&mut self, output_v: &Block, outputs: &[f64], velocities: &[f64]) {
        let changes: Vec<f64> = velocities.iter().zip(&self.middles).map(|(v, middle)| v - middle).collect();
        for (most, (_, column, value)) in self.terms.iter_mut().zip(output_v.iter(outputs)) {
            *most = most.max((value * changes[column]).abs());
        }
    }

    /// Computes the ranges that outputs reach, from all observations.
    fn conclude(&mut self, model: &Description) {
        let (n, m, blocks) = (model.coordinates.len(), model.constraints.len(), Blocks::of(model));
        self.rate = self.rate_of_largest_work(n);
        let (ranges, rate) = (&self.ranges, self.rate);
        let counting: Vec<f64> = (0..n).map(|j| self.counting_range(j)).collect();
        let mut moved = vec![0.0; m];
        for (&(row, column), size) in blocks.constraint_q.entries.iter().zip(&self.constraints) {
            moved[row as usize] += size * counting[column as usize];
        }
        let largest_work = self.largest_work();
        let of_state = |place: usize| match (place / n.max(1), place.checked_sub(3 * n)) {
            (_, Some(k)) => {
                let least = if moved[k] > 0.0 { MIN_WORK * largest_work / moved[k] } else { 0.0 };
                ranges[place].max(least)
            }
            (0, _) => counting[place],
            (1, _) => ranges[place].max(self.least_range(place - n) * rate),
            _ => ranges[place].max(self.least_range(place - 2 * n) * rate * rate),
        };
        let of_outputs = [blocks.output_q, blocks.output_v, blocks.output_a, blocks.output_lambda];
        let mut reached = vec![0.0; self.reached.len()];
        for ((block, most), start) in of_outputs.iter().zip(&self.outputs).zip([0, n, 2 * n, 3 * n]) {
            for (entry, (&(output, j), most)) in block.entries.iter().zip(most).enumerate() {
                let place = start + j as usize;
                let counts = of_state(place);
                // a derivative may be large where velocities are small, as that of friction is
                let is_term = start == n && counts == ranges[place];
                reached[output as usize] += if is_term { 2.0 * self.terms[entry] } else { most * counts };
            }
        }
        self.reached = reached;
    }

    fn largest_work(&self) -> f64 {
        let work = self.forces.iter().zip(&self.ranges).map(|(force, range)| force * range);
        work.fold(0.0, f64::max)
    }

    /// Returns the speed of the coordinate with the largest work, relative to its range, in 1/s.
    fn rate_of_largest_work(&self, n: usize) -> f64 {
        let work = |j: &usize| self.forces[*j] * self.ranges[*j];
        let most = (0..n).max_by(|a, b| work(a).total_cmp(&work(b))).unwrap_or_default();
        match (self.ranges.get(most), self.ranges.get(n + most)) {
            (Some(range), Some(speed)) if *range > 0.0 => speed / range,
            _ => 0.0,
        }
    }

    /// Returns the range of coordinate j along which the least work that counts is done, at most the range
    /// that its own mass would need for this work, but no less than rounding.
    fn least_range(&self, j: usize) -> f64 {
        let counts = MIN_WORK * self.largest_work();
        // infinite without a force or a mass
        let by_force = counts / self.forces[j];
        let by_mass = (counts / (self.masses[j] * self.rate * self.rate)).sqrt();
        let range = by_force.min(by_mass);
        if range.is_finite() { range.max(self.rounding[j]) } else { self.rounding[j] }
    }

    /// Returns the range of coordinate j, or the least one that counts.
    fn counting_range(&self, j: usize) -> f64 {
        self.ranges[j].max(self.least_range(j))
    }

    fn scales(self) -> Scales {
        let counting = (0..self.forces.len()).map(|j| self.counting_range(j)).collect();
        let Self { ranges, reached, is_curved, .. } = self;
        Scales { ranges, reached, is_curved, counting }
    }
}

/// Raises the sizes to those of values that are larger.
fn raise(most: &mut [f64], values: &[f64]) {
    most.iter_mut().zip(values).for_each(|(most, value)| *most = most.max(value.abs()));
}

/// Returns least and largest value of every column of these rows.
fn bounds<'a>(rows: impl Iterator<Item = &'a [f64]>, width: usize) -> Vec<(f64, f64)> {
    let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); width];
    for row in rows {
        for ((least, largest), &value) in bounds.iter_mut().zip(row) {
            (*least, *largest) = (least.min(value), largest.max(value));
        }
    }
    bounds
}

/// Returns the range of every coordinate, of positions within these bounds, below which it is rounding.
fn rounding(model: &Description, bounds: &[(f64, f64)]) -> Vec<f64> {
    /// Smallest range of a coordinate, relative to the largest position in the same unit: smaller ranges are rounding,
    /// of numbers that are computed from this position by a few thousand operations.
    const MIN_RANGE: f64 = 1e-12;
    let sizes = || model.coordinates.iter().zip(bounds);
    let largest = |unit: &str| {
        let alike = sizes().filter(|(own, _)| own.unit == unit);
        alike.fold(0.0, |most: f64, (_, (least, largest))| most.max(least.abs()).max(largest.abs()))
    };
    model.coordinates.iter().map(|own| MIN_RANGE * largest(own.unit)).collect()
}
