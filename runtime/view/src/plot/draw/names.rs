//! Names along axes, in place of numbers.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, BOTTOM, Chart, Failed, LEFT, TEXT, font, text_width, units};
use crate::plot::axis::Fitted;

/// Space between the frame and a name.
const BESIDE: f64 = 8.0;

/// Largest part of the width and the height of a panel that names at the left and below may take.
const MOST: f64 = 0.45;

/// Checks whether names are too long to stand side by side below an axis of about this width.
pub(super) fn are_upright(axis: &Fitted, width: f64) -> bool {
    !axis.names.is_empty() && longest(axis) + BESIDE > width / axis.names.len().max(1) as f64
}

fn longest(axis: &Fitted) -> f64 {
    axis.names.iter().map(|name| text_width(name, TEXT)).fold(0.0, f64::max)
}

/// Returns the space to the left of the frame, in a panel of this width.
pub(super) fn left(y: &Fitted, width: f64) -> f64 {
    (longest(y) + 2.0 * BESIDE).min(MOST * width).max(LEFT)
}

/// Returns the space below the frame, in a panel of this height.
pub(super) fn below(x: &Fitted, is_upright: bool, height: f64) -> f64 {
    if is_upright {
        let label = if x.label.is_empty() { 0.0 } else { 1.5 * TEXT };
        return (longest(x) + 2.0 * BESIDE + label).min(MOST * height).max(BOTTOM);
    }
    BOTTOM
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
        let at = (left, top + units(BESIDE));
        let text = if is_upright {
            // rotated text is anchored in its own direction
            font(TEXT).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Right, VPos::Center))
        } else {
            font(TEXT).pos(Pos::new(HPos::Center, VPos::Top))
        };
        area.draw(&Text::new(name.clone(), at, text))?;
    }
    for (i, name) in y.names.iter().enumerate() {
        let (left, top) = place((x.range.0, i as f64));
        let text = font(TEXT).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(name.clone(), (left - units(BESIDE), top), text))?;
    }
    Ok(())
}
