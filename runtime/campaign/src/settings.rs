//! The settings of a campaign file: runs, residuals, optimizer, profiles, files that are written.

use costate_cost::Quadrature;
use costate_cost::residuals::Loss;
use costate_identify::{Approach, Resampling, Weighting};
use costate_optimize::{Method, OptimizerSettings, StepSize};
use costate_system::gradient::GradientMethod;
use costate_system::problem::Checkpoints;
use costate_system::step::Scheme;
use serde::{Deserialize, Deserializer};

use super::files::{FilePath, page, page_or_picture};
use super::values::{Duration, Named, Names, Plain, Positive, Scalar, Several, instead, named, sections, word};
use crate::words::{Word, Words};

sections!(
    PredictionErrorEntry,
    RunSettings,
    ResidualSettings,
    OptimizerEntry,
    Multistart,
    ProfileEntry,
    ResamplingEntry,
    OutputFiles
);

/// Steps and end of simulations; fields that are not given are those of the library.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct RunSettings {
    pub step: Option<Duration>,
    pub end: Option<Duration>,
    #[serde(deserialize_with = "scheme")]
    pub scheme: Option<Scheme>,
    pub order: Option<u32>,
    pub tolerance: Option<Plain>,
    #[serde(deserialize_with = "error_limit")]
    pub error_limit: Option<Option<f64>>,
    pub judge: Option<Names>,
    pub newton_tolerance: Option<Plain>,
    pub newton_iterations: Option<usize>,
    pub newton_reuse: Option<bool>,
    pub newton_estimate: Option<bool>,
    pub memory_limit: Option<u64>,
    #[serde(deserialize_with = "checkpoints")]
    pub checkpoints: Option<Checkpoints>,
}

fn error_limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<f64>>, D::Error> {
    const WANTED: &str = "a number, or `false` for no check";
    match Scalar::read(deserializer, WANTED)? {
        Scalar::Boolean(false) => Ok(Some(None)),
        value => {
            let limit = value.amount::<D::Error>(WANTED)?.finite("this field", "1");
            limit.map(|limit| Some(Some(limit))).map_err(super::values::refused)
        }
    }
}

fn scheme<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Scheme>, D::Error> {
    const WORDS: &[&str] = &["generalized_alpha", "hht", "undamped"];
    const WANTED: &str = "`{ generalized_alpha = 0.8 }`, `{ hht = -0.1 }` or `\"undamped\"`";
    match word(deserializer, WORDS, WANTED)? {
        ("generalized_alpha", None) => Ok(Some(Scheme::default())),
        ("generalized_alpha", Some(Plain(rho_inf))) => Ok(Some(Scheme::GeneralizedAlpha { rho_inf })),
        ("hht", Some(Plain(alpha))) => Ok(Some(Scheme::Hht { alpha })),
        ("undamped", None) => Ok(Some(Scheme::Undamped)),
        _ => Err(instead(WANTED)),
    }
}

fn checkpoints<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Checkpoints>, D::Error> {
    const WANTED: &str = "`\"off\"`, `\"automatic\"` or `{ within = 1_000_000_000 }`";
    match word(deserializer, &["off", "automatic", "within"], WANTED)? {
        ("off", None) => Ok(Some(Checkpoints::Off)),
        ("automatic", None) => Ok(Some(Checkpoints::Automatic)),
        ("within", Some(bytes)) => Ok(Some(Checkpoints::Within(bytes))),
        _ => Err(instead(WANTED)),
    }
}

/// Weights and losses of residuals.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct ResidualSettings {
    pub weighting: Word<Weighting>,
    #[serde(deserialize_with = "loss")]
    pub loss: Loss,
    pub quadrature: Word<Quadrature>,
}

impl Default for ResidualSettings {
    fn default() -> Self {
        Self { weighting: Word::default(), loss: Loss::Squares, quadrature: Word::default() }
    }
}

fn loss<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Loss, D::Error> {
    const WORDS: &[&str] = &["squares", "huber", "cauchy", "student"];
    const WANTED: &str = "`\"squares\"`, `\"huber\"`, `{ huber = 1.345 }`, `\"cauchy\"` or `{ student = 5.69 }`";
    match word(deserializer, WORDS, WANTED)? {
        ("squares", None) => Ok(Loss::Squares),
        ("huber", None) => Ok(Loss::huber()),
        ("huber", Some(Positive(threshold))) => Ok(Loss::Huber { threshold }),
        ("cauchy", None) => Ok(Loss::cauchy()),
        ("cauchy", Some(Positive(scale))) => Ok(Loss::Cauchy { scale }),
        ("student", Some(Positive(degrees_of_freedom))) => Ok(Loss::Student { degrees_of_freedom }),
        _ => Err(instead(WANTED)),
    }
}

impl Words for Weighting {
    const WORDS: &'static [(&'static str, Self)] =
        &[("automatic", Self::Automatic), ("given", Self::Given), ("likelihood", Self::Likelihood)];
}

impl Words for Quadrature {
    const WORDS: &'static [(&'static str, Self)] =
        &[("rectangle", Self::Rectangle), ("trapezoid", Self::Trapezoid), ("sum", Self::Sum)];
}

impl Words for GradientMethod {
    const WORDS: &'static [(&'static str, Self)] =
        &[("discrete-adjoint", Self::DiscreteAdjoint), ("direct-differentiation", Self::DirectDifferentiation)];
}

impl Words for Resampling {
    const WORDS: &'static [(&'static str, Self)] =
        &[("residuals", Self::Residuals), ("experiments", Self::Experiments)];
}

/// The search for the minimum; fields that are not given are those of the library.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct OptimizerEntry {
    #[serde(deserialize_with = "method")]
    method: Option<Method>,
    #[serde(deserialize_with = "step_size")]
    step_size: Option<StepSize>,
    maximum_iterations: Option<usize>,
    gradient_tolerance: Option<Plain>,
    cost_tolerance: Option<Plain>,
    small_iterations: Option<usize>,
    cost_target: Option<Plain>,
    step_tolerance: Option<Plain>,
    first_step: Option<Plain>,
    largest_step: Option<Plain>,
    leave_untold: Option<bool>,
    bend_at_bounds: Option<bool>,
    sufficient_decrease: Option<Plain>,
    curvature: Option<Plain>,
    line_search_evaluations: Option<usize>,
    pub gradient: Word<GradientMethod>,
    #[serde(deserialize_with = "approach")]
    pub approach: Approach,
    pub ignore_check: bool,
}

impl OptimizerEntry {
    /// Returns the settings of the library.
    pub fn settings(&self) -> OptimizerSettings {
        let mut settings = OptimizerSettings::default();
        settings.cost_target = self.cost_target.map(f64::from);
        macro_rules! set {
            ($($field:ident),+) => { $(if let Some(value) = self.$field { settings.$field = value.into(); })+ };
        }
        set!(method, step_size, maximum_iterations, gradient_tolerance, cost_tolerance, small_iterations);
        set!(step_tolerance, first_step, largest_step, leave_untold, bend_at_bounds, sufficient_decrease);
        set!(curvature, line_search_evaluations);
        settings
    }
}

fn method<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Method>, D::Error> {
    const WORDS: &[&str] =
        &["automatic", "steepest_descent", "bfgs", "limited_memory_bfgs", "gauss_newton", "levenberg_marquardt"];
    Ok(Some(match word(deserializer, WORDS, "a word in quotes, or `{ limited_memory_bfgs = 10 }`")? {
        ("automatic", None) => Method::Automatic,
        ("steepest_descent", None) => Method::SteepestDescent,
        ("bfgs", None) => Method::Bfgs,
        ("limited_memory_bfgs", None) => Method::limited_memory_bfgs(),
        ("limited_memory_bfgs", Some(memory)) => Method::LimitedMemoryBfgs { memory },
        ("gauss_newton", None) => Method::GaussNewton,
        ("levenberg_marquardt", None) => Method::LevenbergMarquardt,
        _ => return Err(instead("the word alone in quotes; only `limited_memory_bfgs` has a number")),
    }))
}

fn step_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<StepSize>, D::Error> {
    const WORDS: &[&str] = &["strong_wolfe", "golden_section", "quadratic_interpolation", "cubic_interpolation"];
    Ok(Some(match word(deserializer, WORDS, "a word in quotes, or one with its number, `{ word = 1.0 }`")? {
        ("strong_wolfe", None) => StepSize::StrongWolfe,
        ("golden_section", None) => StepSize::golden_section(),
        ("golden_section", Some(Plain(tolerance))) => StepSize::GoldenSection { tolerance },
        ("quadratic_interpolation", None) => StepSize::quadratic_interpolation(),
        ("quadratic_interpolation", Some(Plain(tolerance))) => StepSize::QuadraticInterpolation { tolerance },
        ("cubic_interpolation", None) => StepSize::cubic_interpolation(),
        ("cubic_interpolation", Some(Plain(tolerance))) => StepSize::CubicInterpolation { tolerance },
        _ => return Err(instead("`\"strong_wolfe\"` without a number")),
    }))
}

fn approach<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Approach, D::Error> {
    const WORDS: &[&str] = &["automatic", "single", "growing", "pieces", "pieces_of"];
    Ok(match word(deserializer, WORDS, "a word in quotes, or `{ pieces = 20 }` or `{ pieces_of = 0.5 }`")? {
        ("automatic", None) => Approach::Automatic,
        ("single", None) => Approach::Single,
        ("growing", None) => Approach::Growing,
        ("pieces", Some(Plain(number))) if number.fract() == 0.0 && (0.0..=1e9).contains(&number) => {
            Approach::Pieces(number as usize)
        }
        ("pieces_of", Some(Plain(seconds))) => Approach::PiecesOf(seconds),
        _ => return Err(instead("the word alone in quotes, `{ pieces = 20 }`, or `{ pieces_of = 0.5 }` in s")),
    })
}

/// A fit by prediction errors: deviations of the noise of coordinates and inputs, and of the drift of outputs,
/// by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct PredictionErrorEntry {
    #[serde(deserialize_with = "named")]
    pub unknown_noise: Vec<Named<Positive>>,
    #[serde(deserialize_with = "named")]
    pub known_noise: Vec<Named<Positive>>,
    #[serde(deserialize_with = "named")]
    pub unknown_drift: Vec<Named<Positive>>,
    #[serde(deserialize_with = "named")]
    pub known_drift: Vec<Named<Positive>>,
    pub vanishing: bool,
}

/// A search from many starts.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Multistart {
    pub starts: usize,
    #[serde(default = "first_seed")]
    pub seed: u64,
}

fn first_seed() -> u64 {
    1
}

/// Settings of profiles; fields that are not given are those of the library.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct ProfileEntry {
    pub of: Several<String>,
    pub level: Option<Plain>,
    pub points: Option<usize>,
}

/// Fits to data that are drawn again.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct ResamplingEntry {
    pub bootstrap: Option<usize>,
    pub of: Word<Resampling>,
    pub seed: u64,
    pub leave_one_out: bool,
}

impl Default for ResamplingEntry {
    fn default() -> Self {
        Self { bootstrap: None, of: Word(Resampling::Residuals), seed: first_seed(), leave_one_out: false }
    }
}

/// Files that are written.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct OutputFiles {
    #[serde(deserialize_with = "page")]
    pub report: Option<FilePath>,
    pub folder: Option<FilePath>,
    #[serde(deserialize_with = "page_or_picture")]
    pub profiles: Option<FilePath>,
    pub state: Option<FilePath>,
    pub write_defaults: bool,
}
