//! Saved states of instances, in memory and as bytes.

use std::sync::{Mutex, PoisonError};

use costate::command::{StateBytes, StateVectors};
use costate::stepper::SavedStepperOf;

use crate::functions::Functions;
use crate::instance::{Instance, Values};
use crate::mode::{Kind, Mode};
use crate::packed::VERSION;
use crate::point::Point;
use crate::refusal::Refusal;

/// A saved state.
#[derive(Debug)]
pub struct Saved {
    mode: Mode,
    values: Values,
    /// States, and q, v, a and lambda near which they are continued.
    point: Option<(Vec<f64>, Vec<f64>)>,
    /// Steps, behind a lock because one function writes and reads.
    stepper: Option<Mutex<SavedStepperOf<Functions>>>,
    inputs_are_stepped: bool,
}

impl Instance {
    /// Saves everything that later calls depend on.
    pub fn save(&self) -> Saved {
        Saved {
            mode: self.mode,
            values: self.values.clone(),
            point: self.point.as_ref().map(|point| (point.states.clone(), point.near.stored())),
            stepper: self.stepper.as_ref().map(|stepper| Mutex::new(stepper.save())),
            inputs_are_stepped: self.inputs_are_stepped,
        }
    }

    /// Returns to a saved state of this instance.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), Refusal> {
        match &saved.stepper {
            None => self.stepper = None,
            Some(saved) => {
                let saved = saved.lock().unwrap_or_else(PoisonError::into_inner);
                if self.stepper.is_none() {
                    self.stepper = self.another()?.stepper;
                }
                if let Some(stepper) = &mut self.stepper {
                    stepper.restore(&saved).map_err(Refusal::discard)?;
                }
            }
        }
        let coordinates = self.packed.model.description().coordinates.len();
        self.mode = saved.mode;
        self.values.clone_from(&saved.values);
        let point = saved.point.as_ref();
        self.point = point.map(|(states, near)| Point::new(states.clone(), StateVectors::of_stored(coordinates, near)));
        self.inputs_are_stepped = saved.inputs_are_stepped;
        self.last_steps = 0;
        Ok(())
    }

    /// Creates an instance at the start of the model, all of which is to be replaced.
    fn another(&self) -> Result<Self, Refusal> {
        let mut another = Self::new(self.packed.clone(), self.kind);
        another.prepare()?;
        Ok(another)
    }

    /// Writes a saved state for other processes.
    pub fn serialised(&self, saved: &Saved) -> Result<Vec<u8>, Refusal> {
        let mut copy = Saved {
            mode: saved.mode,
            values: saved.values.clone(),
            point: saved.point.clone(),
            stepper: None,
            inputs_are_stepped: saved.inputs_are_stepped,
        };
        let mut bytes = StateBytes::Write(Vec::new());
        self.pass(&mut copy, &mut bytes).ok_or_else(damaged)?;
        let mut has_stepper = saved.stepper.is_some();
        bytes.flag(&mut has_stepper).ok_or_else(damaged)?;
        if let Some(of) = &saved.stepper {
            let mut of = of.lock().unwrap_or_else(PoisonError::into_inner);
            let stepper = self.stepper.as_ref().ok_or_else(damaged)?;
            stepper.pass(&mut of, &mut bytes).ok_or_else(damaged)?;
        }
        Ok(bytes.written())
    }

    /// Reads a state that was written for an instance of the same model.
    pub fn deserialised(&self, bytes: &[u8]) -> Result<Saved, Refusal> {
        let another = self.another()?;
        let mut saved = another.save();
        saved.stepper = None;
        let mut bytes = StateBytes::Read(bytes);
        another.pass(&mut saved, &mut bytes).ok_or_else(damaged)?;
        let mut has_stepper = false;
        bytes.flag(&mut has_stepper).ok_or_else(damaged)?;
        if has_stepper {
            let stepper = another.stepper.as_ref().ok_or_else(damaged)?;
            let mut of = stepper.save();
            stepper.pass(&mut of, &mut bytes).ok_or_else(damaged)?;
            saved.stepper = Some(Mutex::new(of));
        }
        match bytes {
            StateBytes::Read([]) => Ok(saved),
            _ => Err(damaged()),
        }
    }

    /// Writes or reads a saved state but for its steps.
    fn pass(&self, saved: &mut Saved, bytes: &mut StateBytes<'_>) -> Option<()> {
        bytes.same_text(VERSION)?;
        bytes.same_text(&self.packed.settings.token)?;
        bytes.same(usize::from(self.kind == Kind::CoSimulation))?;
        let mut mode = Mode::ALL.iter().position(|mode| *mode == saved.mode)?;
        bytes.count(&mut mode)?;
        saved.mode = *Mode::ALL.get(mode)?;
        let Values { parameters, inputs, start, time, given, length, tolerance, division } = &mut saved.values;
        [parameters, inputs].into_iter().chain(start).try_for_each(|values| bytes.reals(values))?;
        bytes.real(time)?;
        bytes.real(length)?;
        // the tolerance of steps of one length is not a number
        let mut number = tolerance.unwrap_or(f64::NAN);
        bytes.real(&mut number)?;
        *tolerance = (!number.is_nan()).then_some(number);
        bytes.count(&mut division.halvings)?;
        division.reached.resize(self.packed.model.description().coordinates.len(), 0.0);
        bytes.reals(&mut division.reached)?;
        for given in given {
            // a state that was not set is not a number
            let mut value = given.unwrap_or(f64::NAN);
            bytes.real(&mut value)?;
            *given = (!value.is_nan()).then_some(value);
        }
        bytes.flag(&mut saved.inputs_are_stepped)?;
        let mut has_point = saved.point.is_some();
        bytes.flag(&mut has_point)?;
        if !has_point {
            saved.point = None;
            return Some(());
        }
        let states = saved.values.given.len();
        let near = self.packed.model.description().state_length();
        let (states, near) = saved.point.get_or_insert_with(|| (vec![0.0; states], vec![0.0; near]));
        bytes.reals(states)?;
        bytes.reals(near)
    }
}

fn damaged() -> Refusal {
    Refusal::error(
        "the serialised FMU state is damaged, or of another model, interface or version of costate; serialise it anew",
    )
}
