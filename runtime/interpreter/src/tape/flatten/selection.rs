//! Statements that wait for a parameter to be selected.

use std::collections::BTreeMap;

use costate_compiler::program::{Array, Statement};

use super::super::error::TranslationError;
use super::super::operation::Operation;
use super::super::values::{Selection, Value};
use super::frame::Frame;
use super::{Flatten, UNTOUCHED};

impl<'a> Flatten<'a> {
    /// Does statements that wait for a parameter to be selected: all that they change is chosen afterwards.
    pub(super) fn if_selected(
        &mut self,
        frame: &mut Frame<'a>,
        parameter: usize,
        body: &'a [Statement],
    ) -> Result<(), TranslationError> {
        self.parameter(frame.function.name, parameter)?;
        let (before, outer) = (self.changes.len(), self.when);
        self.values.selections.push(Selection { parameter, outer });
        self.when = self.values.selections.len() as u32;
        self.scope(frame, body)?;
        self.when = outer;
        // what was there first, where an entry has changed more than once
        let mut changed = BTreeMap::new();
        for (slot, index, old) in self.changes.drain(before..) {
            changed.entry((slot, index)).or_insert(old);
        }
        let arrays: BTreeMap<usize, Array> = self.slots.iter().map(|(array, slot)| (*slot, *array)).collect();
        for ((slot, index), before) in changed {
            let old = match arrays.get(&slot) {
                Some(&array) if before == UNTOUCHED => self.values.entry(array, index),
                _ => before,
            };
            let new = self.memory[slot][index];
            self.memory[slot][index] = self.choose(parameter, new, old);
            // for a selection around this one
            self.remember(slot, index, before);
        }
        Ok(())
    }

    /// Replaces the value of an entry.
    pub(super) fn replace(&mut self, slot: usize, index: usize, value: Value) {
        let before = std::mem::replace(&mut self.memory[slot][index], value);
        self.remember(slot, index, before);
    }

    /// Records the value before a change that waits for a selection.
    fn remember(&mut self, slot: usize, index: usize, before: Value) {
        if self.when != 0 {
            self.changes.push((slot, index, before));
        }
    }

    pub(super) fn choose(&mut self, parameter: usize, new: Value, old: Value) -> Value {
        self.values.push(Operation::Choose, self.when, &[new, old], parameter as u32, 1)
    }
}
