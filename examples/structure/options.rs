//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::{Outputs, positive};

/// Identifies the restoring forces between the bodies of a structure from a record, without an assumption about their
/// form: a curve over the deformation and one over its rate for every element, as tables for a `model!`; and how far
/// the response of the structure with these curves is off the record, e_RMS% for every sensor. It begins at rest or,
/// where that is nearer to the record, as a smoother says.
///
/// The structure is read from a JSON file, in SI units. It has n elements, as many as it has degrees of freedom:
///
/// {"inertia": {"masses": [4, 2]},
///  "elements": [{"name": "lower spring", "between": [0, 1], "stiffness": 5e6, "damping": 500},
///               {"name": "upper spring", "between": [1, 2], "stiffness": 5e6, "damping": 500}],
///  "base": [{"channel": "table"}],
///  "sensors": [{"channel": "lower mass", "kind": "acceleration", "mass": 1},
///              {"channel": "upper mass", "kind": "acceleration", "mass": 2}]}
///
/// inertia: "masses", that move in one direction and are joined by elements "between" two of them (0 is the base), or
/// the matrix "mass" or "inverse", M or its inverse in the coordinates of the elements' deformations, by rows.
///
/// elements: guesses of the average "stiffness" and "damping", which a factor of ten may be wrong; "lowest_stiffness",
/// where it is known.
///
/// base: channels with accelerations of the base; with matrices, "directions", what 1 m/s^2 adds to the acceleration of
/// every deformation: -1 for elements on the base.
///
/// forces: channels with forces on a "mass" or, with matrices, with the "directions" of their work on the deformations.
///
/// sensors: channels of the "kind" displacement, velocity, acceleration (what an accelerometer measures) or
/// relative_acceleration, at an "element", on a "mass", or of a sum of all elements with "weights"; one for each degree
/// of freedom at least.
///
/// "scale" of the forces, "filter" (extended or square_root_unscented) and "exponents" of its process noise may be
/// chosen.
///
/// The record is CSV with a column `time [s]` and one for every channel, with its unit. Without files the program
/// identifies a simulated plate.
#[derive(Debug, Clone, Parser)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// The structure
    #[arg(long, value_name = "FILE", requires = "record")]
    pub structure: Option<PathBuf>,
    /// The measured record
    #[arg(long, value_name = "FILE", requires = "structure", conflicts_with_all = ["noise", "seed"])]
    pub record: Option<PathBuf>,
    /// Chooses the exponents of the process noise by the convergence plot
    #[arg(long)]
    pub search: bool,
    /// Leaves out ends of curves that are so many times as uncertain as their median; all but a few samples are kept
    /// otherwise
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    pub uncertain: Option<f64>,
    /// Nodes of the curves
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    pub nodes: usize,
    /// Standard deviation of the noise on the simulated accelerations, relative to theirs
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = positive,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub outputs: Outputs,
}
