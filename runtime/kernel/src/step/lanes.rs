//! Steps of four runs together, one run per SIMD lane.
//!
//! Every lane controls its iteration and checks its factors independently, exactly as a single run does:
//! iterations that another lane needs do not change it. A lane that cannot continue, because its factors
//! require chosen pivots or its iteration fails, is removed; its further results are not used.

use costate_numerics::scalar::{LANES, LaneMask, LaneSet, Lanes, Reals, Scalar, Vector, gather, lane_into, lift_into};
use costate_system::model::{Functions, Group, Weights};

use crate::evaluate;

use super::integrator::Integrator;
use super::mass::Mass;
use super::matrix::{LaneLimits, StepMatrix};
use super::newton::{Control, Measured, Verdicts};
use super::rows::Rows;
use super::single::Before;
use super::sizes::Sizes;
use crate::step::NewtonSettings;
use crate::step::State;
use crate::step::Statistics;
use crate::step::{Moment, StepConstants};

/// The four runs between two steps.
pub struct LaneIntegrator<M: Functions> {
    /// The operations common to all lanes; of its Newton control and matrix only the factors are used.
    common: Integrator<M, Lanes>,
    /// The data of each run; `None` for single steps, which leave the lanes where their factors need another
    /// check.
    lanes: Option<Box<[Lane<M>; LANES]>>,
    control: Control<Lanes>,
    sizes: Sizes<Lanes>,
    multipliers_per_acceleration: Lanes,
    count: Count,
    limits: LaneLimits,
    /// The corrections of a and lambda.
    values: M::Unknowns<Lanes>,
    /// Factors and corrections of the lanes that renew their matrix while others do not.
    factors: M::Factors<Lanes>,
    renewed_values: M::Unknowns<Lanes>,
    /// Lanes whose runs continue.
    pub alive: LaneSet,
    /// Working memory for the state of one lane.
    real: State<M, f64>,
}

/// A single run that is to go in a lane.
type Single<'a, M> = (&'a Integrator<M, f64>, &'a StepConstants<M, f64>);

/// Constants and matrix of one lane.
struct Lane<M: Functions> {
    constants: M::Constants<f64>,
    matrix: StepMatrix<M>,
}

/// Work counters of the runs; whole numbers.
#[derive(Clone, Copy, Default)]
struct Count {
    steps: Lanes,
    iterations: Lanes,
    worst_iterations: Lanes,
    factorizations: Lanes,
}

impl<M: Functions> Lane<M> {
    fn of(constants: &StepConstants<M, f64>) -> Self {
        let program = constants.program();
        Self {
            constants: constants.real.clone(),
            matrix: StepMatrix::new(program, M::description(program).groups.newton),
        }
    }
}

impl<M: Functions> LaneIntegrator<M> {
    /// Creates the lanes from one integrator with its constants for each lane, at the same time.
    pub fn new(
        newton: &NewtonSettings,
        singles: [Single<'_, M>; LANES],
        inputs: &M::Inputs<f64>,
        alive: LaneSet,
    ) -> Self {
        // written out: array methods with closures are compiled for every closure
        let [(a, of_a), (b, of_b), (c, of_c), (d, of_d)] = singles;
        let program = of_a.program();
        let lengths = M::lengths(program);
        let mut state = State::<M, Lanes>::zeros_of(program);
        state.gather([&a.state, &b.state, &c.state, &d.state]);
        let mut history = M::Coordinates::<Lanes>::zeros(lengths.coordinates);
        gather(history.as_mut(), [a.history.as_ref(), b.history.as_ref(), c.history.as_ref(), d.history.as_ref()]);
        let mut auxiliary = M::Coordinates::<Lanes>::zeros(lengths.coordinates);
        let auxiliaries = [a.auxiliary.as_ref(), b.auxiliary.as_ref(), c.auxiliary.as_ref(), d.auxiliary.as_ref()];
        gather(auxiliary.as_mut(), auxiliaries);
        let mut common = Integrator::at(program, newton, &of_a.weights, (state, auxiliary));
        (common.fours, common.history) = (a.fours, history);
        common.mass = Mass::in_lanes([&a.mass, &b.mass, &c.mass, &d.mass]);
        lift_into(inputs.as_ref(), common.inputs.as_mut());
        let lanes = Some(Box::new([Lane::of(of_a), Lane::of(of_b), Lane::of(of_c), Lane::of(of_d)]));
        let mut integrator = Self { lanes, alive, ..Self::with(common, newton, &of_a.weights) };
        measure(&integrator.common.state, Lanes::default(), &mut integrator.sizes);
        integrator.control.start(Measured { real: integrator.sizes, derivatives: &[] });
        integrator
    }

    /// Creates an integrator for [steps by themselves](Self::step_from).
    pub fn of_single_steps(program: M::Program, newton: &NewtonSettings, weights: &Weights) -> Self {
        Self::with(Integrator::of_single_steps(program, newton, weights), newton, weights)
    }

    /// Creates the lanes without data of single runs.
    fn with(common: Integrator<M, Lanes>, newton: &NewtonSettings, weights: &Weights) -> Self {
        let (program, lengths) = (common.program, M::lengths(common.program));
        Self {
            common,
            lanes: None,
            control: Control::new(newton.clone(), *weights, 1),
            sizes: Sizes::default(),
            multipliers_per_acceleration: Lanes::default(),
            count: Count::default(),
            limits: LaneLimits::new(),
            values: Vector::zeros(lengths.unknowns),
            factors: Vector::zeros(lengths.factors),
            renewed_values: Vector::zeros(lengths.unknowns),
            alive: LaneSet::NONE,
            real: State::zeros_of(program),
        }
    }

    /// Takes over the limits of factors from the matrix of single steps.
    pub fn watch(&mut self, matrix: &StepMatrix<M>) {
        (0..LANES).for_each(|lane| self.limits.set(lane, matrix.limits()));
        self.multipliers_per_acceleration = Lanes::of([matrix.multipliers_per_acceleration; LANES]);
    }

    /// Advances from any x_{i-1} to x_i where lanes can: [`Integrator::step_from`] in each lane. Returns the
    /// lanes that have succeeded. The plain numbers of `constants` are not used.
    #[inline(always)]
    pub fn step_from(
        &mut self,
        constants: &StepConstants<M, Lanes>,
        before: &Before<'_, Lanes>,
        at: Moment<'_>,
    ) -> LaneSet {
        self.common.take(before);
        if constants.weights.previous != 0.0 {
            let Integrator { state, inputs, correction, .. } = &mut self.common;
            M::residual(&state.point(before.at.time, inputs, &constants.model), &mut correction.residual);
            self.common.take_history(&constants.weights);
        }
        measure(&self.common.state, self.multipliers_per_acceleration.same(0.0), &mut self.sizes);
        self.control.forget();
        self.control.start(Measured { real: self.sizes, derivatives: &[] });
        self.alive = LaneSet::of([true; LANES]);
        self.find(constants, at);
        self.common.taken = 1;
        self.alive
    }

    /// Writes s_i after `step_from`.
    #[inline(always)]
    pub fn auxiliary_into(&self, weights: &Weights, to: &mut [Lanes]) {
        self.common.auxiliary_into(weights, to);
    }

    /// Returns the states after the last step, and the inputs there.
    #[inline(always)]
    pub fn state(&self) -> (&State<M, Lanes>, &M::Inputs<Lanes>) {
        (&self.common.state, &self.common.inputs)
    }

    /// Returns the work counters of one lane's run.
    pub fn statistics(&self, lane: usize) -> Statistics {
        let matrix = self.lanes.as_ref().map(|lanes| &lanes[lane].matrix);
        let Count { steps, iterations, worst_iterations, factorizations } = self.count;
        let [steps, iterations, worst_iterations, factorizations] =
            [steps, iterations, worst_iterations, factorizations].map(|count| count.lane(lane) as usize);
        let (analyses, pivoted) = matrix.map_or((0, 0), |matrix| (matrix.analyses(), matrix.pivoted()));
        let mut statistics = Statistics::default();
        (statistics.steps, statistics.iterations) = (steps, iterations);
        (statistics.worst_iterations, statistics.factorizations) = (worst_iterations, factorizations);
        (statistics.analyses, statistics.pivoted) = (analyses, pivoted);
        statistics
    }

    /// Advances from x_{i-1} to x_i.
    #[inline(always)]
    pub fn step(&mut self, constants: &StepConstants<M, Lanes>, at: Moment<'_>) {
        self.find(constants, at);
        let ratio = constants.weights.previous;
        if ratio != 0.0 && !self.common.update_history_by_mass(ratio) {
            self.remember_force_residuals(&constants.weights, at);
        }
        self.common.taken += 1;
        self.count.steps = self.count.steps + 1.0;
    }

    /// Updates the auxiliary accelerations after a step with these weights, before steps with the weights
    /// `next`.
    pub fn settle(&mut self, weights: &Weights, next: &Weights) {
        self.common.settle(weights);
        self.control.take_weights(next);
    }

    /// Computes x_i, without the history term for the next step.
    #[inline(always)]
    fn find(&mut self, constants: &StepConstants<M, Lanes>, at: Moment<'_>) {
        if constants.is_determined() {
            self.alive = LaneSet::NONE;
            return;
        }
        lift_into(at.inputs, self.common.inputs.as_mut());
        self.common.predict(&constants.weights);
        self.iterate(constants, at);
    }

    #[inline(always)]
    fn iterate(&mut self, constants: &StepConstants<M, Lanes>, at: Moment<'_>) {
        let mut pending = self.alive;
        let mut renew = self.control.begin().set();
        let zero = self.multipliers_per_acceleration.same(0.0);
        let mut own_iterations = zero;
        let mut first = true;
        while !pending.is_empty() {
            self.correct(constants, at, pending, renew);
            let which = zero.mask(pending);
            self.apply(&constants.weights, which, pending == self.alive, first);
            first = false;
            own_iterations += Lanes::select(which, zero.same(1.0), zero);
            let sizes = Measured { real: self.sizes, derivatives: &[] };
            let Verdicts { converged, renew: again, failed } = self.control.judge_each(sizes, which);
            // a single run of this lane reports the error
            self.alive = self.alive.but(failed.set());
            pending = (pending & self.alive).but(converged.set());
            renew = again.set();
        }
        self.count.iterations += own_iterations;
        self.count.worst_iterations = own_iterations.larger(self.count.worst_iterations);
    }

    /// Computes the corrections of the pending lanes, with new factors for the lanes in `renew` and the last
    /// ones elsewhere.
    #[inline(always)]
    fn correct(&mut self, constants: &StepConstants<M, Lanes>, at: Moment<'_>, pending: LaneSet, renew: LaneSet) {
        let renewed = pending & renew;
        let Integrator { state, inputs, history, correction, .. } = &mut self.common;
        let point = state.point(at.time, inputs, &constants.model);
        if renewed == self.alive {
            M::newton_correction(&point, history, &mut self.values, &mut correction.factors);
        } else {
            if renewed != pending {
                M::chord_correction(&point, history, &mut self.values, &correction.factors);
            }
            if !renewed.is_empty() {
                M::newton_correction(&point, history, &mut self.renewed_values, &mut self.factors);
                let renewed = self.multipliers_per_acceleration.mask(renewed);
                merge(renewed, self.renewed_values.as_ref(), self.values.as_mut());
                merge(renewed, self.factors.as_ref(), correction.factors.as_mut());
            }
        }
        if renewed.is_empty() {
            return;
        }
        let hold = self.limits.hold(correction.factors.as_ref());
        if hold & renewed != renewed {
            self.check(renewed, hold, at);
        }
        let zero = self.multipliers_per_acceleration.same(0.0);
        let renewed = zero.mask(renewed);
        self.count.factorizations += Lanes::select(renewed, zero.same(1.0), zero);
        self.control.renewed(renewed, self.multipliers_per_acceleration);
    }

    /// Checks the `renewed` factors whose limits do not `hold`; lanes whose factors cannot be used are
    /// removed.
    #[cold]
    #[inline(never)]
    fn check(&mut self, renewed: LaneSet, hold: LaneSet, at: Moment<'_>) {
        for lane in renewed.lanes().filter(|&lane| !hold.contains(lane)) {
            if !self.check_lane(lane, at) {
                self.alive.remove(lane);
            }
        }
    }

    /// Checks the factors of one lane; returns true if they can be used.
    fn check_lane(&mut self, lane: usize, at: Moment<'_>) -> bool {
        let Integrator { state, correction, .. } = &self.common;
        state.lane_into(lane, &mut self.real);
        let Some(lanes) = &mut self.lanes else { return false };
        let Lane { matrix, constants, .. } = &mut lanes[lane];
        lane_into(correction.factors.as_ref(), lane, matrix.factors.as_mut());
        let inputs = at.plain_inputs();
        let point = self.real.point(at.time, &inputs, constants);
        let are_usable = matrix.check(&point).is_ok() && matrix.is_emitted();
        self.limits.set(lane, matrix.limits());
        self.multipliers_per_acceleration.set_lane(lane, matrix.multipliers_per_acceleration);
        are_usable
    }

    /// Adds the corrections of the lanes in `which`, or of all, and measures the sizes, those of the state in
    /// the `first` iteration.
    #[inline(always)]
    fn apply(&mut self, weights: &Weights, which: LaneMask, all: bool, first: bool) {
        let values = self.values.as_mut();
        if !all {
            let zero = self.multipliers_per_acceleration.same(0.0);
            for value in values.iter_mut() {
                *value = Lanes::select(which, *value, zero);
            }
        }
        let (motion, rest) = values.split_at(self.common.state.coordinates.as_ref().len());
        let zero = self.multipliers_per_acceleration.same(0.0);
        self.sizes.acceleration_update = largest(motion, zero);
        self.sizes.multiplier_update = largest(rest, zero);
        self.common.apply(weights, &self.values);
        if first {
            measure(&self.common.state, zero, &mut self.sizes);
        }
    }

    /// Evaluates G_i of every lane, for a mass that depends on the coordinates.
    #[inline(never)]
    fn remember_force_residuals(&mut self, weights: &Weights, at: Moment<'_>) {
        let Some(lanes) = &self.lanes else { return };
        let Integrator { program, state, history, .. } = &mut self.common;
        let program = *program;
        let mut residual = M::Residual::<f64>::zeros(M::lengths(program).group(Group::Residual));
        for lane in 0..LANES {
            state.lane_into(lane, &mut self.real);
            let inputs = at.plain_inputs();
            let point = self.real.point(at.time, &inputs, &lanes[lane].constants);
            evaluate::residual(&point, &mut residual);
            let rows = Rows::of(M::description(program).groups.residual);
            let force_residual = rows.force_residual.values(residual.as_ref());
            for (to, from) in history.as_mut().iter_mut().zip(force_residual) {
                to.set_lane(lane, *from * weights.previous);
            }
        }
    }
}

/// Copies `from` where the mask holds.
#[inline(always)]
fn merge(mask: LaneMask, from: &[Lanes], to: &mut [Lanes]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = Lanes::select(mask, *from, *to);
    }
}

/// Measures the sizes of the states.
#[inline(always)]
fn measure<M: Functions>(state: &State<M, Lanes>, zero: Lanes, sizes: &mut Sizes<Lanes>) {
    let [coordinates, velocities, accelerations, multipliers] = state.parts();
    sizes.coordinates = largest(coordinates, zero);
    sizes.velocities = largest(velocities, zero);
    sizes.accelerations = largest(accelerations, zero);
    sizes.multipliers = largest(multipliers, zero);
}

/// Returns the largest absolute values; NaN in a lane with a value that is infinite or NaN.
#[inline(always)]
fn largest(values: &[Lanes], zero: Lanes) -> Lanes {
    // several chains that need not wait for each other
    let (mut most, mut sum) = ([zero; LANES], [zero; LANES]);
    let (fours, rest) = values.as_chunks::<LANES>();
    for four in fours {
        for k in 0..LANES {
            let size = four[k].abs();
            most[k] = size.larger(most[k]);
            sum[k] += size;
        }
    }
    for value in rest {
        let size = value.abs();
        most[0] = size.larger(most[0]);
        sum[0] += size;
    }
    let most = (most[0].larger(most[1])).larger(most[2].larger(most[3]));
    most + ((sum[0] + sum[1]) + (sum[2] + sum[3])) * 0.0
}
