//! A flag by which work is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that a run polls now and then; clones share it.
///
/// ```
/// let interrupt = costate_ensemble::Interrupt::new();
/// let handle = interrupt.clone();
/// handle.trigger();
/// assert!(interrupt.is_triggered());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    triggered: AtomicBool,
    /// The flag of the whole work that this is a part of; `None` for the whole itself.
    whole: Option<Interrupt>,
    /// Time at which the flag triggers by itself; `None` without a limit.
    deadline: Option<Instant>,
}

impl Interrupt {
    /// Makes a flag that is not triggered.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a flag for a part of the work: it is triggered when this flag is, and when the part has taken
    /// `limit`.
    #[must_use]
    pub fn part(&self, limit: Option<Duration>) -> Self {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self(Arc::new(Flag { triggered: AtomicBool::new(false), whole: Some(self.clone()), deadline }))
    }

    /// Asks every run that holds the flag to stop. May be called from a signal handler.
    pub fn trigger(&self) {
        self.0.triggered.store(true, Ordering::Relaxed);
    }

    /// Clears the flag for another run.
    pub fn reset(&self) {
        self.0.triggered.store(false, Ordering::Relaxed);
    }

    /// Checks whether a stop was requested.
    pub fn is_triggered(&self) -> bool {
        self.0.triggered.load(Ordering::Relaxed)
            || self.0.whole.as_ref().is_some_and(Self::is_triggered)
            || self.is_late()
    }

    /// Checks whether the time limit of a part is exceeded.
    pub(crate) fn is_late(&self) -> bool {
        self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_not_the_other_way_round() {
        let whole = Interrupt::new();
        let part = whole.part(None);
        part.trigger();
        assert!(part.is_triggered() && !whole.is_triggered());
        part.reset();
        whole.trigger();
        assert!(part.is_triggered() && !part.is_late());
    }

    #[test]
    fn a_part_ends_with_its_time() {
        let whole = Interrupt::new();
        let (short, long) = (whole.part(Some(Duration::ZERO)), whole.part(Some(Duration::from_secs(u64::MAX))));
        assert!(short.is_triggered() && short.is_late());
        assert!(!long.is_triggered() && !whole.is_triggered());
    }
}
