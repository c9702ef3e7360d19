//! Lines and points.

use crate::plot::color::Color;

/// A line through points; it breaks where a value is not finite.
#[derive(Debug, Clone)]
pub struct Line {
    pub(crate) name: String,
    pub(crate) color: Color,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) width: f64,
    pub(crate) marked: bool,
    pub(crate) connected: bool,
}

impl Line {
    /// A thin line; its name stands in the legend, if it has one.
    pub fn new(name: impl Into<String>, color: Color, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().collect();
        Self { name: name.into(), color, points, width: 1.0, marked: false, connected: true }
    }

    /// The points.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Sets the width in pixels, which is 1.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// Marks every point.
    #[must_use]
    pub fn marked(mut self) -> Self {
        self.marked = true;
        self
    }

    /// Marks every point and draws no line between them.
    #[must_use]
    pub fn scattered(mut self) -> Self {
        self.connected = false;
        self.marked()
    }
}
