//! Processors for which no code is assembled.

use costate_numerics::scalar::Scalar;

use crate::instruction::{Place, Sequence};

/// Executable sequences, which exist on no processor of this family.
#[derive(Debug)]
pub struct Code(std::convert::Infallible);

impl Code {
    /// Returns `None`.
    pub fn assemble(_sequences: &[Sequence], _places: Place) -> Option<Self> {
        None
    }

    /// Returns the number of places.
    pub fn places(&self) -> usize {
        match self.0 {}
    }

    /// Executes a sequence.
    pub fn run<S: Scalar>(&self, _sequence: usize, _numbers: &mut [S]) -> bool {
        match self.0 {}
    }
}
