//! Computes products of the Jacobian of outputs and derivatives of states.

use std::ffi::c_void;

use crate::call::call;
use crate::mode::EVALUATED;
use crate::pointers::{entries, entries_mut};
use crate::refusal::{Refusal, Status};

/// Writes the functions of products.
macro_rules! products {
    ($($(#[$meta:meta])* $name:ident by $method:ident;)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
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
            call(instance, stringify!($name), EVALUATED, |instance| {
                // SAFETY: see the page of the module.
                let unknowns = unsafe { entries(unknowns, unknowns_count, "unknowns") }?;
                // SAFETY: see the page of the module.
                let knowns = unsafe { entries(knowns, knowns_count, "knowns") }?;
                // SAFETY: see the page of the module.
                let seed = unsafe { entries(seed, seed_count, "seed") }?;
                // SAFETY: see the page of the module.
                let sensitivity = unsafe { entries_mut(sensitivity, sensitivity_count, "sensitivity") }?;
                copied(&instance.$method(unknowns, knowns, seed)?, sensitivity)
            })
        }
    )*};
}

products! {
    /// Computes J seed.
    fmi3GetDirectionalDerivative by directional;
    /// Computes J^T seed.
    fmi3GetAdjointDerivative by adjoint;
}

fn copied(from: &[f64], to: &mut [f64]) -> Result<(), Refusal> {
    if from.len() != to.len() {
        return Err(Refusal::error(format!("there is room for {} numbers, and {} are needed", to.len(), from.len())));
    }
    to.copy_from_slice(from);
    Ok(())
}
