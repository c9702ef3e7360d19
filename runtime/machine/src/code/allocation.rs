//! Values in the registers of the processor.
//!
//! The order of a sequence is known, so that the register is given up whose value is needed last (Belady). A value that
//! has no place in the array is stored before in a place after all others.

use costate_numerics::scalar::LANES;

use super::encoder::{Address, Arithmetic, Bits, Comparison, Constant, Encoder, Operand, REGISTERS, Register};
use super::order::{NONE, Ordered, Source, Value};
use crate::instruction::{Layout, Operation, Place};

/// Writes the code of a sequence; returns how many numbers it needs after those of the layout.
pub fn encode(ordered: &Ordered, layout: &Layout, encoder: &mut Encoder) -> Place {
    let mut allocation = Allocation::new(ordered, layout, encoder);
    allocation.encoder.begin(!ordered.calls.is_empty());
    ordered.order.iter().for_each(|&value| allocation.compute(value));
    for (value, place) in std::mem::take(&mut allocation.late) {
        let register = allocation.load(value, &[]);
        allocation.encoder.store(register, allocation.address(place));
        allocation.uses.leave(value);
        allocation.release(value);
    }
    allocation.encoder.end();
    allocation.scratch
}

/// Positions in the order at which each value is used, later ones first; those that are past are removed.
struct Uses {
    positions: Vec<u32>,
    /// Beginning and end of the positions of each value.
    of: Vec<[u32; 2]>,
}

/// The position of uses after the sequence.
const AT_END: u32 = u32::MAX;

impl Uses {
    fn new(ordered: &Ordered) -> Self {
        let mut counts = vec![0; ordered.sources.len()];
        let mut pairs = ordered.kept.iter().map(|&(value, _)| (value, AT_END)).collect::<Vec<_>>();
        for (at, &value) in ordered.order.iter().enumerate().rev() {
            for &argument in ordered.arguments(value) {
                pairs.push((argument, at as u32));
            }
        }
        for (value, _) in &pairs {
            counts[*value as usize] += 1;
        }
        let mut begin = 0;
        let mut of: Vec<[u32; 2]> = Vec::with_capacity(counts.len());
        for count in counts {
            of.push([begin, begin]);
            begin += count;
        }
        let mut positions = vec![0; pairs.len()];
        for (value, at) in pairs {
            let [_, end] = &mut of[value as usize];
            positions[*end as usize] = at;
            *end += 1;
        }
        Self { positions, of }
    }

    /// Returns the next use; `None` if there is none.
    fn next(&self, value: Value) -> Option<u32> {
        let [begin, end] = self.of[value as usize];
        (begin < end).then(|| self.positions[end as usize - 1])
    }

    /// Takes the next use away.
    fn leave(&mut self, value: Value) {
        self.of[value as usize][1] -= 1;
    }
}

struct Allocation<'a> {
    ordered: &'a Ordered,
    encoder: &'a mut Encoder,
    uses: Uses,
    /// The value in each register.
    held: [Value; REGISTERS],
    /// The register of each value.
    registers: Vec<Option<Register>>,
    /// The place of each value.
    stored: Vec<Option<Place>>,
    /// Values that are given, sorted by where they are.
    given: Vec<(Address, Value)>,
    /// Values that are stored at the end, as their places are still read.
    late: Vec<(Value, Place)>,
    layout: &'a Layout,
    /// Places after all others: those that are free, and the number of all.
    free: Vec<Place>,
    scratch: Place,
}

impl<'a> Allocation<'a> {
    fn new(ordered: &'a Ordered, layout: &'a Layout, encoder: &'a mut Encoder) -> Self {
        let stored = ordered.sources.iter().map(|source| match source {
            Source::Given(place) | Source::Of(_, place) => Some(*place),
            Source::Result(..) | Source::Call(_) => None,
        });
        let given = ordered.sources.iter().zip(0..).filter_map(|(source, value)| match source {
            Source::Given(place) => Some((address(layout, *place), value)),
            _ => None,
        });
        let mut given: Vec<_> = given.collect();
        given.sort_unstable();
        Self {
            ordered,
            uses: Uses::new(ordered),
            held: [NONE; REGISTERS],
            registers: vec![None; ordered.sources.len()],
            stored: stored.collect(),
            given,
            late: Vec::new(),
            layout,
            encoder,
            free: Vec::new(),
            scratch: 0,
        }
    }

    fn address(&self, place: Place) -> Address {
        address(self.layout, place)
    }

    /// Computes a value.
    fn compute(&mut self, value: Value) {
        let (operation, mut arguments) = match self.ordered.sources[value as usize] {
            Source::Given(_) => return,
            Source::Result(operation, arguments) => (operation, arguments),
            Source::Call(call) => return self.call(call),
            Source::Of(call, _) => {
                self.uses.leave(call);
                return self.keep(value);
            }
        };
        let used = &mut arguments[..operation.arguments()];
        let commutes = matches!(
            operation,
            Operation::Add | Operation::Multiply | Operation::FusedAdd | Operation::FusedSubtract | Operation::Equal
        );
        if commutes && self.registers[used[0] as usize].is_none() && self.registers[used[1] as usize].is_some() {
            used.swap(0, 1);
        }
        // all but the second argument of an operation on numbers are registers
        let takes_place = !matches!(
            operation,
            Operation::Negate | Operation::Abs | Operation::And | Operation::Or | Operation::Not | Operation::Select
        );
        let in_place = if takes_place { usize::from(used.len() > 1) } else { usize::MAX };
        let used = &arguments[..operation.arguments()];
        let mut operands = [Operand::Register(0); 3];
        for (i, &argument) in used.iter().enumerate() {
            operands[i] = match (self.registers[argument as usize], self.stored[argument as usize]) {
                (Some(register), _) => Operand::Register(register),
                (None, Some(place)) if i == in_place && !self.is_used_again(argument, used) => {
                    Operand::At(self.address(place))
                }
                _ => Operand::Register(self.load(argument, used)),
            };
        }
        used.iter().for_each(|&argument| self.uses.leave(argument));
        let [a, b, c] = operands.map(|operand| match operand {
            Operand::Register(register) => register,
            Operand::At(_) | Operand::Constant(_) => 0,
        });
        if matches!(operation, Operation::FusedAdd | Operation::FusedSubtract) {
            // the sum is overwritten
            let to = self.take(value, used);
            self.encoder.copy(to, c);
            self.encoder.fused(operation == Operation::FusedSubtract, to, a, operands[1]);
        } else {
            // the result may be where an argument was, but nothing else may be stored in a place that is read now
            used.iter().for_each(|&argument| self.release_register(argument));
            let to = self.take(value, &[]);
            self.operation(operation, to, [a, b, c], operands);
        }
        used.iter().for_each(|&argument| self.release(argument));
        self.keep(value);
    }

    /// Stores the arguments of a call, and all values that are needed after it.
    fn call(&mut self, call: u32) {
        let call = &self.ordered.calls[call as usize];
        for (&argument, cell) in call.arguments.iter().zip(call.cells..) {
            let register = self.load(argument, &[]);
            self.encoder.store(register, self.address(cell));
            self.uses.leave(argument);
            self.release(argument);
        }
        for register in 0..REGISTERS {
            self.give_up(register);
        }
        self.encoder.call(call.function);
    }

    fn operation(&mut self, operation: Operation, to: Register, [a, b, c]: [Register; 3], operands: [Operand; 3]) {
        let encoder = &mut *self.encoder;
        let second = operands[1];
        match operation {
            Operation::Copy => match operands[0] {
                Operand::At(address) => encoder.load(to, address),
                _ => encoder.copy(to, a),
            },
            Operation::Sqrt => encoder.arithmetic(Arithmetic::Sqrt, to, to, operands[0]),
            Operation::Negate => encoder.bits(Bits::Xor, to, a, Operand::Constant(Constant::Sign)),
            Operation::Abs => encoder.bits(Bits::And, to, a, Operand::Constant(Constant::Magnitude)),
            Operation::Not => encoder.bits(Bits::Xor, to, a, Operand::Constant(Constant::True)),
            Operation::And => encoder.bits(Bits::And, to, a, second),
            Operation::Or => encoder.bits(Bits::Or, to, a, second),
            Operation::Add => encoder.arithmetic(Arithmetic::Add, to, a, second),
            Operation::Subtract => encoder.arithmetic(Arithmetic::Subtract, to, a, second),
            Operation::Multiply => encoder.arithmetic(Arithmetic::Multiply, to, a, second),
            Operation::Divide => encoder.arithmetic(Arithmetic::Divide, to, a, second),
            Operation::Less => encoder.compare(Comparison::Less, to, a, second),
            Operation::LessEqual => encoder.compare(Comparison::LessEqual, to, a, second),
            Operation::Equal => encoder.compare(Comparison::Equal, to, a, second),
            Operation::Select => encoder.blend(to, [a, b, c]),
            // done before
            Operation::FusedAdd | Operation::FusedSubtract => {}
        }
    }

    /// Checks whether a value is used after an instruction with these arguments.
    fn is_used_again(&self, value: Value, arguments: &[Value]) -> bool {
        let [begin, end] = self.uses.of[value as usize];
        let now = arguments.iter().filter(|&&argument| argument == value).count();
        (end - begin) as usize > now
    }

    /// Brings a value into a register.
    fn load(&mut self, value: Value, with: &[Value]) -> Register {
        if let Some(register) = self.registers[value as usize] {
            return register;
        }
        let register = self.room(with);
        if let Some(place) = self.stored[value as usize] {
            self.encoder.load(register, self.address(place));
        }
        self.hold(value, register);
        register
    }

    /// Takes a register for a new value, beside these.
    fn take(&mut self, value: Value, with: &[Value]) -> Register {
        let register = self.room(with);
        self.hold(value, register);
        register
    }

    fn hold(&mut self, value: Value, register: Register) {
        self.held[usize::from(register)] = value;
        self.registers[value as usize] = Some(register);
    }

    /// Returns a free register; if there is none, that of the value that is needed last, but not of these.
    fn room(&mut self, with: &[Value]) -> Register {
        let mut last: Option<(u32, usize)> = None;
        for (register, &value) in self.held.iter().enumerate() {
            if value == NONE {
                return register as Register;
            }
            let next = self.uses.next(value).unwrap_or(AT_END);
            if !with.contains(&value) && last.is_none_or(|(latest, _)| next > latest) {
                last = Some((next, register));
            }
        }
        // of 16 registers at most three are in use by an instruction
        let register = last.map_or(0, |(_, register)| register);
        self.give_up(register);
        register as Register
    }

    /// Makes a register free, whose value stays in a place.
    fn give_up(&mut self, register: usize) {
        let value = self.held[register];
        if value == NONE {
            return;
        }
        if self.stored[value as usize].is_none() {
            let place = self.free.pop().unwrap_or_else(|| {
                self.scratch += 1;
                self.layout.end() + self.scratch - 1
            });
            self.encoder.store(register as Register, self.address(place));
            self.stored[value as usize] = Some(place);
        }
        (self.registers[value as usize], self.held[register]) = (None, NONE);
    }

    /// Frees what a value occupies if it is not used any more.
    fn release(&mut self, value: Value) {
        if self.uses.next(value).is_some() {
            return;
        }
        self.release_register(value);
        if let Some(place) = self.stored[value as usize].filter(|&place| place >= self.layout.end()) {
            self.stored[value as usize] = None;
            self.free.push(place);
        }
    }

    /// Frees the register of a value that is not used any more.
    fn release_register(&mut self, value: Value) {
        if self.uses.next(value).is_none()
            && let Some(register) = self.registers[value as usize].take()
        {
            self.held[usize::from(register)] = NONE;
        }
    }

    /// Stores a new value where it is kept, or at the end if the place is still read.
    fn keep(&mut self, value: Value) {
        let ordered = self.ordered;
        let begin = ordered.kept.partition_point(|&(kept, _)| kept < value);
        for &(_, place) in ordered.kept[begin..].iter().take_while(|&&(kept, _)| kept == value) {
            let address = self.address(place);
            let given = self.given.binary_search_by_key(&address, |&(address, _)| address).ok();
            let given = given.map(|i| self.given[i].1);
            if given.is_some_and(|given| self.uses.next(given).is_some()) {
                self.late.push((value, place));
                continue;
            }
            let register = self.load(value, &[]);
            self.encoder.store(register, address);
            self.stored[value as usize].get_or_insert(place);
            self.uses.of[value as usize][0] += 1;
        }
        self.release(value);
    }
}

/// Returns where a place is; those after all of the layout are numbers after its numbers.
fn address(layout: &Layout, place: Place) -> Address {
    match layout.entry(place) {
        None => Address { array: None, offset: place },
        Some(_) if place >= layout.end() => Address { array: None, offset: place - layout.end() + layout.numbers() },
        Some((array, entry, _)) => {
            let stride = if layout.shape(array).is_lane { LANES as Place } else { 1 };
            Address { array: Some(array as u8), offset: entry * stride }
        }
    }
}
