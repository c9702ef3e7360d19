//! Changes the modes of instances.

use std::ffi::c_void;

use crate::call::call;
use crate::mode::Kind;
use crate::mode::Mode::{self, ContinuousTime, Event, Initialization, Instantiated, Step, Terminated};
use crate::pointers::put;
use crate::refusal::{Refusal, Status};

/// Begins the initialization.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    instance: *mut c_void,
    tolerance_defined: bool,
    tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> Status {
    call(instance, "fmi3EnterInitializationMode", &[Instantiated], |instance| {
        if stop_defined && (stop.is_nan() || stop < start) {
            return Err(Refusal::error(format!("the end {stop} s is before the start {start} s")));
        }
        instance.begin(start, tolerance_defined.then_some(tolerance))
    })
}

/// Ends the initialization.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(instance: *mut c_void) -> Status {
    call(instance, "fmi3ExitInitializationMode", &[Initialization], |instance| {
        instance.prepare()?;
        instance.mode = if instance.kind == Kind::ModelExchange { Event } else { Step };
        Ok(())
    })
}

/// Begins an event.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterEventMode(instance: *mut c_void) -> Status {
    call(instance, "fmi3EnterEventMode", &[ContinuousTime], |instance| {
        instance.mode = Event;
        Ok(())
    })
}

/// Evaluates discrete states, of which there are none.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EvaluateDiscreteStates(instance: *mut c_void) -> Status {
    call(instance, "fmi3EvaluateDiscreteStates", &[Initialization, Event], |_| Ok(()))
}

/// Updates discrete states, of which there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: *mut c_void,
    need_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    states_changed: *mut bool,
    next_event_defined: *mut bool,
    next_event: *mut f64,
) -> Status {
    call(instance, "fmi3UpdateDiscreteStates", &[Event], |_| {
        for flag in [need_update, terminate, nominals_changed, states_changed, next_event_defined] {
            // SAFETY: see the page of the module.
            unsafe { put(flag, false) };
        }
        // SAFETY: see the page of the module.
        unsafe { put(next_event, 0.0) };
        Ok(())
    })
}

/// Ends the simulation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3Terminate(instance: *mut c_void) -> Status {
    call(instance, "fmi3Terminate", &[Event, ContinuousTime, Step], |instance| {
        instance.mode = Terminated;
        Ok(())
    })
}

/// Returns to the state after the instantiation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(instance: *mut c_void) -> Status {
    call(instance, "fmi3Reset", &Mode::ALL, |instance| {
        instance.reset();
        Ok(())
    })
}
