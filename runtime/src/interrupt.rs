//! Stopping a run from another thread or a signal handler.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that a run polls now and then; clones share it.
///
/// ```
/// let interrupt = costate::Interrupt::new();
/// let handle = interrupt.clone();
/// handle.trigger();
/// assert!(interrupt.is_triggered());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that is not triggered.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every run that holds the flag to stop. May be called from a signal handler.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the flag for another run.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
