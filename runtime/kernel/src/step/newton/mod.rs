//! The control of Newton's iteration: decides about convergence, and when the matrix must be renewed.
//!
//! Factors are kept over iterations and steps as long as updates shrink well: with a new matrix at the start
//! of a step two iterations are the rule, and old factors pay where they need no more. With the measured
//! contraction theta = |update_k|/|update_(k-1)| the error after update k is about theta/(1 - theta)
//! |update_k|; this error, not the update, is compared with the tolerance. Below the rounding of the scaled
//! constraint C/(beta h^2) nothing converges: positions are known to eps |q|, accelerations therefore to
//! eps |q|/(beta h^2) only.
//!
//! Runs in lanes iterate together, and each is judged by itself: the control is written for one number or
//! several, with masks for decisions, and branches only where no lane takes the other branch.

use costate_numerics::scalar::Reals;
use costate_system::model::Weights;
use costate_system::state_bytes::StateBytes;

use crate::step::{MAX_PAUSE, NewtonSettings};

use component::{Component, SCALE_MEMORY};

pub(super) use component::Measured;

mod allowed;
mod component;
#[cfg(test)]
mod tests;

/// Fraction of the allowed error that may be left with factors of an earlier step: this error has the same
/// sign in every step, and adds up.
const OLD_FACTORS_ALLOWANCE: f64 = 0.01;

/// Contraction above which only rounding is left, although the matrix is that of the iterate itself: more
/// rounding than estimated, where constraints amplify it.
const NO_CONTRACTION: f64 = 0.3;

/// Margin of the rounding that ended an iteration, which is expected again: it need not be found out in every
/// step.
const LEARNED_ROUNDING: f64 = 2.0;

/// The decision after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    Converged,
    Continue,
    /// Continue with a new matrix.
    Renew,
    /// The updates grow although the matrix is new, or the iterations are used up.
    Failed,
}

/// The decisions about the iterations of several runs: masks of those that end, renew their matrix, or fail.
#[derive(Clone, Copy)]
pub(super) struct Verdicts<R: Reals> {
    pub converged: R::Mask,
    pub renew: R::Mask,
    pub failed: R::Mask,
}

/// Judges the iterations of all steps of a run, or of several that iterate together.
#[derive(Clone)]
pub(super) struct Control<R: Reals = f64> {
    settings: NewtonSettings,
    /// Changes of accelerations that correspond to a rounding of coordinates and velocities: eps over the
    /// weights.
    rounding_of_coordinates: f64,
    rounding_of_velocities: f64,
    real: Component<R>,
    derivatives: Vec<Component<R>>,
    /// Ratio of multipliers to accelerations in roundings: largest entry of N over that of C_q.
    multipliers_per_acceleration: R,
    /// True if the factors are older than the current step, and if they were so at its start.
    stale: R::Mask,
    began_stale: R::Mask,
    /// Number of steps to come that renew their factors at the start.
    pause: R,
    /// Length of the last pause.
    last_pause: R,
    iteration: usize,
    /// True if the matrix was evaluated for the iteration to be judged.
    fresh: R::Mask,
    previous: R,
    contraction: R,
    /// Measured rounding in units of the estimated one; 1 if it is not known to be larger.
    rounding: R,
    /// True once the values have converged; the derivatives lag behind.
    settled: R::Mask,
    /// True if updates no longer shrink although the matrix is that of the iterate, and are larger than
    /// expected rounding.
    stalls: R::Mask,
    /// Size of the step's first update in units of the accepted one.
    first: R,
    /// Error left by a first update over the square of this update: with a new matrix the iteration is of
    /// second order. Infinite before it was measured.
    remainder: R,
    /// Number of steps since `remainder` was measured.
    trusted: R,
}

impl Control {
    /// Returns the bytes of a control with this number of components, including its heap memory.
    pub const fn bytes(components: usize) -> usize {
        size_of::<Self>() + components.saturating_sub(1) * size_of::<Component<f64>>()
    }

    /// Writes or reads everything but the settings.
    pub fn pass(&mut self, bytes: &mut StateBytes<'_>) -> Option<()> {
        let Component { scale, noise, relative_change } = &mut self.real;
        let numbers = [
            &mut self.rounding_of_coordinates,
            &mut self.rounding_of_velocities,
            &mut scale.accelerations,
            &mut scale.multipliers,
            &mut noise.accelerations,
            &mut noise.multipliers,
            relative_change,
            &mut self.multipliers_per_acceleration,
            &mut self.pause,
            &mut self.last_pause,
            &mut self.previous,
            &mut self.contraction,
            &mut self.rounding,
            &mut self.first,
            &mut self.remainder,
            &mut self.trusted,
        ];
        numbers.into_iter().try_for_each(|number| bytes.real(number))?;
        let flags = [&mut self.stale, &mut self.began_stale, &mut self.fresh, &mut self.settled, &mut self.stalls];
        flags.into_iter().try_for_each(|flag| bytes.flag(flag))?;
        bytes.count(&mut self.iteration)
    }

    /// Judges the update whose sizes are given; the sizes of the state count in the first iteration only.
    #[inline(always)]
    pub fn judge(&mut self, sizes: Measured<'_>) -> Verdict {
        let Verdicts { converged, renew, failed } = self.judge_each(sizes, true);
        match (converged, failed, renew) {
            (true, _, _) => Verdict::Converged,
            (_, true, _) => Verdict::Failed,
            (_, _, true) => Verdict::Renew,
            _ => Verdict::Continue,
        }
    }

    /// Returns true if the last update was no smaller than the one before although the matrix is that of the
    /// iterate.
    #[inline(always)]
    pub fn stalls(&self) -> bool {
        self.stalls
    }

    /// Takes a stalled iteration for rounding that is larger than expected, and expects it for some steps;
    /// returns true if the iteration has converged. Derivatives converge one iteration later.
    #[cold]
    pub fn take_for_rounding(&mut self, sizes: Measured<'_>) -> bool {
        self.rounding = (self.coarse_size(sizes) * LEARNED_ROUNDING).max(self.rounding);
        let converged = sizes.derivatives.is_empty() || self.settled;
        self.settled = true;
        if converged {
            self.plan(true);
        }
        converged
    }

    /// Returns the number of iterations of the current step.
    pub fn iterations(&self) -> usize {
        self.iteration
    }
}

impl<R: Reals> Control<R> {
    pub fn new(settings: NewtonSettings, weights: Weights, components: usize) -> Self {
        let zero = R::default();
        let (one, no) = (zero.same(1.0), zero.decide(false));
        Self {
            settings,
            rounding_of_coordinates: f64::EPSILON / weights.coordinates,
            rounding_of_velocities: f64::EPSILON / weights.velocities,
            real: Component::default(),
            derivatives: vec![Component::default(); components.saturating_sub(1)],
            multipliers_per_acceleration: zero,
            stale: no,
            began_stale: no,
            pause: one,
            last_pause: one,
            iteration: 0,
            fresh: no,
            previous: zero,
            contraction: zero,
            rounding: one,
            settled: no,
            stalls: no,
            first: zero,
            remainder: zero.same(f64::INFINITY),
            trusted: zero,
        }
    }

    /// Adapts the control to steps of another length.
    pub fn take_weights(&mut self, weights: &Weights) {
        self.rounding_of_coordinates = f64::EPSILON / weights.coordinates;
        self.rounding_of_velocities = f64::EPSILON / weights.velocities;
        let zero = self.rounding.same(0.0);
        (self.rounding, self.remainder) = (zero.same(1.0), zero.same(f64::INFINITY));
        // the factors belong to the matrix of the previous length
        self.pause = self.pause.larger(zero.same(1.0));
    }

    /// Forgets all steps so far, because the next ones have unrelated states.
    pub fn forget(&mut self) {
        let zero = self.rounding.same(0.0);
        let one = zero.same(1.0);
        self.real = Component::default();
        for component in &mut self.derivatives {
            *component = Component { relative_change: component.relative_change, ..Component::default() };
        }
        (self.pause, self.last_pause, self.rounding) = (one, one, one);
        (self.remainder, self.trusted) = (zero.same(f64::INFINITY), zero);
    }

    /// Sets the largest relative change of a parameter in the direction of each derivative.
    pub fn direct(&mut self, relative_changes: impl Iterator<Item = f64>) {
        for (component, change) in self.derivatives.iter_mut().zip(relative_changes) {
            component.relative_change = change;
        }
    }

    /// Takes the initial state's accelerations and multipliers as the first scales.
    pub fn start(&mut self, sizes: Measured<'_, R>) {
        self.grow_scales(sizes);
    }

    /// Begins a step; returns true if the step needs a new matrix.
    #[inline(always)]
    pub fn begin(&mut self) -> R::Mask {
        let zero = self.rounding.same(0.0);
        self.iteration = 0;
        self.contraction = zero;
        self.fresh = zero.decide(false);
        self.settled = zero.decide(false);
        self.stalls = zero.decide(false);
        self.rounding = (self.rounding * SCALE_MEMORY).larger(zero.same(1.0));
        let reuses = self.settings.reuse && !self.settings.estimate;
        self.stale = R::and(zero.decide(reuses), self.pause.equal(zero));
        self.began_stale = self.stale;
        self.pause = (self.pause - 1.0).larger(zero);
        self.real.shrink();
        for component in &mut self.derivatives {
            component.shrink();
        }
        R::not(self.stale)
    }

    /// Records that the matrix was renewed for the iteration to be judged next, in the runs of `which`;
    /// `ratio` is the largest entry of N over that of C_q.
    #[inline(always)]
    pub fn renewed(&mut self, which: R::Mask, ratio: R) {
        self.stale = R::but(self.stale, which);
        self.fresh = which;
        self.multipliers_per_acceleration = R::select(which, ratio, self.multipliers_per_acceleration);
    }

    /// Returns true if steps start from a parabola through three states rather than from a line through two:
    /// this pays where one iteration may be enough.
    pub fn extrapolates_twice(&self) -> bool {
        self.settings.estimate
    }

    /// Decides, after a step of the runs of `which`, whether the next step may reuse the factors.
    #[inline(always)]
    fn plan(&mut self, which: R::Mask) {
        /// Largest number of iterations of a step whose factors are kept for the next one.
        const MAX_FAIR_ITERATIONS: usize = 2;
        let zero = self.pause.same(0.0);
        let fair = self.iteration <= MAX_FAIR_ITERATIONS;
        let began_stale = R::and(which, self.began_stale);
        if R::any(began_stale) {
            let pause = if fair { self.pause } else { self.last_pause };
            let doubled = zero.same(f64::from(MAX_PAUSE)).smaller(self.last_pause * 2.0);
            let last = if fair { zero.same(1.0) } else { doubled };
            self.pause = R::select(began_stale, pause, self.pause);
            self.last_pause = R::select(began_stale, last, self.last_pause);
        }
        if !fair {
            let began_new = R::but(which, self.began_stale);
            self.pause = R::select(began_new, self.pause.larger(zero.same(1.0)), self.pause);
        }
    }

    /// Returns the runs of `which` whose first update, of this size, leaves a small enough error; measures
    /// the error that first updates leave.
    #[inline(always)]
    fn is_enough(&mut self, which: R::Mask, size: R) -> R::Mask {
        /// Fraction of the largest measured contraction that is kept after another measurement.
        const CONTRACTION_MEMORY: f64 = 0.8;
        /// Number of steps in a row with a single iteration, after which the error of such steps is measured again.
        const MAX_TRUST: f64 = 24.0;
        /// Fraction of the accepted update that the estimated error of a single iteration may be.
        const SINGLE_ALLOWANCE: f64 = 0.25;
        let zero = size.same(0.0);
        match self.iteration {
            1 => {
                self.first = size;
                let left = (self.remainder * size * size).less_equal(zero.same(SINGLE_ALLOWANCE));
                let is_known = self.trusted.less(zero.same(MAX_TRUST));
                self.trusted = R::select(which, self.trusted + 1.0, self.trusted);
                R::and(which, R::and(left, is_known))
            }
            2 => {
                let was_measured = self.remainder.is_finite();
                let remembered = R::select(was_measured, self.remainder * CONTRACTION_MEMORY, zero);
                let remainder = (size / (self.first * self.first)).larger(remembered);
                self.remainder = R::select(which, remainder, self.remainder);
                self.trusted = R::select(which, zero, self.trusted);
                zero.decide(false)
            }
            _ => zero.decide(false),
        }
    }

    /// Judges the updates of the runs of `which`, all of which iterate, as [`judge`](Control::judge) judges
    /// one run.
    #[inline(always)]
    pub fn judge_each(&mut self, sizes: Measured<'_, R>, which: R::Mask) -> Verdicts<R> {
        let zero = self.rounding.same(0.0);
        self.iteration += 1;
        let is_single = sizes.derivatives.is_empty();
        // derivatives may begin to move in the second iteration
        if self.iteration == 1 || !is_single {
            self.take_scales(sizes);
        }
        let none = zero.decide(false);
        let fresh = std::mem::replace(&mut self.fresh, none);
        let may_end = if is_single { which } else { R::and(which, self.settled) };
        let measures = self.settings.estimate && self.iteration == 2;
        let is_noise = self.is_noise(sizes);
        let converged = if measures { none } else { R::and(may_end, is_noise) };
        let mut verdicts = Verdicts { converged, renew: none, failed: none };
        if R::any(converged) {
            self.plan(converged);
        }
        let mut open = R::but(which, converged);
        if !R::any(open) {
            return verdicts;
        }
        if self.settings.estimate {
            // Derivatives lag an iteration behind the values: one iteration is never enough for them.
            if is_single {
                let finite = R::and(open, sizes.are_finite());
                let enough = self.is_enough(finite, self.coarse_size(sizes));
                verdicts.converged = R::or(converged, enough);
                open = R::but(open, enough);
            }
        } else if self.iteration == 1 && self.settings.maximum_iterations > 1 {
            // the first of usually two iterations
            let usual = self.rounding.equal(zero.same(1.0));
            let usual = R::and(usual, self.real.noise.accelerations.is_finite());
            let more = R::and(R::but(open, is_noise), usual);
            if R::any(more) {
                self.previous = self.fine_size(sizes);
            }
            verdicts.renew = if self.settings.reuse { none } else { more };
            open = R::but(open, more);
        }
        if R::any(open) {
            let closely =
                if R::IS_ONE { self.judge_apart(sizes, open, fresh) } else { self.judge_closely(sizes, open, fresh) };
            verdicts.converged = R::or(verdicts.converged, closely.converged);
            verdicts.renew = R::or(verdicts.renew, closely.renew);
            verdicts.failed = closely.failed;
        }
        verdicts
    }

    /// Judges a single run closely, outside of the time loop.
    #[inline(never)]
    fn judge_apart(&mut self, sizes: Measured<'_, R>, which: R::Mask, fresh: R::Mask) -> Verdicts<R> {
        self.judge_closely(sizes, which, fresh)
    }

    #[inline(always)]
    fn judge_closely(&mut self, sizes: Measured<'_, R>, which: R::Mask, fresh: R::Mask) -> Verdicts<R> {
        /// Contraction above which factors are renewed within a step.
        const POOR_CONTRACTION: f64 = 0.1;
        /// Lower bound of the contraction: two updates may shrink by chance, where a force has a kink.
        const MIN_CONTRACTION: f64 = 1e-3;
        let zero = self.rounding.same(0.0);
        let (one, none) = (zero.same(1.0), zero.decide(false));
        let first = self.iteration == 1;
        let is_single = sizes.derivatives.is_empty();
        let coarse = self.coarse_size(sizes);
        let finite = R::and(which, sizes.are_finite());
        let update = self.fine_size(sizes);
        let still = update.equal(zero);
        self.contraction = if first { zero } else { R::select(still, zero, update / self.previous) };
        self.previous = update;
        let mut is_noise = R::or(self.is_noise(sizes), still);
        let within = R::but(R::and(which, coarse.less_equal(self.rounding)), is_noise);
        if R::any(within) {
            is_noise = R::or(is_noise, R::and(within, self.may_be_rounding(sizes)));
        }
        let theta = self.contraction.larger(zero.same(MIN_CONTRACTION));
        let allowance = R::select(self.stale, zero.same(OLD_FACTORS_ALLOWANCE), one);
        let mut ends = is_noise;
        self.stalls = none;
        if !first {
            let left = (theta / (one - theta) * update).less_equal(allowance);
            ends = R::or(ends, R::and(theta.less(one), left));
            let stuck = R::and(fresh, zero.same(NO_CONTRACTION).less(self.contraction));
            let stuck = R::and(finite, stuck);
            if R::any(stuck) {
                let rounding = R::and(stuck, self.may_be_rounding(sizes));
                let learnt = (coarse * LEARNED_ROUNDING).larger(self.rounding);
                self.rounding = R::select(R::but(rounding, is_noise), learnt, self.rounding);
                ends = R::or(ends, rounding);
                // nothing is learnt from derivatives that are nearly zero: their rounding is that of other numbers
                if !is_single && R::any(R::but(stuck, ends)) {
                    ends = R::or(ends, R::and(stuck, self.may_be_rest(sizes)));
                }
                self.stalls = R::but(stuck, ends);
            }
        }
        let ends = R::and(finite, ends);
        // Derivatives are corrected with the equations before the real part's last update: they need one more.
        let converged = if is_single { ends } else { R::and(ends, self.settled) };
        self.settled = R::or(self.settled, ends);
        if R::any(converged) {
            self.plan(converged);
        }
        let open = R::but(which, converged);
        let last = self.iteration >= self.settings.maximum_iterations;
        let failed = if last { open } else { R::but(open, finite) };
        self.pause = R::select(failed, one, self.pause);
        let open = R::but(open, failed);
        let renew = if !self.settings.reuse {
            open
        } else if first {
            none
        } else {
            R::and(open, zero.same(POOR_CONTRACTION).less(self.contraction))
        };
        Verdicts { converged, renew, failed }
    }
}
