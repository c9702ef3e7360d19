//! Which outputs are measured, and how well.

use nalgebra::DMatrix;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

use crate::filter::{covariance_factor, solve_lower};
use crate::identifiers::Output;
use crate::model::Model;
use crate::series::Series;

use super::error::NoiseError;

/// The measured outputs and the covariance R of their noise (OB 5.6): zero mean, normally distributed, independent from
/// sample to sample.
///
/// ```
/// use costate::experiment::Noise;
///
/// costate::model! {
///     pub Oscillator {
///         parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 0.5 }
///         coordinates { x: m }
///         mass { x: m }
///         forces { x: -c*x - d*dot(x) }
///         outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
///     }
/// }
///
/// let noise = Noise::independent([(Oscillator::POSITION, 1e-4), (Oscillator::ACCELERATION, 0.02)])?;
/// assert_eq!(noise.outputs().len(), 2);
/// # Ok::<(), costate::experiment::NoiseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Noise<M: Model> {
    outputs: Vec<Output<M>>,
    /// Lower triangular L with R = L L^T.
    factor: DMatrix<f64>,
}

impl<M: Model> Noise<M> {
    /// Sensors whose noise is independent of each other: outputs with standard deviations in their units.
    ///
    /// # Errors
    /// [`NoiseError::NoSensors`], [`NoiseError::RepeatedOutput`], [`NoiseError::Deviation`].
    pub fn independent(sensors: impl IntoIterator<Item = (Output<M>, f64)>) -> Result<Self, NoiseError> {
        let (outputs, deviations): (Vec<_>, Vec<_>) = sensors.into_iter().unzip();
        check_outputs(&outputs)?;
        for (output, &deviation) in outputs.iter().zip(&deviations) {
            // the variance and its reciprocal must be numbers too
            if !(deviation > 0.0 && (deviation * deviation).is_normal()) {
                return Err(NoiseError::Deviation { output: output.name(), deviation });
            }
        }
        Ok(Self { outputs, factor: DMatrix::from_diagonal(&deviations.into()) })
    }

    /// Sensors of these outputs with the symmetric, positive definite covariance R (one row and column per output, in
    /// the products of their units).
    ///
    /// # Errors
    /// [`NoiseError::NoSensors`], [`NoiseError::RepeatedOutput`], [`NoiseError::Covariance`].
    pub fn correlated(
        outputs: impl IntoIterator<Item = Output<M>>,
        covariance: &DMatrix<f64>,
    ) -> Result<Self, NoiseError> {
        let outputs: Vec<_> = outputs.into_iter().collect();
        check_outputs(&outputs)?;
        let named = |fault| NoiseError::Covariance { outputs: names(&outputs), fault };
        let size = outputs.len();
        let factor = covariance_factor(covariance, size).map_err(named)?;
        Ok(Self { outputs, factor })
    }

    /// The measured outputs, in the order in which they were given: that of all vectors and matrices here.
    pub fn outputs(&self) -> &[Output<M>] {
        &self.outputs
    }

    /// Their indices in a row of outputs.
    pub(crate) fn indices(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.outputs.iter().map(|output| output.index())
    }

    /// The covariance R.
    pub fn covariance(&self) -> DMatrix<f64> {
        &self.factor * self.factor.transpose()
    }

    /// The lower triangular Cholesky factor L, R = L L^T.
    pub fn factor(&self) -> &DMatrix<f64> {
        &self.factor
    }

    /// The standard deviations, in the outputs' units.
    pub fn standard_deviations(&self) -> Vec<f64> {
        self.factor.row_iter().map(|row| row.norm()).collect()
    }

    /// `values` = L^-1 `values`, one value per sensor; noise becomes independent with variance 1.
    ///
    /// Of a longer slice the first entries count; a shorter one belongs to the first sensors.
    pub fn whiten(&self, values: &mut [f64]) {
        solve_lower(&self.factor, values);
    }

    /// `values` = R^-1 `values`, one value per sensor, as [`whiten`](Self::whiten) takes them.
    pub fn weigh(&self, values: &mut [f64]) {
        self.whiten(values);
        // L^T x = y, from the last row
        let sensors = self.outputs.len().min(values.len());
        for i in (0..sensors).rev() {
            let sum: f64 = (i + 1..sensors).map(|k| self.factor[(k, i)] * values[k]).sum();
            values[i] = (values[i] - sum) / self.factor[(i, i)];
        }
    }

    /// Adds noise to the measured outputs at every sample; the others are left as they are. The same `seed` gives the
    /// same noise.
    pub fn add(&self, outputs: &mut Series<f64>, seed: u64) {
        let mut generator = SmallRng::seed_from_u64(seed);
        let sensors = self.outputs.len();
        let mut normal = vec![0.0; sensors];
        for i in 0..outputs.samples() {
            normal.iter_mut().for_each(|entry| *entry = StandardNormal.sample(&mut generator));
            let row = outputs.row_mut(i);
            for (k, output) in self.outputs.iter().enumerate() {
                let noise: f64 = (0..=k).map(|j| self.factor[(k, j)] * normal[j]).sum();
                if let Some(value) = row.get_mut(output.index()) {
                    *value += noise;
                }
            }
        }
    }
}

fn names<M: Model>(outputs: &[Output<M>]) -> Vec<&'static str> {
    outputs.iter().map(|output| output.name()).collect()
}

fn check_outputs<M: Model>(outputs: &[Output<M>]) -> Result<(), NoiseError> {
    if outputs.is_empty() {
        return Err(NoiseError::NoSensors { model: M::DESCRIPTION.name });
    }
    let repeated = outputs.iter().enumerate().find(|(i, output)| outputs[..*i].contains(output));
    match repeated {
        Some((_, output)) => Err(NoiseError::RepeatedOutput { output: output.name() }),
        None => Ok(()),
    }
}
