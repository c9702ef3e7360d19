//! The comparison of formulas that come close to some points.

use nalgebra::{DMatrix, DVector};

use costate_numerics::scalar::{Dual, Scalar};

use super::error::FormulaError;
use super::fitted::{Coefficient, FittedFormula};
use super::kind::{Formula, MAX_POWER, Role};

/// Number of values of a coefficient that are tried before the search is refined around the best one.
const TRIED_VALUES: usize = 32;

/// Misfit, relative to the values, that is rounding.
const MISFIT_ROUNDING: f64 = 1e-12;

/// Points that a formula is to follow.
struct Points<'p> {
    x: &'p [f64],
    values: &'p [f64],
    /// One over the standard deviation of each.
    weights: Vec<f64>,
    has_deviations: bool,
}

/// Fits formulas to points with these arguments and values, and returns them with their coefficients, the
/// most probable one first by Bayes' criterion. Squares of distances are divided by those of the
/// `deviations`, if there are some; else all points count equally, and the misfit of the best formula
/// estimates their scatter. A formula with as many coefficients as there are points is left out.
///
/// Points of one spline are not independent of each other: with more knots than the data distinguish, the
/// criterion favours longer formulas than there is evidence for.
///
/// # Errors
/// [`FormulaError`].
pub fn formulas(
    x: &[f64],
    values: &[f64],
    deviations: Option<&[f64]>,
    candidates: &[Formula],
) -> Result<Vec<FittedFormula>, FormulaError> {
    check(x, values, deviations)?;
    for formula in candidates {
        let least = usize::from(matches!(formula, Formula::OddPolynomial(_)));
        if formula.degree().is_some_and(|degree| !(least..=MAX_POWER).contains(&degree)) {
            return Err(FormulaError::Degree { formula: *formula, least, most: MAX_POWER });
        }
    }
    let weights = match deviations {
        Some(deviations) => deviations.iter().map(|deviation| 1.0 / deviation).collect(),
        None => vec![1.0; x.len()],
    };
    let points = Points { x, values, weights, has_deviations: deviations.is_some() };
    let count = |formula: &Formula| formula.coefficients().len();
    let shortest = candidates.iter().map(count).min().ok_or(FormulaError::NoFormula)?;
    if x.len() <= shortest {
        return Err(FormulaError::TooFewPoints { points: x.len(), coefficients: shortest });
    }
    let possible = candidates.iter().filter(|formula| count(formula) < x.len());
    let mut all: Vec<FittedFormula> = possible.map(|formula| points.fitted(*formula)).collect();
    all.sort_by(|a, b| a.bic.total_cmp(&b.bic));
    Ok(all)
}

fn check(x: &[f64], values: &[f64], deviations: Option<&[f64]>) -> Result<(), FormulaError> {
    let of_deviations = deviations.map_or(x.len(), <[f64]>::len);
    if values.len() != x.len() || of_deviations != x.len() {
        let (arguments, values) = (x.len(), values.len());
        return Err(FormulaError::Lengths { arguments, values, deviations: of_deviations });
    }
    for (field, numbers) in [("argument", x), ("value", values)] {
        if let Some(point) = numbers.iter().position(|number| !number.is_finite()) {
            let value = numbers[point];
            return Err(FormulaError::Point { point, field, value, limit: "finite" });
        }
    }
    let deviations = deviations.unwrap_or_default();
    match deviations.iter().position(|deviation| !(*deviation > 0.0 && deviation.is_finite())) {
        None => Ok(()),
        Some(point) => Err(FormulaError::Point {
            point,
            field: "standard deviation",
            value: deviations[point],
            limit: "finite and above 0",
        }),
    }
}

/// The search range of a coefficient that is no factor; in logarithms for widths and exponents.
#[derive(Clone, Copy)]
struct Search {
    role: Role,
    from: f64,
    to: f64,
}

impl Search {
    fn of(role: Role, x: &[f64]) -> Self {
        let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs())).max(f64::MIN_POSITIVE);
        let (from, to) = match role {
            Role::Factor | Role::Place => {
                x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), x| (from.min(*x), to.max(*x)))
            }
            Role::Width => ((1e-3 * largest).ln(), (2.0 * largest).ln()),
            Role::Exponent => (0.1f64.ln(), 10.0f64.ln()),
        };
        Self { role, from, to }
    }

    fn number(self, place: f64) -> f64 {
        let place = place.clamp(self.from, self.to);
        if self.role == Role::Place { place } else { place.exp() }
    }

    /// Returns the middle of one of the places that are tried first.
    fn place(self, k: usize) -> f64 {
        self.from + (self.to - self.from) * (k as f64 + 0.5) / TRIED_VALUES as f64
    }

    fn distance(self) -> f64 {
        (self.to - self.from) / TRIED_VALUES as f64
    }
}

/// Returns all neighbours of a place on a grid.
fn directions(count: usize) -> Vec<Vec<f64>> {
    let digits = |number: usize| (0..count).map(move |k| (number / 3usize.pow(k as u32) % 3) as f64 - 1.0).collect();
    let all = (0..3usize.pow(count as u32)).map(digits);
    all.filter(|direction: &Vec<f64>| direction.iter().any(|along| *along != 0.0)).collect()
}

impl Points<'_> {
    fn fitted(&self, formula: Formula) -> FittedFormula {
        let names = formula.coefficients();
        let searches: Vec<Search> =
            names.iter().filter(|(_, role)| *role != Role::Factor).map(|(_, role)| Search::of(*role, self.x)).collect();
        let others = self.closest(formula, &searches);
        let (factors, _) = self.factors(formula, &others);
        let coefficients = [factors, others].concat();
        let left: Vec<f64> =
            self.x.iter().zip(self.values).map(|(x, value)| formula.value(*x, &coefficients) - value).collect();
        let (points, unknown) = (self.x.len() as f64, coefficients.len() as f64);
        let mean_square = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|n| n * n).sum::<f64>() / points;
        let misfit = mean_square(&mut left.iter().copied()).sqrt();
        let weighted = mean_square(&mut left.iter().zip(&self.weights).map(|(left, weight)| left * weight));
        let size = mean_square(&mut self.values.iter().copied()).sqrt().max(f64::MIN_POSITIVE);
        // a misfit at the level of rounding carries no information
        let scatter = weighted.max((MISFIT_ROUNDING * size).powi(2));
        let (squares, unit) = match self.has_deviations {
            true => (points * weighted, 1.0),
            false => (points * scatter.ln(), (scatter * points / (points - unknown)).sqrt()),
        };
        let deviations = self.deviations(formula, &coefficients);
        let named = names.into_iter().zip(coefficients).zip(deviations);
        FittedFormula {
            formula,
            coefficients: named
                .map(|(((name, _), value), deviation)| Coefficient {
                    name,
                    value,
                    standard_deviation: unit * deviation,
                })
                .collect(),
            bic: squares + unknown * points.ln(),
            misfit,
            misfit_in_deviations: self.has_deviations.then(|| weighted.sqrt()),
        }
    }

    /// Returns the coefficients that are no factors: the best of many places, refined step by step.
    fn closest(&self, formula: Formula, searches: &[Search]) -> Vec<f64> {
        /// Number of times that the distance of these values is halved.
        const MAX_HALVINGS: usize = 40;
        let numbers = |places: &[f64]| -> Vec<f64> {
            searches.iter().zip(places).map(|(search, place)| search.number(*place)).collect()
        };
        let left = |places: &[f64]| self.factors(formula, &numbers(places)).1;
        let mut best: Vec<f64> = searches.iter().map(|search| search.place(0)).collect();
        let mut least = left(&best);
        for combination in 0..TRIED_VALUES.pow(searches.len() as u32) {
            let digit = |k: usize| combination / TRIED_VALUES.pow(k as u32) % TRIED_VALUES;
            let places: Vec<f64> = searches.iter().enumerate().map(|(k, s)| s.place(digit(k))).collect();
            let found = left(&places);
            if found < least {
                (best, least) = (places, found);
            }
        }
        let distances: Vec<f64> = searches.iter().map(|search| 0.5 * search.distance()).collect();
        let directions = directions(searches.len());
        let (mut part, mut halvings) = (1.0, 0);
        while halvings < MAX_HALVINGS && !directions.is_empty() {
            let before = least;
            for direction in &directions {
                let steps = distances.iter().zip(direction).map(|(distance, along)| part * distance * along);
                let places: Vec<f64> = best.iter().zip(steps).map(|(place, step)| place + step).collect();
                let found = left(&places);
                if found < least {
                    (best, least) = (places, found);
                }
            }
            // while the misfit improves noticeably, the search continues at this distance
            if least >= before * (1.0 - MISFIT_ROUNDING) {
                part *= 0.5;
                halvings += 1;
            }
        }
        numbers(&best)
    }

    /// Returns the factors for these other coefficients, and the sum of the squared misfits.
    fn factors(&self, formula: Formula, others: &[f64]) -> (Vec<f64>, f64) {
        /// Singular values below this fraction of the largest one are zero.
        const RANK_TOLERANCE: f64 = 1e-12;
        let count = formula.factors();
        let mut terms = DMatrix::zeros(self.x.len(), count);
        for (row, (x, weight)) in self.x.iter().zip(&self.weights).enumerate() {
            for (column, term) in formula.terms(*x, others).into_iter().enumerate() {
                terms[(row, column)] = term * weight;
            }
        }
        let values = self.values.iter().zip(&self.weights).map(|(value, weight)| value * weight);
        let values = DVector::from_iterator(self.x.len(), values);
        let scales: Vec<f64> = terms.column_iter().map(|c| c.norm().max(f64::MIN_POSITIVE)).collect();
        for (mut column, scale) in terms.column_iter_mut().zip(&scales) {
            column /= *scale;
        }
        let svd = terms.clone().svd(true, true);
        let Ok(found) = svd.solve(&values, RANK_TOLERANCE) else { return (vec![0.0; count], f64::INFINITY) };
        let left = (&terms * &found - values).norm_squared();
        (found.iter().zip(&scales).map(|(found, scale)| found / scale).collect(), left)
    }

    /// Returns standard deviations of the coefficients; infinite where the points do not determine them.
    fn deviations(&self, formula: Formula, coefficients: &[f64]) -> Vec<f64> {
        let count = coefficients.len();
        let mut derivatives = DMatrix::zeros(self.x.len(), count);
        for column in 0..count {
            let mut varied: Vec<Dual> = coefficients.iter().map(|c| Scalar::constant(*c)).collect();
            varied[column] = Dual::variable(coefficients[column]);
            for (row, (x, weight)) in self.x.iter().zip(&self.weights).enumerate() {
                derivatives[(row, column)] = formula.value(*x, &varied).derivative * weight;
            }
        }
        let scales: Vec<f64> = derivatives.column_iter().map(|column| column.norm()).collect();
        for (mut column, scale) in derivatives.column_iter_mut().zip(&scales) {
            column /= scale.max(f64::MIN_POSITIVE);
        }
        let normal = derivatives.tr_mul(&derivatives);
        match normal.cholesky().map(|factor| factor.inverse()) {
            Some(inverse) => {
                let variance = |k: usize| inverse[(k, k)].max(0.0).sqrt() / scales[k];
                (0..count).map(variance).collect()
            }
            None => vec![f64::INFINITY; count],
        }
    }
}
