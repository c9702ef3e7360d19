//! Identifies the restoring forces of three springs under a plate, its inertia, and its initial state, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), sections 3.3, 4.1 and 4.2.

mod plate_figures;
mod plate_inertia;
mod plate_model;
mod plate_refine;
#[allow(dead_code, reason = "the parts for one degree of freedom are not used here")]
mod program;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;
use costate::restoring_force::{Exponents, Mode, RestoringForceCurve, estimate_noise};
use costate_examples::{Table, channel, curve_points, relative_error};
use costate_models::restoring_force::{Plate, Sweep, inverse_inertia};
use nalgebra::DMatrix;
use serde::Serialize;

use plate_inertia::{Estimate, Load, entries, estimates, guess};
use plate_model::{Adapted, SWEEP, identification};
use plate_refine::{RefinedPlate, RefinedPlateErrors, Refinements};
use program::Options;
use program::measurement::{Measurement, origin};

/// Identifies the restoring forces of three springs under a plate on a moving base, its inertia, and the velocities
/// that it begins with.
///
/// The measurement is simulated, or read from three files: with high excitation, with low excitation for the inertia,
/// and one that begins with a steady vibration. They are CSV with the columns `time [s]`, `base [m/s^2]`, the
/// acceleration of the base, and `acceleration 1 [m/s^2]` to `acceleration 3 [m/s^2]`, those of the plate at the
/// springs. Units may be others of the same kind, such as `[g]`; times are equidistant, and samples of the plate may be
/// missing.
#[derive(Debug, Clone, Parser)]
struct PlateOptions {
    #[command(flatten)]
    shared: Options,
    /// Runs over a record by which each filter finds the inertia
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=100))]
    iterations: u16,
}

fn main() -> Result<ExitCode> {
    let options = PlateOptions::parse();
    run(&options.shared, usize::from(options.iterations))
}

/// The result that is written to a file.
#[derive(Debug, Serialize)]
struct Summary {
    /// z in m and f in N, for each spring.
    elastic: Vec<Vec<[f64; 2]>>,
    /// v in m/s and f in N.
    dissipative: Vec<Vec<[f64; 2]>>,
    /// Relative RMS errors of the three accelerations in percent.
    response_errors: Vec<f64>,
    /// Natural frequencies in Hz and damping ratios.
    modes: Vec<[f64; 2]>,
    /// mu12, mu13, mu22, mu23, mu33 in 1/kg after each iteration of the extended filter with low excitation.
    inverse_inertia: Vec<[f64; 5]>,
    /// Inertia found by both filters with low and high excitation.
    inertia: Vec<InertiaSummary>,
    /// Errors with the guess of the inertia, and with the inertia of the unscented filter from high excitation.
    guessed: AdaptedSummary,
    adapted: AdaptedSummary,
    /// Initial velocities in m/s: the true ones if they are known, then those after each iteration.
    initial_velocities: Vec<Vec<f64>>,
    /// Errors of the refined curves, with known and with unknown inertia; `None` without refinement.
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<RefinedPlateErrors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined_with_inertia: Option<RefinedPlateErrors>,
}

/// M^-1 found by one filter.
#[derive(Debug, Serialize)]
struct InertiaSummary {
    excitation: Load,
    filter: &'static str,
    /// mu12, mu13, mu22, mu23, mu33 in 1/kg after each iteration, as in [`Summary`].
    inverse_inertia: Vec<[f64; 5]>,
    /// Average errors in percent after each iteration; `None` if the truth is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    average_error_percent: Option<Vec<f64>>,
    /// Processor time of an iteration, relative to that of a simulation.
    normed_time: f64,
}

/// Errors of a model in percent.
#[derive(Debug, Clone, Serialize)]
struct AdaptedSummary {
    /// Errors of the elastic curves; `None` if the truth is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    elastic_percent: Option<Vec<f64>>,
    /// Errors of the accelerations.
    response_percent: Vec<f64>,
}

impl AdaptedSummary {
    fn of(adapted: &Adapted, measurement: &Measurement) -> Self {
        let elastic = |(j, curve): (usize, &RestoringForceCurve)| {
            let points = || curve.points.iter();
            let exact: Vec<f64> = points().map(|point| plate_figures::true_spring(j, point.coordinate)).collect();
            relative_error(&points().map(|point| point.force).collect::<Vec<_>>(), &exact)
        };
        let is_known = measurement.truth.is_some();
        Self {
            elastic_percent: is_known.then(|| adapted.elastic.iter().enumerate().map(elastic).collect()),
            response_percent: response_errors(adapted, measurement),
        }
    }
}

fn run(options: &Options, iterations: usize) -> Result<ExitCode> {
    ensure!(!options.straight, "the plate is refined from the curves of its filter alone; leave out `--straight`");
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    program.tell(format!("Plate on three springs: identification from {}\n", origin(options)));

    let [strong, weak, steady] = measurements(options)?;
    let known = Adapted::to(&strong, &inverse_inertia())?;
    let modes = known.forces.modes(&known.elastic, &known.dissipative)?;
    let errors = response_errors(&known, &strong);
    program.tell(report(&known, &errors, &modes)?);

    let inertia = estimates(&weak, &strong, iterations)?;
    program.tell(report_inertia(&inertia, strong.truth.is_some()));
    let identified = |load, filter| {
        let of = inertia.iter().find(|estimate| estimate.load == load && estimate.filter == filter);
        of.and_then(Estimate::last).context("there is no estimate of the inertia")
    };
    let guessed = Adapted::to(&strong, &guess()).context("with the guess of the inertia")?;
    let found = Adapted::to(&strong, identified(Load::High, "SR-UKF")?)
        .context("with the inertia that was identified from high excitation")?;
    let [of_guess, of_found] = [&guessed, &found].map(|adapted| AdaptedSummary::of(adapted, &strong));
    program.tell(report_adapted(&of_guess, &of_found));
    for (name, adapted) in [("the guess", &guessed), ("that of the SR-UKF", &found)] {
        for warning in &adapted.warnings {
            program.tell(format!("with {name}: {warning}"));
        }
    }

    let found_inertia = identified(Load::High, "SR-UKF")?;
    let refined =
        options.refine.then(|| Refinements::of(&strong, (&known, &inverse_inertia()), (&found, found_inertia)));
    if let Some(refined) = &refined {
        program.tell(refined.report(&strong)?);
    }

    let velocities = initial_velocities(&steady)?;
    let of_truth = match steady.truth {
        Some(_) => format!(", true ones {:.5?} m/s", velocities[0]),
        None => String::new(),
    };
    program.tell(format!("initial velocities {:.5?} m/s{of_truth}\n", velocities[velocities.len() - 1]));

    let of_fit = |which: fn(&Refinements) -> Option<&RefinedPlate>| {
        refined.as_ref().and_then(which).map(|plate| plate.errors(&strong))
    };
    let is_known = strong.truth.is_some();
    let of_estimate = |estimate: &Estimate| InertiaSummary {
        excitation: estimate.load,
        filter: estimate.filter,
        inverse_inertia: estimate.matrices.iter().map(entries).collect(),
        average_error_percent: is_known.then(|| estimate.errors()),
        normed_time: estimate.normed_time,
    };
    program.json(&Summary {
        elastic: curve_points(&known.elastic),
        dissipative: curve_points(&known.dissipative),
        response_errors: errors,
        modes: modes.iter().map(|mode| [mode.frequency, mode.damping_ratio]).collect(),
        inverse_inertia: inertia[0].matrices.iter().map(entries).collect(),
        inertia: inertia.iter().map(of_estimate).collect(),
        guessed: of_guess,
        adapted: of_found,
        initial_velocities: velocities.clone(),
        refined: of_fit(|refined| refined.known.as_ref()),
        refined_with_inertia: of_fit(|refined| refined.with_inertia.as_ref()),
    })?;
    program.figures(|folder| {
        for (name, figure) in [
            ("plate.svg", plate_figures::identified(&strong, &known, &velocities)),
            ("inertia.svg", plate_figures::inertia(&weak, &strong, &inertia)),
            ("adapted.svg", plate_figures::adapted(&strong, &guessed, &found)),
        ] {
            figure.write(folder.join(name))?;
        }
        let Some(refined) = &refined else { return Ok(()) };
        for (name, adapted, plate) in [("known", &known, &refined.known), ("unknown", &found, &refined.with_inertia)] {
            let Some(plate) = plate else { continue };
            let file = folder.join(format!("refined_inertia_{name}.svg"));
            plate_figures::refined(&strong, adapted, plate).write(file)?;
            plate.refined.fit.report(folder.join(format!("fit_inertia_{name}.html")))?;
        }
        Ok(())
    })?;
    program.end()
}

fn response_errors(adapted: &Adapted, measurement: &Measurement) -> Vec<f64> {
    (0..3).map(|j| relative_error(adapted.response(j), &channel(measurement.compared(), j, 3))).collect()
}

/// The experiments: one for the identification of all springs, one with low excitation for the inertia, and one
/// that begins with a steady vibration.
const EXPERIMENTS: [&str; 3] = ["plate", "plate, low excitation", "plate, steady"];

/// Reads or simulates the measurements of the experiments.
fn measurements(options: &Options) -> Result<[Measurement; 3]> {
    let simulate = |k: usize| {
        let motion = match k {
            0 => Plate::published().motion(SWEEP)?,
            1 => Plate::linear().motion(Sweep { amplitude: 0.1, ..SWEEP })?,
            _ => Plate::published().steady_motion(SWEEP)?,
        };
        Measurement::simulated(motion, 3, options)
    };
    let measurements = Measurement::all(options, &EXPERIMENTS, 3, simulate)?;
    measurements.try_into().map_err(|_| anyhow!("there are three experiments"))
}

/// Estimates the initial velocities of a record that begins with a steady vibration: the true ones come first if
/// they are known, then those after each iteration (KE 4.2).
fn initial_velocities(measurement: &Measurement) -> Result<Vec<Vec<f64>>> {
    let measured = &measurement.accelerations;
    let beginning = measurement.base.len().min(600);
    let estimates = identification(measurement, inverse_inertia(), &[])?
        .exponents(Exponents::new(-2.0, -4.0))
        .measurement_noise(estimate_noise(measured, 3)?)
        .iterate_initial_state(&measurement.base[..beginning], &measured[..3 * beginning], 8)?;
    let mut velocities = Vec::new();
    velocities.extend(measurement.truth.as_ref().map(|motion| motion.rates[..3].to_vec()));
    velocities.extend(estimates.iter().map(|estimate| estimate.mean.as_slice()[3..6].to_vec()));
    Ok(velocities)
}

fn report(adapted: &Adapted, errors: &[f64], modes: &[Mode]) -> Result<String> {
    let mut text = String::new();
    let convergence = adapted.forces.convergence();
    let (e_m, good) = (convergence.measurement_error, 100.0 * convergence.good_part());
    writeln!(text, "convergence  e_m {e_m:.2e}, {good:.0} % of the samples converged")?;
    for warning in &adapted.warnings {
        writeln!(text, "warning      {warning}")?;
    }
    writeln!(text, "response     {errors:.1?} % off")?;
    for mode in modes {
        writeln!(text, "mode         {:.1} Hz, damping ratio {:.3}", mode.frequency, mode.damping_ratio)?;
    }
    Ok(text)
}

/// Lists the entries that every filter has found, and its processor time.
fn report_inertia(estimates: &[Estimate], is_known: bool) -> String {
    let runs = estimates.first().map_or(0, |estimate| estimate.matrices.len());
    let row = |matrix: &DMatrix<f64>| entries(matrix).map(|entry| format!("{entry:.4}"));
    let mut table = Table::new(["excitation, filter", "µ12", "µ13", "µ22", "µ23", "µ33", "error", "simulations"]);
    for estimate in estimates {
        let load = if estimate.load == Load::Low { "low" } else { "high" };
        let error = match estimate.errors().last() {
            Some(error) if is_known => format!("{error:.1} %"),
            _ => "-".to_owned(),
        };
        let found = estimate.last().map(row).into_iter().flatten();
        let time = format!("{:.0}", runs as f64 * estimate.normed_time);
        let name = std::iter::once(format!("{load}, {}", estimate.filter));
        table = table.row(name.chain(found).chain([error, time]));
    }
    if is_known {
        table = table.row(std::iter::once("true".to_owned()).chain(row(&inverse_inertia())));
    }
    format!(
        "inverse inertia after {runs} runs, in 1/kg\n{table}KE: excellent with low excitation by both filters, the EKF \
         in less time; far off with high excitation, the SR-UKF less so.\n"
    )
}

/// Describes the effect of the inertia on curves and response.
fn report_adapted(guessed: &AdaptedSummary, found: &AdaptedSummary) -> String {
    let mut table = Table::new(["high excitation, errors in percent", "1", "2", "3"]);
    for (name, summary) in [("the guess of the inertia", guessed), ("that of the SR-UKF", found)] {
        let elastic = summary.elastic_percent.iter().map(|errors| ("elastic curves", errors));
        for (part, errors) in elastic.chain([("response", &summary.response_percent)]) {
            let word = |error: &f64| if error.is_finite() { format!("{error:.1}") } else { "none".to_owned() };
            table = table.row(std::iter::once(format!("{part} with {name}")).chain(errors.iter().map(word)));
        }
    }
    format!(
        "{table}KE: curves are much better than with the guess, and the response agrees very well although the \
         inertia is off.\n"
    )
}
