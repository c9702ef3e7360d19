//! What the control of Newton's iteration keeps for each component of the scalars, the real part and derivatives.

use crate::integrator::sizes::Sizes;

use super::MEMORY;

/// Sizes of the state and the update, by component of the scalars.
#[derive(Debug, Clone, Copy)]
pub(in crate::integrator) struct Measured<'s> {
    pub real: Sizes,
    pub derivatives: &'s [Sizes],
}

impl Measured<'_> {
    #[inline(always)]
    pub fn are_finite(&self) -> bool {
        self.real.are_finite() && self.derivatives.iter().all(Sizes::are_finite)
    }
}

/// One number for accelerations and one for multipliers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    pub accelerations: f64,
    pub multipliers: f64,
}

/// What belongs to one component of the scalars.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Component {
    /// The largest sizes so far.
    pub scale: Bounds,
    /// The updates of this step that are noise.
    pub noise: Bounds,
}

impl Component {
    /// The scale is at least the size of the state.
    #[inline(always)]
    pub fn grow(&mut self, sizes: &Sizes) {
        self.scale.accelerations = self.scale.accelerations.max(sizes.accelerations);
        self.scale.multipliers = self.scale.multipliers.max(sizes.multipliers);
    }

    /// From one step to the next.
    #[inline(always)]
    pub fn shrink(&mut self) {
        self.scale.accelerations *= MEMORY;
        self.scale.multipliers *= MEMORY;
    }

    /// Whether the update is noise.
    #[inline(always)]
    pub fn is_noise(&self, update: &Sizes) -> bool {
        update.acceleration_update <= self.noise.accelerations
            && update.multiplier_update <= self.noise.multipliers
    }

    /// The update that it may have: `tolerance`, besides rounding.
    #[inline(always)]
    pub fn allowed(&self, tolerance: f64, rounding: Bounds) -> Bounds {
        Bounds {
            accelerations: tolerance * self.scale.accelerations + rounding.accelerations,
            multipliers: tolerance * self.scale.multipliers + rounding.multipliers,
        }
    }
}

/// Nothing is noise beside sizes that are not finite.
#[inline(always)]
pub(super) fn finite_or_none(sizes: &Sizes, noise: Bounds) -> Bounds {
    if sizes.are_finite() { noise } else { Bounds { accelerations: f64::NAN, multipliers: f64::NAN } }
}

/// The larger update in units of the allowed ones; an update of zero is always allowed.
#[inline(always)]
pub(super) fn relative(size: &Sizes, allowed: Bounds) -> f64 {
    let multipliers = ratio(size.multiplier_update, allowed.multipliers);
    ratio(size.acceleration_update, allowed.accelerations).max(multipliers)
}

#[inline(always)]
fn ratio(update: f64, allowed: f64) -> f64 {
    if update == 0.0 { 0.0 } else { update / allowed }
}
