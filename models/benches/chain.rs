//! Measures forward runs and gradients of chains of N uniform rods, in the plane and in space, in redundant
//! coordinates: how the time per step grows with N. The time of a run before its first step, and of a gradient
//! after its last one, is measured separately.
//!
//! `cargo bench -p costate-models --bench chain`

#[path = "../../examples/mechanisms/spatial_chain.rs"]
mod spatial_chain;

use std::time::Instant;

use costate::simulate::{Series, SimulationError};
use costate::{Model, Simulation, gradient};

use spatial_chain::spatial_chain;

/// Number of runs of each case; the medians count.
const RUNS: usize = 9;

/// Steps of the longer of two runs, and of the shorter one.
const STEPS: [usize; 2] = [2200, 200];

macro_rules! chain {
    ($name:ident, $links:literal) => {
        costate::model! {
            /// Chain of uniform rods that hangs from a fixed point, with a damper in every joint.
            pub $name(links: usize = $links) {
                parameters { m: kg = 0.5, l: m = 1, d: N*m*s = 0.02, g: m/s^2 = 9.81 }
                coordinates { for i in 1..=links { x[i]: m, y[i]: m, phi[i]: rad } }
                mass { for i in 1..=links { x[i]: m, y[i]: m, phi[i]: m*l^2/12 } }
                forces {
                    for i in 1..=links { y[i]: -m*g },
                    for i in 1..links {
                        let torque = d*(dot(phi[i + 1]) - dot(phi[i]));
                        phi[i]: torque,
                        phi[i + 1]: -torque,
                    },
                }
                constraints {
                    pin_x[1]: x[1] - l/2*sin(phi[1]),
                    pin_y[1]: y[1] + l/2*cos(phi[1]),
                    for i in 2..=links {
                        pin_x[i]: x[i] - l/2*sin(phi[i]) - x[i - 1] - l/2*sin(phi[i - 1]),
                        pin_y[i]: y[i] + l/2*cos(phi[i]) - y[i - 1] + l/2*cos(phi[i - 1]),
                    },
                }
                initial { for i in 1..=links { phi[i] = 0.4/links*i } }
                outputs { angle: rad = phi[links] }
            }
        }
    };
}

chain!(Chain3, 3);
chain!(Chain10, 10);
chain!(Chain30, 30);
chain!(Chain100, 100);
chain!(Chain200, 200);

spatial_chain!(Spatial3, 3);
spatial_chain!(Spatial10, 10);
spatial_chain!(Spatial30, 30);
spatial_chain!(Spatial100, 100);
spatial_chain!(Spatial200, 200);

/// Times of a forward run and of a gradient.
struct Times {
    /// Microseconds per step.
    step: [f64; 2],
    /// Milliseconds in addition to the steps.
    start: [f64; 2],
    /// Newton iterations per step.
    iterations: f64,
}

fn main() -> Result<(), SimulationError> {
    print(
        "planar",
        &[
            (3, measure(&Chain3::default())?),
            (10, measure(&Chain10::default())?),
            (30, measure(&Chain30::default())?),
            (100, measure(&Chain100::default())?),
            (200, measure(&Chain200::default())?),
        ],
    );
    print(
        "spatial",
        &[
            (3, measure(&Spatial3::default())?),
            (10, measure(&Spatial10::default())?),
            (30, measure(&Spatial30::default())?),
            (100, measure(&Spatial100::default())?),
            (200, measure(&Spatial200::default())?),
        ],
    );
    Ok(())
}

fn print(name: &str, measured: &[(i32, Times)]) {
    println!(
        "{name:>8} {:>12} {:>10} {:>12} {:>10} {:>10} {:>20}",
        "forward", "growth", "gradient", "growth", "iterations", "start, end"
    );
    println!(
        "{:>8} {:>12} {:>10} {:>12} {:>10} {:>10} {:>20}",
        "links", "us/step", "", "us/step", "", "per step", "ms"
    );
    let mut before: Option<(i32, &Times)> = None;
    for (links, now) in measured {
        let growth = |k: usize| {
            let exponent = |(fewer, then): (i32, &Times)| {
                (now.step[k] / then.step[k]).ln() / (f64::from(*links) / f64::from(fewer)).ln()
            };
            before.map_or(String::new(), |before| format!("N^{:.2}", exponent(before)))
        };
        println!(
            "{links:>8} {:>12.3} {:>10} {:>12.3} {:>10} {:>10.3} {:>20}",
            now.step[0],
            growth(0),
            now.step[1],
            growth(1),
            now.iterations,
            format!("{:.2}, {:.2}", now.start[0], now.start[1])
        );
        before = Some((*links, now));
    }
}

/// Measures a forward run and a gradient with respect to all parameters.
fn measure<M: Model>(model: &M) -> Result<Times, SimulationError> {
    let [(long, iterations), (short, _)] = [run(model, STEPS[0])?, run(model, STEPS[1])?];
    let step = [0, 1].map(|k| (long[k] - short[k]) / (STEPS[0] - STEPS[1]) as f64);
    Ok(Times {
        step: step.map(|step| step * 1e6),
        start: [0, 1].map(|k| (short[k] - step[k] * STEPS[1] as f64).max(0.0) * 1e3),
        iterations,
    })
}

/// Measures the seconds of a forward run with this number of steps and of its gradient, and the iterations per step.
fn run<M: Model>(model: &M, steps: usize) -> Result<([f64; 2], f64), SimulationError> {
    let h = 1e-3;
    let problem = Simulation::new(model).step(h).until(h * steps as f64).alpha(-0.05).problem()?;
    let parameters = model.parameters();
    let trajectory = problem.forward(parameters.as_ref())?;
    let outputs = trajectory.outputs();
    let mut output_gradient = Series::zeros(h, outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        output_gradient.row_mut(i)[0] = outputs.row(i)[0];
    }
    let unknown: Vec<costate::Parameter<M>> = costate::Parameter::all().collect();
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        let trajectory = problem.forward(parameters.as_ref())?;
        let middle = Instant::now();
        gradient(&problem, &trajectory, &output_gradient, &unknown)?;
        forward.push((middle - start).as_secs_f64());
        backward.push(middle.elapsed().as_secs_f64());
    }
    Ok(([forward, backward].map(median), trajectory.statistics().iterations as f64 / steps as f64))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
