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

const MOUNT: &str = "EngineMount {
    parameters {
        m_l: kg = 20.0, m_m: kg = 0.002, m_h: kg = 0.0019,
        c_e1: N/m = 123e3, c_e2: N/m^3 = 2.5e9, d_e: N*s/m = 5.0,
        c_h: N/m = 375e3, d_h1: N*s/m = 0.08, d_h2: N*s^3/m^3 = 2.0,
        c_m: N/m = 9e3, d_m: N*s/m = 10.0, a: m = 0.095, b: m = 0.0036, g: m/s^2 = 9.81,
    }
    inputs { drive: N }
    coordinates { x1: m, x2: m, x3: m, x4: m }
    mass { x1: m_l, x3: m_m, x4: m_h }
    let elastomer = c_e1*x1 + c_e2*x1^3 + d_e*dot(x1);
    let fluid = c_h*(x1 - x2);
    forces {
        x1: drive + m_l*g - elastomer - fluid,
        x2: fluid,
        x3: -(c_m*x3 + d_m*dot(x3)),
        x4: -(d_h1*dot(x4) + d_h2*dot(x4)^3),
    }
    constraints { lever: x2*(a + b) - x3*b - x4*a }
    outputs { acceleration: m/s^2 = ddot(x1), displacement: m = x1 }
}";

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
