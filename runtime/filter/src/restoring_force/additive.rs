//! Elastic and dissipative curve of an element as the parts of its total force, and what is not known of them.
//!
//! The filter follows the total force s z + d v at a sample, which was measured; how much of it is elastic, it decides
//! by the exponents. The curves therefore divide the total force: c_E(z) is the curve through the samples of the force
//! without c_D(v), and c_D(v) the one through those without c_E(z), in turns from the elastic curve of the filter on.

use super::curve::{CurveSettings, RestoringForceCurve, fit_curve};
use super::error::RestoringForceError;
use super::moving_average::central_moving_average;
use super::samples::{CurveSample, SurfaceSample};
use costate_system::table::Curve;

/// Number of turns: curves change by less than their deviation from the second to the third.
const TURNS: usize = 2;

/// Samples of the total force of an element, and the averages of z and v by which they are sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct TotalForce {
    pub samples: Vec<SurfaceSample>,
    pub averaged: [Vec<f64>; 2],
}

impl TotalForce {
    /// Divides the force into both curves, and counts in their deviations what the covariances of the filter do not
    /// hold: half of the differences between the curves of both halves of the record, and to those of the `held` force
    /// in the middle of the steps, which shows the effect of holding s and d through a step, h/2 (s - c_E'). A filter
    /// of curves that goes one way has its lag counted too, by going the other way.
    pub fn curves(
        &self,
        held: &Self,
        elastic: &RestoringForceCurve,
        settings: &CurveSettings,
    ) -> Result<[RestoringForceCurve; 2], RestoringForceError> {
        let found = self.divided(elastic, settings, TURNS)?;
        let mut differences = vec![[held.divided(elastic, settings, TURNS)?, found.clone()]];
        let half = self.samples.len() / 2;
        // each half has to have samples enough for a curve of its own
        if let (Ok(first), Ok(second)) = (
            self.part(0..half).divided(&found[0], settings, 1),
            self.part(half..self.samples.len()).divided(&found[0], settings, 1),
        ) {
            differences.push([first, second]);
        }
        if !settings.smooth {
            differences.push([self.reversed().divided(elastic, settings, TURNS)?, found.clone()]);
        }
        let mut widened = found;
        for [one, other] in &differences {
            for (curve, (one, other)) in widened.iter_mut().zip(one.iter().zip(other)) {
                widen(curve, one, other)?;
            }
        }
        Ok(widened)
    }

    /// Divides the force in turns, from an elastic curve on.
    fn divided(
        &self,
        elastic: &RestoringForceCurve,
        settings: &CurveSettings,
        turns: usize,
    ) -> Result<[RestoringForceCurve; 2], RestoringForceError> {
        let mut dissipative = self.without(&elastic.table()?, 1, settings)?;
        let mut elastic = self.without(&dissipative.table()?, 0, settings)?;
        for _ in 1..turns {
            dissipative = self.without(&elastic.table()?, 1, settings)?;
            elastic = self.without(&dissipative.table()?, 0, settings)?;
        }
        Ok([elastic, dissipative])
    }

    /// Fits the curve over z (`own` 0) or v (1) to the force without the `other` curve, which is over v or z.
    fn without(
        &self,
        other: &Curve,
        own: usize,
        settings: &CurveSettings,
    ) -> Result<RestoringForceCurve, RestoringForceError> {
        let sample = |SurfaceSample { point, covariance: p }: &SurfaceSample| {
            let at = 1 - own;
            let [force, slope] = other.derivatives(point[at], [0, 1]);
            CurveSample {
                coordinate: point[own],
                force: point[2] - force,
                covariance: [
                    p[own][own],
                    p[own][2] - slope * p[own][at],
                    p[2][2] - 2.0 * slope * p[2][at] + slope * slope * p[at][at],
                ],
            }
        };
        let samples: Vec<CurveSample> = self.samples.iter().map(sample).collect();
        fit_curve(&samples, &self.averaged[own], settings.lag, settings.smooth)?.resampled(settings)
    }

    fn part(&self, range: std::ops::Range<usize>) -> Self {
        let averaged = [0, 1].map(|k| self.averaged[k][range.clone()].to_vec());
        Self { samples: self.samples[range].to_vec(), averaged }
    }

    /// Returns the samples with averages by which they are sorted the other way.
    fn reversed(&self) -> Self {
        let averaged = [0, 1].map(|k| self.averaged[k].iter().map(|value| -value).collect());
        Self { samples: self.samples.clone(), averaged }
    }
}

/// Adds half of the difference between two curves to the deviation of a curve's forces: its mean square over a sixth of
/// the nodes, as curves cross by chance; beyond the end of one of both, the difference there.
fn widen(
    curve: &mut RestoringForceCurve,
    one: &RestoringForceCurve,
    other: &RestoringForceCurve,
) -> Result<(), RestoringForceError> {
    let (ranges, tables) = ([one.range(), other.range()], [one.table()?, other.table()?]);
    let (low, high) = (ranges[0][0].max(ranges[1][0]), ranges[0][1].min(ranges[1][1]));
    let square = |coordinate: f64| {
        let within = coordinate.min(high).max(low);
        (0.5 * (tables[0].value(within) - tables[1].value(within))).powi(2)
    };
    let squares: Vec<f64> = curve.points.iter().map(|point| square(point.coordinate)).collect();
    let squares = central_moving_average(&squares, curve.points.len() / 6 + 1);
    for (point, square) in curve.points.iter_mut().zip(squares) {
        point.force_deviation = point.force_deviation.hypot(square.sqrt());
    }
    Ok(())
}
