//! One diagram.

use crate::plot::axis::Axis;
use crate::plot::band::Band;
use crate::plot::bars::Bars;
use crate::plot::line::Line;
use crate::plot::map::Map;
use crate::plot::matrix::Matrix;

/// One diagram of a figure: a title, two axes, and what is drawn between them.
#[derive(Debug, Clone)]
pub struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
    pub(crate) bands: Vec<Band>,
    pub(crate) bars: Vec<Bars>,
    pub(crate) shaded: Vec<(f64, f64)>,
    pub(crate) no_data: Vec<(f64, f64)>,
    pub(crate) map: Option<Map>,
    pub(crate) matrix: Option<Matrix>,
}

impl Panel {
    /// A diagram without lines.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            lines: Vec::new(),
            bands: Vec::new(),
            bars: Vec::new(),
            shaded: Vec::new(),
            no_data: Vec::new(),
            map: None,
            matrix: None,
        }
    }

    /// A diagram of a matrix, with the names of its rows and columns as axes.
    pub fn of_matrix(title: impl Into<String>, matrix: Matrix) -> Self {
        let names = matrix.names.clone();
        let reversed: Vec<String> = names.iter().rev().cloned().collect();
        let panel = Self::new(title, Axis::new("").named(names), Axis::new("").named(reversed));
        Self { matrix: Some(matrix), ..panel }
    }

    /// Adds a line, above those before it.
    #[must_use]
    pub fn line(mut self, line: Line) -> Self {
        self.lines.push(line);
        self
    }

    /// Adds a band, under all lines.
    #[must_use]
    pub fn band(mut self, band: Band) -> Self {
        self.bands.push(band);
        self
    }

    /// Adds bars.
    #[must_use]
    pub fn bars(mut self, bars: Bars) -> Self {
        self.bars.push(bars);
        self
    }

    /// Shades a range of x, as one that is looked at closer.
    #[must_use]
    pub fn shaded(mut self, range: (f64, f64)) -> Self {
        self.shaded.push(range);
        self
    }

    /// Greys a range of x in which nothing was measured.
    #[must_use]
    pub fn no_data(mut self, range: (f64, f64)) -> Self {
        self.no_data.push(range);
        self
    }

    /// Draws this under the lines; the axes show its grid.
    #[must_use]
    pub fn map(mut self, map: Map) -> Self {
        self.map = Some(map);
        self
    }
}
