//! The options of `costate restoring-force`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use costate::restoring_force::{Exponents, SensorKind};

use super::samples::Samples;
use super::structure::{Base, Element, Filter, Force, Inertia, Sensor, Structure, StructureError};
use crate::error::CommandError;
use crate::options::{Amount, RecordOptions, parameter, positive, read_record};

/// The structure in a file, for the help.
pub const STRUCTURE: &str = r#"A single mass on an element is described by options: its mass, what excites it (the
acceleration of a base, a force, or both) and one signal of its motion. Other structures are in a JSON file, in SI
units. They have as many elements as degrees of freedom:

{"inertia": {"masses": [4, 2]},
 "elements": [{"name": "lower spring", "between": [0, 1], "stiffness": 5e6, "damping": 500},
              {"name": "upper spring", "between": [1, 2], "stiffness": 5e6, "damping": 500}],
 "base": [{"channel": "table"}],
 "sensors": [{"channel": "lower mass", "kind": "acceleration", "mass": 1},
             {"channel": "upper mass", "kind": "acceleration", "mass": 2}]}

inertia   "masses" that move in one direction and are joined by elements "between" two of them (0 is the base), or the
          matrix "mass" or "inverse", M or its inverse in the coordinates of the elements' deformations, by rows
unknown_inertia
          entries of the inverse matrix that the record tells, such as [[1, 1], [1, 2]]
elements  guesses of the average "stiffness" and "damping", which a factor of ten may be wrong; "lowest_stiffness",
          where it is known
base      channels with accelerations of the base; with matrices, "directions", what 1 m/s^2 adds to the acceleration of
          every deformation: -1 for elements on the base
forces    channels with forces on a "mass" or, with matrices, with the "directions" of their work on the deformations
sensors   channels of the "kind" displacement, velocity, acceleration (what an accelerometer measures) or
          relative_acceleration, at an "element", on a "mass", or of a sum of all elements with "weights"; one for each
          degree of freedom at least
Also "name", "scale" of the forces, "filter" (extended or square_root_unscented), "exponents" of its process noise."#;

/// The record, the structure, the filter, and the files that are written.
#[derive(Debug, Args)]
#[command(after_long_help = STRUCTURE)]
pub struct Options {
    /// The file of a measuring device: CSV, UFF58, MDF4, MAT, TDMS, HDF5, Parquet or WAV.
    pub record: PathBuf,
    /// The file of a structure, see below; a single mass needs none.
    #[arg(long, value_name = "FILE", required_unless_present = "mass",
        conflicts_with_all = ["mass", "unknown_mass", "base", "force", "motion", "kind", "stiffness", "damping"])]
    pub structure: Option<PathBuf>,
    /// The mass in kg that the element holds.
    #[arg(long, value_name = "KG", value_parser = positive, requires_all = ["motion", "stiffness"])]
    mass: Option<f64>,
    /// Takes the mass for a guess, and finds it: needs a force, and a record with low excitation.
    #[arg(long, requires = "force")]
    unknown_mass: bool,
    /// The channel with the acceleration of the base.
    #[arg(long, value_name = "CHANNEL")]
    base: Option<String>,
    /// The channel with a force on the mass.
    #[arg(long, value_name = "CHANNEL")]
    force: Option<String>,
    /// The channel with the motion of the mass.
    #[arg(long, value_name = "CHANNEL")]
    motion: Option<String>,
    /// The quantity of that channel; without it, its unit says whether it is a displacement, a velocity or the
    /// acceleration that an accelerometer measures.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// A guess of the average stiffness in N/m; a factor of ten may be wrong.
    #[arg(long, value_name = "N/m", value_parser = positive)]
    stiffness: Option<f64>,
    /// A guess of the average damping in N s/m; a twentieth of the critical one without it.
    #[arg(long, value_name = "N*s/m", value_parser = positive)]
    damping: Option<f64>,
    /// The filter, in place of that of the structure.
    #[arg(long, value_enum)]
    filter: Option<Filter>,
    /// The exponents q_s and q_d of the process noise of stiffness and damping: the larger, the faster these change.
    #[arg(long, num_args = 2, value_names = ["Q_S", "Q_D"])]
    exponents: Option<Vec<f64>>,
    /// Tries a plane of exponents, and takes those whose response is nearest to the record.
    #[arg(long, conflicts_with = "exponents")]
    pub search: bool,
    /// Standard deviation of the errors of a channel, in its unit; without it, that of a measured channel is estimated
    /// from the record, and that of a base or a force is 0.
    #[arg(long, value_name = "CHANNEL=VALUE,..", value_delimiter = ',', value_parser = parameter)]
    pub noise: Vec<(String, Amount)>,
    /// Finds unknown inertia by this record, with low excitation, in place of the one of the forces.
    #[arg(long, value_name = "FILE")]
    inertia_record: Option<PathBuf>,
    /// Runs over the record by which unknown inertia is found.
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub iterations: u16,
    /// Leaves out ends of curves that are so many times as uncertain as their median; all but a few samples are kept
    /// without it.
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    pub uncertain: Option<f64>,
    /// Nodes of the curves.
    #[arg(long, value_name = "NUMBER", default_value_t = 60, value_parser = clap::value_parser!(u16).range(4..=1000))]
    pub nodes: u16,
    #[command(flatten)]
    pub records: RecordOptions,
    /// The page to write: curves with their bands, convergence, responses and warnings.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// A file to write: `.csv` the nodes of all curves with deviations, `.svg` the curves, `.json` the answer. Can
    /// be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,
    /// Writes a model with the curves as its tables into this folder: `model.txt`, `elastic_1.csv` and so on.
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
}

/// Quantities of a single mass's motion.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// The deformation of the element.
    Displacement,
    /// The rate of the deformation.
    Velocity,
    /// The signal of an accelerometer on the mass.
    Acceleration,
    /// The acceleration relative to the base.
    RelativeAcceleration,
}

impl From<Kind> for SensorKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Displacement => Self::Displacement,
            Kind::Velocity => Self::Velocity,
            Kind::Acceleration => Self::Acceleration,
            Kind::RelativeAcceleration => Self::RelativeAcceleration,
        }
    }
}

impl Options {
    /// Returns the structure of the file or of the options; `unit` is that of a channel, if it has one.
    ///
    /// # Errors
    /// [`StructureError`]; a channel whose unit says no quantity.
    pub fn structure(&self, unit: impl Fn(&str) -> Option<String>) -> Result<Structure, CommandError> {
        let mut structure = match &self.structure {
            Some(path) => Structure::read(path)?,
            None => self.single(unit)?,
        };
        structure.filter = self.filter.unwrap_or(structure.filter);
        if let Some([stiffness, damping]) = self.exponents.as_deref() {
            structure.exponents = Some(Exponents::new(*stiffness, *damping).into());
        }
        Ok(structure)
    }

    /// Returns the samples by which unknown inertia is found, if they have a record of their own.
    ///
    /// # Errors
    /// As [`Samples::of`].
    pub fn inertia_samples(&self, structure: &Structure) -> Result<Option<Samples>, CommandError> {
        let Some(path) = &self.inertia_record else { return Ok(None) };
        Samples::of(&read_record(path, &self.records.reader())?, structure).map(Some)
    }

    fn single(&self, unit: impl Fn(&str) -> Option<String>) -> Result<Structure, StructureError> {
        /// Part of the critical damping that is guessed; the filter finds the damping from a tenth of it as well.
        const DAMPING_RATIO: f64 = 0.05;
        let (mass, stiffness) = (self.mass.unwrap_or_default(), self.stiffness.unwrap_or_default());
        let damping = self.damping.unwrap_or(2.0 * DAMPING_RATIO * (stiffness * mass).sqrt());
        let channel = self.motion.clone().unwrap_or_default();
        let kind = match self.kind {
            Some(kind) => kind.into(),
            None => of_unit(&channel, unit(&channel))?,
        };
        Ok(Structure {
            name: "Single mass".to_owned(),
            inertia: Inertia::Masses(vec![mass]),
            unknown_inertia: if self.unknown_mass { vec![[1, 1]] } else { Vec::new() },
            elements: vec![Element { name: None, stiffness, damping, lowest_stiffness: None, between: Some([0, 1]) }],
            base: self.base.iter().map(|channel| Base { channel: channel.clone(), directions: None }).collect(),
            forces: self
                .force
                .iter()
                .map(|channel| Force { channel: channel.clone(), mass: Some(1), directions: None })
                .collect(),
            sensors: vec![Sensor { channel, kind, element: Some(1), mass: None, weights: None }],
            scale: None,
            filter: Filter::default(),
            exponents: None,
        })
    }
}

/// Returns the quantity with this unit.
fn of_unit(channel: &str, unit: Option<String>) -> Result<SensorKind, StructureError> {
    let kinds = [("m", SensorKind::Displacement), ("m/s", SensorKind::Velocity), ("m/s^2", SensorKind::Acceleration)];
    let Some(unit) = unit else { return Err(StructureError::NoKind(channel.to_owned())) };
    // `g` is gravity where an acceleration may be meant
    let fits = |(wanted, _): &&(&str, SensorKind)| {
        unit == "g" && *wanted == "m/s^2" || costate::command::units::conversion(&unit, wanted).is_ok()
    };
    match kinds.iter().find(fits) {
        Some((_, kind)) => Ok(*kind),
        None => Err(StructureError::NoMotion { channel: channel.to_owned(), unit }),
    }
}
