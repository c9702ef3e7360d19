//! Errors of an identified restoring force.

use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{CurveSettings, RestoringForceSurface, RestoringForces, SeriesError, SurfaceSettings};
use costate_models::restoring_force::Motion;

/// Part of the visited range at each end that is not compared.
const ENDS: f64 = 0.05;

/// Segments of curves and surfaces along each of their arguments (KE 3.4.2).
const SEGMENTS: usize = 20;

/// The filters that are compared.
pub const FILTERS: [Filter; 2] = [Filter::Extended, Filter::Unscented];

/// A filter with exponents that suit an additive force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Extended,
    Unscented,
}

impl Filter {
    pub fn name(self) -> &'static str {
        match self {
            Self::Extended => "EKF",
            Self::Unscented => "SR-UKF",
        }
    }

    pub fn method(self) -> KalmanMethod {
        match self {
            Self::Extended => KalmanMethod::Extended,
            Self::Unscented => KalmanMethod::SquareRootUnscented(SigmaPoints::default()),
        }
    }
}

/// e_RMS% of a force; NaN where there is no force.
#[derive(Debug, Clone, Copy)]
pub struct Errors {
    /// Error of the sum of both curves.
    pub additive: f64,
    /// Error of the surface.
    pub coupled: f64,
}

impl Errors {
    /// Errors if there is no force at all.
    pub const NONE: Self = Self { additive: f64::NAN, coupled: f64::NAN };

    /// Computes the errors of the forces that a filter has found.
    pub fn of(forces: &RestoringForces, truth: impl Fn(f64, f64) -> f64, motion: &Motion) -> Self {
        if forces.run().stopped().is_some() {
            return Self::NONE;
        }
        let surface = forces.surface(0, &SurfaceSettings { nodes: SEGMENTS + 1, ..Default::default() });
        let Ok(surface) = surface else { return Self::NONE };
        let places = nodes(&surface, motion);
        Self {
            additive: sum_of_curves(forces).map_or(f64::NAN, |sum| percent(&places, &truth, sum)),
            coupled: percent(&places, &truth, |z, v| surface.value(z, v).unwrap_or(f64::NAN)),
        }
    }

    /// Returns the median of each error.
    pub fn median(all: &[Self]) -> Self {
        let of = |get: fn(&Self) -> f64| median(all.iter().map(get).collect());
        Self { additive: of(|errors| errors.additive), coupled: of(|errors| errors.coupled) }
    }
}

/// Returns the identified c_E(z) + c_D(v); `None` where a curve is missing.
pub fn sum_of_curves(forces: &RestoringForces) -> Option<impl Fn(f64, f64) -> f64 + use<>> {
    let settings = curve_settings();
    let elastic = forces.elastic_curve(0, &settings).ok()?.table().ok()?;
    let dissipative = forces.dissipative_curve(0, &settings).ok()?.table().ok()?;
    Some(move |z, v| elastic.value(z) + dissipative.value(v))
}

/// Returns the nodes (z, v) of a surface where its force is known, except those at the ends of the visited ranges.
pub fn nodes(surface: &RestoringForceSurface, motion: &Motion) -> Vec<[f64; 2]> {
    let (z_range, v_range) = (visited(&motion.deformations), visited(&motion.rates));
    let mut nodes = Vec::new();
    for (i, &z) in surface.deformations.iter().enumerate() {
        for (j, &v) in surface.rates.iter().enumerate() {
            if inside(z_range, z) && inside(v_range, v) && surface.force(i, j).is_finite() {
                nodes.push([z, v]);
            }
        }
    }
    nodes
}

/// Computes the error of a force at these places (z, v), in percent.
pub fn percent(places: &[[f64; 2]], truth: impl Fn(f64, f64) -> f64, force: impl Fn(f64, f64) -> f64) -> f64 {
    let exact: Vec<f64> = places.iter().map(|&[z, v]| truth(z, v)).collect();
    let found: Vec<f64> = places.iter().map(|&[z, v]| force(z, v)).collect();
    SeriesError::new(&found, &exact).map_or(f64::NAN, |error| error.percent())
}

/// Returns the median; NaN counts as larger than any number.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns settings for curves with as many segments as surfaces.
pub fn curve_settings() -> CurveSettings {
    CurveSettings { nodes: SEGMENTS + 1, ..CurveSettings::default() }
}

/// Returns the lowest and the highest value.
pub fn visited(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Checks that `x` is not at one of the ends.
pub fn inside((low, high): (f64, f64), x: f64) -> bool {
    let margin = ENDS * (high - low);
    (low + margin..=high - margin).contains(&x)
}

/// Leaves numbers that are not finite out of the file.
pub fn known(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
