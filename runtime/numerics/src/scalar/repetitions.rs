//! Repetitions of a loop side by side: where a loop over like parts of a model has plain numbers, four parts go in the
//! lanes of a vector.

use std::cell::Cell;

use super::{LANES, Lanes, Scalar, each_lane, gather};

thread_local! {
    /// True where plain numbers of loops over parts go in lanes.
    static SIDE_BY_SIDE: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` with the loops over parts of a model side by side, where the processor has the instructions. Builds
/// without optimisation need megabytes of the stack then.
pub fn side_by_side<T>(work: impl FnOnce() -> T) -> T {
    /// Returns to the loops of before, also after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            SIDE_BY_SIDE.set(self.0);
        }
    }
    let _before = Before(SIDE_BY_SIDE.replace(Lanes::are_available()));
    work()
}

/// Checks whether loops over parts go side by side here.
#[inline]
pub(super) fn are_side_by_side() -> bool {
    SIDE_BY_SIDE.get()
}

/// The numbers of one repetition of a loop over numbers of type `S`, or of several repetitions that follow each other.
///
/// Entries of a repetition are `stride` after those of the repetition before. Where an array is too short, and so not
/// that of the loop, zeros are taken and nothing is stored.
pub trait Repetitions<S: Scalar>: Scalar {
    /// Number of repetitions.
    const COUNT: usize;

    /// Returns a number that is the same in all repetitions.
    fn same(number: S) -> Self;
    /// Returns the number that `of` has for each repetition, from repetition `first` on.
    fn each(first: usize, of: impl Fn(usize) -> S) -> Self;
    /// Returns entries that follow each other, from `first` on.
    fn take<const N: usize>(array: &[S], first: usize, stride: usize) -> [Self; N];
    /// Stores `values` in `runs` of entries, which are chained in `values`, from repetition `first` on.
    fn store(array: &mut [S], first: usize, runs: &[Run], values: &[Self]);
    /// Passes the number of each repetition to `to`, in order.
    fn pass(self, first: usize, to: impl FnMut(usize, S));

    /// Returns an entry.
    #[inline(always)]
    fn entry(array: &[S], first: usize, stride: usize) -> Self {
        let [entry] = Self::take(array, first, stride);
        entry
    }
    /// Returns plain numbers, one for each repetition.
    #[inline(always)]
    fn number(numbers: &[f64], first: usize) -> Self {
        Self::each(first, |i| S::constant(numbers.get(i).copied().unwrap_or(0.0)))
    }
    /// Adds the numbers of all repetitions to an entry, in order.
    #[inline(always)]
    fn add_to(array: &mut [S], entry: usize, values: Self) {
        if let Some(entry) = array.get_mut(entry) {
            values.pass(0, |_, value| *entry += value);
        }
    }
}

/// Entries that follow each other: the first one in the first repetition, the distance from one repetition to the next,
/// and their number.
pub type Run = (u32, u32, u32);

/// A loop over parts of a model.
pub trait PartLoop<S: Scalar> {
    /// Goes through all repetitions, [`COUNT`](Repetitions::COUNT) at a time; must be `#[inline(always)]`.
    fn run<T: Repetitions<S>>(self);
}

impl<S: Scalar> Repetitions<S> for S {
    const COUNT: usize = 1;

    #[inline(always)]
    fn same(number: S) -> S {
        number
    }
    #[inline(always)]
    fn each(first: usize, of: impl Fn(usize) -> S) -> S {
        of(first)
    }
    #[inline(always)]
    fn take<const N: usize>(array: &[S], first: usize, _stride: usize) -> [S; N] {
        run_of(array, first)
    }
    #[inline(always)]
    fn store(array: &mut [S], first: usize, runs: &[Run], values: &[S]) {
        let mut left = values;
        for &(offset, stride, length) in runs {
            let (own, others) = left.split_at(left.len().min(length as usize));
            left = others;
            let start = offset as usize + first * stride as usize;
            array.iter_mut().skip(start).zip(own).for_each(|(to, value)| *to = *value);
        }
    }
    #[inline(always)]
    fn pass(self, first: usize, mut to: impl FnMut(usize, S)) {
        to(first, self);
    }
}

impl Repetitions<f64> for Lanes {
    const COUNT: usize = LANES;

    #[inline(always)]
    fn same(number: f64) -> Self {
        Self::constant(number)
    }
    #[inline(always)]
    fn each(first: usize, of: impl Fn(usize) -> f64) -> Self {
        Self::of([of(first), of(first + 1), of(first + 2), of(first + 3)])
    }
    #[inline(always)]
    fn take<const N: usize>(array: &[f64], first: usize, stride: usize) -> [Self; N] {
        let [a, b, c, d]: [[f64; N]; LANES] = each_lane(|lane| run_of(array, first + lane * stride));
        let mut values = [Self::default(); N];
        gather(&mut values, [&a, &b, &c, &d]);
        values
    }
    #[inline(always)]
    fn store(array: &mut [f64], first: usize, runs: &[Run], values: &[Self]) {
        let mut left = values;
        for &(offset, stride, length) in runs {
            let (own, others) = left.split_at(left.len().min(length as usize));
            left = others;
            let (start, stride) = (offset as usize + first * stride as usize, stride as usize);
            let (fours, rest) = own.as_chunks::<LANES>();
            for (chunk, four) in fours.iter().enumerate() {
                for (lane, numbers) in Self::transpose(*four).into_iter().enumerate() {
                    let to = start + lane * stride + chunk * LANES;
                    if let Some(to) = array.get_mut(to..).and_then(<[f64]>::first_chunk_mut) {
                        *to = numbers.array();
                    }
                }
            }
            for (value, distance) in rest.iter().zip(fours.len() * LANES..) {
                for (lane, number) in value.array().into_iter().enumerate() {
                    if let Some(to) = array.get_mut(start + lane * stride + distance) {
                        *to = number;
                    }
                }
            }
        }
    }
    #[inline(always)]
    fn pass(self, first: usize, mut to: impl FnMut(usize, f64)) {
        for (lane, number) in self.array().into_iter().enumerate() {
            to(first + lane, number);
        }
    }
}

/// Returns `N` entries from `first` on.
#[inline(always)]
fn run_of<S: Scalar, const N: usize>(array: &[S], first: usize) -> [S; N] {
    let run = array.get(first..).and_then(<[S]>::first_chunk);
    run.copied().unwrap_or([S::default(); N])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares sums of entries of parts, of which there are eight with three entries each, and adds them up.
    struct Squares<'a> {
        from: &'a [f64; 24],
        to: &'a mut [f64; 41],
    }

    const FACTORS: [f64; 8] = [1.0, -1.0, 2.0, 0.5, 1.0, 3.0, -2.0, 4.0];

    impl PartLoop<f64> for Squares<'_> {
        #[inline(always)]
        fn run<T: Repetitions<f64>>(self) {
            let offset = T::same(0.5);
            for i in (0..8).step_by(T::COUNT) {
                let [a, b] = T::take(self.from, 3 * i, 3);
                let c = T::entry(self.from, 3 * i + 2, 3) * T::number(&FACTORS, i);
                let square = (a + b + c + offset) * (a + b + c + offset);
                T::add_to(self.to, 24, square);
                square.pass(i, |i, square| self.to[3 * i + 2] = square);
                T::store(self.to, i, &[(0, 3, 2), (25, 2, 2)], &[b, a, square, c]);
            }
        }
    }

    #[test]
    fn parts_side_by_side_have_the_same_numbers_as_one_by_one() {
        let from: [f64; 24] = std::array::from_fn(|i| (i as f64).sin());
        let [mut side, mut single] = [[0.0; 41]; 2];
        side_by_side(|| {
            assert_eq!(are_side_by_side(), Lanes::are_available());
            f64::in_parts(Squares { from: &from, to: &mut side });
        });
        assert!(!are_side_by_side());
        let mut apart = [0.0; 41];
        f64::in_parts(Squares { from: &from, to: &mut apart });
        assert_eq!(apart, side);
        Squares { from: &from, to: &mut single }.run::<f64>();
        assert_eq!(side, single);
        assert_eq!(single[0], from[1]);
        assert!(single[24] > 1.0);
        let squares: Vec<f64> = (0..8).map(|i| single[3 * i + 2]).collect();
        let stored: Vec<f64> = (0..8).map(|i| single[25 + 2 * i]).collect();
        assert_eq!(stored, squares);
    }
}
