//! Room on the stack for the evaluation of models in builds without optimisation, and of long functions.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{self, Builder};

use costate_numerics::scalar::{Lanes, side_by_side};
use costate_system::model::{Functions, Group};

thread_local! {
    static HAS_ROOM: Cell<bool> = const { Cell::new(false) };
}

/// Does `work`, which evaluates a model in numbers of type `S`, on a thread with a large stack where it may need that:
/// in builds with debug assertions, and for a model with many emitted factors or large matrices. Loops over parts of
/// the model go side by side there, so that plain numbers of a model without emitted factors need as much room as
/// lanes.
///
/// Without optimisation every intermediate number of an evaluation has its own place on the stack: with three spatial
/// bodies in lanes they need 6 MB, more than a thread has. With optimisation the step of the adjoint of a robot, in
/// dual numbers, needs 4 MB.
pub(crate) fn with_room<M: Functions, S, T: Send>(program: M::Program, work: impl FnOnce() -> T + Send) -> T {
    /// Bytes of the matrices of an adjoint step from which their evaluation needs more stack than a thread has: what it
    /// keeps in between is up to twenty times as much.
    const MIN_LARGE_MATRICES: usize = 1 << 16;
    /// Bytes of emitted factors from which the functions that compute them need more stack than a thread has: what they
    /// keep in between is up to a hundred times as much.
    const MIN_LARGE_FACTORS: usize = 1 << 14;
    let (lengths, number) = (M::lengths(program), size_of::<S>());
    let in_parts = if M::description(program).elimination.is_none() { number.max(size_of::<Lanes>()) } else { number };
    let needs_room = cfg!(debug_assertions)
        || lengths.factors * number >= MIN_LARGE_FACTORS
        || lengths.group(Group::Adjoint) * in_parts >= MIN_LARGE_MATRICES;
    in_room(needs_room, work)
}

/// Does `work`, on a thread with a large stack if it `needs_room`. The choice is compiled once for all work.
fn in_room<T: Send>(needs_room: bool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut done) = (Some(work), None);
    do_in_room(needs_room, &mut || done = work.take().map(|work| work()));
    match done {
        Some(done) => done,
        // whoever takes the work ends with its result or with a panic, which is passed on
        None => unreachable!("the work has been done once, or has ended with a panic"),
    }
}

/// Calls `work` once.
fn do_in_room(needs_room: bool, work: &mut (dyn FnMut() + Send)) {
    if !needs_room || HAS_ROOM.get() {
        return side_by_side(work);
    }
    let mut is_done = false;
    on_large_stack(&mut || {
        is_done = true;
        side_by_side(&mut *work);
    });
    if !is_done {
        // a system without room for such a thread: one by one, loops need less
        work();
    }
}

/// Does `work` on a thread with a large stack, if the system has room for one.
fn on_large_stack(work: &mut (dyn FnMut() + Send)) {
    /// Bytes of the stack of the thread; systems provide only what is used.
    const STACK: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 1 << 26 };
    let done = thread::scope(|scope| {
        let on_thread = || {
            HAS_ROOM.set(true);
            work();
        };
        Builder::new().stack_size(STACK).spawn_scoped(scope, on_thread).map(|thread| thread.join())
    });
    if let Ok(Err(panic)) = done {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_once_and_panics_go_on() {
        let mut count = 0;
        for needs_room in [false, true] {
            assert_eq!(in_room(needs_room, || count += 1), ());
        }
        assert_eq!(count, 2);
        let panic = std::panic::catch_unwind(|| in_room(true, || panic!("of the work")));
        assert!(panic.is_err_and(|panic| panic.downcast_ref::<&str>() == Some(&"of the work")));
    }
}
