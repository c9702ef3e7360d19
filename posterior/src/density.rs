//! What can be sampled.

use costate_ensemble::Description;

/// Why a density has no value at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Not at this point: a trajectory that comes here is a divergence. With the reason.
    Here(String),
    /// Not at all: the chain ends with this reason.
    Stop(String),
}

/// The logarithm of a density of n coordinates, each of which may be any number, but for a constant.
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
    /// Names of what is reported, one for each coordinate.
    fn names(&self) -> Vec<String>;

    /// A function that takes n coordinates, gives the logarithm of the density there, and writes its derivatives by the coordinates to
    /// its second argument, of length n. Every chain has one of its own. What it gives must follow from the coordinates alone, and
    /// be finite or a [`Fault`].
    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_;

    /// What is reported at a point: as many numbers as it has coordinates; the point itself unless this says something else.
    fn reported(&self, point: &[f64]) -> Vec<f64> {
        point.to_vec()
    }

    /// Everything that the density follows from, by which the logs of another one are refused. `None`, if nothing is said, stands for
    /// its bits at one point.
    fn description(&self) -> Option<Description> {
        None
    }

    /// What makes results doubtful before anything is drawn, as whole sentences.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
}
