//! Panics of tasks.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` gives; where it panics, the error of a task that fails so. What `work` changes must be whole, or not be used, after a panic.
///
/// # Errors
/// The panic in words.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("panicked: {}", text(&*panic)))
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
