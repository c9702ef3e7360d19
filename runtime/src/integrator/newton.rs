//! When a Newton iteration has converged, and when its matrix must be renewed.
//!
//! Factors are kept over iterations and steps as long as updates shrink well: with a new matrix at the start of a
//! step two iterations are the rule, and old factors pay where they need no more. With the measured contraction theta =
//! |update_k|/|update_(k-1)| the error that is left after update k is about theta/(1 - theta) |update_k|, and this is
//! what is compared with the tolerance, not the update. Below the rounding of the scaled constraint C/(beta h^2)
//! nothing converges: positions are known to eps |q|, accelerations therefore to eps |q|/(beta h^2) only.

use crate::integrator::settings::NewtonSettings;
use crate::integrator::sizes::Sizes;
use crate::model::Weights;

use component::{Bounds, Component, finite_or_none, relative};

pub(super) use component::Measured;

mod component;
#[cfg(test)]
mod tests;

/// The contraction is taken for at least this: two updates may shrink by chance, where a force has a kink.
const LEAST_CONTRACTION: f64 = 1e-3;

/// Factors are renewed within a step when updates shrink by less than this factor.
const POOR_CONTRACTION: f64 = 0.1;

/// Factors are kept for the next step if this one took no more iterations.
const FAIR_ITERATIONS: usize = 2;

/// Old factors that do not serve are not tried again for 1, 2, 4 .. steps, at most this number.
const LONGEST_PAUSE: u32 = 64;

/// Roundings by which an accepted update may exceed that of the positions; updates of that size say nothing.
const NOISE: f64 = 8.0;

/// Roundings that the estimated error is compared with: far less than one, because what old factors leave is no noise
/// but points the same way in every step, and adds up.
const FLOOR: f64 = 0.01;

/// Part of the allowed error that may be left with factors of an earlier step: that error has the same sign in every
/// step, and adds up.
const OLD_FACTORS_ALLOWANCE: f64 = 0.01;

/// Where updates no longer shrink by this factor although the matrix is that of the iterate itself, only rounding is
/// left; more rounding than estimated, where constraints amplify it.
const NO_CONTRACTION: f64 = 0.3;

/// Updates that end an iteration in this way are at most this large, relative to the scales.
const LARGEST_ROUNDING: f64 = 1e-9;

/// The same for derivatives: rounding of the real part, relative to the largest acceleration, may be a larger fraction
/// of a derivative that comes from a small one.
const LARGEST_DERIVATIVE_ROUNDING: f64 = 1e-6;

/// Rounding that ended an iteration is expected again, with this margin: it need not be found out in every step.
const LEARNED_ROUNDING: f64 = 2.0;

/// Per step, how much of the largest acceleration so far, the scale of the tolerance, and of rounding is remembered.
const MEMORY: f64 = 0.999;

/// Part of the accepted update that the estimated error of a single iteration may be.
const SINGLE_ALLOWANCE: f64 = 0.25;

/// Steps in a row with a single iteration, after which its error is measured again.
const LONGEST_TRUST: usize = 24;

/// How much of the largest measured contraction is remembered after another measurement.
const CONTRACTION_MEMORY: f64 = 0.8;

/// What to do after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    Converged,
    Continue,
    /// Go on with a new matrix.
    Renew,
    /// The updates grow although the matrix is new, or the iterations are used up.
    Failed,
}

/// Judges the iterations of all steps of a run.
#[derive(Debug, Clone)]
pub(super) struct Control {
    settings: NewtonSettings,
    /// Changes of accelerations that go with a rounding of coordinates and velocities: roundings over the weights.
    rounding_of_coordinates: f64,
    rounding_of_velocities: f64,
    real: Component,
    derivatives: Vec<Component>,
    /// Size of multipliers that goes with a unit of acceleration: largest entry of N over that of C_q.
    multipliers_per_acceleration: f64,
    /// Whether the factors are older than the current step, and whether they were at its start.
    stale: bool,
    began_stale: bool,
    /// For how many steps to come factors are renewed at the start.
    pause: u32,
    /// How long the last pause was.
    last_pause: u32,
    iteration: usize,
    /// The iteration of the step that the matrix was evaluated for.
    renewed_for: usize,
    previous: f64,
    contraction: f64,
    /// Rounding as it was found to be, in units of the estimated one; 1 if it is not known to be more.
    rounding: f64,
    /// The iteration has converged but for the derivatives, which lag behind.
    settled: bool,
    /// Size of the step's first update in units of the accepted one.
    first: f64,
    /// What a first update leaves, over its square: with a new matrix the iteration is of second order.
    remainder: Option<f64>,
    /// Steps since that was measured.
    trusted: usize,
}

impl Control {
    /// Bytes of one with this number of components, with what it keeps elsewhere.
    pub const fn bytes(components: usize) -> usize {
        size_of::<Self>() + components.saturating_sub(1) * size_of::<Component>()
    }

    pub fn new(settings: NewtonSettings, weights: Weights, components: usize) -> Self {
        Self {
            settings,
            rounding_of_coordinates: f64::EPSILON / weights.coordinates,
            rounding_of_velocities: f64::EPSILON / weights.velocities,
            real: Component::default(),
            derivatives: vec![Component::default(); components.saturating_sub(1)],
            multipliers_per_acceleration: 0.0,
            stale: false,
            began_stale: false,
            pause: 1,
            last_pause: 1,
            iteration: 0,
            renewed_for: 0,
            previous: 0.0,
            contraction: 0.0,
            rounding: 1.0,
            settled: false,
            first: 0.0,
            remainder: None,
            trusted: 0,
        }
    }

    /// Takes the initial state's accelerations and multipliers as the first scales.
    pub fn start(&mut self, sizes: Measured<'_>) {
        self.grow_scales(sizes);
    }

    #[inline(always)]
    fn grow_scales(&mut self, sizes: Measured<'_>) {
        self.real.grow(&sizes.real);
        for (component, sizes) in self.derivatives.iter_mut().zip(sizes.derivatives) {
            component.grow(sizes);
        }
    }

    /// Begins a step; whether it needs a new matrix.
    #[inline(always)]
    pub fn begin(&mut self) -> bool {
        self.iteration = 0;
        self.renewed_for = 0;
        self.contraction = 0.0;
        self.settled = false;
        self.rounding = (self.rounding * MEMORY).max(1.0);
        self.stale = self.pause == 0 && self.settings.reuse && !self.settings.estimate;
        self.began_stale = self.stale;
        self.pause = self.pause.saturating_sub(1);
        self.real.shrink();
        for component in &mut self.derivatives {
            component.shrink();
        }
        !self.stale
    }

    /// The matrix was renewed; `ratio` is the largest entry of N over that of C_q.
    pub fn renewed(&mut self, ratio: f64) {
        self.stale = false;
        self.renewed_for = self.iteration + 1;
        self.multipliers_per_acceleration = ratio;
    }

    /// Whether steps start from a parabola through three states rather than from a line through two: worth it where one
    /// iteration may be enough.
    pub fn extrapolates_twice(&self) -> bool {
        self.settings.estimate
    }

    /// Iterations of the current step.
    pub fn iterations(&self) -> usize {
        self.iteration
    }

    /// The rounding of the real part's accelerations that positions and velocities cause.
    #[inline(always)]
    fn floor(&self, sizes: &Sizes) -> f64 {
        self.rounding_of_coordinates * sizes.coordinates + self.rounding_of_velocities * sizes.velocities
    }

    /// The same of a derivative: rounding of the real part changes it by the same fraction.
    fn floor_of_derivative(&self, component: &Component, sizes: &Sizes, real: &Sizes) -> f64 {
        let own = self.floor(sizes);
        if self.real.scale.accelerations > 0.0 {
            let ratio = component.scale.accelerations / self.real.scale.accelerations;
            return own.max(self.floor(real) * ratio);
        }
        own
    }

    /// This many roundings of accelerations, and what they are in multipliers.
    #[inline(always)]
    fn rounding(&self, roundings: f64, floor: f64) -> Bounds {
        let accelerations = roundings * floor;
        Bounds { accelerations, multipliers: accelerations * self.multipliers_per_acceleration }
    }

    /// The updates that are accepted without an estimate; of the last component the accelerations' and the multipliers'.
    pub fn accepted_of_last(&self, sizes: Measured<'_>) -> (f64, f64) {
        let last = self.derivatives.last().zip(sizes.derivatives.last());
        let Bounds { accelerations, multipliers } = match last {
            None => self.accepted(&sizes.real),
            Some((component, own)) => self.accepted_of_derivative(component, own, &sizes.real),
        };
        (accelerations, multipliers)
    }

    #[inline(always)]
    fn accepted(&self, sizes: &Sizes) -> Bounds {
        self.real.allowed(self.settings.tolerance, self.rounding(NOISE, self.floor(sizes)))
    }

    fn accepted_of_derivative(&self, component: &Component, sizes: &Sizes, real: &Sizes) -> Bounds {
        let floor = self.floor_of_derivative(component, sizes, real);
        component.allowed(self.settings.tolerance, self.rounding(NOISE, floor))
    }

    /// The largest update in units of the allowed one: `tolerances`, of the real part and of derivatives, besides
    /// `roundings`.
    #[inline(always)]
    fn size(&self, sizes: Measured<'_>, tolerances: [f64; 2], roundings: f64) -> f64 {
        let allowed = self.real.allowed(tolerances[0], self.rounding(roundings, self.floor(&sizes.real)));
        let mut largest = relative(&sizes.real, allowed);
        for (component, own) in self.derivatives.iter().zip(sizes.derivatives) {
            let floor = self.floor_of_derivative(component, own, &sizes.real);
            let allowed = component.allowed(tolerances[1], self.rounding(roundings, floor));
            largest = largest.max(relative(own, allowed));
        }
        largest
    }

    /// The error that is left, in units of the tolerance.
    #[inline(always)]
    fn fine_size(&self, sizes: Measured<'_>) -> f64 {
        self.size(sizes, [self.settings.tolerance; 2], FLOOR)
    }

    /// The largest update in units of noise; with old factors even a small update says little about what is left.
    #[inline(always)]
    fn coarse_size(&self, sizes: Measured<'_>) -> f64 {
        if self.stale { f64::INFINITY } else { self.size(sizes, [self.settings.tolerance; 2], NOISE) }
    }

    /// Scales and noise of a step, after its first update. Nothing is noise in a state that is not finite.
    #[inline(always)]
    fn take_scales(&mut self, sizes: Measured<'_>) {
        self.grow_scales(sizes);
        self.real.noise = finite_or_none(&sizes.real, self.accepted(&sizes.real));
        for (i, own) in sizes.derivatives.iter().enumerate().take(self.derivatives.len()) {
            let accepted = self.accepted_of_derivative(&self.derivatives[i], own, &sizes.real);
            self.derivatives[i].noise = finite_or_none(own, accepted);
        }
    }

    /// Whether all updates are noise.
    #[inline(always)]
    fn is_noise(&self, sizes: Measured<'_>) -> bool {
        let mut derivatives = self.derivatives.iter().zip(sizes.derivatives);
        !self.stale && self.real.is_noise(&sizes.real) && derivatives.all(|(own, sizes)| own.is_noise(sizes))
    }

    /// Whether updates that do not shrink are small enough to be rounding.
    #[cold]
    #[inline(never)]
    fn may_be_rounding(&self, sizes: Measured<'_>) -> bool {
        self.size(sizes, [LARGEST_ROUNDING, LARGEST_DERIVATIVE_ROUNDING], NOISE) <= 1.0
    }

    /// After a step: whether the next one may use the factors.
    #[inline(always)]
    fn plan(&mut self) {
        let fair = self.iteration <= FAIR_ITERATIONS;
        if self.began_stale && fair {
            self.last_pause = 1;
        } else if self.began_stale {
            self.pause = self.last_pause;
            self.last_pause = (2 * self.last_pause).min(LONGEST_PAUSE);
        } else if !fair {
            self.pause = self.pause.max(1);
        }
    }

    /// Whether a first update of this size leaves little enough; measures what first updates leave.
    #[inline(always)]
    fn is_enough(&mut self, size: f64) -> bool {
        match self.iteration {
            1 => {
                self.first = size;
                let left = self.remainder.map_or(f64::INFINITY, |remainder| remainder * size * size);
                let enough = left <= SINGLE_ALLOWANCE && self.trusted < LONGEST_TRUST;
                self.trusted += 1;
                enough
            }
            2 => {
                let remembered = self.remainder.map_or(0.0, |remainder| CONTRACTION_MEMORY * remainder);
                self.remainder = Some(remembered.max(size / (self.first * self.first)));
                self.trusted = 0;
                false
            }
            _ => false,
        }
    }

    /// Judges the update whose sizes are given; those of the state count in the first iteration only.
    #[inline(always)]
    pub fn judge(&mut self, sizes: Measured<'_>) -> Verdict {
        self.iteration += 1;
        let is_single = sizes.derivatives.is_empty();
        // derivatives may begin to move in the second iteration
        if self.iteration == 1 || !is_single {
            self.take_scales(sizes);
        }
        let may_end = is_single || self.settled;
        if may_end && self.is_noise(sizes) && !(self.settings.estimate && self.iteration == 2) {
            self.plan();
            return Verdict::Converged;
        }
        if self.settings.estimate {
            // Derivatives lag an iteration behind: one is never enough for them.
            if is_single && sizes.are_finite() && self.is_enough(self.coarse_size(sizes)) {
                return Verdict::Converged;
            }
            return self.judge_closely(sizes);
        }
        // the first of two iterations, as a rule
        let more = self.iteration == 1 && self.rounding == 1.0 && self.settings.maximum_iterations > 1;
        if more && !self.is_noise(sizes) && self.real.noise.accelerations.is_finite() {
            self.previous = self.fine_size(sizes);
            return if self.settings.reuse { Verdict::Continue } else { Verdict::Renew };
        }
        self.judge_closely(sizes)
    }

    #[inline(never)]
    fn judge_closely(&mut self, sizes: Measured<'_>) -> Verdict {
        let first = self.iteration == 1;
        let is_single = sizes.derivatives.is_empty();
        let coarse = self.coarse_size(sizes);
        let finite = sizes.are_finite();
        let update = self.fine_size(sizes);
        self.contraction = if first || update == 0.0 { 0.0 } else { update / self.previous };
        self.previous = update;
        let is_noise = self.is_noise(sizes) || (coarse <= self.rounding && self.may_be_rounding(sizes));
        let negligible = update == 0.0 || is_noise;
        let theta = self.contraction.max(LEAST_CONTRACTION);
        let allowance = if self.stale { OLD_FACTORS_ALLOWANCE } else { 1.0 };
        let estimated = !first && theta < 1.0 && theta / (1.0 - theta) * update <= allowance;
        let stuck = !first && self.renewed_for == self.iteration && self.contraction > NO_CONTRACTION;
        let rounding = stuck && self.may_be_rounding(sizes);
        if finite && rounding && !negligible {
            self.rounding = self.rounding.max(LEARNED_ROUNDING * coarse);
        }
        if finite && (negligible || estimated || rounding) {
            // Derivatives are corrected with the equations before the real part's last update: they need one more.
            if is_single || self.settled {
                self.plan();
                return Verdict::Converged;
            }
            self.settled = true;
        }
        if !finite || self.iteration >= self.settings.maximum_iterations {
            self.pause = 1;
            return Verdict::Failed;
        }
        let poor = !first && self.contraction > POOR_CONTRACTION;
        if poor || !self.settings.reuse { Verdict::Renew } else { Verdict::Continue }
    }
}
