//! What the control of Newton's iteration keeps for each component of the scalars, the real part and derivatives.

use crate::scalar::Reals;
use crate::step::sizes::Sizes;

/// Per step, how much of the largest acceleration so far, the scale of the tolerance, and of rounding is remembered.
pub(super) const MEMORY: f64 = 0.999;

/// Sizes of the state and the update, by component of the scalars.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Measured<'s, R = f64> {
    pub real: Sizes<R>,
    pub derivatives: &'s [Sizes<R>],
}

impl<R: Reals> Measured<'_, R> {
    #[inline(always)]
    pub fn are_finite(&self) -> R::Mask {
        let derivatives = self.derivatives.iter();
        derivatives.fold(self.real.are_finite(), |finite, own| R::and(finite, own.are_finite()))
    }
}

/// One number for accelerations and one for multipliers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds<R> {
    pub accelerations: R,
    pub multipliers: R,
}

/// What belongs to one component of the scalars.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Component<R> {
    /// The largest sizes so far.
    pub scale: Bounds<R>,
    /// The updates of this step that are noise.
    pub noise: Bounds<R>,
    /// Of a derivative: by what part of itself a parameter changes in its direction, at most.
    pub relative_change: f64,
}

impl<R: Reals> Component<R> {
    /// The scale is at least the size of the state.
    #[inline(always)]
    pub fn grow(&mut self, sizes: &Sizes<R>) {
        self.scale.accelerations = sizes.accelerations.larger(self.scale.accelerations);
        self.scale.multipliers = sizes.multipliers.larger(self.scale.multipliers);
    }

    /// From one step to the next.
    #[inline(always)]
    pub fn shrink(&mut self) {
        self.scale.accelerations = self.scale.accelerations * MEMORY;
        self.scale.multipliers = self.scale.multipliers * MEMORY;
    }

    /// Whether the update is noise.
    #[inline(always)]
    pub fn is_noise(&self, update: &Sizes<R>) -> R::Mask {
        let accelerations = update.acceleration_update.less_equal(self.noise.accelerations);
        R::and(accelerations, update.multiplier_update.less_equal(self.noise.multipliers))
    }

    /// The update that it may have: `tolerance`, besides rounding.
    #[inline(always)]
    pub fn allowed(&self, tolerance: f64, rounding: Bounds<R>) -> Bounds<R> {
        Bounds {
            accelerations: self.scale.accelerations * tolerance + rounding.accelerations,
            multipliers: self.scale.multipliers * tolerance + rounding.multipliers,
        }
    }
}

/// Nothing is noise beside sizes that are not finite.
#[inline(always)]
pub(super) fn finite_or_none<R: Reals>(sizes: &Sizes<R>, noise: Bounds<R>) -> Bounds<R> {
    let (finite, none) = (sizes.are_finite(), noise.accelerations.same(f64::NAN));
    Bounds {
        accelerations: R::select(finite, noise.accelerations, none),
        multipliers: R::select(finite, noise.multipliers, none),
    }
}

/// The larger update in units of the allowed ones; an update of zero is always allowed.
#[inline(always)]
pub(super) fn relative<R: Reals>(size: &Sizes<R>, allowed: Bounds<R>) -> R {
    let multipliers = ratio(size.multiplier_update, allowed.multipliers);
    multipliers.larger(ratio(size.acceleration_update, allowed.accelerations))
}

#[inline(always)]
fn ratio<R: Reals>(update: R, allowed: R) -> R {
    let zero = update.same(0.0);
    R::select(update.equal(zero), zero, update / allowed)
}
