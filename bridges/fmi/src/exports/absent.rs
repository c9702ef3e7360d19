//! Functions of the standard for what no model has.

use std::ffi::{c_char, c_int, c_void};

use crate::call::{call, unsupported};
use crate::mode::Mode;
use crate::refusal::{Refusal, Status};

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

/// Writes functions that no model answers, with the reasons.
macro_rules! refused {
    ($($reason:literal => $($name:ident($($argument:ty),*))*;)*) => {$($(
        /// Refuses what the FMU does not have.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: *mut c_void, $(_: $argument),*) -> Status {
            unsupported(instance, stringify!($name), $reason)
        }
    )*)*};
}

refused! {
    "dependencies are in ModelStructure of modelDescription.xml, and do not change" =>
        fmi3GetNumberOfVariableDependencies(u32, *mut usize)
        fmi3GetVariableDependencies(u32, *mut usize, *mut u32, *mut usize, *mut c_int, usize);
    "structural arguments are given at the export, `costate fmu --set NAME=VALUE`" =>
        fmi3EnterConfigurationMode() fmi3ExitConfigurationMode();
    "the FMU has no Event Mode (`hasEventMode`)" => fmi3EnterStepMode();
    "the FMU has no derivatives of outputs by time" =>
        fmi3GetOutputDerivatives(*const u32, usize, *const i32, *mut f64, usize);
    "the FMU has no Scheduled Execution" => fmi3ActivateModelPartition(u32, f64);
}
