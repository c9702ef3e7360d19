//! Machine code of straight-line arithmetic, assembled while a program runs.
//!
//! A [`Sequence`] of arithmetic and of calls reads and writes *places*: numbers of its own, and entries of arrays
//! that stay where they are. [`Code::assemble`] orders it so that few values wait, gives values the registers of the
//! processor, and writes machine code for plain numbers or for lanes of four; [`Code::call`] executes it. The results
//! are those of the steps one after the other, to the bit: nothing is regrouped, and products are fused with sums
//! only where an instruction says so. What is no arithmetic is a [`Call`] of a function that whoever executes the
//! code gives.
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

pub use code::{Code, Execution};
pub use instruction::{Call, Instruction, Layout, Misfit, Operation, Place, Sequence, Shape, Step};
