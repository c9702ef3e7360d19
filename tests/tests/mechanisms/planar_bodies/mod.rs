//! Planar bodies, joints and elements: the same motion as equations by hand, closed forms, reactions, derivatives.

use costate::verify::random_points;
use costate::{Simulation, check_derivatives};
use costate_models::{CartPendulum, PendulumChain, cart_pendulum};

#[path = "../../../../examples/mechanisms/andrews.rs"]
mod andrews;
mod car_axis;
mod closed_forms;
mod mechanisms;
mod near_start;
mod parts;
mod pleiades;
mod singular_positions;
mod squeezer;
mod standard;

use parts::PlanarParts;

#[test]
fn derivatives_of_every_joint_and_element() {
    let report = check_derivatives(&random_points(&PlanarParts::default(), 100, 3), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

/// Largest difference of two signals, relative to the largest value.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0f64, |largest, a| largest.max(a.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn chain_of_rods_by_equations_and_by_bodies() {
    let (by_hand, bodies) = (cart_pendulum::OB.model(), PendulumChain::default());
    let drive = |t: f64| 5.0 * (2.0 * t).sin();
    let by_hand = Simulation::new(&by_hand).input(CartPendulum::DRIVE, drive).step(2e-3).until(4.0).run().unwrap();
    let bodies = Simulation::new(&bodies).input(PendulumChain::DRIVE, drive).step(2e-3).until(4.0).run().unwrap();
    let pairs = [
        (CartPendulum::X_C, PendulumChain::CART_X),
        (CartPendulum::X_1, PendulumChain::ROD_1_X),
        (CartPendulum::Y_2, PendulumChain::ROD_2_Y),
        (CartPendulum::PHI_1, PendulumChain::ROD_1_ANGLE),
        (CartPendulum::PHI_3, PendulumChain::ROD_3_ANGLE),
    ];
    for (a, b) in pairs {
        let (q, v) = (
            difference(&by_hand.coordinate(a), &bodies.coordinate(b)),
            difference(&by_hand.velocity(a), &bodies.velocity(b)),
        );
        assert!(q < 1e-13 && v < 1e-10, "{a:?}: {q:e}, {v:e}");
    }
    // the pin pulls the cart with what it pulls the rod, the other way round
    let on_cart = by_hand.multiplier(CartPendulum::PIN_Y_1);
    let on_rod: Vec<f64> = bodies.output(PendulumChain::PIN_FORCE).iter().map(|force| -force).collect();
    assert!(difference(&on_cart, &on_rod) < 1e-9);
}
