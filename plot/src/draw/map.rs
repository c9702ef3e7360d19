//! Drawing of maps.

use plotters::prelude::*;

use super::clip::clipped;
use super::{Area, BOTTOM, Chart, FRAME, Failed, MARGIN, TEXT, font, style, units};
use crate::axis::{Axis, Fitted};
use crate::map::{self, Cell, Map};

/// Sizes of the bar in pixels: with its labels, and without.
const BAR: f64 = 96.0;
const BAR_WIDTH: f64 = 16.0;

/// Steps of colour of the bar.
const STEPS: usize = 128;

/// Cells, points between which there are none, and contour lines.
pub(super) fn cells(map: &Map, chart: &mut Chart<'_, '_>, x: &Fitted, y: &Fitted) -> Result<(), Failed> {
    let at = |(a, b): (f64, f64)| (x.position(a), y.position(b));
    // of what lies outside of the frame an edge is left, or nothing
    let inside = |(a, b): (f64, f64)| (a.clamp(x.range.0, x.range.1), b.clamp(y.range.0, y.range.1));
    let rectangle = |cell: Cell| {
        let corners = cell.corners.map(|corner| inside(at(corner)));
        let is_seen = corners[0].0 != corners[1].0 && corners[0].1 != corners[1].1;
        is_seen.then(|| Rectangle::new(corners, style(map.color(cell.value)).filled()))
    };
    chart.draw_series(map.single_points().filter_map(rectangle))?;
    chart.draw_series(map.cells().filter_map(rectangle))?;
    let style = WHITE.mix(0.45).stroke_width(units(0.7) as u32);
    let contours = map.contours().into_iter().flat_map(|ends| clipped(&ends.map(at), x.range, y.range));
    chart.draw_series(contours.map(|piece| PathElement::new(piece, style)))?;
    Ok(())
}

/// Draws the bar at the right, and gives what is left of the area.
pub(super) fn bar<'a>(map: &Map, area: Area<'a>) -> Result<Area<'a>, Failed> {
    let width = area.dim_in_pixel().0 as i32;
    let (rest, right) = area.split_horizontally(width - units(BAR));
    let values = Axis::new(map.name.clone()).range(map.range()).fitted(std::iter::empty(), true);
    let mut chart = ChartBuilder::on(&right)
        .margin_bottom(units(MARGIN / 2.0 + BOTTOM))
        .margin_right(units(MARGIN / 2.0))
        .right_y_label_area_size(units(BAR - BAR_WIDTH - MARGIN / 2.0))
        .build_cartesian_2d(0.0..1.0, values.range.0..values.range.1)?
        .set_secondary_coord(0.0..1.0, values.range.0..values.range.1);
    let at = |step: usize| values.range.0 + (values.range.1 - values.range.0) * step as f64 / STEPS as f64;
    for step in 0..STEPS {
        let filled = map::color((step as f64 + 0.5) / STEPS as f64);
        // Up to the top, so that no gaps show.
        chart.draw_series([Rectangle::new(
            [(0.0, at(step)), (1.0, values.range.1)],
            style(filled).filled(),
        )])?;
    }
    chart
        .configure_secondary_axes()
        .axis_style(FRAME.stroke_width(units(1.0) as u32))
        .set_all_tick_mark_size(units(4.0))
        .y_labels(8)
        .y_label_formatter(&|position| values.tick(*position))
        .label_style(font(TEXT))
        .axis_desc_style(font(TEXT))
        .y_desc(&values.label)
        .draw()?;
    Ok(rest)
}
