//! The posterior of an identification.

use std::fmt;

use costate::Output;
use costate::identify::{DensityUnknown, Fit, Identification, JointDensity, Prior};
use costate::optimize::Failure;
use costate_ensemble::Description;

use crate::density::{Fault, LogDensity};
use crate::error::PosteriorError;
use crate::sampler::Sampler;
use crate::samples::Samples;
use crate::transform::Transform;

/// The posterior of the unknowns of an identification.
///
/// Errors of measurement are independent and normal, or coloured by a given noise. A standard deviation that no
/// measurement gives is an unknown itself. Without a [prior](Identification::prior) an unknown is uniform within its
/// bounds, in its own unit; with logarithmic scaling, which is that of positive unknowns unless something else is said,
/// it is positive. The sampler sees unknowns with bounds as functions of coordinates without (logarithm, logit), so
/// that none is ever left.
///
/// Steps are those of the identification; adaptive ones are those of its start for all draws.
pub struct Posterior {
    density: JointDensity,
    transforms: Vec<Transform>,
    /// In the coordinates of the sampler.
    centre: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    dispersion: f64,
}

impl fmt::Debug for Posterior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Posterior")
            .field("density", &self.density)
            .field("centre", &self.centre)
            .field("dispersion", &self.dispersion)
            .finish_non_exhaustive()
    }
}

impl Posterior {
    /// The posterior of an identification; chains begin about its start values. See [`from_fit`](Self::from_fit).
    ///
    /// # Errors
    /// [`SpecificationError::NoPosterior`](costate::identify::SpecificationError::NoPosterior) for what has no
    /// probability, and those of [`Identification::density`].
    pub fn of<M>(identification: Identification<M>) -> Result<Self, PosteriorError> {
        let density = identification.density()?;
        let unknowns = density.unknowns();
        let transforms: Vec<Transform> =
            unknowns.iter().map(|unknown| Transform::within(unknown.lower, unknown.upper)).collect();
        let start: Vec<f64> = unknowns.iter().map(|unknown| unknown.start).collect();
        let centre = coordinates(unknowns, &transforms, &start);
        let deviations = default_deviations(unknowns, &transforms, &centre);
        let covariance = diagonal(&deviations);
        Ok(Self { density, transforms, centre, covariance, dispersion: 1.0 })
    }

    /// Says what is known beforehand of the standard deviation of an output, wherever it is unknown; it is uniform in
    /// its logarithm otherwise.
    ///
    /// # Errors
    /// [`PosteriorError::Identification`] where it is not unknown.
    pub fn deviation_prior<M>(self, output: Output<M>, prior: Prior) -> Result<Self, PosteriorError> {
        Ok(Self { density: self.density.deviation_prior(output, prior)?, ..self })
    }

    /// Chains begin about a fit of the same unknowns, scattered by twice its standard deviations, in coordinates in
    /// which its covariance is that of independent unknowns: a warm-up then has little to find. The draws do not depend
    /// on it otherwise.
    ///
    /// # Errors
    /// [`PosteriorError::OtherFit`] for a fit without one of the unknowns; [`PosteriorError::Identification`] where its
    /// simulation fails.
    pub fn from_fit<M>(self, fit: &Fit<M>) -> Result<Self, PosteriorError> {
        /// Chains begin so many standard deviations of a fit about it.
        const DISPERSION: f64 = 2.0;
        let samples = self.density.samples_of_deviations();
        let unknowns = self.density.unknowns();
        let fitted = unknowns.len() - samples.len();
        let summary = fit.summary();
        let place = |unknown: &DensityUnknown| {
            let place = summary.parameters.iter().position(|parameter| parameter.name == unknown.name);
            place.ok_or_else(|| PosteriorError::OtherFit { unknown: unknown.name.clone() })
        };
        let places: Vec<usize> = unknowns.iter().take(fitted).map(place).collect::<Result<_, _>>()?;
        let mut found: Vec<f64> = places.iter().map(|&place| summary.parameters[place].found).collect();
        found.extend(self.density.deviations_at(&found)?);
        let centre = coordinates(unknowns, &self.transforms, &found);
        let slopes: Vec<f64> = self.transforms.iter().zip(&centre).map(|(transform, y)| transform.slope(*y)).collect();
        let mut deviations = default_deviations(unknowns, &self.transforms, &centre);
        // of the logarithm of a standard deviation
        for (deviation, samples) in deviations.iter_mut().skip(fitted).zip(&samples) {
            *deviation = (0.5 / samples).sqrt();
        }
        let mut covariance = diagonal(&deviations);
        for (row, &a) in places.iter().enumerate() {
            for (column, &b) in places.iter().enumerate() {
                let entry = summary.covariance[a][b] / (slopes[row] * slopes[column]);
                let is_known = summary.covariance[a][a].is_finite() && summary.covariance[b][b].is_finite();
                if is_known && entry.is_finite() {
                    covariance[row][column] = entry;
                }
            }
        }
        symmetric(&mut covariance);
        Ok(Self { centre, covariance: positive(covariance), dispersion: DISPERSION, ..self })
    }

    /// Draws. The settings [`around`](Sampler::around) and [`dispersion`](Sampler::dispersion) of the sampler are those
    /// of the posterior.
    ///
    /// # Errors
    /// [`PosteriorError::Sampling`].
    pub fn sample(&self, sampler: &Sampler<'_>) -> Result<Samples, PosteriorError> {
        let sampler = sampler.clone().around(self.centre.clone(), self.covariance.clone());
        Ok(sampler.dispersion(self.dispersion).sample(self)?)
    }

    /// The unknowns, in the order of every draw.
    pub fn unknowns(&self) -> &[DensityUnknown] {
        self.density.unknowns()
    }
}

impl LogDensity for Posterior {
    fn names(&self) -> Vec<String> {
        self.density.unknowns().iter().map(|unknown| unknown.name.clone()).collect()
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        let mut evaluator = self.density.evaluator();
        move |point, gradient| {
            let value = evaluator.evaluate(&self.reported(point), gradient).map_err(|failure| match failure {
                Failure::Here(error) => Fault::Here(with_causes(&error)),
                Failure::Stop(error) => Fault::Stop(with_causes(&error)),
            })?;
            let mut sum = value;
            for ((transform, y), derivative) in self.transforms.iter().zip(point).zip(gradient) {
                let (log_slope, by_y) = transform.log_slope(*y);
                sum += log_slope;
                *derivative = *derivative * transform.slope(*y) + by_y;
            }
            Ok(sum)
        }
    }

    fn reported(&self, point: &[f64]) -> Vec<f64> {
        self.transforms.iter().zip(point).map(|(transform, y)| transform.value(*y)).collect()
    }

    fn description(&self) -> Option<Description> {
        Some(self.density.description())
    }

    fn doubts(&self) -> Vec<String> {
        let is_open = |unknown: &&DensityUnknown| {
            let is_bounded = unknown.lower.is_finite() && unknown.upper.is_finite();
            !unknown.has_prior && !is_bounded
        };
        let open: Vec<String> =
            self.unknowns().iter().filter(is_open).map(|unknown| format!("`{}`", unknown.name)).collect();
        match open.is_empty() {
            true => Vec::new(),
            false => vec![format!(
                "{} have neither a prior nor two finite bounds: where the data do not limit them the posterior cannot \
                     be normalised; give bounds or priors",
                open.join(", ")
            )],
        }
    }
}

/// The coordinates of unknowns.
fn coordinates(unknowns: &[DensityUnknown], transforms: &[Transform], values: &[f64]) -> Vec<f64> {
    let of_unknown = |((unknown, transform), value): ((&DensityUnknown, &Transform), &f64)| {
        transform.coordinate(*value, unknown.typical)
    };
    unknowns.iter().zip(transforms).zip(values).map(of_unknown).collect()
}

/// Guesses of the standard deviations of the posterior, in coordinates.
fn default_deviations(unknowns: &[DensityUnknown], transforms: &[Transform], centre: &[f64]) -> Vec<f64> {
    /// Without a fit, the width of a posterior as a part of the typical change of an unknown.
    const RELATIVE_WIDTH: f64 = 0.1;
    let of_unknown = |((unknown, transform), y): ((&DensityUnknown, &Transform), &f64)| {
        let deviation = RELATIVE_WIDTH * unknown.typical / transform.slope(*y).abs();
        // no more than where the logistic function bends
        let most = if *transform == Transform::Free { f64::MAX } else { 1.0 };
        if deviation.is_finite() && deviation > 0.0 { deviation.min(most) } else { most.min(1.0) }
    };
    unknowns.iter().zip(transforms).zip(centre).map(of_unknown).collect()
}

fn diagonal(deviations: &[f64]) -> Vec<Vec<f64>> {
    let count = deviations.len();
    let row = |(index, deviation): (usize, &f64)| {
        let mut row = vec![0.0; count];
        row[index] = deviation * deviation;
        row
    };
    deviations.iter().enumerate().map(row).collect()
}

/// Both halves the same, without rounding.
fn symmetric(matrix: &mut [Vec<f64>]) {
    let other: Vec<Vec<f64>> = matrix.to_vec();
    for (row, entries) in matrix.iter_mut().enumerate() {
        for (column, entry) in entries.iter_mut().enumerate() {
            *entry = 0.5 * (*entry + other[column][row]);
        }
    }
}

/// The matrix where it is positive definite, else its diagonal.
fn positive(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let dense = nalgebra::DMatrix::from_fn(count, count, |row, column| matrix[row][column]);
    match nalgebra::Cholesky::new(dense) {
        Some(_) => matrix,
        None => {
            let deviations: Vec<f64> = (0..count).map(|k| matrix[k][k].sqrt()).collect();
            let usable = |deviation: &f64| if *deviation > 0.0 { *deviation } else { 1.0 };
            diagonal(&deviations.iter().map(usable).collect::<Vec<_>>())
        }
    }
}

/// An error with its causes in a line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
