//! The back ends of models.

use std::fmt;

/// The back end of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackEnd {
    /// Code that was compiled with the crate of the model.
    Compiled,
    /// Tapes, made of the text of a `model!` while the program runs.
    Interpreted,
    /// Tapes of a model that was loaded from a file.
    Loaded,
}

impl fmt::Display for BackEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compiled => "compiled",
            Self::Interpreted | Self::Loaded => "interpreted",
        })
    }
}
