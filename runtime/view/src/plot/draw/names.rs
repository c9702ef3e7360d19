//! Names along axes, in place of numbers.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, Chart, Failed, STYLE, font, text_width, units};
use crate::plot::axis::Fitted;

/// Checks whether names are too long to stand side by side below an axis of about this width.
pub(super) fn are_upright(axis: &Fitted, width: f64) -> bool {
    !axis.names.is_empty() && longest(axis) + STYLE.name_space > width / axis.names.len().max(1) as f64
}

fn longest(axis: &Fitted) -> f64 {
    axis.names.iter().map(|name| text_width(name, STYLE.text)).fold(0.0, f64::max)
}

/// Returns the space to the left of the frame, in a panel of this width.
pub(super) fn left(y: &Fitted, width: f64) -> f64 {
    (longest(y) + 2.0 * STYLE.name_space).min(STYLE.names * width).max(STYLE.left)
}

/// Returns the space below the frame, in a panel of this height.
pub(super) fn below(x: &Fitted, is_upright: bool, height: f64) -> f64 {
    if is_upright {
        let label = if x.label.is_empty() { 0.0 } else { 1.5 * STYLE.text };
        return (longest(x) + 2.0 * STYLE.name_space + label).min(STYLE.names * height).max(STYLE.bottom);
    }
    STYLE.bottom
}

/// Writes the names around the chart.
pub(super) fn draw(
    area: &Area<'_>,
    chart: &Chart<'_, '_>,
    (x, y): (&Fitted, &Fitted),
    is_upright: bool,
) -> Result<(), Failed> {
    let base = area.get_base_pixel();
    let place = |position: (f64, f64)| {
        let (x, y) = chart.plotting_area().map_coordinate(&position);
        (x - base.0, y - base.1)
    };
    for (i, name) in x.names.iter().enumerate() {
        let (left, top) = place((i as f64, y.range.0));
        let at = (left, top + units(STYLE.name_space));
        let text = if is_upright {
            // rotated text is anchored in its own direction
            font(STYLE.text).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Right, VPos::Center))
        } else {
            font(STYLE.text).pos(Pos::new(HPos::Center, VPos::Top))
        };
        area.draw(&Text::new(name.clone(), at, text))?;
    }
    for (i, name) in y.names.iter().enumerate() {
        let (left, top) = place((x.range.0, i as f64));
        let text = font(STYLE.text).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(name.clone(), (left - units(STYLE.name_space), top), text))?;
    }
    Ok(())
}
