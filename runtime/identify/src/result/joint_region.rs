//! Confidence regions of two unknowns.

use serde::Serialize;

use super::summary::{FitSummary, FittedParameter};
use crate::definition::error::{IdentificationError, RequestError};

/// An ellipse that covers the true values of two unknowns with a given probability, by the covariance of the fit and
/// the F distribution (Seber, Wild, Nonlinear Regression, section 5.2). Where a model is not linear in the unknowns
/// within the ellipse, [profiles](crate::Fit::profiles) show how far the ellipse can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointRegion {
    /// The names of the unknowns.
    pub names: [String; 2],
    /// Units of the unknowns.
    pub units: [&'static str; 2],
    /// The probability with which the region covers both values.
    pub level: f64,
    /// The found values.
    pub centre: [f64; 2],
    /// Half of the width and half of the height: the largest distance from the centre in each unknown.
    pub extent: [f64; 2],
    /// The correlation of the unknowns.
    pub correlation: f64,
}

impl JointRegion {
    /// Returns `points` points along the boundary, each with values of both unknowns.
    pub fn boundary(&self, points: usize) -> Vec<[f64; 2]> {
        let Self { centre, extent, correlation, .. } = self;
        let rest = (1.0 - correlation * correlation).max(0.0).sqrt();
        let at = |point: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * point as f64 / points as f64).sin_cos();
            let second = correlation * cosine + rest * sine;
            [centre[0] + extent[0] * cosine, centre[1] + extent[1] * second]
        };
        (0..points).map(at).collect()
    }

    /// Returns true if the values of both unknowns are within the region.
    pub fn contains(&self, values: [f64; 2]) -> bool {
        let Self { centre, extent, correlation, .. } = self;
        let [x, y] = [0, 1].map(|k| (values[k] - centre[k]) / extent[k]);
        let rest = 1.0 - correlation * correlation;
        x * x - 2.0 * correlation * x * y + y * y <= rest
    }
}

impl FitSummary {
    /// Returns the region of two unknowns, by their names, that covers the true values with the probability `level`.
    ///
    /// # Errors
    /// [`RequestError::UnknownName`], [`RequestError::Level`]; [`RequestError::NoRegion`] for an unknown that is
    /// not determined, or that is named twice.
    pub fn joint_region(&self, first: &str, second: &str, level: f64) -> Result<JointRegion, IdentificationError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(RequestError::Level { level }.into());
        }
        let (a, b) = (self.number_of(first)?, self.number_of(second)?);
        let correlation = self.correlation[a][b];
        let of_both = [&self.parameters[a], &self.parameters[b]];
        let deviations = of_both.map(|fitted| fitted.standard_deviation);
        if a == b || !correlation.is_finite() || deviations.iter().any(|deviation| !deviation.is_finite()) {
            return Err(RequestError::NoRegion { first: first.to_owned(), second: second.to_owned() }.into());
        }
        let scale = (2.0 * f_quantile_of_two(level, self.degrees_of_freedom)).sqrt();
        Ok(JointRegion {
            names: of_both.map(|fitted| fitted.name.clone()),
            units: of_both.map(|fitted| fitted.unit),
            level,
            centre: of_both.map(|fitted| fitted.found),
            extent: deviations.map(|deviation| scale * deviation),
            correlation,
        })
    }

    fn number_of(&self, name: &str) -> Result<usize, RequestError> {
        let is_it = |fitted: &FittedParameter| fitted.name == name;
        self.parameters.iter().position(is_it).ok_or_else(|| RequestError::UnknownName {
            name: name.to_owned(),
            unknowns: self.parameters.iter().map(|fitted| fitted.name.clone()).collect(),
        })
    }
}

/// Returns the quantile of the F distribution with 2 and `freedom` degrees of freedom, in closed form.
fn f_quantile_of_two(level: f64, freedom: f64) -> f64 {
    let logarithm = (-level).ln_1p();
    0.5 * freedom * (-2.0 * logarithm / freedom).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (level, freedom, wanted) in
            [(0.95, 10.0, 4.102821), (0.95, 2.0, 19.0), (0.99, 30.0, 5.390346), (0.95, 1e9, 2.995732)]
        {
            let found = f_quantile_of_two(level, freedom);
            assert!((found / wanted - 1.0).abs() < 1e-6, "{level} {freedom}: {found}");
        }
    }

    #[test]
    fn the_boundary_is_where_values_are_just_within() {
        let region = JointRegion {
            names: ["a".to_owned(), "b".to_owned()],
            units: ["1", "1"],
            level: 0.9,
            centre: [3.0, -1.0],
            extent: [0.5, 20.0],
            correlation: -0.8,
        };
        let boundary = region.boundary(64);
        for [a, b] in &boundary {
            let at = |part: f64| [3.0 + part * (a - 3.0), -1.0 + part * (b + 1.0)];
            assert!(region.contains(at(0.999)) && !region.contains(at(1.001)));
        }
        let widest = boundary.iter().map(|[_, b]| (b + 1.0).abs()).fold(0.0, f64::max);
        assert!(widest <= 20.0 && widest > 19.9);
    }
}
