//! Colours that go well together and can be distinguished by the colour-blind.

/// A colour by its red, green and blue part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// For what was measured.
pub const GREY: Color = Color(150, 150, 150);
/// For text.
pub const BLACK: Color = Color(40, 40, 40);
/// For the result.
pub const BLUE: Color = Color(0, 90, 170);
/// For the start.
pub const ORANGE: Color = Color(225, 105, 0);
/// A further colour.
pub const GREEN: Color = Color(0, 140, 95);
/// A further colour.
pub const PURPLE: Color = Color(165, 70, 150);
/// For marks on maps.
pub const PINK: Color = Color(255, 110, 185);

/// The colours of lines that are alike, one after the other.
const SERIES: [Color; 7] = [BLUE, ORANGE, GREEN, PURPLE, PINK, BLACK, GREY];

/// The colour of one of many lines; after seven they begin again.
pub fn series(number: usize) -> Color {
    SERIES.get(number % SERIES.len()).copied().unwrap_or(BLUE)
}

/// The colour at this part of the way from `from` to `to`.
pub(crate) fn mixed(from: Color, to: Color, part: f64) -> Color {
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    Color(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}
