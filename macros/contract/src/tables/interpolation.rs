//! The course of a table between its knots.

/// Interpolation of a table between its knots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interpolation {
    /// A cubic spline: value, slope and curvature are continuous. Beside a jump or a sharp bend of the values it leaves
    /// their range.
    #[default]
    Spline,
    /// A cubic curve that is monotone between neighbouring knots, and stays within the range of their values: value and
    /// slope are continuous, the curvature jumps at the knots. Slopes are those of Fritsch and Butland (1984), as in
    /// the `pchip` of other programs.
    Monotone,
    /// Straight lines: the value is continuous, the slope jumps at the knots.
    Straight,
}

impl Interpolation {
    /// All kinds of interpolation.
    pub const ALL: [Self; 3] = [Self::Spline, Self::Monotone, Self::Straight];

    /// Returns the word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::Spline => "spline",
            Self::Monotone => "monotone",
            Self::Straight => "straight",
        }
    }
}
