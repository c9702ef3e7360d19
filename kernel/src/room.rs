//! Room on the stack for the evaluation of models in builds without optimisation.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// The stack of the thread, of which systems give what is used alone.
const STACK: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 1 << 26 };

thread_local! {
    static HAS_ROOM: Cell<bool> = const { Cell::new(false) };
}

/// Does `work`, in builds with debug assertions on a thread with a large stack.
///
/// Without optimisation every intermediate number of an evaluation has its own place on the stack: with three spatial bodies in lanes they need
/// 6 MB, more than a thread has.
#[inline]
pub(crate) fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !cfg!(debug_assertions) || HAS_ROOM.get() {
        return work();
    }
    let (mut work, mut done) = (Some(work), None);
    on_large_stack(&mut || done = work.take().map(|work| work()));
    match (done, work) {
        (Some(done), _) => done,
        // a system without room for such a thread
        (None, Some(work)) => work(),
        // what takes the work ends with its result or with a panic, which goes on
        (None, None) => {
            unreachable!("the work has been taken, and has ended with its result or with a panic")
        }
    }
}

/// Does `work` on a thread with a large stack, if the system has room for one.
fn on_large_stack(work: &mut (dyn FnMut() + Send)) {
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
        assert_eq!(with_room(|| with_room(|| count += 1)), ());
        assert_eq!(count, 1);
        let panic = std::panic::catch_unwind(|| with_room(|| panic!("of the work")));
        assert!(panic.is_err_and(|panic| panic.downcast_ref::<&str>() == Some(&"of the work")));
    }
}
