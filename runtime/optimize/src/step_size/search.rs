//! The search along a ray, by the rule of the settings.

use super::super::erased::AnyError;
use super::super::ray::Ray;
use super::super::settings::OptimizerSettings;
use super::descent::Descent;
use super::rule::StepSize;
use super::{golden_section, interpolation, strong_wolfe};

/// Searches along the ray from phi(0) = `cost` with phi'(0) = `slope` < 0, beginning at `first`, up to `limit`.
/// Afterwards `ray.reached` is the best point with sufficient decrease, if there is one.
pub(in super::super) fn search(
    ray: &mut Ray<'_>,
    (cost, slope): (f64, f64),
    (first, limit): (f64, f64),
    settings: &OptimizerSettings,
) -> Result<(), AnyError> {
    let descent = Descent { cost, slope, settings };
    match settings.step_size {
        StepSize::StrongWolfe => strong_wolfe::search(ray, &descent, (first, limit)),
        StepSize::GoldenSection { tolerance } => golden_section::search(ray, &descent, (first, limit), tolerance),
        StepSize::QuadraticInterpolation { tolerance } => {
            interpolation::search(ray, &descent, (first, limit), tolerance, interpolation::Order::Quadratic)
        }
        StepSize::CubicInterpolation { tolerance } => {
            interpolation::search(ray, &descent, (first, limit), tolerance, interpolation::Order::Cubic)
        }
    }
}
