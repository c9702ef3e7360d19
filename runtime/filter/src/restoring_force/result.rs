//! The restoring forces that a filter has found, and the second step of the method: curves and surfaces.

use nalgebra::{Complex, DMatrix, DVector};

use costate_numerics::scalar::out_of_range::OutOfRange;

use super::additive::TotalForce;
use super::convergence::Convergence;
use super::curve::{CurveSettings, RestoringForceCurve, fit_curve};
use super::error::RestoringForceError;
use super::estimates::TrackedElements;
use super::samples::{CurveSample, SurfaceSample, curve_samples, surface_sample};
use super::signals::{MIN_SAMPLES_PER_PERIOD, Prepared};
use super::surface::{RestoringForceSurface, SurfaceSettings, fit_surface};
use super::tuning::{APriori, Exponents};
use super::warning::Warning;
use crate::FilterRun;

/// Part of the samples below which a filter has lost the system: those of KE 3.1 that come to the end with right curves
/// have 0.12 or more, the unscented one beside friction the least.
const MIN_GOOD_PART: f64 = 0.1;

/// Part of the good samples with stiffnesses that are often at their bound from which curves are in doubt: right
/// curves of KE 3.1.1 have none, and a filter that follows another motion at a few samples in a hundred spoils its
/// curve.
const MAX_BOUNDED_SAMPLES: f64 = 0.02;

/// The estimates of a filter, as restoring forces.
#[derive(Debug, Clone)]
pub struct RestoringForces {
    tracked: TrackedElements,
    exponents: Exponents,
    run: FilterRun,
    convergence: Convergence,
    noise: DMatrix<f64>,
    warnings: Vec<Warning>,
    /// Expected stiffness and damping of every element, in N/m and N s/m.
    expected: Vec<APriori>,
    /// M^-1 of the elements; `None` if it is not constant.
    inverse_inertia: Option<DMatrix<f64>>,
}

/// A mode of the linearised system (KE 5.2.3).
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Undamped natural frequency in Hz, the size of the eigenvalue over 2 pi.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
    /// Deformation of every element, relative to the largest one.
    pub shape: Vec<Complex<f64>>,
}

impl Mode {
    /// Returns the modes of elements with constant coefficients, z'' = -M^-1 (diag(s) z + diag(d) z'), by increasing
    /// frequency; overdamped motions are left out. `stiffness` is in N/m and `damping` in N s/m, one value per
    /// element.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`] if the number of coefficients is not that of the rows of M^-1, and for an M^-1
    /// that is not square; [`RestoringForceError::OutOfRange`] for numbers that are not finite.
    pub fn of_elements(
        inverse_inertia: &DMatrix<f64>,
        stiffness: &[f64],
        damping: &[f64],
    ) -> Result<Vec<Self>, RestoringForceError> {
        let expected = inverse_inertia.nrows();
        let sizes = [
            ("columns of the inverse inertia matrix", inverse_inertia.ncols()),
            ("stiffness", stiffness.len()),
            ("damping", damping.len()),
        ];
        if let Some(&(field, given)) = sizes.iter().find(|(_, given)| *given != expected) {
            return Err(RestoringForceError::Size { field, given, expected });
        }
        for (field, values) in [
            ("entry of the inverse inertia matrix", inverse_inertia.as_slice()),
            ("stiffness", stiffness),
            ("damping", damping),
        ] {
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(OutOfRange { field, value, limit: "finite" }.into());
            }
        }
        Ok(modes(inverse_inertia, stiffness, damping))
    }
}

impl RestoringForces {
    pub(super) fn new(
        tracked: TrackedElements,
        exponents: Exponents,
        run: FilterRun,
        convergence: Convergence,
        signals: Prepared,
        expected: Vec<APriori>,
    ) -> Self {
        let (samples_per_period, needed) = (signals.samples_per_period, MIN_SAMPLES_PER_PERIOD);
        let slow = samples_per_period < needed;
        let mut warnings = Vec::from_iter(slow.then_some(Warning::SlowSampling { samples_per_period, needed }));
        let (part, stopped) = (convergence.good_part(), run.stopped().map(|divergence| divergence.time));
        if part < MIN_GOOD_PART || stopped.is_some() {
            warnings.push(Warning::LostTrack { part, stopped });
        }
        let part = convergence.bounded_part();
        if part > MAX_BOUNDED_SAMPLES {
            warnings.push(Warning::AtBound { part });
        }
        Self { tracked, exponents, run, convergence, noise: signals.noise, warnings, expected, inverse_inertia: None }
    }

    /// Adds the constant M^-1 of the elements.
    pub(super) fn with_inertia(mut self, inverse_inertia: DMatrix<f64>) -> Self {
        self.inverse_inertia = Some(inverse_inertia);
        self
    }

    /// Returns the estimates of all samples.
    pub fn run(&self) -> &FilterRun {
        &self.run
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.tracked.elements()
    }

    /// Returns the exponents of the filter.
    pub fn exponents(&self) -> Exponents {
        self.exponents
    }

    /// Returns e_m, e_p and e_s.
    pub fn convergence(&self) -> &Convergence {
        &self.convergence
    }

    /// Returns R, as given or estimated.
    pub fn measurement_noise(&self) -> &DMatrix<f64> {
        &self.noise
    }

    /// Returns the expected values of an element before anything was measured: stiffness in N/m and damping in N s/m;
    /// `None` where there is no such element.
    pub fn expected(&self, element: usize) -> Option<APriori> {
        self.expected.get(element).copied()
    }

    /// Returns the deformation in m and the rate in m/s of an element at a sample; `None` where there is no such
    /// element or sample.
    pub fn motion(&self, sample: usize, element: usize) -> Option<[f64; 2]> {
        let is_there = sample < self.run.samples() && element < self.elements();
        is_there.then(|| {
            let [z, v, ..] = self.tracked.at(sample, element).mean;
            [z, v]
        })
    }

    /// Returns warnings about the quality of the result.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the samples whose synchronisation error is low enough (KE 2.2.6).
    pub fn good_samples(&self) -> Vec<usize> {
        (0..self.run.samples()).filter(|&i| self.convergence.is_good(i)).collect()
    }

    /// Returns the elastic and dissipative samples of an element at all good samples; none where there is no such
    /// element.
    pub fn curve_samples(&self, element: usize) -> Vec<(CurveSample, CurveSample)> {
        let sample = |i| {
            let local = self.tracked.at(i, element);
            let (elastic, dissipative, _) = curve_samples(local.mean, &local.covariance, self.tracked.scale());
            (elastic, dissipative)
        };
        self.good_samples_of(element).into_iter().map(sample).collect()
    }

    /// Returns the samples of an element's surface at all good samples; none where there is no such element.
    pub fn surface_samples(&self, element: usize) -> Vec<SurfaceSample> {
        let sample = |i| {
            let local = self.tracked.at(i, element);
            surface_sample(local.mean, &local.covariance, self.tracked.scale())
        };
        self.good_samples_of(element).into_iter().map(sample).collect()
    }

    fn good_samples_of(&self, element: usize) -> Vec<usize> {
        if element < self.elements() { self.good_samples() } else { Vec::new() }
    }

    /// Returns the moving average of z (part 0) or v (part 1) of an element, at the good samples.
    fn averaged(&self, element: usize, part: usize, window: usize) -> Vec<f64> {
        let averaged = self.tracked.averaged(element, part, window);
        self.good_samples().into_iter().map(|i| averaged[i]).collect()
    }

    /// Fits the elastic curve c_E(z) and the dissipative curve c_D(v) of an element, whose sum is its force. The
    /// deviations of the forces hold, beside the covariances of the filter (KE 2.85, 2.86), half of the differences
    /// between both halves of the record and between samples and steps, in which the filter holds s and d.
    ///
    /// # Errors
    /// [`RestoringForceError::TooFewSamples`], [`RestoringForceError::OutOfRange`].
    pub fn curves(
        &self,
        element: usize,
        settings: &CurveSettings,
    ) -> Result<[RestoringForceCurve; 2], RestoringForceError> {
        self.check_element(element)?;
        let samples: Vec<_> = self.curve_samples(element).into_iter().map(|(elastic, _)| elastic).collect();
        let measured = self.total_force(element, settings.window, 0.0);
        let held = self.total_force(element, settings.window, 0.5);
        let elastic = fit_curve(&samples, &measured.averaged[0], settings.lag, settings.smooth)?.resampled(settings)?;
        measured.curves(&held, &elastic, settings)
    }

    /// Fits the elastic curve c_E(z) of an element; [`curves`](Self::curves) fits both at once.
    ///
    /// # Errors
    /// As [`curves`](Self::curves).
    pub fn elastic_curve(
        &self,
        element: usize,
        settings: &CurveSettings,
    ) -> Result<RestoringForceCurve, RestoringForceError> {
        self.curves(element, settings).map(|[elastic, _]| elastic)
    }

    /// Fits the dissipative curve c_D(v) of an element; [`curves`](Self::curves) fits both at once.
    ///
    /// # Errors
    /// As [`curves`](Self::curves).
    pub fn dissipative_curve(
        &self,
        element: usize,
        settings: &CurveSettings,
    ) -> Result<RestoringForceCurve, RestoringForceError> {
        self.curves(element, settings).map(|[_, dissipative]| dissipative)
    }

    /// Returns the total force of an element at the good samples or, with s and d of the sample, this part of a step
    /// later.
    fn total_force(&self, element: usize, window: usize, part: f64) -> TotalForce {
        let averages = [0, 1].map(|k| self.tracked.averaged(element, k, window));
        let mut found = TotalForce::default();
        for i in self.good_samples_of(element) {
            let next = (i + 1).min(self.run.samples().saturating_sub(1));
            let (local, later) = (self.tracked.at(i, element), self.tracked.at(next, element));
            let [.., s, d] = local.mean;
            let [z, v] = [0, 1].map(|k| part * (later.mean[k] - local.mean[k]));
            let mut sample = surface_sample(local.mean, &local.covariance, self.tracked.scale());
            let added = [z, v, self.tracked.scale() * (s * z + d * v)];
            sample.point.iter_mut().zip(added).for_each(|(value, added)| *value += added);
            found.samples.push(sample);
            for (all, averages) in found.averaged.iter_mut().zip(&averages) {
                all.push(averages[i] + part * (averages[next] - averages[i]));
            }
        }
        found
    }

    /// Fits the surface c(z, v) of an element.
    ///
    /// # Errors
    /// As [`curves`](Self::curves).
    pub fn surface(
        &self,
        element: usize,
        settings: &SurfaceSettings,
    ) -> Result<RestoringForceSurface, RestoringForceError> {
        self.check_element(element)?;
        let samples = self.surface_samples(element);
        let z = self.averaged(element, 0, settings.window);
        let v = self.averaged(element, 1, settings.window);
        let coordinates: Vec<_> = z.into_iter().zip(v).map(|(z, v)| [z, v]).collect();
        fit_surface(&samples, &coordinates, settings)
    }

    fn check_element(&self, element: usize) -> Result<(), RestoringForceError> {
        if element < self.elements() {
            return Ok(());
        }
        let (field, limit) = ("element", "below the number of elements");
        Err(OutOfRange { field, value: element as f64, limit }.into())
    }

    /// Returns natural frequencies, damping ratios and mode shapes with the average slopes of the elements' curves
    /// (KE 5.2.3), by increasing frequency: eigenvalues and eigenvectors of the upper left part of the matrix A (KE
    /// 2.46). Overdamped motions are left out.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`] if the number of curves is not that of elements,
    /// [`RestoringForceError::OutOfRange`] for a slope that is not finite, [`RestoringForceError::NoInertia`] for
    /// elements of a model, whose M^-1 depends on its position.
    pub fn modes(
        &self,
        elastic: &[RestoringForceCurve],
        dissipative: &[RestoringForceCurve],
    ) -> Result<Vec<Mode>, RestoringForceError> {
        let expected = self.elements();
        for (field, given) in [("elastic", elastic.len()), ("dissipative", dissipative.len())] {
            if given != expected {
                return Err(RestoringForceError::Size { field, given, expected });
            }
        }
        let slopes = |curves: &[RestoringForceCurve]| curves.iter().map(RestoringForceCurve::slope).collect();
        let (stiffness, damping): (Vec<_>, Vec<_>) = (slopes(elastic), slopes(dissipative));
        let inertia = self.inverse_inertia.as_ref().ok_or(RestoringForceError::NoInertia)?;
        Mode::of_elements(inertia, &stiffness, &damping)
    }
}

/// Returns the modes of z'' = -M^-1 (diag(s) z + diag(d) z').
fn modes(inverse_inertia: &DMatrix<f64>, stiffness: &[f64], damping: &[f64]) -> Vec<Mode> {
    let n = stiffness.len();
    let matrix = DMatrix::from_fn(2 * n, 2 * n, |row, column| match (row < n, column < n) {
        (true, _) => f64::from(column == row + n),
        (false, true) => -inverse_inertia[(row - n, column)] * stiffness[column],
        (false, false) => -inverse_inertia[(row - n, column - n)] * damping[column - n],
    });
    let mut found: Vec<Mode> = matrix
        .complex_eigenvalues()
        .iter()
        .filter(|value| value.im > 0.0)
        .map(|value| Mode {
            frequency: value.norm() / (2.0 * std::f64::consts::PI),
            damping_ratio: -value.re / value.norm(),
            shape: shape(&matrix, *value, n),
        })
        .collect();
    found.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    found
}

/// Returns the eigenvector of an eigenvalue, by inverse iteration.
fn shape(matrix: &DMatrix<f64>, value: Complex<f64>, n: usize) -> Vec<Complex<f64>> {
    const ROUNDS: usize = 4;
    let shift = value * (1.0 + 1e-9);
    let shifted = matrix.map(Complex::from) - DMatrix::identity(2 * n, 2 * n).map(|x: f64| shift * x);
    let factors = shifted.lu();
    let mut x = DVector::from_fn(2 * n, |i, _| Complex::new(1.0, 0.1 * i as f64));
    for _ in 0..ROUNDS {
        let Some(next) = factors.solve(&x) else { break };
        let norm = next.norm();
        x = next.map(|entry| entry / norm);
    }
    let largest = x.iter().take(n).copied().fold(Complex::from(0.0), |a, b| if b.norm() > a.norm() { b } else { a });
    x.iter().take(n).map(|entry| entry / largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_two_masses() {
        // Masses 2 and 1 kg; the elements are those between ground, first and second mass.
        let inverse = DMatrix::from_row_slice(2, 2, &[0.5, -0.5, -0.5, 1.5]);
        let found = Mode::of_elements(&inverse, &[30.0, 10.0], &[0.3, 0.1]).unwrap();
        // Proportional damping D = K/100: damping ratio omega/200.
        for mode in &found {
            let omega = 2.0 * std::f64::consts::PI * mode.frequency;
            assert!((mode.damping_ratio - omega / 200.0).abs() < 1e-12, "{mode:?}");
            // M^-1 K shape = omega^2 shape
            let k = [30.0 * mode.shape[0], 10.0 * mode.shape[1]];
            for i in 0..2 {
                let product = inverse[(i, 0)] * k[0] + inverse[(i, 1)] * k[1];
                assert!((product - omega * omega * mode.shape[i]).norm() < 1e-9, "{mode:?}");
            }
        }
        assert_eq!(found.len(), 2);
        assert!(found[0].frequency < found[1].frequency);
    }

    #[test]
    fn coefficients_that_do_not_fit_are_refused() {
        let inverse = DMatrix::from_row_slice(2, 2, &[0.5, -0.5, -0.5, 1.5]);
        let error = Mode::of_elements(&inverse, &[30.0], &[0.3, 0.1]).unwrap_err();
        let size = RestoringForceError::Size { field: "stiffness", given: 1, expected: 2 };
        assert_eq!(error.to_string(), size.to_string());
        let error = Mode::of_elements(&inverse, &[30.0, 10.0], &[0.3, f64::NAN]).unwrap_err();
        assert!(matches!(error, RestoringForceError::OutOfRange(OutOfRange { field: "damping", .. })), "{error}");
    }
}
