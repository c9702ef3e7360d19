//! Natural frequencies from the compiled models' own matrices.

use costate::vibration::{EquilibriumSearch, LinearModel};
use costate::{Model, Simulation};
use costate_models::{CartPendulum, DiscreteOscillator, EngineMount, cart_pendulum};

#[test]
fn the_pendulum_has_its_published_frequencies() {
    for (variant, published) in [(cart_pendulum::FD, [0.172, 1.364, 3.709]), (cart_pendulum::OB, [0.467, 1.660, 4.017])]
    {
        let simulation = Simulation::new(&variant.model()).input(CartPendulum::DRIVE, 0.0);
        let problem = simulation.clone().step(0.1).until(0.1).problem().unwrap();
        let state = problem.initial_state(&variant.model().parameters()).unwrap();
        let found = LinearModel::at(&simulation, 0.0, &state).unwrap().undamped_frequencies().unwrap();
        // The cart rolls freely.
        assert_eq!(found.len(), 4);
        assert!(found[0] < 1e-4, "{found:?}");
        for (found, published) in found[1..].iter().zip(published) {
            assert!((found - published).abs() < 0.5e-3, "{found}, not {published}");
        }
    }
}

#[test]
fn an_oscillator_has_one() {
    let model = DiscreteOscillator { m: 2.0, c: 8.0, ..Default::default() };
    let linear = EquilibriumSearch::new(&Simulation::new(&model)).find().unwrap().linearized();
    let found = linear.undamped_frequencies().unwrap();
    assert!((found[0] - 1.0 / std::f64::consts::PI).abs() < 1e-12, "{found:?}");
    assert_eq!(linear.damping()[(0, 0)], model.d);
}

#[test]
fn coordinates_without_mass_follow() {
    let model = EngineMount { m_h: 0.0, m_m: 0.0, ..EngineMount::default() };
    let at_zero = |model: &EngineMount| {
        LinearModel::at(&Simulation::new(model).input(EngineMount::DRIVE, 0.0), 0.0, &[0.0; 13]).unwrap()
    };
    // without its mass the fluid gives way, and the elastomer alone carries the engine
    let found = at_zero(&model).undamped_frequencies().unwrap();
    let wanted = (model.c_e1 / model.m_l).sqrt() / std::f64::consts::TAU;
    assert!(found.len() == 1 && (found[0] / wanted - 1.0).abs() < 1e-12, "{found:?} {wanted}");
    assert_eq!(at_zero(&EngineMount::default()).undamped_frequencies().unwrap().len(), 3);
}
