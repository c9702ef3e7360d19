//! The values of a function: every one is computed once, by one instruction.

use std::collections::HashMap;

use costate_compiler::program::Array;

use super::operation::Operation;

/// A value, by its position among all.
pub type Value = u32;

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source {
    /// A plain number.
    Number(f64),
    /// The entry of an array before the function.
    Entry(Array, usize),
    /// A result of an instruction.
    Result(u32),
}

/// An instruction, whose results are new values.
#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    /// The operation.
    pub operation: Operation,
    /// The condition: 0, or the position of a [`Selection`] plus 1.
    pub when: u32,
    /// The arguments, of which the first `count` are used.
    pub arguments: [Value; 4],
    /// Number of arguments.
    pub count: u8,
    /// An exponent, a parameter or a lookup, by its position.
    pub extra: u32,
    /// The first result; the others follow.
    pub first: Value,
    /// Number of results.
    pub results: u32,
}

impl Instruction {
    /// Returns the arguments.
    pub fn arguments(&self) -> &[Value] {
        &self.arguments[..usize::from(self.count)]
    }

    /// Returns the results.
    pub fn results(&self) -> std::ops::Range<Value> {
        self.first..self.first + self.results
    }
}

/// A parameter whose selection some instructions wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// The parameter.
    pub parameter: usize,
    /// The selection around it: 0, or its position plus 1.
    pub outer: u32,
}

/// A lookup in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The table.
    pub table: usize,
    /// Number of arguments, 1 or 2.
    pub arguments: usize,
    /// Orders of the derivatives, one for every result.
    pub orders: Vec<[usize; 2]>,
}

/// An entry that a function stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The array.
    pub array: Array,
    /// Position in the array.
    pub index: usize,
    /// The number that is stored.
    pub value: Value,
    /// The parameter that has to be selected.
    pub parameter: Option<usize>,
}

/// All values of a function.
#[derive(Debug, Default)]
pub struct Values {
    /// Sources of the values.
    pub sources: Vec<Source>,
    /// Instructions, arguments first.
    pub instructions: Vec<Instruction>,
    /// Exponents of integer powers.
    pub exponents: Vec<i32>,
    /// Selections of parameters.
    pub selections: Vec<Selection>,
    /// Lookups in tables.
    pub lookups: Vec<Lookup>,
    /// Results of the function.
    pub stored: Vec<Stored>,
    numbers: HashMap<u64, Value>,
    entries: HashMap<(Array, usize), Value>,
}

impl Values {
    /// Returns the value of a plain number.
    pub fn number(&mut self, number: f64) -> Value {
        let Self { numbers, sources, .. } = self;
        *numbers.entry(number.to_bits()).or_insert_with(|| {
            sources.push(Source::Number(number));
            (sources.len() - 1) as Value
        })
    }

    /// Returns the value that an entry of an array has before the function.
    pub fn entry(&mut self, array: Array, index: usize) -> Value {
        let Self { entries, sources, .. } = self;
        *entries.entry((array, index)).or_insert_with(|| {
            sources.push(Source::Entry(array, index));
            (sources.len() - 1) as Value
        })
    }

    /// Adds an instruction, and returns its first result.
    pub fn push(&mut self, operation: Operation, when: u32, given: &[Value], extra: u32, results: u32) -> Value {
        let mut arguments = [0; 4];
        let count = given.len().min(arguments.len());
        arguments[..count].copy_from_slice(&given[..count]);
        let (first, position) = (self.sources.len() as Value, self.instructions.len() as u32);
        self.sources.extend((0..results).map(|_| Source::Result(position)));
        let count = count as u8;
        self.instructions.push(Instruction { operation, when, arguments, count, extra, first, results });
        first
    }

    /// Returns the instruction of a value; `None` for numbers and entries.
    pub fn instruction(&self, value: Value) -> Option<&Instruction> {
        match self.sources.get(value as usize)? {
            Source::Result(position) => self.instructions.get(*position as usize),
            Source::Number(_) | Source::Entry(..) => None,
        }
    }

    /// Checks whether a value is a condition.
    pub fn is_condition(&self, value: Value) -> bool {
        self.instruction(value).is_some_and(|instruction| instruction.operation.gives_condition())
    }

    /// Counts the uses of every value by instructions that matter for the results; the second list says which do.
    pub fn uses(&self) -> (Vec<u32>, Vec<bool>) {
        let (mut uses, mut matters) = (vec![0; self.sources.len()], vec![false; self.instructions.len()]);
        for stored in &self.stored {
            uses[stored.value as usize] += 1;
        }
        for (position, instruction) in self.instructions.iter().enumerate().rev() {
            if instruction.results().any(|value| uses[value as usize] > 0) {
                matters[position] = true;
                for &argument in instruction.arguments() {
                    uses[argument as usize] += 1;
                }
            }
        }
        (uses, matters)
    }
}
