//! An interval that the golden section narrows.

use super::descent::{Descent, Sample};

/// a of OB (4.25), with a^2 + a = 1.
const SECTION_RATIO: f64 = 0.618_033_988_749_894_9;

/// Factor that shortens a first step that is too long.
pub(super) const SHORTENING: f64 = 0.1;

/// An interval with a minimum inside, and the samples at (1 - a) and a of its width that have been taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Section {
    pub left: Sample,
    pub right: Sample,
    pub lower: Option<Sample>,
    pub upper: Option<Sample>,
}

impl Section {
    /// Returns an interval without samples inside.
    pub fn between(left: Sample, right: Sample) -> Self {
        Self { left, right, lower: None, upper: None }
    }

    /// Returns an interval with the sample `inner` if that lies at (1 - a) of its width; it does not where a
    /// limit cut the last step.
    pub fn around(left: Sample, inner: Sample, right: Sample) -> Self {
        let empty = Self::between(left, right);
        let is_placed = (inner.step - empty.lower_step()).abs() <= 1e-9 * (right.step - left.step);
        Self { lower: is_placed.then_some(inner), ..empty }
    }

    pub fn lower_step(&self) -> f64 {
        self.left.step + (1.0 - SECTION_RATIO) * (self.right.step - self.left.step)
    }

    pub fn upper_step(&self) -> f64 {
        self.left.step + SECTION_RATIO * (self.right.step - self.left.step)
    }

    /// Checks whether the interval is to be narrowed further.
    pub fn is_wide(&self, tolerance: f64, descent: &Descent<'_>) -> bool {
        self.right.step - self.left.step > tolerance * self.right.step && !descent.hidden(self.right.step)
    }

    /// Narrows the interval from the side of the higher cost, OB (4.25): l^ = l + (1 - a)(r - l), r^ = l + a (r - l).
    pub fn narrow(&mut self, lower: Sample, upper: Sample) {
        *self = match lower.cost <= upper.cost {
            true => Self { right: upper, lower: None, upper: Some(lower), ..*self },
            false => Self { left: lower, lower: Some(upper), upper: None, ..*self },
        };
    }
}

/// Returns the step beyond `middle`, with a distance longer by the golden ratio than that from `left` to
/// `middle`.
pub(super) fn longer(left: f64, middle: f64, limit: f64) -> f64 {
    (middle + (middle - left) / SECTION_RATIO).min(limit)
}
