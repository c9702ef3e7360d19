//! The unscented transformation, KE (1.38) to (1.42).

use nalgebra::{DMatrix, DVector};

use super::{Factored, SigmaPoints, Transformed, VectorFunction};
use costate_system::state_space::FilterError;

pub(super) fn transform(
    x: &Factored<'_>,
    h: &impl VectorFunction,
    points: SigmaPoints,
) -> Result<Transformed, FilterError> {
    let (n, rows) = (x.mean.len(), h.length());
    let factor = x.factor;
    let weights = points.weights(n)?;
    let mut values = DMatrix::zeros(rows, 2 * n + 1);
    let mut point = DVector::zeros(n);
    for k in 0..=2 * n {
        point.copy_from_slice(x.mean);
        if k > 0 {
            let sign = if k <= n { -weights.spread } else { weights.spread };
            point.axpy(sign, &factor.column((k - 1) % n), 1.0);
        }
        h.value(point.as_slice(), &mut values.as_mut_slice()[k * rows..(k + 1) * rows]);
    }
    // Around the central value: the sum of large weights of both signs loses nothing then.
    let central = values.column(0).into_owned();
    for mut column in values.column_iter_mut() {
        column -= &central;
    }
    let shift: DVector<f64> = values.column_sum() * weights.other;
    let mut covariance = DMatrix::zeros(rows, rows);
    let mut cross_covariance = DMatrix::zeros(n, rows);
    for k in 0..=2 * n {
        let weight = if k == 0 { weights.central_covariance } else { weights.other };
        let deviation = values.column(k) - &shift;
        covariance.ger(weight, &deviation, &deviation, 1.0);
        if k > 0 {
            let sign = if k <= n { -weights.spread } else { weights.spread };
            cross_covariance.ger(weight * sign, &factor.column((k - 1) % n), &deviation, 1.0);
        }
    }
    Ok(Transformed { mean: central + shift, covariance, cross_covariance })
}
