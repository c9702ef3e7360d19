//! Equilibrium, poles, modes and responses of a chain of 100 planar rods in 300 redundant coordinates.
//!
//! `cargo bench -p costate-vibration`: `costate_interpreter` executes the model.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints")]

use std::time::Instant;

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_vibration::Equilibrium;

const RODS: &str = "Rods(links: usize = 100) {
    parameters { m: kg = 1, l: m = 0.2, g: m/s^2 = 9.81 }
    inputs { push: N }
    gravity { (0, -g) }
    bodies { for i in 1..=links { rod[i]: planar { mass: m, inertia: m*l^2/12 } } }
    joints {
        pin[1]: revolute(ground, rod[1].at(0, l/2)),
        for i in 2..=links { pin[i]: revolute(rod[i - 1].at(0, -l/2), rod[i].at(0, l/2)) },
    }
    elements { wind: force(rod[links].at(0, -l/2), (push, 0[N])) }
    initial { for i in 1..=links { rod[i].angle = 0.1 } }
    outputs { tip: m = rod[links].at(0, -l/2).position.x }
}";

fn main() {
    let file = ModelFile::from_text("rods.model", RODS.to_owned()).unwrap();
    let model = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
    let (push, tip) = (model.input("push").unwrap(), model.output("tip").unwrap());
    let simulation = model.simulation().unwrap().input(push, 0.0);
    let timed = |name: &str, work: &mut dyn FnMut()| {
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            work();
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        println!("{name}: {seconds:.3} s");
    };
    let mut rest = None;
    timed("equilibrium", &mut || rest = Some(Equilibrium::of(&simulation).unwrap()));
    let rest = rest.unwrap();
    let mut linear = None;
    timed("linear model", &mut || linear = Some(rest.linearized()));
    let linear = linear.unwrap();
    timed("all poles", &mut || assert_eq!(linear.poles().unwrap().len(), 100));
    timed("all modes", &mut || assert_eq!(linear.modes().unwrap().len(), 100));
    let frequencies: Vec<f64> = (1..=100).map(|k| 0.05 * f64::from(k)).collect();
    timed("response at 100 frequencies", &mut || {
        assert_eq!(linear.frequency_response(&frequencies, push, tip).unwrap().values.len(), 100);
    });
}
