//! Models that are loaded from files and texts, and what they say of themselves.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::path::Path;
use std::thread::Builder;

use costate::command::{Arguments, ModelFile, Quantity};
use costate::interpreted::{LoadError, LoadedModel};

use crate::boundary::{Failure, Status, exported};
use crate::handles::{Handle, Kept, free, keep, with};
use crate::memory::{Out, Text, lasting};

/// Stack of the thread that loads, in bytes: expressions of models are walked through by recursion.
const STACK_SIZE: usize = 64 << 20;

/// A loaded model.
#[derive(Debug, Clone, Copy)]
pub struct ModelObject {
    /// The model.
    pub model: LoadedModel,
    documentation: &'static CStr,
}

impl Kept for ModelObject {
    const KIND: usize = 1;
}

/// Path of a text without one, which names no folder.
const NO_PATH: &str = "model.costate";

fn load(path: &str, text: Option<&str>, name: Option<&str>) -> Result<ModelObject, Failure> {
    let work = || -> Result<ModelObject, LoadError> {
        let file = match text {
            Some(text) => ModelFile::from_text(Path::new(path), text.to_owned())?,
            None => ModelFile::read(Path::new(path))?,
        };
        let compiled = file.compile(name, &Arguments::new())?;
        let model = LoadedModel::of_compiled(&file, &compiled)?;
        Ok(ModelObject { model, documentation: lasting(&compiled.model.documentation) })
    };
    let loaded = std::thread::scope(|threads| {
        let worker = Builder::new().stack_size(STACK_SIZE).spawn_scoped(threads, work);
        let no_thread = |error| Failure::new(Status::Defect, format!("no thread can be started: {error}"));
        worker.map_err(no_thread)?.join().map_err(|_| {
            Failure::new(
                Status::Defect,
                "a defect of costate has ended the loading of a model; please report it with the model",
            )
        })
    })?;
    Ok(loaded?)
}

/// Returns the model of a handle.
pub fn model_of(handle: *mut c_void) -> Result<ModelObject, Failure> {
    with(Handle::given(handle), |model: &mut ModelObject| Ok(*model))
}

/// Returns the quantities of a kind of the header.
fn quantities(model: LoadedModel, kind: c_int) -> Result<Vec<Quantity>, Failure> {
    let described = model.description();
    Ok(match kind {
        0 => described.parameters.to_vec(),
        1 => described.inputs.to_vec(),
        2 => described.outputs.to_vec(),
        3 => described.coordinates.to_vec(),
        4 => described.constraints.to_vec(),
        5 => described.tables.iter().map(|table| table.quantity).collect(),
        _ => return Err(Failure::argument(format!("there is no kind {kind} of quantities; give 0 to 5"))),
    })
}

fn quantity(model: *mut c_void, kind: c_int, index: usize) -> Result<Quantity, Failure> {
    let all = quantities(model_of(model)?.model, kind)?;
    all.get(index).copied().ok_or_else(|| no_index("quantity of this kind", index, all.len()))
}

/// Returns the failure of an index that is too large.
pub fn no_index(what: &str, index: usize, count: usize) -> Failure {
    Failure::argument(match count {
        0 => format!("there is no {what} {index}: the model has none"),
        _ => format!("there is no {what} {index}; give 0 to {}", count - 1),
    })
}

exported! {
    /// Loads the model with this name of a file, or its only one.
    fn costate_model_from_file(path: Text, name: Text) -> *mut c_void {
        keep(load(path.read("path")?, None, name.optional("name")?)?)
    }

    /// Loads the model with this name of a text, or its only one, with files relative to the folder of a path.
    fn costate_model_from_text(text: Text, path: Text, name: Text) -> *mut c_void {
        keep(load(path.optional("path")?.unwrap_or(NO_PATH), Some(text.read("text")?), name.optional("name")?)?)
    }

    /// Frees a model.
    fn costate_model_free(model: *mut c_void) -> c_int {
        free::<ModelObject>(Handle::given(model))
    }

    /// Returns the name of a model.
    fn costate_model_name(model: *mut c_void) -> *const c_char {
        Ok(lasting(model_of(model)?.model.name()))
    }

    /// Returns the documentation of a model.
    fn costate_model_description(model: *mut c_void) -> *const c_char {
        Ok(model_of(model)?.documentation)
    }

    /// Returns the number of quantities of a kind.
    fn costate_model_count(model: *mut c_void, kind: c_int) -> c_long {
        Ok(quantities(model_of(model)?.model, kind)?.len())
    }

    /// Returns the position of the quantity with this name.
    fn costate_model_index(model: *mut c_void, kind: c_int, name: Text) -> c_long {
        let (object, name) = (model_of(model)?, name.read("name")?);
        let all = quantities(object.model, kind)?;
        all.iter().position(|quantity| quantity.name == name).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|quantity| quantity.name).collect();
            let text = format!("`{}` has no `{name}` of this kind; it has: {}", object.model.name(), names.join(", "));
            Failure::new(Status::Name, text)
        })
    }

    /// Returns the name of a quantity.
    fn costate_model_quantity_name(model: *mut c_void, kind: c_int, index: usize) -> *const c_char {
        Ok(lasting(quantity(model, kind, index)?.name))
    }

    /// Returns the unit of a quantity.
    fn costate_model_quantity_unit(model: *mut c_void, kind: c_int, index: usize) -> *const c_char {
        Ok(lasting(quantity(model, kind, index)?.unit))
    }

    /// Returns the documentation of a quantity.
    fn costate_model_quantity_description(model: *mut c_void, kind: c_int, index: usize) -> *const c_char {
        Ok(lasting(quantity(model, kind, index)?.documentation))
    }

    /// Writes the defaults of all parameters, NaN for one without.
    fn costate_model_defaults(model: *mut c_void, values: Out, count: usize) -> c_int {
        let defaults = model_of(model)?.model.defaults();
        let numbers: Vec<f64> = defaults.iter().map(|default| default.unwrap_or(f64::NAN)).collect();
        values.write("values", count, &numbers)
    }
}
