//! Models that begin in equilibrium: runs, steppers, lanes and checkpoints begin at the same state.

use costate::cost::BolzaCost;
use costate::simulate::{Checkpoints, Scheme};
use costate::verify::check_gradient;
use costate::{Model, Simulation, Stepper};

costate::model! {
    #[interpreted]
    /// A bob on a rod that a spring pulls aside, on a trolley that nothing moves.
    pub Hanging {
        parameters { m: kg = 2, l: m = 1.2, k: N/m = 30, g: m/s^2 = 9.81, place: m = 3 }
        inputs { pull: N }
        coordinates { x: m, y: m, trolley: m }
        mass { x: m, y: m, trolley: 5[kg] }
        forces { x: pull - k*x - 0.1[N*s/m]*dot(x), y: -m*g }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { equilibrium, held(trolley), trolley ~ place, y ~ -l }
        outputs { position: m = x, tension: N = 2*l*multiplier(rod), stand: m = trolley }
    }
}

const STEP: f64 = 1e-3;
const STEPS: usize = 200;

fn pull(t: f64) -> f64 {
    8.0 + 30.0 * (9.0 * t).sin()
}

fn simulation(model: &Hanging, scheme: Scheme) -> Simulation<Hanging> {
    Simulation::new(model).input(Hanging::PULL, pull).step(STEP).until(STEP * STEPS as f64).scheme(scheme)
}

const SCHEMES: [Scheme; 2] = [Scheme::GeneralizedAlpha { rho_inf: 0.8 }, Scheme::Hht { alpha: -0.1 }];

#[test]
fn all_runs_begin_at_the_same_rest() {
    let model = Hanging::default();
    for scheme in SCHEMES {
        let problem = simulation(&model, scheme).problem().unwrap();
        let state = problem.initial_state(&model.parameters()).unwrap();
        let (x, y, lambda) = (state[0], state[1], state[9]);
        let unbalanced = [pull(0.0) - model.k * x - 2.0 * x * lambda, -model.m * model.g - 2.0 * y * lambda];
        assert!(unbalanced.iter().all(|force| force.abs() < 1e-12) && x > 0.05 && y < 0.0, "{state:?}");
        assert!(state[2] == model.place && state[3..9].iter().all(|value| *value == 0.0), "{state:?}");

        let run = problem.forward(&model.parameters()).unwrap();
        let mut stepper: Stepper<Hanging> = costate::stepper::start(&simulation(&model, scheme)).unwrap();
        for i in 1..=STEPS {
            stepper.set_input(Hanging::PULL, pull(i as f64 * STEP));
            stepper.step().unwrap();
        }
        assert_eq!(stepper.state().coordinates, run.coordinates(STEPS));

        let few = simulation(&model, scheme).checkpoints(Checkpoints::Within(20_000)).problem().unwrap();
        let few = few.run(&model.parameters()).unwrap();
        let all = problem.run(&model.parameters()).unwrap();
        assert_eq!(few.outputs().row(STEPS), all.outputs().row(STEPS));

        let models = [30.0, 40.0, 50.0, 60.0].map(|k| Hanging { k, ..model });
        let study = simulation(&model, scheme).study(&models).unwrap();
        for (model, outputs) in models.iter().zip(study) {
            let single = simulation(model, scheme).run().unwrap();
            let (lane, single) = (outputs.unwrap(), single.outputs().clone());
            for (one, other) in lane.row(STEPS).iter().zip(single.row(STEPS)) {
                assert!((one - other).abs() <= 1e-9 * other.abs(), "{one} {other}");
            }
        }
    }
}

#[test]
fn gradients_have_the_derivatives_of_the_rest() {
    let model = Hanging::default();
    for scheme in SCHEMES {
        let problem = simulation(&model, scheme).problem().unwrap();
        let cost = BolzaCost::new(STEP, problem.samples())
            .with_start_value(Hanging::TENSION, 1.0)
            .unwrap()
            .with_start_value(Hanging::STAND, 2.0)
            .unwrap()
            .with_integrand([Hanging::POSITION, Hanging::TENSION], |_, s| s[0] * s[0] * 100.0 + s[1]);
        let unknown = [Hanging::M, Hanging::L, Hanging::K, Hanging::G, Hanging::PLACE];
        let report = check_gradient(&problem, &model, &cost, &unknown).unwrap();
        assert!(report.agrees(1e-10), "{report}");
        assert!(report.entries.iter().all(|entry| entry.adjoint != 0.0), "{report}");
    }
}
