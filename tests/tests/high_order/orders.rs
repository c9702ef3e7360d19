//! The order of runs of high order.

use costate::{Model, Simulation};
use costate::simulate::Scheme;
use costate_tests::{DisplacedMount, Gyroscope, ParametersEverywhere, SwingingRod, TopByEnergies, Top};

/// Returns the largest errors of q, v, a and lambda at the samples from `from` on, relative to their largest values.
fn errors<M: Model>(simulation: &Simulation<M>, reference: &Simulation<M>, model: &M, from: f64, every: usize) -> [f64; 4] {
    let parameters = model.parameters();
    let run = simulation.problem().unwrap().forward(parameters.as_ref()).unwrap();
    let fine = reference.problem().unwrap().forward(parameters.as_ref()).unwrap();
    let mut errors = [0.0; 4];
    let mut sizes = [0.0; 4];
    let ratio = (fine.samples() - 1) / (run.samples() - 1);
    for k in (0..run.samples()).step_by(every) {
        if run.time(run.step_of_sample(k)) < from { continue; }
        let (own, other) = (run.step_of_sample(k), fine.step_of_sample(k * ratio));
        let parts = [
            (run.coordinates(own), fine.coordinates(other)),
            (run.velocities(own), fine.velocities(other)),
            (run.accelerations(own), fine.accelerations(other)),
            (run.multipliers(own), fine.multipliers(other)),
        ];
        for (k, (a, b)) in parts.into_iter().enumerate() {
            for (a, b) in a.iter().zip(b) {
                errors[k] = f64::max(errors[k], (a - b).abs());
                sizes[k] = f64::max(sizes[k], b.abs());
            }
        }
    }
    [0, 1, 2, 3].map(|k| errors[k] / sizes[k])
}

fn explore<M: Model>(name: &str, simulation: Simulation<M>, model: &M, end: f64, steps: usize) {
    let base = simulation.clone();
    let set = |order: u32, n: usize| base.clone().order(order).step(end / n as f64).until(end).error_limit(None);
    let reference = set(6, steps * 16);
    for order in [2, 3, 4, 5, 6] {
        for from in [0.0, 0.1 * end] {
            let found = [1, 2, 4].map(|f| errors(&set(order, steps * f), &reference, model, from, f));
            let orders = [0, 1, 2, 3].map(|k| [(found[0][k] / found[1][k]).log2(), (found[1][k] / found[2][k]).log2()]);
            println!("{name} {order} from {from:.2}: errors {}, orders {orders:.1?}", found[2].map(|x| format!("{x:.1e}")).join(" "));
        }
    }
}

#[test]
fn explore_all() {
    for scheme in [Scheme::default(), Scheme::GeneralizedAlpha { rho_inf: 0.5 }, Scheme::Undamped] {
        println!("{scheme:?}");
        explore("gyroscope", Simulation::new(&Gyroscope::default()).scheme(scheme), &Gyroscope::default(), 1.0, 50);
        explore("everywhere", Simulation::new(&ParametersEverywhere::default()).scheme(scheme), &ParametersEverywhere::default(), 1.0, 50);
        explore("rod", Simulation::new(&SwingingRod::default()).scheme(scheme), &SwingingRod::default(), 1.0, 50);
        let mount = DisplacedMount::default();
        let drive = |t: f64| 100.0 * (40.0 * t).sin();
        explore("mount", Simulation::new(&mount).input(DisplacedMount::DRIVE, drive).scheme(scheme), &mount, 0.5, 500);
        let jump = |t: f64| if t < 0.2 { 100.0 } else if t > 0.2 { 0.0 } else { 50.0 };
        explore("mount jump", Simulation::new(&mount).input(DisplacedMount::DRIVE, jump).scheme(scheme), &mount, 0.5, 500);
        explore("top", Simulation::new(&TopByEnergies::default()).scheme(scheme), &TopByEnergies::default(), 1.0, 100);
        explore("spatial top", Simulation::new(&Top::default()).scheme(scheme), &Top::default(), 1.0, 100);
    }
}
