//! The least-squares problems of More, Garbow and Hillstrom, Testing unconstrained optimization software, ACM TOMS 7
//! (1981), pp. 17-41, in the sizes and from the multiples of their starts with which MINPACK is tested.

pub mod curves;
pub mod linear;
pub mod systems;

use super::dual::Dual;
use super::residuals::Residuals;
use curves::{bard, box_three, brown_dennis, jennrich_sampson, kowalik_osborne, meyer, osborne_one, osborne_two};
use linear::{full_rank, rank_one, rank_one_with_zeros};
use systems::{brown_almost_linear, chebyquad, freudenstein_roth, helical_valley, powell_singular, rosenbrock, watson};

/// A problem and its known minima.
#[derive(Debug)]
pub struct MghProblem {
    /// Name of the problem, with its size where there are several.
    pub name: &'static str,
    /// The standard start.
    pub start: Vec<f64>,
    /// Factors by which the standard start is multiplied.
    pub factors: &'static [f64],
    /// The known minima of the sum of squares, the global one first. Some are approached only at infinity.
    pub minima: Vec<f64>,
    /// The residuals.
    pub residuals: Residuals,
}

impl MghProblem {
    /// The standard start times a factor; a start of zeros is replaced by the factor itself.
    pub fn start_times(&self, factor: f64) -> Vec<f64> {
        if factor == 1.0 {
            self.start.clone()
        } else if self.start.iter().all(|x| *x == 0.0) {
            vec![factor; self.start.len()]
        } else {
            self.start.iter().map(|x| factor * x).collect()
        }
    }
}

const ONCE: &[f64] = &[1.0];
const TWICE: &[f64] = &[1.0, 10.0];
const THRICE: &[f64] = &[1.0, 10.0, 100.0];

type Function = fn(&[Dual], usize) -> Vec<Dual>;

fn problem(
    name: &'static str,
    (function, m): (Function, usize),
    start: &[f64],
    factors: &'static [f64],
    minima: &[f64],
) -> MghProblem {
    let residuals = Residuals::new(move |x| function(x, m));
    MghProblem { name, start: start.to_vec(), factors, minima: minima.to_vec(), residuals }
}

/// Returns all problems, in the order of MINPACK.
pub fn problems() -> Vec<MghProblem> {
    let one = |m: f64| [m * (m - 1.0) / (2.0 * (2.0 * m + 1.0))];
    let zeros = |m: f64| [(m * m + 3.0 * m - 6.0) / (2.0 * (2.0 * m - 3.0))];
    let nodes = |n: usize| -> Vec<f64> { (1..=n).map(|j| j as f64 / (n as f64 + 1.0)).collect() };
    vec![
        problem("linear, full rank, m = 10", (full_rank, 10), &[1.0; 5], ONCE, &[5.0]),
        problem("linear, full rank, m = 50", (full_rank, 50), &[1.0; 5], ONCE, &[45.0]),
        problem("linear, rank 1, m = 10", (rank_one, 10), &[1.0; 5], ONCE, &one(10.0)),
        problem("linear, rank 1, m = 50", (rank_one, 50), &[1.0; 5], ONCE, &one(50.0)),
        problem("linear, rank 1, zeros, m = 10", (rank_one_with_zeros, 10), &[1.0; 5], ONCE, &zeros(10.0)),
        problem("linear, rank 1, zeros, m = 50", (rank_one_with_zeros, 50), &[1.0; 5], ONCE, &zeros(50.0)),
        problem("Rosenbrock", (rosenbrock, 2), &[-1.2, 1.0], THRICE, &[0.0]),
        problem("helical valley", (helical_valley, 3), &[-1.0, 0.0, 0.0], THRICE, &[0.0]),
        problem("Powell singular", (powell_singular, 4), &[3.0, -1.0, 0.0, 1.0], THRICE, &[0.0]),
        problem("Freudenstein and Roth", (freudenstein_roth, 2), &[0.5, -2.0], THRICE, &[0.0, 48.984_253_679_24]),
        problem("Bard", (bard, 15), &[1.0; 3], THRICE, &[8.214_88e-3, 17.428_69]),
        problem(
            "Kowalik and Osborne",
            (kowalik_osborne, 11),
            &[0.25, 0.39, 0.415, 0.39],
            THRICE,
            &[3.075_056e-4, 1.027_34e-3],
        ),
        problem("Meyer", (meyer, 16), &[0.02, 4000.0, 250.0], TWICE, &[87.945_855]),
        problem("Watson, n = 6", (watson, 31), &[0.0; 6], THRICE, &[2.287_670e-3]),
        problem("Watson, n = 9", (watson, 31), &[0.0; 9], THRICE, &[1.399_760e-6]),
        problem("Watson, n = 12", (watson, 31), &[0.0; 12], THRICE, &[4.722_381e-10]),
        problem("Box 3-d", (box_three, 10), &[0.0, 10.0, 20.0], ONCE, &[0.0]),
        problem("Jennrich and Sampson", (jennrich_sampson, 10), &[0.3, 0.4], ONCE, &[124.362_182]),
        problem("Brown and Dennis", (brown_dennis, 20), &[25.0, 5.0, -5.0, -1.0], THRICE, &[85_822.2]),
        problem("Chebyquad, n = 1, m = 8", (chebyquad, 8), &nodes(1), THRICE, &[3.550_390, 3.557_894]),
        problem("Chebyquad, n = 8", (chebyquad, 8), &nodes(8), ONCE, &[3.516_874e-3]),
        problem("Chebyquad, n = 9", (chebyquad, 9), &nodes(9), ONCE, &[0.0]),
        problem("Chebyquad, n = 10", (chebyquad, 10), &nodes(10), ONCE, &[4.772_714e-3, 6.503_950e-3]),
        problem("Brown almost-linear, n = 10", (brown_almost_linear, 10), &[0.5; 10], THRICE, &[0.0, 1.0]),
        problem("Brown almost-linear, n = 30", (brown_almost_linear, 30), &[0.5; 30], ONCE, &[0.0, 1.0]),
        problem("Brown almost-linear, n = 40", (brown_almost_linear, 40), &[0.5; 40], ONCE, &[0.0, 1.0]),
        problem("Osborne 1", (osborne_one, 33), &[0.5, 1.5, -1.0, 0.01, 0.02], ONCE, &[5.464_895e-5]),
        problem(
            "Osborne 2",
            (osborne_two, 65),
            &[1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5],
            ONCE,
            &[4.013_774e-2, 1.789_81],
        ),
    ]
}
