//! The functions of FMI 3.0 with the signatures of `fmi3FunctionTypes.h`.
//!
//! # Safety
//! Every function here is called as the standard says: arrays have the given lengths, texts end with a zero, and
//! nothing that is handed over changes during a call. Null pointers, numbers of instances and states that are not in
//! use, and calls in a wrong order are errors.

#![allow(clippy::missing_safety_doc, reason = "one rule for all functions, see the page of the module")]
#![allow(clippy::too_many_arguments, reason = "signatures of the standard")]

use std::ffi::{c_char, c_int, c_void};

use crate::call::{call, call_numbered, instantiate, unsupported};
use crate::handles;
use crate::instance::Instance;
use crate::logger::{Callback, Logger};
use crate::mode::Kind;
use crate::mode::Mode::{self, ContinuousTime, Event, Initialization, Instantiated, Step, Terminated};
use crate::pointers::{entries, entries_mut, put, text};
use crate::refusal::{Refusal, Status};
use crate::variables::Variable;

/// Modes in which derivatives are asked for.
const EVALUATED: &[Mode] = &[Initialization, Event, ContinuousTime, Step, Terminated];

/// Returns the version of the standard.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// Refuses categories that the FMU does not have; errors are always logged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    instance: *mut c_void,
    _on: bool,
    count: usize,
    categories: *const *const c_char,
) -> Status {
    call(instance, "fmi3SetDebugLogging", &Mode::ALL, |_| {
        // SAFETY: see the page of the module.
        for &category in unsafe { entries(categories, count, "categories") }? {
            // SAFETY: see the page of the module.
            let category = unsafe { text(category, "category") }?;
            if category != "logStatusError" {
                return Err(Refusal::error(format!("there is no category `{category}`; take `logStatusError`")));
            }
        }
        Ok(())
    })
}

/// Creates an instance for Model Exchange.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    callback: Option<Callback>,
) -> *mut c_void {
    instantiate(Kind::ModelExchange, Logger::new(callback, environment), || {
        // SAFETY: see the page of the module.
        unsafe { named(token, resources) }
    })
}

/// Creates an instance for Co-Simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    events: bool,
    _early_return: bool,
    _intermediate: *const u32,
    intermediate_count: usize,
    environment: *mut c_void,
    callback: Option<Callback>,
    _update: *mut c_void,
) -> *mut c_void {
    instantiate(Kind::CoSimulation, Logger::new(callback, environment), || {
        if events {
            return Err(Refusal::error("`eventModeUsed` is true, and the FMU has no events (`hasEventMode`)"));
        }
        if intermediate_count > 0 {
            return Err(Refusal::error("`requiredIntermediateVariables` are asked for, and the FMU provides none"));
        }
        // SAFETY: see the page of the module.
        unsafe { named(token, resources) }
    })
}

/// Refuses an interface that the FMU does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    callback: Option<Callback>,
    _update: *mut c_void,
    _lock: *mut c_void,
    _unlock: *mut c_void,
) -> *mut c_void {
    instantiate(Kind::CoSimulation, Logger::new(callback, environment), || {
        Err(Refusal::error("the FMU has no Scheduled Execution; take Model Exchange or Co-Simulation"))
    })
}

/// # Safety
/// As of the functions that call it.
unsafe fn named(token: *const c_char, resources: *const c_char) -> Result<(String, String), Refusal> {
    // SAFETY: see the page of the module.
    let (token, resources) = unsafe { (text(token, "instantiationToken")?, text(resources, "resourcePath")?) };
    Ok((token.to_owned(), resources.to_owned()))
}

/// Frees an instance.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: *mut c_void) {
    handles::remove(instance.addr());
}

/// Begins the initialization.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    instance: *mut c_void,
    tolerance_defined: bool,
    tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> Status {
    call(instance, "fmi3EnterInitializationMode", &[Instantiated], |instance| {
        if stop_defined && (stop.is_nan() || stop < start) {
            return Err(Refusal::error(format!("the end {stop} s is before the start {start} s")));
        }
        instance.begin(start, tolerance_defined.then_some(tolerance))
    })
}

/// Ends the initialization.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(instance: *mut c_void) -> Status {
    call(instance, "fmi3ExitInitializationMode", &[Initialization], |instance| {
        instance.prepare()?;
        instance.mode = if instance.kind == Kind::ModelExchange { Event } else { Step };
        Ok(())
    })
}

/// Begins an event.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterEventMode(instance: *mut c_void) -> Status {
    call(instance, "fmi3EnterEventMode", &[ContinuousTime], |instance| {
        instance.mode = Event;
        Ok(())
    })
}

/// Ends the simulation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3Terminate(instance: *mut c_void) -> Status {
    call(instance, "fmi3Terminate", &[Event, ContinuousTime, Step], |instance| {
        instance.mode = Terminated;
        Ok(())
    })
}

/// Returns to the state after the instantiation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(instance: *mut c_void) -> Status {
    call(instance, "fmi3Reset", &Mode::ALL, |instance| {
        instance.reset();
        Ok(())
    })
}

/// Gets values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    values_count: usize,
) -> Status {
    call(instance, "fmi3GetFloat64", &Mode::ALL, |instance| {
        // SAFETY: see the page of the module.
        let references = unsafe { entries(references, count, "valueReferences") }?;
        // SAFETY: see the page of the module.
        let values = unsafe { entries_mut(values, values_count, "values") }?;
        same_count(count, values_count)?;
        for (&reference, value) in references.iter().zip(values) {
            *value = instance.value(Variable::of(&instance.packed, reference)?)?;
        }
        Ok(())
    })
}

/// Sets values: all of them or, where one is refused, those before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    values_count: usize,
) -> Status {
    call(instance, "fmi3SetFloat64", &[Instantiated, Initialization, Event, ContinuousTime, Step], |instance| {
        // SAFETY: see the page of the module.
        let references = unsafe { entries(references, count, "valueReferences") }?;
        // SAFETY: see the page of the module.
        let values = unsafe { entries(values, values_count, "values") }?;
        same_count(count, values_count)?;
        for (&reference, &value) in references.iter().zip(values) {
            instance.set_value(Variable::of(&instance.packed, reference)?, value)?;
        }
        Ok(())
    })
}

fn same_count(references: usize, values: usize) -> Result<(), Refusal> {
    if references == values {
        return Ok(());
    }
    Err(Refusal::error(format!(
        "there are {references} value references and {values} values; all variables are scalars"
    )))
}

/// Writes the functions for variables of types that no model has.
macro_rules! without_variables {
    ($($name:ident($($values:ty),*);)*) => {$(
        /// Refuses variables of a type that the model does not have.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            instance: *mut c_void,
            _references: *const u32,
            count: usize,
            $(_: $values),*
        ) -> Status {
            call(instance, stringify!($name), &Mode::ALL, |_| match count {
                0 => Ok(()),
                _ => Err(Refusal::error("the model has no variables of this type; all are Float64")),
            })
        }
    )*};
}

without_variables! {
    fmi3GetFloat32(*mut f32, usize);
    fmi3GetInt8(*mut i8, usize);
    fmi3GetUInt8(*mut u8, usize);
    fmi3GetInt16(*mut i16, usize);
    fmi3GetUInt16(*mut u16, usize);
    fmi3GetInt32(*mut i32, usize);
    fmi3GetUInt32(*mut u32, usize);
    fmi3GetInt64(*mut i64, usize);
    fmi3GetUInt64(*mut u64, usize);
    fmi3GetBoolean(*mut bool, usize);
    fmi3GetString(*mut *const c_char, usize);
    fmi3GetBinary(*mut usize, *mut *const u8, usize);
    fmi3GetClock(*mut bool);
    fmi3SetFloat32(*const f32, usize);
    fmi3SetInt8(*const i8, usize);
    fmi3SetUInt8(*const u8, usize);
    fmi3SetInt16(*const i16, usize);
    fmi3SetUInt16(*const u16, usize);
    fmi3SetInt32(*const i32, usize);
    fmi3SetUInt32(*const u32, usize);
    fmi3SetInt64(*const i64, usize);
    fmi3SetUInt64(*const u64, usize);
    fmi3SetBoolean(*const bool, usize);
    fmi3SetString(*const *const c_char, usize);
    fmi3SetBinary(*const usize, *const *const u8, usize);
    fmi3SetClock(*const bool);
    fmi3GetIntervalDecimal(*mut f64, *mut c_int);
    fmi3GetIntervalFraction(*mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(*mut f64);
    fmi3GetShiftFraction(*mut u64, *mut u64);
    fmi3SetIntervalDecimal(*const f64);
    fmi3SetIntervalFraction(*const u64, *const u64);
    fmi3SetShiftDecimal(*const f64);
    fmi3SetShiftFraction(*const u64, *const u64);
}

/// Refuses dependencies at run time.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfVariableDependencies(
    instance: *mut c_void,
    _reference: u32,
    _count: *mut usize,
) -> Status {
    unsupported(instance, "fmi3GetNumberOfVariableDependencies", NO_DEPENDENCIES)
}

/// Refuses dependencies at run time.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVariableDependencies(
    instance: *mut c_void,
    _dependent: u32,
    _elements: *mut usize,
    _independents: *mut u32,
    _elements_of_independents: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> Status {
    unsupported(instance, "fmi3GetVariableDependencies", NO_DEPENDENCIES)
}

const NO_DEPENDENCIES: &str = "dependencies are in ModelStructure of modelDescription.xml, and do not change";

/// Saves the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: *mut c_void, state: *mut *mut c_void) -> Status {
    call_numbered(instance, "fmi3GetFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        let earlier = state[0].addr();
        let saved = handles::add_state(number, instance.save());
        // a state that the importer hands over again is replaced
        handles::remove_state(number, earlier).ok();
        state[0] = std::ptr::without_provenance_mut(saved);
        Ok(())
    })
}

/// Returns to a saved state.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(instance: *mut c_void, state: *mut c_void) -> Status {
    call_numbered(instance, "fmi3SetFMUState", &Mode::ALL, |number, instance| {
        instance.restore(&*handles::find_state(number, state.addr())?)
    })
}

/// Frees a saved state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: *mut c_void, state: *mut *mut c_void) -> Status {
    call_numbered(instance, "fmi3FreeFMUState", &Mode::ALL, |number, _| {
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        if !state[0].is_null() {
            handles::remove_state(number, state[0].addr())?;
            state[0] = std::ptr::null_mut();
        }
        Ok(())
    })
}

/// Returns the bytes of a serialised state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: *mut c_void,
    state: *mut c_void,
    size: *mut usize,
) -> Status {
    call_numbered(instance, "fmi3SerializedFMUStateSize", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let size = unsafe { entries_mut(size, 1, "size") }?;
        size[0] = instance.serialised(&*handles::find_state(number, state.addr())?)?.len();
        Ok(())
    })
}

/// Serialises a saved state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: *mut c_void,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Status {
    call_numbered(instance, "fmi3SerializeFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let bytes = unsafe { entries_mut(bytes, size, "serializedState") }?;
        let serialised = instance.serialised(&*handles::find_state(number, state.addr())?)?;
        match bytes.get_mut(..serialised.len()) {
            Some(bytes) => bytes.copy_from_slice(&serialised),
            None => return Err(Refusal::error(format!("the state has {} bytes, {size} are given", serialised.len()))),
        }
        Ok(())
    })
}

/// Reads a serialised state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Status {
    call_numbered(instance, "fmi3DeserializeFMUState", &Mode::ALL, |number, instance| {
        // SAFETY: see the page of the module.
        let bytes = unsafe { entries(bytes, size, "serializedState") }?;
        // SAFETY: see the page of the module.
        let state = unsafe { entries_mut(state, 1, "FMUState") }?;
        state[0] = std::ptr::without_provenance_mut(handles::add_state(number, instance.deserialised(bytes)?));
        Ok(())
    })
}

/// Computes J seed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    instance: *mut c_void,
    unknowns: *const u32,
    unknowns_count: usize,
    knowns: *const u32,
    knowns_count: usize,
    seed: *const f64,
    seed_count: usize,
    sensitivity: *mut f64,
    sensitivity_count: usize,
) -> Status {
    call(instance, "fmi3GetDirectionalDerivative", EVALUATED, |instance| {
        // SAFETY: see the page of the module.
        let [unknowns, knowns] =
            unsafe { [entries(unknowns, unknowns_count, "unknowns")?, entries(knowns, knowns_count, "knowns")?] };
        // SAFETY: see the page of the module.
        let seed = unsafe { entries(seed, seed_count, "seed") }?;
        // SAFETY: see the page of the module.
        let sensitivity = unsafe { entries_mut(sensitivity, sensitivity_count, "sensitivity") }?;
        copied(&instance.directional(unknowns, knowns, seed)?, sensitivity)
    })
}

/// Computes J^T seed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetAdjointDerivative(
    instance: *mut c_void,
    unknowns: *const u32,
    unknowns_count: usize,
    knowns: *const u32,
    knowns_count: usize,
    seed: *const f64,
    seed_count: usize,
    sensitivity: *mut f64,
    sensitivity_count: usize,
) -> Status {
    call(instance, "fmi3GetAdjointDerivative", EVALUATED, |instance| {
        // SAFETY: see the page of the module.
        let [unknowns, knowns] =
            unsafe { [entries(unknowns, unknowns_count, "unknowns")?, entries(knowns, knowns_count, "knowns")?] };
        // SAFETY: see the page of the module.
        let seed = unsafe { entries(seed, seed_count, "seed") }?;
        // SAFETY: see the page of the module.
        let sensitivity = unsafe { entries_mut(sensitivity, sensitivity_count, "sensitivity") }?;
        copied(&instance.adjoint(unknowns, knowns, seed)?, sensitivity)
    })
}

fn copied(from: &[f64], to: &mut [f64]) -> Result<(), Refusal> {
    if from.len() != to.len() {
        return Err(Refusal::error(format!("there is room for {} numbers, and {} are needed", to.len(), from.len())));
    }
    to.copy_from_slice(from);
    Ok(())
}

/// Refuses structural parameters.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterConfigurationMode(instance: *mut c_void) -> Status {
    unsupported(instance, "fmi3EnterConfigurationMode", NO_STRUCTURE)
}

/// Refuses structural parameters.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitConfigurationMode(instance: *mut c_void) -> Status {
    unsupported(instance, "fmi3ExitConfigurationMode", NO_STRUCTURE)
}

const NO_STRUCTURE: &str = "structural arguments are given at the export, `costate fmu --set NAME=VALUE`";

/// Evaluates discrete states, of which there are none.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EvaluateDiscreteStates(instance: *mut c_void) -> Status {
    call(instance, "fmi3EvaluateDiscreteStates", &[Initialization, Event], |_| Ok(()))
}

/// Updates discrete states, of which there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: *mut c_void,
    need_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    states_changed: *mut bool,
    next_event_defined: *mut bool,
    next_event: *mut f64,
) -> Status {
    call(instance, "fmi3UpdateDiscreteStates", &[Event], |_| {
        for flag in [need_update, terminate, nominals_changed, states_changed, next_event_defined] {
            // SAFETY: see the page of the module.
            unsafe { put(flag, false) };
        }
        // SAFETY: see the page of the module.
        unsafe { put(next_event, 0.0) };
        Ok(())
    })
}

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
        let values = states.iter().enumerate();
        values.into_iter().try_for_each(|(place, &value)| instance.set_value(Variable::State(place), value))
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
        Kind::CoSimulation => Err(Refusal::error(
            "this is a function of Model Exchange, the instance is of \
                                                  Co-Simulation",
        )),
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

/// Refuses a mode of events.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterStepMode(instance: *mut c_void) -> Status {
    unsupported(instance, "fmi3EnterStepMode", "the FMU has no Event Mode (`hasEventMode`)")
}

/// Refuses derivatives of outputs by time.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetOutputDerivatives(
    instance: *mut c_void,
    _references: *const u32,
    _count: usize,
    _orders: *const i32,
    _values: *mut f64,
    _values_count: usize,
) -> Status {
    unsupported(instance, "fmi3GetOutputDerivatives", "the FMU has no derivatives of outputs by time")
}

/// Makes a communication step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: *mut c_void,
    time: f64,
    length: f64,
    _no_return: bool,
    event: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    last: *mut f64,
) -> Status {
    call(instance, "fmi3DoStep", &[Step], |instance| {
        let made = instance.advance(time, length);
        for flag in [event, terminate, early] {
            // SAFETY: see the page of the module.
            unsafe { put(flag, false) };
        }
        // SAFETY: see the page of the module.
        unsafe { put(last, instance.values.time) };
        made
    })
}

/// Refuses clocks.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3ActivateModelPartition(instance: *mut c_void, _clock: u32, _time: f64) -> Status {
    unsupported(instance, "fmi3ActivateModelPartition", "the FMU has no Scheduled Execution")
}
