//! Panics of tasks.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of `work`; a panic of `work` becomes the error of a task. Data that `work` changes must be whole
/// after a panic, or not be used.
///
/// # Errors
/// The panic in words.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("panicked: {}", text(&*panic)))
}

/// Returns the message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
