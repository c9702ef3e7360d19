//! Figures as SVG: panels with axes, a legend above each, lines that are thinned out where they are dense, and maps of
//! functions of two variables.

mod axis;
mod draw;
mod map;
mod map_draw;

use std::path::Path;

use anyhow::Result;

use crate::write_text;

pub use axis::Axis;
pub use map::Map;

/// Colours that go well together and can be told apart by the colour-blind.
pub mod color {
    use plotters::style::RGBColor;

    /// For what was measured.
    pub const GREY: RGBColor = RGBColor(150, 150, 150);
    /// For text.
    pub const BLACK: RGBColor = RGBColor(40, 40, 40);
    /// For the result.
    pub const BLUE: RGBColor = RGBColor(0, 90, 170);
    /// For the start.
    pub const ORANGE: RGBColor = RGBColor(225, 105, 0);
    /// A further colour.
    pub const GREEN: RGBColor = RGBColor(0, 140, 95);
    /// A further colour.
    pub const PURPLE: RGBColor = RGBColor(165, 70, 150);
    /// For marks on maps.
    pub const PINK: RGBColor = RGBColor(255, 110, 185);
}

/// A line through points that are sorted by x, unless it is a path.
#[derive(Debug, Clone)]
pub struct Line {
    name: String,
    color: plotters::style::RGBColor,
    points: Vec<(f64, f64)>,
    width: f64,
    marked: bool,
    connected: bool,
    path: bool,
}

impl Line {
    /// A thin line; its name stands in the legend.
    pub fn new(
        name: impl Into<String>,
        color: plotters::style::RGBColor,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Self {
            name: name.into(),
            color,
            points: points.into_iter().collect(),
            width: 1.0,
            marked: false,
            connected: true,
            path: false,
        }
    }

    /// The points.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Sets the width in pixels.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// Draws every point, in any order.
    #[must_use]
    pub fn path(mut self) -> Self {
        self.path = true;
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

/// One diagram of a figure.
#[derive(Debug, Clone)]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    lines: Vec<Line>,
    band: Option<(f64, f64)>,
    map: Option<Map>,
}

impl Panel {
    /// A diagram without lines.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, lines: Vec::new(), band: None, map: None }
    }

    /// Adds a line, above those before it.
    #[must_use]
    pub fn line(mut self, line: Line) -> Self {
        self.lines.push(line);
        self
    }

    /// Shades this range of x.
    #[must_use]
    pub fn band(mut self, range: (f64, f64)) -> Self {
        self.band = Some(range);
        self
    }

    /// Draws this under the lines; the axes show its grid.
    #[must_use]
    pub fn map(mut self, map: Map) -> Self {
        self.map = Some(map);
        self
    }
}

/// Panels in rows.
#[derive(Debug, Clone)]
pub struct Figure {
    columns: usize,
    panel_size: (u32, u32),
    panels: Vec<Panel>,
}

impl Figure {
    /// A figure with this many panels side by side, each of this size in pixels.
    pub fn new(columns: usize, panel_size: (u32, u32)) -> Self {
        Self { columns: columns.max(1), panel_size, panels: Vec::new() }
    }

    /// Adds a panel, row by row.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Writes the figure.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, file: &Path) -> Result<()> {
        let svg = draw::svg(self)?;
        write_text(file, &svg)
    }
}
