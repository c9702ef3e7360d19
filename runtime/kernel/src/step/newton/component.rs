//! The data that the control of Newton's iteration keeps for each component of the scalars, the real part and
//! derivatives.

use costate_numerics::scalar::Reals;

use crate::step::sizes::Sizes;

/// Fraction of the largest acceleration so far (the scale of the tolerance), and of learned rounding, that is kept per
/// step.
pub(super) const SCALE_MEMORY: f64 = 0.999;

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

/// The scales and noise of one component of the scalars.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Component<R> {
    /// The largest sizes so far.
    pub scale: Bounds<R>,
    /// The largest updates of this step that are noise.
    pub noise: Bounds<R>,
    /// For a derivative: the largest relative change of a parameter in the direction of this derivative.
    pub relative_change: f64,
}

impl<R: Reals> Component<R> {
    /// Raises the scale to at least the size of the state.
    #[inline(always)]
    pub fn grow(&mut self, sizes: &Sizes<R>) {
        self.scale.accelerations = sizes.accelerations.larger(self.scale.accelerations);
        self.scale.multipliers = sizes.multipliers.larger(self.scale.multipliers);
    }

    /// Lets the scale decay from one step to the next.
    #[inline(always)]
    pub fn shrink(&mut self) {
        self.scale.accelerations = self.scale.accelerations * SCALE_MEMORY;
        self.scale.multipliers = self.scale.multipliers * SCALE_MEMORY;
    }

    /// Checks whether the update is noise.
    #[inline(always)]
    pub fn is_noise(&self, update: &Sizes<R>) -> R::Mask {
        let accelerations = update.acceleration_update.less_equal(self.noise.accelerations);
        R::and(accelerations, update.multiplier_update.less_equal(self.noise.multipliers))
    }

    /// Returns the allowed update: `tolerance` times the scale, plus rounding, plus the smallest number that has all
    /// its digits: those below have an absolute rounding.
    #[inline(always)]
    pub fn allowed(&self, tolerance: f64, rounding: Bounds<R>) -> Bounds<R> {
        Bounds {
            accelerations: self.scale.accelerations * tolerance + rounding.accelerations + f64::MIN_POSITIVE,
            multipliers: self.scale.multipliers * tolerance + rounding.multipliers + f64::MIN_POSITIVE,
        }
    }
}

/// Returns the noise, or NaN (nothing is noise) where sizes are not finite.
#[inline(always)]
pub(super) fn finite_or_none<R: Reals>(sizes: &Sizes<R>, noise: Bounds<R>) -> Bounds<R> {
    let (finite, none) = (sizes.are_finite(), noise.accelerations.same(f64::NAN));
    Bounds {
        accelerations: R::select(finite, noise.accelerations, none),
        multipliers: R::select(finite, noise.multipliers, none),
    }
}

/// Returns the larger update in units of the allowed ones; an update of zero is always allowed.
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
