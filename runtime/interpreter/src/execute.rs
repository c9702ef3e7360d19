//! Execution of a tape.

use costate_compiler::program::Array;
use costate_machine::Misfit;
use costate_numerics::scalar::{Entries, LANES, Scalar, Work};
use costate_system::model::SelectedParameters;
use costate_system::table::AnyTable;

use crate::arrays::{Given, Results};
use crate::lookup::look_up;
use crate::machine_code::{Assembled, MachineCode, registers};
use crate::tape::{Lookup, Operation, Register, Tape};
use crate::workspace::{Masks, Workspace};

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
        if workspace.tape != self.parts() || workspace.registers.len() != registers(self) {
            return Err(ExecutionError::OtherWorkspace { function: self.name });
        }
        self.check(workspace.constants, tables)?;
        let in_lanes = given.are_in_lanes();
        if !workspace.assembled.as_ref().is_some_and(|assembled| assembled.fits(selected, in_lanes)) {
            workspace.assembled = Some(Assembled::new::<S>(self, selected, in_lanes));
        }
        let Workspace { registers, masks, assembled, numbers, .. } = workspace;
        let registers = &mut registers[..];
        if let Some(code) = assembled.as_ref().and_then(|assembled| assembled.code.as_deref()) {
            if numbers.len() < code.code.numbers() {
                numbers.resize(code.code.numbers(), S::default());
            }
            self.check_arrays(code, given, results)?;
            return self.execute_code(code, (registers, numbers), given, results, tables, selected);
        }
        for run in self.inputs.iter() {
            let from = if run.is_result { Entries::Array(results.array(run.array)) } else { given.array(run.array) };
            let start = run.register as usize;
            let to = &mut registers[start..start + run.length];
            if !copied(from, run.first, to) {
                return Err(self.too_short(run.array, from.len(), run.first + run.length));
            }
        }
        S::dispatch(Batches { tape: self, registers, masks, tables, selected });
        for run in self.outputs.iter() {
            let start = run.register as usize;
            let from = &registers[start..start + run.length];
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
            *to = registers[output.register as usize];
        }
        Ok(())
    }

    /// Executes the function by its machine code, with these registers and working memory.
    #[inline(always)]
    pub(crate) fn execute_code<S: Scalar>(
        &self,
        machine_code: &MachineCode,
        (registers, numbers): (&[S], &mut [S]),
        given: &Given<'_, S>,
        results: &mut Results<'_, S>,
        tables: &[AnyTable],
        selected: &SelectedParameters,
    ) -> Result<(), ExecutionError> {
        let MachineCode { code, arrays, calls } = machine_code;
        let mut execution = code.call(numbers);
        execution.given(Entries::Array(registers));
        for own in arrays {
            match own.is_result {
                true => execution.filled(results.take(own.array)),
                false => execution.given(given.array(own.array)),
            }
        }
        // lengths were checked before, since nothing can be said of arrays that are lent
        let done = execution.run(|call, numbers| {
            if let Some((operation, operands)) = calls.get(call as usize) {
                let (operation, registers) = (*operation, numbers);
                S::dispatch(OneBatch { tape: self, operation, operands, registers, tables, selected });
            }
        });
        done.map_err(|misfit| match misfit {
            Misfit::Array { array, found } if array > 0 => {
                self.too_short(arrays[array - 1].array, found, arrays[array - 1].length)
            }
            Misfit::Array { .. } | Misfit::Call => ExecutionError::OtherWorkspace { function: self.name },
        })
    }

    /// Checks the number of constants, and the tables.
    pub(crate) fn check(&self, constants: usize, tables: &[AnyTable]) -> Result<(), ExecutionError> {
        let function = self.name;
        if let Some(last) = self.constants.last()
            && constants < last.first + last.length
        {
            return Err(self.too_short(Array::Constants, constants, last.first + last.length));
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

    /// Checks the lengths of the arrays of machine code.
    pub(crate) fn check_arrays<S: Scalar>(
        &self,
        machine_code: &MachineCode,
        given: &Given<'_, S>,
        results: &mut Results<'_, S>,
    ) -> Result<(), ExecutionError> {
        for own in &machine_code.arrays {
            let found = if own.is_result { results.array(own.array).len() } else { given.array(own.array).len() };
            if found < own.length {
                return Err(self.too_short(own.array, found, own.length));
            }
        }
        Ok(())
    }

    fn too_short(&self, array: Array, found: usize, needed: usize) -> ExecutionError {
        ExecutionError::TooShort { function: self.name, array, found, needed }
    }
}

/// Copies entries from here on; returns `false`, and copies nothing, if there are not as many.
#[inline(always)]
fn copied<S: Scalar>(from: Entries<'_, S>, first: usize, to: &mut [S]) -> bool {
    match from {
        Entries::Array(array) => match array.get(first..first + to.len()) {
            Some(from) => to.copy_from_slice(from),
            None => return false,
        },
        Entries::Lane(lanes, lane) => match lanes.get(first..first + to.len()) {
            Some(from) => {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = S::constant(from.lane(lane)));
            }
            None => return false,
        },
    }
    true
}

/// The batches of a tape, with their working memory.
struct Batches<'a, S: Scalar> {
    tape: &'a Tape,
    registers: &'a mut [S],
    masks: &'a mut Masks<S>,
    tables: &'a [AnyTable],
    selected: &'a SelectedParameters,
}

/// A batch that machine code calls; it has no conditions.
struct OneBatch<'a, S: Scalar> {
    tape: &'a Tape,
    operation: Operation,
    operands: &'a [Register],
    registers: &'a mut [S],
    tables: &'a [AnyTable],
    selected: &'a SelectedParameters,
}

impl<S: Scalar> Work for OneBatch<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, operation, operands, registers, tables, selected } = self;
        batch(tape, operation, operands, (registers, &mut []), tables, selected);
    }
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
        let Self { tape, registers, masks, tables, selected } = self;
        let mut left = tape.operands;
        let mut at = 0;
        while let Some(next) = tape.batches.get(at) {
            at += 1;
            let (now, rest) = left.split_at(next.words as usize);
            left = rest;
            if next.operation != Operation::Guard {
                batch(tape, next.operation, now, (registers, &mut masks.0), tables, selected);
            } else if let &[parameter, batches_within, words] = now
                && !selected.contains(parameter as usize)
            {
                left = &left[words as usize..];
                at += batches_within as usize;
            }
        }
    }
}

/// Does the instructions of a batch.
#[inline(always)]
fn batch<S: Scalar>(
    tape: &Tape,
    operation: Operation,
    now: &[Register],
    (r, masks): (&mut [S], &mut [S::Mask]),
    tables: &[AnyTable],
    selected: &SelectedParameters,
) {
    macro_rules! unary {
        ($method:ident) => {
            each!(now, |[to, a]| r[to] = r[a].$method())
        };
    }
    match operation {
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
        // done before
        Operation::Guard => {}
    }
}

/// Sines and cosines of several arguments, plain numbers together; the values do not depend on which these are.
#[inline(always)]
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
#[inline(always)]
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
