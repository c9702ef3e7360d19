//! Residuals to first order, compressed to as many numbers as the variables need.

use std::ops::Range;

use nalgebra::{DMatrix, DMatrixViewMut, DVector};
use serde::{Deserialize, Serialize};

use super::objective::{LinearResiduals, MethodError};
use crate::singular_values::SingularValues;
use crate::tall::tall_factor;

/// r + J d with r and J in scaled variables, as the triangular factor R of J = Q R and the vector Q^T r:
/// |r + J d|^2 = |Q^T r + R d|^2 + constant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Linearized {
    /// R, by rows.
    factor: Vec<f64>,
    /// Q^T r.
    projected: Vec<f64>,
    /// Number of residuals; 0 where they are not as many as the data.
    count: usize,
}

impl Linearized {
    /// Compresses residuals and their derivatives with respect to the parameters; `slopes` are dp/dx. `None`
    /// where a number is not finite.
    pub fn new(residuals: &LinearResiduals, slopes: &[f64]) -> Result<Option<Self>, MethodError> {
        let n = slopes.len();
        residuals.check(n)?;
        let Some(factor) = factor_of(residuals, slopes) else { return Ok(None) };
        let by_rows = factor.view((0, 0), (n, n)).transpose();
        let new = Self {
            factor: by_rows.as_slice().to_vec(),
            projected: factor.view((0, n), (n, 1)).iter().copied().collect(),
            count: residuals.values.len(),
        };
        let finite = new.factor.iter().chain(&new.projected).all(|entry| entry.is_finite());
        Ok(finite.then_some(new))
    }

    /// Forgets the number of residuals.
    pub fn without_count(self) -> Self {
        Self { count: 0, ..self }
    }

    /// Checks whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        self.projected.len() == n && self.factor.len() == n * n
    }

    /// J^T r.
    pub fn gradient(&self) -> Vec<f64> {
        let product = self.matrix().tr_mul(&DVector::from_column_slice(&self.projected));
        product.as_slice().to_vec()
    }

    /// The norms of the columns of J.
    pub fn norms(&self) -> Vec<f64> {
        self.matrix().column_iter().map(|column| column.norm()).collect()
    }

    /// J^T (r + J d), the gradient of 1/2 |r + J d|^2.
    pub fn slopes_at(&self, d: &[f64]) -> Vec<f64> {
        let matrix = self.matrix();
        let residuals = DVector::from_column_slice(&self.projected) + &matrix * DVector::from_column_slice(d);
        matrix.tr_mul(&residuals).as_slice().to_vec()
    }

    /// Returns the columns of the factor of J that belong to the variables `moving`, and Q^T (r + J d).
    pub fn at(&self, moving: &[usize], d: &[f64]) -> (DMatrix<f64>, DVector<f64>) {
        let matrix = self.matrix();
        let residuals = DVector::from_column_slice(&self.projected) + &matrix * DVector::from_column_slice(d);
        (matrix.select_columns(moving), residuals)
    }

    /// The decrease of 1/2 |r + J d|^2 from 0 to `step` d: -(g^T d + 1/2 |J d|^2) with g = J^T r.
    pub fn decrease(&self, step: &[f64]) -> f64 {
        let along = self.matrix() * DVector::from_column_slice(step);
        let residual: f64 = along.iter().zip(&self.projected).map(|(d, r)| d * r).sum();
        -residual - 0.5 * along.norm_squared()
    }

    /// Returns -V f(S) U^T (r + J d) with J_F = U S V^T, where F are the variables `moving` and d is the step of
    /// the others, with zeros for F; `filter` computes f from a singular value and the largest one, 1/s for the
    /// exact inverse. `None` if the decomposition fails.
    pub fn solve(&self, moving: &[usize], d: &[f64], filter: impl Fn(f64, f64) -> f64) -> Option<Vec<f64>> {
        let (matrix, residuals) = self.at(moving, d);
        let parts = SingularValues::of(matrix)?;
        let largest = parts.values.amax();
        let mut components = parts.components(&residuals);
        components.iter_mut().zip(&parts.values).for_each(|(c, &s)| *c *= -filter(s, largest));
        let step = &parts.directions * components;
        step.iter().all(|d| d.is_finite()).then(|| step.as_slice().to_vec())
    }

    /// Estimates the variance of the residuals at this cost, taking the part of the cost that no step can lower
    /// as noise; 0 where there are no more residuals than variables, or their number is not known.
    pub fn variance(&self, cost: f64) -> f64 {
        let lowered: f64 = self.projected.iter().map(|r| r * r).sum();
        match self.count.checked_sub(self.variables()) {
            None | Some(0) => 0.0,
            Some(spare) => (2.0 * cost - lowered).max(0.0) / spare as f64,
        }
    }

    /// J^T J d.
    pub fn times_squares(&self, d: &DVector<f64>) -> DVector<f64> {
        let matrix = self.matrix();
        matrix.tr_mul(&(&matrix * d))
    }

    /// Returns residuals with the same gradient and J^T J + `second` in place of J^T J; `second` is symmetric.
    /// `None` where that sum is not positive definite in variables with these scales.
    pub fn with_curvature(&self, second: &DMatrix<f64>, scales: &[f64]) -> Option<Self> {
        let matrix = self.matrix();
        let mut hessian = matrix.tr_mul(&matrix) + second;
        let n = scales.len();
        for row in 0..n {
            for column in 0..n {
                hessian[(row, column)] /= scales[row] * scales[column];
            }
        }
        let slopes = DVector::from_iterator(n, self.gradient().iter().zip(scales).map(|(g, scale)| g / scale));
        let lower = hessian.cholesky()?.unpack();
        let projected = lower.solve_lower_triangular(&slopes)?;
        let mut factor = lower;
        for (mut row, scale) in factor.row_iter_mut().zip(scales) {
            row *= *scale;
        }
        // the columns of the lower factor are the rows of R
        let new =
            Self { factor: factor.as_slice().to_vec(), projected: projected.as_slice().to_vec(), count: self.count };
        let finite = new.factor.iter().chain(&new.projected).all(|entry| entry.is_finite());
        finite.then_some(new)
    }

    /// |J d|^2.
    pub fn square(&self, d: &[f64]) -> f64 {
        (self.matrix() * DVector::from_column_slice(d)).norm_squared()
    }

    /// Returns the largest cosine between the residuals of this cost and a column of J of a free variable.
    pub fn cosine(&self, cost: f64, is_free: &[bool]) -> f64 {
        let entries = self.gradient().into_iter().zip(self.norms()).zip(is_free);
        let projections = entries.filter(|((_, norm), free)| **free && *norm > 0.0);
        let largest = projections.map(|((slope, norm), _)| slope.abs() / norm).fold(0.0, f64::max);
        let length = (2.0 * cost).sqrt();
        if length > 0.0 { largest / length } else { 0.0 }
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.projected.len()
    }

    fn matrix(&self) -> DMatrix<f64> {
        let n = self.projected.len();
        DMatrix::from_row_slice(n, n, &self.factor)
    }
}

impl LinearResiduals {
    /// Returns residuals with the same sum of squares for all changes of the parameters, in one row more than the
    /// number of parameters that they depend on: the triangular factor of J and r. Returns the residuals
    /// unchanged where they have no more rows than that, or where a number is not finite.
    #[doc(hidden)]
    pub fn compressed(self) -> Self {
        let n = self.derivatives.len();
        let is_used = |k: &usize| self.derivatives[*k].iter().any(|entry| *entry != 0.0);
        let used: Vec<usize> = (0..n).filter(is_used).collect();
        let m = used.len();
        if self.values.len() <= m + 1 {
            return self;
        }
        let mut derivatives = self.derivatives;
        let reduced = used.iter().map(|&k| std::mem::take(&mut derivatives[k])).collect();
        let dense = Self { values: self.values, derivatives: reduced };
        let factor = factor_of(&dense, &vec![1.0; m]);
        let rows = factor.as_ref().map_or(dense.values.len(), |_| m + 1);
        derivatives.iter_mut().for_each(|column| *column = vec![0.0; rows]);
        let Some(factor) = factor else {
            used.into_iter().zip(dense.derivatives).for_each(|(k, column)| derivatives[k] = column);
            return Self { values: dense.values, derivatives };
        };
        let column = |k: usize| factor.column(k).iter().copied().collect();
        used.into_iter().enumerate().for_each(|(place, k)| derivatives[k] = column(place));
        Self { values: column(m), derivatives }
    }
}

/// Returns the triangular factor of J with r as its last column; `None` where a number is not finite.
fn factor_of(residuals: &LinearResiduals, slopes: &[f64]) -> Option<DMatrix<f64>> {
    let columns = || residuals.derivatives.iter().zip(slopes.iter().copied());
    let fill = |rows: Range<usize>, mut matrix: DMatrixViewMut<'_, f64>| {
        let all = columns().chain([(&residuals.values, 1.0)]);
        for (mut entries, (column, slope)) in matrix.column_iter_mut().zip(all) {
            let values = column.get(rows.clone()).unwrap_or_default();
            entries.iter_mut().zip(values).for_each(|(entry, value)| *entry = value * slope);
        }
    };
    tall_factor(residuals.values.len(), slopes.len() + 1, &fill)
}
