//! Runs and gradients of several parameter sets in lanes against those of each set by itself.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::{RunWithCost, gradient_each};
use costate::simulate::{Problem, Series, SimulationError, StoredRun};
use costate::{Model, Output, Parameter, gradient};

/// The start, and the parameters around it: `count` sets that differ in `unknown`.
pub fn sets<M: Model>(model: &M, unknown: &[Parameter<M>], count: usize) -> Vec<M::Values> {
    let vary = |i: usize| {
        let mut parameters = model.parameters();
        for (k, parameter) in unknown.iter().enumerate() {
            parameters.as_mut()[parameter.index()] *= 1.0 + 0.05 * ((i * (k + 2)) as f64).sin();
        }
        parameters
    };
    (0..count).map(vary).collect()
}

/// Least squares of all outputs against wavy records.
pub fn cost<M: Model>(problem: &Problem) -> LeastSquares {
    let h = problem.settings().step;
    let times: Vec<f64> = (0..=problem.steps()).map(|i| i as f64 * h).collect();
    let mut cost = LeastSquares::new(h, times.len(), Quadrature::Rectangle);
    for output in Output::<M>::all() {
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t + output.index() as f64).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0).unwrap();
    }
    cost
}

/// All numbers bit by bit.
pub fn bits(outputs: &Series<f64>) -> Vec<u64> {
    (0..outputs.samples()).flat_map(|i| outputs.row(i).iter().map(|value| value.to_bits())).collect()
}

/// Runs of several sets at once, the derivatives dJ/ds of a cost of each, and its gradients.
pub struct Each {
    /// In the order of the sets.
    pub runs: Vec<StoredRun>,
    /// dJ/ds of every run.
    pub output_gradients: Vec<Series<f64>>,
    /// dJ/dp of every run, by unknown parameter.
    pub gradients: Vec<Result<Vec<f64>, SimulationError>>,
}

/// Simulates all sets and differentiates their cost with respect to the parameters `unknown`.
pub fn each<M: Model>(problem: &Problem, cost: &LeastSquares, sets: &[M::Values], unknown: &[Parameter<M>]) -> Each {
    let mut runs: Vec<_> = problem.run_each(sets).into_iter().map(Result::unwrap).collect();
    let output_gradients: Vec<_> = runs.iter().map(|run| cost.output_gradient(run.outputs())).collect();
    let mut with_costs: Vec<_> = runs
        .iter_mut()
        .zip(&output_gradients)
        .map(|(run, output_gradient)| RunWithCost { run, output_gradient })
        .collect();
    let gradients = gradient_each(problem, &mut with_costs, unknown);
    Each { runs, output_gradients, gradients }
}

/// Trajectory, outputs, cost and gradient of every set agree with those of its own run, and no set changes another.
pub fn check<M: Model>(problem: &Problem, model: &M, unknown: &[Parameter<M>], tolerance: f64) {
    let sets = sets(model, unknown, 6);
    let cost = cost::<M>(problem);
    let Each { mut runs, output_gradients, gradients } = each(problem, &cost, &sets, unknown);
    for ((parameters, run), (output_gradient, found)) in
        sets.iter().zip(&mut runs).zip(output_gradients.iter().zip(&gradients))
    {
        // one sweep over the same states: only its own rounding differs, which the scale 1/(beta h^2) makes 1e-12 to
        // 2e-11
        let expected = gradient(problem, &mut *run, output_gradient, unknown).unwrap();
        for (a, b) in found.as_ref().unwrap().iter().zip(&expected) {
            assert!((a - b).abs() <= 3e-11 * b.abs(), "{found:?} {expected:?}");
        }
        let single = problem.run(parameters.as_ref()).unwrap();
        let (own, other) = (run.trajectory().unwrap(), single.trajectory().unwrap());
        let n = own.coordinates(0).len();
        for part in [0..n, n..2 * n, 2 * n..3 * n, 3 * n..own.stored(0).len()] {
            let (mut largest, mut difference) = (0f64, 0f64);
            for i in 0..=problem.steps() {
                for (a, b) in own.stored(i)[part.clone()].iter().zip(&other.stored(i)[part.clone()]) {
                    largest = largest.max(b.abs());
                    difference = difference.max((a - b).abs());
                }
            }
            assert!(difference <= tolerance * largest, "{part:?}: {difference:e} of {largest:e}");
        }
        let statistics = (run.statistics(), single.statistics());
        assert_eq!(statistics.0.steps, statistics.1.steps);
        assert!(
            statistics.0.iterations.abs_diff(statistics.1.iterations) * 100 <= statistics.1.iterations,
            "{statistics:?}"
        );
        let (a, b) = (cost.value(run.outputs()), cost.value(single.outputs()));
        assert!((a - b).abs() <= tolerance * b, "{a} {b}");
    }
    // whatever the neighbours and the place
    let order = [4, 1, 5];
    let chosen: Vec<_> = order.iter().map(|&i| sets[i].clone()).collect();
    let mut again: Vec<_> = problem.run_each(&chosen).into_iter().map(Result::unwrap).collect();
    let mut with_costs: Vec<_> = again
        .iter_mut()
        .zip(order)
        .map(|(run, i)| RunWithCost { run, output_gradient: &output_gradients[i] })
        .collect();
    let again_gradients = gradient_each(problem, &mut with_costs, unknown);
    for (place, i) in order.into_iter().enumerate() {
        assert_eq!(bits(again[place].outputs()), bits(runs[i].outputs()));
        assert_eq!(again_gradients[place].as_ref().unwrap(), gradients[i].as_ref().unwrap());
    }
}
