//! Stiffness of the engine mount on a test rig: 100 frequencies and 5 amplitudes with the gradient by four parameters,
//! against stepped sine.
//!
//! `cargo bench -p costate-vibration`: `costate_interpreter` executes the model, in both.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints")]

use std::f64::consts::PI;
use std::time::Instant;

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_vibration::harmonic::HarmonicBalance;

#[path = "../../../tests/tests/vibration/balance/models.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod models;

use models::MOUNT;

fn main() {
    let file = ModelFile::from_text("mount.model", MOUNT.to_owned()).unwrap();
    let model = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
    let simulation = model.simulation().unwrap();
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let parameters = ["c_e1", "c_e2", "d_e", "d_h2"].map(|name| model.parameter(name).unwrap());
    let frequencies: Vec<f64> = (0..100).map(|k| 5.0 + 0.5 * f64::from(k)).collect();
    let amplitudes = [0.1e-3, 0.2e-3, 0.5e-3, 1e-3, 2e-3];
    let balance =
        HarmonicBalance::new(&simulation).controlled(displacement, drive, amplitudes).sensitivities(parameters);
    let mut response = None;
    let mut seconds = [0.0; 3];
    let gradients = balance.clone().stability(false);
    let plain = HarmonicBalance::new(&simulation).controlled(displacement, drive, amplitudes).stability(false);
    for (seconds, balance) in seconds.iter_mut().zip([plain, gradients, balance]) {
        *seconds = f64::INFINITY;
        for _ in 0..3 {
            let start = Instant::now();
            response = Some(balance.response(&frequencies).unwrap());
            *seconds = seconds.min(start.elapsed().as_secs_f64());
        }
    }
    let response = response.unwrap();
    let motions = || response.curves.iter().flat_map(|curve| &curve.motions);
    let iterations: usize = motions().map(|motion| motion.iterations).sum();
    let error = motions().map(|motion| motion.truncation.error).fold(0.0, f64::max);
    println!(
        "{} motions, {:.1} iterations each, estimated error {error:.1e}",
        motions().count(),
        iterations as f64 / motions().count() as f64
    );
    println!(
        "without gradient {:.3} s, with gradient {:.3} s, with stability {:.3} s",
        seconds[0], seconds[1], seconds[2]
    );
    let frequency = frequencies[30];
    let start = Instant::now();
    let run = simulation
        .input(drive, move |t: f64| 100.0 * (2.0 * PI * frequency * t).cos())
        .step(1.0 / frequency / 400.0)
        .until(100.0 / frequency)
        .error_limit(None)
        .run()
        .unwrap();
    let stepped = start.elapsed().as_secs_f64();
    println!("one motion by 100 periods of 400 steps: {stepped:.3} s ({} samples)", run.times().len());
    let all = stepped * motions().count() as f64;
    println!("stepped sine takes {:.0} times as long as balance and gradient", all / seconds[1]);
}
