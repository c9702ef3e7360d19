//! Instances and saved states by numbers, which importers hold as pointers: a number that is not in use is an error.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::instance::Instance;
use crate::logger::Logger;
use crate::refusal::Refusal;
use crate::saved::Saved;

/// An instance that is in use.
#[derive(Debug)]
pub struct Used {
    /// The instance; calls wait for one another.
    pub instance: Mutex<Instance>,
    /// The importer's function for messages.
    pub logger: Logger,
}

#[derive(Debug)]
struct Handles {
    last: usize,
    instances: BTreeMap<usize, Arc<Used>>,
    /// Saved states, with the instances that own them.
    states: BTreeMap<usize, (usize, Arc<Saved>)>,
}

static HANDLES: Mutex<Handles> = Mutex::new(Handles { last: 0, instances: BTreeMap::new(), states: BTreeMap::new() });

fn handles() -> MutexGuard<'static, Handles> {
    HANDLES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handles {
    /// Returns a number that was never used: numbers are multiples of 16, as addresses are.
    fn next(&mut self) -> usize {
        self.last += 16;
        self.last
    }
}

/// Takes an instance into use.
pub fn add(instance: Instance, logger: Logger) -> usize {
    let mut handles = handles();
    let number = handles.next();
    handles.instances.insert(number, Arc::new(Used { instance: Mutex::new(instance), logger }));
    number
}

/// Returns an instance.
pub fn find(number: usize) -> Option<Arc<Used>> {
    handles().instances.get(&number).cloned()
}

/// Ends the use of an instance and of its states.
pub fn remove(number: usize) {
    let mut handles = handles();
    let instance = handles.instances.remove(&number);
    handles.states.retain(|_, (owner, _)| *owner != number);
    drop(handles);
    drop(instance);
}

/// Keeps a saved state of an instance.
pub fn add_state(owner: usize, state: Saved) -> usize {
    let mut handles = handles();
    let number = handles.next();
    handles.states.insert(number, (owner, Arc::new(state)));
    number
}

/// Returns a saved state of an instance.
pub fn find_state(owner: usize, number: usize) -> Result<Arc<Saved>, Refusal> {
    match handles().states.get(&number) {
        Some((own, state)) if *own == owner => Ok(Arc::clone(state)),
        Some(_) => Err(Refusal::error("the FMU state belongs to another instance; serialise it for other instances")),
        None => Err(Refusal::error("there is no such FMU state; it was freed, or never saved")),
    }
}

/// Frees a saved state.
pub fn remove_state(owner: usize, number: usize) -> Result<(), Refusal> {
    find_state(owner, number)?;
    handles().states.remove(&number);
    Ok(())
}
