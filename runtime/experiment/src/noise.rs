//! Measured outputs and their noise.

use nalgebra::DMatrix;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

use costate_numerics::linalg::factor::solve_lower;
use costate_system::identifiers::{Dynamic, Output};
use costate_system::series::Series;
use costate_system::state_space::covariance_factor;

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
pub struct Noise<M = Dynamic> {
    outputs: Vec<Output<M>>,
    sensors: Sensors,
}

/// A [`Noise`] without the type of its model.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensors {
    /// Measured outputs.
    pub outputs: Vec<Output>,
    /// Lower triangular L with R = L L^T.
    pub factor: DMatrix<f64>,
}

impl<M> Noise<M> {
    /// Creates sensors with independent noise: outputs with standard deviations in their units.
    ///
    /// # Errors
    /// [`NoiseError::NoSensors`], [`NoiseError::RepeatedOutput`], [`NoiseError::Deviation`].
    pub fn independent(sensors: impl IntoIterator<Item = (Output<M>, f64)>) -> Result<Self, NoiseError> {
        let sensors = sensors.into_iter().map(|(output, deviation)| (output.erased(), deviation));
        let (outputs, deviations) = sensors.unzip();
        Ok(Self::of(Sensors::independent(outputs, deviations, type_of_model::<M>())?))
    }

    /// Creates sensors of these outputs with the symmetric, positive definite covariance R (one row and column per
    /// output, in the products of their units).
    ///
    /// # Errors
    /// [`NoiseError::NoSensors`], [`NoiseError::RepeatedOutput`], [`NoiseError::Covariance`].
    pub fn correlated(
        outputs: impl IntoIterator<Item = Output<M>>,
        covariance: &DMatrix<f64>,
    ) -> Result<Self, NoiseError> {
        let outputs = outputs.into_iter().map(Output::erased).collect();
        Ok(Self::of(Sensors::correlated(outputs, covariance, type_of_model::<M>())?))
    }

    #[doc(hidden)]
    pub fn of(sensors: Sensors) -> Self {
        Self { outputs: sensors.outputs.iter().map(|output| output.tagged()).collect(), sensors }
    }

    /// Returns the sensors without the type of the model.
    #[doc(hidden)]
    pub fn sensors(&self) -> &Sensors {
        &self.sensors
    }

    /// Adds the type of the model.
    #[doc(hidden)]
    pub fn tagged<N>(self) -> Noise<N> {
        Noise::of(self.sensors)
    }

    /// Returns the measured outputs, in the order in which they were given: that of all vectors and matrices here.
    pub fn outputs(&self) -> &[Output<M>] {
        &self.outputs
    }

    /// Returns the covariance R.
    pub fn covariance(&self) -> DMatrix<f64> {
        self.sensors.covariance()
    }

    /// Returns the lower triangular Cholesky factor L, R = L L^T.
    pub fn factor(&self) -> &DMatrix<f64> {
        &self.sensors.factor
    }

    /// Returns the standard deviations, in the outputs' units.
    pub fn standard_deviations(&self) -> Vec<f64> {
        self.sensors.standard_deviations()
    }

    /// Computes `values` = L^-1 `values`, one value per sensor; noise becomes independent with variance 1.
    ///
    /// Only the first entries of a longer slice are used; a shorter slice belongs to the first sensors.
    pub fn whiten(&self, values: &mut [f64]) {
        self.sensors.whiten(values);
    }

    /// Computes `values` = R^-1 `values`, one value per sensor, as [`whiten`](Self::whiten) takes them.
    pub fn weigh(&self, values: &mut [f64]) {
        self.sensors.weigh(values);
    }

    /// Adds noise to the measured outputs at every sample; the others are left as they are. The same `seed` gives the
    /// same noise.
    pub fn add(&self, outputs: &mut Series<f64>, seed: u64) {
        self.sensors.add(outputs, seed);
    }
}

impl Sensors {
    /// See [`Noise::independent`]; `model` is the name of the model.
    fn independent(outputs: Vec<Output>, deviations: Vec<f64>, model: &'static str) -> Result<Self, NoiseError> {
        check_outputs(&outputs, model)?;
        for (output, &deviation) in outputs.iter().zip(&deviations) {
            // the variance and its reciprocal must be numbers too
            if !(deviation > 0.0 && (deviation * deviation).is_normal()) {
                return Err(NoiseError::Deviation { output: output.name(), deviation });
            }
        }
        Ok(Self { outputs, factor: DMatrix::from_diagonal(&deviations.into()) })
    }

    /// See [`Noise::correlated`].
    fn correlated(outputs: Vec<Output>, covariance: &DMatrix<f64>, model: &'static str) -> Result<Self, NoiseError> {
        check_outputs(&outputs, model)?;
        let named = |fault| NoiseError::Covariance { outputs: names(&outputs), fault };
        let size = outputs.len();
        let factor = covariance_factor(covariance, size).map_err(named)?;
        Ok(Self { outputs, factor })
    }

    /// Returns the outputs' indices in a row of all outputs.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.outputs.iter().map(|output| output.index())
    }

    fn covariance(&self) -> DMatrix<f64> {
        &self.factor * self.factor.transpose()
    }

    fn standard_deviations(&self) -> Vec<f64> {
        self.factor.row_iter().map(|row| row.norm()).collect()
    }

    /// See [`Noise::whiten`].
    pub fn whiten(&self, values: &mut [f64]) {
        solve_lower(&self.factor, values);
    }

    /// See [`Noise::weigh`].
    pub fn weigh(&self, values: &mut [f64]) {
        self.whiten(values);
        // L^T x = y, from the last row
        let sensors = self.outputs.len().min(values.len());
        for i in (0..sensors).rev() {
            let sum: f64 = (i + 1..sensors).map(|k| self.factor[(k, i)] * values[k]).sum();
            values[i] = (values[i] - sum) / self.factor[(i, i)];
        }
    }

    /// See [`Noise::add`].
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

/// Returns the name of the model by its type, for models without a measured output.
fn type_of_model<M>() -> &'static str {
    let path = std::any::type_name::<M>();
    path.rsplit("::").next().unwrap_or(path)
}

fn names(outputs: &[Output]) -> Vec<&'static str> {
    outputs.iter().map(|output| output.name()).collect()
}

fn check_outputs(outputs: &[Output], model: &'static str) -> Result<(), NoiseError> {
    if outputs.is_empty() {
        return Err(NoiseError::NoSensors { model });
    }
    let repeated = outputs.iter().enumerate().find(|(i, output)| outputs[..*i].contains(output));
    match repeated {
        Some((_, output)) => Err(NoiseError::RepeatedOutput { output: output.name() }),
        None => Ok(()),
    }
}
