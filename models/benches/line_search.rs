//! Identifications of the engine mount whose line searches evaluate foreseen trials in lanes, against one trial after
//! the other, which a limit of the memory makes them do. Both run in turn on one thread; the least times count.
//!
//! `cargo bench -p costate-models --bench line_search`

use costate::identify::IdentificationError;
use costate::optimize::{Method, OptimizerSettings, StepSize};
use costate::simulate::Problem;
use costate::{Fit, Identification, Record, Simulation};
use costate_models::{EngineMount, engine_mount};

/// Runs with and without lanes, in turn.
const RUNS: usize = 5;

/// Length of the record in s.
const END: f64 = 0.4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = EngineMount::default();
    let problem = simulation(&truth).problem()?;
    let run = simulation(&truth).run()?;
    let acceleration = run.output(EngineMount::ACCELERATION);
    let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), acceleration)?;
    println!("{:<36} {:>6} {:>6} {:>9} {:>9} {:>9} {:>6}", "", "trials", "runs", "single/s", "lanes/s", "runs", "all");
    for (method, step_size) in [
        (Method::Bfgs, StepSize::golden_section()),
        (Method::LimitedMemoryBfgs { memory: 10 }, StepSize::golden_section()),
        (Method::SteepestDescent, StepSize::golden_section()),
        (Method::GaussNewton, StepSize::golden_section()),
        // nothing is foreseen
        (Method::Bfgs, StepSize::StrongWolfe),
    ] {
        compare(&problem, &record, method, step_size)?;
    }
    Ok(())
}

fn simulation(model: &EngineMount) -> Simulation<EngineMount> {
    Simulation::new(model)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(END)
        .alpha(engine_mount::ALPHA)
}

fn compare(problem: &Problem, record: &Record, method: Method, step_size: StepSize) -> Result<(), IdentificationError> {
    let settings =
        OptimizerSettings::default().with_method(method).with_step_size(step_size).with_maximum_iterations(30);
    let fit = |limit: Option<u64>| -> Result<Fit<EngineMount>, IdentificationError> {
        let mut simulation = Simulation::new(&EngineMount::start())
            .input(EngineMount::DRIVE, engine_mount::sweep)
            .alpha(engine_mount::ALPHA);
        if let Some(limit) = limit {
            simulation = simulation.memory_limit(limit);
        }
        Identification::new(&simulation)
            .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
            .measured(EngineMount::ACCELERATION, record)
            .optimizer(settings.clone())
            .run()
    };
    // room for one run, but not for four
    let limit = 2 * problem.memory().total();
    let mut least = [[f64::INFINITY; 2]; 2];
    let mut counts = [0; 2];
    for _ in 0..RUNS {
        for (limit, least) in [Some(limit), None].into_iter().zip(&mut least) {
            let fit = fit(limit)?;
            let summary = fit.summary();
            let (forward, both) = (summary.seconds_forward, summary.seconds_forward + summary.seconds_gradient);
            *least = [least[0].min(forward), least[1].min(both)];
            counts = [summary.evaluations, summary.simulations];
        }
    }
    let [[forward, all], [forward_lanes, all_lanes]] = least;
    println!(
        "{:<36} {:>6} {:>6} {forward:>9.3} {forward_lanes:>9.3} {:>9.2} {:>6.2}",
        format!("{method}, {step_size}"),
        counts[0],
        counts[1],
        forward / forward_lanes,
        all / all_lanes
    );
    Ok(())
}
