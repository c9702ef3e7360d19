//! Entries of arrays that follow each other, as emitted loops over parts of a model take and store them.

use costate_numerics::scalar::Scalar;

/// Returns `N` entries of `array` from `first` on; zeros where the array is too short, and so not that of the function.
#[inline(always)]
pub fn take<S: Scalar, const N: usize>(array: &[S], first: usize) -> [S; N] {
    let run = array.get(first..).and_then(<[S]>::first_chunk);
    run.copied().unwrap_or([S::default(); N])
}

/// Stores `values` in the entries of `array` from `first` on; nothing where the array is too short.
#[inline(always)]
pub fn put<S: Scalar, const N: usize>(array: &mut [S], first: usize, values: [S; N]) {
    if let Some(run) = array.get_mut(first..).and_then(<[S]>::first_chunk_mut) {
        *run = values;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_taken_and_stored() {
        let mut array = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(take(&array, 1), [2.0, 3.0]);
        assert_eq!(take(&array, 3), [0.0, 0.0]);
        put(&mut array, 2, [5.0, 6.0]);
        put(&mut array, 3, [7.0, 8.0]);
        assert_eq!(array, [1.0, 2.0, 5.0, 6.0]);
    }
}
