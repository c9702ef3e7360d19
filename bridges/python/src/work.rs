//! Long work: without the lock of the interpreter, and ended by Ctrl-C.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{Builder, scope};
use std::time::Duration;

use costate::simulate::Interrupt;
use pyo3::prelude::*;

use crate::errors::{self, Raised};

/// Time between two looks at signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Stack of a thread that works, in bytes: expressions of models are walked through by recursion.
const STACK_SIZE: usize = 64 << 20;

/// Does some work in a thread of its own, without the lock of the interpreter. A signal whose handler raises, such as
/// Ctrl-C, triggers the flag, and its exception is raised when the work has stopped.
pub fn interruptible<T: Send, E: Raised + Send>(
    py: Python<'_>,
    work: impl FnOnce(&Interrupt) -> Result<T, E> + Send,
) -> PyResult<T> {
    interruptible_by(py, &Interrupt::new(), work)
}

/// Does some work as [`interruptible`] does, of a result that looks at this flag, which is that of one call at a time.
pub fn interruptible_by<T: Send, E: Raised + Send>(
    py: Python<'_>,
    flag: &Interrupt,
    work: impl FnOnce(&Interrupt) -> Result<T, E> + Send,
) -> PyResult<T> {
    flag.reset();
    observed(py, flag, |flag, _: &Sender<()>| work(flag), |_, ()| Ok(()))
}

/// Does some work as [`interruptible`] does, and calls `observe` with what the work sends, which stops the work by an
/// exception.
pub fn observed<T: Send, E: Raised + Send, M: Send>(
    py: Python<'_>,
    flag: &Interrupt,
    work: impl FnOnce(&Interrupt, &Sender<M>) -> Result<T, E> + Send,
    mut observe: impl FnMut(Python<'_>, M) -> PyResult<()>,
) -> PyResult<T> {
    let mut raised: Option<PyErr> = None;
    let (sender, receiver) = mpsc::channel();
    let result = scope(|threads| {
        let own = flag.clone();
        let worker = Builder::new().stack_size(STACK_SIZE).spawn_scoped(threads, move || work(&own, &sender));
        let worker = match worker {
            Ok(worker) => worker,
            Err(error) => return Err(errors::of_text(py, "Error", &format!("no thread can be started: {error}"))),
        };
        let mut receiver = receiver;
        loop {
            let (message, back) = py.detach(move || (receiver.recv_timeout(SIGNAL_INTERVAL), receiver));
            let outcome = match message {
                Ok(message) => observe(py, message),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = outcome {
                flag.trigger();
                raised.get_or_insert(error);
            }
            receiver = back;
        }
        py.detach(|| worker.join()).map_err(|_| errors::of_text(py, "Error", errors::DEFECT))
    })?;
    match raised {
        Some(error) => Err(error),
        None => result.map_err(|error| error.raised(py)),
    }
}
