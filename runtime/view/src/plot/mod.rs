//! Diagrams of signals: panels with axes and units, lines, bands, bars, maps of functions of two variables and
//! matrices, as SVG and, with the feature `png`, as PNG.
//!
//! ```
//! use costate_view::plot::{Axis, Band, Figure, Line, Panel, color};
//!
//! # fn main() -> Result<(), costate_view::plot::PlotError> {
//! let measured = (0..200).map(|i| (0.01 * f64::from(i), (0.1 * f64::from(i)).sin()));
//! let within = measured.clone().map(|(t, y)| (t, y - 0.2, y + 0.2));
//! let panel = Panel::new("Displacement", Axis::new("time").unit("s"), Axis::new("displacement").unit("mm"))
//!     .no_data((1.2, 1.4))
//!     .band(Band::new("95 %", color::BLUE, within))
//!     .line(Line::new("measured", color::GREY, measured).width(2.0));
//! let svg = Figure::new(1, (640, 300)).panel(panel).svg()?;
//! assert!(svg.starts_with("<svg"));
//! # Ok(())
//! # }
//! ```
//!
//! A line breaks where a value is not finite, or cannot be shown on a logarithmic axis. Long lines are thinned out to
//! what can be seen: the first, the lowest, the highest and the last of the points that share a column of the picture.

mod axis;
mod band;
mod bars;
pub mod color;
mod draw;
mod error;
mod figure;
mod line;
mod map;
mod matrix;
mod output;
mod panel;
#[cfg(feature = "png")]
mod png;
mod ticks;

pub use axis::Axis;
pub use band::Band;
pub use bars::Bars;
pub use color::Color;
pub use error::PlotError;
pub use figure::Figure;
pub use line::Line;
pub use map::Map;
pub use matrix::Matrix;
pub use panel::Panel;
