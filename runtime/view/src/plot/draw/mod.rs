//! Drawing with plotters.

mod clip;
mod decimate;
mod header;
mod map;
mod matrix;
mod names;

use costate_contract::shown::plain;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::Color as _;

use clip::clipped;
use decimate::decimate;

use crate::plot::axis::Fitted;
use crate::plot::band::Band;
use crate::plot::color::Color;
use crate::plot::error::PlotError;
use crate::plot::figure::Figure;
use crate::plot::line::Line;
use crate::plot::panel::Panel;
use crate::plot::ticks::{Kind, Ticked};

/// Units of the drawing per pixel: plotters rounds to whole units, which would be visible with pixels.
const UNITS: f64 = 4.0;

/// Sizes in pixels, and colours.
struct Style {
    title: f64,
    text: f64,
    /// Height of the title and of a row of the legend.
    row: f64,
    /// Width of the sample of a line in the legend.
    sample: f64,
    /// Space between a sample of the legend and its name, and after the name.
    spaces: [f64; 2],
    /// Room for numbers and labels at the left and below.
    left: f64,
    bottom: f64,
    right: f64,
    margin: f64,
    /// Space between the frame and a name.
    name_space: f64,
    /// Largest part of the width and the height of a panel that names at the left and below may take.
    names: f64,
    /// Width of the bar of a map with its labels, and without.
    labelled_bar: f64,
    bar: f64,
    grid: RGBColor,
    light_grid: RGBColor,
    frame: RGBColor,
    shaded: RGBColor,
    no_data: RGBColor,
    /// Opacity of bands.
    band: f64,
}

const STYLE: Style = Style {
    title: 14.0,
    text: 12.0,
    row: 22.0,
    sample: 22.0,
    spaces: [6.0, 20.0],
    left: 64.0,
    bottom: 42.0,
    right: 24.0,
    margin: 14.0,
    name_space: 8.0,
    names: 0.45,
    labelled_bar: 96.0,
    bar: 16.0,
    grid: RGBColor(216, 216, 216),
    light_grid: RGBColor(238, 238, 238),
    frame: RGBColor(120, 120, 120),
    shaded: RGBColor(255, 238, 190),
    no_data: RGBColor(232, 232, 232),
    band: 0.22,
};

/// The colour of an element that is replaced by the paths of a map; nothing else has it.
const MARK: RGBColor = RGBColor(1, 2, 3);

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Ticked, Ticked>>;
/// Error of plotters.
type Failed = DrawingAreaErrorKind<std::io::Error>;
/// Points of one line or of an edge of a band.
type Points = Vec<(f64, f64)>;

fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

fn font(pixels: f64) -> TextStyle<'static> {
    // plotters divides by 1.24.
    ("sans-serif", pixels * UNITS * 1.24).into_font().color(&RGBColor(40, 40, 40))
}

fn style(color: Color) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

/// Draws the figure and returns the text of an SVG file.
pub fn svg(figure: &Figure) -> Result<String, PlotError> {
    let rows = figure.panels.len().div_ceil(figure.columns).max(1);
    let width = figure.panel_size.0 * figure.columns as u32;
    let height = figure.panel_size.1.saturating_mul(rows as u32);
    let size = (units(f64::from(width)) as u32, units(f64::from(height)) as u32);
    let mut text = String::new();
    let mut inserted = Vec::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(PlotError::drawing)?;
        for (panel, area) in figure.panels.iter().zip(root.split_evenly((rows, figure.columns))) {
            inserted.extend(draw(panel, &area).map_err(PlotError::drawing)?);
        }
        root.present().map_err(PlotError::drawing)?;
    }
    for paths in inserted {
        insert(&mut text, &paths);
    }
    let large = format!(r#"width="{}" height="{}""#, size.0, size.1);
    let actual = format!(r#"width="{width}" height="{height}" stroke-linejoin="round""#);
    Ok(plain(&text.replacen(&large, &actual, 1)).into_owned())
}

/// Puts this text in the place of the first mark.
fn insert(text: &mut String, paths: &str) {
    let RGBColor(red, green, blue) = MARK;
    let mark = format!("fill=\"#{red:02X}{green:02X}{blue:02X}\"");
    let element = text.find(&mark).and_then(|at| {
        let begin = text.get(..at)?.rfind('<')?;
        Some(begin..at + text.get(at..)?.find("/>")? + 2)
    });
    if let Some(element) = element {
        text.replace_range(element, paths);
    }
}

/// Fits the axes to everything that a panel shows.
fn axes(panel: &Panel) -> (Fitted, Fitted) {
    if let Some(map) = &panel.map {
        return (panel.x.exact(map.x.iter().copied()), panel.y.exact(map.y.iter().copied()));
    }
    let of_lines = panel.lines.iter().flat_map(|line| line.points.iter().copied());
    let of_bands = panel.bands.iter().flat_map(|band| &band.points);
    let of_bands = of_bands.flat_map(|&(x, lower, upper)| [(x, lower), (x, upper)]);
    let of_bars = panel.bars.iter().flat_map(|bars| bars.bars.iter().map(move |bar| (bar, bars.width)));
    let of_bars = of_bars.flat_map(|(&(x, from, to), width)| [(x - 0.6 * width, from), (x + 0.6 * width, to)]);
    let points: Points = of_lines.chain(of_bands).chain(of_bars).collect();
    let x = panel.x.fitted(points.iter().map(|point| point.0), true);
    let is_visible = |point: &&(f64, f64)| (x.range.0..=x.range.1).contains(&x.position(point.0));
    let y = panel.y.fitted(points.iter().filter(is_visible).map(|point| point.1), false);
    (x, y)
}

/// Draws a panel, and returns what belongs in the place of its mark.
fn draw(panel: &Panel, area: &Area<'_>) -> Result<Option<String>, Failed> {
    let (x, y) = axes(panel);
    let [width, height] = [area.dim_in_pixel().0, area.dim_in_pixel().1].map(|size| f64::from(size) / UNITS);
    let (top, rest) = area.split_vertically(units(header::height(panel, width) + STYLE.margin / 2.0));
    header::draw(panel, &top, width)?;
    let rest = match &panel.map {
        Some(map) => map::bar(map, rest)?,
        None => rest,
    };
    let left = names::left(&y, width);
    let is_upright = names::are_upright(&x, width - left - STYLE.right - STYLE.margin);
    let below = names::below(&x, is_upright, height);
    let mut chart = ChartBuilder::on(&rest)
        .margin_right(units(STYLE.right))
        .margin_left(units(STYLE.margin / 2.0))
        .margin_bottom(units(STYLE.margin / 2.0))
        .x_label_area_size(units(below))
        .y_label_area_size(units(left))
        .build_cartesian_2d(Ticked::new(x.kind, x.range), Ticked::new(y.kind, y.range))?;
    for (ranges, color) in [(&panel.no_data, STYLE.no_data), (&panel.shaded, STYLE.shaded)] {
        for range in ranges {
            let [from, to] = [range.0, range.1].map(|end| x.position(end).clamp(x.range.0, x.range.1));
            if from < to {
                chart.draw_series([Rectangle::new([(from, y.range.0), (to, y.range.1)], color.filled())])?;
            }
        }
    }
    let columns = f64::from(chart.plotting_area().dim_in_pixel().0) / UNITS;
    mesh(&mut chart, &x, &y)?;
    names::draw(&rest, &chart, (&x, &y), is_upright)?;
    let mut inserted = None;
    if let Some(map) = &panel.map {
        if map.is_stepped {
            let corner = (x.range.0, y.range.0);
            chart.draw_series([Rectangle::new([corner, corner], MARK.filled())])?;
            inserted = Some(map::stepped(map, &chart, &x, &y));
        } else {
            map::cells(map, &mut chart, &x, &y)?;
        }
    }
    if let Some(matrix) = &panel.matrix {
        matrix::draw(matrix, &mut chart, &y)?;
    }
    for band in &panel.bands {
        for corners in areas(band, &x, &y, columns as usize) {
            chart.draw_series([Polygon::new(corners, style(band.color).mix(STYLE.band).filled())])?;
        }
    }
    for bars in &panel.bars {
        for &(at, from, to) in &bars.bars {
            let [from, to] = [from, to].map(|end| y.position(end).clamp(y.range.0, y.range.1));
            let [left, right] =
                [at - 0.5 * bars.width, at + 0.5 * bars.width].map(|end| x.position(end).clamp(x.range.0, x.range.1));
            if from.is_finite() && to.is_finite() && left < right {
                let corners = [(left, from), (right, to)];
                chart.draw_series([Rectangle::new(corners, style(bars.color).filled())])?;
            }
        }
    }
    for line in &panel.lines {
        draw_line(line, &mut chart, (&x, &y), columns as usize)?;
    }
    Ok(inserted)
}

/// Draws grid, frame, numbers and labels.
fn mesh(chart: &mut Chart<'_, '_>, x: &Fitted, y: &Fitted) -> Result<(), Failed> {
    let (width, height) = chart.plotting_area().dim_in_pixel();
    let count = |size: u32, distance: f64| (f64::from(size) / UNITS / distance) as usize;
    let (tick_x, tick_y) = (|position: &f64| x.tick(*position), |position: &f64| y.tick(*position));
    // numbers of powers of ten are short, and there are digits between
    let distance = |axis: &Fitted, linear: f64, logarithmic: f64| match axis.kind {
        Kind::Logarithmic => logarithmic,
        _ => linear,
    };
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(STYLE.light_grid.stroke_width(units(0.5) as u32))
        .max_light_lines(10)
        .bold_line_style(STYLE.grid.stroke_width(units(0.75) as u32))
        .axis_style(STYLE.frame.stroke_width(units(1.0) as u32))
        .set_all_tick_mark_size(units(4.0))
        .x_labels(if x.names.is_empty() { count(width, distance(x, 80.0, 56.0)) } else { 0 })
        .y_labels(if y.names.is_empty() { count(height, distance(y, 36.0, 24.0)) } else { 0 })
        .x_label_formatter(&tick_x)
        .y_label_formatter(&tick_y)
        .label_style(font(STYLE.text))
        .axis_desc_style(font(STYLE.text))
        .x_desc(&x.label)
        .y_desc(&y.label);
    mesh.draw()
}

fn draw_line(line: &Line, chart: &mut Chart<'_, '_>, (x, y): (&Fitted, &Fitted), columns: usize) -> Result<(), Failed> {
    let color = style(line.color);
    let pen = color.stroke_width(units(line.width).max(1) as u32);
    let dot = |at| Circle::new(at, radius(line), color.filled());
    for stretch in stretches(line.points.iter().map(|point| (x.position(point.0), y.position(point.1)))) {
        // a curve that goes back in x is drawn without thinning out its points
        let rises = stretch.windows(2).all(|pair| pair[0].0 <= pair[1].0);
        let points = if rises { decimate(&stretch, x.range, columns) } else { stretch };
        if line.connected {
            for piece in clipped(&points, x.range, y.range) {
                match &piece[..] {
                    [only] => drop(chart.draw_series([dot(*only)])?),
                    _ => drop(chart.draw_series([PathElement::new(piece, pen)])?),
                }
            }
        }
        if line.marked {
            let is_inside = |point: &(f64, f64)| {
                (x.range.0..=x.range.1).contains(&point.0) && (y.range.0..=y.range.1).contains(&point.1)
            };
            chart.draw_series(points.into_iter().filter(is_inside).map(dot))?;
        }
    }
    Ok(())
}

/// Returns the radius of a line's marks.
fn radius(line: &Line) -> i32 {
    units(1.2 + line.width / 2.0)
}

/// Splits points into stretches of finite ones.
fn stretches(points: impl Iterator<Item = (f64, f64)>) -> Vec<Points> {
    let is_finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
    let points: Points = points.collect();
    let stretches = points.split(|point| !is_finite(point)).filter(|stretch| !stretch.is_empty());
    stretches.map(<[_]>::to_vec).collect()
}

/// Returns the corners of a band's stretches.
fn areas(band: &Band, x: &Fitted, y: &Fitted, columns: usize) -> Vec<Points> {
    let inside = |value: f64| y.position(value).clamp(y.range.0, y.range.1);
    let drawn: Vec<_> =
        band.points.iter().map(|&(at, lower, upper)| (x.position(at), inside(lower), inside(upper))).collect();
    let is_finite = |(x, lower, upper): &(f64, f64, f64)| [x, lower, upper].iter().all(|z| z.is_finite());
    drawn
        .split(|point| !is_finite(point))
        .filter(|stretch| stretch.len() > 1)
        .map(|stretch| {
            let edge = |of: fn(&(f64, f64, f64)) -> (f64, f64)| {
                let points: Points = stretch.iter().map(of).collect();
                let rises = points.windows(2).all(|pair| pair[0].0 <= pair[1].0);
                let points = if rises { decimate(&points, x.range, columns) } else { points };
                points.into_iter().map(|(at, y)| (at.clamp(x.range.0, x.range.1), y)).collect::<Points>()
            };
            let (lower, upper) = (edge(|point| (point.0, point.1)), edge(|point| (point.0, point.2)));
            lower.into_iter().chain(upper.into_iter().rev()).collect()
        })
        .collect()
}

/// Estimates the width of a text in a font of this size; the viewer chooses the font.
fn text_width(text: &str, size: f64) -> f64 {
    let of_letter = |letter: char| match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | '|' | '(' | ')' => 0.35,
        'm' | 'w' | 'M' | 'W' => 0.9,
        _ => 0.6,
    };
    size * text.chars().map(of_letter).sum::<f64>()
}
