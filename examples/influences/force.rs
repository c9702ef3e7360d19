//! Errors of an identified restoring force.

use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{CurveSettings, RestoringForceSurface, RestoringForces, SeriesError, SurfaceSettings};
use costate_examples::{extent, is_inside, known_nodes};
use costate_models::restoring_force::Motion;

/// Segments of curves and surfaces along each of their arguments (KE 3.4.2).
const SEGMENTS: usize = 20;

/// The filters that are compared.
pub const FILTERS: [Filter; 2] = [Filter::Extended, Filter::Unscented];

/// A filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Extended,
    Unscented,
}

impl Filter {
    pub fn name(self) -> &'static str {
        if self == Self::Extended { "EKF" } else { "SR-UKF" }
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
    let [elastic, dissipative] = forces.curves(0, &settings).ok()?;
    let (elastic, dissipative) = (elastic.table().ok()?, dissipative.table().ok()?);
    Some(move |z, v| elastic.value(z) + dissipative.value(v))
}

/// Returns the nodes (z, v) of a surface where its force is known, except those at the ends of the visited ranges.
pub fn nodes(surface: &RestoringForceSurface, motion: &Motion) -> Vec<[f64; 2]> {
    let is_inside = inside(motion);
    known_nodes(surface).into_iter().map(|(node, _)| node).filter(|node| is_inside(node)).collect()
}

/// Returns the check that a place (z, v) is not at the ends of the ranges that a motion has visited.
pub fn inside(motion: &Motion) -> impl Fn(&[f64; 2]) -> bool {
    let (z_range, v_range) = (extent(&motion.deformations), extent(&motion.rates));
    move |[z, v]| is_inside(z_range, *z) && is_inside(v_range, *v)
}

/// Computes the error of a force at these places (z, v), in percent.
pub fn percent(places: &[[f64; 2]], truth: impl Fn(f64, f64) -> f64, force: impl Fn(f64, f64) -> f64) -> f64 {
    let (found, exact): (Vec<f64>, Vec<f64>) = places.iter().map(|&[z, v]| (force(z, v), truth(z, v))).unzip();
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

/// Leaves numbers that are not finite out of the file.
pub fn known(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
