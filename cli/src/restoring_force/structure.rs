//! The structure as described in its file, or by options for a single mass.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use costate::measure::Wanted;
use costate::restoring_force::{Exponents, SensorKind};
use serde::Deserialize;

use crate::error::command_errors;

/// A structure that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StructureError {
    /// The file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The file does not describe a structure.
    #[error("`{}` is no structure; `costate restoring-force --help` shows one", .path.display())]
    Json {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    /// A channel of a single mass without a unit.
    #[error("`{0}` is no channel with a unit, which would say its quantity; name that with `--kind`")]
    NoKind(String),
    /// A channel of a single mass with the unit of no motion.
    #[error("`{channel}` is in `{unit}`, which is no unit of a motion; choose another channel for `--motion`")]
    NoMotion { channel: String, unit: String },
    /// A field has a value that is not permitted.
    #[error("`{field}` is {value}; {limit}")]
    Field { field: String, value: String, limit: String },
}

command_errors!(Wrong: StructureError);

impl StructureError {
    /// Makes the error of a field with its value and the permitted values.
    pub fn field(field: impl Into<String>, value: impl ToString, limit: impl Into<String>) -> Self {
        Self::Field { field: field.into(), value: value.to_string(), limit: limit.into() }
    }
}

/// A structure on a moving base, in SI units.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    #[serde(default = "unnamed")]
    pub name: String,
    pub inertia: Inertia,
    /// Entries (row, column) of M^-1 that the record is to tell, from 1.
    #[serde(default)]
    pub unknown_inertia: Vec<[usize; 2]>,
    pub elements: Vec<Element>,
    #[serde(default)]
    pub base: Vec<Base>,
    #[serde(default)]
    pub forces: Vec<Force>,
    pub sensors: Vec<Sensor>,
    /// The scale p_c of the forces; `None` for the default.
    pub scale: Option<f64>,
    #[serde(default)]
    pub filter: Filter,
    pub exponents: Option<ProcessNoise>,
}

fn unnamed() -> String {
    "Structure".to_owned()
}

/// The inertia in one of three forms.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inertia {
    /// Masses of bodies that move in one direction, in kg.
    Masses(Vec<f64>),
    /// M in the coordinates of the elements' deformations, by rows.
    Mass(Vec<Vec<f64>>),
    /// M^-1 in the same coordinates, by rows.
    Inverse(Vec<Vec<f64>>),
}

/// An element, whose restoring force is to be identified.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    pub name: Option<String>,
    /// The expected values E(S) in N/m and E(D) in N s/m.
    pub stiffness: f64,
    pub damping: f64,
    /// The lower bound s_L in N/m; `None` for the default.
    pub lowest_stiffness: Option<f64>,
    /// The bodies that the element joins, from 1; 0 is the base.
    pub between: Option<[usize; 2]>,
}

/// An acceleration of the base.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    pub channel: String,
    /// Column of B; `None` where B follows from the elements.
    pub directions: Option<Vec<f64>>,
}

/// A measured force.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Force {
    pub channel: String,
    /// The body that the force acts on, from 1.
    pub mass: Option<usize>,
    /// Column of G.
    pub directions: Option<Vec<f64>>,
}

/// A measured signal: at an element or on a body, from 1, or of a weighted sum of all elements.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    pub channel: String,
    #[serde(with = "Kind")]
    pub kind: SensorKind,
    pub element: Option<usize>,
    pub mass: Option<usize>,
    pub weights: Option<Vec<f64>>,
}

/// Quantity that a sensor measures, in the words of the file.
#[derive(Deserialize)]
#[serde(remote = "SensorKind", rename_all = "snake_case")]
enum Kind {
    Displacement,
    Velocity,
    Acceleration,
    RelativeAcceleration,
}

/// The filter.
#[derive(Debug, Clone, Copy, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Linearised at the estimate: the fastest one.
    #[default]
    Extended,
    /// Sigma points, with a triangular factor of the covariance: bears more noise, and less process noise.
    SquareRootUnscented,
}

/// The exponents q_s and q_d.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessNoise {
    pub stiffness: f64,
    pub damping: f64,
}

impl From<Exponents> for ProcessNoise {
    fn from(exponents: Exponents) -> Self {
        Self { stiffness: exponents.stiffness, damping: exponents.damping }
    }
}

impl From<ProcessNoise> for Exponents {
    fn from(noise: ProcessNoise) -> Self {
        Self::new(noise.stiffness, noise.damping)
    }
}

impl Structure {
    /// Reads a file.
    ///
    /// # Errors
    /// [`StructureError::Read`], [`StructureError::Json`].
    pub fn read(path: &Path) -> Result<Self, StructureError> {
        let path = path.to_owned();
        let text = costate::command::files::read_text(&path);
        let text = text.map_err(|error| StructureError::Read { path: path.clone(), source: error.into() })?;
        Self::of_text(&text, path)
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// [`StructureError::Json`].
    pub fn of_text(text: &str, path: PathBuf) -> Result<Self, StructureError> {
        serde_json::from_str(text).map_err(|source| StructureError::Json { path, source })
    }

    /// Returns the channels of the inputs with their quantities: accelerations of the base, then forces.
    pub fn inputs(&self) -> Vec<(&str, Wanted)> {
        let base = self.base.iter().map(|base| (&*base.channel, Wanted::new("the acceleration of the base", "m/s^2")));
        let forces = self.forces.iter().map(|force| (&*force.channel, Wanted::new("a force", "N")));
        base.chain(forces).collect()
    }

    /// Returns the name of an element.
    pub fn element_name(&self, j: usize) -> String {
        let name = self.elements.get(j).and_then(|element| element.name.clone());
        name.unwrap_or_else(|| format!("element {}", j + 1))
    }
}
