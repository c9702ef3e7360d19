//! The boundary: finds the instance of a call, checks its mode, and turns refusals and panics into statuses.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::PoisonError;

use crate::handles;
use crate::instance::Instance;
use crate::logger::Logger;
use crate::mode::{Kind, Mode};
use crate::packed::Packed;
use crate::refusal::{Refusal, Status};

/// Carries out a call of an instance in one of these modes.
pub fn call(
    instance: *mut c_void,
    name: &str,
    modes: &[Mode],
    work: impl FnOnce(&mut Instance) -> Result<(), Refusal>,
) -> Status {
    call_numbered(instance, name, modes, |_, instance| work(instance))
}

/// Carries out a call that needs the number of the instance as well.
pub fn call_numbered(
    instance: *mut c_void,
    name: &str,
    modes: &[Mode],
    work: impl FnOnce(usize, &mut Instance) -> Result<(), Refusal>,
) -> Status {
    let number = instance.addr();
    let Some(used) = handles::find(number) else { return Status::Error };
    let carried_out = catch_unwind(AssertUnwindSafe(|| {
        let mut instance = used.instance.lock().unwrap_or_else(PoisonError::into_inner);
        instance.mode.require(name, modes)?;
        work(number, &mut instance)
    }));
    let refusal = match carried_out {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(refusal)) => refusal,
        Err(_) => Refusal::error("a mistake of costate; please report it with the model"),
    };
    used.logger.send(refusal.status, &format!("{name}: {}", refusal.text));
    refusal.status
}

/// Refuses a call that no model of costate answers.
pub fn unsupported(instance: *mut c_void, name: &str, reason: &str) -> Status {
    call(instance, name, &Mode::ALL, |_| Err(Refusal::error(reason)))
}

/// Creates an instance; null where it cannot be created, which is logged.
pub fn instantiate(
    kind: Kind,
    logger: Logger,
    open: impl FnOnce() -> Result<(String, String), Refusal>,
) -> *mut c_void {
    let created = catch_unwind(AssertUnwindSafe(|| {
        let (token, resources) = open()?;
        let packed = Packed::open(Path::new(&resources), &token).map_err(Refusal::error)?;
        if kind == Kind::ModelExchange && packed.motion.is_none() {
            return Err(Refusal::error(
                "the model has no Model Exchange, see modelDescription.xml; take Co-Simulation",
            ));
        }
        Ok(handles::add(Instance::new(packed, kind), logger))
    }));
    let refusal = match created {
        Ok(Ok(number)) => return ptr::without_provenance_mut(number),
        Ok(Err(refusal)) => refusal,
        Err(_) => Refusal::error("a mistake of costate; please report it with the model"),
    };
    logger.send(refusal.status, &refusal.text);
    ptr::null_mut()
}
