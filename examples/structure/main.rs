//! Identifies the restoring forces of any structure on a moving base from a record, as in Kenderi: Nonparametric
//! identification of nonlinear dynamic systems (2018), chapter 2.

mod figures;
mod measurement;
mod options;
mod response;
mod tables;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::restoring_force::{CurveSettings, RestoringForceCurve, RestoringForces, TuningSearch};
use costate_examples::structure::{Structure, identification};
use costate_examples::{all_curves, completed, curve_rows};
use serde::Serialize;

use measurement::Samples;
use options::Options;
use response::{Adapted, Found};
use tables::Curves;

/// The result for a file.
#[derive(Debug, Serialize)]
struct Summary {
    structure: String,
    elements: Vec<String>,
    /// z in m, f in N, standard deviations of both, for each element.
    elastic: Vec<Vec<[f64; 4]>>,
    /// v in m/s, f in N, standard deviations of both.
    dissipative: Vec<Vec<[f64; 4]>>,
    /// Natural frequencies in Hz and damping ratios.
    modes: Vec<[f64; 2]>,
    /// The error of the response of the adapted model for every sensor, e_RMS% of KE appendix B; empty where there is
    /// no response.
    response_percent: Vec<Option<f64>>,
    /// Description of the initial state of the response.
    response_start: &'static str,
    exponents: [f64; 2],
    measurement_error: f64,
    good_samples: f64,
    warnings: Vec<String>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let (structure, samples, origin) = match (&options.structure, &options.record) {
        (Some(structure), Some(record)) => {
            let structure = Structure::read(structure)?;
            // before the record is read, so that mistakes of the structure come first
            identification(&structure, 1.0)?;
            let samples = Samples::read(record, &structure)?;
            (structure, samples, format!("`{}`", record.display()))
        }
        _ => {
            let samples = Samples::simulated(options.noise, options.seed)?;
            let origin = format!("a simulation, {} % noise, seed {}", 100.0 * options.noise, options.seed);
            (Structure::plate()?, samples, origin)
        }
    };
    program.tell(format!("{}: restoring forces from {origin}\n", structure.name));
    let forces = identify(&structure, &samples, &options)?;
    let settings = CurveSettings {
        nodes: options.nodes,
        uncertain: options.uncertain.unwrap_or(f64::INFINITY),
        ..CurveSettings::default()
    };
    let [elastic, dissipative] = all_curves(&forces, &settings)?;
    let curves = Curves { elastic, dissipative };
    let modes = forces.modes(&curves.elastic, &curves.dissipative)?;
    let identification = identification(&structure, samples.interval)?.exponents(forces.exponents());
    let adapted = Adapted::to(&identification, &samples, &curves)?;
    let found = Found { forces, curves, modes, adapted };
    program.tell(report(&structure, &found)?);
    let written = tables::write(program.folder(), &structure, identification.model(), &found.curves)?;
    program.tell(format!("tables, and a model with them, in `{}`", written.display()));
    program.figures(|folder| figures::write(&folder.join("curves.svg"), &structure, &samples, &found))?;
    program.json(&summary(&structure, &found))?;
    program.end()
}

fn identify(structure: &Structure, samples: &Samples, options: &Options) -> Result<RestoringForces> {
    let identification = identification(structure, samples.interval)?;
    completed(match options.search {
        true => TuningSearch::default().run(&identification, &samples.inputs, &samples.measured)?.0,
        false => identification.run(&samples.inputs, &samples.measured)?,
    })
}

fn report(structure: &Structure, found: &Found) -> Result<String> {
    let Found { forces, curves, modes, adapted } = found;
    let (mut text, convergence) = (String::new(), forces.convergence());
    let exponents = forces.exponents();
    writeln!(text, "exponents    q_s {}, q_d {}", exponents.stiffness, exponents.damping)?;
    writeln!(
        text,
        "convergence  e_m {:.2e}, {:.0} % of the samples converged",
        convergence.measurement_error,
        100.0 * convergence.good_part()
    )?;
    writeln!(text, "                          deformation in µm      stiffness      rate in mm/s           damping")?;
    for (j, (elastic, dissipative)) in curves.elastic.iter().zip(&curves.dissipative).enumerate() {
        let ([z_low, z_high], [v_low, v_high]) = (elastic.range(), dissipative.range());
        writeln!(
            text,
            "{:<22}{:>10.3} to{:>8.3}{:>11.3e} N/m{:>9.3} to{:>8.3}{:>12.3e} N s/m",
            structure.element_name(j),
            1e6 * z_low,
            1e6 * z_high,
            elastic.slope(),
            1e3 * v_low,
            1e3 * v_high,
            dissipative.slope()
        )?;
    }
    for mode in modes {
        writeln!(text, "mode         {:.1} Hz, damping ratio {:.3}", mode.frequency, mode.damping_ratio)?;
    }
    writeln!(text, "response     {}", adapted.in_words())?;
    for warning in found.warnings() {
        writeln!(text, "warning      {warning}")?;
    }
    Ok(text)
}

fn summary(structure: &Structure, found: &Found) -> Summary {
    let Found { forces, curves, modes, adapted } = found;
    let rows = |curves: &[RestoringForceCurve]| curves.iter().map(curve_rows).collect();
    let exponents = forces.exponents();
    Summary {
        structure: structure.name.clone(),
        elements: (0..forces.elements()).map(|j| structure.element_name(j)).collect(),
        elastic: rows(&curves.elastic),
        dissipative: rows(&curves.dissipative),
        modes: modes.iter().map(|mode| [mode.frequency, mode.damping_ratio]).collect(),
        response_percent: adapted.percent.clone(),
        response_start: adapted.start,
        exponents: [exponents.stiffness, exponents.damping],
        measurement_error: forces.convergence().measurement_error,
        good_samples: forces.convergence().good_part(),
        warnings: found.warnings(),
    }
}
