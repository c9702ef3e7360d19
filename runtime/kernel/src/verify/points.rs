//! Points at which derivatives are checked.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use costate_numerics::scalar::{Vector, array};
use costate_system::model::{Functions, Model};
use costate_system::table::Tables;

use crate::step::State;

/// A state, an input and parameters at which derivatives are checked.
#[derive(Debug, Clone)]
pub struct CheckPoint<M: Functions> {
    /// The parts of an interpreted model.
    pub program: M::Program,
    /// Time in s.
    pub time: f64,
    /// q, v, a and lambda; they need not satisfy the equations of motion.
    pub state: State<M, f64>,
    /// u
    pub inputs: M::Inputs<f64>,
    /// p
    pub parameters: M::Parameters<f64>,
    /// The data of the tables; those of tables without data in the model have to be given.
    pub tables: Tables,
}

/// `count` random points around the model's own parameters: each parameter changed by up to 20 %, everything else
/// between -1 and 1.
pub fn random_points<M: Model>(model: &M, count: usize, seed: u64) -> Vec<CheckPoint<M::Functions>> {
    random_points_of(M::program(), model.parameters().as_ref(), count, seed)
}

/// Returns points like [`random_points`], for a program of a model and the values of its parameters.
#[doc(hidden)]
pub fn random_points_of<M: Functions>(
    program: M::Program,
    values: &[f64],
    count: usize,
    seed: u64,
) -> Vec<CheckPoint<M>> {
    let lengths = M::lengths(program);
    let mut random = SmallRng::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut fill = |values: &mut [f64]| values.fill_with(|| random.random_range(-1.0..1.0));
            let mut state = State::<M, f64>::zeros_of(program);
            fill(state.coordinates.as_mut());
            fill(state.velocities.as_mut());
            fill(state.accelerations.as_mut());
            fill(state.multipliers.as_mut());
            let mut inputs = M::Inputs::<f64>::zeros(lengths.inputs);
            fill(inputs.as_mut());
            let mut changes = M::Parameters::<f64>::zeros(lengths.parameters);
            fill(changes.as_mut());
            let mut parameters: M::Parameters<f64> = array(values);
            for (parameter, change) in parameters.as_mut().iter_mut().zip(changes.as_ref()) {
                *parameter *= 1.0 + 0.2 * change;
            }
            let (time, tables) = (random.random_range(0.0..1.0), M::own_tables(program));
            CheckPoint { program, time, state, inputs, parameters, tables }
        })
        .collect()
}
