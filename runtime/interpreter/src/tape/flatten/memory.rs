//! The current values of the entries of arrays.

use costate_compiler::program::Array;

use super::super::error::TranslationError;
use super::super::operation::Operation;
use super::super::values::Value;
use super::frame::Frame;
use super::{Flatten, UNTOUCHED};

impl<'a> Flatten<'a> {
    pub(super) fn parameter(&self, function: &'static str, index: usize) -> Result<(), TranslationError> {
        let length = self.lengths.parameters;
        if index < length {
            return Ok(());
        }
        Err(TranslationError::OutsideArray { function, array: Array::Parameters, index, length })
    }

    pub(super) fn length(&self, frame: &Frame<'a>, array: Array) -> Result<usize, TranslationError> {
        match array {
            Array::Local(local) => Ok(self.memory[frame.local(local)?].len()),
            array => Ok(match self.evaluated {
                Some(slot) if array == Array::Out => self.memory[slot].len(),
                _ => self.lengths.of(array),
            }),
        }
    }

    pub(super) fn inside(&self, frame: &Frame<'a>, array: Array, index: usize) -> Result<(), TranslationError> {
        let length = self.length(frame, array)?;
        if index < length {
            return Ok(());
        }
        Err(TranslationError::OutsideArray { function: frame.function.name, array, index, length })
    }

    pub(super) fn read(&mut self, frame: &Frame<'a>, array: Array, index: usize) -> Result<Value, TranslationError> {
        self.inside(frame, array, index)?;
        let slot = match array {
            Array::Local(local) => Some(frame.local(local)?),
            array => self.slots.get(&array).copied(),
        };
        Ok(match slot.map(|slot| self.memory[slot][index]) {
            Some(value) if value != UNTOUCHED => value,
            _ => self.values.entry(array, index),
        })
    }

    pub(super) fn write(
        &mut self,
        frame: &Frame<'a>,
        array: Array,
        index: usize,
        value: Value,
    ) -> Result<(), TranslationError> {
        self.inside(frame, array, index)?;
        let slot = match array {
            Array::Local(local) => frame.local(local)?,
            array if is_written(array) => {
                let (next, length) = (self.memory.len(), self.lengths.of(array));
                let slot = *self.slots.entry(array).or_insert(next);
                if slot == next {
                    self.memory.push(vec![UNTOUCHED; length]);
                }
                slot
            }
            array => return Err(TranslationError::ReadOnly { function: frame.function.name, array }),
        };
        self.replace(slot, index, value);
        Ok(())
    }

    pub(super) fn add(
        &mut self,
        frame: &Frame<'a>,
        array: Array,
        index: usize,
        value: Value,
    ) -> Result<(), TranslationError> {
        let before = self.read(frame, array, index)?;
        let sum = self.values.push(Operation::Add, self.when, &[before, value], 0, 1);
        self.write(frame, array, index, sum)
    }
}

/// Checks whether functions store in an array.
fn is_written(array: Array) -> bool {
    match array {
        Array::Constants
        | Array::Factors
        | Array::AdjointCoefficients
        | Array::CarryRight
        | Array::Out
        | Array::Correction
        | Array::Unknowns
        | Array::UpdateCoordinates
        | Array::UpdateVelocities
        | Array::UpdateUnknowns
        | Array::Gradient
        | Array::Local(_) => true,
        Array::Time
        | Array::Coordinates
        | Array::Velocities
        | Array::Accelerations
        | Array::Multipliers
        | Array::Inputs
        | Array::Parameters
        | Array::Weights
        | Array::History
        | Array::Carried
        | Array::OutputGradient => false,
    }
}
