//! Figures of panels side by side.

use crate::plot::panel::Panel;

/// A figure: panels in rows.
#[derive(Debug, Clone)]
pub struct Figure {
    pub(crate) columns: usize,
    pub(crate) panel_size: (u32, u32),
    pub(crate) panels: Vec<Panel>,
}

impl Figure {
    /// Makes a figure with `columns` panels side by side, each of this size in pixels.
    pub fn new(columns: usize, panel_size: (u32, u32)) -> Self {
        Self { columns: columns.clamp(1, 16), panel_size, panels: Vec::new() }
    }

    /// Adds the next panel, row by row.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Checks whether the figure has no panels.
    pub fn is_empty(&self) -> bool {
        self.panels.is_empty()
    }
}
