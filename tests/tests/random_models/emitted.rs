//! Results of the emitted functions of a model.

use costate::Model;
use costate::emitted::{Block, Point, Weights};
use costate::model::CompiledModel;
use costate::model::Vector;
use costate::table::Tables;
use costate_contract::Group;
use costate_random_models::evaluate::Numbers;

/// Returns layout and array of every group of emitted functions.
pub fn groups<M: CompiledModel>(
    numbers: &Numbers<f64>,
    weights: &Weights,
    tables: &Tables,
) -> Vec<(Group, &'static [Block], Vec<f64>)> {
    let constants = M::constants::<f64>((), &vector(&numbers.parameters), weights, tables);
    let (coordinates, velocities) = (vector(&numbers.coordinates), vector(&numbers.velocities));
    let (accelerations, multipliers) = (vector(&numbers.accelerations), vector(&numbers.multipliers));
    let inputs = vector(&numbers.inputs);
    let at = Point::<M, f64> {
        time: numbers.time,
        coordinates: &coordinates,
        velocities: &velocities,
        accelerations: &accelerations,
        multipliers: &multipliers,
        inputs: &inputs,
        constants: &constants,
    };
    macro_rules! group {
        ($function:ident, $array:ident, $argument:expr) => {{
            let mut out = M::$array::<f64>::zeros(M::lengths(()).group(Group::$array));
            M::$function($argument, &mut out);
            (Group::$array, <M as Model>::description().groups.of(Group::$array), out.as_ref().to_vec())
        }};
    }
    let (mut adjoint, mut factors) = (
        M::Adjoint::<f64>::zeros(M::lengths(()).group(Group::Adjoint)),
        M::Factors::<f64>::zeros(M::lengths(()).factors),
    );
    M::adjoint(&at, &mut adjoint, &mut factors);
    vec![
        group!(initial, Initial, &constants),
        group!(initial_derivatives, InitialDerivatives, &constants),
        group!(residual, Residual, &at),
        group!(newton, Newton, &at),
        (Group::Adjoint, <M as Model>::description().groups.adjoint, adjoint.as_ref().to_vec()),
        group!(linearization, Linearization, &at),
        group!(kinematics, Kinematics, &at),
        group!(kinematics_derivatives, KinematicsDerivatives, &at),
        group!(outputs, Outputs, &at),
        group!(output_derivatives, OutputDerivatives, &at),
        group!(input_derivatives, InputDerivatives, &at),
    ]
}

fn vector<V: Vector<f64>>(values: &[f64]) -> V {
    let mut vector = V::zeros(values.len());
    vector.as_mut().copy_from_slice(values);
    vector
}
