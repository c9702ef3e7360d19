//! Identifies the restoring forces of three springs under a plate, its inertia, and its initial state, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), sections 3.3, 4.1 and 4.2.

// What is for one degree of freedom is not used here.
#[allow(dead_code)]
mod measurement;
mod options;
mod refine;
#[allow(dead_code)]
mod study;

use std::fmt::Write;

use anyhow::{Result, ensure};
use clap::Parser;
use costate::Simulation;
use costate::plot::color::{BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification,
    RestoringForceModel, RestoringForces, Sensor, estimate_noise,
};
use costate_examples::{convergence_panel, create_folder_of, curve_panel, say, write_json, write_text};
use costate_models::restoring_force::{IdentifiedPlate, Plate, Sweep, inverse_inertia};
use nalgebra::DMatrix;
use serde::Serialize;

use measurement::{Measurement, channel, file_name, origin, records};
use options::Options;
use study::{FINER, driven, relative_error};

/// Backward sweep of the base.
const SWEEP: Sweep = Sweep { amplitude: 7.0, from: 500.0, to: 100.0 };
/// Scale of the forces.
const SCALE: f64 = 1e7;
/// Samples at the beginning of the record by which its initial state is found.
const BEGINNING: usize = 600;

fn main() -> Result<()> {
    run(&Options::parse())
}

/// The result for a file.
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
    /// mu12, mu13, mu22, mu23, mu33 in 1/kg after each iteration.
    inverse_inertia: Vec<[f64; 5]>,
    /// Initial velocities in m/s: true ones where they are known, and after each iteration.
    initial_velocities: Vec<Vec<f64>>,
}

fn run(options: &Options) -> Result<()> {
    ensure!(!options.refine, "the curves of the plate are not refined yet; leave out `--refine`");
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let folder = options.output.join("plate");
    create_folder_of(&folder.join("report.txt"))?;
    tell(format!("Plate on three springs: identification from {}\n", origin(options)));

    let [strong, weak, steady] = measurements(options)?;
    let forces = identification(&strong, inverse_inertia(), &[])?
        .exponents(Exponents::new(2.0, 1.0))
        .run(&strong.base, &strong.accelerations)?;
    let settings = CurveSettings::default();
    let curves = |dissipative: bool| -> Result<Vec<RestoringForceCurve>> {
        let fit = |j| {
            if dissipative {
                forces.dissipative_curve(j, &settings)
            } else {
                forces.elastic_curve(j, &settings)
            }
        };
        Ok((0..3).map(fit).collect::<Result<_, _>>()?)
    };
    let (elastic, dissipative) = (curves(false)?, curves(true)?);
    let responses = respond(&strong, &elastic, &dissipative)?;
    let modes = forces.modes(&elastic, &dissipative)?;
    let errors: Vec<f64> =
        (0..3).map(|j| relative_error(&responses[j], &channel(strong.compared(), j, 3))).collect();
    tell(report(&forces, &errors, &modes)?);

    let inertia = inertia(&weak)?;
    tell(format!(
        "inverse inertia matrix after {} iterations\n{:.4}",
        inertia.len(),
        inertia[inertia.len() - 1]
    ));
    let velocities = initial_velocities(&steady)?;
    let of_truth = match steady.truth {
        Some(_) => format!(", true ones {:.5?} m/s", velocities[0]),
        None => String::new(),
    };
    tell(format!("initial velocities {:.5?} m/s{of_truth}\n", velocities[velocities.len() - 1]));

    if let Some(file) = &options.json {
        let rows = |curves: &[RestoringForceCurve]| {
            let row = |curve: &RestoringForceCurve| {
                curve.points.iter().map(|point| [point.coordinate, point.force]).collect()
            };
            curves.iter().map(row).collect()
        };
        let summary = Summary {
            elastic: rows(&elastic),
            dissipative: rows(&dissipative),
            response_errors: errors,
            modes: modes.iter().map(|mode| [mode.frequency, mode.damping_ratio]).collect(),
            inverse_inertia: inertia.iter().map(entries).collect(),
            initial_velocities: velocities.clone(),
        };
        write_json(file, &summary)?;
    }
    if !options.no_figures {
        let file = folder.join("plate.svg");
        figure(&strong, &elastic, &responses, &forces, &inertia, &velocities).write(&file)?;
        tell(format!("figures in `{}`", folder.display()));
    }
    write_text(&folder.join("report.txt"), &transcript)
}

/// The experiments: one that all springs are identified from, one with low excitation for the inertia, and one that begins with a
/// steady vibration.
const EXPERIMENTS: [&str; 3] = ["plate", "plate, low excitation", "plate, steady"];

/// What was measured in each.
fn measurements(options: &Options) -> Result<[Measurement; 3]> {
    let [strong, weak, steady] = match records(options, &EXPERIMENTS)? {
        Some([strong, weak, steady]) => [strong, weak, steady].map(|file| Measurement::read(file, 3)),
        _ => {
            let motions = [
                Plate::published().motion(SWEEP)?,
                Plate::linear().motion(Sweep { amplitude: 0.1, ..SWEEP })?,
                Plate::published().steady_motion(SWEEP)?,
            ];
            motions.map(|motion| Measurement::simulated(motion, 3, options))
        }
    };
    let measurements = [strong?, weak?, steady?];
    if let Some(folder) = &options.write_records {
        for (measurement, name) in measurements.iter().zip(EXPERIMENTS) {
            measurement.write(&folder.join(file_name(name)))?;
        }
    }
    Ok(measurements)
}

fn identification(
    measurement: &Measurement,
    inverse: DMatrix<f64>,
    unknown: &[(usize, usize)],
) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::new(inverse, (0..3).map(Sensor::acceleration).collect())?
        .with_base(DMatrix::from_element(3, 1, -1.0))?
        .with_scale(SCALE)?
        .with_unknown_inertia(unknown)?;
    let expected = vec![APriori { stiffness: 1.0, damping: 1e-4 }; 3];
    Ok(RestoringForceIdentification::new(model, measurement.interval, expected)?
        .lowest_stiffness(&[0.01; 3])?)
}

/// M^-1 from a record with low excitation, after each iteration (KE 4.1).
fn inertia(measurement: &Measurement) -> Result<Vec<DMatrix<f64>>> {
    let mut start = DMatrix::from_diagonal_element(3, 3, 0.3);
    start[(0, 0)] = inverse_inertia()[(0, 0)];
    let found = identification(measurement, start, &[(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)])?
        .exponents(Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 })
        .inertia_deviations(&[0.05, 0.05, 0.15, 0.05, 0.15])?
        // At rest at first: a hundredth of what it moves later.
        .motion(&[(1e-18, 3e-12); 3])?
        .iterate_inertia(&measurement.base, &measurement.accelerations, 10)?;
    Ok(found)
}

/// Initial velocities of a record that begins with a steady vibration: true ones where they are known, then those after each
/// iteration (KE 4.2).
fn initial_velocities(measurement: &Measurement) -> Result<Vec<Vec<f64>>> {
    let measured = &measurement.accelerations;
    let beginning = BEGINNING.min(measurement.base.len());
    let estimates = identification(measurement, inverse_inertia(), &[])?
        .exponents(Exponents::new(-2.0, -4.0))
        .measurement_noise(estimate_noise(measured, 3)?)
        .iterate_initial_state(&measurement.base[..beginning], &measured[..3 * beginning], 8)?;
    let mut velocities = Vec::new();
    velocities.extend(measurement.truth.as_ref().map(|motion| motion.rates[..3].to_vec()));
    velocities.extend(estimates.iter().map(|estimate| estimate.mean.as_slice()[3..6].to_vec()));
    Ok(velocities)
}

/// The accelerations of the plate on the identified springs.
fn respond(
    measurement: &Measurement,
    elastic: &[RestoringForceCurve],
    dissipative: &[RestoringForceCurve],
) -> Result<Vec<Vec<f64>>> {
    let plate = Plate::published();
    let (m, off) = (plate.m, plate.m_off);
    let plate =
        IdentifiedPlate { m_11: m, m_22: m, m_33: m, m_12: off, m_13: off, m_23: off, ..Default::default() };
    let simulation = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, elastic[0].table()?)
        .table(IdentifiedPlate::ELASTIC_2, elastic[1].table()?)
        .table(IdentifiedPlate::ELASTIC_3, elastic[2].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_1, dissipative[0].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_2, dissipative[1].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_3, dissipative[2].table()?);
    let run = driven(simulation, IdentifiedPlate::BASE, SWEEP, measurement)?.run()?;
    let outputs =
        [IdentifiedPlate::ACCELERATION_1, IdentifiedPlate::ACCELERATION_2, IdentifiedPlate::ACCELERATION_3];
    Ok(outputs.map(|output| run.output(output).into_iter().step_by(FINER).collect()).to_vec())
}

fn report(
    forces: &RestoringForces,
    errors: &[f64],
    modes: &[costate::restoring_force::Mode],
) -> Result<String> {
    let mut text = String::new();
    let convergence = forces.convergence();
    writeln!(
        text,
        "convergence  e_m {:.2e}, {:.0} % of the samples are good",
        convergence.measurement_error,
        100.0 * convergence.good_part()
    )?;
    writeln!(text, "response     {errors:.1?} % off")?;
    for mode in modes {
        writeln!(text, "mode         {:.1} Hz, damping ratio {:.3}", mode.frequency, mode.damping_ratio)?;
    }
    Ok(text)
}

/// The entries that were unknown.
fn entries(matrix: &DMatrix<f64>) -> [f64; 5] {
    [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|at| matrix[at])
}

fn figure(
    measurement: &Measurement,
    elastic: &[RestoringForceCurve],
    responses: &[Vec<f64>],
    forces: &RestoringForces,
    inertia: &[DMatrix<f64>],
    velocities: &[Vec<f64>],
) -> Figure {
    let (is_known, interval) = (measurement.truth.is_some(), measurement.interval);
    let lift = [1e-6, 1.5e-6, 2e-6];
    let mut figure = Figure::new(2, (560, 330));
    for (j, curve) in elastic.iter().enumerate() {
        let truth = |z: f64| if z < lift[j] { 6e6 * z } else { 6e6 * lift[j] + 2e6 * (z - lift[j]) };
        figure = figure.panel(curve_panel(
            &format!("Elastic force {}", j + 1),
            ("deformation", "µm", 1e6),
            curve,
            is_known.then_some(truth),
        ));
    }
    let times = |values: &[f64]| -> Vec<_> {
        values.iter().enumerate().map(|(i, y)| (i as f64 * interval, *y)).collect()
    };
    let response =
        Panel::new("Response 1", Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²"))
            .line(Line::new(measurement.origin(), GREY, times(&channel(measurement.compared(), 0, 3))))
            .line(Line::new("identified", BLUE, times(&responses[0])));
    let colors = [BLUE, ORANGE, GREEN, PURPLE, BLACK];
    let mut parameters =
        Panel::new("Inverse inertia", Axis::new("iteration"), Axis::new("entry").unit("1/kg"));
    let levels = [("true", (0, 0)), ("", (0, 1))];
    for (name, entry) in levels.into_iter().filter(|_| is_known) {
        let level = inverse_inertia()[entry];
        let ends = [1.0, inertia.len() as f64].map(|i| (i, level));
        parameters = parameters.line(Line::new(name, GREY, ends).width(3.0));
    }
    for (k, (name, color)) in ["µ12", "µ13", "µ22", "µ23", "µ33"].into_iter().zip(colors).enumerate() {
        let points = inertia.iter().enumerate().map(|(i, matrix)| ((i + 1) as f64, entries(matrix)[k]));
        parameters = parameters.line(Line::new(name, color, points).marked());
    }
    // Without true velocities, those of the last iteration are what the others are compared with.
    let (reference, title) = match (is_known, velocities) {
        (true, [truth, ..]) => (truth, "Initial velocity / true value"),
        _ => (&velocities[velocities.len() - 1], "Initial velocity / last value"),
    };
    let mut initial = Panel::new(title, Axis::new("iteration"), Axis::new("relative value"));
    for (j, color) in colors.into_iter().enumerate().take(3) {
        let iterations = velocities.iter().skip(usize::from(is_known)).enumerate();
        let points = iterations.map(|(i, v)| ((i + 1) as f64, v[j] / reference[j]));
        initial = initial.line(Line::new(format!("spring {}", j + 1), color, points).marked());
    }
    figure
        .panel(response)
        .panel(convergence_panel(forces.convergence(), interval))
        .panel(parameters)
        .panel(initial)
}
