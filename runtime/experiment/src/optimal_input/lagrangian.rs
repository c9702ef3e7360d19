//! The augmented Lagrangian of equalities c = 0 and inequalities g <= 0 (Nocedal, Wright, Numerical Optimization, 2nd
//! ed., section 17.3; Rockafellar's form of inequalities): J + sum(lambda c + mu/2 c^2) + sum(max(0, nu + mu g)^2 -
//! nu^2)/(2 mu).

use serde::{Deserialize, Serialize};

/// Multipliers and penalty of the augmented Lagrangian.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Lagrangian {
    /// lambda
    equalities: Vec<f64>,
    /// nu >= 0
    inequalities: Vec<f64>,
    penalty: f64,
    /// The largest violation of the previous round; `None` in the first one.
    violation: Option<f64>,
}

impl Lagrangian {
    /// Creates a Lagrangian with multipliers of zero.
    pub fn new(equalities: usize, inequalities: usize) -> Self {
        /// The penalty at the start. Cost and constraints are scaled to sizes of about 1.
        const FIRST_PENALTY: f64 = 10.0;
        Self {
            equalities: vec![0.0; equalities],
            inequalities: vec![0.0; inequalities],
            penalty: FIRST_PENALTY,
            violation: None,
        }
    }

    /// Returns true if there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.equalities.is_empty() && self.inequalities.is_empty()
    }

    /// Returns true if the numbers of multipliers are the same.
    pub fn fits(&self, other: &Self) -> bool {
        self.equalities.len() == other.equalities.len() && self.inequalities.len() == other.inequalities.len()
    }

    /// Returns the terms that are added to the cost.
    pub fn value(&self, c: &[f64], g: &[f64]) -> f64 {
        let equalities = self.equalities.iter().zip(c).map(|(lambda, c)| lambda * c + 0.5 * self.penalty * c * c);
        let active = self.inequalities.iter().zip(g).map(|(nu, g)| {
            let shifted = (nu + self.penalty * g).max(0.0);
            (shifted * shifted - nu * nu) / (2.0 * self.penalty)
        });
        equalities.sum::<f64>() + active.sum::<f64>()
    }

    /// Returns the derivatives of the added terms with respect to c.
    pub fn of_equalities(&self, c: &[f64]) -> Vec<f64> {
        self.equalities.iter().zip(c).map(|(lambda, c)| lambda + self.penalty * c).collect()
    }

    /// Returns the derivatives of the added terms with respect to g.
    pub fn of_inequalities(&self, g: &[f64]) -> Vec<f64> {
        self.inequalities.iter().zip(g).map(|(nu, g)| (nu + self.penalty * g).max(0.0)).collect()
    }

    /// Returns the largest violation.
    pub fn violation(c: &[f64], g: &[f64]) -> f64 {
        let equalities = c.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        g.iter().fold(equalities, |most, g| most.max(*g))
    }

    /// Updates the multipliers after a minimisation that ended with these values, and increases the penalty if
    /// violations have not decreased enough.
    pub fn update(&mut self, c: &[f64], g: &[f64]) {
        /// Largest penalty: a larger one would only make the minimisation hard, and multipliers have the same effect.
        const MAX_PENALTY: f64 = 1e6;
        /// Largest ratio of violations at which they count as much smaller.
        const MAX_VIOLATION_RATIO: f64 = 0.25;
        /// Factor of the penalty after a round that has not made the violations much smaller.
        const PENALTY_GROWTH: f64 = 10.0;
        self.equalities = self.of_equalities(c);
        self.inequalities = self.of_inequalities(g);
        let violation = Self::violation(c, g);
        if self.violation.is_some_and(|before| violation > MAX_VIOLATION_RATIO * before) {
            self.penalty = (PENALTY_GROWTH * self.penalty).min(MAX_PENALTY);
        }
        self.violation = Some(violation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minimises (x - 3)^2 + (y - 2)^2 with x + y = 1 and x <= 1/2; the minimum is at (1/2, 1/2).
    #[test]
    fn multipliers_are_found() {
        let mut lagrangian = Lagrangian::new(1, 1);
        let (mut x, mut y) = (0.0_f64, 0.0_f64);
        for _ in 0..12 {
            for _ in 0..4000 {
                let (c, g) = (x + y - 1.0, x - 0.5);
                let (of_c, of_g) = (lagrangian.of_equalities(&[c])[0], lagrangian.of_inequalities(&[g])[0]);
                let (dx, dy) = (2.0 * (x - 3.0) + of_c + of_g, 2.0 * (y - 2.0) + of_c);
                let length = 1.0 / (2.0 + 3.0 * lagrangian.penalty);
                x -= length * dx;
                y -= length * dy;
            }
            lagrangian.update(&[x + y - 1.0], &[x - 0.5]);
        }
        assert!((x - 0.5).abs() < 1e-8 && (y - 0.5).abs() < 1e-8, "{x} {y}");
        // the gradient (-5, -3) is balanced by lambda (1, 1) + nu (1, 0)
        assert!((lagrangian.equalities[0] - 3.0).abs() < 1e-6, "{lagrangian:?}");
        assert!((lagrangian.inequalities[0] - 2.0).abs() < 1e-6, "{lagrangian:?}");
    }
}
