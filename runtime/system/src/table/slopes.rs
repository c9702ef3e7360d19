//! Slopes at the knots that follow from the chords beside them alone, with their derivatives.

use costate_contract::tables::{Extension, Interpolation};

/// The slope at a knot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slope {
    pub value: f64,
    /// The chords on which it depends, and the derivatives with respect to their slopes.
    pub by_chords: [(usize, f64); 2],
}

impl Slope {
    const ZERO: Self = Self { value: 0.0, by_chords: [(0, 0.0); 2] };

    /// Creates the slope of a chord.
    fn of_chord(chords: &[f64], index: usize) -> Self {
        Self { value: chords[index], by_chords: [(index, 1.0), (index, 0.0)] }
    }
}

/// Computes the slopes of a monotone curve through `values` at two or more knots; of straight lines, those of the lines
/// after the knots. Where a slope is 0 because the values turn, its derivatives are 0.
pub(super) fn slopes(knots: &[f64], values: &[f64], interpolation: Interpolation, extension: Extension) -> Vec<Slope> {
    let lengths: Vec<f64> = knots.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let chords: Vec<f64> = values.windows(2).zip(&lengths).map(|(pair, length)| (pair[1] - pair[0]) / length).collect();
    let last = chords.len();
    (0..=last)
        .map(|knot| match (interpolation, extension) {
            (Interpolation::Straight, _) => Slope::of_chord(&chords, knot.min(last - 1)),
            _ if 0 < knot && knot < last => between(&lengths, &chords, [knot - 1, knot]),
            (_, Extension::Periodic) => between(&lengths, &chords, [last - 1, 0]),
            (_, Extension::Clamped) => Slope::ZERO,
            _ if last == 1 => Slope::of_chord(&chords, 0),
            _ if knot == 0 => at_end(&lengths, &chords, [0, 1]),
            _ => at_end(&lengths, &chords, [last - 1, last - 2]),
        })
        .collect()
}

/// Computes the slope between two chords: their weighted harmonic mean (Fritsch and Butland 1984), or 0 where the
/// values turn.
fn between(lengths: &[f64], chords: &[f64], [left, right]: [usize; 2]) -> Slope {
    let [before, after] = [chords[left], chords[right]];
    if !(before.signum() * after.signum() > 0.0 && before != 0.0 && after != 0.0) {
        return Slope::ZERO;
    }
    let (of_before, of_after) = (2.0 * lengths[right] + lengths[left], lengths[right] + 2.0 * lengths[left]);
    let sum = of_before + of_after;
    let value = sum / (of_before / before + of_after / after);
    let by = |chord: f64, weight: f64| (value / chord).powi(2) * (weight / sum);
    Slope { value, by_chords: [(left, by(before, of_before)), (right, by(after, of_after))] }
}

/// Computes the slope at an end: that of the parabola through three knots, if the curve is monotone with it (Fritsch
/// and Butland 1984, as `pchip` of other programs).
fn at_end(lengths: &[f64], chords: &[f64], [near, next]: [usize; 2]) -> Slope {
    /// Largest slope at the end of a monotone cubic, relative to that of its chord.
    const MAX_SLOPE_RATIO: f64 = 3.0;
    let (h_near, h_next) = (lengths[near], lengths[next]);
    let [by_near, by_next] = [(2.0 * h_near + h_next) / (h_near + h_next), -h_near / (h_near + h_next)];
    let value = by_near * chords[near] + by_next * chords[next];
    if value == 0.0 || chords[near] == 0.0 || value.signum() != chords[near].signum() {
        return Slope::ZERO;
    }
    let turns = chords[next] == 0.0 || chords[near].signum() != chords[next].signum();
    if turns && value.abs() > MAX_SLOPE_RATIO * chords[near].abs() {
        return Slope { value: MAX_SLOPE_RATIO * chords[near], by_chords: [(near, MAX_SLOPE_RATIO), (next, 0.0)] };
    }
    Slope { value, by_chords: [(near, by_near), (next, by_next)] }
}
