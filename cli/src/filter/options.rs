//! The options of `costate filter`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use costate::filter::{KalmanMethod, SigmaPoints};

use crate::error::command_errors;
use crate::fit::Bench;
use crate::options::{Amount, extension, parameter};

/// The record and the quantities that are followed, and the files that are written.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub bench: Bench,
    /// The parameters that are followed beside the states of the model.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub follow: Vec<String>,
    /// Standard deviation of a followed parameter at the start; a fifth of its value without it.
    #[arg(long, value_name = "NAME=VALUE,..", value_delimiter = ',', value_parser = parameter)]
    deviation: Vec<(String, Amount)>,
    /// Drift of a followed parameter: standard deviation of the change in one second; 0 without it.
    #[arg(long, value_name = "NAME=VALUE,..", value_delimiter = ',', value_parser = parameter)]
    drift: Vec<(String, Amount)>,
    /// Standard deviation of the errors of a measured output; every measured output needs one.
    #[arg(long, value_name = "OUTPUT=VALUE,..", value_delimiter = ',', value_parser = parameter)]
    pub noise: Vec<(String, Amount)>,
    /// The way in which distributions are carried through the model.
    #[arg(long, value_enum, default_value_t)]
    method: Method,
    /// Goes back from the end as well, so that the estimate at a sample uses the whole record.
    #[arg(long)]
    pub smooth: bool,
    /// Waits for so many seconds of measurements before it estimates the state at a sample, as a smoother that follows
    /// a running test does.
    #[arg(long, value_name = "SECONDS", conflicts_with = "smooth")]
    pub lag: Option<f64>,
    /// A file to write: `.csv` a table over time, `.html` a page, `.svg` the diagrams. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,
}

/// Options of a filter that lack something.
#[derive(Debug, thiserror::Error)]
pub enum FilterOptionError {
    /// A record whose samples are not equidistant, without a step.
    #[error("the samples of the record are not equidistant; give the step of the filter with `--step SECONDS`")]
    NoInterval,
    /// Adaptive steps, or a high order.
    #[error(
        "a filter takes constant steps of order 2: leave out `--order` and `--tolerance`, also in a campaign; it \
         halves the steps where they move what it finds"
    )]
    Steps,
    /// A measured output without the size of its errors.
    #[error(
        "the errors of `{name}` are not known; give their standard deviation in {unit}, a number above 0, with \
             `--noise {name}=VALUE`"
    )]
    NoNoise { name: String, unit: String },
    /// A followed parameter without an uncertainty at the start.
    #[error(
        "the uncertainty of `{name}` at the start is not known; give its standard deviation in {unit}, a number above \
             0, with \
         `--deviation {name}=VALUE`"
    )]
    NoDeviation { name: String, unit: String },
    /// A lag that is no time, or longer than the record.
    #[error(
        "a lag of {lag} s is given for a record of {length} s; give a positive number of seconds below the length of \
         the record, or `--smooth` for an estimate from the whole record"
    )]
    Lag { lag: f64, length: f64 },
    /// A number of a parameter that is not followed.
    #[error("`{0}` is not followed; add it to `--follow`, or remove its `--deviation` and `--drift`")]
    NotFollowed(String),
    /// A file whose ending is no format.
    #[error("`{}` has an ending that is no format here; write `.csv`, `.html` or `.svg`", .0.display())]
    Format(PathBuf),
}

command_errors!(Arguments: FilterOptionError);

/// Kalman filters.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Method {
    /// Linearised at the estimate: the fastest one.
    #[default]
    Extended,
    /// Sigma points, with the covariance.
    Unscented,
    /// Sigma points, with a triangular factor of the covariance.
    SquareRootUnscented,
}

impl Options {
    /// Returns the method.
    pub fn method(&self) -> KalmanMethod {
        match self.method {
            Method::Extended => KalmanMethod::Extended,
            Method::Unscented => KalmanMethod::Unscented(SigmaPoints::default()),
            Method::SquareRootUnscented => KalmanMethod::SquareRootUnscented(SigmaPoints::default()),
        }
    }

    /// Returns the given deviation of a followed parameter at the start.
    pub fn deviation_of(&self, name: &str) -> Option<&Amount> {
        find(&self.deviation, name)
    }

    /// Returns the given drift of a followed parameter.
    pub fn drift_of(&self, name: &str) -> Option<&Amount> {
        find(&self.drift, name)
    }

    /// Returns the given noise of an output.
    pub fn noise_of(&self, name: &str) -> Option<&Amount> {
        find(&self.noise, name)
    }

    /// Refuses files whose ending is no format, and numbers of parameters that are not followed.
    ///
    /// # Errors
    /// [`FilterOptionError::Format`] and [`FilterOptionError::NotFollowed`].
    pub fn check_outputs(&self) -> Result<(), FilterOptionError> {
        let is_known = |path: &&PathBuf| matches!(extension(path).as_str(), "csv" | "html" | "svg");
        if let Some(path) = self.output.iter().find(|path| !is_known(path)) {
            return Err(FilterOptionError::Format(path.clone()));
        }
        let is_followed = |name: &str| self.follow.iter().any(|followed| followed.trim() == name);
        match self.deviation.iter().chain(&self.drift).find(|(name, _)| !is_followed(name)) {
            Some((name, _)) => Err(FilterOptionError::NotFollowed(name.clone())),
            None => Ok(()),
        }
    }
}

fn find<'a>(all: &'a [(String, Amount)], name: &str) -> Option<&'a Amount> {
    all.iter().rev().find(|(given, _)| given == name).map(|(_, amount)| amount)
}
