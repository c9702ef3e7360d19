//! The problems that fit curves.

use super::super::dual::Dual;

const BARD: [f64; 15] = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39];

/// Bard's function.
pub fn bard(x: &[Dual], _: usize) -> Vec<Dual> {
    let residual = |(k, y): (usize, &f64)| {
        let u = k as f64 + 1.0;
        let v = 16.0 - u;
        *y - (x[0] + u / (v * x[1] + u.min(v) * x[2]))
    };
    BARD.iter().enumerate().map(residual).collect()
}

/// u and y.
const KOWALIK_OSBORNE: [(f64, f64); 11] = [
    (4.0, 0.1957),
    (2.0, 0.1947),
    (1.0, 0.1735),
    (0.5, 0.16),
    (0.25, 0.0844),
    (0.167, 0.0627),
    (0.125, 0.0456),
    (0.1, 0.0342),
    (0.0833, 0.0323),
    (0.0714, 0.0235),
    (0.0625, 0.0246),
];

/// The function of Kowalik and Osborne.
pub fn kowalik_osborne(x: &[Dual], _: usize) -> Vec<Dual> {
    let residual = |&(u, y): &(f64, f64)| y - x[0] * u * (u + x[1]) / (u * (u + x[2]) + x[3]);
    KOWALIK_OSBORNE.iter().map(residual).collect()
}

const MEYER: [f64; 16] = [
    34780.0, 28610.0, 23650.0, 19630.0, 16370.0, 13720.0, 11540.0, 9744.0, 8261.0, 7030.0, 6005.0, 5147.0, 4427.0,
    3820.0, 3307.0, 2872.0,
];

/// Meyer's function.
pub fn meyer(x: &[Dual], _: usize) -> Vec<Dual> {
    let residual = |(k, y): (usize, &f64)| x[0] * (x[1] / (50.0 + 5.0 * k as f64 + x[2])).exp() - *y;
    MEYER.iter().enumerate().map(residual).collect()
}

/// Box's function of three exponentials.
pub fn box_three(x: &[Dual], m: usize) -> Vec<Dual> {
    let residual = |i: usize| {
        let t = i as f64 / 10.0;
        (-t * x[0]).exp() - (-t * x[1]).exp() + ((-10.0 * t).exp() - (-t).exp()) * x[2]
    };
    (1..=m).map(residual).collect()
}

/// The function of Jennrich and Sampson.
pub fn jennrich_sampson(x: &[Dual], m: usize) -> Vec<Dual> {
    let residual = |i: usize| {
        let t = i as f64;
        2.0 + 2.0 * t - (t * x[0]).exp() - (t * x[1]).exp()
    };
    (1..=m).map(residual).collect()
}

/// The function of Brown and Dennis.
pub fn brown_dennis(x: &[Dual], m: usize) -> Vec<Dual> {
    let residual = |i: usize| {
        let t = i as f64 / 5.0;
        (x[0] + t * x[1] - t.exp()).powi(2) + (x[2] + t.sin() * x[3] - t.cos()).powi(2)
    };
    (1..=m).map(residual).collect()
}

const OSBORNE_ONE: [f64; 33] = [
    0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.85, 0.818, 0.784, 0.751, 0.718, 0.685, 0.658, 0.628, 0.603,
    0.58, 0.558, 0.538, 0.522, 0.506, 0.49, 0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.42, 0.414, 0.411, 0.406,
];

/// Osborne's first function: two exponentials.
pub fn osborne_one(x: &[Dual], _: usize) -> Vec<Dual> {
    let residual = |(k, y): (usize, &f64)| {
        let t = 10.0 * k as f64;
        *y - (x[0] + x[1] * (-t * x[3]).exp() + x[2] * (-t * x[4]).exp())
    };
    OSBORNE_ONE.iter().enumerate().map(residual).collect()
}

const OSBORNE_TWO: [f64; 65] = [
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608, 0.655, 0.616, 0.606,
    0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661, 0.612, 0.558, 0.533, 0.495, 0.5, 0.423,
    0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668,
    0.645, 0.632, 0.591, 0.559, 0.597, 0.625, 0.739, 0.71, 0.729, 0.72, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098,
    0.054,
];

/// Osborne's second function: an exponential and three peaks.
pub fn osborne_two(x: &[Dual], _: usize) -> Vec<Dual> {
    let residual = |(k, y): (usize, &f64)| {
        let t = k as f64 / 10.0;
        let peak = |k: usize| x[k] * (-x[k + 4] * (t - x[k + 7]).powi(2)).exp();
        *y - (x[0] * (-t * x[4]).exp() + peak(1) + peak(2) + peak(3))
    };
    OSBORNE_TWO.iter().enumerate().map(residual).collect()
}
