//! Ctrl-C.

use std::time::{Duration, Instant};

use costate::Interrupt;

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
