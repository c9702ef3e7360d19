//! Title and legend above a diagram.

use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, Failed, STYLE, font, radius, style, text_width, units};
use crate::plot::color::Color;
use crate::plot::panel::Panel;

enum Sample {
    Line(f64),
    Dot(i32),
    Area(f64),
}

/// An entry of the legend, with its place: row and left edge.
struct Entry<'a> {
    name: &'a str,
    color: Color,
    sample: Sample,
    row: usize,
    left: f64,
}

/// Lays out the legend of a panel of this width.
fn legend(panel: &Panel, width: f64) -> Vec<Entry<'_>> {
    let bands = panel.bands.iter().map(|band| (&band.name, band.color, Sample::Area(STYLE.band)));
    let bars = panel.bars.iter().map(|bars| (&bars.name, bars.color, Sample::Area(1.0)));
    let lines = panel.lines.iter().map(|line| {
        let is_dot = line.points.len() == 1 || !line.connected;
        let sample = if is_dot { Sample::Dot(radius(line)) } else { Sample::Line(line.width.max(1.5)) };
        (&line.name, line.color, sample)
    });
    let start = STYLE.margin / 2.0 + STYLE.left;
    let (mut row, mut left) = (0, start);
    let named = bands.chain(bars).chain(lines).filter(|(name, ..)| !name.is_empty());
    named
        .map(|(name, color, sample)| {
            let room = STYLE.sample + STYLE.spaces[0] + text_width(name, STYLE.text);
            if left > start && left + room > width {
                (row, left) = (row + 1, start);
            }
            let entry = Entry { name, color, sample, row, left };
            left += room + STYLE.spaces[1];
            entry
        })
        .collect()
}

/// Returns the height of title and legend in a panel of this width.
pub(super) fn height(panel: &Panel, width: f64) -> f64 {
    let rows = legend(panel, width).last().map_or(0, |entry| entry.row + 1);
    STYLE.row * (1 + rows) as f64 + 4.0
}

/// Draws title and legend.
pub(super) fn draw(panel: &Panel, area: &Area<'_>, width: f64) -> Result<(), Failed> {
    let left_middle = Pos::new(HPos::Left, VPos::Center);
    let at = (units(STYLE.margin / 2.0 + STYLE.left), units(STYLE.margin / 2.0 + STYLE.row / 2.0));
    area.draw(&Text::new(panel.title.clone(), at, font(STYLE.title).pos(left_middle)))?;
    for entry in legend(panel, width) {
        let middle = STYLE.margin / 2.0 + STYLE.row * (entry.row as f64 + 1.5);
        let (left, right) = (units(entry.left), units(entry.left + STYLE.sample));
        let color = style(entry.color);
        match entry.sample {
            Sample::Dot(radius) => {
                area.draw(&Circle::new(((left + right) / 2, units(middle)), radius, color.filled()))?;
            }
            Sample::Line(width) => {
                let ends = [(left, units(middle)), (right, units(middle))];
                area.draw(&PathElement::new(ends, color.stroke_width(units(width) as u32)))?;
            }
            Sample::Area(opacity) => {
                let corners = [(left, units(middle - 5.0)), (right, units(middle + 5.0))];
                area.draw(&Rectangle::new(corners, color.mix(opacity).filled()))?;
            }
        }
        let at = (right + units(STYLE.spaces[0]), units(middle));
        area.draw(&Text::new(entry.name.to_owned(), at, font(STYLE.text).pos(left_middle)))?;
    }
    Ok(())
}
