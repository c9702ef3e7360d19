//! Text output of the program.

use costate::experiment::Repetitions;
use serde::Serialize;

use crate::model::SingleMass;
use crate::study::Scan;

/// Compares the switching times found in two ways.
pub fn switching(scan: &Scan) -> String {
    let (extremal, (minimum, cost)) = (&scan.extremal, scan.minimum);
    let t1 = extremal.switching_times.first().copied().unwrap_or(f64::NAN);
    format!(
        "Single mass, omega = 1, T = 2 pi, |u| <= 1: the input that says most of c = omega^2\n\n\
         Newton's method       t1 = {t1:.12} s, J = {:.12}, {} iterations\n\
         minimum of J(t1)      t1 = {minimum:.12} s, J = {cost:.12} (grid, refined)\n\
         difference            {:.1e} s, {:.1e}\n\
         Hamiltonian           constant to {:.1e}; {}\n\
         curvature J''(t1)     {:.6}",
        extremal.cost,
        extremal.iterations,
        (t1 - minimum).abs(),
        (extremal.cost - cost).abs(),
        scan.hamiltonian_change,
        extremal.pontryagin,
        extremal.curvature.unwrap_or(f64::NAN),
    )
}

/// The result that is written to a file.
#[derive(Debug, Serialize)]
pub struct Summary {
    switching_time: f64,
    cost: f64,
    switching_time_of_the_smallest_cost: f64,
    smallest_cost: f64,
    hamiltonian_change: f64,
    satisfies_pontryagins_principle: bool,
    inputs: Vec<InputSummary>,
}

#[derive(Debug, Serialize)]
struct InputSummary {
    name: &'static str,
    repetitions: usize,
    mean: f64,
    standard_deviation: f64,
    bound: f64,
}

impl Summary {
    pub fn new(scan: &Scan, results: &[(&'static str, Repetitions<SingleMass>)]) -> Self {
        let inputs = results.iter().map(|(name, repeated)| InputSummary {
            name,
            repetitions: repeated.estimates().count(),
            mean: repeated.means()[0],
            standard_deviation: repeated.standard_deviations()[0],
            bound: repeated.information().standard_deviations()[0],
        });
        Self {
            switching_time: scan.extremal.switching_times[0],
            cost: scan.extremal.cost,
            switching_time_of_the_smallest_cost: scan.minimum.0,
            smallest_cost: scan.minimum.1,
            hamiltonian_change: scan.hamiltonian_change,
            satisfies_pontryagins_principle: scan.extremal.pontryagin.is_satisfied(),
            inputs: inputs.collect(),
        }
    }
}
