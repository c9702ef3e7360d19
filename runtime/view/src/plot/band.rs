//! Areas between two lines.

use crate::plot::color::Color;

/// The area between a lower and an upper line, as of what a value lies within with 95 %; it breaks where a value is not
/// finite.
#[derive(Debug, Clone)]
pub struct Band {
    pub(crate) name: String,
    pub(crate) color: Color,
    pub(crate) points: Vec<(f64, f64, f64)>,
}

impl Band {
    /// The area between points (x, lower, upper), drawn pale under all lines; its name stands in the legend, if it has
    /// one.
    pub fn new(name: impl Into<String>, color: Color, points: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        Self { name: name.into(), color, points: points.into_iter().collect() }
    }
}
