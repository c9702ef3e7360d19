//! Access to what importers hand over by pointers.

use std::ffi::{CStr, c_char};

use crate::refusal::Refusal;

/// Returns the entries behind a pointer.
///
/// # Safety
/// A pointer that is not null has `length` entries, which nobody changes until the call returns.
pub unsafe fn entries<'a, T>(pointer: *const T, length: usize, name: &str) -> Result<&'a [T], Refusal> {
    check(pointer, length, name)?;
    if length == 0 {
        return Ok(&[]);
    }
    // SAFETY: not null and aligned; the length is that of an object in memory, and the caller vouches for the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Returns the entries behind a pointer, to be written.
///
/// # Safety
/// A pointer that is not null has `length` entries, which nobody else reads or changes until the call returns.
pub unsafe fn entries_mut<'a, T>(pointer: *mut T, length: usize, name: &str) -> Result<&'a mut [T], Refusal> {
    check(pointer, length, name)?;
    if length == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as in `entries`.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// Returns a text.
///
/// # Safety
/// A pointer that is not null leads to a text that ends with a zero.
pub unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Refusal> {
    if pointer.is_null() {
        return Err(Refusal::error(format!("`{name}` is null")));
    }
    // SAFETY: not null; the caller vouches for the zero at the end.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Refusal::error(format!("`{name}` is not UTF-8")))
}

/// Writes a result, unless the importer does not want it.
///
/// # Safety
/// A pointer that is not null leads to a place for the value.
pub unsafe fn put<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: not null and aligned; the caller vouches for the place.
        unsafe { pointer.write(value) }
    }
}

fn check<T>(pointer: *const T, length: usize, name: &str) -> Result<(), Refusal> {
    if length == 0 {
        return Ok(());
    }
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(Refusal::error(format!("`{name}` is no array of {length} entries but {pointer:p}")));
    }
    match length.checked_mul(size_of::<T>().max(1)) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Refusal::error(format!("`{name}` has {length} entries, more than any memory"))),
    }
}
