//! Courses of sampled signals between their samples.

use costate_system::input::{InputError, Sampled};

use crate::words::Words;

/// The course of a sampled signal between its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Straight lines.
    Straight,
    /// A cubic spline.
    Cubic,
    /// The last sample.
    Held,
}

impl Words for Course {
    const WORDS: &'static [(&'static str, Self)] =
        &[("straight", Self::Straight), ("cubic", Self::Cubic), ("held", Self::Held)];
}

impl Course {
    /// Gives the signal this course.
    ///
    /// # Errors
    /// [`InputError::Spline`].
    pub fn of(self, sampled: Sampled) -> Result<Sampled, InputError> {
        match self {
            Self::Straight => Ok(sampled.straight()),
            Self::Cubic => sampled.cubic(),
            Self::Held => Ok(sampled.held()),
        }
    }
}
