//! The content of the page, and the connections that wait for something new.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

/// The content of the page at a time, as the script of the page asks for it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Shown {
    /// Messages about the text of the model and the run, the latest.
    pub messages: Vec<Value>,
    /// Numbers of the last good run, as text.
    pub text: String,
    /// Diagrams of the last good run, as SVG.
    pub diagrams: Vec<String>,
    /// The page with the last good run in motion.
    #[serde(skip)]
    pub picture: String,
    /// Counts the pictures.
    #[serde(rename = "picture")]
    pub picture_number: u64,
    /// False if the last run has failed, so that the picture is older than the text of the model.
    #[serde(rename = "current")]
    pub is_current: bool,
    /// Time in s from the change to the result.
    pub seconds: f64,
}

/// The board on which results are put, and in front of which connections wait.
#[derive(Debug, Default)]
pub struct Board {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    shown: Shown,
    /// Counts the changes.
    version: u64,
    is_closed: bool,
}

impl Board {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        // what a thread has left half changed is replaced by the next result
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is shown.
    pub fn change(&self, change: impl FnOnce(&mut Shown)) {
        let mut inner = self.inner();
        change(&mut inner.shown);
        inner.version += 1;
        drop(inner);
        self.changed.notify_all();
    }

    /// Returns what is shown.
    pub fn shown(&self) -> Shown {
        self.inner().shown.clone()
    }

    /// Lets nobody wait any more.
    pub fn close(&self) {
        self.inner().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits for another version than `known`, at most so long. Returns the number of the version; `None` if the board
    /// is closed.
    pub fn wait(&self, known: u64, longest: Duration) -> Option<u64> {
        let waiting = |inner: &mut Inner| !inner.is_closed && inner.version == known;
        let waited = self.changed.wait_timeout_while(self.inner(), longest, waiting);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (!inner.is_closed).then_some(inner.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_wakes_those_who_wait() {
        let board = Board::default();
        assert_eq!(board.wait(0, Duration::from_millis(1)), Some(0));
        let version = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| board.wait(0, Duration::from_secs(60)));
            board.change(|shown| shown.text = "new".to_owned());
            waiting.join()
        });
        assert!(matches!(version, Ok(Some(1))));
        assert_eq!(board.shown().text, "new");
        board.close();
        assert_eq!(board.wait(1, Duration::from_secs(60)), None);
    }
}
