//! Unknowns with bounds as functions of coordinates without.

/// The function by which an unknown x follows from a coordinate y, which may be any number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Transform {
    /// x = y.
    Free,
    /// x = lower + exp(y).
    Above { lower: f64 },
    /// x = upper - exp(y).
    Below { upper: f64 },
    /// x between the bounds, by the logistic function of y.
    Between { lower: f64, upper: f64 },
}

impl Transform {
    /// For an unknown with these bounds, infinite if there are none.
    pub fn within(lower: f64, upper: f64) -> Self {
        match (lower.is_finite(), upper.is_finite()) {
            (false, false) => Self::Free,
            (true, false) => Self::Above { lower },
            (false, true) => Self::Below { upper },
            (true, true) => Self::Between { lower, upper },
        }
    }

    /// x.
    pub fn value(self, y: f64) -> f64 {
        match self {
            Self::Free => y,
            Self::Above { lower } => lower + y.exp(),
            Self::Below { upper } => upper - y.exp(),
            Self::Between { lower, upper } => (lower + (upper - lower) * logistic(y)).clamp(lower, upper),
        }
    }

    /// dx/dy.
    pub fn slope(self, y: f64) -> f64 {
        match self {
            Self::Free => 1.0,
            Self::Above { .. } => y.exp(),
            Self::Below { .. } => -y.exp(),
            Self::Between { lower, upper } => (upper - lower) * logistic(y) * logistic(-y),
        }
    }

    /// ln |dx/dy|, which a density of x becomes one of y with, and its derivative by y.
    pub fn log_slope(self, y: f64) -> (f64, f64) {
        match self {
            Self::Free => (0.0, 0.0),
            Self::Above { .. } | Self::Below { .. } => (y, 1.0),
            Self::Between { lower, upper } => {
                let tails = -y.abs() - 2.0 * (-y.abs()).exp().ln_1p();
                ((upper - lower).ln() + tails, logistic(-y) - logistic(y))
            }
        }
    }

    /// y of an unknown, which is moved inside of its bounds by at most a thousandth of a `typical` change where it is
    /// on one.
    pub fn coordinate(self, x: f64, typical: f64) -> f64 {
        let least = 1e-3 * typical;
        match self {
            Self::Free => x,
            Self::Above { lower } => (x - lower).max(least).ln(),
            Self::Below { upper } => (upper - x).max(least).ln(),
            Self::Between { lower, upper } => {
                let least = least.min(1e-3 * (upper - lower));
                ((x - lower).max(least) / (upper - x).max(least)).ln()
            }
        }
    }
}

fn logistic(y: f64) -> f64 {
    match y >= 0.0 {
        true => 1.0 / (1.0 + (-y).exp()),
        false => y.exp() / (1.0 + y.exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives_and_coordinates_come_back() {
        let all = [(f64::NEG_INFINITY, f64::INFINITY), (2.0, f64::INFINITY), (f64::NEG_INFINITY, 5.0), (2.0, 5.0)];
        for (lower, upper) in all {
            let transform = Transform::within(lower, upper);
            for y in [-3.0, -0.2, 0.0, 1.3, 4.0] {
                let h = 1e-6;
                let slope = (transform.value(y + h) - transform.value(y - h)) / (2.0 * h);
                let (log, by_y) = transform.log_slope(y);
                assert!((slope / transform.slope(y) - 1.0).abs() < 1e-7, "{transform:?} at {y}");
                assert!((log - transform.slope(y).abs().ln()).abs() < 1e-12, "{transform:?} at {y}");
                let change = (transform.log_slope(y + h).0 - transform.log_slope(y - h).0) / (2.0 * h);
                assert!((change - by_y).abs() < 1e-7, "{transform:?} at {y}");
                assert!((transform.coordinate(transform.value(y), 1e-9) - y).abs() < 1e-9, "{transform:?} at {y}");
            }
        }
    }

    #[test]
    fn the_tails_of_bounds_have_finite_logarithms() {
        let between = Transform::within(-1.0, 1.0);
        for y in [-800.0, 800.0] {
            assert!(between.log_slope(y).0.is_finite());
            assert!((-1.0..=1.0).contains(&between.value(y)));
        }
    }
}
