//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use costate_examples::positive;

/// Writes a mechanism in motion: a page that plays the run, glTF for Blender, or a still.
#[derive(Debug, Parser)]
pub struct Options {
    /// The mechanism
    #[arg(long, value_enum, default_value_t = Mechanism::Crane)]
    pub model: Mechanism,
    /// End time in s
    #[arg(long, value_name = "T", default_value_t = 8.0, value_parser = positive, allow_negative_numbers = true)]
    pub until: f64,
    /// The files, by their endings: `.html`, `.gltf`, `.glb`, `.svg` [default: out/animate/MODEL.html, .glb and .svg]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}

/// The mechanisms that can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mechanism {
    /// A trolley with its load
    Crane,
    /// A wheel's suspension on a road
    DoubleWishbone,
}

impl Mechanism {
    /// Returns the name of the mechanism in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crane => "crane",
            Self::DoubleWishbone => "double_wishbone",
        }
    }
}
