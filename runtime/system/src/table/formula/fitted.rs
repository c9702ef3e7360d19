//! A formula with its coefficients.

use std::fmt;

use serde::Serialize;

use super::kind::Formula;

/// A coefficient of a formula.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Coefficient {
    /// Name of the coefficient, as in the formula's documentation.
    pub name: String,
    /// Value of the coefficient, in units of argument and value.
    pub value: f64,
    /// Standard deviation of the coefficient.
    pub standard_deviation: f64,
}

/// A formula with the coefficients that come closest to some points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedFormula {
    /// The formula.
    pub formula: Formula,
    /// Coefficients of the formula.
    pub coefficients: Vec<Coefficient>,
    /// Bayes' information criterion: the formula with the smaller one is more probable, by a factor of
    /// exp(-difference/2).
    pub bic: f64,
    /// Root mean square of the misfit, in the unit of the values.
    pub misfit: f64,
    /// Root mean square of the misfit in units of the points' standard deviations; about 1 for a correct
    /// formula, `None` if no deviations were given.
    pub misfit_in_deviations: Option<f64>,
}

impl FittedFormula {
    /// Evaluates the formula at `x`.
    pub fn value(&self, x: f64) -> f64 {
        let coefficients: Vec<f64> = self.coefficients.iter().map(|coefficient| coefficient.value).collect();
        self.formula.value(x, &coefficients)
    }

    /// Returns true if the misfit is at most twice the points' standard deviations; `None` where no
    /// deviations were given.
    pub fn explains_points(&self) -> Option<bool> {
        self.misfit_in_deviations.map(|misfit| misfit <= 2.0)
    }

    /// Returns the formula in the language of models, for the expression `argument`, with the units of
    /// argument and value: `1[N]*(30.2*u + 9.9*tanh(u/0.1))` with `value(dot(x), m/s)` in the place of u.
    pub fn text(&self, argument: &str, [of_argument, of_value]: [&str; 2]) -> String {
        let u = format!("value({argument}, {of_argument})");
        let sum = self.sum(&u);
        format!("1[{of_value}]*({sum})")
    }

    fn sum(&self, u: &str) -> String {
        let at = |k: usize| self.coefficients.get(k).map_or(0.0, |coefficient| coefficient.value);
        let (first, others) = (at(0), self.formula.factors());
        let names = self.formula.coefficients();
        let power = |name: &str| name.trim_start_matches("a_").parse().unwrap_or(0);
        let mut terms: Vec<(f64, String)> = Vec::new();
        match self.formula {
            Formula::Polynomial(_) | Formula::OddPolynomial(_) => {
                for (k, (name, _)) in names.iter().enumerate() {
                    terms.push((at(k), of_power(u, power(name))));
                }
            }
            Formula::SmoothFriction => {
                terms.extend([(first, String::new()), (at(1), u.to_owned())]);
                terms.push((at(2), format!("tanh({u}/{})", number(at(others)))));
            }
            Formula::Stribeck => {
                let step = format!("tanh({u}/{})", number(at(others)));
                terms.extend([(first, u.to_owned()), (at(1), step.clone())]);
                terms.push((at(2), format!("exp(-({u}/{})^2)*{step}", number(at(others + 1)))));
            }
            Formula::Bilinear => {
                terms.extend([(first, String::new()), (at(1), u.to_owned())]);
                terms.push((at(2), format!("max({}, 0)", shifted(u, -at(others)))));
            }
            Formula::Play => {
                let play = at(others);
                terms.push((first, u.to_owned()));
                let beyond = format!("(max({}, 0) + min({}, 0))", shifted(u, -play), shifted(u, play));
                terms.push((at(1), beyond));
            }
            Formula::Power => {
                terms.push((first, String::new()));
                terms.push((at(1), format!("sign({u})*abs({u})^{}", number(at(others)))));
            }
        }
        let mut text = String::new();
        for (factor, term) in terms {
            let sign = match (text.is_empty(), factor < 0.0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += sign;
            text += &number(factor.abs());
            if !term.is_empty() {
                text += &format!("*{term}");
            }
        }
        text
    }
}

fn of_power(u: &str, power: usize) -> String {
    match power {
        0 => String::new(),
        1 => u.to_owned(),
        power => format!("{u}^{power}"),
    }
}

fn shifted(u: &str, by: f64) -> String {
    format!("{u} {} {}", if by < 0.0 { '-' } else { '+' }, number(by.abs()))
}

/// Formats a number with the fewest digits that give the same bits.
fn number(value: f64) -> String {
    let (plain, scientific) = (format!("{value}"), format!("{value:e}"));
    if plain.len() <= scientific.len() + 2 { plain } else { scientific }
}

impl fmt::Display for FittedFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.formula)?;
        for (k, coefficient) in self.coefficients.iter().enumerate() {
            let separator = if k == 0 { "" } else { ", " };
            let Coefficient { name, value, standard_deviation } = coefficient;
            write!(f, "{separator}{name} = {value:.4e} +- {standard_deviation:.1e}")?;
        }
        write!(f, "; rms residual {:.2e}", self.misfit)?;
        if let Some(misfit) = self.misfit_in_deviations.filter(|_| self.explains_points() == Some(false)) {
            write!(f, ", {misfit:.1} times the standard deviations of the points")?;
        }
        Ok(())
    }
}
