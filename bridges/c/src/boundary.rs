//! The one way from C to Rust and back: panics and errors become statuses with texts.

use std::cell::RefCell;
use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_long};
use std::iter::successors;
use std::panic::{AssertUnwindSafe, catch_unwind};

use costate::command::FileError;
use costate::cost::MeasurementError;
use costate::interpreted::LoadError;
use costate::model::UnknownName;
use costate::simulate::{InputError, SettingsError, SimulationError};
use costate::table::GridError;

use crate::words;

/// The outcome of a call; the numbers are those of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// No mistake.
    Ok = 0,
    /// A null pointer, a wrong length, an index or a choice that does not exist, a text that is not UTF-8.
    Argument = 1,
    /// A handle that is null, freed, or of another kind.
    Handle = 2,
    /// A model that cannot be loaded.
    Model = 3,
    /// A name that the model does not have.
    Name = 4,
    /// Samples, tables or settings that cannot be used.
    Data = 5,
    /// A run or a step that fails.
    Simulation = 6,
    /// A header of another version.
    Version = 7,
    /// A defect of the library.
    Defect = 8,
}

/// A status with its text.
#[derive(Debug)]
pub struct Failure {
    /// The status, not [`Status::Ok`].
    pub status: Status,
    /// The mistake and its remedy.
    pub text: String,
}

impl Failure {
    /// Creates a failure of this status.
    pub fn new(status: Status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    /// Creates a failure of an argument.
    pub fn argument(text: impl Into<String>) -> Self {
        Self::new(Status::Argument, text)
    }

    /// Creates a failure of given data.
    pub fn data(text: impl Into<String>) -> Self {
        Self::new(Status::Data, text)
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let first: &(dyn Error + 'static) = &error;
        let all: Vec<&(dyn Error + 'static)> = successors(Some(first), |cause| (*cause).source()).collect();
        let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
        let status = all.iter().rev().find_map(|cause| status_of(*cause)).unwrap_or(Status::Simulation);
        Self { status, text: words::of_c(&texts.join(": ")) }
    }
}

fn status_of(error: &(dyn Error + 'static)) -> Option<Status> {
    if error.is::<UnknownName>() {
        Some(Status::Name)
    } else if error.is::<LoadError>() || error.is::<FileError>() {
        Some(Status::Model)
    } else if error.is::<InputError>()
        || error.is::<GridError>()
        || error.is::<MeasurementError>()
        || error.is::<SettingsError>()
    {
        Some(Status::Data)
    } else {
        match error.downcast_ref::<SimulationError>()? {
            SimulationError::Input(_) | SimulationError::Settings(_) | SimulationError::TableUnit(_) => {
                Some(Status::Data)
            }
            SimulationError::CostDerivatives(_) => Some(Status::Argument),
            _ => Some(Status::Simulation),
        }
    }
}

/// A type that functions of C return, with a value that says that they have failed.
pub trait Answer {
    /// The result in Rust.
    type Inner;

    /// Returns the answer of a call without mistakes.
    fn of(inner: Self::Inner) -> Self;

    /// Returns the answer of a call that has failed.
    fn failed(status: Status) -> Self;
}

impl Answer for c_int {
    type Inner = ();

    fn of((): ()) -> Self {
        Status::Ok as Self
    }

    fn failed(status: Status) -> Self {
        status as Self
    }
}

impl Answer for c_long {
    type Inner = usize;

    fn of(count: usize) -> Self {
        Self::try_from(count).unwrap_or(Self::MAX)
    }

    fn failed(_: Status) -> Self {
        -1
    }
}

impl Answer for f64 {
    type Inner = Self;

    fn of(number: Self) -> Self {
        number
    }

    fn failed(_: Status) -> Self {
        Self::NAN
    }
}

impl Answer for *const c_char {
    type Inner = &'static CStr;

    fn of(text: &'static CStr) -> Self {
        text.as_ptr()
    }

    fn failed(_: Status) -> Self {
        std::ptr::null()
    }
}

thread_local! {
    /// Status and text of the last call of this thread that has failed.
    static LAST: RefCell<(Status, CString)> = RefCell::new((Status::Ok, CString::default()));
}

/// Returns the text without zeros, which end a text of C.
pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// Does the work of a call from C. A failure is remembered for this thread; a panic is one.
pub fn guarded<A: Answer>(work: impl FnOnce() -> Result<A::Inner, Failure>) -> A {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(inner)) => return A::of(inner),
        Ok(Err(failure)) => failure,
        Err(panic) => {
            // a payload may panic when it is dropped
            std::mem::forget(panic);
            Failure::new(
                Status::Defect,
                "a defect of costate has ended this call; please report it with the model and the call",
            )
        }
    };
    let text = c_string(&failure.text);
    // a thread that ends has no place for texts any more
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = (failure.status, text);
        }
    });
    A::failed(failure.status)
}

/// Returns the status of the last call of this thread that has failed.
pub fn last_status() -> Status {
    LAST.try_with(|last| last.try_borrow().map_or(Status::Ok, |last| last.0)).unwrap_or(Status::Ok)
}

/// Returns the text of the last call of this thread that has failed, which stays until the next one.
pub fn last_text() -> *const c_char {
    LAST.try_with(|last| last.try_borrow().map_or(c"".as_ptr(), |last| last.1.as_ptr())).unwrap_or(c"".as_ptr())
}

/// Defines functions of C, each of which does its work within [`guarded`].
macro_rules! exported {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $answer:ty $work:block)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// Pointers are null or point to as many numbers as the count beside them says, texts end with a zero, and both
        /// stay until the call ends; see the header.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $answer {
            $crate::boundary::guarded::<$answer>(move || $work)
        }
    )*};
}

pub(crate) use exported;
