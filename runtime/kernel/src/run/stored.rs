//! The states of a run in memory, one row after the other.

use prefetch_index::prefetch_index;

use costate_numerics::scalar::Scalar;

/// Rows by which a sweep fetches those to come ahead: memory may take as long as some steps, and processors do not
/// foresee the order in which a step goes through its row. Rows that are written need no such help.
pub(super) const FETCH_AHEAD: usize = 4;

/// The place of state i, which has `length` numbers, in `states`: a vector that grows, or has numbers of an earlier
/// run.
#[inline(always)]
pub(super) fn stored_row<S: Scalar>(states: &mut Vec<S>, i: usize, length: usize) -> &mut [S] {
    let (start, end) = (i * length, (i + 1) * length);
    if states.len() < end {
        states.resize(end, S::default());
    }
    &mut states[start..end]
}

/// Has row i of `length` numbers fetched, and goes on at once.
#[inline(always)]
pub(super) fn fetch_row<S: Scalar>(states: &[S], i: usize, length: usize) {
    /// Bytes that a processor fetches at once.
    const LINE: usize = 64;
    for number in (i * length..(i + 1) * length).step_by((LINE / size_of::<S>()).max(1)) {
        prefetch_index(states, number);
    }
}
