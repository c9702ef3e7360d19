//! Values of all functions of a model at a made-up point.

use costate::emitted::{AdjointCarry, AdjointUpdate, Point, SelectedParameters, Weights};
use costate::model::{Functions, Vector};
use costate::table::Tables;
use costate_contract::Group;
use costate_numerics::scalar::Scalar;

/// Numbers between -1 and 1 that look random, the same for every model with the same seed.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn vector<S: Scalar, V: Vector<S>>(&mut self, length: usize) -> V {
        let mut vector = V::zeros(length);
        for number in vector.as_mut() {
            *number = S::constant(self.next());
            for component in 1..S::COMPONENTS {
                number.set_component(component, self.next());
            }
        }
        vector
    }
}

/// The values of every function, by name.
pub type Values<S> = Vec<(&'static str, Vec<S>)>;

/// Evaluates all functions around these parameters.
pub fn values<M: Functions, S: Scalar>(
    program: M::Program,
    parameters: &[f64],
    tables: &Tables,
    seed: u64,
) -> Values<S> {
    let (mut numbers, lengths) = (Numbers(seed), M::lengths(program));
    let mut own = M::Parameters::<S>::zeros(parameters.len());
    for (to, from) in own.as_mut().iter_mut().zip(parameters) {
        *to = S::constant(from * (1.0 + 0.1 * numbers.next()));
        for component in 1..S::COMPONENTS {
            to.set_component(component, numbers.next());
        }
    }
    let weights = Weights {
        accelerations: 1.1,
        coordinates: 0.013,
        velocities: 0.21,
        step: 0.2,
        previous: 0.1,
        ..Weights::default()
    };
    let constants = M::constants::<S>(program, &own, &weights, tables);
    let (q, v): (M::Coordinates<S>, M::Coordinates<S>) =
        (numbers.vector(lengths.coordinates), numbers.vector(lengths.coordinates));
    let (a, lambda): (M::Coordinates<S>, M::Multipliers<S>) =
        (numbers.vector(lengths.coordinates), numbers.vector(lengths.multipliers));
    let inputs: M::Inputs<S> = numbers.vector(lengths.inputs);
    let at = Point::<M, S> {
        time: S::constant(0.37),
        coordinates: &q,
        velocities: &v,
        accelerations: &a,
        multipliers: &lambda,
        inputs: &inputs,
        constants: &constants,
    };
    let mut all: Values<S> = Vec::new();
    macro_rules! group {
        ($function:ident, $array:ident, $argument:expr) => {{
            let mut out = M::$array::<S>::zeros(lengths.group(Group::$array));
            M::$function($argument, &mut out);
            all.push((stringify!($function), out.as_ref().to_vec()));
        }};
    }
    group!(initial, Initial, &constants);
    group!(initial_derivatives, InitialDerivatives, &constants);
    group!(residual, Residual, &at);
    group!(newton, Newton, &at);
    group!(linearization, Linearization, &at);
    group!(kinematics, Kinematics, &at);
    group!(kinematics_derivatives, KinematicsDerivatives, &at);
    group!(outputs, Outputs, &at);
    group!(output_derivatives, OutputDerivatives, &at);
    group!(input_derivatives, InputDerivatives, &at);
    all.push(("geometry", M::geometry(program, &own, tables)));
    let description = M::description(program);
    let mut lookups = vec![S::default(); lengths.group(Group::Lookups)];
    M::lookups(&at, &mut lookups);
    all.push(("lookups", lookups));
    let mut lookups = vec![S::default(); lengths.group(Group::InitialLookups)];
    M::initial_lookups(&at, &mut lookups);
    all.push(("initial_lookups", lookups));

    let mut adjoint = M::Adjoint::<S>::zeros(lengths.group(Group::Adjoint));
    let mut factors = M::Factors::<S>::zeros(lengths.factors);
    M::adjoint(&at, &mut adjoint, &mut factors);
    all.push(("adjoint", adjoint.as_ref().to_vec()));
    all.push(("factors of adjoint", factors.as_ref().to_vec()));

    let history: M::Coordinates<S> = numbers.vector(lengths.coordinates);
    let mut correction = M::Unknowns::<S>::zeros(lengths.unknowns);
    M::newton_correction(&at, &history, &mut correction, &mut factors);
    all.push(("newton_correction", correction.as_ref().to_vec()));
    all.push(("factors", factors.as_ref().to_vec()));
    M::chord_correction(&at, &history, &mut correction, &factors);
    all.push(("chord_correction", correction.as_ref().to_vec()));
    let mut unknowns: M::Unknowns<S> = numbers.vector(lengths.unknowns);
    M::solve(&constants, &factors, &mut unknowns);
    all.push(("solve", unknowns.as_ref().to_vec()));
    M::solve_transposed(&constants, &factors, &mut unknowns);
    all.push(("solve_transposed", unknowns.as_ref().to_vec()));

    let some: Vec<usize> = (0..parameters.len()).filter(|parameter| parameter % 3 != 1).collect();
    let Ok(selected) = SelectedParameters::of(description, &some) else { return all };
    let output_gradient: M::Outputs<S> = numbers.vector(lengths.outputs);
    let mut carry = AdjointCarry::<M, S>::zeros(program);
    (carry.right, carry.carried) = (numbers.vector(lengths.unknowns), numbers.vector(lengths.coordinates));
    carry.has_history = seed.is_multiple_of(2);
    let mut update = AdjointUpdate::<M, S>::zeros(program);
    let mut gradient: M::Parameters<S> = numbers.vector(lengths.parameters);
    let mut coefficients = M::AdjointCoefficients::<S>::zeros(lengths.adjoint_coefficients);
    M::adjoint_step(
        &at,
        &output_gradient,
        &selected,
        &mut carry,
        &mut update,
        &mut gradient,
        &mut coefficients,
        &mut factors,
    );
    all.push(("carry", carry.right.as_ref().to_vec()));
    all.push(("update.coordinates", update.coordinates.as_ref().to_vec()));
    all.push(("update.velocities", update.velocities.as_ref().to_vec()));
    all.push(("update.unknowns", update.unknowns.as_ref().to_vec()));
    all.push(("gradient", gradient.as_ref().to_vec()));
    all.push(("factors of the adjoint step", factors.as_ref().to_vec()));
    all
}
