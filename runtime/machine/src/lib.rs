//! Machine code of straight-line arithmetic, assembled while a program runs.
//!
//! A [`Sequence`] of [`Instruction`]s reads and writes *places*, numbers in one array. [`Code::assemble`] orders the
//! instructions of each sequence so that few values wait, gives values the registers of the processor, and writes
//! machine code for plain numbers and for lanes of four; [`Code::run`] executes it. The results are those of the
//! operations one after the other, to the bit: nothing is regrouped, and products are fused with sums only where an
//! instruction says so.
//!
//! Code is there for processors of the x86-64 family with AVX2 and fused products. Elsewhere, and where the operating
//! system grants no executable memory, [`Code::assemble`] returns `None`, and whoever calls it interprets.
//!
//! - `instruction`: what is computed;
//! - `code`: executable memory, and the call. Below it, each knows only those before it: `order`, values and the order
//!   in which they are computed; `encoder`, the bytes of instructions of the processor; `allocation`, values in its
//!   registers;
//! - `none`, in the place of `code` for other processors.

#[cfg_attr(not(target_arch = "x86_64"), path = "none.rs")]
mod code;
mod instruction;

pub use code::Code;
pub use instruction::{Instruction, Operation, Place, Sequence};
