//! What the direct model finds: forces over time, samples of surfaces, surfaces.

use super::model::DirectModel;
use crate::filter::FilterRun;
use crate::out_of_range::OutOfRange;
use crate::restoring_force::error::RestoringForceError;
use crate::restoring_force::moving_average::central_moving_average;
use crate::restoring_force::samples::SurfaceSample;
use crate::restoring_force::sensor::SensorKind;
use crate::restoring_force::surface::{RestoringForceSurface, SurfaceSettings, fit_surface};

/// Restoring forces over time.
#[derive(Debug, Clone)]
pub struct DirectForces {
    model: DirectModel,
    run: FilterRun,
}

impl DirectForces {
    /// Of a run that has kept its covariances.
    pub(super) fn new(model: DirectModel, run: FilterRun) -> Self {
        Self { model, run }
    }

    /// The estimates of all samples.
    pub fn run(&self) -> &FilterRun {
        &self.run
    }

    /// The force of an element in N and its standard deviation at every sample.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for an element that there is not.
    pub fn force(&self, element: usize) -> Result<Vec<(f64, f64)>, RestoringForceError> {
        let at = self.place(element)?[2];
        let deviation = |i| self.run.covariance_entry(i, at, at).unwrap_or(0.0).max(0.0).sqrt();
        Ok(self.run.state(at).enumerate().map(|(i, force)| (force, deviation(i))).collect())
    }

    /// The samples of an element's surface.
    ///
    /// # Errors
    /// [`RestoringForceError::Unobservable`] without a displacement sensor at the element: velocities and accelerations show its force,
    /// but not where it acts (KE 2.4). [`RestoringForceError::OutOfRange`] for an element that there is not.
    pub fn surface_samples(&self, element: usize) -> Result<Vec<SurfaceSample>, RestoringForceError> {
        let at = self.place(element)?;
        let shown = self
            .model
            .model
            .sensors()
            .iter()
            .any(|sensor| sensor.element == element && sensor.kind == SensorKind::Displacement);
        if !shown {
            return Err(RestoringForceError::Unobservable {
                states: vec![format!("z[{}]", element + 1)],
                elements: vec![format!("a displacement sensor at element {}", element + 1)],
            });
        }
        let sample = |i: usize| {
            let mean = self.run.mean(i);
            let entry = |row, column| self.run.covariance_entry(i, row, column).unwrap_or(0.0);
            SurfaceSample {
                point: at.map(|k| mean[k]),
                covariance: at.map(|row| at.map(|column| entry(row, column))),
            }
        };
        Ok((0..self.run.samples()).map(sample).collect())
    }

    /// The surface c(z, v) of an element.
    ///
    /// # Errors
    /// As [`surface_samples`](Self::surface_samples); [`RestoringForceError::TooFewSamples`] for a record that is too short.
    pub fn surface(
        &self,
        element: usize,
        settings: &SurfaceSettings,
    ) -> Result<RestoringForceSurface, RestoringForceError> {
        let (samples, [z, v, _]) = (self.surface_samples(element)?, self.place(element)?);
        let averaged = |state: usize| {
            let values: Vec<f64> = self.run.state(state).collect();
            central_moving_average(&values, settings.window)
        };
        let coordinates: Vec<_> = averaged(z).into_iter().zip(averaged(v)).map(|(z, v)| [z, v]).collect();
        fit_surface(&samples, &coordinates, settings)
    }

    /// Numbers of the states of an element.
    fn place(&self, element: usize) -> Result<[usize; 3], RestoringForceError> {
        let n = self.model.elements();
        if element < n {
            return Ok([element, n + element, 2 * n + element]);
        }
        let (field, limit) = ("element", "below the number of elements");
        Err(OutOfRange { field, value: element as f64, limit }.into())
    }
}
