//! Reading the settings of a campaign file: runs, residuals, optimizer, profiles.

use costate_cost::Quadrature;
use costate_cost::residuals::Loss;
use costate_identify::{Growing, Resampling, Weighting};
use costate_optimize::{Method, OptimizerSettings, StepSize};
use costate_system::gradient::GradientMethod;
use costate_system::problem::Checkpoints;
use costate_system::step::Scheme;

use super::document::{Entry, Section};
use super::error::CampaignError;
use super::fields;
use super::{ProfileEntry, ResamplingEntry, ResidualSettings, RunSettings};

/// Reads steps and end of simulations.
///
/// # Errors
/// [`CampaignError`].
pub fn run(entry: &Entry<'_>) -> Result<RunSettings, CampaignError> {
    let section = entry.section(fields::RUN)?;
    let time = |field| section.read(field, |entry| entry.amount()?.positive(field_name(field), "s"));
    let number = |field| section.read(field, |entry| entry.amount()?.plain());
    Ok(RunSettings {
        step: time("step")?,
        end: time("end")?,
        scheme: section.read("scheme", scheme)?,
        tolerance: number("tolerance")?,
        error_limit: section.read("error_limit", |entry| match entry.boolean() {
            Ok(false) => Ok(None),
            Ok(true) => Err(entry.other("a number, or `false` for no check")),
            Err(_) => entry.amount()?.plain().map(Some),
        })?,
        judge: section.read("judge", Entry::texts)?,
        newton_tolerance: number("newton_tolerance")?,
        newton_iterations: section.read("newton_iterations", Entry::count)?,
        newton_reuse: section.read("newton_reuse", Entry::boolean)?,
        newton_estimate: section.read("newton_estimate", Entry::boolean)?,
        memory_limit: section.read("memory_limit", bytes)?,
        checkpoints: section.read("checkpoints", |entry| {
            if !entry.is_section() {
                let word = entry.choice(&["off", "automatic"])?;
                return Ok(if word == "off" { Checkpoints::Off } else { Checkpoints::Automatic });
            }
            let within = entry.section(WITHIN)?;
            Ok(Checkpoints::Within(bytes(within.require(&WITHIN[0])?)?))
        })?,
    })
}

/// Returns the name of a time in messages.
fn field_name(field: &str) -> &str {
    if field == "step" { "the step" } else { "the end" }
}

/// The field of checkpoints within a number of bytes.
const WITHIN: &[fields::Field] =
    &[fields::Field { name: "within", meaning: "Largest memory of a run in bytes.", example: "1_000_000_000" }];

fn bytes(entry: &Entry<'_>) -> Result<u64, CampaignError> {
    Ok(entry.count()? as u64)
}

fn scheme(entry: &Entry<'_>) -> Result<Scheme, CampaignError> {
    let (word, number) = entry.choice_with_number(&["generalized_alpha", "hht", "undamped"])?;
    let number = number.map(|number| number.plain()).transpose()?;
    match (word, number) {
        ("generalized_alpha", None) => Ok(Scheme::default()),
        ("generalized_alpha", Some(rho_inf)) => Ok(Scheme::GeneralizedAlpha { rho_inf }),
        ("hht", Some(alpha)) => Ok(Scheme::Hht { alpha }),
        ("undamped", None) => Ok(Scheme::Undamped),
        _ => Err(entry.other("`{ generalized_alpha = 0.8 }`, `{ hht = -0.1 }` or `\"undamped\"`")),
    }
}

/// Reads how residuals are weighed.
///
/// # Errors
/// [`CampaignError`].
pub fn residuals(entry: &Entry<'_>) -> Result<ResidualSettings, CampaignError> {
    let section = entry.section(fields::RESIDUALS)?;
    let weighting = section.read("weighting", |entry| entry.choice(&["automatic", "given", "likelihood"]))?;
    let quadrature = section.read("quadrature", |entry| entry.choice(&["rectangle", "trapezoid", "sum"]))?;
    Ok(ResidualSettings {
        weighting: match weighting {
            Some("given") => Weighting::Given,
            Some("likelihood") => Weighting::Likelihood,
            _ => Weighting::Automatic,
        },
        loss: section.read("loss", loss)?.unwrap_or(Loss::Squares),
        quadrature: match quadrature {
            Some("trapezoid") => Quadrature::Trapezoid,
            Some("sum") => Quadrature::Sum,
            _ => Quadrature::Rectangle,
        },
    })
}

fn loss(entry: &Entry<'_>) -> Result<Loss, CampaignError> {
    let (word, number) = entry.choice_with_number(&["squares", "huber", "cauchy", "student"])?;
    let number = number.map(|number| number.positive("this field", "1")).transpose()?;
    match (word, number) {
        ("squares", None) => Ok(Loss::Squares),
        ("huber", None) => Ok(Loss::huber()),
        ("huber", Some(threshold)) => Ok(Loss::Huber { threshold }),
        ("cauchy", None) => Ok(Loss::cauchy()),
        ("cauchy", Some(scale)) => Ok(Loss::Cauchy { scale }),
        ("student", Some(degrees_of_freedom)) => Ok(Loss::Student { degrees_of_freedom }),
        _ => Err(entry.other("`\"squares\"`, `\"huber\"`, `{ huber = 1.345 }`, `\"cauchy\"` or `{ student = 5.69 }`")),
    }
}

/// Reads the optimizer, the method of gradients, whether parts of the records grow, and whether the check before the
/// fit is ignored.
///
/// # Errors
/// [`CampaignError`].
pub fn optimizer(root: &Section<'_>) -> Result<(OptimizerSettings, GradientMethod, Growing, bool), CampaignError> {
    let (mut settings, mut gradient) = (OptimizerSettings::default(), GradientMethod::default());
    let Some(entry) = root.get("optimizer") else {
        return Ok((settings, gradient, Growing::default(), false));
    };
    let section = entry.section(fields::OPTIMIZER)?;
    for (field, setting) in [
        ("gradient_tolerance", &mut settings.gradient_tolerance),
        ("cost_tolerance", &mut settings.cost_tolerance),
        ("step_tolerance", &mut settings.step_tolerance),
        ("first_step", &mut settings.first_step),
        ("largest_step", &mut settings.largest_step),
        ("sufficient_decrease", &mut settings.sufficient_decrease),
        ("curvature", &mut settings.curvature),
    ] {
        if let Some(entry) = section.get(field) {
            *setting = entry.amount()?.plain()?;
        }
    }
    for (field, setting) in [
        ("maximum_iterations", &mut settings.maximum_iterations),
        ("small_iterations", &mut settings.small_iterations),
        ("line_search_evaluations", &mut settings.line_search_evaluations),
    ] {
        if let Some(entry) = section.get(field) {
            *setting = entry.count()?;
        }
    }
    for (field, setting) in
        [("leave_untold", &mut settings.leave_untold), ("bend_at_bounds", &mut settings.bend_at_bounds)]
    {
        if let Some(entry) = section.get(field) {
            *setting = entry.boolean()?;
        }
    }
    settings.cost_target = section.read("cost_target", |entry| entry.amount()?.plain())?;
    if let Some(method) = section.read("method", method)? {
        settings.method = method;
    }
    if let Some(rule) = section.read("step_size", step_size)? {
        settings.step_size = rule;
    }
    let words = &["discrete_adjoint", "direct_differentiation"];
    if section.read("gradient", |entry| entry.choice(words))? == Some("direct_differentiation") {
        gradient = GradientMethod::DirectDifferentiation;
    }
    let ignores_check = section.read("ignore_check", Entry::boolean)?.unwrap_or(false);
    let growing = section.read("growing", Entry::boolean)?.map(|is_wanted| match is_wanted {
        true => Growing::Always,
        false => Growing::Never,
    });
    Ok((settings, gradient, growing.unwrap_or_default(), ignores_check))
}

fn method(entry: &Entry<'_>) -> Result<Method, CampaignError> {
    const WORDS: &[&str] =
        &["automatic", "steepest_descent", "bfgs", "limited_memory_bfgs", "gauss_newton", "levenberg_marquardt"];
    if entry.is_section() {
        let steps = entry.section(MEMORY)?;
        return Ok(Method::LimitedMemoryBfgs { memory: steps.require(&MEMORY[0])?.count()? });
    }
    Ok(match entry.choice(WORDS)? {
        "steepest_descent" => Method::SteepestDescent,
        "bfgs" => Method::Bfgs,
        "limited_memory_bfgs" => Method::limited_memory_bfgs(),
        "gauss_newton" => Method::GaussNewton,
        "levenberg_marquardt" => Method::LevenbergMarquardt,
        _ => Method::Automatic,
    })
}

/// The field of the method that has a number.
const MEMORY: &[fields::Field] =
    &[fields::Field { name: "limited_memory_bfgs", meaning: "Number of steps that are remembered.", example: "10" }];

fn step_size(entry: &Entry<'_>) -> Result<StepSize, CampaignError> {
    let words = &["strong_wolfe", "golden_section", "quadratic_interpolation", "cubic_interpolation"];
    let (word, tolerance) = entry.choice_with_number(words)?;
    let tolerance = tolerance.map(|number| number.plain()).transpose()?;
    Ok(match (word, tolerance) {
        ("strong_wolfe", None) => StepSize::StrongWolfe,
        ("golden_section", None) => StepSize::golden_section(),
        ("golden_section", Some(tolerance)) => StepSize::GoldenSection { tolerance },
        ("quadratic_interpolation", None) => StepSize::quadratic_interpolation(),
        ("quadratic_interpolation", Some(tolerance)) => StepSize::QuadraticInterpolation { tolerance },
        ("cubic_interpolation", None) => StepSize::cubic_interpolation(),
        ("cubic_interpolation", Some(tolerance)) => StepSize::CubicInterpolation { tolerance },
        _ => return Err(entry.other("`\"strong_wolfe\"` without a number")),
    })
}

/// Reads the settings of profiles.
///
/// # Errors
/// [`CampaignError`].
pub fn profiles(entry: &Entry<'_>) -> Result<ProfileEntry, CampaignError> {
    let section = entry.section(fields::PROFILES)?;
    let of = section.read("of", Entry::texts)?.unwrap_or_default();
    Ok(ProfileEntry {
        of: of.into_iter().map(|name| name.value).collect(),
        level: section.read("level", |entry| entry.amount()?.plain())?,
        points: section.read("points", Entry::count)?,
    })
}

/// Reads what is drawn again.
///
/// # Errors
/// [`CampaignError`].
pub fn resampling(entry: &Entry<'_>) -> Result<ResamplingEntry, CampaignError> {
    let section = entry.section(fields::RESAMPLING)?;
    let of = match section.read("of", |entry| entry.choice(&["residuals", "experiments"]))? {
        Some("experiments") => Resampling::Experiments,
        _ => Resampling::Residuals,
    };
    let seed = section.read("seed", Entry::count)?.unwrap_or(1) as u64;
    Ok(ResamplingEntry {
        bootstrap: section.read("bootstrap", Entry::count)?.map(|repetitions| (of, repetitions, seed)),
        leave_one_out: section.read("leave_one_out", Entry::boolean)?.unwrap_or(false),
    })
}
