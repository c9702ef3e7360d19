//! Shows how a filter for restoring forces is tuned and how it fails: sampling and transformations, the convergence
//! plot, exponents of the process noise, the lower bound of the stiffness, and where curves are valid, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), figures 2.1 to 2.10, 3.5, 3.6, 3.10 and 3.11.
//!
//! The linear oscillator of figure 2.4, the exponents for backlash and the faster sampling of figure 3.5 are chosen;
//! all other data are those of the thesis.

mod bounds;
mod convergence;
mod exponents;
mod record;
mod transformations;
mod validity;

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use costate_examples::{create_folder_of, say, write_json, write_text};
use serde::Serialize;

use bounds::BoundStudy;
use convergence::{Shown, ShownErrors};
use exponents::ExponentStudy;
use transformations::Transformations;
use validity::Validity;

/// Shows how a filter for restoring forces is tuned, and how it fails.
#[derive(Debug, Parser)]
struct Options {
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/filter_tuning")]
    output: PathBuf,
    /// Writes all errors to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// All results.
#[derive(Serialize)]
struct Summary<'a> {
    transformations: &'a Transformations,
    convergence: Vec<&'a ShownErrors>,
    exponents: &'a ExponentStudy,
    bounds: &'a BoundStudy,
    validity: &'a [Validity],
}

fn main() -> Result<()> {
    let options = Options::parse();
    let transformations = transformations::compare()?;
    let shown = convergence::runs(options.seed)?;
    let exponents = exponents::study(options.seed)?;
    let bounds = bounds::study(options.seed)?;
    let validity = validity::study(options.seed)?;
    create_folder_of(&options.output.join("report.txt"))?;
    let mut text = String::new();
    report(&mut text, &transformations, &shown)?;
    report_studies(&mut text, &exponents, &bounds)?;
    report_validity(&mut text, &validity)?;
    if !options.no_figures {
        let figures = [
            ("transformations", transformations.figure()),
            ("convergence", convergence::figure(&shown)),
            ("exponents", exponents.figure()),
            ("bounds", bounds.figure()),
            ("validity", validity::figure(&validity)),
        ];
        for (name, figure) in figures {
            figure.write(options.output.join(format!("{name}.svg")))?;
        }
        writeln!(text, "figures in `{}`", options.output.display())?;
    }
    if !options.quiet {
        say(&text);
    }
    write_text(&options.output.join("report.txt"), &text)?;
    if let Some(file) = &options.json {
        let convergence = shown.iter().map(|run| &run.errors).collect();
        let summary = Summary {
            transformations: &transformations,
            convergence,
            exponents: &exponents,
            bounds: &bounds,
            validity: &validity,
        };
        write_json(file, &summary)?;
    }
    Ok(())
}

fn report(text: &mut String, transformations: &Transformations, shown: &[Shown]) -> Result<()> {
    writeln!(text, "Error in % of a product of random variables     mean   variance")?;
    for product in &transformations.products {
        let mut row = |name: &str, [mean, variance]: [f64; 2]| {
            writeln!(
                text,
                "{} factors, {name:<24}         {:7.2}    {:7.2}",
                product.factors,
                mean.abs(),
                variance.abs()
            )
        };
        row("linearised", product.linearized)?;
        row("unscented", product.unscented)?;
        for (samples, errors) in product.monte_carlo.iter().filter(|(n, _)| [100, 1000, 10_000].contains(n)) {
            row(&format!("{samples} samples"), *errors)?;
        }
    }
    writeln!(text, "\nFilters                                e_m         e_s     stiffness: bias   rms")?;
    for Shown { errors, .. } in shown {
        let [bias, rms] = errors.stiffness.map(|error| 100.0 * error);
        write!(
            text,
            "{:<32}   {:.2e}   {:.2e}   ",
            errors.name, errors.measurement_error, errors.synchronisation_error
        )?;
        match &errors.stopped {
            Some(stopped) => writeln!(text, "{stopped}")?,
            None => writeln!(text, "{bias:10.1} % {rms:8.1} %")?,
        }
    }
    Ok(())
}

fn report_studies(text: &mut String, exponents: &ExponentStudy, bounds: &BoundStudy) -> Result<()> {
    writeln!(text, "\nq_s   q_d   errors in %: elastic, direct   sliced   dissipative, direct   sliced")?;
    for trial in exponents.trials.iter().filter(|trial| trial.damping_exponent.fract() == 0.0) {
        let percent = |error: Option<f64>| match error {
            Some(error) if error < 1000.0 => format!("{error:.1}"),
            Some(_) => "> 1000".to_owned(),
            None => "-".to_owned(),
        };
        writeln!(
            text,
            "{:3.1}   {:3.1}   {:>28}   {:>6}   {:>19}   {:>6}",
            trial.stiffness_exponent,
            trial.damping_exponent,
            percent(trial.elastic_direct),
            percent(trial.elastic_sliced),
            percent(trial.dissipative_direct),
            percent(trial.dissipative_sliced)
        )?;
    }
    for (name, errors) in [("accelerations", &bounds.accelerations), ("displacements", &bounds.displacements)] {
        writeln!(text, "\nLower bound, from {name}   deformation: bias   rms   stiffness: bias   rms")?;
        for at in errors.iter().step_by(2) {
            let [[a, b], [c, d]] = [at.deformation, at.stiffness];
            writeln!(text, "{:11.3}   {a:41.3} {b:5.3}   {c:15.3} {d:5.3}", at.bound)?;
        }
    }
    Ok(())
}

fn report_validity(text: &mut String, validity: &[Validity]) -> Result<()> {
    writeln!(
        text,
        "\nCurves from   at       deformation, rate up to   damping       sweep      response off   beyond the curves"
    )?;
    let highest = |[low, high]: [f64; 2]| high.max(-low);
    for at in validity {
        let error = match at.measured_percent < 1000.0 {
            true => format!("{:.1} %", at.measured_percent),
            false => "> 1000 %".to_owned(),
        };
        writeln!(
            text,
            "{:<11}{:>4.0} kHz{:>9.2} µm, {:.2} mm/s{:>12.0} N s/m   {:<10}{error:>13}{:>11.1} % of the time{}",
            at.identified,
            1e-3 / at.interval,
            1e6 * highest(at.elastic_range),
            1e3 * highest(at.dissipative_range),
            at.slope,
            at.simulated,
            100.0 * at.beyond_elastic.max(at.beyond_dissipative),
            if at.is_accurate { "" } else { ", not the same with half the steps" }
        )?;
    }
    for at in validity.iter().filter(|at| at.identified == at.simulated && at.interval == validity[0].interval) {
        let (z, v) = (1e6 * highest(at.deformations), 1e3 * highest(at.rates));
        writeln!(text, "The {} sweep goes up to {z:.2} µm and {v:.2} mm/s.", at.identified)?;
    }
    text.push_str(
        "KE: the forward curves are not completely valid for the backward sweep, the backward curves serve both. \
             Noise is 5 % of each \
         error; the damper is 250 N s/m.\n\n",
    );
    Ok(())
}
