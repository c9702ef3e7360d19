//! The arguments of the program.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use costate_optimize::{Method, OptimizerSettings};

/// Measures the methods for least squares on reference problems whose solutions are known.
#[derive(Debug, Parser)]
pub struct Options {
    /// Folder with the files of NIST; those of this package by default.
    pub data: Option<PathBuf>,
    /// Writes everything to this file as well.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The method; that of the default settings by default.
    #[arg(long, value_enum, default_value_t)]
    method: Choice,
    /// Measures the problems alone whose name begins so.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub only: String,
    /// Most iterations of one minimisation.
    #[arg(long, value_name = "N", default_value_t = 500)]
    maximum_iterations: usize,
}

/// A method by name.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Choice {
    /// That of the default settings.
    #[default]
    Default,
    /// BFGS.
    Bfgs,
    /// Levenberg-Marquardt.
    LevenbergMarquardt,
    /// Gauss-Newton.
    GaussNewton,
}

impl Options {
    /// The settings of every minimisation.
    pub fn settings(&self) -> OptimizerSettings {
        let settings = OptimizerSettings::default().with_maximum_iterations(self.maximum_iterations);
        match self.method {
            Choice::Default => settings,
            Choice::Bfgs => settings.with_method(Method::Bfgs),
            Choice::LevenbergMarquardt => settings.with_method(Method::LevenbergMarquardt),
            Choice::GaussNewton => settings.with_method(Method::GaussNewton),
        }
    }
}
