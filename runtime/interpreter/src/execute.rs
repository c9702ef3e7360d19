//! Execution of a tape.

use costate_compiler::program::Array;
use costate_numerics::scalar::{LANES, Scalar, Work};
use costate_system::model::SelectedParameters;
use costate_system::table::AnyTable;

use crate::arrays::{Given, Results};
use crate::lookup::look_up;
use crate::tape::{Lookup, Operation, Register, Run, Tape};
use crate::workspace::Workspace;

/// Arguments that do not fit a function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecutionError {
    /// An array that is too short.
    #[error("`{function}` needs {needed} entries of {array:?}, and is given {found}")]
    TooShort {
        /// Name of the function.
        function: &'static str,
        /// The array.
        array: Array,
        /// Number of entries that are given.
        found: usize,
        /// Fewest entries.
        needed: usize,
    },
    /// Registers of another tape.
    #[error(
        "the workspace belongs to another function than `{function}`: create it with `Workspace::new(&tape, \
             &constants)`"
    )]
    OtherWorkspace {
        /// Name of the function.
        function: &'static str,
    },
    /// A table that is missing, or has another number of arguments.
    #[error("`{function}` needs a table of {arguments} arguments at position {table}")]
    NoTable {
        /// Name of the function.
        function: &'static str,
        /// Position of the table.
        table: usize,
        /// Number of arguments.
        arguments: usize,
    },
}

impl Tape {
    /// Executes the function. Entries that it does not fill keep their values.
    ///
    /// # Errors
    /// [`ExecutionError`] for arrays that are too short, missing tables, and the workspace of another tape. Results may
    /// be filled in part then.
    pub fn execute<S: Scalar>(
        &self,
        workspace: &mut Workspace<S>,
        given: &Given<'_, S>,
        results: &mut Results<'_, S>,
        tables: &[AnyTable],
        selected: &SelectedParameters,
    ) -> Result<(), ExecutionError> {
        self.check(workspace, tables)?;
        for run in self.inputs.iter() {
            if given.is_filled && is_filled(run) {
                continue;
            }
            let from = if run.is_result { &*results.array(run.array) } else { given.array(run.array) };
            let Some(from) = from.get(run.first..run.first + run.length) else {
                return Err(self.too_short(run.array, from.len(), run.first + run.length));
            };
            let start = run.register as usize;
            workspace.registers[start..start + run.length].copy_from_slice(from);
        }
        let whole = self.machine_code::<S>().filter(|machine_code| machine_code.is_whole);
        if !whole.is_some_and(|machine_code| machine_code.code.run(0, &mut workspace.registers)) {
            S::dispatch(Batches { tape: self, workspace, tables, selected });
        }
        for run in self.outputs.iter() {
            let start = run.register as usize;
            let from = &workspace.registers[start..start + run.length];
            let to = results.array(run.array);
            let found = to.len();
            let Some(to) = to.get_mut(run.first..run.first + run.length) else {
                return Err(self.too_short(run.array, found, run.first + run.length));
            };
            to.copy_from_slice(from);
        }
        for output in self.selected_outputs.iter().filter(|output| selected.contains(output.parameter)) {
            let to = results.array(output.array);
            let found = to.len();
            let Some(to) = to.get_mut(output.index) else {
                return Err(self.too_short(output.array, found, output.index + 1));
            };
            *to = workspace.registers[output.register as usize];
        }
        Ok(())
    }

    /// Fills the registers of an array of which [`Given::is_filled`] says so.
    #[inline(always)]
    pub(crate) fn fill<S: Scalar>(&self, workspace: &mut Workspace<S>, array: Array, at: impl Fn(usize) -> S) {
        for run in self.inputs.iter().filter(|run| run.array == array && is_filled(run)) {
            let registers = &mut workspace.registers[run.register as usize..][..run.length];
            for (register, i) in registers.iter_mut().zip(run.first..) {
                *register = at(i);
            }
        }
    }

    fn check<S: Scalar>(&self, workspace: &Workspace<S>, tables: &[AnyTable]) -> Result<(), ExecutionError> {
        let function = self.name;
        if workspace.registers.len() != self.registers_of::<S>() || workspace.masks.0.len() != self.masks {
            return Err(ExecutionError::OtherWorkspace { function });
        }
        if let Some(last) = self.constants.last()
            && workspace.constants < last.first + last.length
        {
            return Err(self.too_short(Array::Constants, workspace.constants, last.first + last.length));
        }
        for Lookup { table, arguments, .. } in self.lookups.iter() {
            let found = tables.get(*table).map(|table| match table {
                AnyTable::Curve(_) => 1,
                AnyTable::Surface(_) => 2,
            });
            if found != Some(*arguments) {
                return Err(ExecutionError::NoTable { function, table: *table, arguments: *arguments });
            }
        }
        Ok(())
    }

    fn too_short(&self, array: Array, found: usize, needed: usize) -> ExecutionError {
        ExecutionError::TooShort { function: self.name, array, found, needed }
    }
}

/// Checks whether entries may be in their registers before a call.
fn is_filled(run: &Run) -> bool {
    matches!(run.array, Array::Factors | Array::AdjointCoefficients) && !run.is_result
}

/// The batches of a tape, with their working memory.
struct Batches<'a, S: Scalar> {
    tape: &'a Tape,
    workspace: &'a mut Workspace<S>,
    tables: &'a [AnyTable],
    selected: &'a SelectedParameters,
}

/// Does something for all instructions, each with this number of operands.
macro_rules! each {
    ($operands:expr, |[$($operand:ident),+]| $body:expr) => {
        for &[$($operand),+] in $operands.as_chunks().0 {
            $(let $operand = $operand as usize;)+
            $body
        }
    };
}

impl<S: Scalar> Work for Batches<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, workspace, tables, selected } = self;
        let r = &mut workspace.registers[..];
        let masks = &mut workspace.masks.0[..];
        let mut left = tape.operands;
        let machine_code = tape.machine_code::<S>();
        let mut segments = machine_code.into_iter().flat_map(|code| &code.segments).zip(0..).peekable();
        let mut at = 0;
        while let Some(batch) = tape.batches.get(at) {
            if let Some((segment, sequence)) = segments.next_if(|(segment, _)| segment.first == at)
                && machine_code.is_some_and(|machine_code| machine_code.code.run(sequence, r))
            {
                at += segment.batches;
                left = &left[segment.words..];
                continue;
            }
            at += 1;
            let (now, rest) = left.split_at(batch.words as usize);
            left = rest;
            macro_rules! unary {
                ($method:ident) => {
                    each!(now, |[to, a]| r[to] = r[a].$method())
                };
            }
            match batch.operation {
                Operation::Copy => each!(now, |[to, a]| r[to] = r[a]),
                Operation::Negate => each!(now, |[to, a]| r[to] = -r[a]),
                Operation::Add => each!(now, |[to, a, b]| r[to] = r[a] + r[b]),
                Operation::Subtract => each!(now, |[to, a, b]| r[to] = r[a] - r[b]),
                Operation::Multiply => each!(now, |[to, a, b]| r[to] = r[a] * r[b]),
                Operation::Divide => each!(now, |[to, a, b]| r[to] = r[a] / r[b]),
                Operation::PlusProduct => each!(now, |[to, s, a, b]| r[to] = r[s].plus_product(r[a], r[b])),
                Operation::MinusProduct => {
                    each!(now, |[to, s, a, b]| r[to] = r[s].minus_product(r[a], r[b]));
                }
                Operation::AddProduct => each!(now, |[to, s, a, b]| r[to] = r[s] + r[a] * r[b]),
                Operation::SubtractProduct => each!(now, |[to, s, a, b]| r[to] = r[s] - r[a] * r[b]),
                Operation::ProductLess => each!(now, |[to, s, a, b]| r[to] = r[a] * r[b] - r[s]),
                Operation::MultiplyThree => each!(now, |[to, a, b, c]| r[to] = r[a] * r[b] * r[c]),
                Operation::PowerInteger => {
                    each!(now, |[to, a, n]| r[to] = r[a].powi(tape.exponents[n]));
                }
                Operation::Power => each!(now, |[to, a, b]| r[to] = r[a].powf(r[b])),
                Operation::Atan2 => each!(now, |[to, y, x]| r[to] = r[y].atan2(r[x])),
                Operation::Sin => unary!(sin),
                Operation::Cos => unary!(cos),
                Operation::Tan => unary!(tan),
                Operation::Asin => unary!(asin),
                Operation::Acos => unary!(acos),
                Operation::Atan => unary!(atan),
                Operation::Sinh => unary!(sinh),
                Operation::Cosh => unary!(cosh),
                Operation::Tanh => unary!(tanh),
                Operation::SechSquared => unary!(sech_squared),
                Operation::Exp => unary!(exp),
                Operation::Ln => unary!(ln),
                Operation::Log10 => unary!(log10),
                Operation::Sqrt => unary!(sqrt),
                Operation::Abs => unary!(abs),
                Operation::Sign => unary!(sign),
                Operation::SinCos => each!(now, |[sin, cos, a]| (r[sin], r[cos]) = r[a].sin_cos()),
                Operation::SinCosEach => sin_cos_each(now, r),
                Operation::ExpEach => exp_each(now, r),
                Operation::Less => each!(now, |[to, a, b]| masks[to] = r[a].less(r[b])),
                Operation::LessEqual => each!(now, |[to, a, b]| masks[to] = r[a].less_equal(r[b])),
                Operation::Equal => each!(now, |[to, a, b]| masks[to] = r[a].equal(r[b])),
                Operation::And => each!(now, |[to, a, b]| masks[to] = S::and(masks[a], masks[b])),
                Operation::Or => each!(now, |[to, a, b]| masks[to] = S::or(masks[a], masks[b])),
                Operation::Not => each!(now, |[to, a]| masks[to] = S::not(masks[a])),
                Operation::Select => {
                    each!(now, |[to, mask, yes, no]| r[to] = S::select(masks[mask], r[yes], r[no]));
                }
                Operation::Choose => each!(now, |[to, yes, no, parameter]| {
                    r[to] = if selected.contains(parameter) { r[yes] } else { r[no] };
                }),
                Operation::Lookup => look_up(tape, now, r, tables),
                Operation::Guard => {
                    if let &[parameter, batches_within, words] = now
                        && !selected.contains(parameter as usize)
                    {
                        left = &left[words as usize..];
                        at += batches_within as usize;
                        while segments.next_if(|(segment, _)| segment.first < at).is_some() {}
                    }
                }
            }
        }
    }
}

/// Sines and cosines of several arguments, plain numbers together; the values do not depend on which these are.
fn sin_cos_each<S: Scalar>(operands: &[Register], r: &mut [S]) {
    if !S::IS_PLAIN {
        for &[sin, cos, a] in operands.as_chunks().0 {
            (r[sin as usize], r[cos as usize]) = r[a as usize].sin_cos();
        }
        return;
    }
    for group in operands.chunks(3 * LANES) {
        let instructions = group.as_chunks::<3>().0;
        let mut arguments = [S::constant(0.0); LANES];
        for (argument, &[_, _, a]) in arguments.iter_mut().zip(instructions) {
            *argument = r[a as usize];
        }
        let (sines, cosines) = S::sin_cos_each(arguments);
        for (&[sin, cos, _], i) in instructions.iter().zip(0..) {
            (r[sin as usize], r[cos as usize]) = (sines[i], cosines[i]);
        }
    }
}

/// Exponential functions of several arguments.
fn exp_each<S: Scalar>(operands: &[Register], r: &mut [S]) {
    if !S::IS_PLAIN {
        for &[to, a] in operands.as_chunks().0 {
            r[to as usize] = r[a as usize].exp();
        }
        return;
    }
    for group in operands.chunks(2 * LANES) {
        let instructions = group.as_chunks::<2>().0;
        let mut arguments = [S::constant(0.0); LANES];
        for (argument, &[_, a]) in arguments.iter_mut().zip(instructions) {
            *argument = r[a as usize];
        }
        for (&[to, _], value) in instructions.iter().zip(S::exp_each(arguments)) {
            r[to as usize] = value;
        }
    }
}
