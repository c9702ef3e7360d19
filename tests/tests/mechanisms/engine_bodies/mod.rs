//! The engine by equations and by bodies: the same motion.

mod engine;

use costate::Simulation;
use costate_models::FourCylinderEngine;
use engine::EngineBodies;

/// Largest difference of two signals, relative to the largest value.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0f64, |largest, a| largest.max(a.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn by_equations_and_by_bodies() {
    let speed = 1500.0 * 2.0 * std::f64::consts::PI / 60.0;
    let (equations, bodies) = (FourCylinderEngine::default(), EngineBodies::default());
    let equations = Simulation::new(&equations)
        .input(FourCylinderEngine::Q_RUN, move |t: f64| speed * t)
        .input(FourCylinderEngine::V_RUN, move |_: f64| speed)
        .step(5e-5)
        .until(0.1)
        .run()
        .unwrap();
    let bodies = Simulation::new(&bodies)
        .input(EngineBodies::Q_RUN, move |t: f64| speed * t)
        .input(EngineBodies::V_RUN, move |_: f64| speed)
        .step(5e-5)
        .until(0.1)
        .run()
        .unwrap();
    let pairs = [
        (FourCylinderEngine::PHI_1, EngineBodies::NODE_1_ANGLE),
        (FourCylinderEngine::PHI_6, EngineBodies::NODE_6_ANGLE),
        (FourCylinderEngine::X_2, EngineBodies::CONROD_2_X),
        (FourCylinderEngine::Z_3, EngineBodies::PISTON_3_Y),
        (FourCylinderEngine::RING, EngineBodies::RING_ANGLE),
        (FourCylinderEngine::MAXWELL_2, EngineBodies::MAXWELL_2),
        (FourCylinderEngine::PULLEY, EngineBodies::PULLEY_ANGLE),
    ];
    for (a, b) in pairs {
        let (q, v) = (
            difference(&equations.coordinate(a), &bodies.coordinate(b)),
            difference(&equations.velocity(a), &bodies.velocity(b)),
        );
        assert!(q < 1e-12 && v < 1e-9, "{a:?}: {q:e}, {v:e}");
    }
    let twist = difference(&equations.output(FourCylinderEngine::TWIST), &bodies.output(EngineBodies::TWIST));
    assert!(twist < 1e-10, "{twist:e}");
}
