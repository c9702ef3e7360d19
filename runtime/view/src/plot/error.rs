//! Errors of figures.

use std::path::PathBuf;

/// Reason why a figure cannot be drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum PlotError {
    /// A panel has no room for axes, or is larger than viewers can open.
    #[error("a panel of {width} x {height} pixels: both must be from {least} to {most}")]
    Size { width: u32, height: u32, least: u32, most: u32 },
    /// The drawing library has failed.
    #[error("the figure cannot be drawn")]
    Drawing(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The ending of a file name does not name a format.
    #[error("`{}`: figures are written as `.svg`, and as `.png` with the feature `png`", .0.display())]
    Ending(PathBuf),
    /// The machine has no font for text in a PNG.
    #[error("this machine has no font to write into a PNG with; install one (as fonts-dejavu), or write SVG")]
    NoFont,
    /// The figure has too many panels for a PNG.
    #[error("a PNG of {width} x {height} points is too large; draw fewer panels or write SVG")]
    TooLarge { width: u32, height: u32 },
}

impl PlotError {
    pub(crate) fn drawing(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Drawing(Box::new(source))
    }
}
