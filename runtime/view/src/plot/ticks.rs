//! The places of ticks on an axis.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// Steps between ticks of angles in degrees.
const DEGREES: [f64; 11] = [1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0];

/// Steps between powers of ten.
const DECADES: [i32; 9] = [1, 2, 3, 5, 10, 20, 50, 100, 200];

/// The kind of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Equal steps.
    Linear,
    /// Equal steps, of whole parts of a turn where they are large enough.
    Degrees,
    /// Powers of ten, of which positions are the logarithms, with 2 and 5 times these where there is room.
    Logarithmic,
}

/// The range of an axis for plotters, with its ticks.
pub struct Ticked {
    range: RangedCoordf64,
    ends: (f64, f64),
    kind: Kind,
}

impl Ticked {
    /// Creates the range of an axis of this kind.
    pub fn new(kind: Kind, ends: (f64, f64)) -> Self {
        Self { range: (ends.0..ends.1).into(), ends, kind }
    }

    /// Returns the positions of light lines: all digits of the decades of a logarithmic axis, unless there are very
    /// many.
    fn light(&self) -> Vec<f64> {
        /// Largest number of decades with light lines between powers of ten.
        const MAX_DECADES: f64 = 8.0;
        let (from, to) = self.ends;
        if self.kind != Kind::Logarithmic || to - from > MAX_DECADES {
            return Vec::new();
        }
        digits(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], self.ends)
    }
}

impl Ranged for Ticked {
    type ValueType = f64;
    type FormatOption = DefaultFormatting;

    fn range(&self) -> Range<f64> {
        self.range.range()
    }

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.range.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return self.light();
        }
        ticks(self.kind, self.ends, hint.max_num_points())
    }
}

/// Returns at most `most` positions of ticks, or a few more, within a range of positions.
fn ticks(kind: Kind, (from, to): (f64, f64), most: usize) -> Vec<f64> {
    let linear = || RangedCoordf64::from(from..to).key_points(most);
    match kind {
        Kind::Linear => linear(),
        Kind::Degrees => {
            let fits = |step: &f64| (to - from) / step <= most as f64 + 0.5;
            let step = DEGREES.into_iter().find(fits).filter(|step| (to - from) >= 2.0 * step && *step > 5.0);
            step.map_or_else(linear, |step| multiples(step, (from, to)))
        }
        Kind::Logarithmic => logarithmic((from, to), most),
    }
}

/// Multiples of a step within a range.
fn multiples(step: f64, (from, to): (f64, f64)) -> Vec<f64> {
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// Positions of these digits of all decades within a range.
fn digits(digits: &[f64], (from, to): (f64, f64)) -> Vec<f64> {
    let of_decade = |decade: i32| digits.iter().map(move |digit| f64::from(decade) + digit.log10());
    let all = (from.floor() as i32..=to.ceil() as i32).flat_map(of_decade);
    all.filter(|position| (from..=to).contains(position)).collect()
}

fn logarithmic((from, to): (f64, f64), most: usize) -> Vec<f64> {
    let most = most.max(2);
    let inside = |position: &f64| (from..=to).contains(position);
    if to - from <= most as f64 {
        let of_three = digits(&[1.0, 2.0, 5.0], (from, to));
        if of_three.len() <= most && of_three.len() > 2 {
            return of_three;
        }
        let of_two = digits(&[1.0, 3.0], (from, to));
        if of_three.len() > most && of_two.len() <= most && of_two.len() > 2 {
            return of_two;
        }
        if of_three.len() <= 2 {
            // within a decade: round numbers
            let values = RangedCoordf64::from(10f64.powf(from)..10f64.powf(to)).key_points(most);
            return values.into_iter().map(f64::log10).filter(|at| at.is_finite()).filter(inside).collect();
        }
    }
    let whole = |step: &i32| (to - from) / f64::from(*step) <= most as f64 + 0.5;
    let step = DECADES.into_iter().find(whole).unwrap_or(500);
    multiples(f64::from(step), (from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(range: (f64, f64), most: usize) -> Vec<f64> {
        let rounded = |at: f64| (1e9 * 10f64.powf(at)).round() / 1e9;
        ticks(Kind::Logarithmic, range, most).into_iter().map(rounded).collect()
    }

    #[test]
    fn decades_have_numbers_between_where_there_is_room() {
        assert_eq!(values((-1.3, 1.0), 8), [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(values((-1.0, 1.7), 5), [0.1, 1.0, 10.0]);
        assert_eq!(ticks(Kind::Logarithmic, (-16.0, 0.5), 6), [-15.0, -12.0, -9.0, -6.0, -3.0, 0.0]);
        let narrow = values((1.1, 1.2), 6);
        assert!(narrow.len() > 2 && narrow.iter().all(|value| (12.58..15.85).contains(value)), "{narrow:?}");
    }

    #[test]
    fn a_few_decades_have_a_number_between_each() {
        assert_eq!(values((-1.0, 1.7), 7), [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]);
        // magnitudes of a response on a low panel
        assert_eq!(ticks(Kind::Logarithmic, (-4.5, -2.6), 6).len(), 6);
    }

    #[test]
    fn decades_have_light_lines_at_all_digits() {
        let of = |kind, ends| Ticked::new(kind, ends).light();
        let lines: Vec<f64> = of(Kind::Logarithmic, (-0.05, 1.0)).iter().map(|at| 10f64.powf(*at).round()).collect();
        assert_eq!(lines, [1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
        assert!(of(Kind::Linear, (0.0, 1.0)).is_empty() && of(Kind::Logarithmic, (-16.0, 1.0)).is_empty());
    }

    #[test]
    fn angles_have_parts_of_a_turn() {
        assert_eq!(ticks(Kind::Degrees, (-190.0, 10.0), 6), [-180.0, -135.0, -90.0, -45.0, 0.0]);
        assert_eq!(ticks(Kind::Degrees, (-1620.0, 80.0), 6), [-1440.0, -1080.0, -720.0, -360.0, 0.0]);
        assert_eq!(ticks(Kind::Degrees, (0.0, 3.0), 6), ticks(Kind::Linear, (0.0, 3.0), 6));
        assert!(ticks(Kind::Degrees, (-1e9, 1e9), 6).len() < 20);
    }
}
