//! Ctrl-C: the first one asks for an orderly stop, another one after a second ends the command at once.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use costate_system::interrupt::Interrupt;

use crate::exit::Exit;

static FLAG: OnceLock<Interrupt> = OnceLock::new();

/// Returns the flag that Ctrl-C triggers; all callers share it.
pub fn on_ctrl_c() -> Interrupt {
    FLAG.get_or_init(|| {
        let flag = Interrupt::new();
        let handle = flag.clone();
        let mut first: Option<Instant> = None;
        // where the system refuses a handler, the signal ends the command
        let _ = ctrlc::set_handler(move || {
            handle.trigger();
            // some terminals and wrappers send the signal twice
            if first.get_or_insert_with(Instant::now).elapsed() > Duration::from_secs(1) {
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
        });
        flag
    })
    .clone()
}
