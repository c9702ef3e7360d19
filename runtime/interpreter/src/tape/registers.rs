//! Places of values: entries of arrays first, then plain numbers, results, and registers that values share one after
//! the other.

use std::collections::{BTreeMap, BTreeSet};

use costate_compiler::program::Array;

use super::operation::Operation;
use super::values::{Instruction, Selection, Source, Value, Values};
use super::{Batch, Register, Run, SelectedOutput, Tape};
use crate::kept::kept;

/// The register of a value that has no register.
const NONE: Register = Register::MAX;

/// Writes the tape of a function whose instructions are done in this order.
pub fn encode(name: &'static str, values: Values, order: &[u32]) -> Tape {
    let mut places = Places::new(&values, order);
    let mut encoder = Encoder {
        values: &values,
        batches: Vec::new(),
        operands: Vec::new(),
        guards: Vec::new(),
        together: BTreeSet::new(),
        is_closed: false,
    };
    for (at, &position) in order.iter().enumerate() {
        let instruction = &values.instructions[position as usize];
        let arguments: Vec<Register> = instruction.arguments().iter().map(|&value| places.of[value as usize]).collect();
        for &argument in instruction.arguments() {
            places.leave(argument, at);
        }
        let results: Vec<Register> = instruction.results().map(|value| places.take(value)).collect();
        instruction.results().for_each(|value| places.leave(value, at));
        let before = at.checked_sub(1).map(|before| &values.instructions[order[before] as usize]);
        encoder.select(before.map_or(0, |before| before.when), instruction.when);
        encoder.instruction(instruction, &results, &arguments);
    }
    encoder.close();
    for &(to, value) in &places.copies {
        encoder.push(Operation::Copy, &[to, places.of[value as usize]]);
    }
    let (batches, operands) = (encoder.batches, encoder.operands);
    let results: BTreeSet<Array> = values.stored.iter().map(|stored| stored.array).collect();
    let inputs = runs(&places.inputs, &results).into_iter();
    let (constants, inputs): (Vec<Run>, Vec<Run>) =
        inputs.partition(|run| run.array == Array::Constants && !run.is_result);
    let outputs = runs(&places.outputs, &results);
    let selected = values.stored.iter().filter_map(|stored| {
        let (array, index, register) = (stored.array, stored.index, places.of[stored.value as usize]);
        stored.parameter.map(|parameter| SelectedOutput { array, index, register, parameter })
    });
    Tape {
        name,
        batches: kept(batches.into()),
        operands: kept(operands.into()),
        registers: places.registers as usize,
        masks: places.masks as usize,
        numbers: kept(places.numbers.into()),
        constants: kept(constants.into()),
        inputs: kept(inputs.into()),
        outputs: kept(outputs.into()),
        selected_outputs: kept(selected.collect()),
        exponents: kept(values.exponents.into()),
        lookups: kept(values.lookups.into()),
        is_interpreted: false,
    }
}

/// Joins neighbouring entries in neighbouring registers.
fn runs(entries: &[((Array, usize), Register)], results: &BTreeSet<Array>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &((array, index), register) in entries {
        if let Some(last) = runs.last_mut()
            && last.array == array
            && last.first + last.length == index
            && last.register as usize + last.length == register as usize
        {
            last.length += 1;
            continue;
        }
        let is_result = results.contains(&array);
        runs.push(Run { array, is_result, first: index, length: 1, register });
    }
    runs
}

/// The register of every value.
struct Places<'a> {
    values: &'a Values,
    /// By value.
    of: Vec<Register>,
    /// The last instruction that uses a value, by its place in the order; `usize::MAX` for a value that stays to the
    /// end.
    last_use: Vec<usize>,
    free: Vec<Register>,
    free_masks: Vec<Register>,
    registers: Register,
    masks: Register,
    inputs: Vec<((Array, usize), Register)>,
    outputs: Vec<((Array, usize), Register)>,
    numbers: Vec<(Register, u64)>,
    /// Values that are copied to a register at the end.
    copies: Vec<(Register, Value)>,
}

impl<'a> Places<'a> {
    fn new(values: &'a Values, order: &[u32]) -> Self {
        /// Largest distance of two entries of an array between which others are copied with them.
        const MAX_GAP: usize = 16;
        let count = values.sources.len();
        let mut places = Self {
            values,
            of: vec![NONE; count],
            last_use: vec![0; count],
            free: Vec::new(),
            free_masks: Vec::new(),
            registers: 0,
            masks: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            numbers: Vec::new(),
            copies: Vec::new(),
        };
        let mut used = vec![false; count];
        for (at, &position) in order.iter().enumerate() {
            let instruction = &values.instructions[position as usize];
            instruction.results().for_each(|value| places.last_use[value as usize] = at);
            for &argument in instruction.arguments() {
                (used[argument as usize], places.last_use[argument as usize]) = (true, at);
            }
        }
        for stored in &values.stored {
            let value = stored.value as usize;
            let is_number = matches!(values.sources[value], Source::Number(_));
            // a number has its own copy where it is a result
            used[value] |= !is_number || stored.parameter.is_some();
            places.last_use[value] = usize::MAX;
        }
        let mut entries = BTreeMap::new();
        for (value, source) in values.sources.iter().enumerate().filter(|(value, _)| used[*value]) {
            if let Source::Entry(array, index) = *source {
                entries.insert((array, index), value);
            }
        }
        let mut before: Option<(Array, usize)> = None;
        for ((array, index), value) in entries {
            // one copy of more entries costs less than two copies
            if let Some((same, last)) = before.filter(|(same, _)| *same == array)
                && index - last <= MAX_GAP
            {
                (last + 1..index).for_each(|index| {
                    let register = places.next();
                    places.inputs.push(((same, index), register));
                });
            }
            places.of[value] = places.next();
            places.inputs.push(((array, index), places.of[value]));
            before = Some((array, index));
        }
        for (value, source) in values.sources.iter().enumerate().filter(|(value, _)| used[*value]) {
            if let Source::Number(number) = *source {
                places.of[value] = places.next();
                places.numbers.push((places.of[value], number.to_bits()));
            }
        }
        for stored in values.stored.iter().filter(|stored| stored.parameter.is_none()) {
            let (value, register) = (stored.value, places.next());
            places.outputs.push(((stored.array, stored.index), register));
            match values.sources[value as usize] {
                Source::Number(number) => places.numbers.push((register, number.to_bits())),
                Source::Result(_) if places.of[value as usize] == NONE => {
                    places.of[value as usize] = register;
                }
                _ => places.copies.push((register, value)),
            }
        }
        places
    }

    fn next(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    /// Gives a value a register, unless it has one.
    fn take(&mut self, value: Value) -> Register {
        if self.of[value as usize] == NONE {
            self.of[value as usize] = if self.values.is_condition(value) {
                self.free_masks.pop().unwrap_or_else(|| {
                    self.masks += 1;
                    self.masks - 1
                })
            } else {
                self.free.pop().unwrap_or_else(|| self.next())
            };
        }
        self.of[value as usize]
    }

    /// Frees the register of a value after its last use.
    fn leave(&mut self, value: Value, at: usize) {
        let is_result = matches!(self.values.sources[value as usize], Source::Result(_));
        if !is_result || self.last_use[value as usize] != at {
            return;
        }
        // not again, if an instruction uses the value twice
        self.last_use[value as usize] = usize::MAX;
        let register = self.of[value as usize];
        if self.values.is_condition(value) {
            self.free_masks.push(register);
        } else {
            self.free.push(register);
        }
    }
}

/// The tape in the making.
struct Encoder<'a> {
    values: &'a Values,
    batches: Vec<Batch>,
    operands: Vec<Register>,
    /// Results of the last batch, where its arguments are read together.
    together: BTreeSet<Value>,
    /// True after the last batch that a guard skips.
    is_closed: bool,
    /// Guards that are open: position among the batches, and of the operands.
    guards: Vec<(usize, usize)>,
}

impl Encoder<'_> {
    fn instruction(&mut self, instruction: &Instruction, results: &[Register], arguments: &[Register]) {
        let mut words = Vec::with_capacity(8);
        match instruction.operation {
            Operation::Lookup => {
                words.push(instruction.extra);
                words.extend(arguments.iter().chain(results));
            }
            Operation::PowerInteger | Operation::Choose => {
                words.extend(results.iter().chain(arguments));
                words.push(instruction.extra);
            }
            _ => words.extend(results.iter().chain(arguments)),
        }
        if !instruction.operation.is_sequential() {
            let last = self.batches.last().filter(|_| !self.is_closed);
            let is_new = last.is_none_or(|last| last.operation != instruction.operation);
            let waits = instruction.arguments().iter().any(|argument| self.together.contains(argument));
            if is_new || waits {
                self.together.clear();
                self.batches.push(Batch { operation: instruction.operation, words: 0 });
                self.is_closed = false;
            }
            self.together.extend(instruction.results());
        }
        self.push(instruction.operation, &words);
    }

    fn push(&mut self, operation: Operation, words: &[Register]) {
        self.operands.extend(words);
        let length = words.len() as u32;
        match self.batches.last_mut() {
            Some(last) if last.operation == operation && !self.is_closed && operation != Operation::Guard => {
                last.words += length;
            }
            _ => self.batches.push(Batch { operation, words: length }),
        }
        self.is_closed = false;
    }

    /// Closes the guards of one selection, and opens those of another.
    fn select(&mut self, before: u32, now: u32) {
        if before == now {
            return;
        }
        self.close();
        let mut chain: Vec<Selection> = Vec::new();
        let mut when = now;
        while let Some(selection) = (when as usize).checked_sub(1).and_then(|i| self.values.selections.get(i)) {
            chain.push(*selection);
            when = selection.outer;
        }
        for selection in chain.into_iter().rev() {
            self.guards.push((self.batches.len(), self.operands.len()));
            self.push(Operation::Guard, &[selection.parameter as Register, 0, 0]);
        }
    }

    /// Closes all guards.
    fn close(&mut self) {
        for (batch, operand) in self.guards.drain(..) {
            self.is_closed = true;
            self.operands[operand + 1] = (self.batches.len() - batch - 1) as u32;
            self.operands[operand + 2] = (self.operands.len() - operand - 3) as u32;
        }
    }
}
