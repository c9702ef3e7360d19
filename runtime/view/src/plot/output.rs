//! File formats of figures.

use std::path::Path;

use crate::plot::draw;
use crate::plot::error::PlotError;
use crate::plot::figure::Figure;

impl Figure {
    /// Returns the figure as the text of an SVG file, or of a part of a page.
    ///
    /// # Errors
    /// [`PlotError`], as for panels without room for axes.
    pub fn svg(&self) -> Result<String, PlotError> {
        /// Least width and height of a panel.
        const MIN_PIXELS: u32 = 160;
        /// Largest width and height of a panel.
        const MAX_PIXELS: u32 = 4000;
        let (width, height) = self.panel_size;
        if ![width, height].iter().all(|size| (MIN_PIXELS..=MAX_PIXELS).contains(size)) {
            return Err(PlotError::Size { width, height, least: MIN_PIXELS, most: MAX_PIXELS });
        }
        draw::svg(self)
    }

    /// Returns the figure as a PNG file with this many points per pixel of its size; with two it is sharp on most
    /// screens.
    ///
    /// # Errors
    /// [`PlotError`], as where this machine has no font.
    #[cfg(feature = "png")]
    pub fn png(&self, points_per_pixel: f32) -> Result<Vec<u8>, PlotError> {
        crate::plot::png::rendered(&self.svg()?, points_per_pixel)
    }

    /// Writes the figure to a file: `.svg`, or with the feature `png` also `.png`, with two points per pixel. Folders
    /// are made.
    ///
    /// # Errors
    /// [`PlotError`], as for other endings.
    pub fn write(&self, file: impl AsRef<Path>) -> Result<(), PlotError> {
        let path = file.as_ref();
        let content = match path.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => self.svg()?.into_bytes(),
            #[cfg(feature = "png")]
            Some("png") => self.png(2.0)?,
            _ => return Err(PlotError::Ending(path.to_owned())),
        };
        let failed = |source| PlotError::Write { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        costate_contract::files::write(path, content).map_err(failed)
    }
}
