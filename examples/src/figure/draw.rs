//! Drawing with plotters.

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Fitted;
use super::{Figure, Line, Panel, color, map_draw};
use crate::decimate::decimate;

/// Units of the drawing per pixel: plotters draws in whole units, which would be seen.
const UNITS: f64 = 4.0;

/// Sizes in pixels.
const TITLE: f64 = 14.0;
pub(super) const TEXT: f64 = 12.0;
const ROW: f64 = 22.0;
const LEFT: f64 = 64.0;
pub(super) const BOTTOM: f64 = 42.0;
pub(super) const MARGIN: f64 = 14.0;
const RIGHT: f64 = 24.0;
const SAMPLE: f64 = 22.0;

const GRID: RGBColor = RGBColor(228, 228, 228);
pub(super) const FRAME: RGBColor = RGBColor(120, 120, 120);
const BAND: RGBColor = RGBColor(255, 238, 190);

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

pub(super) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

pub(super) fn font(pixels: f64) -> TextStyle<'static> {
    // plotters divides by 1.24.
    ("sans-serif", pixels * UNITS * 1.24).into_font().color(&color::BLACK)
}

/// The figure as the text of an SVG file.
pub(super) fn svg(figure: &Figure) -> Result<String> {
    let rows = figure.panels.len().div_ceil(figure.columns).max(1);
    let width = figure.panel_size.0 * figure.columns as u32;
    let height = figure.panel_size.1 * rows as u32;
    let size = (units(f64::from(width)) as u32, units(f64::from(height)) as u32);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (panel, area) in figure.panels.iter().zip(root.split_evenly((rows, figure.columns))) {
            draw(panel, &area)?;
        }
        root.present()?;
    }
    let large = format!(r#"width="{}" height="{}""#, size.0, size.1);
    let actual = format!(r#"width="{width}" height="{height}" stroke-linejoin="round""#);
    Ok(text.replacen(&large, &actual, 1))
}

fn draw(panel: &Panel, area: &Area<'_>) -> Result<()> {
    let points = || panel.lines.iter().flat_map(|line| line.points.iter().copied());
    let (x, y) = match &panel.map {
        Some(map) => {
            (panel.x.fitted(map.x.iter().copied(), true), panel.y.fitted(map.y.iter().copied(), true))
        }
        None => {
            let x = panel.x.fitted(points().map(|point| point.0), true);
            let visible = points().filter(|point| (x.range.0..=x.range.1).contains(&x.position(point.0)));
            let y = panel.y.fitted(visible.map(|point| point.1), false);
            (x, y)
        }
    };

    let named = panel.lines.iter().any(|line| !line.name.is_empty());
    let header = if named { 2.0 * ROW + 4.0 } else { ROW + 4.0 };
    let (top, rest) = area.split_vertically(units(header + MARGIN / 2.0));
    draw_header(panel, &top)?;
    let rest = match &panel.map {
        Some(map) => map_draw::bar(map, rest)?,
        None => rest,
    };

    let mut chart = ChartBuilder::on(&rest)
        .margin_right(units(RIGHT))
        .margin_left(units(MARGIN / 2.0))
        .margin_bottom(units(MARGIN / 2.0))
        .x_label_area_size(units(BOTTOM))
        .y_label_area_size(units(LEFT))
        .build_cartesian_2d(x.range.0..x.range.1, y.range.0..y.range.1)?;
    if let Some(band) = panel.band {
        let corners = [(x.position(band.0), y.range.0), (x.position(band.1), y.range.1)];
        chart.draw_series([Rectangle::new(corners, BAND.filled())])?;
    }
    let columns = chart.plotting_area().dim_in_pixel().0 as f64 / UNITS;
    let height = chart.plotting_area().dim_in_pixel().1 as f64 / UNITS;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .max_light_lines(0)
        .bold_line_style(GRID.stroke_width(units(0.75) as u32))
        .axis_style(FRAME.stroke_width(units(1.0) as u32))
        .set_all_tick_mark_size(units(4.0))
        .x_labels((columns / 80.0) as usize)
        .y_labels((height / 36.0) as usize)
        .x_label_formatter(&|position| x.tick(*position))
        .y_label_formatter(&|position| y.tick(*position))
        .label_style(font(TEXT))
        .axis_desc_style(font(TEXT))
        .x_desc(&x.label)
        .y_desc(&y.label)
        .draw()?;
    if let Some(map) = &panel.map {
        map_draw::cells(map, &mut chart, &x, &y)?;
    }
    for line in &panel.lines {
        let points = positions(line, &x, &y, columns as usize);
        let style = line.color.stroke_width(units(line.width) as u32);
        if line.connected {
            chart.draw_series([PathElement::new(points.clone(), style)])?;
        }
        if line.marked {
            let mark = |at| Circle::new(at, radius(line), line.color.filled());
            chart.draw_series(points.into_iter().map(mark))?;
        }
    }
    Ok(())
}

/// Radius of a line's marks.
fn radius(line: &Line) -> i32 {
    units(1.2 + line.width / 2.0)
}

/// Where the points are drawn, as many as can be told apart.
fn positions(line: &Line, x: &Fitted, y: &Fitted, columns: usize) -> Vec<(f64, f64)> {
    let all = line.points.iter().map(|point| (x.position(point.0), y.position(point.1)));
    let drawable: Vec<_> = all.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    if line.path { drawable } else { decimate(&drawable, x.range, columns) }
}

/// Title and legend.
fn draw_header(panel: &Panel, area: &Area<'_>) -> Result<()> {
    let left_middle = Pos::new(HPos::Left, VPos::Center);
    let mut left = MARGIN / 2.0 + LEFT;
    let title = font(TITLE).pos(left_middle);
    area.draw(&Text::new(panel.title.clone(), (units(left), units(MARGIN / 2.0 + ROW / 2.0)), title))?;
    let middle = MARGIN / 2.0 + 1.5 * ROW;
    for line in panel.lines.iter().filter(|line| !line.name.is_empty()) {
        let ends = [(units(left), units(middle)), (units(left + SAMPLE), units(middle))];
        if line.points.len() == 1 || !line.connected {
            let at = (units(left + SAMPLE / 2.0), units(middle));
            area.draw(&Circle::new(at, radius(line), line.color.filled()))?;
        } else {
            let width = line.width.max(1.5);
            area.draw(&PathElement::new(ends, line.color.stroke_width(units(width) as u32)))?;
        }
        left += SAMPLE + 6.0;
        let style = font(TEXT).pos(left_middle);
        area.draw(&Text::new(line.name.clone(), (units(left), units(middle)), style))?;
        left += TEXT * line.name.chars().map(letter_width).sum::<f64>() + 20.0;
    }
    Ok(())
}

/// Width of a letter relative to the size of the font, about; the viewer chooses the font.
fn letter_width(letter: char) -> f64 {
    match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | '|' | '(' | ')' => 0.35,
        'm' | 'w' | 'M' | 'W' => 0.9,
        _ => 0.6,
    }
}
