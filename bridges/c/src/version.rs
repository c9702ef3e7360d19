//! Versions, and the errors of calls.

use std::ffi::{c_char, c_int};

use crate::boundary::{self, Failure, Status, exported};

/// Number of the interface, `COSTATE_ABI` of the header. It grows with each change to what programs were built with.
pub const ABI: c_int = 1;

/// Version of the library, `COSTATE_VERSION` of the header.
const VERSION: &std::ffi::CStr =
    match std::ffi::CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// Texts of the statuses, by their numbers.
const STATUSES: [&std::ffi::CStr; 9] = [
    c"no mistake",
    c"an argument that cannot be",
    c"a handle that is null, freed or of another kind",
    c"a model that cannot be loaded",
    c"a name that the model does not have",
    c"samples, tables or settings that cannot be used",
    c"a run or a step that fails",
    c"a header of another version",
    c"a defect of costate",
];

exported! {
    /// Returns the version of the library.
    fn costate_version() -> *const c_char {
        Ok(VERSION)
    }

    /// Refuses the number of another interface.
    fn costate_check_abi(abi: c_int) -> c_int {
        if abi == ABI {
            return Ok(());
        }
        let text = format!(
            "the program was built for interface {abi} of costate, the library has {ABI}; build it with the header of \
             the library"
        );
        Err(Failure::new(Status::Version, text))
    }

    /// Returns what a status means.
    fn costate_status_text(status: c_int) -> *const c_char {
        let text = usize::try_from(status).ok().and_then(|status| STATUSES.get(status));
        text.copied().ok_or_else(|| Failure::argument(format!("there is no status {status}; give 0 to 8")))
    }
}

/// Returns the status of the last call of this thread that has failed, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn costate_last_status() -> c_int {
    boundary::last_status() as c_int
}

/// Returns the text of the last call of this thread that has failed, empty if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn costate_last_error() -> *const c_char {
    boundary::last_text()
}
