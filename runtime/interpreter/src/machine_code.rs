//! Machine code of tapes: batches of arithmetic that follow one another are a sequence, the others are interpreted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use costate_machine::{Code, Instruction, Operation as Machine, Place, Sequence};

use crate::tape::{Batch, Lookup, Operation, Register, Tape};

/// The arithmetic of a tape as machine code.
#[derive(Debug)]
pub(crate) struct MachineCode {
    /// The batches of each sequence of the code, in order.
    pub segments: Vec<Segment>,
    /// True if the tape is one sequence.
    pub is_whole: bool,
    pub code: Code,
}

/// The machine code of a tape, once it is needed; tapes are the same whether they have it or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assembled(OnceLock<Option<Arc<MachineCode>>>);

/// The machine code of all tapes, by what it depends on. Parts of tapes are kept once, so that their places tell them
/// apart; numbers are no part of code, which therefore stays where the constants of a model are edited.
type All = HashMap<[usize; 8], Option<Arc<MachineCode>>>;

static ALL: Mutex<Option<All>> = Mutex::new(None);

impl Assembled {
    /// Has no machine code, and makes none.
    pub fn none() -> Self {
        Self(OnceLock::from(None))
    }

    /// Returns the machine code of the tape to which this belongs.
    pub fn of(&self, tape: &Tape) -> Option<&MachineCode> {
        let assembled = self.0.get_or_init(|| {
            let key = [
                tape.batches.as_ptr().addr(),
                tape.operands.as_ptr().addr(),
                tape.outputs.as_ptr().addr(),
                tape.selected_outputs.as_ptr().addr(),
                tape.exponents.as_ptr().addr(),
                tape.lookups.as_ptr().addr(),
                tape.registers,
                tape.masks,
            ];
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            all.get_or_insert_default().entry(key).or_insert_with(|| MachineCode::of(tape).map(Arc::new)).clone()
        });
        assembled.as_deref()
    }
}

impl PartialEq for Assembled {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Assembled {}

/// Batches that follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The first batch.
    pub first: usize,
    /// Number of batches.
    pub batches: usize,
    /// Number of their operands.
    pub words: usize,
}

impl MachineCode {
    /// Assembles the arithmetic of a tape; `None` on a machine for which there is no code, and where there is nothing
    /// to assemble.
    pub fn of(tape: &Tape) -> Option<Self> {
        let steps = steps(tape);
        let mut live = live_at_end(tape);
        let (mut segments, mut sequences) = (Vec::new(), Vec::new());
        for Step { segment, is_guarded, work } in steps.into_iter().rev() {
            match work {
                Work::Arithmetic(instructions) => {
                    let written = instructions.iter().map(|instruction| instruction.to);
                    let mut kept: Vec<Place> = written.filter(|&to| live.get(to as usize) == Some(&true)).collect();
                    kept.sort_unstable();
                    kept.dedup();
                    for Instruction { operation, to, arguments } in instructions.iter().rev() {
                        go_back(&mut live, is_guarded, &[*to], &arguments[..operation.arguments()]);
                    }
                    sequences.push(Sequence { instructions, kept });
                    segments.push(segment);
                }
                Work::Interpreted { writes, reads } => go_back(&mut live, is_guarded, &writes, &reads),
            }
        }
        segments.reverse();
        sequences.reverse();
        let places = Place::try_from(places(tape)).ok().filter(|_| !segments.is_empty())?;
        let is_whole = segments.len() == 1 && segments[0].batches == tape.batches.len();
        Some(Self { code: Code::assemble(&sequences, places)?, is_whole, segments })
    }
}

/// Number of places of numbers that an instruction needs between its operations.
const TEMPORARY: usize = 2;

/// Number of places: registers, conditions, and what is temporary.
fn places(tape: &Tape) -> usize {
    tape.registers + tape.masks + TEMPORARY
}

/// Places that are read after the function.
fn live_at_end(tape: &Tape) -> Vec<bool> {
    let mut live = vec![false; tape.registers + tape.masks];
    for run in tape.outputs {
        live[run.register as usize..][..run.length].fill(true);
    }
    tape.selected_outputs.iter().for_each(|output| live[output.register as usize] = true);
    live
}

/// Batches that are done together.
struct Step {
    segment: Segment,
    /// True for batches that are skipped without a selection.
    is_guarded: bool,
    work: Work,
}

enum Work {
    Arithmetic(Vec<Instruction>),
    Interpreted { writes: Vec<Place>, reads: Vec<Place> },
}

/// Goes back over an instruction: places that are live after it become those that are live before.
fn go_back(live: &mut [bool], is_guarded: bool, writes: &[Place], reads: &[Place]) {
    for (places, is_live) in [(writes, false), (reads, true)] {
        for place in places.iter().filter(|_| is_live || !is_guarded) {
            // temporary numbers come after those that may be live
            live.get_mut(*place as usize).into_iter().for_each(|live| *live = is_live);
        }
    }
}

/// Divides a tape into arithmetic and what is interpreted.
fn steps(tape: &Tape) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut left = tape.operands;
    // batches before these ends are guarded; a sequence does not go beyond one
    let mut ends: Vec<usize> = Vec::new();
    for (first, batch) in tape.batches.iter().enumerate() {
        let (now, rest) = left.split_at(batch.words as usize);
        left = rest;
        let is_boundary = ends.contains(&first);
        ends.retain(|&end| end > first);
        let segment = Segment { first, batches: 1, words: now.len() };
        let arithmetic = arithmetic(tape, batch, now);
        if let (&Operation::Guard, &[_, batches, _]) = (&batch.operation, now) {
            ends.push(first + 1 + batches as usize);
        }
        let is_guarded = !ends.is_empty();
        match (arithmetic, steps.last_mut()) {
            (Some(more), Some(Step { segment, work: Work::Arithmetic(instructions), .. })) if !is_boundary => {
                instructions.extend(more);
                segment.batches += 1;
                segment.words += now.len();
            }
            (Some(instructions), _) => {
                steps.push(Step { segment, is_guarded, work: Work::Arithmetic(instructions) });
            }
            (None, _) => steps.push(Step { segment, is_guarded, work: accesses(tape, batch, now) }),
        }
    }
    steps
}

/// Returns the registers that an interpreted batch writes and reads, none of which are conditions.
fn accesses(tape: &Tape, batch: &Batch, mut operands: &[Register]) -> Work {
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    let (results, arguments, others) = match batch.operation {
        Operation::Guard => return Work::Interpreted { writes, reads },
        Operation::SinCos | Operation::SinCosEach => (2, 1, 0),
        Operation::Power | Operation::Atan2 => (1, 2, 0),
        Operation::PowerInteger => (1, 1, 1),
        Operation::Choose => (1, 2, 1),
        Operation::Lookup => {
            while let Some((&position, rest)) = operands.split_first() {
                let Lookup { arguments, orders, .. } = &tape.lookups[position as usize];
                let (arguments, rest) = rest.split_at(*arguments);
                let (results, rest) = rest.split_at(orders.len());
                writes.extend(results);
                reads.extend(arguments);
                operands = rest;
            }
            return Work::Interpreted { writes, reads };
        }
        _ => (1, 1, 0),
    };
    for words in operands.chunks_exact(results + arguments + others) {
        writes.extend(&words[..results]);
        reads.extend(&words[results..results + arguments]);
    }
    Work::Interpreted { writes, reads }
}

/// Returns the instructions of a batch of arithmetic.
fn arithmetic(tape: &Tape, batch: &Batch, operands: &[Register]) -> Option<Vec<Instruction>> {
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
    match batch.operation {
        Operation::Copy => each!(|[to, a]| push(Machine::Copy, to, &[a])),
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
