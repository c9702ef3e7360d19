//! Executable memory, and the call of what is in it.

mod allocation;
mod encoder;
mod order;

use std::any::TypeId;
use std::marker::PhantomData;

use costate_numerics::scalar::{Entries, LANES, Lanes, Scalar};
use memmap2::{Mmap, MmapMut};

use self::allocation::encode;
use self::encoder::{Encoder, Width};
use self::order::ordered;
use crate::instruction::{Misfit, Place, Sequence, Shape, Step};

/// Largest number of arrays of a sequence.
const MAX_ARRAYS: usize = 16;

/// An executable sequence for one type of numbers.
#[derive(Debug)]
pub struct Code {
    memory: Mmap,
    /// The beginning of the function.
    entry: usize,
    kind: TypeId,
    numbers: usize,
    arrays: Vec<Array>,
}

#[derive(Debug)]
struct Array {
    shape: Shape,
    /// True if the sequence writes to it.
    is_filled: bool,
}

impl Code {
    /// Assembles a sequence for numbers of this type, `f64` or [`Lanes`]. `None` for other numbers, a processor without
    /// the instructions, a system that grants no executable memory, too many arrays, and places that do not exist.
    pub fn assemble<S: Scalar>(sequence: &Sequence) -> Option<Self> {
        let kind = TypeId::of::<S>();
        let width = if kind == TypeId::of::<f64>() {
            Width::One
        } else if kind == TypeId::of::<Lanes>() {
            Width::Four
        } else {
            return None;
        };
        let has_instructions =
            Lanes::are_available() && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let Sequence { layout, steps, kept } = sequence;
        // lanes of lanes do not exist
        let are_single = width == Width::One || layout.shapes().all(|shape| !shape.is_lane);
        // offsets in bytes have 32 bits
        let is_short = steps.len() < 1 << 20 && layout.shapes().len() <= MAX_ARRAYS;
        if !has_instructions || !are_single || !is_short || !fits(sequence) {
            return None;
        }
        let mut encoder = Encoder::new(width);
        let entry = encoder.bytes.len();
        let scratch = encode(&ordered(sequence), layout, &mut encoder);
        let mut memory = MmapMut::map_anon(encoder.bytes.len()).ok()?;
        memory.copy_from_slice(&encoder.bytes);
        let mut arrays: Vec<Array> = layout.shapes().map(|shape| Array { shape, is_filled: false }).collect();
        for (array, ..) in kept.iter().filter_map(|&place| layout.entry(place)) {
            arrays[array].is_filled = true;
        }
        let numbers = (layout.numbers() + scratch) as usize;
        Some(Self { memory: memory.make_exec().ok()?, entry, kind, numbers, arrays })
    }

    /// Returns the length of the numbers that [`call`](Self::call) needs: those of the sequence and some after them.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// Begins a call with these numbers.
    #[inline(always)]
    pub fn call<'a, S: Scalar>(&'a self, numbers: &'a mut [S]) -> Execution<'a, S> {
        let arrays = [std::ptr::null_mut(); MAX_ARRAYS];
        Execution { code: self, numbers, arrays, count: 0, misfit: None, lent: PhantomData }
    }
}

/// A call that is given its arrays, in the order of the layout.
#[derive(Debug)]
pub struct Execution<'a, S> {
    code: &'a Code,
    numbers: &'a mut [S],
    arrays: [*mut S; MAX_ARRAYS],
    count: usize,
    /// The first array that does not fit the code, with its length.
    misfit: Option<(usize, usize)>,
    lent: PhantomData<&'a mut [S]>,
}

impl<'a, S: Scalar> Execution<'a, S> {
    /// Gives the next array, to which the sequence does not write.
    #[inline(always)]
    pub fn given(&mut self, entries: Entries<'a, S>) {
        match entries {
            Entries::Array(array) => {
                let shape = Shape { length: array.len(), is_lane: false };
                self.push(array.as_ptr().cast_mut(), shape, false);
            }
            // plain numbers four apart
            Entries::Lane(lanes, lane) => {
                let shape = Shape { length: if lane < LANES { lanes.len() } else { 0 }, is_lane: true };
                self.push(lanes.as_ptr().cast::<S>().wrapping_add(lane).cast_mut(), shape, false);
            }
        }
    }

    /// Gives the next array, to which the sequence may write.
    #[inline(always)]
    pub fn filled(&mut self, entries: &'a mut [S]) {
        self.push(entries.as_mut_ptr(), Shape { length: entries.len(), is_lane: false }, true);
    }

    #[inline(always)]
    fn push(&mut self, entries: *mut S, Shape { length, is_lane }: Shape, is_filled: bool) {
        match (self.code.arrays.get(self.count), self.arrays.get_mut(self.count)) {
            (Some(Array { shape, is_filled: fills }), Some(to))
                if shape.length <= length && shape.is_lane == is_lane && (is_filled || !fills) =>
            {
                *to = entries;
            }
            _ => self.misfit = self.misfit.or(Some((self.count, length))),
        }
        self.count += 1;
    }

    /// Executes the sequence; `function` does its calls, with the numbers.
    ///
    /// # Errors
    /// [`Misfit`], after which nothing was done.
    #[inline(always)]
    pub fn run<F: FnMut(u32, &mut [S])>(self, function: F) -> Result<(), Misfit> {
        if let Some((array, found)) = self.misfit {
            return Err(Misfit::Array { array, found });
        }
        let is_complete = self.count == self.code.arrays.len();
        if !is_complete || self.numbers.len() < self.code.numbers || TypeId::of::<S>() != self.code.kind {
            return Err(Misfit::Call);
        }
        let mut context = Context { trampoline: trampoline::<S, F>, length: self.numbers.len(), function };
        // SAFETY: the memory is executable from the entry on, and holds a function of this signature, which the encoder
        // ends by a return. It uses no instructions but those that the processor was found to have, and keeps the
        // registers that a callee keeps. It uses no memory but its stack, the first `numbers` numbers, and of every
        // array the first `length` entries, to which it writes only if the array was given as one to be filled: every
        // operand was checked when the code was assembled, every length when it was given, and all of them are
        // borrowed until the call returns. Plain numbers are 8 bytes apart, those of one lane and lanes 32, which is
        // the size of their types. The context is of the type of its trampoline.
        unsafe {
            let function: extern "sysv64" fn(*mut S, *const *mut S, *mut Context<S, F>) =
                std::mem::transmute(self.code.memory.as_ptr().add(self.code.entry));
            function(self.numbers.as_mut_ptr(), self.arrays.as_ptr(), &raw mut context);
        }
        Ok(())
    }
}

/// The function that code calls, at the address where it is looked up, and what it needs.
#[repr(C)]
struct Context<S, F> {
    trampoline: extern "sysv64" fn(*mut Self, u32, *mut S),
    length: usize,
    function: F,
}

/// Passes a call on. It does not unwind: a panic ends the program.
extern "sysv64" fn trampoline<S, F: FnMut(u32, &mut [S])>(context: *mut Context<S, F>, function: u32, numbers: *mut S) {
    // SAFETY: only code calls this, with the context that `Execution::run` has given it and that nobody else uses while
    // it runs, and with the numbers of that call, of that length.
    let (context, numbers) = unsafe {
        let context = &mut *context;
        (&mut context.function, std::slice::from_raw_parts_mut(numbers, context.length))
    };
    context(function, numbers);
}

const _: () = assert!(size_of::<Lanes>() == 32, "lanes are four numbers");

/// Checks that all places exist, that entries are written as they are after the sequence alone, and read as they are
/// before it.
fn fits(sequence: &Sequence) -> bool {
    let Sequence { layout, steps, kept } = sequence;
    let mut is_written = vec![false; layout.end() as usize];
    let is_readable = |is_written: &[bool], place: Place| match layout.entry(place) {
        _ if place >= layout.end() => false,
        Some((.., true)) => is_written[place as usize],
        _ => true,
    };
    let is_writable = |place: Place| place < layout.end() && !matches!(layout.entry(place), Some((.., false)));
    for step in steps {
        match step {
            Step::Instruction(instruction) => {
                let arguments = &instruction.arguments[..instruction.operation.arguments()];
                if !arguments.iter().all(|&place| is_readable(&is_written, place)) || !is_writable(instruction.to) {
                    return false;
                }
                is_written[instruction.to as usize] = true;
            }
            Step::Call(call) => {
                let cells = call.arguments.len() + call.results.len();
                let is_cell = cells <= (layout.numbers() as usize).saturating_sub(call.cells as usize);
                let are_places = call.arguments.iter().all(|&place| is_readable(&is_written, place))
                    && call.results.iter().all(|&place| is_writable(place));
                if !is_cell || !are_places {
                    return false;
                }
                call.results.iter().for_each(|&place| is_written[place as usize] = true);
            }
        }
    }
    // an array is filled where it was written
    kept.iter().all(|&place| is_writable(place) && is_readable(&is_written, place))
}
