//! Functions of Model Exchange.

use std::ffi::c_void;

use crate::call::call;
use crate::instance::Instance;
use crate::mode::Mode::{self, ContinuousTime, Event};
use crate::mode::{EVALUATED, Kind};
use crate::pointers::{entries, entries_mut, put};
use crate::refusal::{Refusal, Status};
use crate::variables::Variable;

/// Begins or continues the integration by the importer.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterContinuousTimeMode(instance: *mut c_void) -> Status {
    call(instance, "fmi3EnterContinuousTimeMode", &[Event], |instance| {
        of_model_exchange(instance)?;
        instance.mode = ContinuousTime;
        Ok(())
    })
}

/// Accepts a step of the importer, which makes no events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: *mut c_void,
    _no_return: bool,
    enter_event: *mut bool,
    terminate: *mut bool,
) -> Status {
    call(instance, "fmi3CompletedIntegratorStep", &[ContinuousTime], |_| {
        for flag in [enter_event, terminate] {
            // SAFETY: see the page of the module.
            unsafe { put(flag, false) };
        }
        Ok(())
    })
}

/// Sets the time.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetTime(instance: *mut c_void, time: f64) -> Status {
    call(instance, "fmi3SetTime", &[Event, ContinuousTime], |instance| instance.set_time(time))
}

/// Sets all states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(instance: *mut c_void, states: *const f64, count: usize) -> Status {
    call(instance, "fmi3SetContinuousStates", &[Event, ContinuousTime], |instance| {
        // SAFETY: see the page of the module.
        let states = unsafe { entries(states, count, "continuousStates") }?;
        check_states(instance, count)?;
        let mut values = states.iter().enumerate();
        values.try_for_each(|(place, &value)| instance.set_value(Variable::State(place), value))
    })
}

/// Gets the derivatives of all states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    instance: *mut c_void,
    derivatives: *mut f64,
    count: usize,
) -> Status {
    call(instance, "fmi3GetContinuousStateDerivatives", EVALUATED, |instance| {
        // SAFETY: see the page of the module.
        let derivatives = unsafe { entries_mut(derivatives, count, "derivatives") }?;
        check_states(instance, count)?;
        instance.prepare()?;
        derivatives.copy_from_slice(&instance.evaluated()?.derivatives);
        Ok(())
    })
}

/// Gets event indicators, of which there are none.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetEventIndicators(instance: *mut c_void, _indicators: *mut f64, count: usize) -> Status {
    call(instance, "fmi3GetEventIndicators", EVALUATED, |instance| {
        of_model_exchange(instance)?;
        if count == 0 { Ok(()) } else { Err(Refusal::error("the model has no event indicators")) }
    })
}

/// Gets all states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(instance: *mut c_void, states: *mut f64, count: usize) -> Status {
    call(instance, "fmi3GetContinuousStates", EVALUATED, |instance| {
        // SAFETY: see the page of the module.
        let states = unsafe { entries_mut(states, count, "continuousStates") }?;
        check_states(instance, count)?;
        instance.prepare()?;
        if let Some(point) = &instance.point {
            states.copy_from_slice(&point.states);
        }
        Ok(())
    })
}

/// Gets the nominal values of all states, which are 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: *mut c_void,
    nominals: *mut f64,
    count: usize,
) -> Status {
    call(instance, "fmi3GetNominalsOfContinuousStates", EVALUATED, |instance| {
        // SAFETY: see the page of the module.
        let nominals = unsafe { entries_mut(nominals, count, "nominals") }?;
        check_states(instance, count)?;
        nominals.fill(1.0);
        Ok(())
    })
}

/// Gets the number of event indicators, 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(instance: *mut c_void, count: *mut usize) -> Status {
    call(instance, "fmi3GetNumberOfEventIndicators", &Mode::ALL, |instance| {
        of_model_exchange(instance)?;
        // SAFETY: see the page of the module.
        unsafe { entries_mut(count, 1, "nEventIndicators") }?[0] = 0;
        Ok(())
    })
}

/// Gets the number of states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(instance: *mut c_void, count: *mut usize) -> Status {
    call(instance, "fmi3GetNumberOfContinuousStates", &Mode::ALL, |instance| {
        of_model_exchange(instance)?;
        // SAFETY: see the page of the module.
        unsafe { entries_mut(count, 1, "nContinuousStates") }?[0] = instance.values.given.len();
        Ok(())
    })
}

fn of_model_exchange(instance: &Instance) -> Result<(), Refusal> {
    match instance.kind {
        Kind::ModelExchange => Ok(()),
        Kind::CoSimulation => {
            Err(Refusal::error("this is a function of Model Exchange, the instance is of Co-Simulation"))
        }
    }
}

fn check_states(instance: &Instance, count: usize) -> Result<(), Refusal> {
    of_model_exchange(instance)?;
    let states = instance.values.given.len();
    match count == states {
        true => Ok(()),
        false => Err(Refusal::error(format!("the model has {states} states, {count} are given"))),
    }
}
