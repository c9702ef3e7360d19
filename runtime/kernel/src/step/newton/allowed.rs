//! Sizes of updates in units of the allowed ones: tolerance plus the rounding of positions and velocities.

use costate_numerics::scalar::Reals;

use crate::step::sizes::Sizes;

use super::component::{Bounds, Component, Measured, finite_or_none, relative};
use super::{Control, NO_CONTRACTION};
use crate::step::Stall;

/// Roundings by which an accepted update may exceed that of the positions; updates of that size carry no
/// information.
const NOISE_ROUNDINGS: f64 = 8.0;

/// Largest update, relative to the scales, that ends an iteration as rounding.
const MAX_ROUNDING: f64 = 1e-9;

/// Largest update of derivatives that ends an iteration as rounding: rounding of the real part, relative to the
/// largest acceleration, may be a larger fraction of a derivative that comes from a small acceleration.
const MAX_DERIVATIVE_ROUNDING: f64 = 1e-6;

impl Control {
    /// Returns the component that converges worst, and the updates of its accelerations and multipliers that
    /// are accepted without an estimate.
    pub fn worst(&self, sizes: Measured<'_>) -> (usize, (f64, f64)) {
        let real = self.accepted(&sizes.real);
        let (mut worst, mut most) = ((0, real), relative(&sizes.real, real));
        for (i, (component, own)) in self.derivatives.iter().zip(sizes.derivatives).enumerate() {
            let accepted = self.accepted_of_derivative(component, own, &sizes.real);
            let size = relative(own, accepted);
            // while the values do not converge, their derivatives cannot
            if most <= 1.0 && size > most {
                (worst, most) = ((i + 1, accepted), size);
            }
        }
        let (component, Bounds { accelerations, multipliers }) = worst;
        (component, (accelerations, multipliers))
    }
}

impl Control {
    /// Returns why the iteration has ended without a result; `excess` is the worst update over the accepted
    /// one.
    #[cold]
    pub fn cause(&self, sizes: Measured<'_>, excess: f64) -> Stall {
        /// Largest update, relative to the scales, that the advice of an error takes for rounding when it no longer
        /// shrinks.
        const MAX_STALL: f64 = 1e-5;
        let is_small = self.size(sizes, [MAX_STALL; 2], NOISE_ROUNDINGS) <= 1.0;
        match self.contraction > NO_CONTRACTION && is_small {
            true => Stall::Rounding { tolerance: (2.0 * excess * self.settings.tolerance).min(MAX_STALL) },
            false => Stall::Divergence,
        }
    }
}

impl<R: Reals> Control<R> {
    #[inline(always)]
    pub(super) fn grow_scales(&mut self, sizes: Measured<'_, R>) {
        self.real.grow(&sizes.real);
        for (component, sizes) in self.derivatives.iter_mut().zip(sizes.derivatives) {
            component.grow(sizes);
        }
    }

    /// Returns the rounding of the real part's accelerations that positions and velocities cause.
    #[inline(always)]
    fn floor(&self, sizes: &Sizes<R>) -> R {
        sizes.coordinates * self.rounding_of_coordinates + sizes.velocities * self.rounding_of_velocities
    }

    /// Returns the rounding of a derivative of accelerations: rounding of the real part changes it by the
    /// same fraction.
    fn floor_of_derivative(&self, component: &Component<R>, sizes: &Sizes<R>, real: &Sizes<R>) -> R {
        let own = self.floor(sizes);
        let ratio = component.scale.accelerations / self.real.scale.accelerations;
        // accelerations with fewer digits say nothing about those of the derivative
        let moves = own.same(f64::MIN_POSITIVE / f64::EPSILON).less(self.real.scale.accelerations);
        R::select(moves, (self.floor(real) * ratio).larger(own), own)
    }

    /// Returns this many roundings of accelerations, and the corresponding roundings of multipliers.
    #[inline(always)]
    fn rounding(&self, roundings: f64, floor: R) -> Bounds<R> {
        let accelerations = floor * roundings;
        Bounds { accelerations, multipliers: accelerations * self.multipliers_per_acceleration }
    }

    #[inline(always)]
    fn accepted(&self, sizes: &Sizes<R>) -> Bounds<R> {
        self.real.allowed(self.settings.tolerance, self.rounding(NOISE_ROUNDINGS, self.floor(sizes)))
    }

    fn accepted_of_derivative(&self, component: &Component<R>, sizes: &Sizes<R>, real: &Sizes<R>) -> Bounds<R> {
        let floor = self.floor_of_derivative(component, sizes, real);
        component.allowed(self.settings.tolerance, self.rounding(NOISE_ROUNDINGS, floor))
    }

    /// Checks whether updates that do not shrink are small enough to be rounding if derivatives are
    /// differences of larger numbers that cancel: the rounding of a derivative is at least that of the
    /// accelerations times the relative change of a parameter in its direction.
    pub(super) fn may_be_rest(&self, sizes: Measured<'_, R>) -> R::Mask {
        let (floor, zero) = (self.floor(&sizes.real), self.rounding.same(0.0));
        let real = self.real.allowed(MAX_ROUNDING, self.rounding(NOISE_ROUNDINGS, floor));
        let mut largest = relative(&sizes.real, real);
        for (component, own) in self.derivatives.iter().zip(sizes.derivatives) {
            let own_floor = self.floor_of_derivative(component, own, &sizes.real);
            let floor = (floor * component.relative_change).larger(own_floor);
            let allowed = component.allowed(MAX_DERIVATIVE_ROUNDING, self.rounding(NOISE_ROUNDINGS, floor));
            largest = relative(own, allowed).larger(largest);
        }
        R::and(largest.less_equal(zero.same(1.0)), sizes.are_finite())
    }

    /// Returns the largest update in units of the allowed one: `tolerances`, of the real part and of
    /// derivatives, plus `roundings`.
    #[inline(always)]
    pub(super) fn size(&self, sizes: Measured<'_, R>, tolerances: [f64; 2], roundings: f64) -> R {
        let allowed = self.real.allowed(tolerances[0], self.rounding(roundings, self.floor(&sizes.real)));
        let mut largest = relative(&sizes.real, allowed);
        for (component, own) in self.derivatives.iter().zip(sizes.derivatives) {
            let floor = self.floor_of_derivative(component, own, &sizes.real);
            let allowed = component.allowed(tolerances[1], self.rounding(roundings, floor));
            largest = relative(own, allowed).larger(largest);
        }
        largest
    }

    /// Returns the update in units of the tolerance, with almost no rounding allowed.
    #[inline(always)]
    pub(super) fn fine_size(&self, sizes: Measured<'_, R>) -> R {
        /// Roundings that the estimated error is compared with: far less than one, because the errors that old
        /// factors leave are no noise; they have the same direction in every step, and add up.
        const FLOOR_ROUNDINGS: f64 = 0.01;
        self.size(sizes, [self.settings.tolerance; 2], FLOOR_ROUNDINGS)
    }

    /// Returns the largest update in units of noise; infinite with old factors, where even a small update
    /// says little about the remaining error.
    #[inline(always)]
    pub(super) fn coarse_size(&self, sizes: Measured<'_, R>) -> R {
        let size = self.size(sizes, [self.settings.tolerance; 2], NOISE_ROUNDINGS);
        R::select(self.stale, size.same(f64::INFINITY), size)
    }

    /// Updates scales and noise of a step, after its first update. Nothing is noise in a state that is not
    /// finite.
    #[inline(always)]
    pub(super) fn take_scales(&mut self, sizes: Measured<'_, R>) {
        self.grow_scales(sizes);
        self.real.noise = finite_or_none(&sizes.real, self.accepted(&sizes.real));
        for (i, own) in sizes.derivatives.iter().enumerate().take(self.derivatives.len()) {
            let accepted = self.accepted_of_derivative(&self.derivatives[i], own, &sizes.real);
            self.derivatives[i].noise = finite_or_none(own, accepted);
        }
    }

    /// Checks whether all updates are noise.
    #[inline(always)]
    pub(super) fn is_noise(&self, sizes: Measured<'_, R>) -> R::Mask {
        let mut noise = R::but(self.real.is_noise(&sizes.real), self.stale);
        for (own, sizes) in self.derivatives.iter().zip(sizes.derivatives) {
            noise = R::and(noise, own.is_noise(sizes));
        }
        noise
    }

    /// Checks whether updates that do not shrink are small enough to be rounding.
    #[inline(always)]
    pub(super) fn may_be_rounding(&self, sizes: Measured<'_, R>) -> R::Mask {
        let size = self.size(sizes, [MAX_ROUNDING, MAX_DERIVATIVE_ROUNDING], NOISE_ROUNDINGS);
        size.less_equal(size.same(1.0))
    }
}
