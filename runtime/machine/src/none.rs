//! Processors for which no code is assembled.

use std::convert::Infallible;
use std::marker::PhantomData;

use costate_numerics::scalar::{Entries, Scalar};

use crate::instruction::{Misfit, Sequence};

/// An executable sequence, of which none exists on a processor of this family.
#[derive(Debug)]
pub struct Code(Infallible);

impl Code {
    /// Returns `None`.
    pub fn assemble<S: Scalar>(_sequence: &Sequence) -> Option<Self> {
        None
    }

    /// Returns the length of the numbers.
    pub fn numbers(&self) -> usize {
        match self.0 {}
    }

    /// Begins a call.
    pub fn call<'a, S: Scalar>(&'a self, _numbers: &'a mut [S]) -> Execution<'a, S> {
        match self.0 {}
    }
}

/// A call that is given its arrays.
#[derive(Debug)]
pub struct Execution<'a, S>(Infallible, PhantomData<&'a mut [S]>);

impl<'a, S: Scalar> Execution<'a, S> {
    /// Gives an array.
    pub fn given(&mut self, _entries: Entries<'a, S>) {
        match self.0 {}
    }

    /// Gives an array.
    pub fn filled(&mut self, _entries: &'a mut [S]) {
        match self.0 {}
    }

    /// Executes the sequence.
    pub fn run<F: FnMut(u32, &mut [S])>(self, _function: F) -> Result<(), Misfit> {
        match self.0 {}
    }
}
