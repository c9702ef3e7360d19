//! Explicit steps of several points at once: sigma points, or particles.
//!
//! Each lane computes the same as a single step of its point. Points whose step fails are left to the single
//! step, which reports the error.

use super::super::tableau::Tableau;
use super::super::{Selected, by_lanes, go_in_lanes};
use super::RungeKuttaModel;
use super::stage_lanes::StageLanes;
use costate_numerics::scalar::{LANES, LaneMask, LaneSet, Lanes, Scalar, Work, lane_into};
use costate_system::model::Functions;
use costate_system::state_space::{Sample, Step};

impl<M: Functions> RungeKuttaModel<M> {
    /// Advances up to four points by a step; returns which of them it has advanced.
    pub(super) fn advance_lanes(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> [bool; LANES] {
        let states = 2 * self.n() + self.selected.estimated.len();
        if !go_in_lanes::<M>(self.selected.program, x.len() / states.max(1)) {
            return [false; LANES];
        }
        let selected = &self.selected;
        let lanes = self.lanes.get_or_insert_with(|| Box::new(StageLanes::new(selected, states)));
        let tableau = &self.formula.tableau();
        let done = Lanes::dispatch(Advance { lanes, selected, step, tableau, points: by_lanes(x, states) });
        for (lane, next) in next.chunks_exact_mut(states).enumerate().filter(|(lane, _)| done.contains(*lane)) {
            lane_into(&lanes.x, lane, next);
        }
        std::array::from_fn(|lane| done.contains(lane))
    }

    /// Evaluates the measurements at up to four points; returns which points are done.
    pub(super) fn measure_lanes(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) -> [bool; LANES] {
        let states = 2 * self.n() + self.selected.estimated.len();
        if !go_in_lanes::<M>(self.selected.program, x.len() / states.max(1)) || self.selected.measured.is_empty() {
            return [false; LANES];
        }
        let selected = &self.selected;
        let lanes = self.lanes.get_or_insert_with(|| Box::new(StageLanes::new(selected, states)));
        let done = Lanes::dispatch(Measure { lanes, selected, at, points: by_lanes(x, states) });
        for (lane, y) in y.chunks_exact_mut(selected.measured.len()).enumerate() {
            for (y, &index) in y.iter_mut().zip(&selected.measured) {
                *y = lanes.outputs.as_ref()[index].lane(lane);
            }
        }
        std::array::from_fn(|lane| done.contains(lane))
    }
}

/// A step as a piece of work, which returns the lanes where M is regular at all stages.
struct Advance<'a, M: Functions> {
    lanes: &'a mut StageLanes<M>,
    selected: &'a Selected<M>,
    step: &'a Step<'a>,
    tableau: &'a Tableau,
    points: [&'a [f64]; LANES],
}

impl<M: Functions> Work for Advance<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, step, tableau, points } = self;
        lanes.load(selected, points);
        let StageLanes { stages, x, .. } = lanes;
        let mut is_regular = LaneMask::of(LaneSet::of([true; LANES]));
        for stage in 0..tableau.stages {
            stages.begin(step, tableau, stage, x);
            let time = step.time + tableau.times[stage] * step.interval;
            is_regular = Lanes::and(is_regular, stages.accelerate(time, stage));
        }
        stages.finish(step.interval, tableau, x);
        is_regular.set()
    }
}

/// A measurement as a piece of work, which returns the lanes where M is regular.
struct Measure<'a, M: Functions> {
    lanes: &'a mut StageLanes<M>,
    selected: &'a Selected<M>,
    at: &'a Sample<'a>,
    points: [&'a [f64]; LANES],
}

impl<M: Functions> Work for Measure<'_, M> {
    type Output = LaneSet;

    #[inline(always)]
    fn run(self) -> LaneSet {
        let Self { lanes, selected, at, points } = self;
        lanes.load(selected, points);
        let StageLanes { stages, x, outputs } = lanes;
        let is_regular = stages.at_sample(at.time, at.inputs, x);
        M::outputs(&stages.point(at.time), outputs);
        is_regular.set()
    }
}
