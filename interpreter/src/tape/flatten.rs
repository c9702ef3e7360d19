//! The way from the statements of a function to its values: variables and arrays disappear, and loops are written out.
//!
//! The expressions of a model, from which the compiler makes its programs, are written out as well, and limited in number.
//! A tape is shorter than they are. Without loops, like instructions of all repetitions stand together.

use std::collections::BTreeMap;
use std::mem::take;

use costate_compiler::program::{
    Array, Expression, Function, Index, Local, Place, Program, Statement, Variable,
};

use super::error::TranslationError;
use super::lengths::ArrayLengths;
use super::operation::Operation;
use super::values::{Lookup, Selection, Stored, Value, Values};

/// Most instructions of a tape.
const MOST_INSTRUCTIONS: usize = 1 << 23;

/// In place of a value: what an array held before.
const UNTOUCHED: Value = Value::MAX;

/// Most operations within one another.
const DEEPEST: usize = 500;

/// Returns the values of a function; `program` has the functions that it calls.
pub fn flatten(
    program: &Program,
    function: &Function,
    lengths: &ArrayLengths,
) -> Result<Values, TranslationError> {
    let mut flatten = Flatten {
        program,
        lengths,
        values: Values::default(),
        memory: Vec::new(),
        slots: BTreeMap::new(),
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
    /// What arrays hold now, by slot; [`UNTOUCHED`] where that is what they held before.
    memory: Vec<Vec<Value>>,
    /// The slots of arrays that functions share.
    slots: BTreeMap<Array, usize>,
    /// Entries that statements have changed which wait for a selection: slot, position, and what was there.
    changes: Vec<(usize, usize, Value)>,
    /// The selection in which statements are done.
    when: u32,
    /// Number of statements that were done.
    done: usize,
    /// Names of functions that are being translated.
    calls: Vec<&'static str>,
}

/// The state of one function.
struct Frame<'a> {
    function: &'a Function,
    variables: Vec<Option<Value>>,
    /// Variables that were set, with what they were before, to be restored at the end of their scope.
    set: Vec<(usize, Option<Value>)>,
    /// The slot of the first local array.
    first_local: usize,
    repetition: Option<usize>,
}

impl<'a> Flatten<'a> {
    fn function(&mut self, function: &'a Function) -> Result<(), TranslationError> {
        if self.calls.contains(&function.name) {
            return Err(TranslationError::Recursion { function: function.name });
        }
        self.calls.push(function.name);
        let total: usize = function.locals.iter().map(|local| local.length).fold(0, usize::saturating_add);
        if total > MOST_INSTRUCTIONS {
            return Err(TranslationError::TooLong { function: function.name, limit: MOST_INSTRUCTIONS });
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

    /// Lists what is stored at the end.
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
            Some(choice) if choice.arguments[1] == before => {
                (choice.arguments[0], Some(choice.extra as usize))
            }
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
                    let (new, old) =
                        (self.read(frame, Array::Local(*from), index)?, self.read(frame, *to, index)?);
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
        }
        Ok(())
    }

    /// Does statements that wait for a parameter to be selected: all that they change is chosen afterwards.
    fn if_selected(
        &mut self,
        frame: &mut Frame<'a>,
        parameter: usize,
        body: &'a [Statement],
    ) -> Result<(), TranslationError> {
        self.parameter(frame.function.name, parameter)?;
        let (before, outer) = (self.changes.len(), self.when);
        self.values.selections.push(Selection { parameter, outer });
        self.when = self.values.selections.len() as u32;
        self.scope(frame, body)?;
        self.when = outer;
        // what was there first, where an entry has changed more than once
        let mut changed = BTreeMap::new();
        for (slot, index, old) in self.changes.drain(before..) {
            changed.entry((slot, index)).or_insert(old);
        }
        let arrays: BTreeMap<usize, Array> = self.slots.iter().map(|(array, slot)| (*slot, *array)).collect();
        for ((slot, index), old) in changed {
            let old = match arrays.get(&slot) {
                Some(&array) if old == UNTOUCHED => self.values.entry(array, index),
                _ => old,
            };
            let new = self.memory[slot][index];
            let value = self.choose(parameter, new, old);
            self.replace(slot, index, value);
        }
        Ok(())
    }

    /// Replaces what an array holds.
    fn replace(&mut self, slot: usize, index: usize, value: Value) {
        let before = std::mem::replace(&mut self.memory[slot][index], value);
        if self.when != 0 {
            self.changes.push((slot, index, before));
        }
    }

    /// Counts what is done again and again.
    fn repeat(&mut self, function: &'static str) -> Result<(), TranslationError> {
        self.done += 1;
        if self.values.instructions.len().max(self.done) > MOST_INSTRUCTIONS {
            return Err(TranslationError::TooLong { function, limit: MOST_INSTRUCTIONS });
        }
        Ok(())
    }

    fn choose(&mut self, parameter: usize, new: Value, old: Value) -> Value {
        self.values.push(Operation::Choose, self.when, &[new, old], parameter as u32, 1)
    }

    fn parameter(&self, function: &'static str, index: usize) -> Result<(), TranslationError> {
        let length = self.lengths.parameters;
        if index < length {
            return Ok(());
        }
        Err(TranslationError::OutsideArray { function, array: Array::Parameters, index, length })
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

    fn length(&self, frame: &Frame<'a>, array: Array) -> Result<usize, TranslationError> {
        match array {
            Array::Local(local) => Ok(self.memory[frame.local(local)?].len()),
            array => Ok(self.lengths.of(array)),
        }
    }

    fn inside(&self, frame: &Frame<'a>, array: Array, index: usize) -> Result<(), TranslationError> {
        let length = self.length(frame, array)?;
        if index < length {
            return Ok(());
        }
        Err(TranslationError::OutsideArray { function: frame.function.name, array, index, length })
    }

    fn read(&mut self, frame: &Frame<'a>, array: Array, index: usize) -> Result<Value, TranslationError> {
        self.inside(frame, array, index)?;
        let slot = match array {
            Array::Local(local) => Some(frame.local(local)?),
            array => self.slots.get(&array).copied(),
        };
        Ok(match slot.map(|slot| self.memory[slot][index]) {
            Some(value) if value != UNTOUCHED => value,
            _ => self.values.entry(array, index),
        })
    }

    fn write(
        &mut self,
        frame: &Frame<'a>,
        array: Array,
        index: usize,
        value: Value,
    ) -> Result<(), TranslationError> {
        self.inside(frame, array, index)?;
        let slot = match array {
            Array::Local(local) => frame.local(local)?,
            array if is_written(array) => {
                let (next, length) = (self.memory.len(), self.lengths.of(array));
                let slot = *self.slots.entry(array).or_insert(next);
                if slot == next {
                    self.memory.push(vec![UNTOUCHED; length]);
                }
                slot
            }
            array => return Err(TranslationError::ReadOnly { function: frame.function.name, array }),
        };
        self.replace(slot, index, value);
        Ok(())
    }

    fn add(
        &mut self,
        frame: &Frame<'a>,
        array: Array,
        index: usize,
        value: Value,
    ) -> Result<(), TranslationError> {
        let before = self.read(frame, array, index)?;
        let sum = self.values.push(Operation::Add, self.when, &[before, value], 0, 1);
        self.write(frame, array, index, sum)
    }

    fn numbers(
        &mut self,
        frame: &Frame<'a>,
        expressions: &'a [Expression],
    ) -> Result<Vec<Value>, TranslationError> {
        expressions.iter().map(|expression| self.number(frame, expression, 0)).collect()
    }

    fn number(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
    ) -> Result<Value, TranslationError> {
        self.operand(frame, expression, depth, false)
    }

    fn operand(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
        is_condition: bool,
    ) -> Result<Value, TranslationError> {
        let value = self.expression(frame, expression, depth)?;
        if self.values.is_condition(value) == is_condition {
            return Ok(value);
        }
        Err(TranslationError::Kind { function: frame.function.name, is_condition: !is_condition })
    }

    fn expression(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
    ) -> Result<Value, TranslationError> {
        if depth > DEEPEST {
            return Err(TranslationError::TooDeep { function: frame.function.name, limit: DEEPEST });
        }
        let (operation, operands): (Operation, &[Expression]) = match expression {
            Expression::Number(number) => return Ok(self.values.number(*number)),
            Expression::NumberOf(table) => {
                let number = frame.by_repetition(&frame.function.numbers, *table)?;
                return Ok(self.values.number(number));
            }
            Expression::Variable(variable) => return frame.get(*variable),
            Expression::Entry(place) => {
                let index = frame.index(place)?;
                return self.read(frame, place.array, index);
            }
            Expression::PowerInteger(a, exponent) => {
                let a = self.number(frame, a, depth + 1)?;
                self.values.exponents.push(*exponent);
                let exponent = (self.values.exponents.len() - 1) as u32;
                return Ok(self.values.push(Operation::PowerInteger, self.when, &[a], exponent, 1));
            }
            Expression::Select(operands) => {
                let [condition, yes, no] = &**operands;
                let condition = self.operand(frame, condition, depth + 1, true)?;
                let [yes, no] = [self.number(frame, yes, depth + 1)?, self.number(frame, no, depth + 1)?];
                return Ok(self.values.push(Operation::Select, self.when, &[condition, yes, no], 0, 1));
            }
            Expression::Negate(a) => (Operation::Negate, std::slice::from_ref(&**a)),
            Expression::Elementary(function, a) => {
                (Operation::elementary(*function), std::slice::from_ref(&**a))
            }
            Expression::Not(a) => (Operation::Not, std::slice::from_ref(&**a)),
            Expression::Add(operands) => (Operation::Add, &**operands),
            Expression::Subtract(operands) => (Operation::Subtract, &**operands),
            Expression::Multiply(operands) => (Operation::Multiply, &**operands),
            Expression::Divide(operands) => (Operation::Divide, &**operands),
            Expression::PlusProduct(operands) => (Operation::PlusProduct, &**operands),
            Expression::MinusProduct(operands) => (Operation::MinusProduct, &**operands),
            Expression::Power(operands) => (Operation::Power, &**operands),
            Expression::Atan2(operands) => (Operation::Atan2, &**operands),
            Expression::Less(operands) => (Operation::Less, &**operands),
            Expression::LessEqual(operands) => (Operation::LessEqual, &**operands),
            Expression::Equal(operands) => (Operation::Equal, &**operands),
            Expression::And(operands) => (Operation::And, &**operands),
            Expression::Or(operands) => (Operation::Or, &**operands),
        };
        let of_conditions = matches!(operation, Operation::And | Operation::Or | Operation::Not);
        let mut values = [0; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.operand(frame, operand, depth + 1, of_conditions)?;
        }
        Ok(self.values.push(operation, self.when, &values[..operands.len()], 0, 1))
    }
}

impl Frame<'_> {
    fn set(&mut self, Variable(variable): Variable, value: Value) -> Result<(), TranslationError> {
        let Some(place) = self.variables.get_mut(variable) else {
            return Err(TranslationError::NoValue { function: self.function.name, variable });
        };
        self.set.push((variable, place.replace(value)));
        Ok(())
    }

    fn get(&self, Variable(variable): Variable) -> Result<Value, TranslationError> {
        let value = self.variables.get(variable).copied().flatten();
        value.ok_or(TranslationError::NoValue { function: self.function.name, variable })
    }

    /// Forgets variables that were set within a scope.
    fn leave(&mut self, outside: usize) {
        while self.set.len() > outside {
            if let Some((variable, before)) = self.set.pop() {
                self.variables[variable] = before;
            }
        }
    }

    /// Returns the slot of a local array.
    fn local(&self, Local(local): Local) -> Result<usize, TranslationError> {
        let (function, count) = (self.function.name, self.function.locals.len());
        if local < count {
            return Ok(self.first_local + local);
        }
        Err(TranslationError::NoLocal { function, local, count })
    }

    fn count(&self, what: &'static str, found: usize, expected: usize) -> Result<(), TranslationError> {
        if found == expected {
            return Ok(());
        }
        Err(TranslationError::Count { function: self.function.name, what, found, expected })
    }

    fn repetition(&self) -> Result<usize, TranslationError> {
        self.repetition.ok_or(TranslationError::NotInLoop { function: self.function.name })
    }

    /// Returns the entry of a table by repetition.
    fn by_repetition<T: Copy>(&self, tables: &[Vec<T>], table: usize) -> Result<T, TranslationError> {
        let repetition = self.repetition()?;
        let entry = tables.get(table).and_then(|entries| entries.get(repetition)).copied();
        let function = self.function.name;
        entry.ok_or(TranslationError::NoTableEntry { function, table, repetition })
    }

    fn index(&self, place: &Place) -> Result<usize, TranslationError> {
        Ok(match place.index {
            Index::At(index) => index,
            Index::Rising { offset, stride } => {
                offset.saturating_add(stride.saturating_mul(self.repetition()?))
            }
            Index::Falling { offset, stride } => {
                let (repetition, function) = (self.repetition()?, self.function.name);
                let before = TranslationError::BeforeArray { function, array: place.array, repetition };
                offset.checked_sub(stride.saturating_mul(repetition)).ok_or(before)?
            }
            Index::Table(table) => self.by_repetition(&self.function.positions, table)?,
        })
    }
}

/// Checks whether functions store in an array.
fn is_written(array: Array) -> bool {
    match array {
        Array::Constants
        | Array::Factors
        | Array::AdjointCoefficients
        | Array::CarryRight
        | Array::Out
        | Array::Correction
        | Array::Unknowns
        | Array::UpdateCoordinates
        | Array::UpdateVelocities
        | Array::UpdateUnknowns
        | Array::Gradient
        | Array::Local(_) => true,
        Array::Time
        | Array::Coordinates
        | Array::Velocities
        | Array::Accelerations
        | Array::Multipliers
        | Array::Inputs
        | Array::Parameters
        | Array::Weights
        | Array::History
        | Array::Carried
        | Array::OutputGradient => false,
    }
}
