//! Forward runs and gradients of chains of N uniform rods in redundant coordinates: how the time per step grows with N.
//!
//! `cargo bench -p costate-models --bench chain`

use std::time::Instant;

use costate::{Model, Series, Simulation, SimulationError, gradient};

/// Runs of each; the medians count.
const RUNS: usize = 9;

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

fn main() -> Result<(), SimulationError> {
    println!(
        "{:>6} {:>14} {:>14} {:>18} {:>18}",
        "links", "forward", "gradient", "forward growth", "gradient growth"
    );
    println!("{:>6} {:>14} {:>14} {:>18} {:>18}", "", "us/step", "us/step", "exponent", "exponent");
    let times = [
        (3, measure(&Chain3::default(), 3000)?),
        (10, measure(&Chain10::default(), 3000)?),
        (30, measure(&Chain30::default(), 3000)?),
        (100, measure(&Chain100::default(), 3000)?),
    ];
    let mut before: Option<(i32, [f64; 2])> = None;
    for (links, now) in times {
        let growth = before.map(|(fewer, then)| {
            [0, 1].map(|k| (now[k] / then[k]).ln() / (f64::from(links) / f64::from(fewer)).ln())
        });
        let text = |k: usize| growth.map_or("".to_owned(), |growth| format!("N^{:.2}", growth[k]));
        println!("{links:>6} {:>14.3} {:>14.3} {:>18} {:>18}", now[0], now[1], text(0), text(1));
        before = Some((links, now));
    }
    Ok(())
}

/// Microseconds per step of a forward run and of a gradient with respect to all parameters.
fn measure<M: Model>(model: &M, steps: usize) -> Result<[f64; 2], SimulationError> {
    let h = 1e-3;
    let problem = Simulation::new(model).step(h).until(h * steps as f64).alpha(-0.05).problem()?;
    let parameters = model.parameters();
    let trajectory = problem.forward(&parameters)?;
    let outputs = trajectory.outputs(&problem);
    let mut output_gradient = Series::zeros(h, outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        output_gradient.row_mut(i)[0] = outputs.row(i)[0];
    }
    let unknown: Vec<usize> = (0..M::DESCRIPTION.parameters.len()).collect();
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        let trajectory = problem.forward(&parameters)?;
        let middle = Instant::now();
        gradient(&problem, &trajectory, &output_gradient, &unknown)?;
        forward.push((middle - start).as_secs_f64());
        backward.push(middle.elapsed().as_secs_f64());
    }
    Ok([forward, backward].map(|times| median(times) / steps as f64 * 1e6))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
