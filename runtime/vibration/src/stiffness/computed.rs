//! Curves of models: periodic motions of harmonic balance, and linear responses.

use crate::FrequencyResponse;
use crate::harmonic::{Curve, Motion, Signal, Verdict};
use crate::stiffness::curve::{Doubt, StiffnessCurve, StiffnessLine};
use crate::stiffness::error::StiffnessError;
use crate::stiffness::unit::{Amplitude, StiffnessUnit};

impl StiffnessCurve {
    /// Creates the curve of a harmonic balance, the ratio of a force to a displacement, or of a torque to an angle.
    ///
    /// The first stable motion along the path counts at a frequency that has several, as for
    /// [`RatioPrediction`](crate::harmonic::RatioPrediction), and the line says that there are others. Where no motion
    /// is stable, the line says so. If stability was not judged, the first motion counts. The amplitude is that of the
    /// controlled output, or of the input that drives.
    ///
    /// # Errors [`StiffnessError::Harmonic`] for signals that are no force and displacement; those of
    /// [`new`](Self::new) and [`at_amplitude`](Self::at_amplitude).
    pub fn of_motions(
        curve: &Curve,
        force: impl Into<Signal>,
        displacement: impl Into<Signal>,
    ) -> Result<Self, StiffnessError> {
        let (force, displacement) = (force.into(), displacement.into());
        let first = curve.motions.first().ok_or(StiffnessError::NoLine)?;
        let (unit, _) = StiffnessUnit::of(&first.stiffness(force, displacement)?.unit)?;
        let mut frequencies: Vec<f64> = curve.motions.iter().map(|motion| motion.frequency).collect();
        frequencies.sort_by(f64::total_cmp);
        frequencies.dedup();
        let mut lines = Vec::with_capacity(frequencies.len());
        for frequency in frequencies {
            let own: Vec<&Motion> = curve.motions.iter().filter(|motion| motion.frequency == frequency).collect();
            let Some((motion, doubt)) = counted(&own) else { continue };
            let value = motion.stiffness(force, displacement)?.value;
            let line = StiffnessLine::new(frequency, [value.re, value.im]);
            lines.push(StiffnessLine { doubt, truncation: Some(motion.truncation.error), ..line });
        }
        let mut own = Self::of_lines(unit, lines)?;
        own.amplitude = Some(Amplitude::of(curve.amplitude, first.excited().unit())?);
        own.turning_points.clone_from(&curve.turning_points);
        own.harmonics = Some(first.harmonics());
        Ok(own)
    }

    /// Creates the curve of a linear model, which holds for all amplitudes that are small enough. A response that is
    /// the inverse of a stiffness is inverted.
    ///
    /// # Errors
    /// [`StiffnessError::Vibration`] for a response that is no stiffness; those of [`new`](Self::new).
    pub fn of_response(response: &FrequencyResponse) -> Result<Self, StiffnessError> {
        let stiffness = response.dynamic_stiffness()?;
        let (unit, factor) = StiffnessUnit::of(&stiffness.unit())?;
        let line = |(&frequency, value): (&f64, &crate::Complex<f64>)| {
            StiffnessLine::new(frequency, [factor * value.re, factor * value.im])
        };
        Self::of_lines(unit, stiffness.frequencies.iter().zip(&stiffness.values).map(line).collect())
    }
}

/// The motion that a line shows, of those at one frequency in the order of the path.
fn counted<'a>(own: &[&'a Motion]) -> Option<(&'a Motion, Option<Doubt>)> {
    let first = *own.first()?;
    let several = (own.len() > 1).then_some(Doubt::Several);
    let Some(stability) = &first.stability else { return Some((first, several)) };
    match own.iter().find(|motion| motion.is_stable()) {
        Some(stable) => Some((stable, several)),
        None if stability.verdict == Verdict::Unsettled => Some((first, Some(Doubt::StabilityUnknown))),
        None => Some((first, Some(Doubt::Unstable))),
    }
}
