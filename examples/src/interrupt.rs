//! Ctrl-C.

use std::path::Path;
use std::time::{Duration, Instant};

use costate::simulate::{Interrupt, InterruptedWork};

use crate::INTERRUPTED;

/// A flag that Ctrl-C triggers: the first one asks for an orderly stop, another one after a second ends the program at
/// once.
///
/// # Errors
/// There is a handler already, or the system refuses one.
pub fn stop_on_ctrl_c() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::new();
    let handle = interrupt.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        handle.trigger();
        // Some terminals and wrappers send the signal twice.
        if first.get_or_insert_with(Instant::now).elapsed() > Duration::from_secs(1) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    })?;
    Ok(interrupt)
}

/// That an identification was stopped, and how to go on; `state` is the file that it is saved in.
pub fn interrupted(work: &InterruptedWork, state: Option<&Path>) -> String {
    let how = match state {
        Some(file) if file.exists() => {
            format!("saved in `{}`: run the same command again to continue", file.display())
        }
        Some(_) => "nothing to save yet".to_owned(),
        None => "not saved: add `--state FILE` to be able to continue".to_owned(),
    };
    format!("{work}; {how}")
}
