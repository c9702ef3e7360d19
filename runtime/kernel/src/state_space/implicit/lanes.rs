//! Steps of several points at once: sigma points, or particles.
//!
//! Each lane computes the same as a single step of its point. Points whose factors need another check, or
//! whose iteration fails, are left to the single step.

use costate_numerics::scalar::{LANES, LaneMask, LaneSet, Lanes, Scalar, Work, lane_into, lift_into};
use costate_system::model::Functions;
use costate_system::state_space::{Sample, Step};

use super::super::projection::Projection;
use super::super::{Selected, by_lanes, go_in_lanes, step_at};
use super::ImplicitModel;
use super::moments::moments;
use super::step_lanes::StepLanes;
use crate::step::{Before, Moment};

impl<M: Functions> ImplicitModel<M> {
    /// Advances up to four points by a step; returns which of them it has advanced.
    pub(super) fn advance_lanes(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> [bool; LANES] {
        let states = self.layout.fixed() + self.selected.estimated.len();
        if !go_in_lanes::<M>(self.selected.program, x.len() / states.max(1))
            || !self.integrator.matrix().tries_emitted()
        {
            return [false; LANES];
        }
        self.take_inputs(step);
        let (selected, layout) = (&self.selected, self.layout);
        let lanes = self.lanes.get_or_insert_with(|| Box::new(StepLanes::new(selected, layout)));
        let moments = moments(step, lanes.constants.weights.step, self.inputs.each_ref().map(AsRef::as_ref));
        let done = Lanes::dispatch(Advance { lanes, selected, moments, points: by_lanes(x, states) });
        for (lane, next) in next.chunks_exact_mut(states).enumerate().filter(|(lane, _)| done.contains(*lane)) {
            lane_into(&lanes.x, lane, next);
        }
        std::array::from_fn(|lane| done.contains(lane))
    }

    /// Evaluates the measurements at up to four points; returns which points are done.
    pub(super) fn measure_lanes(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) -> [bool; LANES] {
        let states = self.layout.fixed() + self.selected.estimated.len();
        if !go_in_lanes::<M>(self.selected.program, x.len() / states.max(1)) || self.selected.measured.is_empty() {
            return [false; LANES];
        }
        let (selected, layout) = (&self.selected, self.layout);
        let lanes = self.lanes.get_or_insert_with(|| Box::new(StepLanes::new(selected, layout)));
        Lanes::dispatch(Measure { lanes, selected, at, points: by_lanes(x, states) });
        for (lane, y) in y.chunks_exact_mut(selected.measured.len()).enumerate() {
            for (y, &index) in y.iter_mut().zip(&selected.measured) {
                *y = lanes.outputs.as_ref()[index].lane(lane);
            }
        }
        [true; LANES]
    }

    /// Moves up to four points, which were made from the state `before` that the manifold has noted, to the
    /// constraints; returns which of them it has moved.
    pub(super) fn admit_lanes(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) -> [bool; LANES] {
        let (n, states) = (self.layout.coordinates(), self.layout.fixed() + self.selected.estimated.len());
        if !go_in_lanes::<M>(self.selected.program, x.len() / states.max(1)) {
            return [false; LANES];
        }
        let (selected, layout, manifold) = (&self.selected, self.layout, &mut self.manifold);
        let lanes = self.lanes.get_or_insert_with(|| Box::new(StepLanes::new(selected, layout)));
        let from = &manifold.projection;
        let is_start = step_at(at.time, lanes.constants.weights.step) == 0;
        let is_regular = Lanes::dispatch(Admit { lanes, selected, from, at, points: by_lanes(x, states) });
        let StepLanes { state, projection, linearization, unknowns, .. } = &mut **lanes;
        let mut done = [false; LANES];
        for (lane, x) in x.chunks_exact_mut(states).enumerate().filter(|(lane, _)| is_regular.contains(*lane)) {
            lane_into(projection.linearization.as_ref(), lane, linearization.as_mut());
            if before == x || !manifold.kkt.factor(linearization.as_ref()) {
                continue;
            }
            lane_into(projection.unknowns.as_ref(), lane, unknowns.as_mut());
            manifold.kkt.solve(unknowns.as_mut());
            let (motion, rest) = x.split_at_mut(2 * n);
            lane_into(state.coordinates.as_ref(), lane, &mut motion[..n]);
            lane_into(state.velocities.as_ref(), lane, &mut motion[n..]);
            let (unknown, own) = rest.split_at_mut(layout.state() - 2 * n);
            unknown.iter_mut().zip(unknowns.as_ref()).for_each(|(x, change)| *x -= change);
            let moved = if is_start { 0 } else { layout.auxiliaries().len() };
            own[..moved].iter_mut().zip(unknowns.as_ref()).for_each(|(s, change)| *s -= change);
            done[lane] = true;
        }
        done
    }

    /// Takes over the limits of factors from the last single step of a point.
    pub(super) fn watch_lanes(&mut self) {
        if let Some(lanes) = &mut self.lanes {
            lanes.integrator.watch(self.integrator.matrix());
        }
    }
}

/// A step as a piece of work, which returns the lanes that succeed.
struct Advance<'a, M: Functions> {
    lanes: &'a mut StepLanes<M>,
    selected: &'a Selected<M>,
    /// t_{i-1} and t_i.
    moments: [Moment<'a>; 2],
    points: [&'a [f64]; LANES],
}

impl<M: Functions> Work for Advance<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, moments: [before, after], points } = self;
        lanes.load(selected, points);
        let StepLanes { layout, constants, start, integrator, x, .. } = lanes;
        let constants = if after.step == 1 { start } else { constants };
        let before =
            Before { state: &x[..layout.state()], auxiliary: &x[layout.auxiliary_accelerations()], at: before };
        let done = integrator.step_from(constants, &before, after);
        integrator.state().0.store_row(&mut x[..layout.state()]);
        integrator.auxiliary_into(&constants.weights, &mut x[layout.auxiliaries()]);
        done
    }
}

/// The projection onto the constraints as a piece of work, which returns the lanes with independent
/// constraints.
struct Admit<'a, M: Functions> {
    lanes: &'a mut StepLanes<M>,
    selected: &'a Selected<M>,
    /// Residuals of the state that the points were made from.
    from: &'a Projection<M, f64>,
    at: &'a Sample<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Functions> Work for Admit<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, from, at, points } = self;
        lanes.load_states(selected, points);
        let StepLanes { constants, state, inputs, projection, .. } = lanes;
        let constants = &constants.model;
        lift_into(at.inputs, inputs.as_mut());
        lift_into(from.velocity_level.as_ref(), projection.velocity_level.as_mut());
        lift_into(from.rest.as_ref(), projection.rest.as_mut());
        let is_nowhere = |moves: LaneMask| moves.set().is_empty();
        let is_regular = projection.project(at.time, inputs, constants, state, is_nowhere);
        projection.prepare(&state.point(at.time, inputs, constants));
        is_regular.set()
    }
}

/// A measurement as a piece of work.
struct Measure<'a, M: Functions> {
    lanes: &'a mut StepLanes<M>,
    selected: &'a Selected<M>,
    at: &'a Sample<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Functions> Work for Measure<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lanes, selected, at, points } = self;
        lanes.load_states(selected, points);
        lift_into(at.inputs, lanes.inputs.as_mut());
        let point = lanes.state.point(at.time, &lanes.inputs, &lanes.constants.model);
        M::outputs(&point, &mut lanes.outputs);
    }
}
