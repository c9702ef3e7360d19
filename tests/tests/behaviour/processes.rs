//! Threads that stand for processes: they exchange bytes alone.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use costate::ensemble::{Executor, ExecutorError, Job};

/// One of several.
pub struct Process {
    number: usize,
    to: Vec<Mutex<Sender<Vec<u8>>>>,
    /// From each of them, in order.
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

/// So many of them.
pub fn processes(count: usize) -> Vec<Process> {
    let mut all: Vec<Process> = (0..count).map(|number| Process { number, to: Vec::new(), from: Vec::new() }).collect();
    for receiver in 0..count {
        for sender in 0..count {
            let (to, from) = channel();
            all[sender].to.push(Mutex::new(to));
            all[receiver].from.push(Mutex::new(from));
        }
    }
    all
}

impl Executor for Process {
    fn process(&self) -> usize {
        self.number
    }

    fn processes(&self) -> usize {
        self.to.len()
    }

    fn at_once(&self) -> usize {
        self.to.len()
    }

    fn execute(&self, _: &Job<'_>) -> Result<(), ExecutorError> {
        Err(ExecutorError { message: "these processes share no tasks".to_owned() })
    }

    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError> {
        let mut parts = self.gather(of_root)?;
        Ok(parts.swap_remove(0))
    }

    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError> {
        let lost = || ExecutorError { message: "a process has ended".to_owned() };
        for to in &self.to {
            let to = to.lock().unwrap_or_else(PoisonError::into_inner);
            to.send(own.clone()).map_err(|_| lost())?;
        }
        let receive = |from: &Mutex<Receiver<Vec<u8>>>| {
            from.lock().unwrap_or_else(PoisonError::into_inner).recv().map_err(|_| lost())
        };
        self.from.iter().map(receive).collect()
    }
}
