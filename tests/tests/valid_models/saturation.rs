//! Derivatives of functions that saturate keep their digits.
#![deny(warnings, missing_docs, dead_code)]

use costate::Model;
use costate::emitted::{Argument, Function, Point, Weights};
use costate::model::{Dual, Functions, Scalar, Vector};
use costate::verify::random_points;
use costate_tests::hyper_dual::HyperDual;

costate::model! {
    /// A bar that bends less and less.
    pub Saturating {
        parameters { slope: 1/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        outputs { bend: 1 = tanh(slope*x), rate: 1/s = dot(tanh(slope*x)) }
    }
}

/// The outputs' derivatives by x, as they are emitted, at `x` with the rate 1.
fn emitted(x: f64) -> [f64; 2] {
    let mut point = random_points(&Saturating::default(), 1, 0).remove(0);
    point.state.coordinates = [x];
    point.state.velocities = [1.0];
    let constants = Saturating::constants((), &[1.0], &Weights::default(), &point.tables);
    let at: Point<'_, Saturating, f64> = Point {
        time: point.time,
        coordinates: &point.state.coordinates,
        velocities: &point.state.velocities,
        accelerations: &point.state.accelerations,
        multipliers: &point.state.multipliers,
        inputs: &point.inputs,
        constants: &constants,
    };
    let mut out = <Saturating as Functions>::OutputDerivatives::zeros(2);
    Saturating::output_derivatives(&at, &mut out);
    let blocks = <Saturating as Model>::description().groups.output_derivatives;
    let by_x = (Function::Output, Some(Argument::Coordinates));
    let block = blocks.iter().find(|block| (block.function, block.argument) == by_x).unwrap();
    let mut derivatives = [0.0; 2];
    for ((row, _), value) in block.entries.iter().zip(&out.as_ref()[block.offset..]) {
        derivatives[*row as usize] = *value;
    }
    derivatives
}

/// 1/cosh^2 and its derivative, without cancellation and overflow.
fn exact(x: f64) -> [f64; 2] {
    let slope = 4.0 / (f64::exp(x) + f64::exp(-x)).powi(2);
    [slope, -2.0 * x.tanh() * slope]
}

#[test]
fn tanh() {
    for x in [0.1, 5.0, 12.0, 18.0, 300.0, 1000.0, -5.0, -18.0, -1000.0] {
        let hyper_dual = HyperDual { value: Dual::variable(x), derivative: Dual::constant(1.0) }.tanh();
        let found = [emitted(x), [hyper_dual.value.derivative, hyper_dual.mixed()]];
        for (found, exact) in found.into_iter().flatten().zip(exact(x).into_iter().cycle()) {
            assert!((found - exact).abs() <= 1e-14 * exact.abs(), "at {x}: {found:e} {exact:e}");
        }
    }
}
