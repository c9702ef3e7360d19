//! Identifies inertia and springs of the primary side of a dual mass flywheel as a rigid plate, from a noisy record to
//! the adapted model, its response and its modes, as in Kenderi: Nonparametric identification of nonlinear dynamic
//! systems (2018), section 5.2.
//!
//! The record of the thesis is not published; a virtual test bench stands in its place. From the thesis are the
//! sampling rate, the angles of the sensors and the range of the natural frequencies. Inertia, stiffnesses, the
//! nonlinear damping, noise, and amplitude and length of the sweep are chosen; so is how far the inertia from finite
//! elements, with which the search begins, is off.

mod bench;
mod primary;
mod primary_figures;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::restoring_force::{Mode, RestoringForceCurve};
use costate_examples::{Table, curve_points, fraction, relative_error};
use costate_models::restoring_force::{PrimaryFlywheel, Sampling};
use serde::Serialize;

use bench::{Bench, Options};
use primary::{SPRINGS, Study, UNKNOWN, likeness};

/// Identifies inertia, springs, response and modes of the primary flywheel from accelerometers on it and on the
/// platform of a shaker.
///
/// The measurement is simulated, or read from a file: CSV with the columns `time [s]`, `base [m/s^2]` and
/// `acceleration 1 [m/s^2]` to `acceleration 3 [m/s^2]`. Units may be others of the same kind, such as `[g]`. The
/// inertia that the search begins with is that of the virtual flywheel.
#[derive(Debug, Parser)]
struct Arguments {
    /// Standard deviation of the noise on the accelerations of the flywheel, relative to their RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.03, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Standard deviation of the noise on the acceleration of the platform, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.01, value_parser = fraction,
        allow_negative_numbers = true)]
    base_noise: f64,
    #[command(flatten)]
    options: Options,
}

/// The result for a file; what needs the truth is `null` where that is not known.
#[derive(Debug, Serialize)]
struct Summary {
    good_samples: f64,
    /// µ12, µ13, µ22, µ23, µ33 in 1/kg at first and after each iteration, and true ones.
    inverse_inertia: Vec<[f64; 5]>,
    true_inverse_inertia: Option<[f64; 5]>,
    /// z in m and f in N, for each spring.
    elastic: Vec<Vec<[f64; 2]>>,
    /// v in m/s and f in N.
    dissipative: Vec<Vec<[f64; 2]>>,
    errors: Errors,
    modes: Vec<FoundMode>,
}

/// e_RMS% of KE appendix B, for each spring.
#[derive(Debug, Serialize)]
struct Errors {
    elastic_percent: Option<Vec<f64>>,
    dissipative_percent: Option<Vec<f64>>,
    /// Relative to the true response, or the measured one.
    response_percent: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct FoundMode {
    /// In Hz.
    frequency: f64,
    damping_ratio: f64,
    /// Deformations of the springs, the largest one 1.
    shape: Vec<f64>,
    true_frequency: Option<f64>,
    true_damping_ratio: Option<f64>,
    /// The likeness of the shape to the true one, from 0 to 1 (modal assurance criterion).
    likeness: Option<f64>,
}

fn main() -> Result<ExitCode> {
    let Arguments { noise, base_noise, options } = Arguments::parse();
    let (flywheel, noise) = (PrimaryFlywheel::chosen(), [base_noise, noise]);
    let simulate = || Ok((flywheel.motion()?, Sampling::PUBLISHED));
    let bench = Bench::of(&options, "primary_flywheel", SPRINGS, simulate, noise)?;
    let study = Study::carry_out(&bench)?;
    let true_modes = bench.truth.as_ref().map(|_| study.true_modes(&flywheel)).transpose()?;
    let summary = Summary::of(&bench, &study, &flywheel, true_modes.as_deref());
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    program.tell(format!("Primary flywheel: identification from {}\n", Bench::origin(&options, noise)));
    program.tell(report(&bench, &study, &summary));
    program.figures(|folder| primary_figures::write(folder, &bench, &study, &flywheel, true_modes.as_deref()))?;
    program.json(&summary)?;
    program.end()
}

impl Summary {
    fn of(bench: &Bench, study: &Study, flywheel: &PrimaryFlywheel, true_modes: Option<&[Mode]>) -> Self {
        let is_known = bench.truth.is_some();
        let errors = |curves: &[RestoringForceCurve], truth: &dyn Fn(f64) -> [f64; 3]| {
            let of = |(j, curve): (usize, &RestoringForceCurve)| {
                let (found, exact): (Vec<_>, Vec<_>) =
                    curve.points.iter().map(|point| (point.force, truth(point.coordinate)[j])).unzip();
                relative_error(&found, &exact)
            };
            is_known.then(|| curves.iter().enumerate().map(of).collect())
        };
        let mode = |(k, mode): (usize, &Mode)| {
            let truth = true_modes.and_then(|modes| modes.get(k));
            FoundMode {
                frequency: mode.frequency,
                damping_ratio: mode.damping_ratio,
                shape: mode.shape.iter().map(|part| part.re).collect(),
                true_frequency: truth.map(|truth| truth.frequency),
                true_damping_ratio: truth.map(|truth| truth.damping_ratio),
                likeness: truth.map(|truth| likeness(mode, truth)),
            }
        };
        let response = study.response.iter().enumerate();
        Self {
            good_samples: study.forces.convergence().good_part(),
            inverse_inertia: study.inertia.iter().map(|matrix| UNKNOWN.map(|at| matrix[at])).collect(),
            true_inverse_inertia: is_known.then(|| {
                let truth = PrimaryFlywheel::inverse_inertia();
                UNKNOWN.map(|at| truth[at])
            }),
            elastic: curve_points(&study.elastic),
            dissipative: curve_points(&study.dissipative),
            errors: Errors {
                elastic_percent: errors(&study.elastic, &|z| flywheel.elastic(z)),
                dissipative_percent: errors(&study.dissipative, &|v| flywheel.dissipative(v)),
                response_percent: response.map(|(j, found)| relative_error(found, &bench.compared(j))).collect(),
            },
            modes: study.modes.iter().enumerate().map(mode).collect(),
        }
    }
}

fn report(bench: &Bench, study: &Study, summary: &Summary) -> String {
    let truth = summary.true_inverse_inertia;
    let mut inertia = Table::new(["entry of M^-1 in 1/kg", "expected", "found", "true"]);
    for (k, (row, column)) in UNKNOWN.into_iter().enumerate() {
        let [first, .., last] = summary.inverse_inertia.as_slice() else { continue };
        let number = |entries: Option<[f64; 5]>| entries.map_or("-".to_owned(), |entries| format!("{:.4}", entries[k]));
        let name = format!("µ{}{}", row + 1, column + 1);
        inertia = inertia.row(std::iter::once(name).chain([Some(*first), Some(*last), truth].map(number)));
    }
    let percent = |errors: &Option<Vec<f64>>, j: usize| {
        errors.as_ref().map_or("-".to_owned(), |errors| format!("{:.1}", errors[j]))
    };
    let Errors { elastic_percent, dissipative_percent, response_percent } = &summary.errors;
    let response = format!("response ({})", bench.compared_name());
    let mut errors = Table::new(["error in %", "elastic force", "dissipative force", &response]);
    for (j, response) in response_percent.iter().enumerate() {
        let (elastic, dissipative) = (percent(elastic_percent, j), percent(dissipative_percent, j));
        errors = errors.row([format!("spring {}", j + 1), elastic, dissipative, format!("{response:.1}")]);
    }
    let headings = ["mode", "frequency", "damping ratio", "shape", "true frequency", "damping ratio", "likeness"];
    let mut modes = Table::new(headings);
    for (k, mode) in summary.modes.iter().enumerate() {
        let shape: Vec<String> = mode.shape.iter().map(|part| format!("{part:.2}")).collect();
        let frequency = |frequency: f64| format!("{frequency:.1} Hz");
        let ratio = |ratio: f64| format!("{:.1} %", 100.0 * ratio);
        let truth = [mode.true_frequency.map(frequency), mode.true_damping_ratio.map(ratio)];
        let likeness = mode.likeness.map(|likeness| format!("{likeness:.3}"));
        let found = [(k + 1).to_string(), frequency(mode.frequency), ratio(mode.damping_ratio), shape.join(" ")];
        modes = modes.row(found.into_iter().chain(truth.into_iter().chain([likeness]).flatten()));
    }
    let warnings: String = study.forces.warnings().iter().map(|warning| format!("warning: {warning}\n")).collect();
    let good = 100.0 * summary.good_samples;
    format!("convergence  {good:.0} % of the samples converged\n\n{inertia}\n{errors}\n{modes}{warnings}")
}
