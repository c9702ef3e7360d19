//! The terms of a cost, and the change of the cost by rounding of the states.

use costate_system::model::{Block, Functions};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::run::RunStates;

use super::CostTerms;
use crate::rounding::ROUNDINGS;
use crate::run::Forward;
use crate::step::LinearStep;

/// The terms of a cost with the derivatives dJ/ds_i at `run`.
pub fn cost_terms<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
    output_gradient: &Series<f64>,
) -> Result<CostTerms, SimulationError> {
    let mut states = Forward::<M, f64>::new(problem, run)?;
    let mut linear = LinearStep::new(program);
    let constants = states.constants.first();
    let (parameters, weights) = (states.parameters, constants.weights);
    let n = M::lengths(program).coordinates;
    let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let mut terms = CostTerms::default();
    let mut sums = vec![0.0; M::lengths(program).outputs];
    for i in 0..=problem.steps() {
        let state = states.at(i)?;
        let Some(sample) = problem.sample(i) else { continue };
        let of_outputs = output_gradient.row(sample);
        if of_outputs.iter().all(|derivative| *derivative == 0.0) {
            continue;
        }
        linear.load(problem.moment(i), state);
        linear.evaluate_outputs(constants);
        let sizes = [0, 1, 2].map(|k| largest(&state[k * n..(k + 1) * n]));
        let (q, v, a, lambda) = (sizes[0], sizes[1], sizes[2], largest(&state[3 * n..]));
        let noise = q / weights.coordinates + v / weights.velocities + a;
        let of_lambda = if a > 0.0 { lambda * (noise / a) } else { lambda };
        let blocks = &linear.blocks;
        let parts: [(&Block, f64, f64); 4] = [
            (blocks.output_q, q, q),
            (blocks.output_v, v, v + q / weights.velocities),
            (blocks.output_a, a, noise),
            (blocks.output_lambda, lambda, of_lambda),
        ];
        let mut add = |size: &dyn Fn(&(&Block, f64, f64)) -> f64| -> f64 {
            sums.fill(0.0);
            for part in &parts {
                for (row, _, entry) in part.0.iter(linear.outputs()) {
                    sums[row] += entry.abs() * size(part);
                }
            }
            for (row, column, entry) in blocks.output_p.iter(linear.outputs()) {
                sums[row] += (entry * parameters.as_ref()[column]).abs();
            }
            sums.iter().zip(of_outputs).map(|(sum, derivative)| sum * derivative.abs()).sum()
        };
        terms.size += add(&|part| part.1);
        terms.rounding += ROUNDINGS * f64::EPSILON * add(&|part| part.2);
    }
    Ok(terms)
}
