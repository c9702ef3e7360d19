//! Judges the last number of a text that ends within its last line: digits may have been cut off.

/// Numbers of digits in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Digits {
    /// Number after the decimal sign.
    decimals: usize,
    /// Number from the first digit that is not 0 on, without those of the exponent.
    significant: usize,
    /// Digits of the exponent; 0 without one.
    exponent: usize,
}

impl Digits {
    fn of(cell: &[u8]) -> Self {
        let (mut own, mut is_behind, mut is_exponent) = (Self::default(), false, false);
        for &byte in cell {
            match byte {
                b'0'..=b'9' if is_exponent => own.exponent += 1,
                b'0'..=b'9' => {
                    own.decimals += usize::from(is_behind);
                    own.significant += usize::from(own.significant > 0 || byte != b'0');
                }
                b'.' | b',' => is_behind = true,
                b'e' | b'E' => is_exponent = true,
                _ => {}
            }
        }
        own
    }
}

/// The fewest and the most digits of some kind.
#[derive(Debug, Clone, Copy)]
struct Range {
    fewest: usize,
    most: usize,
}

impl Range {
    const NONE: Self = Self { fewest: usize::MAX, most: 0 };

    fn add(&mut self, digits: usize) {
        (self.fewest, self.most) = (self.fewest.min(digits), self.most.max(digits));
    }
}

/// Digits of the numbers of a column: those of the last one, and the ranges of all before it.
#[derive(Debug, Clone)]
pub struct LastColumn {
    lines: usize,
    last: Digits,
    decimals: Range,
    /// That of the numbers that are not 0.
    significant: Range,
    /// That of the numbers that have an exponent, and how many these are.
    exponent: Range,
    with_exponent: usize,
}

impl LastColumn {
    pub fn new() -> Self {
        let (last, none) = (Digits::default(), Range::NONE);
        Self { lines: 0, last, decimals: none, significant: none, exponent: none, with_exponent: 0 }
    }

    /// Adds the cell of the next line.
    #[inline]
    pub fn add(&mut self, cell: &[u8]) {
        if self.lines > 0 {
            self.decimals.add(self.last.decimals);
            if self.last.significant > 0 {
                self.significant.add(self.last.significant);
            }
            if self.last.exponent > 0 {
                self.exponent.add(self.last.exponent);
                self.with_exponent += 1;
            }
        }
        self.lines += 1;
        self.last = Digits::of(cell);
    }

    /// Checks whether the last number is shorter than those before it in a way that is hardly chance; `values` are all
    /// of them.
    pub fn is_shortened(&self, values: &[f64]) -> bool {
        /// Number of lines that determine how many digits a column has; fewer do where much is missing, but not less
        /// than three.
        const LINES: usize = 4;
        const FEWEST_LINES: usize = 3;
        /// Decimals that a number of few has, and those that the last one lacks.
        const FEW_DECIMALS: usize = 3;
        const LACKING_DECIMALS: usize = 2;
        /// Part by which a whole number of few may be off the others with a digit in place of the one that it lacks.
        const MAX_DISTANCE: f64 = 0.1;
        /// Zeros at the end of a number that are not written happen to one in a thousand.
        const MISSING_ZEROS: usize = 3;
        /// Whole numbers that lose a digit have at most a tenth of their size; those that only fall keep more than this
        /// part of the smallest one.
        const MIN_PART: f64 = 0.5;
        if self.lines < FEWEST_LINES {
            return false;
        }
        let Self { last, decimals, significant, exponent, .. } = self;
        let lacks_decimals = decimals.fewest == decimals.most && last.decimals < decimals.fewest;
        let lacks_exponent = exponent.most > 0
            && last.exponent < exponent.fewest
            && (last.exponent > 0 || self.with_exponent == self.lines - 1);
        let is_shorter = (1..significant.fewest).contains(&last.significant);
        let lacks_digits = is_shorter && last.significant + MISSING_ZEROS <= significant.most;
        let is_whole = decimals.most == 0 && exponent.most == 0 && significant.fewest == significant.most;
        let is_small = || {
            let Some((last, before)) = values.split_last() else { return false };
            last.abs() < MIN_PART * before.iter().fold(f64::INFINITY, |least, value| least.min(value.abs()))
        };
        if self.lines <= LINES {
            let is_much = decimals.fewest >= FEW_DECIMALS && last.decimals + LACKING_DECIMALS <= decimals.fewest;
            let is_beside = || {
                let Some((last, before)) = values.split_last() else { return false };
                before.iter().all(|value| (10.0 * last - value).abs() <= MAX_DISTANCE * value.abs())
            };
            return lacks_exponent || lacks_decimals && is_much || is_whole && is_shorter && is_beside();
        }
        lacks_decimals
            || lacks_exponent
            || match is_whole {
                true => is_shorter && is_small(),
                false => lacks_digits,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_shortened(cells: &[String]) -> bool {
        let mut column = LastColumn::new();
        cells.iter().for_each(|cell| column.add(cell.as_bytes()));
        let values: Vec<f64> = cells.iter().map(|cell| cell.parse().unwrap()).collect();
        column.is_shortened(&values)
    }

    /// A number from 0 to 1 for every index and seed.
    fn even(seed: u32, index: u32) -> f64 {
        (f64::from(index) * 0.618_033_988_749_894_9 + f64::from(seed) * 0.754_877_666_246_692_7).fract()
    }

    #[test]
    fn digits_that_are_cut_off_are_seen_and_others_are_not() {
        type Write = fn(f64) -> String;
        let written: [(Write, usize); 4] = [
            (|x| format!("{:.0}", 1000.0 + 8999.0 * x), 2),
            (|x| format!("{:.4}", x - 0.5), 1),
            // as `%.5e` of C
            (|x| format!("{:.5}e+{:02.0}", 1.0 + 8.0 * x, 30.0 * x), 1),
            (|x| format!("{}", (x * 1e6).round() / 1e4), 4),
        ];
        for seed in 0..40 {
            for (way, (write, cut)) in written.iter().enumerate() {
                let mut cells: Vec<String> = (0..50).map(|i| write(even(seed, i))).collect();
                assert!(!is_shortened(&cells), "{seed} {way} {cells:?}");
                let last = cells.last_mut().unwrap();
                // a whole number of few significant digits may be one
                let is_long = last.len() > 6;
                last.truncate(last.len() - cut);
                assert!(is_shortened(&cells) || way == 3 && !is_long, "{seed} {way} {cells:?}");
            }
        }
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        // few lines, in which much is missing
        for (cells, is_cut) in [
            (["1.2345", "1.3456", "1.45"], true),
            (["1.2345e-3", "1.3456e-3", "1.4567"], true),
            (["1.2345e-3", "1.3456e-3", "1.4567e-"], true),
            (["100", "101", "10"], true),
            (["1.2345", "1.3456", "1.456"], false),
            (["1.25", "1.75", "2"], false),
            (["10", "12", "4"], false),
            (["1", "0", "1"], false),
        ] {
            let mut column = LastColumn::new();
            cells.iter().for_each(|cell| column.add(cell.as_bytes()));
            let values = cells.map(|cell| cell.trim_end_matches("e-").parse().unwrap());
            assert_eq!(column.is_shortened(&values), is_cut, "{cells:?}");
        }
        // a falling counter, a switch, numbers of any length, and a signal that ends at 0
        for cells in [
            &["1004", "1003", "1002", "1001", "1000", "999"][..],
            &["10", "10", "0", "10", "10", "0"],
            &["1.5", "0.25", "3", "0.125", "2.75", "4"],
            &["0.123456", "0.23456", "0.345678", "0.456789", "0.567891", "0"],
        ] {
            assert!(!is_shortened(&texts(cells)), "{cells:?}");
        }
    }
}
