//! Curves and surfaces from the samples, and their errors.

use anyhow::Result;
use costate::restoring_force::{
    CurveFit, CurvePoint, CurveSample, CurveSettings, RestoringForceCurve, RestoringForceSurface, SeriesError,
    SurfaceSample, SurfaceSettings, central_moving_average, fit_curve, fit_surface, fuse_samples,
};
use costate_examples::{COMPARED_PLACES, compared, known_nodes};
use serde::Serialize;

use crate::samples::{self, ranges};

/// A curve with a known law.
pub struct KnownCurve {
    pub name: &'static str,
    pub force: fn(f64) -> f64,
}

/// The curves; the first one is shown in the figures of single steps.
pub const CURVES: [KnownCurve; 5] = [
    KnownCurve { name: "saturation and stiffening", force: |z| 60.0 * (z / 4e-6).tanh() + 4e15 * z.powi(3) },
    KnownCurve { name: "backlash", force: |z| 6e6 * (z.abs() - 8e-6).max(0.0) * z.signum() },
    KnownCurve { name: "bilinear", force: |z| if z < 5e-6 { 6e6 * z } else { 30.0 + 1e6 * (z - 5e-6) } },
    KnownCurve { name: "preload lost", force: |z| 2e6 * z + 50.0 * ((z - 6e-6) / 2e-6).tanh() },
    KnownCurve { name: "falling in the middle", force: |z| 1e16 * z.powi(3) - 2.5e6 * z },
];

/// A surface with a known law.
pub struct KnownSurface {
    pub name: &'static str,
    pub force: fn(f64, f64) -> f64,
}

pub const SURFACES: [KnownSurface; 3] = [
    KnownSurface { name: "paraboloid", force: |z, v| 3e11 * z * z + 8e4 * v * v },
    KnownSurface { name: "van der Pol", force: |z, v| 3e6 * z + 1500.0 * ((7e4 * z).powi(2) - 1.0) * v },
    KnownSurface {
        name: "backlash with friction of the contact",
        force: |z, v| {
            let contact = 8e6 * (z.abs() - 6e-6).max(0.0);
            contact * (z.signum() + 0.4 * (v / 0.01).tanh()) + 600.0 * v
        },
    },
];

/// A curve computed from samples.
pub struct FoundCurve {
    pub samples: Vec<CurveSample>,
    /// The moving average of the deformation, by which the samples are sorted.
    pub averaged: Vec<f64>,
    /// Fits to the samples sorted by the noisy deformation, and by the averaged one.
    pub sorted_by_noisy: CurveFit,
    pub sorted_by_averaged: CurveFit,
    pub curve: RestoringForceCurve,
    pub errors: CurveErrors,
}

/// e_RMS% of KE appendix B.
#[derive(Debug, Serialize)]
pub struct CurveErrors {
    pub name: &'static str,
    /// Errors with the samples sorted by the noisy deformation, and by its moving average.
    pub sorted_by_noisy_percent: f64,
    pub sorted_by_averaged_percent: f64,
    /// Error with a filter that runs in one direction, as in the thesis.
    pub one_way_percent: f64,
    /// Part of the nodes that are closer to the truth than two standard deviations, across the curve.
    pub within_two_deviations: f64,
}

impl FoundCurve {
    /// # Errors
    /// Those of the fit.
    pub fn of(known: &KnownCurve, noise: f64, seed: u64) -> Result<Self> {
        let samples = samples::of_curve(known.force, noise, seed)?;
        let settings = CurveSettings { uncertain: 3.0, ..CurveSettings::default() };
        let noisy: Vec<f64> = samples.iter().map(|sample| sample.coordinate).collect();
        let averaged = central_moving_average(&noisy, settings.window);
        let sorted_by_noisy = fit_curve(&samples, &noisy, settings.lag, true)?;
        let sorted_by_averaged = fit_curve(&samples, &averaged, settings.lag, true)?;
        let one_way = fit_curve(&samples, &averaged, settings.lag, false)?;
        let curve = sorted_by_averaged.resampled(&settings)?;
        let error = |curve: &RestoringForceCurve| -> Result<f64> {
            let (end, _) = ranges();
            let [low, high] = curve.range();
            // not the ends, which the motion hardly reaches
            let place = |k: usize| (2.0 * k as f64 / (COMPARED_PLACES - 1) as f64 - 1.0) * 0.9 * end;
            let places = (0..COMPARED_PLACES).map(place).filter(|z| (low..=high).contains(z));
            Ok(compared(&curve.table()?, known.force, places)?.percent())
        };
        let errors = CurveErrors {
            name: known.name,
            sorted_by_noisy_percent: error(&sorted_by_noisy.resampled(&settings)?)?,
            sorted_by_averaged_percent: error(&curve)?,
            one_way_percent: error(&one_way.resampled(&settings)?)?,
            within_two_deviations: within(known, &curve),
        };
        Ok(Self { samples, averaged, sorted_by_noisy, sorted_by_averaged, curve, errors })
    }
}

/// Computes the part of the nodes whose distance from the truth, along the force, is within that of the
/// uncertainty curves there: the deviation of the coordinate is multiplied by the slope.
fn within(known: &KnownCurve, curve: &RestoringForceCurve) -> f64 {
    let is_within = |point: &&CurvePoint| {
        let by = point.coordinate_deviation;
        let at = |z: f64| (known.force)(z);
        let across = 0.5 * (at(point.coordinate + by) - at(point.coordinate - by)).abs();
        (point.force - at(point.coordinate)).abs() <= 2.0 * (point.force_deviation + across)
    };
    curve.points.iter().filter(is_within).count() as f64 / curve.points.len() as f64
}

/// A surface computed from samples.
pub struct FoundSurface {
    pub samples: Vec<SurfaceSample>,
    /// Samples after the first step, in which those of a cell are fused to one.
    pub fused: Vec<SurfaceSample>,
    pub surface: RestoringForceSurface,
    pub errors: SurfaceErrors,
}

#[derive(Debug, Serialize)]
pub struct SurfaceErrors {
    pub name: &'static str,
    /// e_RMS% over the nodes that are known.
    pub percent: f64,
    pub known_nodes: usize,
    pub nodes: usize,
}

impl FoundSurface {
    /// # Errors
    /// Those of the fit.
    pub fn of(known: &KnownSurface, noise: f64, seed: u64) -> Result<Self> {
        let samples = samples::of_surface(known.force, noise, seed)?;
        let settings = SurfaceSettings::default();
        let averaged = [0, 1].map(|k| {
            let values: Vec<f64> = samples.iter().map(|sample| sample.point[k]).collect();
            central_moving_average(&values, settings.window)
        });
        let coordinates: Vec<[f64; 2]> = averaged[0].iter().zip(&averaged[1]).map(|(z, v)| [*z, *v]).collect();
        let surface = fit_surface(&samples, &coordinates, &settings)?;
        let nodes = known_nodes(&surface).into_iter();
        let (found, exact): (Vec<f64>, Vec<f64>) = nodes.map(|([z, v], force)| (force, (known.force)(z, v))).unzip();
        let errors = SurfaceErrors {
            name: known.name,
            percent: SeriesError::new(&found, &exact)?.percent(),
            known_nodes: found.len(),
            nodes: surface.forces.len(),
        };
        let fused = fused(&samples, &coordinates);
        Ok(Self { samples, fused, surface, errors })
    }
}

/// Fuses the samples of every cell to one, 20 cells across.
fn fused(samples: &[SurfaceSample], coordinates: &[[f64; 2]]) -> Vec<SurfaceSample> {
    const CELLS: usize = 20;
    let ends = ranges();
    let mut groups: Vec<Vec<SurfaceSample>> = vec![Vec::new(); CELLS * CELLS];
    for (sample, [z, v]) in samples.iter().zip(coordinates) {
        let place = |x: f64, end: f64| (((x / end + 1.0) / 2.0 * CELLS as f64) as usize).min(CELLS - 1);
        groups[place(*z, ends.0) * CELLS + place(*v, ends.1)].push(*sample);
    }
    groups.iter().filter_map(|group| fuse_samples(group)).collect()
}
