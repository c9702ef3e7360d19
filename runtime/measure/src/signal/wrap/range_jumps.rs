//! Jumps of counts and of parts of turns, and the period that they show.

use std::f64::consts::TAU;

use super::MAX_NOISE;

/// Jumps over nearly the whole range of the values, between which the values move in small steps through all of it.
pub(super) struct RangeJumps {
    /// Indices of the samples after them.
    pub jumps: Vec<usize>,
    /// Mean of their lengths, beyond the motion nearby.
    length: f64,
    /// Largest error of this mean that is likely.
    error: f64,
    /// Difference of the largest and the least value.
    range: f64,
    /// True if all values are whole numbers.
    is_whole: bool,
    /// True if all steps between the jumps are equal, as those of a counter of samples.
    pub is_counter: bool,
}

impl RangeJumps {
    /// Finds the jumps of finite values; `None` where there are fewer than two, or something else is possible.
    pub fn of(values: &[f64]) -> Option<Self> {
        /// Largest step, and least jump, in the range of the values.
        const MAX_STEP: f64 = 0.25;
        const MIN_JUMP: f64 = 0.75;
        /// Least number of samples for each jump, on average.
        const MIN_SAMPLES_PER_JUMP: usize = 4;
        /// Parts of the range, and the number of those with values, without which the range is not passed through.
        const PARTS: usize = 16;
        const MIN_PARTS: usize = 12;
        /// Differences on each side of a jump that tell the motion.
        const SIDE: usize = 2;
        /// Largest error of the length, in it: a third of what lies between lengths that devices have.
        const MAX_ERROR: f64 = 0.008;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let is_jump = |step: f64| step.abs() > 0.5 * range;
        let jumps: Vec<usize> = (0..steps.len()).filter(|&at| is_jump(steps[at])).collect();
        let is_clear = |step: &f64| !(MAX_STEP * range..MIN_JUMP * range).contains(&step.abs());
        let is_frequent = MIN_SAMPLES_PER_JUMP * jumps.len() > values.len();
        if !(range > 0.0 && range.is_finite()) || jumps.len() < 2 || is_frequent || !steps.iter().all(is_clear) {
            return None;
        }
        let mut has_values = [false; PARTS];
        for value in values {
            let part = ((value - least) / range * PARTS as f64) as usize;
            has_values[part.min(PARTS - 1)] = true;
        }
        if has_values.iter().filter(|has| **has).count() < MIN_PARTS {
            return None;
        }
        let length = |&at: &usize| {
            let near = &steps[at.saturating_sub(SIDE)..(at + SIDE + 1).min(steps.len())];
            let moves: Vec<f64> = near.iter().copied().filter(|step| !is_jump(*step)).collect();
            (steps[at] - moves.iter().sum::<f64>() / moves.len().max(1) as f64).abs()
        };
        let lengths: Vec<f64> = jumps.iter().map(length).collect();
        let count = lengths.len() as f64;
        let mean = lengths.iter().sum::<f64>() / count;
        let spread = (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
        let mut moves = steps.iter().filter(|step| !is_jump(**step));
        let first = moves.next();
        let is_counter = first.is_some_and(|first| *first != 0.0) && moves.all(|step| Some(step) == first);
        let error = (3.0 * spread / count.sqrt()).clamp(0.25 * MAX_ERROR * mean, MAX_ERROR * mean);
        let jumps = jumps.into_iter().map(|at| at + 1).collect();
        let is_whole = values.iter().all(|value| value.fract() == 0.0);
        Some(Self { jumps, length: mean, error, range, is_whole, is_counter })
    }

    /// Returns the period that has the length of the jumps, from those of an angle with this turn, or from those in
    /// which devices count: powers of two, a turn in some unit, and round numbers.
    pub fn period(&self, turn: Option<f64>) -> Option<f64> {
        /// Part by which the jumps of an angle may be off a part or multiple of a turn, which are far apart.
        const MAX_PART: f64 = 0.03;
        /// Part of the distance to the next other period, and the counts, by which rounded jumps may be off.
        const MAX_NEARNESS: f64 = 0.25;
        const MAX_ROUNDING: f64 = 0.75;
        /// Largest power of two in which an encoder or a counter counts.
        const MAX_BITS: i32 = 32;
        /// Periods that are no powers of two, between 1 and 10.
        const DIGITS: [f64; 8] = [1.0, 1.8, 2.0, 2.5, 3.6, 4.0, 5.0, 7.2];
        let periods: Vec<f64> = match turn {
            Some(turn) => [0.25, 0.5, 1.0, 2.0, 4.0, 10.0].map(|turns| turns * turn).to_vec(),
            None => {
                let round = (0..6).flat_map(|power| DIGITS.map(|digits| digits * 10_f64.powi(power)));
                let angles = [0.5, 1.0, 2.0].map(|turns| turns * TAU);
                (1..=MAX_BITS).map(|bits| 2_f64.powi(bits)).chain(round).chain(angles).collect()
            }
        };
        let distance = |period: &f64| (period - self.length).abs();
        let nearest = periods.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let other = periods.iter().filter(|period| **period != nearest).map(distance).fold(f64::INFINITY, f64::min);
        let error = match turn {
            Some(_) => MAX_PART * self.length,
            None if self.is_whole => self.error.max(MAX_ROUNDING).min(MAX_NEARNESS * other),
            None => self.error,
        };
        (distance(&nearest) <= error && self.range <= (1.0 + MAX_NOISE) * nearest).then_some(nearest)
    }
}
