//! The variables of a function, and the repetition of its loop.

use costate_compiler::program::{Function, Index, Local, Place, Variable};

use super::super::error::TranslationError;
use super::super::values::Value;

/// The state of one function.
pub(super) struct Frame<'a> {
    pub(super) function: &'a Function,
    pub(super) variables: Vec<Option<Value>>,
    /// Variables that were set, with what they were before, to be restored at the end of their scope.
    pub(super) set: Vec<(usize, Option<Value>)>,
    /// The slot of the first local array.
    pub(super) first_local: usize,
    pub(super) repetition: Option<usize>,
}

impl Frame<'_> {
    pub(super) fn set(&mut self, Variable(variable): Variable, value: Value) -> Result<(), TranslationError> {
        let Some(place) = self.variables.get_mut(variable) else {
            return Err(TranslationError::NoValue { function: self.function.name, variable });
        };
        self.set.push((variable, place.replace(value)));
        Ok(())
    }

    pub(super) fn get(&self, Variable(variable): Variable) -> Result<Value, TranslationError> {
        let value = self.variables.get(variable).copied().flatten();
        value.ok_or(TranslationError::NoValue { function: self.function.name, variable })
    }

    /// Forgets variables that were set within a scope.
    pub(super) fn leave(&mut self, outside: usize) {
        while self.set.len() > outside {
            if let Some((variable, before)) = self.set.pop() {
                self.variables[variable] = before;
            }
        }
    }

    /// Returns the slot of a local array.
    pub(super) fn local(&self, Local(local): Local) -> Result<usize, TranslationError> {
        let (function, count) = (self.function.name, self.function.locals.len());
        if local < count {
            return Ok(self.first_local + local);
        }
        Err(TranslationError::NoLocal { function, local, count })
    }

    pub(super) fn count(&self, what: &'static str, found: usize, expected: usize) -> Result<(), TranslationError> {
        if found == expected {
            return Ok(());
        }
        Err(TranslationError::Count { function: self.function.name, what, found, expected })
    }

    pub(super) fn repetition(&self) -> Result<usize, TranslationError> {
        self.repetition.ok_or(TranslationError::NotInLoop { function: self.function.name })
    }

    /// Returns the entry of a table by repetition.
    pub(super) fn by_repetition<T: Copy>(&self, tables: &[Vec<T>], table: usize) -> Result<T, TranslationError> {
        let repetition = self.repetition()?;
        let entry = tables.get(table).and_then(|entries| entries.get(repetition)).copied();
        let function = self.function.name;
        entry.ok_or(TranslationError::NoTableEntry { function, table, repetition })
    }

    pub(super) fn index(&self, place: &Place) -> Result<usize, TranslationError> {
        Ok(match place.index {
            Index::At(index) => index,
            Index::Rising { offset, stride } => offset.saturating_add(stride.saturating_mul(self.repetition()?)),
            Index::Falling { offset, stride } => {
                let (repetition, function) = (self.repetition()?, self.function.name);
                let before = TranslationError::BeforeArray { function, array: place.array, repetition };
                offset.checked_sub(stride.saturating_mul(repetition)).ok_or(before)?
            }
            Index::Table(table) => self.by_repetition(&self.function.positions, table)?,
        })
    }
}
