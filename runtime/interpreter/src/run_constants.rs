//! The constants of a run, with the registers in which the functions of the model are executed.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};

use costate_numerics::scalar::Scalar;
use costate_system::model::SelectedParameters;
use costate_system::table::AnyTable;

use crate::arrays::{Given, Results};
use crate::machine_code::{Assembled, MachineCode};
use crate::program::{LoadedProgram, Place};
use crate::tape::Tape;
use crate::workspace::{Workspace, fill_constants, filled};

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
        let mut cloned = Self::of(self.program, self.tables.clone());
        cloned.values.clone_from(&self.values);
        cloned
    }

    fn clone_from(&mut self, source: &Self) {
        match std::ptr::eq(self.program, source.program) {
            true => {
                self.tables.clone_from(&source.tables);
                self.renew(|values, _| values.copy_from_slice(&source.values));
            }
            false => *self = source.clone(),
        }
    }
}

impl<S: Scalar> RunConstants<S> {
    /// Takes the tables of a run; all constants are zero.
    pub(crate) fn of(program: &'static LoadedProgram, tables: Vec<AnyTable>) -> Self {
        let ready = [const { [const { OnceLock::new() }; 2] }; Place::COUNT];
        let values = vec![S::default(); program.constants];
        Self { program, values, tables, ready, workspaces: [const { OnceLock::new() }; Place::COUNT] }
    }

    /// Takes other tables; the constants stay.
    pub(crate) fn take_tables(&mut self, tables: Vec<AnyTable>) {
        self.tables = tables;
    }

    /// Computes the constants anew, by a function of zeros to be filled and of this run; what is ready stays.
    pub(crate) fn renew(&mut self, compute: impl FnOnce(&mut [S], &Self)) {
        let mut values = std::mem::take(&mut self.values);
        values.fill(S::default());
        compute(&mut values, self);
        for (place, (ready, workspace)) in self.ready.iter_mut().zip(&mut self.workspaces).enumerate() {
            let Some(tape) = self.program.tape(Place::of(place)) else { continue };
            for ready in ready.iter_mut().filter_map(|ready| ready.get_mut()?.as_deref_mut()) {
                fill_constants(tape, &values, &mut ready.registers);
            }
            if let Some(workspace) = workspace.get_mut() {
                let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
                fill_constants(tape, &values, &mut workspace.registers);
                workspace.constants = values.len();
            }
        }
        self.values = values;
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
