//! Tasks that wait for one another.

use std::sync::{Mutex, PoisonError};

/// Does `work` for all items, each on a thread of its own if the system has them.
pub(crate) fn side_by_side<T: Send>(mut items: Vec<T>, work: &(impl Fn(T) + Sync)) {
    if items.len() <= 1 {
        return items.drain(..).for_each(work);
    }
    let threads = items.len() - 1;
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let take = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // what a thread that does not come into being would have done the others do
            let _ = std::thread::Builder::new().spawn_scoped(scope, take);
        }
        take();
    });
}
