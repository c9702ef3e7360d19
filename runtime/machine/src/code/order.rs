//! Values of a sequence, and the order in which they are computed.
//!
//! Every result is a value of its own, whatever place it is written to. Values are computed just before what needs
//! them, those that need most registers first, so that few values wait at any time.

use crate::instruction::{Instruction, Operation, Place, Sequence, Step};

/// A value, by its position among those of the sequence.
pub type Value = u32;

/// The origin of a value.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// A place before the sequence.
    Given(Place),
    /// An operation on values.
    Result(Operation, [Value; 3]),
    /// All results of a call together, by its position.
    Call(u32),
    /// One result of a call, in its place.
    Of(Value, Place),
}

/// A call on values.
#[derive(Debug)]
pub struct CallOfValues {
    /// The function.
    pub function: u32,
    /// The place of the first argument.
    pub cells: Place,
    /// The arguments.
    pub arguments: Vec<Value>,
}

/// A sequence as values.
#[derive(Debug, Default)]
pub struct Ordered {
    /// Sources of all values; arguments come before what they are arguments of.
    pub sources: Vec<Source>,
    /// The calls.
    pub calls: Vec<CallOfValues>,
    /// The values that are kept, each a result, with their places.
    pub kept: Vec<(Value, Place)>,
    /// The results that matter, in the order in which they are computed.
    pub order: Vec<Value>,
}

/// Orders a sequence.
pub fn ordered(sequence: &Sequence) -> Ordered {
    let mut ordered = Ordered::default();
    let mut values = vec![NONE; sequence.layout.end() as usize];
    for step in &sequence.steps {
        match step {
            Step::Instruction(Instruction { operation, to, arguments }) => {
                let mut of = [0; 3];
                for (of, &place) in of.iter_mut().zip(&arguments[..operation.arguments()]) {
                    *of = ordered.read(&mut values, place);
                }
                let is_given = matches!(ordered.sources[of[0] as usize], Source::Given(_));
                // a copy of a result is the result
                values[*to as usize] = if *operation == Operation::Copy && !is_given {
                    of[0]
                } else {
                    ordered.push(Source::Result(*operation, of))
                };
            }
            Step::Call(call) => {
                let arguments = call.arguments.iter().map(|&place| ordered.read(&mut values, place)).collect();
                let of_call = ordered.push(Source::Call(ordered.calls.len() as u32));
                let (function, cells) = (call.function, call.cells);
                let first = cells + call.arguments.len() as Place;
                ordered.calls.push(CallOfValues { function, cells, arguments });
                for (&place, cell) in call.results.iter().zip(first..) {
                    values[place as usize] = ordered.push(Source::Of(of_call, cell));
                }
            }
        }
    }
    for &place in &sequence.kept {
        let value = values[place as usize];
        if value != NONE && !matches!(ordered.sources[value as usize], Source::Given(_)) {
            ordered.kept.push((value, place));
        }
    }
    ordered.kept.sort_unstable();
    ordered.sort();
    ordered
}

/// No value.
pub const NONE: Value = Value::MAX;

impl Ordered {
    fn push(&mut self, source: Source) -> Value {
        self.sources.push(source);
        (self.sources.len() - 1) as Value
    }

    /// Returns the value at a place.
    fn read(&mut self, values: &mut [Value], place: Place) -> Value {
        if values[place as usize] == NONE {
            values[place as usize] = self.push(Source::Given(place));
        }
        values[place as usize]
    }

    /// Returns the arguments of a value.
    pub fn arguments(&self, value: Value) -> &[Value] {
        match &self.sources[value as usize] {
            Source::Given(_) => &[],
            Source::Result(operation, arguments) => &arguments[..operation.arguments()],
            Source::Call(call) => &self.calls[*call as usize].arguments,
            Source::Of(call, _) => std::slice::from_ref(call),
        }
    }

    /// Returns the calls that matter for what is kept.
    fn needed_calls(&self) -> Vec<Value> {
        let mut is_needed = vec![false; self.sources.len()];
        self.kept.iter().for_each(|&(value, _)| is_needed[value as usize] = true);
        for value in (0..self.sources.len()).rev() {
            if is_needed[value] {
                self.arguments(value as Value).iter().for_each(|&argument| is_needed[argument as usize] = true);
            }
        }
        let is_call = |value: &Value| matches!(self.sources[*value as usize], Source::Call(_));
        (0..self.sources.len() as Value).filter(|value| is_needed[*value as usize] && is_call(value)).collect()
    }

    /// Orders the values that matter for what is kept: calls, before which all registers are stored, early.
    fn sort(&mut self) {
        let registers = self.registers();
        let mut is_done: Vec<bool> = self.sources.iter().map(|source| matches!(source, Source::Given(_))).collect();
        let mut waiting = Vec::new();
        let mut wanted = self.needed_calls();
        wanted.extend(self.kept.iter().map(|&(value, _)| value));
        for value in wanted {
            waiting.push(value);
            while let Some(&value) = waiting.last() {
                let open = self.arguments(value).iter().copied();
                let next = open.filter(|&argument| !is_done[argument as usize]);
                match next.max_by_key(|&argument| registers[argument as usize]) {
                    Some(argument) => waiting.push(argument),
                    None => {
                        if !std::mem::replace(&mut is_done[value as usize], true) {
                            self.order.push(value);
                        }
                        waiting.pop();
                    }
                }
            }
        }
    }

    /// Estimates how many registers each value needs, as if no other value shared its arguments (Sethi and Ullman).
    fn registers(&self) -> Vec<u16> {
        let mut registers: Vec<u16> = Vec::with_capacity(self.sources.len());
        for (value, source) in self.sources.iter().enumerate() {
            let mut needs: Vec<u16> =
                self.arguments(value as Value).iter().map(|&argument| registers[argument as usize]).collect();
            needs.sort_unstable_by(|a, b| b.cmp(a));
            // arguments of a call wait in memory
            let waits = u16::from(!matches!(source, Source::Call(_)));
            let needs = needs.iter().zip(0_u16..).map(|(need, before)| need.saturating_add(waits * before));
            registers.push(needs.max().unwrap_or(1));
        }
        registers
    }
}
