//! Measured numbers of a campaign that the model predicts without a run: modes, frequency responses, dynamic stiffness
//! over amplitude.

use std::path::PathBuf;

use costate_cost::ComplexForm;

use super::place::{Located, Place};
use crate::options::Amount;

/// Measured numbers that an experiment compares without a run.
#[derive(Debug, Default)]
pub struct Predictions {
    /// Modes.
    pub modes: Vec<ModesEntry>,
    /// Frequency responses.
    pub responses: Vec<ResponseEntry>,
    /// Dynamic stiffness over amplitude.
    pub stiffness: Vec<StiffnessEntry>,
}

impl Predictions {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.modes.is_empty() && self.responses.is_empty() && self.stiffness.is_empty()
    }

    /// Returns the first file of measured numbers.
    pub fn file(&self) -> Option<&Located<PathBuf>> {
        let of_modes = self.modes.iter().filter_map(|modes| match &modes.numbers {
            ModeNumbers::File(file) => Some(file),
            ModeNumbers::Listed(_) => None,
        });
        let of_responses = self.responses.iter().map(|response| &response.file);
        of_modes.chain(of_responses).chain(self.stiffness.iter().flat_map(|one| &one.files)).next()
    }
}

/// Measured modes.
#[derive(Debug)]
pub struct ModesEntry {
    /// The name of the prediction.
    pub name: Option<Located<String>>,
    /// Coordinates that keep their initial values.
    pub hold: Vec<Located<String>>,
    /// The numbers.
    pub numbers: ModeNumbers,
    /// The place of the modes.
    pub place: Place,
}

/// The origin of the numbers of modes.
#[derive(Debug)]
pub enum ModeNumbers {
    /// The campaign itself.
    Listed(ModeLists),
    /// A table.
    File(Located<PathBuf>),
}

/// Numbers of modes, a list of one number counting for all.
#[derive(Debug, Clone, Default)]
pub struct ModeLists {
    /// Numbers of the modes, from 1.
    pub modes: Option<Vec<usize>>,
    /// Natural frequencies in Hz.
    pub frequencies: Vec<f64>,
    /// Their standard deviations in Hz.
    pub frequency_deviations: Option<Vec<f64>>,
    /// Damping ratios.
    pub ratios: Option<Vec<f64>>,
    /// Their standard deviations.
    pub ratio_deviations: Option<Vec<f64>>,
}

/// The way in which a measured complex curve is compared.
#[derive(Debug)]
pub struct CurveEntry {
    /// The form.
    pub form: ComplexForm,
    /// The lowest and the highest frequency in Hz.
    pub band: Option<(f64, f64)>,
    /// Number of averages behind the coherence.
    pub averages: Option<f64>,
    /// The unit of a file that has none.
    pub unit: Option<Located<String>>,
    /// True if neighbouring lines depend on each other.
    pub is_dependent: bool,
}

/// A measured frequency response.
#[derive(Debug)]
pub struct ResponseEntry {
    /// The name of the prediction.
    pub name: Option<Located<String>>,
    /// Coordinates that keep their initial values.
    pub hold: Vec<Located<String>>,
    /// The file.
    pub file: Located<PathBuf>,
    /// The number of the response in the file, from 1.
    pub function: Option<Located<usize>>,
    /// The input.
    pub input: Located<String>,
    /// The output.
    pub output: Located<String>,
    /// The output below the first one.
    pub over: Option<Located<String>>,
    /// True for the input over the output.
    pub is_stiffness: bool,
    /// The way of comparison.
    pub curve: CurveEntry,
    /// The place of the response.
    pub place: Place,
}

/// Measured dynamic stiffness at several amplitudes.
#[derive(Debug)]
pub struct StiffnessEntry {
    /// The name of the prediction.
    pub name: Option<Located<String>>,
    /// One file for each amplitude.
    pub files: Vec<Located<PathBuf>>,
    /// The amplitudes.
    pub amplitudes: Vec<Located<Amount>>,
    /// The input, a force.
    pub input: Located<String>,
    /// The output, its displacement.
    pub output: Located<String>,
    /// Mean of the output.
    pub mean: Option<Located<Amount>>,
    /// Number of harmonics.
    pub harmonics: Option<usize>,
    /// The way of comparison.
    pub curve: CurveEntry,
    /// The place of the stiffness.
    pub place: Place,
}
