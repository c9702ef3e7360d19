//! Natural frequencies from the compiled models' own matrices.

use costate::linearize::ModesError;
use costate::{Linearization, Model, Simulation};
use costate_models::{CartPendulum, DiscreteOscillator, EngineMount, cart_pendulum};

fn frequencies(variant: cart_pendulum::Variant) -> Vec<f64> {
    let model = variant.model();
    let problem =
        Simulation::new(&model).input(CartPendulum::DRIVE, 0.0).step(0.1).until(0.1).problem().unwrap();
    let state =
        costate::simulate::initial_state_in::<CartPendulum, f64>(&problem, &model.parameters()).unwrap();
    Linearization::at(&problem, &model.parameters(), 0.0, &state, &[0.0])
        .unwrap()
        .natural_frequencies()
        .unwrap()
}

#[test]
fn the_pendulum_has_its_published_frequencies() {
    for (variant, published) in
        [(cart_pendulum::FD, [0.172, 1.364, 3.709]), (cart_pendulum::OB, [0.467, 1.660, 4.017])]
    {
        let found = frequencies(variant);
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
    let problem = Simulation::new(&model).step(0.1).until(0.1).problem().unwrap();
    let state = costate::simulate::initial_state_in::<DiscreteOscillator, f64>(&problem, &model.parameters())
        .unwrap();
    let linear = Linearization::at(&problem, &model.parameters(), 0.0, &state, &[]).unwrap();
    let found = linear.natural_frequencies().unwrap();
    assert!((found[0] - 1.0 / std::f64::consts::PI).abs() < 1e-12, "{found:?}");
    assert_eq!(linear.damping[(0, 0)], model.d);
}

#[test]
fn motions_without_mass_are_refused() {
    let model = EngineMount { m_h: 0.0, m_m: 0.0, ..EngineMount::default() };
    let state = costate::simulate::State::<EngineMount, f64>::zeros();
    let problem =
        Simulation::new(&model).input(EngineMount::DRIVE, 0.0).step(0.1).until(0.1).problem().unwrap();
    let linear = Linearization::at(&problem, &model.parameters(), 0.0, &state, &[0.0]).unwrap();
    assert_eq!(linear.natural_frequencies(), Err(ModesError::NoMass));
    let linear =
        Linearization::at(&problem, &EngineMount::default().parameters(), 0.0, &state, &[0.0]).unwrap();
    assert_eq!(linear.natural_frequencies().unwrap().len(), 3);
}
