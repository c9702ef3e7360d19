//! Room on the stack for the evaluation of models in builds without optimisation.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
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
pub(crate) fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !cfg!(debug_assertions) || HAS_ROOM.get() {
        return work();
    }
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let done = thread::scope(|scope| {
        let on_thread = || {
            HAS_ROOM.set(true);
            take().map(|work| work())
        };
        Builder::new().stack_size(STACK).spawn_scoped(scope, on_thread).map(|thread| thread.join())
    });
    match done {
        Ok(Ok(Some(done))) => done,
        Ok(Err(panic)) => resume_unwind(panic),
        // a system without room for such a thread
        Ok(Ok(None)) | Err(_) => match take() {
            Some(work) => work(),
            // only the thread takes the work, and a thread that has taken it ends with its result or with a panic, as matched above
            None => unreachable!("the thread has taken the work, and ended with it or with a panic"),
        },
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
