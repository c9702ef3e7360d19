//! Executable memory, and the call of what is in it.

mod allocation;
mod encoder;
mod order;

use std::any::TypeId;

use costate_numerics::scalar::{Lanes, Scalar};
use memmap2::{Mmap, MmapMut};

use self::allocation::encode;
use self::encoder::{Encoder, Width};
use self::order::{NONE, ordered};
use crate::instruction::{Instruction, Place, Sequence};

/// Executable sequences.
#[derive(Debug)]
pub struct Code {
    memory: Mmap,
    /// Beginnings of the sequences, for plain numbers and for lanes.
    entries: Vec<[usize; 2]>,
    places: usize,
}

impl Code {
    /// Assembles sequences that work on `places` numbers. `None` for a processor without the instructions, a system
    /// that grants no executable memory, and places that do not exist.
    pub fn assemble(sequences: &[Sequence], places: Place) -> Option<Self> {
        let has_instructions =
            Lanes::are_available() && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        // offsets in bytes have 32 bits
        let is_short = places < 1 << 24 && sequences.iter().all(|sequence| sequence.instructions.len() < 1 << 20);
        if !has_instructions || !is_short || !sequences.iter().all(|sequence| fits(sequence, places)) {
            return None;
        }
        let mut values = vec![NONE; places as usize];
        let ordered: Vec<_> = sequences.iter().map(|sequence| ordered(sequence, &mut values)).collect();
        let mut entries = vec![[0; 2]; sequences.len()];
        let (mut bytes, mut scratch) = (Vec::new(), 0);
        for (kind, width) in [Width::One, Width::Four].into_iter().enumerate() {
            let (mut encoder, begin) = (Encoder::new(width), bytes.len());
            for (ordered, entries) in ordered.iter().zip(&mut entries) {
                entries[kind] = begin + encoder.bytes.len();
                scratch = encode(ordered, places, &mut encoder).max(scratch);
            }
            bytes.extend(encoder.bytes);
            // constants at whole lines of the cache
            bytes.resize(bytes.len().next_multiple_of(64), 0xcc);
        }
        let mut memory = MmapMut::map_anon(bytes.len()).ok()?;
        memory.copy_from_slice(&bytes);
        Some(Self { memory: memory.make_exec().ok()?, entries, places: (places + scratch) as usize })
    }

    /// Returns the number of places that [`run`](Self::run) needs: those of the sequences and some after them.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Executes a sequence on these numbers. Returns `false`, and does nothing, for other numbers than `f64` and
    /// [`Lanes`], fewer than [`places`](Self::places), and a sequence that does not exist.
    #[inline(always)]
    pub fn run<S: Scalar>(&self, sequence: usize, numbers: &mut [S]) -> bool {
        let of = TypeId::of::<S>();
        let kind = if of == TypeId::of::<f64>() {
            0
        } else if of == TypeId::of::<Lanes>() {
            1
        } else {
            return false;
        };
        if numbers.len() < self.places {
            return false;
        }
        let Some(entry) = self.entries.get(sequence).and_then(|entries| self.memory.get(entries[kind]..)) else {
            return false;
        };
        // SAFETY: the memory is executable from this entry on, and holds a function of this signature, which the
        // encoder ends by a return. It uses no instructions but those that the processor was found to have, changes no
        // registers but vectors and flags, which a callee may change, and no memory but the first `places` numbers:
        // every operand was checked to be smaller when the code was assembled, and the slice has that many. Plain
        // numbers are 8 bytes apart and lanes 32, which is the size of their types.
        unsafe {
            let function: extern "sysv64" fn(*mut S) = std::mem::transmute(entry.as_ptr());
            function(numbers.as_mut_ptr());
        }
        true
    }
}

const _: () = assert!(size_of::<Lanes>() == 32, "lanes are four numbers");

fn fits(sequence: &Sequence, places: Place) -> bool {
    let of = |instruction: &Instruction| {
        let Instruction { operation, to, arguments } = instruction;
        *to < places && arguments[..operation.arguments()].iter().all(|&place| place < places)
    };
    sequence.instructions.iter().all(of) && sequence.kept.iter().all(|&place| place < places)
}
