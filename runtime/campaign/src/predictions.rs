//! Measured numbers of a campaign that the model predicts without a run: modes, frequency responses, dynamic stiffness
//! over amplitude.

use costate_cost::ComplexForm;
use serde::Deserialize;

use super::error::{CampaignError, Fault};
use super::files::FilePath;
use super::place::{Located, Place};
use super::values::{Frequency, Names, Ordinal, Pair, Plain, Several, list, sections};
use crate::amount::Amount;
use crate::words::{Word, Words};

sections!(ModesEntry, ResponseEntry, StiffnessEntry);

/// Measured modes, a list of one number counting for all.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct ModesEntry {
    pub name: Option<Located<String>>,
    pub hold: Names,
    #[serde(default, deserialize_with = "list")]
    pub modes: Option<Vec<Ordinal>>,
    pub frequencies: Option<Several<Frequency>>,
    pub frequency_deviations: Option<Several<Frequency>>,
    pub ratios: Option<Several<Plain>>,
    pub ratio_deviations: Option<Several<Plain>>,
    pub file: Option<Located<FilePath>>,
}

impl ModesEntry {
    /// Refuses modes with lists and a table, or with neither, and negative frequencies.
    ///
    /// # Errors
    /// [`Fault::Contradiction`], [`Fault::Missing`] and [`Fault::Text`].
    pub fn check(&self, place: &Place) -> Result<(), CampaignError> {
        let has_list = self.modes.is_some()
            || self.frequency_deviations.is_some()
            || self.ratios.is_some()
            || self.ratio_deviations.is_some();
        match (&self.file, &self.frequencies) {
            (Some(file), frequencies) if has_list || frequencies.is_some() => {
                let (first, second) = ("`file`", "the lists of numbers beside it");
                Err(CampaignError::new(&file.place, Fault::Contradiction { first, second }))
            }
            (None, None) => {
                let (field, example) = ("frequencies".to_owned(), "[3.18, 9.71]".to_owned());
                Err(CampaignError::new(place, Fault::Missing { field, example }))
            }
            (_, frequencies) => {
                let all = frequencies.iter().flat_map(|frequencies| &frequencies.0);
                match all.map(|frequency| frequency.0).find(|frequency| *frequency < 0.0) {
                    Some(negative) => {
                        let text =
                            format!("a frequency is {negative} Hz; write those of modes, which are not negative");
                        Err(CampaignError::new(place, Fault::Text(text)))
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

/// A measured frequency response.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ResponseEntry {
    pub name: Option<Located<String>>,
    #[serde(default)]
    pub hold: Names,
    pub file: Located<FilePath>,
    pub function: Option<Located<Ordinal>>,
    pub input: Located<String>,
    pub output: Located<String>,
    pub over: Option<Located<String>>,
    #[serde(default, rename = "stiffness")]
    pub is_stiffness: bool,
    form: Option<Word<ComplexForm>>,
    band: Option<Pair<Frequency>>,
    averages: Option<Plain>,
    unit: Option<Located<String>>,
    #[serde(default)]
    dependent: bool,
}

/// Measured dynamic stiffness at several amplitudes.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct StiffnessEntry {
    pub name: Option<Located<String>>,
    pub files: Vec<Located<FilePath>>,
    pub amplitudes: Located<Vec<Located<Amount>>>,
    pub input: Located<String>,
    pub output: Located<String>,
    pub mean: Option<Located<Amount>>,
    pub harmonics: Option<usize>,
    form: Option<Word<ComplexForm>>,
    band: Option<Pair<Frequency>>,
    averages: Option<Plain>,
    unit: Option<Located<String>>,
    #[serde(default)]
    dependent: bool,
}

/// The way in which a measured complex curve is compared.
#[derive(Debug, Clone)]
pub struct CurveEntry {
    /// The form.
    pub form: ComplexForm,
    /// The lowest and the highest frequency in Hz.
    pub band: Option<Pair<Frequency>>,
    /// Number of averages of the coherence.
    pub averages: Option<f64>,
    /// The unit of a file that has none.
    pub unit: Option<Located<String>>,
    /// True if neighbouring lines depend on each other.
    pub dependent: bool,
}

macro_rules! curves {
    ($($entry:ty),+) => {$(
        impl $entry {
            /// Returns the way in which the curve is compared.
            pub fn curve(&self) -> CurveEntry {
                let Self { form, band, averages, dependent, .. } = *self;
                let form = form.map_or(ComplexForm::RealAndImaginary, |Word(form)| form);
                CurveEntry { form, band, averages: averages.map(f64::from), unit: self.unit.clone(), dependent }
            }
        }
    )+};
}

curves!(ResponseEntry, StiffnessEntry);

impl Words for ComplexForm {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("real-and-imaginary", Self::RealAndImaginary),
        ("magnitude-and-phase", Self::MagnitudeAndPhase),
        ("decibels-and-phase", Self::DecibelsAndPhase),
        ("magnitude", Self::Magnitude),
        ("decibels", Self::Decibels),
    ];
}

impl ResponseEntry {
    /// Refuses a stiffness over a second output.
    ///
    /// # Errors
    /// [`Fault::Contradiction`].
    pub fn check(&self) -> Result<(), CampaignError> {
        match &self.over {
            Some(over) if self.is_stiffness => {
                let (first, second) = ("`over`", "`stiffness = true`");
                Err(CampaignError::new(&over.place, Fault::Contradiction { first, second }))
            }
            _ => Ok(()),
        }
    }
}

impl StiffnessEntry {
    /// Refuses another number of files than of amplitudes.
    ///
    /// # Errors
    /// [`Fault::Type`].
    pub fn check(&self) -> Result<(), CampaignError> {
        if !self.files.is_empty() && self.files.len() == self.amplitudes.len() {
            return Ok(());
        }
        let (found, wanted) = ("a list", "as many amplitudes as there are files, one at least");
        let fault = Fault::Type { found: found.to_owned(), wanted: wanted.to_owned() };
        Err(CampaignError::new(&self.amplitudes.place, fault))
    }
}
