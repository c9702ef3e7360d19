//! Errors of tasks with their types, where this process has seen them.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};

use crate::causes::with_causes;

/// The errors of tasks that this process has done. Logs and other processes have their texts.
#[derive(Debug)]
pub struct Errors<E>(Mutex<HashMap<usize, E>>);

impl<E> Default for Errors<E> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<E: Error> Errors<E> {
    /// Keeps the error of a task; its text.
    pub fn keep(&self, number: usize, error: E) -> String {
        let text = with_causes(&error);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(number, error);
        text
    }

    /// The error of a task that has failed with this text, if it is known.
    pub fn take(&self, number: usize, text: &str) -> Option<E> {
        let error = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        // a task that was stopped has another error than it was stopped with
        error.filter(|error| with_causes(error) == text)
    }
}
