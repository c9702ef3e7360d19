//! Saves states, in memory and as bytes.

use std::ffi::c_void;

use crate::call::call_numbered;
use crate::handles;
use crate::mode::Mode;
use crate::pointers::{entries, entries_mut};
use crate::refusal::{Refusal, Status};

/// Saves the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: *mut c_void, state: *mut *mut c_void) -> Status {
    call_numbered(instance, "fmi3GetFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        let earlier = state[0].addr();
        let saved = handles::add_state(number, instance.save());
        // a state that the importer hands over again is replaced
        handles::remove_state(number, earlier).ok();
        state[0] = std::ptr::without_provenance_mut(saved);
        Ok(())
    })
}

/// Returns to a saved state.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(instance: *mut c_void, state: *mut c_void) -> Status {
    call_numbered(instance, "fmi3SetFMUState", &Mode::ALL, |number, instance| {
        instance.restore(&*handles::find_state(number, state.addr())?)
    })
}

/// Frees a saved state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: *mut c_void, state: *mut *mut c_void) -> Status {
    call_numbered(instance, "fmi3FreeFMUState", &Mode::ALL, |number, _| {
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        if !state[0].is_null() {
            handles::remove_state(number, state[0].addr())?;
            state[0] = std::ptr::null_mut();
        }
        Ok(())
    })
}

/// Returns the bytes of a serialised state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: *mut c_void,
    state: *mut c_void,
    size: *mut usize,
) -> Status {
    call_numbered(instance, "fmi3SerializedFMUStateSize", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let size = unsafe { entries_mut(size, 1, "size") }?;
        size[0] = instance.serialised(&*handles::find_state(number, state.addr())?)?.len();
        Ok(())
    })
}

/// Serialises a saved state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: *mut c_void,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Status {
    call_numbered(instance, "fmi3SerializeFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let bytes = unsafe { entries_mut(bytes, size, "serializedState") }?;
        let serialised = instance.serialised(&*handles::find_state(number, state.addr())?)?;
        match bytes.get_mut(..serialised.len()) {
            Some(bytes) => bytes.copy_from_slice(&serialised),
            None => return Err(Refusal::error(format!("the state has {} bytes, {size} are given", serialised.len()))),
        }
        Ok(())
    })
}

/// Reads a serialised state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Status {
    call_numbered(instance, "fmi3DeserializeFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let bytes = unsafe { entries(bytes, size, "serializedState") }?;
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        state[0] = std::ptr::without_provenance_mut(handles::add_state(number, instance.deserialised(bytes)?));
        Ok(())
    })
}
