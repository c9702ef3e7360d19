//! Operations on every entry of a state, four entries side by side where the processor has vectors of four numbers.
//!
//! The vectors are written out. Loops that compilers vectorise by themselves take several times as long: a
//! length that is known but no multiple of four becomes masked loads and stores, and short loops become
//! shuffles.

use std::cell::Cell;

use costate_numerics::scalar::{Fours, LANES, Scalar};

/// An operation on entry j of several vectors: some are `GIVEN`, others `CHANGED`.
pub(super) trait Operation<const GIVEN: usize, const CHANGED: usize> {
    /// Returns the changed entries.
    fn at<S: Scalar>(&self, given: [S; GIVEN], changed: [S; CHANGED]) -> [S; CHANGED];
}

/// Applies `operation` to every entry of vectors of one length.
#[inline(always)]
pub(super) fn entrywise<S: Scalar, const GIVEN: usize, const CHANGED: usize>(
    fours: Fours,
    given: [&[S]; GIVEN],
    mut changed: [&mut [S]; CHANGED],
    operation: impl Operation<GIVEN, CHANGED>,
) {
    let length = changed.first().map_or(0, |vector| vector.len());
    let begin = if S::IS_PLAIN { in_fours(fours, given, &mut changed, &operation) } else { 0 };
    // loops, because closures may not be compiled with the processor's vectors
    for j in begin..length {
        let first = changed[0][j];
        let (mut from, mut to) = ([first; GIVEN], [first; CHANGED]);
        for k in 0..GIVEN {
            from[k] = given[k][j];
        }
        for k in 0..CHANGED {
            to[k] = changed[k][j];
        }
        to = operation.at(from, to);
        for k in 0..CHANGED {
            changed[k][j] = to[k];
        }
    }
}

/// Applies `operation` to the entries in whole fours, and returns their number.
#[inline(always)]
fn in_fours<S: Scalar, const GIVEN: usize, const CHANGED: usize>(
    fours: Fours,
    given: [&[S]; GIVEN],
    changed: &mut [&mut [S]; CHANGED],
    operation: &impl Operation<GIVEN, CHANGED>,
) -> usize {
    let Some(some) = fours.some() else { return 0 };
    let mut given_fours: [&[[f64; LANES]]; GIVEN] = [&[]; GIVEN];
    for k in 0..GIVEN {
        given_fours[k] = S::plain(given[k]).unwrap_or_default().as_chunks::<LANES>().0;
    }
    let (given, changed) = (given_fours, plain_fours(changed));
    let count = changed.first().map_or(0, |vector| vector.len());
    for four in 0..count {
        let first = some.with(changed[0][four].get());
        let (mut from, mut to) = ([first; GIVEN], [first; CHANGED]);
        for k in 0..GIVEN {
            from[k] = some.with(given[k][four]);
        }
        for k in 0..CHANGED {
            to[k] = some.with(changed[k][four].get());
        }
        to = operation.at(from, to);
        for k in 0..CHANGED {
            changed[k][four].set(to[k].array());
        }
    }
    LANES * count
}

/// Returns the whole fours of vectors of plain numbers; empty for other number types.
#[inline(always)]
fn plain_fours<'v, S: Scalar, const COUNT: usize>(
    vectors: &'v mut [&mut [S]; COUNT],
) -> [&'v [Cell<[f64; LANES]>]; COUNT] {
    let mut fours: [&[Cell<[f64; LANES]>]; COUNT] = [&[]; COUNT];
    for (four, vector) in fours.iter_mut().zip(vectors) {
        let vector = S::plain_mut(vector).unwrap_or_default().as_chunks_mut::<LANES>().0;
        *four = Cell::from_mut(vector).as_slice_of_cells();
    }
    fours
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_numerics::scalar::Dual;

    struct MultiplyAndAdd;

    impl Operation<2, 2> for MultiplyAndAdd {
        fn at<S: Scalar>(&self, [a, b]: [S; 2], [c, d]: [S; 2]) -> [S; 2] {
            [a * b + c, d * 2.0 - a]
        }
    }

    fn results<S: Scalar>(length: usize, number: impl Fn(f64) -> S) -> [Vec<S>; 2] {
        let vector = |first: f64| -> Vec<S> { (0..length).map(|j| number(first + 0.7 * j as f64)).collect() };
        let (a, b, mut c, mut d) = (vector(1.0), vector(-3.0), vector(0.3), vector(5.0));
        entrywise(Fours::default(), [&a, &b], [&mut c, &mut d], MultiplyAndAdd);
        [c, d]
    }

    #[test]
    fn every_entry_of_any_length_and_number_type() {
        for length in 0..15 {
            let [c, d] = results(length, |value| value);
            let [c_dual, d_dual] = results(length, |value| Dual { value, derivative: 1.0 });
            for j in 0..length {
                let step = 0.7 * j as f64;
                let [a, b] = [1.0 + step, -3.0 + step];
                assert_eq!((c[j], d[j]), (a * b + (0.3 + step), (5.0 + step) * 2.0 - a));
                assert_eq!((c_dual[j].real(), d_dual[j].real()), (c[j], d[j]));
                assert_eq!((c_dual[j].component(1), d_dual[j].component(1)), (a + b + 1.0, 1.0));
            }
        }
    }
}
