//! The restoring force surface method of Masri and Caughey (KE 1.22).

use nalgebra::{DMatrix, DVector};

use super::motion::Motion;
use costate_filter::StateSpace;
use costate_filter::restoring_force::{
    RestoringForceCurve, RestoringForceError, RestoringForceModel, RestoringForceSurface, SurfaceSample,
    SurfaceSettings, central_moving_average, fit_surface,
};
use costate_numerics::scalar::out_of_range::OutOfRange;

/// The restoring forces at every sample, from the equation of motion: f = M (B u - v') + G w.
///
/// The equation gives one force per degree of freedom. M must be known, and all motions measured or integrated;
/// the effect of their errors on a sample is not known, so that all samples have equal weights.
///
/// ```
/// use costate::restoring_force::RestoringForceModel;
/// use costate_publications::classical::{Band, Motion, SurfaceMethod};
///
/// # fn main() -> Result<(), costate::restoring_force::RestoringForceError> {
/// // a mass of 4 kg on a base that vibrates at 20 Hz, with accelerometers on both
/// let (interval, omega) = (1e-3, 2.0 * std::f64::consts::PI * 20.0);
/// let base: Vec<f64> = (0..2000).map(|i| (omega * interval * f64::from(i)).sin()).collect();
/// let accelerometer: Vec<f64> = base.iter().map(|u| 3.0 * u).collect();
/// let relative: Vec<f64> = accelerometer.iter().zip(&base).map(|(y, u)| y - u).collect();
/// let motion = Motion::from_accelerations(interval, &relative, Band::new(10.0, 100.0))?;
/// let forces = SurfaceMethod::new(RestoringForceModel::on_moving_base(4.0)?)?.run(&[motion], &base)?;
/// // f = -m y
/// let points = &forces.points(0)[0];
/// let first = forces.first();
/// assert!((points[2] + 4.0 * accelerometer[first]).abs() < 1e-2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SurfaceMethod {
    model: RestoringForceModel,
    inertia: DMatrix<f64>,
}

/// Points of each element's surface, found by the method.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfacePoints {
    first: usize,
    points: Vec<Vec<[f64; 3]>>,
}

impl SurfaceMethod {
    /// Sets up the method with M, B and G of a model; its sensors and scale do not matter.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] if M^-1 cannot be inverted, or has unknown entries: the method needs M.
    pub fn new(model: RestoringForceModel) -> Result<Self, RestoringForceError> {
        if !model.unknown_inertia().is_empty() {
            let value = model.unknown_inertia().len() as f64;
            let limit = "0: the surface method needs M; give the model the one that a filter has found";
            return Err(OutOfRange { field: "unknown entries of M^-1", value, limit }.into());
        }
        let inverse = model.inverse_inertia();
        let Some(factor) = inverse.clone().cholesky() else {
            let (field, limit) = ("determinant of M^-1", "positive");
            return Err(OutOfRange { field, value: inverse.determinant(), limit }.into());
        };
        Ok(Self { inertia: factor.inverse(), model })
    }

    /// Computes the forces of all samples between the edges of the motions, one motion per element; `inputs` are
    /// rows of base accelerations u, then forces w, as for a filter.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`] for motions or inputs of other numbers, [`RestoringForceError::OutOfRange`] for
    /// motions with different intervals, [`RestoringForceError::Signal`] for an input that is not finite.
    pub fn run(&self, motions: &[Motion], inputs: &[f64]) -> Result<SurfacePoints, RestoringForceError> {
        let elements = self.model.elements();
        let size = |field, given, expected| {
            if given == expected { Ok(()) } else { Err(RestoringForceError::Size { field, given, expected }) }
        };
        size("motions", motions.len(), elements)?;
        let (samples, interval) = (motions[0].samples(), motions[0].interval());
        for motion in motions {
            size("samples of a motion", motion.samples(), samples)?;
            if (motion.interval() / interval - 1.0).abs() > 1e-9 {
                let (value, limit) = (motion.interval(), "that of the first motion");
                return Err(OutOfRange { field: "interval of a motion", value, limit }.into());
            }
        }
        let excitation = excitation(&self.model, &self.inertia, inputs, samples)?;
        let first = motions.iter().map(Motion::edge).max().unwrap_or(0);
        let mut points = vec![Vec::with_capacity(samples); elements];
        let used = first..samples.saturating_sub(first);
        for (i, excitation) in excitation.iter().enumerate().take(used.end).skip(used.start) {
            let accelerations = DVector::from_fn(elements, |j, _| motions[j].accelerations()[i]);
            let forces = excitation - &self.inertia * accelerations;
            for (j, points) in points.iter_mut().enumerate() {
                points.push([motions[j].deformations()[i], motions[j].rates()[i], forces[j]]);
            }
        }
        Ok(SurfacePoints { first, points })
    }
}

/// Computes M B u + G w at every sample, in N.
pub(super) fn excitation(
    model: &RestoringForceModel,
    inertia: &DMatrix<f64>,
    inputs: &[f64],
    samples: usize,
) -> Result<Vec<DVector<f64>>, RestoringForceError> {
    let width = model.inputs();
    if inputs.len() != samples * width {
        return Err(RestoringForceError::Size { field: "inputs", given: inputs.len(), expected: samples * width });
    }
    if let Some(at) = inputs.iter().position(|value| !value.is_finite()) {
        return Err(RestoringForceError::Signal {
            field: format!("input {}", at % width + 1),
            sample: at / width,
            value: inputs[at],
            remedy: "the excitation must be known at every sample; interpolate it, or cut the record there",
        });
    }
    let bases = model.base().ncols();
    let of_base = inertia * model.base();
    let row = |i: usize| {
        let (u, w) = inputs[i * width..(i + 1) * width].split_at(bases);
        &of_base * DVector::from_column_slice(u) + model.force_directions() * DVector::from_column_slice(w)
    };
    Ok((0..samples).map(row).collect())
}

impl SurfacePoints {
    /// Returns the sample of the record that the first point belongs to.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns z in m, v in m/s and f in N of an element, sample by sample; empty where there is no such element.
    pub fn points(&self, element: usize) -> &[[f64; 3]] {
        self.points.get(element).map_or(&[], Vec::as_slice)
    }

    /// Fits the surface of an element over a grid, as [`fit_surface`] does, to points with equal weights.
    /// Variances are estimated from the points' distances from the surface.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`], also for an element that does not exist;
    /// [`RestoringForceError::TooFewSamples`].
    pub fn surface(
        &self,
        element: usize,
        settings: &SurfaceSettings,
    ) -> Result<RestoringForceSurface, RestoringForceError> {
        let Some(points) = self.points.get(element) else {
            let (field, limit) = ("element", "below the number of elements");
            return Err(OutOfRange { field, value: element as f64, limit }.into());
        };
        let mean_square = |k: usize| {
            let sum = points.iter().map(|point| point[k] * point[k]).sum::<f64>();
            (sum / points.len() as f64).max(f64::MIN_POSITIVE)
        };
        let squares = [0, 1, 2].map(mean_square);
        let covariance = [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { squares[i] } else { 0.0 }));
        let samples: Vec<_> = points.iter().map(|&point| SurfaceSample { point, covariance }).collect();
        let averaged = |k: usize| {
            let values: Vec<f64> = points.iter().map(|point| point[k]).collect();
            central_moving_average(&values, settings.window)
        };
        let coordinates: Vec<_> = averaged(0).into_iter().zip(averaged(1)).map(|(z, v)| [z, v]).collect();
        let mut surface = fit_surface(&samples, &coordinates, settings)?;
        let (sum, count) = points.iter().fold((0.0, 0.0), |(sum, count), &[z, v, f]| {
            surface.value(z, v).map_or((sum, count), |value| (sum + (f - value).powi(2), count + 1.0))
        });
        let factor = if count > 0.0 { sum / count / squares[2] } else { f64::NAN };
        surface.variances.iter_mut().for_each(|variance| *variance *= factor);
        Ok(surface)
    }

    /// Computes the elastic and the dissipative curve of an element whose force is their sum: averaged slices of
    /// its [`surface`](Self::surface).
    ///
    /// # Errors
    /// As [`surface`](Self::surface).
    pub fn curves(
        &self,
        element: usize,
        settings: &SurfaceSettings,
    ) -> Result<(RestoringForceCurve, RestoringForceCurve), RestoringForceError> {
        let surface = self.surface(element, settings)?;
        Ok((surface.averaged_elastic_slice()?, surface.averaged_dissipative_slice()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_filter::restoring_force::Sensor;

    const INTERVAL: f64 = 1e-3;

    fn signal(samples: usize, frequency: f64) -> Vec<f64> {
        (0..samples).map(|i| (frequency * i as f64 * INTERVAL).sin()).collect()
    }

    #[test]
    fn forces_are_those_of_the_equation_of_motion() {
        let inverse = DMatrix::from_row_slice(2, 2, &[0.5, -0.1, -0.1, 0.4]);
        let base = DMatrix::from_row_slice(2, 1, &[-1.0, -0.5]);
        let directions = DMatrix::from_row_slice(2, 1, &[1.0, -2.0]);
        let sensors = vec![Sensor::acceleration(0), Sensor::acceleration(1)];
        let model = RestoringForceModel::new(inverse.clone(), sensors).unwrap();
        let model = model.with_base(base.clone()).unwrap().with_forces(directions.clone()).unwrap();
        // f is chosen, and v' follows from the equation of motion: v' = B u + M^-1 (G w - f)
        let (u, w) = (signal(200, 30.0), signal(200, 17.0));
        let chosen = [signal(200, 11.0), signal(200, 41.0)];
        let mut accelerations = [vec![0.0; 200], vec![0.0; 200]];
        for i in 0..200 {
            let of = DVector::from_fn(2, |j, _| directions[(j, 0)] * w[i] - chosen[j][i]);
            let found = &base * u[i] + &inverse * of;
            for j in 0..2 {
                accelerations[j][i] = found[j];
            }
        }
        let inputs: Vec<f64> = u.iter().zip(&w).flat_map(|(u, w)| [*u, *w]).collect();
        let motions =
            accelerations.map(|signal| Motion::measured(INTERVAL, vec![1.0; 200], vec![2.0; 200], signal).unwrap());
        let method = SurfaceMethod::new(model).unwrap();
        let forces = method.run(&motions, &inputs).unwrap();
        for (j, chosen) in chosen.iter().enumerate() {
            for ([z, v, f], chosen) in forces.points(j).iter().zip(chosen) {
                assert!((f - chosen).abs() < 1e-12 && *z == 1.0 && *v == 2.0);
            }
        }
        assert!(forces.points(2).is_empty());
        assert!(matches!(method.run(&motions[..1], &inputs), Err(RestoringForceError::Size { .. })));
        assert!(matches!(method.run(&motions, &inputs[1..]), Err(RestoringForceError::Size { .. })));
        let mut gap = inputs;
        gap[5] = f64::NAN;
        let error = method.run(&motions, &gap).unwrap_err();
        assert!(matches!(error, RestoringForceError::Signal { sample: 2, .. }), "{error}");
    }

    #[test]
    fn unknown_inertia_is_refused() {
        let model = RestoringForceModel::on_moving_base(4.0).unwrap().with_unknown_inertia(&[(0, 0)]).unwrap();
        assert!(matches!(SurfaceMethod::new(model), Err(RestoringForceError::OutOfRange(..))));
    }
}
