//! Identifies the restoring forces of three springs under a plate, its inertia, and its initial state, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), sections 3.3, 4.1 and 4.2.

// The figures of one degree of freedom are not used here.
#[allow(dead_code)]
mod figures;
mod options;
#[allow(dead_code)]
mod study;

use std::fmt::Write;

use anyhow::Result;
use clap::Parser;
use costate::Simulation;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification,
    RestoringForceModel, RestoringForces, Sensor, estimate_noise,
};
use costate::simulate::Scheme;
use costate_examples::figure::color::{BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE};
use costate_examples::figure::{Axis, Figure, Line, Panel};
use costate_examples::{add_noise, create_folder_of, say, write_json, write_text};
use costate_models::restoring_force::{
    END, INTERVAL, IdentifiedPlate, Motion, Plate, Sweep, inverse_inertia,
};
use nalgebra::DMatrix;
use serde::Serialize;

use options::Options;
use study::relative_error;

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
    /// Initial velocities in m/s: true ones, and after each iteration.
    initial_velocities: Vec<Vec<f64>>,
}

fn run(options: &Options) -> Result<()> {
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let folder = options.output.join("plate");
    create_folder_of(&folder.join("report.txt"))?;
    tell(format!(
        "Plate on three springs: identification from noisy accelerations, {} % noise, seed {}\n",
        100.0 * options.noise,
        options.seed
    ));

    let motion = Plate::published().motion(SWEEP)?;
    let measured = with_noise(&motion, options)?;
    let forces = identification(inverse_inertia(), &[])?
        .exponents(Exponents::new(2.0, 1.0))
        .run(&motion.base, &measured)?;
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
    let responses = respond(&elastic, &dissipative)?;
    let modes = forces.modes(&elastic, &dissipative)?;
    let errors: Vec<f64> =
        (0..3).map(|j| relative_error(&responses[j], &channel(&motion.accelerations, j))).collect();
    tell(report(&forces, &errors, &modes)?);

    let inertia = inertia(options)?;
    tell(format!(
        "inverse inertia matrix after {} iterations\n{:.4}",
        inertia.len(),
        inertia[inertia.len() - 1]
    ));
    let velocities = initial_velocities(options)?;
    tell(format!(
        "initial velocities {:.5?} m/s, true ones {:.5?} m/s\n",
        velocities[velocities.len() - 1],
        velocities[0]
    ));

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
        figure(&motion, &elastic, &responses, &forces, &inertia, &velocities).write(&file)?;
        tell(format!("figures in `{}`", folder.display()));
    }
    write_text(&folder.join("report.txt"), &transcript)
}

fn with_noise(motion: &Motion, options: &Options) -> Result<Vec<f64>> {
    let mut signals = Vec::new();
    for j in 0..3 {
        let mut signal = channel(&motion.accelerations, j);
        add_noise(&mut signal, options.noise, options.seed + 1000 * j as u64)?;
        signals.push(signal);
    }
    Ok((0..motion.base.len()).flat_map(|i| signals.iter().map(move |signal| signal[i])).collect())
}

fn channel(rows: &[f64], j: usize) -> Vec<f64> {
    rows.iter().skip(j).step_by(3).copied().collect()
}

fn identification(inverse: DMatrix<f64>, unknown: &[(usize, usize)]) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::new(inverse, (0..3).map(Sensor::acceleration).collect())?
        .with_base(DMatrix::from_element(3, 1, -1.0))?
        .with_scale(SCALE)?
        .with_unknown_inertia(unknown)?;
    let expected = vec![APriori { stiffness: 1.0, damping: 1e-4 }; 3];
    Ok(RestoringForceIdentification::new(model, INTERVAL, expected)?.lowest_stiffness(&[0.01; 3])?)
}

/// M^-1 from a record with low excitation, after each iteration (KE 4.1).
fn inertia(options: &Options) -> Result<Vec<DMatrix<f64>>> {
    let motion = Plate::linear().motion(Sweep { amplitude: 0.1, ..SWEEP })?;
    let mut start = DMatrix::from_diagonal_element(3, 3, 0.3);
    start[(0, 0)] = inverse_inertia()[(0, 0)];
    let found = identification(start, &[(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)])?
        .exponents(Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 })
        .inertia_deviations(&[0.05, 0.05, 0.15, 0.05, 0.15])?
        // At rest at first: a hundredth of what it moves later.
        .motion(&[(1e-18, 3e-12); 3])?
        .iterate_inertia(&motion.base, &with_noise(&motion, options)?, 10)?;
    Ok(found)
}

/// True initial velocities of a record that begins with a steady vibration, then those after each iteration (KE 4.2).
fn initial_velocities(options: &Options) -> Result<Vec<Vec<f64>>> {
    let motion = Plate::published().steady_motion(SWEEP)?;
    let measured = with_noise(&motion, options)?;
    let estimates = identification(inverse_inertia(), &[])?
        .exponents(Exponents::new(-2.0, -4.0))
        .measurement_noise(estimate_noise(&measured, 3)?)
        .iterate_initial_state(&motion.base[..BEGINNING], &measured[..3 * BEGINNING], 8)?;
    let mut velocities = vec![motion.rates[..3].to_vec()];
    velocities.extend(estimates.iter().map(|estimate| estimate.mean.as_slice()[3..6].to_vec()));
    Ok(velocities)
}

/// The accelerations of the plate on the identified springs.
fn respond(elastic: &[RestoringForceCurve], dissipative: &[RestoringForceCurve]) -> Result<Vec<Vec<f64>>> {
    const FINER: usize = 5;
    let plate = Plate::published();
    let (m, off) = (plate.m, plate.m_off);
    let plate =
        IdentifiedPlate { m_11: m, m_22: m, m_33: m, m_12: off, m_13: off, m_23: off, ..Default::default() };
    let run = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, elastic[0].table()?)
        .table(IdentifiedPlate::ELASTIC_2, elastic[1].table()?)
        .table(IdentifiedPlate::ELASTIC_3, elastic[2].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_1, dissipative[0].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_2, dissipative[1].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_3, dissipative[2].table()?)
        .input(IdentifiedPlate::BASE, |t| SWEEP.at(t))
        .step(INTERVAL / FINER as f64)
        .until(END)
        .scheme(Scheme::Undamped)
        .run()?;
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
    motion: &Motion,
    elastic: &[RestoringForceCurve],
    responses: &[Vec<f64>],
    forces: &RestoringForces,
    inertia: &[DMatrix<f64>],
    velocities: &[Vec<f64>],
) -> Figure {
    let lift = [1e-6, 1.5e-6, 2e-6];
    let mut figure = Figure::new(2, (560, 330));
    for (j, curve) in elastic.iter().enumerate() {
        let truth = |z: f64| if z < lift[j] { 6e6 * z } else { 6e6 * lift[j] + 2e6 * (z - lift[j]) };
        figure = figure.panel(figures::curve(
            &format!("Elastic force {}", j + 1),
            ("deformation", "µm", 1e6),
            curve,
            truth,
        ));
    }
    let times = |values: &[f64]| -> Vec<_> {
        values.iter().enumerate().map(|(i, y)| (i as f64 * INTERVAL, *y)).collect()
    };
    let response =
        Panel::new("Response 1", Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²"))
            .line(Line::new("true", GREY, times(&channel(&motion.accelerations, 0))))
            .line(Line::new("identified", BLUE, times(&responses[0])));
    let colors = [BLUE, ORANGE, GREEN, PURPLE, BLACK];
    let mut parameters =
        Panel::new("Inverse inertia", Axis::new("iteration"), Axis::new("entry").unit("1/kg"));
    for (name, entry) in [("true", (0, 0)), ("", (0, 1))] {
        let level = inverse_inertia()[entry];
        let ends = [1.0, inertia.len() as f64].map(|i| (i, level));
        parameters = parameters.line(Line::new(name, GREY, ends).width(3.0));
    }
    for (k, (name, color)) in ["µ12", "µ13", "µ22", "µ23", "µ33"].into_iter().zip(colors).enumerate() {
        let points = inertia.iter().enumerate().map(|(i, matrix)| ((i + 1) as f64, entries(matrix)[k]));
        parameters = parameters.line(Line::new(name, color, points).marked());
    }
    let mut initial =
        Panel::new("Initial velocity / true value", Axis::new("iteration"), Axis::new("relative value"));
    for (j, color) in colors.into_iter().enumerate().take(3) {
        let points = velocities.iter().enumerate().skip(1).map(|(i, v)| (i as f64, v[j] / velocities[0][j]));
        initial = initial.line(Line::new(format!("spring {}", j + 1), color, points).marked());
    }
    figure.panel(response).panel(figures::convergence(forces.convergence())).panel(parameters).panel(initial)
}
