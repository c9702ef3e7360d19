//! Why a figure cannot be made.

use std::path::PathBuf;

/// Why a figure cannot be drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// A panel without room for axes, or larger than viewers open.
    #[error("a panel of {width} x {height} pixels: both must be from {least} to {most}")]
    Size {
        /// Width of the panel in pixels.
        width: u32,
        /// Height of the panel in pixels.
        height: u32,
        /// The least width and height.
        least: u32,
        /// The largest width and height.
        most: u32,
    },
    /// The library that draws has failed.
    #[error("the figure cannot be drawn")]
    Drawing(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    Write {
        /// Its path.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// A file name that says no format.
    #[error("`{}`: figures are written as `.svg`, and as `.png` with the feature `png`", .0.display())]
    Ending(PathBuf),
    /// A picture of points without a font to write with.
    #[error("this machine has no font to write into a PNG with; install one (as fonts-dejavu), or write SVG")]
    NoFont,
    /// A figure with too many panels for a picture of points.
    #[error("a PNG of {width} x {height} points is too large; draw fewer panels or write SVG")]
    TooLarge {
        /// Width in points.
        width: u32,
        /// Height in points.
        height: u32,
    },
}

impl PlotError {
    pub(crate) fn drawing(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Drawing(Box::new(source))
    }
}
