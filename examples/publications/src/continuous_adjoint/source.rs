//! The derivatives of a cost as the adjoint equations take them.

use costate_system::series::Series;

/// dJ/ds as a density over the run and Mayer terms at its ends.
pub(super) struct Source<'a> {
    samples: &'a Series<f64>,
}

impl<'a> Source<'a> {
    pub fn new(samples: &'a Series<f64>) -> Self {
        Self { samples }
    }

    /// Returns dJ/ds_i.
    pub fn row(&self, i: usize) -> &[f64] {
        self.samples.row(i)
    }

    /// Returns h_s at sample i.
    pub fn density(&self, i: usize) -> Vec<f64> {
        let (last, h) = (self.samples.samples() - 1, self.samples.step());
        let inside = |i: usize| self.samples.row(i).iter().map(|derivative| derivative / h);
        if i != 0 && i != last {
            return inside(i).collect();
        }
        if last < 3 {
            return vec![0.0; self.samples.width()];
        }
        let (near, far) = if i == 0 { (1, 2) } else { (last - 1, last - 2) };
        inside(near).zip(inside(far)).map(|(near, far)| 2.0 * near - far).collect()
    }

    /// Returns the part of dJ/ds_i at an end for which the density does not account, by the trapezoidal rule.
    pub fn mayer(&self, i: usize) -> Vec<f64> {
        let half = 0.5 * self.samples.step();
        self.samples.row(i).iter().zip(self.density(i)).map(|(total, density)| total - half * density).collect()
    }
}
