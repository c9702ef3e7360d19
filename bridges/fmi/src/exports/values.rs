//! Reads and writes variables, all of which are Float64.

use std::ffi::c_void;

use crate::call::call;
use crate::mode::Mode::{self, ContinuousTime, Event, Initialization, Instantiated, Step};
use crate::pointers::{entries, entries_mut};
use crate::refusal::{Refusal, Status};
use crate::variables::Variable;

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
