//! Natural frequencies from the compiled models' own matrices.

use costate::vibration::LinearModel;
use costate::{Model, Simulation};
use costate_models::{CartPendulum, cart_pendulum};

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
