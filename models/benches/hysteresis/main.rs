//! Measures how reliably a damper with hysteresis (Bouc, Wen) is identified, beside scipy's trust-region method
//! on the same records.
//!
//! `python3 models/benches/hysteresis/records.py FOLDER 20` makes the records and writes the results of scipy
//! (numpy, scipy, numba);
//! `cargo bench -p costate-models --bench hysteresis -- FOLDER [STARTS [STEPS]]` reads both. STARTS is the number
//! of starts of a multistart search (default 0: no search), STEPS that of simulation steps per sample (default 4:
//! with one step the hysteresis, which forgets within less than a sample, makes the cost rough).

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use costate::identify::UnknownParameter;
use costate::{Identification, Record, Simulation, model};
use serde::Deserialize;

model! {
    /// A magnetorheological damper on a test machine: hysteresis beside a spring and a dashpot.
    pub Damper {
        parameters {
            c_0: N*s/m = 2e3, k_0: N/m = 500, alpha: N/m = 5e5, f_0: N = 0,
            a: 1 = 20, beta: 1/m^2 = 1e6, gamma: 1/m^2 = 1e7,
            m_0: kg = 1, one: N*s/m = 1, z_0: m = 0
        }
        inputs { disp: m, speed: m/s }
        coordinates { x: m, z: m }
        mass { x: m_0 }
        forces {
            x: -c_0*dot(x),
            z: one*(a*speed - gamma*abs(speed)*z*abs(z) - beta*speed*z^2) - one*dot(z)
        }
        initial { x = 0, dot(x) = 0, z = z_0 }
        outputs { force: N = c_0*speed + k_0*disp + alpha*z + f_0 }
    }
}

/// Number of unknowns, in the order of scipy's vector.
const UNKNOWNS: usize = 7;

/// Results of scipy.
#[derive(Deserialize)]
struct Reference {
    starts: Vec<ReferenceStart>,
}

#[derive(Deserialize)]
struct ReferenceStart {
    start: [f64; UNKNOWNS],
    iterations: usize,
    seconds: f64,
    cost: f64,
}

fn model(start: [f64; UNKNOWNS]) -> Damper {
    let [c_0, k_0, alpha, f_0, beta, gamma, z_0] = start;
    Damper { c_0, k_0, alpha, f_0, beta, gamma, z_0, ..Damper::default() }
}

fn identification(record: &Record, start: [f64; UNKNOWNS], step: f64) -> Identification<Damper> {
    Identification::new(&Simulation::new(&model(start)).step(step).error_limit(None))
        .unknown([Damper::C_0, Damper::K_0, Damper::ALPHA, Damper::F_0, Damper::BETA, Damper::GAMMA, Damper::Z_0])
        .measured(Damper::FORCE, record)
}

/// Sets bounds for a search from many starts.
fn bounded(record: &Record, start: [f64; UNKNOWNS], step: f64) -> Identification<Damper> {
    let within = |parameter, lower, upper| UnknownParameter::from(parameter).within(lower, upper);
    Identification::new(&Simulation::new(&model(start)).step(step).error_limit(None))
        .unknown([
            within(Damper::C_0, 0.0, 1e4),
            within(Damper::K_0, -1e5, 1e5),
            within(Damper::ALPHA, 1e4, 1e6),
            within(Damper::F_0, -1e3, 1e3),
            within(Damper::BETA, -1e9, 1e9),
            within(Damper::GAMMA, 1e5, 1e9),
            within(Damper::Z_0, -1e-3, 1e-3),
        ])
        .measured(Damper::FORCE, record)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let Some(folder) = arguments.first().map(Path::new) else {
        println!("give the folder that records.py has written");
        return Ok(());
    };
    let starts: usize = arguments.get(1).map_or(Ok(0), |count| count.parse())?;
    let steps: u32 = arguments.get(2).map_or(Ok(4), |count| count.parse())?;
    let step = 1.0 / 3000.0 / f64::from(steps);
    println!("seed start  iterations  scipy    cost/scipy's - 1   seconds  scipy's  stop");
    for seed in 1.. {
        let file = folder.join(format!("hysteresis_{seed}.csv"));
        if !file.exists() {
            break;
        }
        let record = Record::read_csv(&file)?;
        let reference = std::fs::read_to_string(folder.join(format!("hysteresis_{seed}.json")))?;
        let reference: Reference = serde_json::from_str(&reference)?;
        let mut best = f64::INFINITY;
        for (number, scipy) in reference.starts.iter().enumerate() {
            let begin = Instant::now();
            let fit = identification(&record, scipy.start, step).run()?;
            let seconds = begin.elapsed().as_secs_f64();
            let summary = fit.summary();
            // the cost is weighted by the sampling interval
            let cost = summary.cost_end * 3000.0;
            best = best.min(cost);
            println!(
                "{seed:>4} {number:>5}  {:>10}  {:>5}  {:>18.1e}  {seconds:>8.3}  {:>7.3}  {}",
                summary.iterations,
                scipy.iterations,
                cost / scipy.cost - 1.0,
                scipy.seconds,
                summary.stop,
            );
        }
        if starts > 0 {
            let start = reference.starts[1].start;
            let found = bounded(&record, start, step).multistart(starts, seed as u64)?;
            let cost = found.summary().cost_end * 3000.0;
            println!("{seed:>4} multistart of {starts}: cost relative to the best above {:+.1e}", cost / best - 1.0);
        }
    }
    Ok(())
}
