//! Creates and frees instances.

use std::ffi::{c_char, c_void};

use crate::call::{call, instantiate};
use crate::handles;
use crate::logger::{Callback, Logger};
use crate::mode::{Kind, Mode};
use crate::pointers::{entries, text};
use crate::refusal::{Refusal, Status};

/// Returns the version of the standard.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// Refuses categories that the FMU does not have; errors are always logged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    instance: *mut c_void,
    _on: bool,
    count: usize,
    categories: *const *const c_char,
) -> Status {
    call(instance, "fmi3SetDebugLogging", &Mode::ALL, |_| {
        // SAFETY: see the page of the module.
        for &category in unsafe { entries(categories, count, "categories") }? {
            // SAFETY: see the page of the module.
            let category = unsafe { text(category, "category") }?;
            if category != "logStatusError" {
                return Err(Refusal::error(format!("there is no category `{category}`; take `logStatusError`")));
            }
        }
        Ok(())
    })
}

/// Creates an instance for Model Exchange.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    callback: Option<Callback>,
) -> *mut c_void {
    instantiate(Kind::ModelExchange, Logger::new(callback, environment), || {
        // SAFETY: see the page of the module.
        unsafe { named(token, resources) }
    })
}

/// Creates an instance for Co-Simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    events: bool,
    _early_return: bool,
    _intermediate: *const u32,
    intermediate_count: usize,
    environment: *mut c_void,
    callback: Option<Callback>,
    _update: *mut c_void,
) -> *mut c_void {
    instantiate(Kind::CoSimulation, Logger::new(callback, environment), || {
        if events {
            return Err(Refusal::error("`eventModeUsed` is true, and the FMU has no events (`hasEventMode`)"));
        }
        if intermediate_count > 0 {
            return Err(Refusal::error("`requiredIntermediateVariables` are asked for, and the FMU provides none"));
        }
        // SAFETY: see the page of the module.
        unsafe { named(token, resources) }
    })
}

/// Refuses an interface that the FMU does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    callback: Option<Callback>,
    _update: *mut c_void,
    _lock: *mut c_void,
    _unlock: *mut c_void,
) -> *mut c_void {
    instantiate(Kind::CoSimulation, Logger::new(callback, environment), || {
        Err(Refusal::error("the FMU has no Scheduled Execution; take Model Exchange or Co-Simulation"))
    })
}

/// # Safety
/// As of the functions that call it.
unsafe fn named(token: *const c_char, resources: *const c_char) -> Result<(String, String), Refusal> {
    // SAFETY: see the page of the module.
    let (token, resources) = unsafe { (text(token, "instantiationToken")?, text(resources, "resourcePath")?) };
    Ok((token.to_owned(), resources.to_owned()))
}

/// Frees an instance.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: *mut c_void) {
    handles::remove(instance.addr());
}
