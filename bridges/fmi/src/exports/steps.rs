//! Functions of Co-Simulation.

use std::ffi::c_void;

use crate::call::call;
use crate::mode::Mode::Step;
use crate::pointers::put;
use crate::refusal::Status;

/// Makes a communication step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: *mut c_void,
    time: f64,
    length: f64,
    _no_return: bool,
    event: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    last: *mut f64,
) -> Status {
    call(instance, "fmi3DoStep", &[Step], |instance| {
        let made = instance.advance(time, length);
        for flag in [event, terminate, early] {
            // SAFETY: see the page of the module.
            unsafe { put(flag, false) };
        }
        // SAFETY: see the page of the module.
        unsafe { put(last, instance.values.time) };
        made
    })
}
