//! The nonlinear regression problems of NIST: a model and a file each.

use std::path::{Path, PathBuf};

use super::models::{MODELS, Model};
use super::residuals::Residuals;
use super::strd::{Dataset, FileError};

/// A problem and its certified solution.
#[derive(Debug)]
pub struct NistProblem {
    /// Name of the problem.
    pub name: &'static str,
    /// Start 1 and start 2.
    pub starts: [Vec<f64>; 2],
    /// The certified parameters.
    pub parameters: Vec<f64>,
    /// The certified standard deviations of the parameters.
    pub deviations: Vec<f64>,
    /// The certified residual sum of squares.
    pub sum_of_squares: f64,
    /// f(b, x_j) - y_j.
    pub residuals: Residuals,
}

/// A problem that cannot be set up.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ProblemError {
    /// The file of the problem cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is that of another problem.
    #[error("the file of {model} holds {name}")]
    Name { model: &'static str, name: String },
    /// The numbers of parameters or predictors of the model and of the file differ.
    #[error("the file of {model} has {found} {what}, but the model {expected}")]
    Shape { model: &'static str, what: &'static str, found: usize, expected: usize },
}

/// The folder of the files that come with this package.
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/nist_strd")
}

/// All problems, from the files of a folder.
///
/// # Errors
/// [`ProblemError`] for the first one that cannot be set up.
pub fn problems(folder: &Path) -> Result<Vec<NistProblem>, ProblemError> {
    let problem = |model: &Model| {
        let file = Dataset::read(&folder.join(format!("{}.dat", model.name)))?;
        NistProblem::new(*model, file)
    };
    MODELS.iter().map(problem).collect()
}

impl NistProblem {
    /// A problem from a model and its file.
    ///
    /// # Errors
    /// [`ProblemError`] if they do not fit together.
    pub fn new(model: Model, file: Dataset) -> Result<Self, ProblemError> {
        let Model { name, function, .. } = model;
        if file.name != name {
            return Err(ProblemError::Name { model: name, name: file.name });
        }
        let predictors = file.observations.first().map_or(0, |first| first.predictors.len());
        let sizes =
            [("parameters", file.parameters.len(), model.parameters), ("predictors", predictors, model.predictors)];
        if let Some(&(what, found, expected)) = sizes.iter().find(|(_, found, expected)| found != expected) {
            return Err(ProblemError::Shape { model: name, what, found, expected });
        }
        let mut observations = file.observations;
        if model.logarithmic {
            observations.iter_mut().for_each(|row| row.response = row.response.ln());
        }
        let parameters = &file.parameters;
        let start = |k: usize| parameters.iter().map(|parameter| parameter.starts[k]).collect();
        Ok(Self {
            name,
            starts: [start(0), start(1)],
            parameters: parameters.iter().map(|parameter| parameter.value).collect(),
            deviations: parameters.iter().map(|parameter| parameter.deviation).collect(),
            sum_of_squares: file.sum_of_squares,
            residuals: Residuals::new(move |b| {
                observations.iter().map(|row| function(b, &row.predictors) - row.response).collect()
            }),
        })
    }
}
