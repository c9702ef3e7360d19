//! The gain of a step for a smoother, and the rank of the distribution through which the smoother goes back.

use nalgebra::DMatrix;

use costate_numerics::linalg::factor::triangularize;
use costate_numerics::scalar::largest::largest;

/// Standard deviation of a state given the other states, relative to its standard deviation, below which it
/// is rounding.
const RANK_TOLERANCE: f64 = 1e-9;

/// The gain K^S (KE 1.49) of the normal distribution of x_{i-1} given x_i, and a factor of its covariance.
#[derive(Debug, Clone)]
pub(super) struct SmoothingGain {
    pub gain: DMatrix<f64>,
    pub factor: DMatrix<f64>,
    /// S-, from which the components along one direction after the other are subtracted.
    rest: DMatrix<f64>,
    /// States in the order of elimination, each with its standard deviation given the states before it.
    order: Vec<(usize, f64)>,
    sizes: Vec<f64>,
    /// States that the step does not change.
    is_constant: Vec<bool>,
    direction: Vec<f64>,
}

impl SmoothingGain {
    /// Returns the number of entries of the matrices for n states; at most `usize::MAX`.
    pub fn numbers(n: usize) -> usize {
        n.saturating_mul(n).saturating_mul(3)
    }

    pub fn new(n: usize) -> Self {
        let zeros = DMatrix::zeros(n, n);
        Self {
            gain: zeros.clone(),
            factor: zeros.clone(),
            rest: zeros,
            order: Vec::with_capacity(n),
            sizes: vec![0.0; n],
            is_constant: vec![false; n],
            direction: vec![0.0; n],
        }
    }

    /// Computes gain and factor from S- and the array [B, S^S] of a prediction, with B = K^S S-: n rows, each
    /// at the beginning of `rows` numbers.
    ///
    /// S- is singular where constraints tie the states together. Constant states are eliminated first, so
    /// that they stay constant in the smoothed course, then the states that are least determined by others,
    /// until only rounding is left; K^S has no entries for the remaining states. The part of B outside of the
    /// rows of S- does not follow from x_i and is added to S^S.
    pub fn take(&mut self, predicted: &DMatrix<f64>, array: &mut [f64], rows: usize) {
        let n = self.sizes.len();
        self.rest.copy_from(predicted);
        for i in 0..n {
            let (row, old) = (self.rest.row(i), &array[i * rows..i * rows + n]);
            self.sizes[i] = row.norm();
            let change = row.iter().zip(old).map(|(new, old)| (new - old).abs());
            self.is_constant[i] = largest(change) <= RANK_TOLERANCE * self.sizes[i];
        }
        self.gain.fill(0.0);
        self.order.clear();
        for step in 0..n {
            let is_open = |i: usize| self.sizes[i] > 0.0 && self.order.iter().all(|&(k, _)| k != i);
            let parts = (0..n).filter(|&i| is_open(i)).map(|i| (i, self.rest.row(i).norm() / self.sizes[i]));
            let order = |i: usize, part: f64| (part > RANK_TOLERANCE, self.is_constant[i]);
            let next = parts.max_by(|a, b| order(a.0, a.1).cmp(&order(b.0, b.1)).then(a.1.total_cmp(&b.1)));
            let Some((i, _)) = next.filter(|&(_, part)| part > RANK_TOLERANCE) else { break };
            let size = self.rest.row(i).norm();
            for (to, from) in self.direction.iter_mut().zip(self.rest.row(i).iter()) {
                *to = from / size;
            }
            self.order.push((i, size));
            for k in 0..n {
                let direction = || self.direction.iter();
                let mut row = self.rest.row_mut(k);
                let component: f64 = row.iter().zip(direction()).map(|(a, b)| a * b).sum();
                row.iter_mut().zip(direction()).for_each(|(x, direction)| *x -= component * direction);
                self.factor[(k, step)] = component;
                let row = &mut array[k * rows..k * rows + n];
                let component: f64 = row.iter().zip(direction()).map(|(a, b)| a * b).sum();
                row.iter_mut().zip(direction()).for_each(|(x, direction)| *x -= component * direction);
                self.gain[(k, i)] = component;
            }
        }
        // K^S L equals the components of B, where L has those of the eliminated rows
        for step in (0..self.order.len()).rev() {
            let (i, size) = self.order[step];
            for k in 0..n {
                let later = self.order[step + 1..].iter();
                let sum: f64 = later.map(|&(j, _)| self.gain[(k, j)] * self.factor[(j, step)]).sum();
                self.gain[(k, i)] = (self.gain[(k, i)] - sum) / size;
            }
        }
        // S^S, or the factor of [rest of B, S^S]; entries beyond the triangle have no meaning
        let is_singular = self.order.len() < n;
        if is_singular {
            for (k, row) in array.chunks_exact_mut(rows).enumerate() {
                row[n + k + 1..].fill(0.0);
            }
            triangularize(array, rows, n);
        }
        let first = if is_singular { 0 } else { n };
        for i in 0..n {
            for k in 0..n {
                self.factor[(i, k)] = if k <= i { array[i * rows + first + k] } else { 0.0 };
            }
        }
    }
}
