//! The contents of an FMU that are not part of the standard: the text of the model and the settings of its steps.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use costate::command::{AnyTable, Arguments, IndependentMotion, ModelFile, StateVectors, files};
use costate::interpreted::LoadedModel;
use costate::model::{Dynamic, Input};
use costate::simulate::{Problem, Scheme, Simulation, SimulationError};
use costate::table::{Curve, Surface, Table};
use serde::Deserialize;

use crate::functions;

/// Version of the library, which is that of the command that packs texts for it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The settings in `resources/costate.json`.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// Version of the command that packed the text.
    pub version: String,
    /// The token of `modelDescription.xml`.
    pub token: String,
    /// Digest of the model.
    pub digest: String,
    /// Name of the file with the model's text, in `resources`.
    pub file: String,
    /// Name of the model in the file.
    pub model: String,
    /// Names and values of structural arguments.
    pub arguments: Vec<(String, String)>,
    /// The names that the text has for its tables and meshes, and those of their copies in `resources`.
    pub files: Vec<(String, String)>,
    /// The tables with data of their own: names, files in `resources`, and checksums of these.
    pub tables: Vec<(String, String, u32)>,
    /// Length of an internal step in s.
    pub step: f64,
    /// The allowed error of adaptive steps, `step` being the longest; `None` for steps of one length.
    pub tolerance: Option<f64>,
    /// Scheme of the steps.
    pub scheme: Scheme,
    /// Start values of the parameters, in their order of declaration.
    pub parameters: Vec<f64>,
    /// The independent coordinates; `None` for a model without Model Exchange.
    pub independent: Option<Vec<usize>>,
    /// The first value references.
    pub references: References,
}

/// The first value reference of every kind of variables, which follow one another; 0 is time.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct References {
    /// Parameters.
    pub parameters: u32,
    /// Inputs.
    pub inputs: u32,
    /// Outputs.
    pub outputs: u32,
    /// States.
    pub states: u32,
    /// Derivatives of the states.
    pub derivatives: u32,
}

/// A model that was unpacked and loaded.
pub struct Packed {
    /// Settings.
    pub settings: Settings,
    /// The model.
    pub model: LoadedModel,
    /// The equations of Model Exchange.
    pub motion: Option<IndependentMotion>,
    /// Data of tables in place of the model's.
    tables: Vec<TableData>,
    /// A problem with the model's tables, for evaluations at points.
    pub problem: Problem,
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({})", self.model.name())
    }
}

/// The models that have been unpacked, by the digests of their settings and texts: instances of one FMU share one.
static UNPACKED: Mutex<Option<HashMap<String, Arc<Packed>>>> = Mutex::new(None);

impl Packed {
    /// Unpacks the model of a folder `resources`.
    ///
    /// # Errors
    /// A text that says what is wrong, and what to do.
    pub fn open(resources: &Path, token: &str) -> Result<Arc<Self>, String> {
        let path = resources.join("costate.json");
        let read = |path: &Path| {
            files::read_text(path)
                .map_err(|error| format!("`{}` cannot be read: {error}; unpack the whole FMU", path.display()))
        };
        let written = read(&path)?;
        let settings: Settings = serde_json::from_str(&written)
            .map_err(|error| format!("`{}` is damaged: {error}; export the FMU anew", path.display()))?;
        if settings.version != VERSION {
            return Err(format!(
                "the model was packed by costate {}, and this library is of costate {VERSION}; export the FMU anew \
                 with `costate fmu`",
                settings.version
            ));
        }
        if settings.token != token {
            return Err(format!(
                "the instantiation token `{token}` is not that of the model, `{}`; take `resources` and \
                 `modelDescription.xml` from one FMU",
                settings.token
            ));
        }
        let text = read(&resources.join(&settings.file))?;
        let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
        let unpacked = unpacked.get_or_insert_default();
        let key = format!("{written}\n{text}");
        if let Some(packed) = unpacked.get(&key) {
            return Ok(Arc::clone(packed));
        }
        let packed = Arc::new(Self::load(resources, settings, text)?);
        unpacked.insert(key, Arc::clone(&packed));
        Ok(packed)
    }

    fn load(resources: &Path, settings: Settings, text: String) -> Result<Self, String> {
        let mut contents: Vec<(&'static str, &'static [u8])> = Vec::new();
        for (name, copy) in &settings.files {
            let path = resources.join(copy);
            let bytes = files::read(&path)
                .map_err(|error| format!("`{}` cannot be read: {error}; unpack the whole FMU", path.display()))?;
            // loaded models stay until the program ends, and so do their files
            contents.push((name.clone().leak(), bytes.leak()));
        }
        let file = ModelFile::from_text(PathBuf::from(&settings.file), text).map_err(|error| error.to_string())?;
        let mut arguments = Arguments::new().with_files(contents.leak());
        for (name, value) in &settings.arguments {
            let value: costate::command::ArgumentValue =
                value.parse().map_err(|error| format!("structural argument `{name}`: {error}"))?;
            arguments = arguments.with(name.clone(), value);
        }
        let model =
            LoadedModel::of_file(&file, Some(&settings.model), &arguments).map_err(|error| error.to_string())?;
        let description = model.description();
        if description.digest != Some(settings.digest.as_str()) {
            return Err("the text of the model or a file that it reads was changed after the export; export the FMU \
                        anew with `costate fmu`"
                .to_owned());
        }
        let model = functions::compiled(model).map_err(|digest| {
            format!(
                "the model that is compiled into the library has the digest {digest}, and that of `costate.json` is \
                 {}; take `binaries` and `resources` from one FMU",
                settings.digest
            )
        })?;
        let description = model.description();
        if settings.parameters.len() != description.parameters.len() {
            return Err("`costate.json` has values for other parameters; export the FMU anew".to_owned());
        }
        let independent = settings.independent.clone();
        let motion = independent.map(|positions| IndependentMotion::with_positions(description, positions)).transpose();
        let motion = motion.map_err(|error| error.to_string())?;
        let zeros = vec![0.0; description.inputs.len()];
        let tables = settings.tables.iter().map(|of| TableData::read(model, resources, of));
        let tables = tables.collect::<Result<Vec<_>, _>>()?;
        let problem =
            simulation(model, &settings, &tables, (&settings.parameters, &zeros)).until(settings.step).problem();
        let problem = problem.map_err(|error| error.to_string())?;
        Ok(Self { settings, model, motion, tables, problem })
    }

    /// Returns the simulation with these parameters and constant inputs.
    pub fn simulation(&self, parameters: &[f64], inputs: &[f64]) -> Simulation {
        simulation(self.model, &self.settings, &self.tables, (parameters, inputs))
    }

    /// Computes the consistent initial state q, v, a, lambda.
    ///
    /// # Errors
    /// Those of the initial state.
    pub fn start(&self, parameters: &[f64], inputs: &[f64]) -> Result<StateVectors<f64>, SimulationError> {
        let problem = self.simulation(parameters, inputs).until(self.settings.step).problem()?;
        problem.check_start(parameters)?;
        let stored = self.model.system().initial_state(&problem, parameters)?;
        Ok(StateVectors::of_stored(self.model.description().coordinates.len(), &stored))
    }
}

/// The data of a table.
#[derive(Debug)]
enum TableData {
    Curve(Table<Dynamic, Curve>, Arc<Curve>),
    Surface(Table<Dynamic, Surface>, Arc<Surface>),
}

impl TableData {
    /// Reads the data as the command does that packed them.
    fn read(model: LoadedModel, resources: &Path, (name, file, sum): &(String, String, u32)) -> Result<Self, String> {
        let path = resources.join(file);
        let unreadable =
            |error: &dyn fmt::Display| format!("the table `{name}`: {error}; unpack the whole FMU, or export it anew");
        let contents = files::read(&path).map_err(|error| unreadable(&error))?;
        let mut own = flate2::Crc::new();
        own.update(&contents);
        if own.sum() != *sum {
            return Err(unreadable(&format!("`{}` was changed after the export", path.display())));
        }
        let of_model = model.system().tables();
        if let Ok(table) = model.system().curve(name) {
            let extension = match of_model.at(table.index()) {
                Some(AnyTable::Curve(own)) => own.extension(),
                _ => Default::default(),
            };
            let data = Curve::read_csv(&path, extension).map_err(|error| unreadable(&error))?;
            return Ok(Self::Curve(table, Arc::new(data)));
        }
        let table = model.system().surface(name).map_err(|error| unreadable(&error))?;
        let extensions = match of_model.at(table.index()) {
            Some(AnyTable::Surface(own)) => own.extensions(),
            _ => Default::default(),
        };
        let data = Surface::read_csv(&path, extensions).map_err(|error| unreadable(&error))?;
        Ok(Self::Surface(table, Arc::new(data)))
    }
}

fn simulation(
    model: LoadedModel,
    settings: &Settings,
    tables: &[TableData],
    (parameters, inputs): (&[f64], &[f64]),
) -> Simulation {
    let mut simulation =
        Simulation::of(model.system(), parameters).scheme(settings.scheme).step(settings.step).error_limit(None);
    for (input, &value) in Input::each_of(model.description()).zip(inputs) {
        simulation = simulation.input(input, value);
    }
    for table in tables {
        simulation = match table {
            TableData::Curve(table, data) => simulation.table(*table, Arc::clone(data)),
            TableData::Surface(table, data) => simulation.table(*table, Arc::clone(data)),
        };
    }
    simulation
}
