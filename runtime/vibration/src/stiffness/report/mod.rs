//! The report as data; its limits, text, pictures and page are files of this folder.

mod figures;
pub(crate) mod limits;
mod page;
mod text;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::stiffness::band::Band;
use crate::stiffness::comparison::Comparison;
use crate::stiffness::curve::{StiffnessCurve, StiffnessLine};
use crate::stiffness::error::StiffnessError;
use crate::stiffness::linearity::Linearity;
use crate::stiffness::unit::{Origin, StiffnessUnit};

/// A report of the dynamic stiffness of a mount, as plain data;
/// [`MountTest::report`](crate::stiffness::MountTest::report) makes it.
///
/// It is printed as text, and written as a page or as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StiffnessReport {
    /// The mount.
    pub title: String,
    /// Unit of all stiffnesses.
    pub unit: StiffnessUnit,
    /// Preload; `None` if it is unknown.
    pub preload: Option<Preload>,
    /// Temperature as given.
    pub temperature: Option<String>,
    /// Notes as given.
    pub notes: Vec<String>,
    /// All curves, the measured ones first, with increasing amplitudes.
    pub curves: Vec<ReportedCurve>,
    /// Tests of linearity, at most one of the measured curves and one of the model's; empty without two amplitudes.
    pub linearity: Vec<Linearity>,
    /// Errors of the model, for each measured curve with a counterpart.
    pub comparisons: Vec<Comparison>,
    /// Sentences on what the report holds for.
    pub limits: Vec<String>,
    /// Sentences on what makes a number of the report doubtful.
    pub doubts: Vec<String>,
}

/// The static load of the mount during the test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Preload {
    /// The force or torque.
    pub value: f64,
    /// The unit: N or N*m.
    pub unit: String,
    /// The origin: given, or the output of a model at rest.
    pub source: String,
}

/// A curve with what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReportedCurve {
    /// The origin.
    pub origin: Origin,
    /// The curve itself.
    pub curve: StiffnessCurve,
    /// Level of each line in dB, relative to 1 in the unit of the curve.
    pub levels: Vec<f64>,
    /// Loss factor of each line; `None` where it has no meaning, see [`StiffnessLine::loss_factor`].
    pub loss_factors: Vec<Option<f64>>,
    /// One-third octave bands.
    pub bands: Vec<Band>,
}

impl ReportedCurve {
    pub(crate) fn of(origin: Origin, curve: StiffnessCurve) -> Self {
        Self {
            origin,
            levels: curve.lines.iter().map(StiffnessLine::level).collect(),
            loss_factors: curve.lines.iter().map(StiffnessLine::loss_factor).collect(),
            bands: curve.bands(),
            curve,
        }
    }

    /// The name in words.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.origin.name(), self.curve.amplitude_text())
    }
}

impl StiffnessReport {
    /// Returns the report as JSON.
    ///
    /// # Errors
    /// The error of `serde_json`, which numbers of a report do not cause.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Writes the report as one HTML page with pictures, which needs no network. The folder is made if it does not
    /// exist.
    ///
    /// # Errors
    /// [`StiffnessError::Plot`], [`StiffnessError::Write`].
    pub fn write_html(&self, file: impl AsRef<Path>) -> Result<(), StiffnessError> {
        write(file.as_ref(), self.html()?)
    }

    /// Writes the report as JSON. The folder is made if it does not exist.
    ///
    /// # Errors
    /// [`StiffnessError::Write`].
    pub fn write_json(&self, file: impl AsRef<Path>) -> Result<(), StiffnessError> {
        let failed =
            |source: serde_json::Error| StiffnessError::Write { path: file.as_ref().to_owned(), source: source.into() };
        write(file.as_ref(), self.json().map_err(failed)? + "\n")
    }

    pub(crate) fn of(&self, origin: Origin) -> impl Iterator<Item = &ReportedCurve> + Clone {
        self.curves.iter().filter(move |own| own.origin == origin)
    }
}

fn write(path: &Path, content: String) -> Result<(), StiffnessError> {
    let failed = |source| StiffnessError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    costate_contract::files::write(path, content).map_err(failed)
}
