//! Models loaded from text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use costate::command::units::conversion;
use costate::command::{ArgumentValue, Arguments, Bridge, Compiled, ModelFile, shared_library};
use costate::interpreted::LoadedModel;
use costate::model::{Parameter, Quantity};
use pyo3::prelude::*;

use crate::errors::{self, ModelFault, Raised};
use crate::functions;
use crate::work::interruptible;

/// A model that was loaded from a text.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: LoadedModel,
    documentation: String,
    text: String,
}

/// The crate of this library.
const BRIDGE: Bridge = Bridge {
    folder: "bridges/python",
    name: "_costate",
    // the interface is that of every Python from 3.11 on
    environment: &[("PYO3_BUILD_EXTENSION_MODULE", "1"), ("PYO3_NO_PYTHON", "1")],
};

/// Returns the path of this library with the model compiled in, which cargo builds unless it has before.
#[pyfunction]
#[pyo3(signature = (path, text=None, name=None, arguments=HashMap::new(), allow_files=Vec::new()))]
pub fn compiled(
    py: Python<'_>,
    path: PathBuf,
    text: Option<String>,
    name: Option<String>,
    arguments: HashMap<String, Argument>,
    allow_files: Vec<PathBuf>,
) -> PyResult<PathBuf> {
    interruptible(py, |_| {
        let (file, compiled) = read(&path, text, name.as_deref(), arguments, allow_files)?;
        shared_library(BRIDGE, &file, compiled).map_err(ModelFault::from)
    })
}

/// Reads and compiles the model `name` of a text, or the only one.
fn read(
    path: &Path,
    text: Option<String>,
    name: Option<&str>,
    arguments: HashMap<String, Argument>,
    allow_files: Vec<PathBuf>,
) -> Result<(ModelFile, Compiled), ModelFault> {
    let mut given = Arguments::new();
    for (name, value) in arguments {
        let value = match value {
            Argument::Feature(on) => ArgumentValue::from(on),
            Argument::Size(size) => ArgumentValue::from(size),
        };
        given = given.with(name, value);
    }
    let shown = path.display().to_string();
    let file = match text {
        Some(text) => {
            ModelFile::from_text(path, text.clone()).map_err(|error| ModelFault::of_file(&error, &shown, &text))?
        }
        None => ModelFile::read(path).map_err(|error| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            ModelFault::of_file(&error, &shown, &text)
        })?,
    };
    let file = file.with_files_only_in(allow_files);
    let compiled = file.compile(name, &given);
    let compiled = compiled.map_err(|error| ModelFault::of_file(&error, &shown, file.text()))?;
    Ok((file, compiled))
}

/// The value of a structural argument.
#[derive(Debug, FromPyObject, IntoPyObject)]
pub enum Argument {
    /// A `bool`, which Python counts among the integers.
    Feature(bool),
    /// A size.
    Size(i64),
}

#[pymethods]
impl Loaded {
    /// Loads the model `name` of a text, or the only one; tables are relative to the folder of `path`.
    #[new]
    #[pyo3(signature = (path, text=None, name=None, arguments=HashMap::new(), allow_files=Vec::new()))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        text: Option<String>,
        name: Option<String>,
        arguments: HashMap<String, Argument>,
        allow_files: Vec<PathBuf>,
    ) -> PyResult<Self> {
        interruptible(py, |_| {
            let (file, compiled) = read(&path, text, name.as_deref(), arguments, allow_files)?;
            let model = LoadedModel::of_compiled(&file, &compiled)?;
            let model = functions::compiled(model).map_err(ModelFault::of_other)?;
            let documentation = compiled.model.documentation.clone();
            Ok::<_, ModelFault>(Self { model, documentation, text: file.text().to_owned() })
        })
    }

    /// Name of the model.
    #[getter]
    fn name(&self) -> &'static str {
        self.model.name()
    }

    /// Documentation above the model.
    #[getter]
    fn documentation(&self) -> &str {
        &self.documentation
    }

    /// The text that was loaded.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Names, units and documentation of the parameters, inputs, outputs, coordinates, constraints or tables.
    fn quantities(&self, kind: &str) -> Vec<(&'static str, &'static str, &'static str)> {
        let described = self.model.description();
        let all: &[Quantity] = match kind {
            "parameters" => described.parameters,
            "inputs" => described.inputs,
            "outputs" => described.outputs,
            "coordinates" => described.coordinates,
            "constraints" => described.constraints,
            _ => return described.tables.iter().map(|table| quantity(&table.quantity)).collect(),
        };
        all.iter().map(quantity).collect()
    }

    /// The default of every parameter, `None` for one without.
    fn defaults(&self) -> Vec<Option<f64>> {
        self.model.defaults().to_vec()
    }

    /// The position of a parameter.
    fn parameter(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        self.model.parameter(name).map(Parameter::index).map_err(|error| error.raised(py))
    }

    /// Converts a number with a unit into the unit of a quantity.
    #[staticmethod]
    fn converted(py: Python<'_>, name: &str, value: f64, unit: &str, wanted: &str) -> PyResult<f64> {
        match conversion(unit, wanted) {
            Ok(scale) => Ok(scale.apply(value)),
            Err(fault) => Err(errors::of_text(py, "DataError", &format!("`{name}`, {value} [{unit}]: {fault}"))),
        }
    }
}

fn quantity(one: &Quantity) -> (&'static str, &'static str, &'static str) {
    (one.name, one.unit, one.documentation)
}
