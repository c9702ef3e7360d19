//! Densities that can be sampled.

use costate_ensemble::Description;

/// Reason why a density has no value at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No value at this point, with the reason: a trajectory that comes here is a divergence.
    Here(String),
    /// No value at all: the chain ends with this reason.
    Stop(String),
}

/// The logarithm of a density of n unbounded coordinates, up to a constant.
///
/// ```
/// use costate_posterior::{Fault, LogDensity, Sampler};
///
/// /// A normal distribution about 3.
/// struct Normal;
///
/// impl LogDensity for Normal {
///     fn names(&self) -> Vec<String> {
///         vec!["x".to_owned()]
///     }
///
///     fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
///         |point, gradient| {
///             gradient[0] = 3.0 - point[0];
///             Ok(-0.5 * (point[0] - 3.0) * (point[0] - 3.0))
///         }
///     }
/// }
///
/// let samples = Sampler::new().seed(1).sample(&Normal)?;
/// let x = &samples.summary().rows[0];
/// assert!((x.mean - 3.0).abs() < 0.2 && (x.standard_deviation - 1.0).abs() < 0.1);
/// # Ok::<(), costate_posterior::SamplingError>(())
/// ```
pub trait LogDensity: Sync {
    /// Returns the names of the reported values, one for each coordinate.
    fn names(&self) -> Vec<String>;

    /// Returns a function that takes n coordinates, returns the logarithm of the density there, and writes its
    /// derivatives with respect to the coordinates to its second argument, of length n. Every chain has its own
    /// function. The result must follow from the coordinates alone, and be finite or a [`Fault`].
    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_;

    /// Returns the reported values at a point: as many numbers as it has coordinates; by default the point itself.
    fn reported(&self, point: &[f64]) -> Vec<f64> {
        point.to_vec()
    }

    /// Describes everything that the density follows from, so that logs of another density are refused. `None`,
    /// the default, stands for the bits of the density at one point.
    fn description(&self) -> Option<Description> {
        None
    }

    /// Lists reasons to doubt the results that are known before sampling, as whole sentences.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
}
