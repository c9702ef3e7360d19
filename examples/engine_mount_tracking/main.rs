//! Tracks two parameters of a hydraulic engine mount while it runs: a Kalman filter on the compiled model, a DAE with a
//! constraint and a massless coordinate, takes the engine's noisy acceleration sample by sample.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Simulation;
use costate::filter::{ImplicitModel, KalmanFilter, KalmanMethod};
use costate::plot::color::{BLUE, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::simulate::Problem;
use costate_examples::{Outputs, add_noise, positive, rms};
use costate_models::{EngineMount, engine_mount};
use nalgebra::DMatrix;
use serde::Serialize;

/// Tracks stiffness and damping of an engine mount's elastomer online, from its acceleration.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on the acceleration, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.02, value_parser = positive,
        allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

/// A parameter over time.
#[derive(Debug, Serialize)]
struct Track {
    name: &'static str,
    unit: &'static str,
    true_value: f64,
    found: f64,
    standard_deviation: f64,
    #[serde(skip)]
    values: Vec<f64>,
    #[serde(skip)]
    deviations: Vec<f64>,
}

fn problem(mount: &EngineMount) -> Result<Problem> {
    Ok(Simulation::new(mount)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::END)
        .alpha(engine_mount::ALPHA)
        .problem()?)
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let truth = EngineMount::default();
    let outputs = problem(&truth)?.outputs(&costate::Model::parameters(&truth))?;
    let mut acceleration: Vec<f64> = outputs.output(EngineMount::ACCELERATION).into_iter().flatten().collect();
    let deviation = options.noise * rms(&acceleration);
    add_noise(&mut acceleration, options.noise, options.seed)?;

    let guess = EngineMount { c_e1: 73.8e3, d_e: 0.5, ..EngineMount::default() };
    let unknown = [EngineMount::C_E1, EngineMount::D_E];
    let process = ImplicitModel::new(&problem(&guess)?, &guess).estimate(unknown).outputs([EngineMount::ACCELERATION]);
    let places = unknown.map(|parameter| process.place(parameter).unwrap_or_default());
    let inputs = process.input_rows();
    let initial = process.initial_by_parameters(&[50e3, 10.0])?;
    let states = initial.mean.len();
    let noise = DMatrix::from_element(1, 1, deviation * deviation);
    let mut filter = KalmanFilter::new(
        process,
        KalmanMethod::Extended,
        engine_mount::STEP,
        &initial,
        &DMatrix::zeros(states, states),
        &noise,
    )?;
    let mut tracks = [(truth.c_e1, "N/m"), (truth.d_e, "N*s/m")]
        .into_iter()
        .zip(unknown)
        .map(|((value, unit), parameter)| Track {
            name: parameter.name(),
            unit,
            true_value: value,
            found: value,
            standard_deviation: 0.0,
            values: Vec::new(),
            deviations: Vec::new(),
        })
        .collect::<Vec<_>>();
    filter.start(0.0, &inputs[..1])?;
    for i in 1..acceleration.len() {
        filter.step(&inputs[i..=i], &acceleration[i..=i])?;
        for (track, &place) in tracks.iter_mut().zip(&places) {
            (track.found, track.standard_deviation) = (filter.mean()[place], filter.variance(place).sqrt());
            track.values.push(track.found);
            track.deviations.push(track.standard_deviation);
        }
    }
    program.tell(format!("Hydraulic engine mount: {} samples, {} % noise", acceleration.len(), 100.0 * options.noise));
    for Track { name, unit, true_value, found, standard_deviation, .. } in &tracks {
        program.tell(format!("{name:6} {found:12.5} +- {standard_deviation:.5} {unit}, true value {true_value}"));
    }
    program.json(&tracks)?;
    program.figures(|folder| Ok(figure(&tracks).write(folder.join("tracking.svg"))?))?;
    program.end()
}

fn figure(tracks: &[Track]) -> Figure {
    let mut figure = Figure::new(1, (640, 330));
    for track in tracks {
        let line = |name: &str, color, value: &dyn Fn(usize) -> f64| {
            let points: Vec<_> =
                (0..track.values.len()).map(|i| ((i + 1) as f64 * engine_mount::STEP, value(i))).collect();
            Line::new(name, color, points)
        };
        let within = |sign: f64| move |i: usize| track.values[i] + 2.0 * sign * track.deviations[i];
        let panel = Panel::new(track.name, Axis::new("time").unit("s"), Axis::new(track.name).unit(track.unit))
            .line(line("±2 standard deviations", ORANGE, &within(1.0)))
            .line(line("", ORANGE, &within(-1.0)))
            .line(line("true", GREY, &|_| track.true_value))
            .line(line("tracked", BLUE, &|i| track.values[i]).width(1.5));
        figure = figure.panel(panel);
    }
    figure
}
