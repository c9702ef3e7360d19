//! The problems without data: systems of equations and polynomials.

use std::f64::consts::PI;

use super::super::dual::Dual;

/// Rosenbrock's valley.
pub fn rosenbrock(x: &[Dual], _: usize) -> Vec<Dual> {
    vec![10.0 * (x[1] - x[0].powi(2)), 1.0 - x[0]]
}

/// The helical valley of Fletcher and Powell.
pub fn helical_valley(x: &[Dual], _: usize) -> Vec<Dual> {
    let turns = if x[0].value == 0.0 {
        // a quarter of a turn, and its derivative along x_1
        let quarter = 0.25_f64.copysign(x[1].value);
        quarter - x[0] / (2.0 * PI * x[1])
    } else {
        let half = if x[0].value < 0.0 { 0.5 } else { 0.0 };
        (x[1] / x[0]).atan() / (2.0 * PI) + half
    };
    let radius = (x[0].powi(2) + x[1].powi(2)).sqrt();
    vec![10.0 * (x[2] - 10.0 * turns), 10.0 * (radius - 1.0), x[2]]
}

/// Powell's function, whose Jacobian is singular at the minimum.
pub fn powell_singular(x: &[Dual], _: usize) -> Vec<Dual> {
    vec![
        x[0] + 10.0 * x[1],
        5.0_f64.sqrt() * (x[2] - x[3]),
        (x[1] - 2.0 * x[2]).powi(2),
        10.0_f64.sqrt() * (x[0] - x[3]).powi(2),
    ]
}

/// The function of Freudenstein and Roth, with a second minimum.
pub fn freudenstein_roth(x: &[Dual], _: usize) -> Vec<Dual> {
    let y = x[1];
    vec![-13.0 + x[0] + ((5.0 - y) * y - 2.0) * y, -29.0 + x[0] + ((y + 1.0) * y - 14.0) * y]
}

/// Watson's function: the coefficients of a polynomial that solves a differential equation.
pub fn watson(x: &[Dual], _: usize) -> Vec<Dual> {
    let equation = |i: usize| {
        let t = i as f64 / 29.0;
        let zero = Dual::constant(0.0);
        // by Horner's rule, the highest power first
        let (value, slope) = x.iter().rev().fold((zero, zero), |(value, slope), c| (value * t + *c, slope * t + value));
        slope - value.powi(2) - 1.0
    };
    let mut residuals: Vec<_> = (1..=29).map(equation).collect();
    residuals.extend([x[0], x[1] - x[0].powi(2) - 1.0]);
    residuals
}

/// Chebyquad: the nodes of a quadrature with equal weights that integrates Chebyshev polynomials.
pub fn chebyquad(x: &[Dual], m: usize) -> Vec<Dual> {
    let n = x.len() as f64;
    let mut sums = vec![Dual::constant(0.0); m];
    for node in x {
        let shifted = 2.0 * *node - 1.0;
        let (mut previous, mut current) = (Dual::constant(1.0), shifted);
        for sum in &mut sums {
            *sum = *sum + current;
            (previous, current) = (current, 2.0 * shifted * current - previous);
        }
    }
    let residual = |(k, sum): (usize, &Dual)| {
        let degree = k as f64 + 1.0;
        let integral = if k % 2 == 1 { -1.0 / (degree * degree - 1.0) } else { 0.0 };
        *sum / n - integral
    };
    sums.iter().enumerate().map(residual).collect()
}

/// Brown's almost-linear function.
pub fn brown_almost_linear(x: &[Dual], _: usize) -> Vec<Dual> {
    let n = x.len();
    let sum = x.iter().fold(Dual::constant(-(n as f64 + 1.0)), |sum, x| sum + *x);
    let product = x.iter().fold(Dual::constant(1.0), |product, x| product * *x);
    let linear = x.iter().take(n.saturating_sub(1)).map(|x| *x + sum);
    linear.chain([product - 1.0]).collect()
}
