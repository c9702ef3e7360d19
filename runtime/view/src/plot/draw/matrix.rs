//! Drawing of matrices.

use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Chart, Failed, STYLE, UNITS, font, style};
use crate::plot::axis::Fitted;
use crate::plot::color::{BLUE, Color, ORANGE, mixed};
use crate::plot::matrix::Matrix;

const WHITE_CELL: Color = Color(255, 255, 255);
/// Colour of unknown entries.
const UNKNOWN: Color = Color(205, 205, 205);

/// Least width and height of a cell whose number is written.
const LEAST_CELL: (f64, f64) = (34.0, 16.0);

/// Draws coloured cells, with their values where these fit.
pub(super) fn draw(matrix: &Matrix, chart: &mut Chart<'_, '_>, y: &Fitted) -> Result<(), Failed> {
    let n = matrix.names.len();
    let (width, height) = chart.plotting_area().dim_in_pixel();
    let cell = [width, height].map(|size| f64::from(size) / UNITS / n.max(1) as f64);
    let has_text = cell[0] >= LEAST_CELL.0 && cell[1] >= LEAST_CELL.1;
    for row in 0..n {
        for column in 0..n {
            let entry = matrix.rows.get(row).and_then(|row| row.get(column)).copied();
            let value = entry.filter(|value| value.is_finite());
            let (x, y) = (column as f64, y.position((n - 1 - row) as f64));
            let corners = [(x - 0.48, y - 0.48), (x + 0.48, y + 0.48)];
            let fill = value.map_or(UNKNOWN, |value| color(value / matrix.limit));
            chart.draw_series([Rectangle::new(corners, style(fill).filled())])?;
            if let Some(value) = value.filter(|_| has_text) {
                let strong = (value / matrix.limit).abs() > 0.6;
                let text = font(STYLE.text - 1.0).color(if strong { &WHITE } else { &BLACK });
                let text = text.pos(Pos::new(HPos::Center, VPos::Center));
                let written = format!("{value:.2}").replace('-', "−");
                chart.draw_series([Text::new(written, (x, y), text)])?;
            }
        }
    }
    Ok(())
}

/// Returns the colour of a value relative to the limit, from -1 to 1.
fn color(part: f64) -> Color {
    if part.is_nan() {
        return UNKNOWN;
    }
    let strong = if part < 0.0 { BLUE } else { ORANGE };
    mixed(WHITE_CELL, strong, part.abs().min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_colours_of_their_own() {
        assert_eq!((color(-1.0), color(0.0), color(5.0)), (BLUE, WHITE_CELL, ORANGE));
        assert_eq!(color(f64::NAN), UNKNOWN);
    }
}
