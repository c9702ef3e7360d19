//! Memory of the caller: all reading and writing of it is here.

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::{Mutex, PoisonError};

use crate::boundary::{Failure, c_string};

/// Largest count of an array, which no machine has the memory for.
const MAX_COUNT: usize = 1 << 40;

/// Numbers that a function of C is given: null, or as many as the count beside it says.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct In<T = f64>(*const T);

/// The place of numbers that a function of C returns: null, or a place of as many as the count beside it says.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Out(*mut f64);

/// A text that a function of C is given: null, or up to its first zero.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl<T> In<T> {
    /// Takes the pointer of a slice.
    pub fn of(numbers: &[T]) -> Self {
        Self(numbers.as_ptr())
    }

    /// Returns a pointer without numbers.
    pub fn null() -> Self {
        Self(std::ptr::null())
    }

    /// Returns the numbers.
    pub fn read<'a>(self, what: &str, count: usize) -> Result<&'a [T], Failure> {
        if count == 0 {
            return Ok(&[]);
        }
        check(what, self.0, count)?;
        // SAFETY: the functions of C that take this pointer are unsafe; their callers promise that it points to `count`
        // numbers that nobody changes during the call, and it is neither null nor misaligned. No function keeps the
        // slice beyond the call, or writes before it has read.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }

    /// Returns the numbers if there are as many as expected.
    pub fn exactly<'a>(self, what: &str, count: usize, expected: usize) -> Result<&'a [T], Failure> {
        check_length(what, count, expected)?;
        self.read(what, count)
    }
}

impl Out {
    /// Takes the pointer of a slice.
    pub fn of(numbers: &mut [f64]) -> Self {
        Self(numbers.as_mut_ptr())
    }

    /// Returns a pointer to no place.
    pub fn null() -> Self {
        Self(std::ptr::null_mut())
    }

    /// Returns true if the caller wants no numbers.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Refuses a place that cannot take the numbers, before they are computed.
    pub fn check(self, what: &str, count: usize, expected: usize) -> Result<(), Failure> {
        check_length(what, count, expected)?;
        if count == 0 { Ok(()) } else { check(what, self.0, count) }
    }

    /// Writes the numbers.
    pub fn write(self, what: &str, count: usize, numbers: &[f64]) -> Result<(), Failure> {
        self.check(what, count, numbers.len())?;
        if count > 0 {
            // SAFETY: the functions of C that take this pointer are unsafe; their callers promise that it points to a
            // place of `count` numbers that nobody else uses during the call. It is neither null nor misaligned, and
            // `numbers` are memory of this library.
            unsafe { std::ptr::copy_nonoverlapping(numbers.as_ptr(), self.0, count) };
        }
        Ok(())
    }

    /// Writes one number, if the caller wants it.
    pub fn write_one(self, what: &str, number: f64) -> Result<(), Failure> {
        if self.is_null() { Ok(()) } else { self.write(what, 1, &[number]) }
    }
}

impl Text {
    /// Takes the pointer of a text.
    pub fn of(text: &CStr) -> Self {
        Self(text.as_ptr())
    }

    /// Returns a pointer without text.
    pub fn null() -> Self {
        Self(std::ptr::null())
    }

    /// Returns the text, `None` for null.
    pub fn optional<'a>(self, what: &str) -> Result<Option<&'a str>, Failure> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: the functions of C that take this pointer are unsafe; their callers promise a text that ends with a
        // zero and that nobody changes during the call. It is not null, and no function keeps the text beyond the call.
        let text = unsafe { CStr::from_ptr(self.0) };
        match text.to_str() {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(Failure::argument(format!("the {what} is not UTF-8: {error}; convert it"))),
        }
    }

    /// Returns the text.
    pub fn read<'a>(self, what: &str) -> Result<&'a str, Failure> {
        self.optional(what)?.ok_or_else(|| Failure::argument(format!("the {what} is NULL; give one")))
    }
}

fn check<T>(what: &str, pointer: *const T, count: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::argument(format!("{what} is NULL; give an array of {count} numbers")));
    }
    if !pointer.is_aligned() {
        return Err(Failure::argument(format!("{what} is not aligned as an array of numbers is")));
    }
    if count > MAX_COUNT {
        return Err(Failure::argument(format!("{what} has {count} numbers, more than any machine; give at most 2^40")));
    }
    Ok(())
}

fn check_length(what: &str, count: usize, expected: usize) -> Result<(), Failure> {
    if count == expected {
        return Ok(());
    }
    Err(Failure::argument(format!("{what} has {count} numbers; give {expected}")))
}

/// Texts that have been returned.
static TEXTS: Mutex<Option<HashMap<String, &'static CStr>>> = Mutex::new(None);

/// Returns a text of a model as C has it. It stays until the program ends, as models do.
pub fn lasting(text: &str) -> &'static CStr {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(known) = texts.get(text) {
        return known;
    }
    let made: &'static CStr = Box::leak(c_string(text).into_boxed_c_str());
    texts.insert(text.to_owned(), made);
    made
}
