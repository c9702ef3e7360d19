//! The options of `costate filter`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use costate::filter::{KalmanMethod, SigmaPoints};

use crate::error::CommandError;
use crate::fit::Bench;
use crate::options::{Amount, parameter};

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
    /// A file to write: `.csv` a table over time, `.html` a page, `.svg` the diagrams. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,
}

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

/// The endings of files that can be written.
pub const ENDINGS: [&str; 3] = ["csv", "html", "svg"];

/// Returns the ending of a file in small letters.
pub fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
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
    /// [`CommandError::NoFilterFormat`] and [`CommandError::NotFollowed`].
    pub fn check_outputs(&self) -> Result<(), CommandError> {
        if let Some(path) = self.output.iter().find(|path| !ENDINGS.contains(&ending(path).as_str())) {
            return Err(CommandError::NoFilterFormat(path.clone()));
        }
        let is_followed = |name: &str| self.follow.iter().any(|followed| followed.trim() == name);
        match self.deviation.iter().chain(&self.drift).find(|(name, _)| !is_followed(name)) {
            Some((name, _)) => Err(CommandError::NotFollowed(name.clone())),
            None => Ok(()),
        }
    }
}

fn find<'a>(all: &'a [(String, Amount)], name: &str) -> Option<&'a Amount> {
    all.iter().rev().find(|(given, _)| given == name).map(|(_, amount)| amount)
}
