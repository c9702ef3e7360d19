//! Places where a curve may bend or jump abruptly, such as those of a backlash or of dry friction.

use std::fmt;

use serde::Serialize;

/// Positions of knots on either side of a break, in units of that distance. An apparent jump may be a steep
/// transition of any width; therefore the knots of a jump are at distances of all sizes.
const OF_KINK: [f64; 1] = [1.0];
const OF_JUMP: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// A place where a curve need not be smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Break {
    /// The slope may change at this place, in units of the argument.
    Kink(f64),
    /// The value may change at this place.
    Jump(f64),
}

/// The change that may happen at a [`Break`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakKind {
    /// The slope may change.
    Kink,
    /// The value may change.
    Jump,
}

impl BreakKind {
    /// Returns a break of this kind at a place.
    pub fn at(self, place: f64) -> Break {
        match self {
            Self::Kink => Break::Kink(place),
            Self::Jump => Break::Jump(place),
        }
    }
}

impl fmt::Display for BreakKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kink => "kink",
            Self::Jump => "jump",
        })
    }
}

impl Break {
    /// Returns the place of the break.
    pub fn at(self) -> f64 {
        match self {
            Self::Kink(at) | Self::Jump(at) => at,
        }
    }

    /// Returns the positions of its knots on each side.
    pub(super) fn offsets(self) -> &'static [f64] {
        match self {
            Self::Kink(_) => &OF_KINK,
            Self::Jump(_) => &OF_JUMP,
        }
    }

    /// Returns the number of its knots on each side.
    pub(super) fn reach(self) -> usize {
        self.offsets().len()
    }

    /// Returns the weight of a second derivative within `distance` of the break, in a curve over `length`: a
    /// change of slope, or of the value, over that distance counts as much as an equally large one of a
    /// smooth curve over its range.
    pub(super) fn factor(self, distance: f64, length: f64) -> f64 {
        match self {
            Self::Kink(_) => distance / length,
            Self::Jump(_) => 8.0 * (distance / length).powi(2),
        }
    }
}
