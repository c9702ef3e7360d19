//! Ctrl-C: work whose state is kept is asked to stop, and everything else ends at once; no temporary file is left.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use costate::simulate::Interrupt;

use crate::exit::Exit;

static FLAG: OnceLock<Interrupt> = OnceLock::new();

/// True while something looks at the flag.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Time in which another Ctrl-C counts as the first one, since some terminals and wrappers send the signal twice.
const REPEATED_SIGNAL: Duration = Duration::from_secs(1);

/// Begins to listen to Ctrl-C.
pub fn listen() {
    let flag = FLAG.get_or_init(Interrupt::new).clone();
    let mut first: Option<Instant> = None;
    // where the system refuses a handler, the signal ends the command
    let _ = ctrlc::set_handler(move || {
        flag.trigger();
        if !IS_ASKED.load(Ordering::Relaxed) || first.get_or_insert_with(Instant::now).elapsed() > REPEATED_SIGNAL {
            costate::command::files::abandon();
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
}

/// Returns the flag that Ctrl-C triggers, for work that stops in order; all callers share it.
pub fn on_ctrl_c() -> Interrupt {
    IS_ASKED.store(true, Ordering::Relaxed);
    FLAG.get_or_init(Interrupt::new).clone()
}

/// Lets Ctrl-C end the command at once, from where nothing looks at the flag any more.
pub fn at_once() {
    IS_ASKED.store(false, Ordering::Relaxed);
    if FLAG.get().is_some_and(Interrupt::is_triggered) {
        // Ctrl-C came after the last look at the flag
        costate::command::files::abandon();
        std::process::exit(i32::from(Exit::Interrupted.code()));
    }
}
