//! The constants of a run, with the registers in which the functions of the model are executed.

use std::sync::{Mutex, OnceLock, TryLockError};

use costate_numerics::scalar::Scalar;
use costate_system::model::SelectedParameters;
use costate_system::table::AnyTable;

use crate::arrays::{Given, Results};
use crate::program::{LoadedProgram, Place};
use crate::workspace::Workspace;

/// The constants of a run of a loaded model.
///
/// The registers of a function are created when it is called first, and wait between calls: a step allocates nothing.
/// A second thread that calls the same function of one run has registers of its own for the call.
#[derive(Debug)]
pub struct RunConstants<S: Scalar> {
    program: &'static LoadedProgram,
    values: Vec<S>,
    tables: Vec<AnyTable>,
    workspaces: [OnceLock<Mutex<Workspace<S>>>; Place::COUNT],
}

impl<S: Scalar> Clone for RunConstants<S> {
    fn clone(&self) -> Self {
        Self::of(self.program, self.values.clone(), self.tables.clone())
    }
}

impl<S: Scalar> RunConstants<S> {
    /// Takes the values of the constants, and the tables of the run.
    pub(crate) fn of(program: &'static LoadedProgram, values: Vec<S>, tables: Vec<AnyTable>) -> Self {
        Self { program, values, tables, workspaces: [const { OnceLock::new() }; Place::COUNT] }
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
