//! Accuracy of mean and variance of a random variable from samples, and of a function of random variables by
//! transformations (KE 2.2.1, 2.2.2).

use anyhow::Result;
use costate::filter::{Gaussian, SigmaPoints, Transformation, Transformed, VectorFunction};
use costate::plot::color::{BLUE, GREEN, ORANGE, series};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::number_error;
use nalgebra::{DMatrix, DVector};
use serde::Serialize;

/// Numbers of samples.
const SAMPLES: [usize; 7] = [10, 30, 100, 300, 1000, 3000, 10_000];

/// Variances of the scalar whose mean is 1.
const VARIANCES: [f64; 3] = [0.01, 0.1, 1.0];

/// Product of the first components.
struct Product(usize);

impl VectorFunction for Product {
    fn length(&self) -> usize {
        1
    }

    fn value(&self, x: &[f64], y: &mut [f64]) {
        y[0] = x[..self.0].iter().product();
    }

    fn jacobian(&self, x: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.fill(0.0);
        for k in 0..self.0 {
            matrix[(0, k)] = (0..self.0).filter(|j| *j != k).map(|j| x[j]).product();
        }
    }
}

/// Mean and variance.
type Moments = [f64; 2];

/// Errors in percent of a product of random variables.
#[derive(Debug, Serialize)]
pub struct ProductErrors {
    pub factors: usize,
    pub linearized: Moments,
    pub unscented: Moments,
    /// Average errors of Monte Carlo sampling, for each number of samples.
    pub monte_carlo: Vec<(usize, Moments)>,
}

/// All errors.
#[derive(Debug, Serialize)]
pub struct Transformations {
    /// Errors from samples of a scalar, for each variance.
    pub scalar: Vec<(f64, Vec<(usize, Moments)>)>,
    pub products: Vec<ProductErrors>,
}

/// Computes all errors.
///
/// # Errors
/// A covariance is not positive definite.
pub fn compare() -> Result<Transformations> {
    let scalar = VARIANCES
        .iter()
        .map(|&variance| {
            let x = Gaussian::new(DVector::from_element(1, 1.0), DMatrix::from_element(1, 1, variance))?;
            Ok((variance, sampled(&x, &Product(1), [1.0, variance])?))
        })
        .collect::<Result<_>>()?;
    // KE 2.40
    let x = Gaussian::new(
        DVector::from_column_slice(&[1.0, 2.0, 2.0]),
        DMatrix::from_row_slice(3, 3, &[0.15, 0.15, 0.15, 0.15, 0.3, 0.2, 0.15, 0.2, 0.3]),
    )?;
    let products = [2, 3]
        .into_iter()
        .map(|factors| {
            let h = Product(factors);
            let of = |way: Transformation| Ok::<_, anyhow::Error>(moments(&way.transform(&x, &h)?));
            let truth = of(Transformation::MonteCarlo { samples: 300_000, seed: 0 })?;
            Ok(ProductErrors {
                factors,
                linearized: errors(of(Transformation::Linearized)?, truth)?,
                unscented: errors(of(Transformation::Unscented(SigmaPoints::default()))?, truth)?,
                monte_carlo: sampled(&x, &h, truth)?,
            })
        })
        .collect::<Result<_>>()?;
    Ok(Transformations { scalar, products })
}

fn moments(found: &Transformed) -> Moments {
    [found.mean[0], found.covariance[(0, 0)]]
}

fn errors(found: Moments, truth: Moments) -> Result<Moments> {
    Ok([100.0 * number_error(found[0], truth[0])?, 100.0 * number_error(found[1], truth[1])?])
}

/// Computes the average errors of 30 runs for each number of samples.
fn sampled(x: &Gaussian, h: &Product, truth: Moments) -> Result<Vec<(usize, Moments)>> {
    let runs = 30;
    let of = |samples: usize| {
        let mut mean = [0.0; 2];
        for seed in 1..=runs {
            let found = Transformation::MonteCarlo { samples, seed }.transform(x, h)?;
            let errors = errors(moments(&found), truth)?;
            mean.iter_mut().zip(errors).for_each(|(mean, error)| *mean += error.abs() / runs as f64);
        }
        Ok((samples, mean))
    };
    SAMPLES.iter().map(|&samples| of(samples)).collect()
}

impl Transformations {
    /// Draws KE 2.1 to 2.3.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(2, (480, 300));
        let panel = |title: &str| {
            let axes = (Axis::new("samples").logarithmic(), Axis::new("error").unit("%").logarithmic());
            Panel::new(title, axes.0, axes.1)
        };
        let line = |name: &str, color, errors: &[(usize, Moments)], part: usize| {
            Line::new(name, color, errors.iter().map(|(n, e)| (*n as f64, e[part]))).marked()
        };
        for (part, name) in ["Mean", "Variance"].into_iter().enumerate() {
            let mut scalar = panel(&format!("{name} of samples"));
            for (k, (variance, errors)) in self.scalar.iter().enumerate() {
                scalar = scalar.line(line(&format!("variance {variance}"), series(k), errors, part));
            }
            figure = figure.panel(scalar);
        }
        for product in &self.products {
            for (part, name) in ["Mean", "Variance"].into_iter().enumerate() {
                let ends = [SAMPLES[0] as f64, SAMPLES[SAMPLES.len() - 1] as f64];
                let level = |error: f64| ends.map(|n| (n, error.abs()));
                figure = figure.panel(
                    panel(&format!("{name} of a product of {}", product.factors))
                        .line(line("samples", BLUE, &product.monte_carlo, part))
                        .line(Line::new("linearised", ORANGE, level(product.linearized[part])))
                        .line(Line::new("unscented", GREEN, level(product.unscented[part]))),
                );
            }
        }
        figure
    }
}
