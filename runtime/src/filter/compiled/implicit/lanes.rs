//! Steps of the HHT method of several points at once: sigma points, or particles.
//!
//! Each lane does what the step of its point by itself does. A point whose factors call for another look, or whose
//! iteration fails, is left to that step.

use super::super::iterate::{Iterate, MOST_ITERATIONS};
use super::super::projection::Projection;
use super::super::{Selected, by_lanes, go_in_lanes};
use super::ImplicitModel;
use crate::filter::state_space::{Sample, Step};
use crate::model::{Model, Weights};
use crate::scalar::{LANES, LaneMask, LaneSet, Lanes, Scalar, Vector, Work};
use crate::step::{LaneLimits, State, component_into, gather, lift_into};

/// Work space.
pub(super) struct ImplicitLanes<M: Model> {
    constants: M::Constants<Lanes>,
    iterate: Iterate<M, Lanes>,
    factors: M::Factors<Lanes>,
    limits: LaneLimits,
    state: State<M, Lanes>,
    inputs: [M::Inputs<Lanes>; 2],
    x: Vec<Lanes>,
    outputs: M::Outputs<Lanes>,
    projection: Projection<M, Lanes>,
    /// Of one lane.
    linearization: M::Linearization<f64>,
    unknowns: M::Unknowns<f64>,
}

impl<M: Model> ImplicitLanes<M> {
    /// Where lanes are available.
    fn new(selected: &Selected<M>, states: usize) -> Self {
        let mut parameters = M::Parameters::<Lanes>::zeros();
        lift_into(selected.parameters.as_ref(), parameters.as_mut());
        Self {
            constants: selected.problem.constants(&parameters),
            iterate: Iterate::new(),
            factors: Vector::zeros(),
            limits: LaneLimits::new(),
            state: State::zeros(),
            inputs: std::array::from_fn(|_| Vector::zeros()),
            x: vec![Lanes::default(); states],
            outputs: Vector::zeros(),
            projection: Projection::new(),
            linearization: Vector::zeros(),
            unknowns: Vector::zeros(),
        }
    }

    /// Takes the points, and the constants of their parameters.
    #[inline(always)]
    fn load(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        gather(&mut self.x, points);
        let (fixed, estimated) = self.x.split_at(self.x.len() - selected.estimated.len());
        if !estimated.is_empty() {
            let (weights, tables) = (selected.problem.settings().weights(), selected.problem.tables());
            self.constants = M::constants(&selected.parameters(estimated), &weights, tables);
        }
        self.state.load(fixed);
    }
}

impl<M: Model> ImplicitModel<M> {
    /// Up to four points a step on; which of them are.
    pub(super) fn advance_lanes(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> [bool; LANES] {
        let states = Self::FIXED + self.selected.estimated.len();
        if !go_in_lanes::<M>(x.len() / states.max(1)) || !self.newton.matrix.tries_emitted() {
            return [false; LANES];
        }
        let (selected, weights) = (&self.selected, &self.weights);
        let lanes = self.lanes.get_or_insert_with(|| Box::new(ImplicitLanes::new(selected, states)));
        let done = Lanes::dispatch(Advance { lanes, selected, weights, step, points: by_lanes(x, states) });
        for (lane, next) in next.chunks_exact_mut(states).enumerate().filter(|(lane, _)| done.contains(*lane))
        {
            component_into(&lanes.x, lane, next);
        }
        std::array::from_fn(|lane| done.contains(lane))
    }

    /// What is measured at up to four points.
    pub(super) fn measure_lanes(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) -> [bool; LANES] {
        let states = Self::FIXED + self.selected.estimated.len();
        if !go_in_lanes::<M>(x.len() / states.max(1)) || self.selected.measured.is_empty() {
            return [false; LANES];
        }
        let selected = &self.selected;
        let lanes = self.lanes.get_or_insert_with(|| Box::new(ImplicitLanes::new(selected, states)));
        Lanes::dispatch(Measure { lanes, selected, at, points: by_lanes(x, states) });
        for (lane, y) in y.chunks_exact_mut(selected.measured.len()).enumerate() {
            for (y, &index) in y.iter_mut().zip(&selected.measured) {
                *y = lanes.outputs.as_ref()[index].component(lane);
            }
        }
        [true; LANES]
    }

    /// Moves up to four points, made of the state `before` that the manifold has noted, to the constraints; which of
    /// them.
    pub(super) fn admit_lanes(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) -> [bool; LANES] {
        let (n, states) = (Self::N, Self::FIXED + self.selected.estimated.len());
        if !go_in_lanes::<M>(x.len() / states.max(1)) {
            return [false; LANES];
        }
        let (selected, manifold) = (&self.selected, &mut self.manifold);
        let lanes = self.lanes.get_or_insert_with(|| Box::new(ImplicitLanes::new(selected, states)));
        let from = &manifold.projection;
        let is_regular = Lanes::dispatch(Admit { lanes, selected, from, at, points: by_lanes(x, states) });
        let ImplicitLanes { state, projection, linearization, unknowns, .. } = &mut **lanes;
        let mut done = [false; LANES];
        for (lane, x) in x.chunks_exact_mut(states).enumerate().filter(|(lane, _)| is_regular.contains(*lane))
        {
            component_into(projection.linearization.as_ref(), lane, linearization.as_mut());
            if before == x || !manifold.kkt.factor(linearization.as_ref()) {
                continue;
            }
            component_into(projection.unknowns.as_ref(), lane, unknowns.as_mut());
            manifold.kkt.solve(unknowns.as_mut());
            let (motion, rest) = x.split_at_mut(2 * n);
            component_into(state.coordinates.as_ref(), lane, &mut motion[..n]);
            component_into(state.velocities.as_ref(), lane, &mut motion[n..]);
            rest.iter_mut().zip(unknowns.as_ref()).for_each(|(x, change)| *x -= change);
            done[lane] = true;
        }
        done
    }

    /// Takes the limits of the factors that the last step of a point by itself has found.
    pub(super) fn watch_lanes(&mut self) {
        let limits = self.newton.matrix.limits();
        if let Some(lanes) = &mut self.lanes {
            (0..LANES).for_each(|lane| lanes.limits.set(lane, limits));
        }
    }
}

/// A step as a piece of work: where it succeeds.
struct Advance<'a, M: Model> {
    lanes: &'a mut ImplicitLanes<M>,
    selected: &'a Selected<M>,
    weights: &'a Weights,
    step: &'a Step<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Model> Work for Advance<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, weights, step, points } = self;
        lanes.load(selected, points);
        let ImplicitLanes { constants, iterate, factors, limits, state, inputs, x, .. } = lanes;
        lift_into(step.inputs_before, inputs[0].as_mut());
        lift_into(step.inputs, inputs[1].as_mut());
        if weights.previous != 0.0 {
            M::residual(&state.point(step.time, &inputs[0], constants), &mut iterate.residual);
        }
        iterate.begin(weights, state);
        let time = step.time + weights.step;
        let (mut pending, mut done) = (LaneSet::of([true; LANES]), LaneSet::NONE);
        for iteration in 1..=MOST_ITERATIONS {
            let point = state.point(time, &inputs[1], constants);
            M::newton_correction(&point, &iterate.history, &mut iterate.correction, factors);
            pending = pending & limits.hold(factors.as_ref()) & are_finite(iterate.correction.as_ref());
            let ends = iterate.apply(weights, iteration, LaneMask::of(pending), state).set() & pending;
            for lane in ends.lanes() {
                pending.remove(lane);
                done.insert(lane);
            }
            if pending.is_empty() {
                break;
            }
        }
        let parts = state.parts();
        let mut place = 0;
        for part in parts {
            x[place..place + part.len()].copy_from_slice(part);
            place += part.len();
        }
        done
    }
}

/// The way to the constraints as a piece of work: where these are independent of each other.
struct Admit<'a, M: Model> {
    lanes: &'a mut ImplicitLanes<M>,
    selected: &'a Selected<M>,
    /// With what the state lacked that the points were made of.
    from: &'a Projection<M, f64>,
    at: &'a Sample<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Model> Work for Admit<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, from, at, points } = self;
        lanes.load(selected, points);
        let ImplicitLanes { constants, state, inputs, projection, .. } = lanes;
        lift_into(at.inputs, inputs[1].as_mut());
        lift_into(from.velocity_level.as_ref(), projection.velocity_level.as_mut());
        lift_into(from.rest.as_ref(), projection.rest.as_mut());
        let is_nowhere = |moves: LaneMask| moves.set().is_empty();
        let is_regular = projection.project(at.time, &inputs[1], constants, state, is_nowhere);
        projection.prepare(&state.point(at.time, &inputs[1], constants));
        is_regular.set()
    }
}

/// A measurement as a piece of work.
struct Measure<'a, M: Model> {
    lanes: &'a mut ImplicitLanes<M>,
    selected: &'a Selected<M>,
    at: &'a Sample<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Model> Work for Measure<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lanes, selected, at, points } = self;
        lanes.load(selected, points);
        lift_into(at.inputs, lanes.inputs[1].as_mut());
        let point = lanes.state.point(at.time, &lanes.inputs[1], &lanes.constants);
        M::outputs(&point, &mut lanes.outputs);
    }
}

/// The lanes in which all values are.
#[inline(always)]
fn are_finite(values: &[Lanes]) -> LaneSet {
    let mut sum = Lanes::constant(0.0);
    for value in values {
        sum += *value * 0.0;
    }
    sum.equal(Lanes::constant(0.0)).set()
}
