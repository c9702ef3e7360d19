//! The constants of a run, with the registers in which the functions of the model are executed.

use std::sync::{Arc, Mutex, OnceLock, TryLockError};

use costate_numerics::scalar::Scalar;
use costate_system::model::SelectedParameters;
use costate_system::table::AnyTable;

use crate::arrays::{Given, Results};
use crate::machine_code::{Assembled, MachineCode};
use crate::program::{LoadedProgram, Place};
use crate::tape::Tape;
use crate::workspace::{Workspace, filled};

/// The constants of a run of a loaded model.
///
/// Registers and code of a function are created when it is called first, and wait between calls: a step allocates
/// nothing. Machine code changes no registers, and has its working memory on the stack, unless it needs much; an
/// interpreted function changes them, so that a second thread that calls it has registers of its own for the call.
#[derive(Debug)]
pub struct RunConstants<S: Scalar> {
    program: &'static LoadedProgram,
    values: Vec<S>,
    tables: Vec<AnyTable>,
    /// Without lanes of factors, and with them.
    ready: [[OnceLock<Kept<S>>; 2]; Place::COUNT],
    workspaces: [OnceLock<Mutex<Workspace<S>>>; Place::COUNT],
}

/// A function that is ready; `None` for one that needs a lock.
type Kept<S> = Option<Box<Ready<S>>>;

/// A function as machine code for the first selection with which it was called.
#[derive(Debug)]
struct Ready<S> {
    assembled: Assembled,
    code: Arc<MachineCode>,
    registers: Vec<S>,
}

impl<S: Scalar> Ready<S> {
    /// Assembles a function that needs little memory, and whose constants, tables and arrays are complete: those of all
    /// calls have the lengths of the program.
    fn new(
        tape: &Tape,
        (constants, tables): (&[S], &[AnyTable]),
        selected: &SelectedParameters,
        given: &Given<'_, S>,
        results: &mut Results<'_, S>,
    ) -> Option<Box<Self>> {
        let assembled = Assembled::new::<S>(tape, selected, given.are_in_lanes());
        let code = assembled.code.clone().filter(|code| code.code.numbers() <= LARGEST_ON_STACK)?;
        tape.check(constants.len(), tables).ok()?;
        tape.check_arrays(&code, given, results).ok()?;
        Some(Box::new(Self { assembled, code, registers: filled(tape, constants) }))
    }
}

/// Lengths of working memory on the stack, in numbers; longer memory takes as long to be set to zero as a lock.
const SMALLEST_ON_STACK: usize = 32;
const LARGEST_ON_STACK: usize = 128;

impl<S: Scalar> Clone for RunConstants<S> {
    fn clone(&self) -> Self {
        Self::of(self.program, self.values.clone(), self.tables.clone())
    }
}

impl<S: Scalar> RunConstants<S> {
    /// Takes the values of the constants, and the tables of the run.
    pub(crate) fn of(program: &'static LoadedProgram, values: Vec<S>, tables: Vec<AnyTable>) -> Self {
        let ready = [const { [const { OnceLock::new() }; 2] }; Place::COUNT];
        Self { program, values, tables, ready, workspaces: [const { OnceLock::new() }; Place::COUNT] }
    }

    /// Returns the program of the model.
    #[inline(always)]
    pub(crate) fn program(&self) -> &'static LoadedProgram {
        self.program
    }

    /// Calls a function; `results` are left as they are where all of them are structurally zero.
    #[inline(always)]
    pub(crate) fn call(
        &self,
        function: impl Into<Place>,
        selected: &SelectedParameters,
        given: Given<'_, S>,
        mut results: Results<'_, S>,
    ) {
        let place = function.into();
        let Some(tape) = self.program.tape(place) else { return };
        let in_lanes = given.are_in_lanes();
        let ready = || Ready::new(tape, (&self.values, &self.tables), selected, &given, &mut results);
        let ready = self.ready[place.index()][usize::from(in_lanes)].get_or_init(ready).as_deref();
        if let Some(Ready { assembled, code, registers }) = ready
            && assembled.fits(selected, in_lanes)
        {
            let mut execute = |numbers: &mut [S]| {
                tape.execute_code(code, (registers, numbers), &given, &mut results, &self.tables, selected)
            };
            let done = match code.code.numbers() <= SMALLEST_ON_STACK {
                true => execute(&mut [S::default(); SMALLEST_ON_STACK]),
                false => execute(&mut [S::default(); LARGEST_ON_STACK]),
            };
            if done.is_err() {
                results.invalidate();
            }
            return;
        }
        let new = || Workspace::new(tape, &self.values);
        let mut other = None;
        let kept = self.workspaces[place.index()].get_or_init(|| Mutex::new(new()));
        let mut kept = match kept.try_lock() {
            Ok(kept) => Some(kept),
            // registers hold nothing between two calls that matters
            Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        let workspace = match &mut kept {
            Some(kept) => &mut **kept,
            None => other.get_or_insert_with(new),
        };
        let done = tape.execute(workspace, &given, &mut results, &self.tables, selected);
        // the arrays of a run have the lengths of the program, so that this is a mistake of the compiler: no number
        // stays
        if done.is_err() {
            results.invalidate();
        }
    }
}
