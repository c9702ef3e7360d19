//! The way from the statements of a function to its values: variables and arrays disappear, and loops are written out.
//!
//! The expressions of a model, from which the compiler makes its programs, are written out as well, and limited in
//! number. A tape is shorter than they are. Without loops, like instructions of all repetitions stand together.
//!
//! `expression` has the operations, `memory` the entries of arrays, `selection` what waits for a parameter to be
//! selected, and `frame` the variables and the repetition of a function.

mod expression;
mod frame;
mod memory;
mod selection;

use std::collections::BTreeMap;
use std::mem::take;

use costate_compiler::program::{Array, Function, Program, Statement, Variable};

use super::error::TranslationError;
use super::lengths::ArrayLengths;
use super::operation::Operation;
use super::values::{Lookup, Stored, Value, Values};
use frame::Frame;

/// Largest number of instructions of a tape, which bounds its memory.
const MAX_INSTRUCTIONS: usize = 1 << 23;

/// The value of an entry that has not been stored: the one that the array had before.
const UNTOUCHED: Value = Value::MAX;

/// Returns the values of a function; `program` has the functions that it calls.
pub fn flatten(program: &Program, function: &Function, lengths: &ArrayLengths) -> Result<Values, TranslationError> {
    let mut flatten = Flatten {
        program,
        lengths,
        values: Values::default(),
        memory: Vec::new(),
        slots: BTreeMap::new(),
        evaluated: None,
        changes: Vec::new(),
        when: 0,
        done: 0,
        calls: Vec::new(),
    };
    flatten.function(function)?;
    Ok(flatten.finish())
}

/// The state of a translation.
struct Flatten<'a> {
    program: &'a Program,
    lengths: &'a ArrayLengths,
    values: Values,
    /// The values of array entries now, by slot; [`UNTOUCHED`] for those that have not been stored.
    memory: Vec<Vec<Value>>,
    /// The slots of arrays that functions share.
    slots: BTreeMap<Array, usize>,
    /// The slot of the local array that stands for `Out` in a function that another one evaluates.
    evaluated: Option<usize>,
    /// Entries that statements have changed which wait for a selection: slot, position, and what was there.
    changes: Vec<(usize, usize, Value)>,
    /// The selection in which statements are done.
    when: u32,
    /// Number of statements that were done.
    done: usize,
    /// Names of functions that are being translated.
    calls: Vec<&'static str>,
}

impl<'a> Flatten<'a> {
    fn function(&mut self, function: &'a Function) -> Result<(), TranslationError> {
        if self.calls.contains(&function.name) {
            return Err(TranslationError::Recursion { function: function.name });
        }
        self.calls.push(function.name);
        let total: usize = function.locals.iter().map(|local| local.length).fold(0, usize::saturating_add);
        if total > MAX_INSTRUCTIONS {
            return Err(TranslationError::TooLong { function: function.name, limit: MAX_INSTRUCTIONS });
        }
        let zero = self.values.number(0.0);
        let first_local = self.memory.len();
        self.memory.extend(function.locals.iter().map(|local| vec![zero; local.length]));
        let mut frame = Frame {
            function,
            variables: vec![None; function.variables.len()],
            set: Vec::new(),
            first_local,
            repetition: None,
        };
        self.statements(&mut frame, &function.body)?;
        self.calls.pop();
        Ok(())
    }

    /// Lists the entries that are stored at the end.
    fn finish(mut self) -> Values {
        for (array, slot) in take(&mut self.slots) {
            for (index, value) in take(&mut self.memory[slot]).into_iter().enumerate() {
                self.store(array, index, value);
            }
        }
        self.values
    }

    fn store(&mut self, array: Array, index: usize, value: Value) {
        if value == UNTOUCHED {
            return;
        }
        let before = self.values.entry(array, index);
        if value == before {
            return;
        }
        // what only a selected parameter changes is not stored otherwise
        let chosen = self.values.instruction(value).filter(|choice| choice.operation == Operation::Choose);
        let (value, parameter) = match chosen {
            Some(choice) if choice.arguments[1] == before => (choice.arguments[0], Some(choice.extra as usize)),
            _ => (value, None),
        };
        self.values.stored.push(Stored { array, index, value, parameter });
    }

    fn statements(&mut self, frame: &mut Frame<'a>, body: &'a [Statement]) -> Result<(), TranslationError> {
        body.iter().try_for_each(|statement| self.statement(frame, statement))
    }

    /// Does statements whose variables are not known outside.
    fn scope(&mut self, frame: &mut Frame<'a>, body: &'a [Statement]) -> Result<(), TranslationError> {
        let outside = frame.set.len();
        self.statements(frame, body)?;
        frame.leave(outside);
        Ok(())
    }

    fn statement(&mut self, frame: &mut Frame<'a>, statement: &'a Statement) -> Result<(), TranslationError> {
        let name = frame.function.name;
        self.repeat(name)?;
        match statement {
            Statement::Let { to, value } => {
                let value = self.expression(frame, value, 0)?;
                frame.set(*to, value)?;
            }
            Statement::Unpack { array, entries } => {
                for (index, to) in entries.iter().enumerate() {
                    if let Some(to) = to {
                        let value = self.read(frame, *array, index)?;
                        frame.set(*to, value)?;
                    }
                }
            }
            Statement::Take { first, entries } => {
                let from = frame.index(first)?;
                for (offset, to) in entries.iter().enumerate() {
                    if let Some(to) = to {
                        let value = self.read(frame, first.array, from.saturating_add(offset))?;
                        frame.set(*to, value)?;
                    }
                }
            }
            Statement::SinCos { sin, cos, argument } => {
                let argument = self.number(frame, argument, 0)?;
                self.sin_cos(frame, Operation::SinCos, argument, [*sin, *cos])?;
            }
            Statement::SinCosEach { sines, cosines, arguments } => {
                frame.count("sines", sines.len(), arguments.len())?;
                frame.count("cosines", cosines.len(), arguments.len())?;
                let arguments = self.numbers(frame, arguments)?;
                for ((argument, sin), cos) in arguments.into_iter().zip(sines).zip(cosines) {
                    self.sin_cos(frame, Operation::SinCosEach, argument, [*sin, *cos])?;
                }
            }
            Statement::ExpEach { values, arguments } => {
                frame.count("values", values.len(), arguments.len())?;
                let arguments = self.numbers(frame, arguments)?;
                for (argument, to) in arguments.into_iter().zip(values) {
                    let value = self.values.push(Operation::ExpEach, self.when, &[argument], 0, 1);
                    to.map_or(Ok(()), |to| frame.set(to, value))?;
                }
            }
            Statement::Lookup { values, table, arguments, orders } => {
                frame.count("values of a table", values.len(), orders.len())?;
                let Some(&expected) = self.lengths.tables.get(*table) else {
                    let count = self.lengths.tables.len();
                    return Err(TranslationError::NoTable { function: name, table: *table, count });
                };
                frame.count("arguments of a table", arguments.len(), expected)?;
                let arguments = self.numbers(frame, arguments)?;
                let lookup = Lookup {
                    table: *table,
                    arguments: arguments.len(),
                    orders: orders.iter().map(|orders| orders.map(usize::from)).collect(),
                };
                self.values.lookups.push(lookup);
                let lookup = (self.values.lookups.len() - 1) as u32;
                let results = values.len() as u32;
                let first = self.values.push(Operation::Lookup, self.when, &arguments, lookup, results);
                for (to, value) in values.iter().zip(first..) {
                    to.map_or(Ok(()), |to| frame.set(to, value))?;
                }
            }
            Statement::Store { to, value } => {
                let value = self.number(frame, value, 0)?;
                let index = frame.index(to)?;
                self.write(frame, to.array, index, value)?;
            }
            Statement::StoreAll { array, first, values, .. } => {
                let values = self.numbers(frame, values)?;
                for (i, value) in values.into_iter().enumerate() {
                    self.write(frame, *array, first.saturating_add(i), value)?;
                }
            }
            Statement::Put { first, values } => {
                let (values, from) = (self.numbers(frame, values)?, frame.index(first)?);
                for (offset, value) in values.into_iter().enumerate() {
                    self.write(frame, first.array, from.saturating_add(offset), value)?;
                }
            }
            Statement::Add { to, value } => {
                let value = self.number(frame, value, 0)?;
                let index = frame.index(to)?;
                self.add(frame, to.array, index, value)?;
            }
            Statement::Loop { count, body } => {
                let outer = frame.repetition;
                for repetition in 0..*count {
                    frame.repetition = Some(repetition);
                    self.scope(frame, body)?;
                    self.repeat(name)?;
                }
                frame.repetition = outer;
            }
            Statement::SinCosLoop { count, before, argument, arguments, sines, cosines } => {
                let outer = frame.repetition;
                for repetition in 0..*count {
                    frame.repetition = Some(repetition);
                    let outside = frame.set.len();
                    self.statements(frame, before)?;
                    let argument = self.number(frame, argument, 0)?;
                    frame.leave(outside);
                    self.write(frame, Array::Local(*arguments), repetition, argument)?;
                    self.repeat(name)?;
                }
                frame.repetition = outer;
                for repetition in 0..*count {
                    let argument = self.read(frame, Array::Local(*arguments), repetition)?;
                    let sin = self.values.push(Operation::SinCosEach, self.when, &[argument], 0, 2);
                    self.write(frame, Array::Local(*sines), repetition, sin)?;
                    self.write(frame, Array::Local(*cosines), repetition, sin + 1)?;
                }
            }
            Statement::IfSelected { parameter, body } => self.if_selected(frame, *parameter, body)?,
            Statement::Copy { from, to } => {
                for index in 0..self.length(frame, *from)? {
                    let value = self.read(frame, *from, index)?;
                    self.write(frame, Array::Local(*to), index, value)?;
                }
            }
            Statement::AddAll { from, to } => {
                for index in 0..self.length(frame, Array::Local(*from))? {
                    let value = self.read(frame, Array::Local(*from), index)?;
                    self.add(frame, *to, index, value)?;
                }
            }
            Statement::StoreSelected { from, to } => {
                for index in 0..self.length(frame, Array::Local(*from))? {
                    self.parameter(name, index)?;
                    let (new, old) = (self.read(frame, Array::Local(*from), index)?, self.read(frame, *to, index)?);
                    let value = self.choose(index, new, old);
                    self.write(frame, *to, index, value)?;
                }
            }
            Statement::Call(called) => {
                let Some(function) = self.program.function(called) else {
                    return Err(TranslationError::NoFunction { name: (*called).to_owned() });
                };
                self.function(function)?;
            }
            Statement::Evaluate { function, to } => {
                let Some(function) = self.program.function(function) else {
                    return Err(TranslationError::NoFunction { name: (*function).to_owned() });
                };
                let slot = frame.local(*to)?;
                let (before, outer) = (self.slots.insert(Array::Out, slot), self.evaluated.replace(slot));
                self.function(function)?;
                self.evaluated = outer;
                match before {
                    Some(before) => self.slots.insert(Array::Out, before),
                    None => self.slots.remove(&Array::Out),
                };
            }
        }
        Ok(())
    }

    /// Counts statements and repetitions.
    fn repeat(&mut self, function: &'static str) -> Result<(), TranslationError> {
        self.done += 1;
        if self.values.instructions.len().max(self.done) > MAX_INSTRUCTIONS {
            return Err(TranslationError::TooLong { function, limit: MAX_INSTRUCTIONS });
        }
        Ok(())
    }

    fn sin_cos(
        &mut self,
        frame: &mut Frame<'a>,
        operation: Operation,
        argument: Value,
        to: [Option<Variable>; 2],
    ) -> Result<(), TranslationError> {
        let first = self.values.push(operation, self.when, &[argument], 0, 2);
        for (to, value) in to.into_iter().zip(first..) {
            to.map_or(Ok(()), |to| frame.set(to, value))?;
        }
        Ok(())
    }
}
