//! Drawing of maps.

use std::fmt::Write;

use plotters::prelude::*;
use plotters::style::Color as _;

use super::clip::clipped;
use super::{Area, Chart, Failed, STYLE, UNITS, font, style, units};
use crate::plot::axis::{Axis, Fitted};
use crate::plot::color::Color;
use crate::plot::map::{self, Cell, Map};

/// Cells, points without cells between them, and contour lines.
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

/// Neighbouring points of one axis that are drawn as one: their indices, and their ends in units of the drawing.
struct Step {
    points: std::ops::Range<usize>,
    ends: (i32, i32),
}

/// Collects the points of an axis into steps; `place` is where a value is drawn.
fn steps(axis: &[f64], place: impl Fn(f64) -> f64) -> Vec<Step> {
    /// Least width and height of a step in pixels.
    const MIN_STEP: f64 = 2.0;
    let places: Vec<f64> = axis.iter().map(|value| place(*value)).collect();
    let edge = |k: usize| match (k.checked_sub(1).and_then(|before| places.get(before)), places.get(k)) {
        (Some(a), Some(b)) => 0.5 * (a + b),
        (Some(a), None) => *a,
        (None, Some(b)) => *b,
        (None, None) => f64::NAN,
    };
    let mut all: Vec<Step> = Vec::new();
    let mut first = 0;
    for end in 1..=axis.len() {
        let (from, to) = (edge(first), edge(end));
        let is_wide = (to - from).abs() >= MIN_STEP * UNITS;
        if (is_wide || end == axis.len()) && from.is_finite() && to.is_finite() {
            all.push(Step { points: first..end, ends: (from.round() as i32, to.round() as i32) });
            first = end;
        } else if !(from.is_finite() && to.is_finite()) {
            // not drawable, such as 0 on a logarithmic axis
            first = end;
        }
    }
    all
}

/// Draws a stepped map as the text of SVG paths, one for each colour: rectangles one by one would take ten times the
/// text.
pub(super) fn stepped(map: &Map, chart: &Chart<'_, '_>, x: &Fitted, y: &Fitted) -> String {
    /// Number of the last colour of a stepped map, counted from 0.
    const LAST_COLOR: f64 = 127.0;
    let place = |a: f64, b: f64| chart.plotting_area().map_coordinate(&(a, b));
    let inside = |value: f64, (lo, hi): (f64, f64)| if value.is_nan() { value } else { value.clamp(lo, hi) };
    let left_to_right = |value: f64| match inside(x.position(value), x.range) {
        at if at.is_finite() => f64::from(place(at, y.range.0).0),
        _ => f64::NAN,
    };
    let upwards = |value: f64| match inside(y.position(value), y.range) {
        at if at.is_finite() => f64::from(place(x.range.0, at).1),
        _ => f64::NAN,
    };
    let (columns, rows) = (steps(&map.x, left_to_right), steps(&map.y, upwards));
    let (lo, hi) = map.range();
    let mut paths = vec![String::new(); LAST_COLOR as usize + 1];
    for row in &rows {
        // neighbours of one colour are one rectangle
        let mut run: Option<(usize, i32, i32)> = None;
        let mut finish = |run: Option<(usize, i32, i32)>| {
            let (top, bottom) = (row.ends.0.min(row.ends.1), row.ends.0.max(row.ends.1));
            if let Some((color, from, to)) = run
                && from < to
                && let Some(path) = paths.get_mut(color)
            {
                let (width, height) = (to - from, bottom - top);
                let _ = write!(path, "M{from} {top}h{width}v{height}h-{width}z");
            }
        };
        for column in &columns {
            let points = row.points.clone().flat_map(|j| column.points.clone().map(move |i| map.value(i, j)));
            let highest = points.filter(|value| value.is_finite()).reduce(f64::max);
            let color = highest.map(|value| (((value - lo) / (hi - lo)).clamp(0.0, 1.0) * LAST_COLOR).round() as usize);
            run = match (run, color) {
                (Some((own, from, to)), Some(color)) if own == color && to == column.ends.0 => {
                    Some((own, from, column.ends.1))
                }
                (before, color) => {
                    finish(before);
                    color.map(|color| (color, column.ends.0, column.ends.1))
                }
            };
        }
        finish(run);
    }
    let mut text = String::from("<g shape-rendering=\"crispEdges\">\n");
    for (number, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let Color(red, green, blue) = map::color(number as f64 / LAST_COLOR);
        let _ = writeln!(text, "<path fill=\"#{red:02X}{green:02X}{blue:02X}\" d=\"{path}\"/>");
    }
    text + "</g>\n"
}

/// Draws the bar at the right, and gives what is left of the area.
pub(super) fn bar<'a>(map: &Map, area: Area<'a>) -> Result<Area<'a>, Failed> {
    /// Steps of colour of the bar.
    const BAR_STEPS: usize = 128;
    let width = area.dim_in_pixel().0 as i32;
    let (rest, right) = area.split_horizontally(width - units(STYLE.labelled_bar));
    let values = Axis::new(map.name.clone()).range(map.range()).fitted(std::iter::empty(), true);
    let mut chart = ChartBuilder::on(&right)
        .margin_bottom(units(STYLE.margin / 2.0 + STYLE.bottom))
        .margin_right(units(STYLE.margin / 2.0))
        .right_y_label_area_size(units(STYLE.labelled_bar - STYLE.bar - STYLE.margin / 2.0))
        .build_cartesian_2d(0.0..1.0, values.range.0..values.range.1)?
        .set_secondary_coord(0.0..1.0, values.range.0..values.range.1);
    let at = |step: usize| values.range.0 + (values.range.1 - values.range.0) * step as f64 / BAR_STEPS as f64;
    for step in 0..BAR_STEPS {
        let filled = map::color((step as f64 + 0.5) / BAR_STEPS as f64);
        // Up to the top, so that no gaps show.
        chart.draw_series([Rectangle::new([(0.0, at(step)), (1.0, values.range.1)], style(filled).filled())])?;
    }
    chart
        .configure_secondary_axes()
        .axis_style(STYLE.frame.stroke_width(units(1.0) as u32))
        .set_all_tick_mark_size(units(4.0))
        .y_labels(8)
        .y_label_formatter(&|position| values.tick(*position))
        .label_style(font(STYLE.text))
        .axis_desc_style(font(STYLE.text))
        .y_desc(&values.label)
        .draw()?;
    Ok(rest)
}
