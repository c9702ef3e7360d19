//! Values of a sequence, and the order in which they are computed.
//!
//! Every result is a value of its own, whatever place it is written to. Values are computed just before what needs
//! them, those that need most registers first, so that few values wait at any time.

use crate::instruction::{Instruction, Operation, Place, Sequence};

/// A value, by its position among those of the sequence.
pub type Value = u32;

/// The origin of a value.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// A place before the sequence.
    Given(Place),
    /// An operation on values.
    Result(Operation, [Value; 3]),
}

impl Source {
    /// Returns the arguments.
    pub fn arguments(&self) -> &[Value] {
        match self {
            Self::Given(_) => &[],
            Self::Result(operation, arguments) => &arguments[..operation.arguments()],
        }
    }
}

/// A sequence as values.
#[derive(Debug, Default)]
pub struct Ordered {
    /// Sources of all values.
    pub sources: Vec<Source>,
    /// The values that are kept, each a result, with their places.
    pub kept: Vec<(Value, Place)>,
    /// The results that matter, in the order in which they are computed.
    pub order: Vec<Value>,
}

/// Orders a sequence; `values` has an entry for every place, and is filled with [`NONE`] before and after.
pub fn ordered(sequence: &Sequence, values: &mut [Value]) -> Ordered {
    let mut ordered = Ordered::default();
    for Instruction { operation, to, arguments } in &sequence.instructions {
        let mut of = [0; 3];
        for (of, place) in of.iter_mut().zip(&arguments[..operation.arguments()]) {
            let value = &mut values[*place as usize];
            if *value == NONE {
                *value = ordered.push(Source::Given(*place));
            }
            *of = *value;
        }
        let is_given = matches!(ordered.sources[of[0] as usize], Source::Given(_));
        // a copy of a result is the result
        values[*to as usize] = if *operation == Operation::Copy && !is_given {
            of[0]
        } else {
            ordered.push(Source::Result(*operation, of))
        };
    }
    for &place in &sequence.kept {
        let value = values[place as usize];
        if value != NONE && matches!(ordered.sources[value as usize], Source::Result(..)) {
            ordered.kept.push((value, place));
        }
    }
    for Instruction { operation, to, arguments } in &sequence.instructions {
        values[*to as usize] = NONE;
        arguments[..operation.arguments()].iter().for_each(|&place| values[place as usize] = NONE);
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

    /// Orders the results that matter for what is kept.
    fn sort(&mut self) {
        let registers = self.registers();
        let mut is_done: Vec<bool> = self.sources.iter().map(|source| matches!(source, Source::Given(_))).collect();
        let mut waiting = Vec::new();
        for &(kept, _) in &self.kept {
            waiting.push(kept);
            while let Some(&value) = waiting.last() {
                let open = self.sources[value as usize].arguments().iter().copied();
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
        for source in &self.sources {
            let mut needs = [0; 3];
            let arguments = source.arguments();
            for (need, &argument) in needs.iter_mut().zip(arguments) {
                *need = registers[argument as usize];
            }
            needs.sort_unstable_by(|a, b| b.cmp(a));
            let needs = needs.iter().take(arguments.len()).zip(0..).map(|(need, waiting)| need + waiting);
            registers.push(needs.max().unwrap_or(1));
        }
        registers
    }
}
