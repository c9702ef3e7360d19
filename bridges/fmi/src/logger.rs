//! The importer's function for messages.

use std::ffi::{CString, c_char, c_int, c_void};

use crate::refusal::Status;

/// `fmi3LogMessageCallback`.
pub type Callback = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// The importer's function for messages, and the first argument that it wants.
#[derive(Debug, Clone, Copy)]
pub struct Logger {
    callback: Option<Callback>,
    environment: *mut c_void,
}

// SAFETY: the pointer is never read here. FMI 3.0 (2.3.1) has the importer expect messages on every thread on which it
// calls an instance, and messages are sent within calls alone.
unsafe impl Send for Logger {}
// SAFETY: as above; the fields do not change.
unsafe impl Sync for Logger {}

impl Logger {
    /// Takes the arguments of the instantiation.
    pub fn new(callback: Option<Callback>, environment: *mut c_void) -> Self {
        Self { callback, environment }
    }

    /// Sends a message to the importer; no lock may be held, since the importer may call the instance from it.
    pub fn send(&self, status: Status, text: &str) {
        let Some(callback) = self.callback else { return };
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the importer gave this function with this signature at the instantiation, for calls until the
        // instance is freed; both texts end with a zero and live beyond the call.
        unsafe { callback(self.environment, status as c_int, c"logStatusError".as_ptr(), text.as_ptr()) }
    }
}
