//! No work by accident: what runs of the published models take, as a snapshot.

use costate::simulate::Scheme;
use costate::{Model, Simulation};
use costate_models::{
    CartPendulum, DiscreteOscillator, EngineMount, FourCylinderEngine, Oscillator, PendulumOnCart, TwoMasses,
};

/// Runs of so many steps of this length in s, with constant inputs and the schemes of the publications.
fn line<M: Model + Default>(step: f64, steps: usize) -> String {
    let model = M::default();
    let mut text = String::new();
    for (name, scheme) in [("HHT", Scheme::Hht { alpha: -0.1 }), ("generalized alpha", Scheme::default())] {
        let mut simulation = Simulation::new(&model).scheme(scheme).step(step).until(step * steps as f64);
        for input in costate::Input::all() {
            simulation = simulation.input(input, 1.0);
        }
        let run = simulation.error_limit(None).run().map(|run| run.statistics());
        let counts = match run {
            Ok(found) => format!(
                "{:>6} {:>10} {:>6} {:>14} {:>9} {:>8}",
                found.steps,
                found.iterations,
                found.worst_iterations,
                found.factorizations,
                found.analyses,
                found.pivoted
            ),
            Err(error) => error.to_string(),
        };
        text += &format!("{:20} {name:17} {counts}\n", M::description().name);
    }
    text
}

#[test]
fn runs_of_published_models() {
    let head = format!(
        "{:20} {:17} {:>6} {:>10} {:>6} {:>14} {:>9} {:>8}\n",
        "model", "scheme", "steps", "iterations", "worst", "factorisations", "analyses", "pivoted"
    );
    let lines = [
        line::<EngineMount>(1e-3, 1000),
        line::<CartPendulum>(1e-3, 1000),
        line::<PendulumOnCart>(1e-3, 1000),
        line::<TwoMasses>(1e-3, 1000),
        line::<Oscillator>(1e-3, 1000),
        line::<DiscreteOscillator>(1e-3, 1000),
        line::<FourCylinderEngine>(1e-5, 1000),
    ];
    insta::assert_snapshot!(head + &lines.concat());
}
