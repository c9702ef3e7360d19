//! Machine code of tapes, for one selection of parameters: arithmetic in registers of the processor, on arrays where
//! they are; what is no arithmetic is called.

use std::any::TypeId;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use costate_compiler::program::Array;
use costate_machine::{Call, Code, Instruction, Layout, Operation as Machine, Place, Sequence, Shape, Step};
use costate_numerics::scalar::Scalar;
use costate_system::model::SelectedParameters;

use crate::tape::{Lookup, Operation, Register, Run, Tape};

/// A tape as machine code.
#[derive(Debug)]
pub(crate) struct MachineCode {
    pub code: Code,
    /// The arrays of the code, after the registers, of which it reads numbers and constants of the run.
    pub arrays: Vec<ArrayOfCode>,
    /// The batches that are called, with their operands among the numbers of the code.
    pub calls: Vec<(Operation, Vec<Register>)>,
}

/// An array that machine code reads or fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArrayOfCode {
    pub array: Array,
    /// True if the function stores in the array.
    pub is_result: bool,
    /// Number of entries that it needs.
    pub length: usize,
}

/// Numbers and entries that code depends on: the parts of a tape, which are kept once, so that their places tell them
/// apart. Numbers are no part of code, which therefore stays where the constants of a model are edited.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    parts: [usize; 9],
    numbers: TypeId,
    /// True if factors and coefficients are in lanes.
    in_lanes: bool,
}

/// The code of some selections, the newest last.
type OfSelections = VecDeque<(Box<[bool]>, Option<Arc<MachineCode>>)>;

static ALL: Mutex<Option<HashMap<Key, OfSelections>>> = Mutex::new(None);

/// Largest number of selections for which the code of a tape is kept; a fit and its profiles have a few.
const MAX_SELECTIONS: usize = 32;

/// The machine code of a tape for a selection, once it was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Assembled {
    /// The selection; `None` for a tape that asks for none.
    selected: Option<SelectedParameters>,
    in_lanes: bool,
    pub code: Option<Arc<MachineCode>>,
}

impl Assembled {
    /// Finds or assembles the machine code of a tape for these numbers.
    #[inline(never)]
    pub fn new<S: Scalar>(tape: &Tape, selected: &SelectedParameters, in_lanes: bool) -> Self {
        let code = if tape.is_interpreted { None } else { assembled::<S>(tape, selected, in_lanes) };
        let selected = selections(tape).next().map(|_| selected.clone());
        Self { selected, in_lanes, code }
    }

    /// Checks whether this is the code for a selection.
    #[inline(always)]
    pub fn fits(&self, selected: &SelectedParameters, in_lanes: bool) -> bool {
        self.in_lanes == in_lanes && self.selected.as_ref().is_none_or(|own| own == selected)
    }
}

fn assembled<S: Scalar>(tape: &Tape, selected: &SelectedParameters, in_lanes: bool) -> Option<Arc<MachineCode>> {
    let parts = [
        tape.batches.as_ptr().addr(),
        tape.operands.as_ptr().addr(),
        tape.inputs.as_ptr().addr(),
        tape.outputs.as_ptr().addr(),
        tape.selected_outputs.as_ptr().addr(),
        tape.exponents.as_ptr().addr(),
        tape.lookups.as_ptr().addr(),
        tape.registers,
        tape.masks,
    ];
    let key = Key { parts, numbers: TypeId::of::<S>(), in_lanes };
    let selection: Box<[bool]> = selections(tape).map(|parameter| selected.contains(parameter)).collect();
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.get_or_insert_default().entry(key).or_default();
    if let Some((_, code)) = known.iter().find(|(own, _)| *own == selection) {
        return code.clone();
    }
    let code = MachineCode::of::<S>(tape, selected, in_lanes).map(Arc::new);
    if known.len() == MAX_SELECTIONS {
        known.pop_front();
    }
    known.push_back((selection, code.clone()));
    code
}

/// Returns the parameters whose selection a tape asks for.
fn selections(tape: &Tape) -> impl Iterator<Item = usize> {
    let of_batches = batches(tape).flat_map(|(operation, words)| match operation {
        Operation::Guard => words.first().into_iter().copied().collect(),
        Operation::Choose => words.iter().skip(3).step_by(4).copied().collect(),
        _ => Vec::new(),
    });
    let of_outputs = tape.selected_outputs.iter().map(|output| output.parameter);
    of_batches.map(|parameter| parameter as usize).chain(of_outputs)
}

/// Returns all batches with their operands.
fn batches(tape: &Tape) -> impl Iterator<Item = (Operation, &'static [Register])> {
    let mut left = tape.operands;
    tape.batches.iter().map(move |batch| {
        let (now, rest) = left.split_at(batch.words as usize);
        left = rest;
        (batch.operation, now)
    })
}

impl MachineCode {
    fn of<S: Scalar>(tape: &Tape, selected: &SelectedParameters, in_lanes: bool) -> Option<Self> {
        let mut translation = Translation { tape, selected, steps: Vec::new(), calls: Vec::new(), cells: 0 };
        translation.batches();
        let Translation { mut steps, calls, cells, .. } = translation;
        let outputs = outputs(tape, selected);
        let arrays = arrays(tape, &outputs);
        let shape = |array: &ArrayOfCode| Shape { length: array.length, is_lane: in_lanes && is_of_factors(array) };
        let registers = Shape { length: registers(tape), is_lane: false };
        let shapes: Vec<Shape> = std::iter::once(registers).chain(arrays.iter().map(shape)).collect();
        let layout = Layout::new(cells as usize, &shapes)?;
        let of = |array, is_result| {
            Some(1 + arrays.iter().position(|own| own.array == array && own.is_result == is_result)?)
        };
        // numbers are in registers before, entries are read where they are
        let mut places: Vec<Place> = (0..registers.length).map(|register| layout.after(0, register)).collect();
        let constants = tape.constants.iter().flat_map(|run| run.register as usize..run.register as usize + run.length);
        for register in tape.numbers.iter().map(|&(register, _)| register as usize).chain(constants) {
            places[register] = layout.before(0, register);
        }
        for run in tape.inputs {
            let array = of(run.array, run.is_result)?;
            for i in 0..run.length {
                places[run.register as usize + i] = layout.before(array, run.first + i);
            }
        }
        let replace = |place: &mut Place| *place = places[*place as usize];
        for step in &mut steps {
            match step {
                Step::Instruction(Instruction { operation, to, arguments }) => {
                    replace(to);
                    arguments[..operation.arguments()].iter_mut().for_each(replace);
                }
                Step::Call(call) => call.arguments.iter_mut().chain(&mut call.results).for_each(replace),
            }
        }
        let mut kept = Vec::with_capacity(outputs.len());
        for (array, index, register) in outputs {
            let to = layout.after(of(array, true)?, index);
            let arguments = [places[register as usize], 0, 0];
            steps.push(Step::Instruction(Instruction { operation: Machine::Copy, to, arguments }));
            kept.push(to);
        }
        let code = Code::assemble::<S>(&Sequence { layout, steps, kept })?;
        Some(Self { code, arrays, calls })
    }
}

/// Checks whether an array may be given in lanes.
fn is_of_factors(array: &ArrayOfCode) -> bool {
    matches!(array.array, Array::Factors | Array::AdjointCoefficients) && !array.is_result
}

/// Returns array, index and register of every entry that is stored.
fn outputs(tape: &Tape, selected: &SelectedParameters) -> Vec<(Array, usize, Register)> {
    let runs = tape.outputs.iter();
    let of_runs =
        runs.flat_map(|run| (0..run.length).map(|i| (run.array, run.first + i, run.register + i as Register)));
    let of_selection = tape.selected_outputs.iter().filter(|output| selected.contains(output.parameter));
    of_runs.chain(of_selection.map(|output| (output.array, output.index, output.register))).collect()
}

/// Returns the arrays of the entries that are read, and of those that are stored.
fn arrays(tape: &Tape, outputs: &[(Array, usize, Register)]) -> Vec<ArrayOfCode> {
    let read =
        tape.inputs.iter().map(|&Run { array, is_result, first, length, .. }| (array, is_result, first + length));
    let stored = outputs.iter().map(|&(array, index, _)| (array, true, index + 1));
    let mut arrays: Vec<ArrayOfCode> = Vec::new();
    for (array, is_result, length) in read.chain(stored) {
        match arrays.iter_mut().find(|own| own.array == array && own.is_result == is_result) {
            Some(own) => own.length = own.length.max(length),
            None => arrays.push(ArrayOfCode { array, is_result, length }),
        }
    }
    arrays
}

/// Number of registers that an instruction needs between its operations.
const TEMPORARY: usize = 2;

/// Number of registers of machine code: those of the tape, conditions, and what is temporary.
pub(crate) fn registers(tape: &Tape) -> usize {
    tape.registers + tape.masks + TEMPORARY
}

/// A tape on the way to steps of a sequence.
struct Translation<'a> {
    tape: &'a Tape,
    selected: &'a SelectedParameters,
    steps: Vec<Step>,
    calls: Vec<(Operation, Vec<Register>)>,
    /// Number of arguments and results of calls.
    cells: Place,
}

impl Translation<'_> {
    /// Translates the batches that the selection does not skip.
    fn batches(&mut self) {
        let mut all = batches(self.tape);
        while let Some((operation, words)) = all.next() {
            match (operation, words) {
                (Operation::Guard, &[parameter, batches, _]) => {
                    if !self.selected.contains(parameter as usize) {
                        all.by_ref().take(batches as usize).for_each(|_| {});
                    }
                }
                (Operation::Guard, _) => {}
                _ => match arithmetic(self.tape, self.selected, operation, words) {
                    Some(instructions) => self.steps.extend(instructions.into_iter().map(Step::Instruction)),
                    None => self.call(operation, words),
                },
            }
        }
    }

    /// Calls a batch, with its operands in numbers of their own.
    fn call(&mut self, operation: Operation, words: &[Register]) {
        let mut call = Call { function: self.calls.len() as u32, cells: self.cells, ..Call::default() };
        let roles = roles(self.tape, operation, words);
        for (&word, role) in words.iter().zip(&roles) {
            match role {
                Role::Argument => call.arguments.push(word),
                Role::Result => call.results.push(word),
                Role::Other => {}
            }
        }
        let mut arguments = call.cells..;
        let mut results = call.cells + call.arguments.len() as Place..;
        let own = words.iter().zip(&roles).filter_map(|(&word, role)| match role {
            Role::Argument => arguments.next(),
            Role::Result => results.next(),
            Role::Other => Some(word),
        });
        self.calls.push((operation, own.collect()));
        self.cells += (call.arguments.len() + call.results.len()) as Place;
        self.steps.push(Step::Call(call));
    }
}

/// The part that an operand of a batch has.
#[derive(Debug, Clone, Copy)]
enum Role {
    Argument,
    Result,
    Other,
}

/// Returns the role of every operand of a batch that is called.
fn roles(tape: &Tape, operation: Operation, words: &[Register]) -> Vec<Role> {
    use Role::{Argument, Other, Result};
    let each: &[Role] = match operation {
        Operation::SinCos | Operation::SinCosEach => &[Result, Result, Argument],
        Operation::Power | Operation::Atan2 => &[Result, Argument, Argument],
        Operation::PowerInteger => &[Result, Argument, Other],
        Operation::Lookup => {
            let mut roles = Vec::with_capacity(words.len());
            while let Some(&position) = words.get(roles.len()) {
                let Lookup { arguments, orders, .. } = &tape.lookups[position as usize];
                roles.push(Other);
                roles.extend(std::iter::repeat_n(Argument, *arguments));
                roles.extend(std::iter::repeat_n(Result, orders.len()));
            }
            return roles;
        }
        _ => &[Result, Argument],
    };
    each.iter().copied().cycle().take(words.len()).collect()
}

/// Returns the instructions of a batch of arithmetic.
fn arithmetic(
    tape: &Tape,
    selected: &SelectedParameters,
    operation: Operation,
    operands: &[Register],
) -> Option<Vec<Instruction>> {
    let mask = |register: Register| register + tape.registers as Place;
    let [first, second] = [0, 1].map(|i| (tape.registers + tape.masks + i) as Place);
    let mut instructions = Vec::with_capacity(operands.len() / 2);
    let mut push = |operation, to: Place, given: &[Place]| {
        let mut arguments = [0; 3];
        arguments[..given.len()].copy_from_slice(given);
        instructions.push(Instruction { operation, to, arguments });
    };
    macro_rules! each {
        (|[$($operand:ident),+]| $body:expr) => {
            for &[$($operand),+] in operands.as_chunks().0 {
                $body
            }
        };
    }
    match operation {
        Operation::Copy => each!(|[to, a]| push(Machine::Copy, to, &[a])),
        Operation::Choose => each!(|[to, yes, no, parameter]| {
            push(Machine::Copy, to, &[if selected.contains(parameter as usize) { yes } else { no }]);
        }),
        Operation::Negate => each!(|[to, a]| push(Machine::Negate, to, &[a])),
        Operation::Abs => each!(|[to, a]| push(Machine::Abs, to, &[a])),
        Operation::Sqrt => each!(|[to, a]| push(Machine::Sqrt, to, &[a])),
        Operation::Add => each!(|[to, a, b]| push(Machine::Add, to, &[a, b])),
        Operation::Subtract => each!(|[to, a, b]| push(Machine::Subtract, to, &[a, b])),
        Operation::Multiply => each!(|[to, a, b]| push(Machine::Multiply, to, &[a, b])),
        Operation::Divide => each!(|[to, a, b]| push(Machine::Divide, to, &[a, b])),
        // only builds that fuse have them
        Operation::PlusProduct => each!(|[to, s, a, b]| push(Machine::FusedAdd, to, &[a, b, s])),
        Operation::MinusProduct => each!(|[to, s, a, b]| push(Machine::FusedSubtract, to, &[a, b, s])),
        Operation::AddProduct => each!(|[to, s, a, b]| {
            push(Machine::Multiply, first, &[a, b]);
            push(Machine::Add, to, &[s, first]);
        }),
        Operation::SubtractProduct => each!(|[to, s, a, b]| {
            push(Machine::Multiply, first, &[a, b]);
            push(Machine::Subtract, to, &[s, first]);
        }),
        Operation::ProductLess => each!(|[to, s, a, b]| {
            push(Machine::Multiply, first, &[a, b]);
            push(Machine::Subtract, to, &[first, s]);
        }),
        Operation::MultiplyThree => each!(|[to, a, b, c]| {
            push(Machine::Multiply, first, &[a, b]);
            push(Machine::Multiply, to, &[first, c]);
        }),
        Operation::PowerInteger => {
            /// Largest exponent that is multiplied out: models have squares and cubes.
            const MAX_EXPONENT: i32 = 64;
            let mut exponents = operands.as_chunks::<3>().0.iter().map(|&[_, _, n]| tape.exponents[n as usize]);
            if !exponents.all(|exponent| (1..=MAX_EXPONENT).contains(&exponent)) {
                return None;
            }
            // by squares, in the order of the compiler's library
            each!(|[to, a, n]| {
                let (mut power, mut product, mut exponent) = (a, None, tape.exponents[n as usize]);
                loop {
                    if exponent % 2 == 1 {
                        match product.replace(second) {
                            None => push(Machine::Copy, second, &[power]),
                            Some(product) => push(Machine::Multiply, second, &[product, power]),
                        }
                    }
                    exponent /= 2;
                    if exponent == 0 {
                        break;
                    }
                    push(Machine::Multiply, first, &[power, power]);
                    power = first;
                }
                push(Machine::Copy, to, &[second]);
            });
        }
        Operation::Less => each!(|[to, a, b]| push(Machine::Less, mask(to), &[a, b])),
        Operation::LessEqual => each!(|[to, a, b]| push(Machine::LessEqual, mask(to), &[a, b])),
        Operation::Equal => each!(|[to, a, b]| push(Machine::Equal, mask(to), &[a, b])),
        Operation::And => each!(|[to, a, b]| push(Machine::And, mask(to), &[mask(a), mask(b)])),
        Operation::Or => each!(|[to, a, b]| push(Machine::Or, mask(to), &[mask(a), mask(b)])),
        Operation::Not => each!(|[to, a]| push(Machine::Not, mask(to), &[mask(a)])),
        Operation::Select => {
            each!(|[to, condition, yes, no]| push(Machine::Select, to, &[mask(condition), yes, no]));
        }
        _ => return None,
    }
    Some(instructions)
}
