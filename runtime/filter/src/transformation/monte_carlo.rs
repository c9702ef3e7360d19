//! The Monte Carlo transformation, KE (1.30) to (1.33).

use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

use costate_numerics::scalar::out_of_range::require;

use super::{Factored, Transformed, VectorFunction};
use costate_system::state_space::FilterError;

pub(super) fn transform(
    x: &Factored<'_>,
    h: &impl VectorFunction,
    samples: usize,
    seed: u64,
) -> Result<Transformed, FilterError> {
    let (n, rows) = (x.mean.len(), h.length());
    require("samples", samples as f64, samples >= 2, "2 or more")?;
    let mut generator = SmallRng::seed_from_u64(seed);
    let (mut point, mut value) = (DVector::zeros(n), DVector::zeros(rows));
    let mut normal = DVector::zeros(n);
    let mut origin: Option<DVector<f64>> = None;
    let mut sum = DVector::zeros(rows);
    let mut squares = DMatrix::zeros(rows, rows);
    let mut products = DMatrix::zeros(n, rows);
    let mut point_sum = DVector::zeros(n);
    for _ in 0..samples {
        normal.iter_mut().for_each(|entry| *entry = StandardNormal.sample(&mut generator));
        point.gemv(1.0, x.factor, &normal, 0.0);
        let deviation = point.clone();
        point.iter_mut().zip(x.mean).for_each(|(entry, mean)| *entry += mean);
        h.value(point.as_slice(), value.as_mut_slice());
        // One pass, around the first value.
        let origin = origin.get_or_insert_with(|| value.clone());
        value -= &*origin;
        sum += &value;
        point_sum += &deviation;
        squares.ger(1.0, &value, &value, 1.0);
        products.ger(1.0, &deviation, &value, 1.0);
    }
    let (count, degrees) = (samples as f64, (samples - 1) as f64);
    let shift = &sum / count;
    squares.ger(-count, &shift, &shift, 1.0);
    // The deviations of X are those from its given mean (KE 1.33).
    products.ger(-1.0, &point_sum, &shift, 1.0);
    let mean = origin.unwrap_or_else(|| DVector::zeros(rows)) + shift;
    Ok(Transformed { mean, covariance: squares / degrees, cross_covariance: products / degrees })
}
