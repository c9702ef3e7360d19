//! The 27 models of the nonlinear regression problems of NIST.

use std::f64::consts::PI;

use super::dual::Dual;

/// A model y = f(b, x).
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// The name of its data set.
    pub name: &'static str,
    /// Number of entries of b.
    pub parameters: usize,
    /// Number of entries of x.
    pub predictors: usize,
    /// True if f is a model of log y.
    pub logarithmic: bool,
    /// f.
    pub function: fn(&[Dual], &[f64]) -> Dual,
}

const fn model(name: &'static str, parameters: usize, function: fn(&[Dual], &[f64]) -> Dual) -> Model {
    Model { name, parameters, predictors: 1, logarithmic: false, function }
}

/// All models, by NIST's levels of difficulty: 8 lower, 11 average, 8 higher.
pub const MODELS: [Model; 27] = [
    model("Misra1a", 2, saturation),
    model("Chwirut2", 3, chwirut),
    model("Chwirut1", 3, chwirut),
    model("Lanczos3", 6, lanczos),
    model("Gauss1", 8, gauss),
    model("Gauss2", 8, gauss),
    model("DanWood", 2, |b, x| b[0] * Dual::constant(x[0]).powd(b[1])),
    model("Misra1b", 2, |b, x| b[0] * (1.0 - (1.0 + b[1] * x[0] / 2.0).powi(-2))),
    model("Kirby2", 5, kirby),
    model("Hahn1", 7, cubics),
    Model { predictors: 2, logarithmic: true, ..model("Nelson", 3, |b, x| b[0] - b[1] * x[0] * (-b[2] * x[1]).exp()) },
    model("MGH17", 5, |b, x| b[0] + b[1] * (-b[3] * x[0]).exp() + b[2] * (-b[4] * x[0]).exp()),
    model("Lanczos1", 6, lanczos),
    model("Lanczos2", 6, lanczos),
    model("Gauss3", 8, gauss),
    model("Misra1c", 2, |b, x| b[0] * (1.0 - 1.0 / (1.0 + 2.0 * b[1] * x[0]).sqrt())),
    model("Misra1d", 2, |b, x| b[0] * b[1] * x[0] / (1.0 + b[1] * x[0])),
    model("Roszman1", 4, |b, x| b[0] - b[1] * x[0] - (b[2] / (x[0] - b[3])).atan() / PI),
    model("ENSO", 9, enso),
    model("MGH09", 4, |b, x| b[0] * (x[0] * x[0] + x[0] * b[1]) / (x[0] * x[0] + x[0] * b[2] + b[3])),
    model("Thurber", 7, cubics),
    model("BoxBOD", 2, saturation),
    model("Rat42", 3, |b, x| b[0] / (1.0 + (b[1] - b[2] * x[0]).exp())),
    model("MGH10", 3, |b, x| b[0] * (b[1] / (x[0] + b[2])).exp()),
    model("Eckerle4", 3, |b, x| b[0] / b[1] * (-0.5 * ((x[0] - b[2]) / b[1]).powi(2)).exp()),
    model("Rat43", 4, |b, x| b[0] / (1.0 + (b[1] - b[2] * x[0]).exp()).powd(1.0 / b[3])),
    model("Bennett5", 3, |b, x| b[0] * (b[1] + x[0]).powd(-1.0 / b[2])),
];

fn saturation(b: &[Dual], x: &[f64]) -> Dual {
    b[0] * (1.0 - (-b[1] * x[0]).exp())
}

fn chwirut(b: &[Dual], x: &[f64]) -> Dual {
    (-b[0] * x[0]).exp() / (b[1] + b[2] * x[0])
}

fn lanczos(b: &[Dual], x: &[f64]) -> Dual {
    b[0] * (-b[1] * x[0]).exp() + b[2] * (-b[3] * x[0]).exp() + b[4] * (-b[5] * x[0]).exp()
}

fn gauss(b: &[Dual], x: &[f64]) -> Dual {
    let peak = |k: usize| b[k] * (-((x[0] - b[k + 1]) / b[k + 2]).powi(2)).exp();
    b[0] * (-b[1] * x[0]).exp() + peak(2) + peak(5)
}

fn kirby(b: &[Dual], x: &[f64]) -> Dual {
    let x = x[0];
    (b[0] + x * (b[1] + x * b[2])) / (1.0 + x * (b[3] + x * b[4]))
}

fn cubics(b: &[Dual], x: &[f64]) -> Dual {
    let x = x[0];
    (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1.0 + x * (b[4] + x * (b[5] + x * b[6])))
}

fn enso(b: &[Dual], x: &[f64]) -> Dual {
    let wave = |period: Dual, cosine: Dual, sine: Dual| {
        let angle = 2.0 * PI * x[0] / period;
        cosine * angle.cos() + sine * angle.sin()
    };
    b[0] + wave(Dual::constant(12.0), b[1], b[2]) + wave(b[3], b[4], b[5]) + wave(b[6], b[7], b[8])
}
