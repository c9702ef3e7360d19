//! Tapes: functions of programs as instructions over one array of registers.
//!
//! `flatten` turns the statements of a function into values without variables, arrays and loops; `join` makes one
//! instruction of two; `schedule` puts like instructions one after the other; `registers` gives every value a place. A
//! run of like instructions is a *batch*: the interpreter decides once for a batch what to do.

mod error;
mod flatten;
mod join;
mod lengths;
mod operation;
mod registers;
mod schedule;
mod values;

use costate_compiler::program::{Array, Function, Program};

pub use error::TranslationError;
pub use lengths::ArrayLengths;
pub(crate) use operation::Operation;
pub(crate) use values::Lookup;

/// A function in executable form, for every type of numbers. Its parts stay to the end of the program, and like ones of
/// several functions and models are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tape {
    pub(crate) name: &'static str,
    pub(crate) batches: &'static [Batch],
    /// Registers of all instructions, in order.
    pub(crate) operands: &'static [Register],
    pub(crate) registers: usize,
    pub(crate) masks: usize,
    /// Bits of plain numbers, which are in their registers from the beginning.
    pub(crate) numbers: &'static [(Register, u64)],
    /// Constants of a run, which are in their registers from the beginning as well.
    pub(crate) constants: &'static [Run],
    pub(crate) inputs: &'static [Run],
    pub(crate) outputs: &'static [Run],
    pub(crate) selected_outputs: &'static [SelectedOutput],
    pub(crate) exponents: &'static [i32],
    pub(crate) lookups: &'static [Lookup],
    /// True for a tape that is not executed as machine code.
    pub(crate) is_interpreted: bool,
}

/// A place in the array of registers.
pub(crate) type Register = u32;

/// Like instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Batch {
    /// The operation of all of them.
    pub operation: Operation,
    /// Number of their operands.
    pub words: u32,
}

/// Entries of an array in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub array: Array,
    /// True if the function stores in the array.
    pub is_result: bool,
    pub first: usize,
    pub length: usize,
    pub register: Register,
}

/// An entry that is stored if a parameter is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SelectedOutput {
    pub array: Array,
    pub index: usize,
    pub register: Register,
    pub parameter: usize,
}

impl Tape {
    /// Translates a function of a program.
    ///
    /// # Errors
    /// [`TranslationError`] with what is not valid in the function: positions outside of arrays, variables without a
    /// value, lists of different lengths, too many operations.
    pub fn new(program: &Program, function: &Function, lengths: &ArrayLengths) -> Result<Self, TranslationError> {
        let mut values = flatten::flatten(program, function, lengths)?;
        join::join(&mut values);
        let order = schedule::schedule(&values);
        Ok(registers::encode(function.name, values, &order))
    }

    /// Returns where operands and numbers are kept, by which a workspace knows its tape.
    #[inline(always)]
    pub(crate) fn parts(&self) -> [usize; 2] {
        [self.operands.as_ptr().addr(), self.numbers.as_ptr().addr()]
    }

    /// Returns the function without machine code: interpreted for all numbers.
    pub fn without_machine_code(&self) -> Self {
        Self { is_interpreted: true, ..self.clone() }
    }

    /// Returns the name of the function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of operands of all instructions.
    pub fn words(&self) -> usize {
        self.operands.len()
    }

    /// Returns the number of runs of like instructions.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Returns the number of registers.
    pub fn registers(&self) -> usize {
        self.registers
    }
}
