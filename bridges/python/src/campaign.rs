//! Campaigns: identifications that a file describes.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use costate::campaign::build::{identification, parameters, process_noise};
use costate::campaign::{self, CampaignError, Loaded as Compiled, Seen};
use costate::command::ArgumentValue;
use costate::identify::IdentificationError;
use costate::interpreted::LoadError;
use costate::simulate::Interrupt;
use pyo3::prelude::*;

use crate::errors::{self, Raised};
use crate::fit::{Fit, Result_, Search, described, identified};
use crate::model::{Argument, Loaded};
use crate::work::interruptible;

/// An identification that a file describes.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Campaign {
    campaign: campaign::Campaign,
    /// Doubts about the records that were read.
    remarks: Mutex<Vec<String>>,
}

/// The reasons why a campaign fails.
enum Fault {
    Campaign(CampaignError),
    Model(LoadError),
    Fit(IdentificationError),
}

impl From<IdentificationError> for Fault {
    fn from(error: IdentificationError) -> Self {
        Self::Fit(error)
    }
}

impl Raised for Fault {
    fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Campaign(error) => {
                let text = errors::text_of(&error);
                errors::with_fields(py, "DataError", &text, |raised| raised.setattr("line", error.place.line()))
            }
            Self::Model(error) => errors::ModelFault::from(error).raised(py),
            Self::Fit(error) => error.raised(py),
        }
    }
}

/// Path, name, structural arguments, and folders of tables of a model.
type Source = (PathBuf, Option<String>, Vec<(String, Argument)>, Vec<PathBuf>);

impl Campaign {
    /// Loads the model that the campaign names.
    fn load(&self) -> Result<Compiled, Fault> {
        let compiled = || {
            let file = self.campaign.model_file()?;
            let arguments = self.campaign.model.arguments.iter().cloned().collect();
            let compiled = file.compile(self.campaign.model.name.as_deref(), &arguments)?;
            Compiled::of_compiled(&file, compiled)
        };
        compiled().map_err(Fault::Model)
    }

    fn observe(&self) -> impl Fn(Seen<'_>) + '_ {
        |seen| {
            if let Seen::Record(record) = seen {
                let mut remarks = self.remarks.lock().unwrap_or_else(PoisonError::into_inner);
                remarks.extend(record.doubts().iter().map(|doubt| format!("`{}`: {doubt}", record.name())));
            }
        }
    }
}

#[pymethods]
impl Campaign {
    /// Reads a file, which may name files of its own folder and of those that are allowed.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, allow_files: Vec<PathBuf>) -> PyResult<Self> {
        let mut campaign = interruptible(py, |_| campaign::read(&path, &allow_files).map_err(Fault::Campaign))?;
        let further = allow_files.into_iter().map(campaign::files::FilePath);
        campaign.model.value.allow_files.extend(further);
        Ok(Self { campaign, remarks: Mutex::default() })
    }

    /// The model: path, name, structural arguments, folders of its tables.
    fn source(&self) -> Source {
        let model = &self.campaign.model;
        let argument = |(name, value): &(String, ArgumentValue)| {
            let value = match value {
                ArgumentValue::Feature(is_on) => Argument::Feature(*is_on),
                ArgumentValue::Size(size) => Argument::Size(*size),
            };
            (name.clone(), value)
        };
        let folders = model.allow_files.iter().map(|folder| folder.0.clone());
        let arguments = model.arguments.iter().map(argument);
        (model.file.0.clone(), model.name.clone(), arguments.collect(), folders.collect())
    }

    /// Known values of all parameters, and start values of those that are to be found.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        interruptible(py, |_| parameters(&self.campaign, &self.load()?).map_err(Fault::Campaign))
    }

    /// Names of the parameters that are to be found.
    fn unknowns(&self) -> Vec<&str> {
        self.campaign.unknowns.iter().map(|one| one.name.value.as_str()).collect()
    }

    /// True for a fit by prediction errors.
    #[getter]
    fn by_prediction_errors(&self) -> bool {
        self.campaign.prediction_error.is_some()
    }

    /// Fits, from one start or from many.
    #[pyo3(signature = (loaded, state=None, progress=None))]
    fn fit(
        &self,
        py: Python<'_>,
        loaded: &Loaded,
        state: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Fit> {
        let starts = self.campaign.multistart.as_ref().map(|all| (all.starts, all.seed));
        let search = Search { starts, state, progress };
        identified(py, loaded, search, |flag| {
            identification(&self.campaign, &self.load()?, flag, &self.observe()).map_err(Fault::Campaign)
        })
    }

    /// Fits by prediction errors.
    fn prediction_error(&self, py: Python<'_>) -> PyResult<Result_> {
        let fit = interruptible(py, |flag: &Interrupt| {
            let loaded = self.load()?;
            let noise = self.campaign.prediction_error.as_ref().map(|entry| process_noise(entry, &loaded));
            let noise = noise.transpose().map_err(Fault::Campaign)?.unwrap_or_default();
            let made = identification(&self.campaign, &loaded, flag, &self.observe()).map_err(Fault::Campaign)?;
            made.prediction_error_by(&noise, loaded.model.dual_equations()).map_err(Fault::Fit)
        })?;
        described(py, &fit)
    }

    /// Doubts about the records that were read.
    fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
