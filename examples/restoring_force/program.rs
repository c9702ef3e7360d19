//! Common parts of the programs for one degree of freedom.

use std::fmt::Write;

use anyhow::Result;
use costate_examples::{create_folder_of, say, write_json, write_text};
use costate_models::restoring_force::Case;

use crate::figures;
use crate::measurement::{Measurement, file_name, origin, records};
use crate::options::Options;
use crate::refine::RefinedErrors;
use crate::study::{Study, Way};

/// Identifies the experiments in all these ways, and reports the results.
pub fn run(heading: &str, key: &str, experiments: &[(&'static Case, Way)], options: &Options) -> Result<()> {
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let folder = options.output.join(key);
    create_folder_of(&folder.join("report.txt"))?;
    tell(format!("{heading}: identification from {}\n", origin(options)));
    let measurements = measurements(experiments, options)?;
    let mut studies = Vec::new();
    for &(case, way) in experiments {
        let found = measurements.iter().find(|(name, _)| *name == case.name);
        let Some((_, measurement)) = found.filter(|(_, found)| found.deformations.is_some() || !way.displacements)
        else {
            tell(format!("{}, {}: left out, the record has no `deformation`\n", case.name, way.name));
            continue;
        };
        let study = Study::carry_out(case, way, measurement, options)?;
        tell(report(&study)?);
        studies.push(study);
    }
    if let Some(file) = &options.json {
        write_json(file, &studies.iter().map(Study::summary).collect::<Vec<_>>())?;
    }
    if !options.no_figures {
        for (k, study) in studies.iter().enumerate() {
            figures::write(&folder.join(format!("figure_{}.svg", k + 1)), study)?;
            if let Some(refined) = &study.refined {
                refined.refined.fit.report(folder.join(format!("fit_{}.html", k + 1)))?;
            }
        }
        let pages = if options.refine { ", and pages about refined fits," } else { "" };
        tell(format!("figures{pages} in `{}`", folder.display()));
    }
    write_text(&folder.join("report.txt"), &transcript)
}

/// Reads or simulates the measurement of each experiment, with its name.
fn measurements(experiments: &[(&'static Case, Way)], options: &Options) -> Result<Vec<(&'static str, Measurement)>> {
    let mut cases: Vec<&'static Case> = Vec::new();
    for (case, _) in experiments {
        if cases.iter().all(|other| other.name != case.name) {
            cases.push(case);
        }
    }
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let files = records(options, &names)?;
    let mut measurements = Vec::new();
    for (k, case) in cases.into_iter().enumerate() {
        let measurement = match files {
            Some(files) => Measurement::read(&files[k], 1)?,
            None => Measurement::of_oscillator((case.simulate)(case.sweep)?, options)?,
        };
        if let Some(folder) = &options.write_records {
            measurement.write(&folder.join(file_name(case.name)))?;
        }
        measurements.push((case.name, measurement));
    }
    Ok(measurements)
}

fn report(study: &Study) -> Result<String> {
    let (mut text, convergence) = (String::new(), study.forces.convergence());
    let exponents = study.forces.exponents();
    writeln!(text, "{}, {}", study.case.name, study.way.name)?;
    writeln!(text, "  exponents         q_s {}, q_d {}", exponents.stiffness, exponents.damping)?;
    writeln!(
        text,
        "  convergence       e_m {:.2e}, {:.0} % of the samples converged",
        convergence.measurement_error,
        100.0 * convergence.good_part()
    )?;
    let [low, high] = study.elastic.range();
    writeln!(text, "  elastic curve     {:.2} to {:.2} µm", 1e6 * low, 1e6 * high)?;
    let [low, high] = study.dissipative.range();
    writeln!(text, "  dissipative curve {:.2} to {:.2} mm/s", 1e3 * low, 1e3 * high)?;
    writeln!(
        text,
        "  surface           {} of {} nodes, {} cells with too few samples",
        study.surface.forces.len() - study.surface.empty,
        study.surface.forces.len(),
        study.surface.sparse_cells
    )?;
    if study.case.sweep.amplitude > 0.0 {
        let errors = [&study.response, &study.coupled_response].map(|response| study.response_error(response));
        let [curves, surface] = errors.map(|percent| match percent.is_finite() {
            true => format!("error {percent:.1} %"),
            false => "cannot be simulated".to_owned(),
        });
        writeln!(text, "  response          {curves} with the curves, {surface} with the surface")?;
    }
    if let (Some(refined), Some(errors)) = (&study.refined, study.refined_errors()) {
        writeln!(text, "  refined           {}", in_words(&errors, study.measurement.truth.is_some()))?;
        for line in refined.refined.to_string().lines() {
            writeln!(text, "    {line}")?;
        }
    }
    for warning in &study.warnings {
        writeln!(text, "  warning           {warning}")?;
    }
    Ok(text)
}

/// Describes the errors of refined curves, for a known or an unknown truth.
fn in_words(errors: &RefinedErrors, is_known: bool) -> String {
    let mut response = format!("error of the response {:.1} % with the refined curves", errors.response_percent);
    if let Some(moved) = errors.response_by_steps_percent {
        response +=
            &format!(" (halving the step alone changes it by {moved:.1} %, so that it is no measure of the curves)");
    }
    match is_known {
        true => format!(
            "error of the elastic curve {:.2} % ({:.0} % within the band), of the dissipative curve {:.2} % ({:.0} \
                 %), {response}",
            errors.elastic_percent, errors.covered_percent[0], errors.dissipative_percent, errors.covered_percent[1]
        ),
        false => response,
    }
}
