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

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, Table};
use serde::Serialize;

use bounds::{BoundErrors, BoundStudy};
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
    #[command(flatten)]
    outputs: Outputs,
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

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let transformations = transformations::compare()?;
    let shown = convergence::runs(options.seed)?;
    let exponents = exponents::study(options.seed)?;
    let bounds = bounds::study(options.seed)?;
    let validity = validity::study(options.seed)?;
    program.tell(report_transformations(&transformations));
    program.tell(report_filters(&shown));
    program.tell(report_exponents(&exponents));
    for (name, errors) in [("accelerations", &bounds.accelerations), ("displacements", &bounds.displacements)] {
        program.tell(report_bounds(name, errors));
    }
    program.tell(report_validity(&validity));
    program.figures(|folder| {
        let figures = [
            ("transformations", transformations.figure()),
            ("convergence", convergence::figure(&shown)),
            ("exponents", exponents.figure()),
            ("bounds", bounds.figure()),
            ("validity", validity::figure(&validity)),
        ];
        Ok(figures.iter().try_for_each(|(name, figure)| figure.write(folder.join(format!("{name}.svg"))))?)
    })?;
    program.json(&Summary {
        transformations: &transformations,
        convergence: shown.iter().map(|run| &run.errors).collect(),
        exponents: &exponents,
        bounds: &bounds,
        validity: &validity,
    })?;
    program.end()
}

fn report_transformations(transformations: &Transformations) -> Table {
    let mut table = Table::new(["error in % of a product of random variables", "mean", "variance"]);
    for product in &transformations.products {
        let is_shown = |(samples, _): &&(usize, [f64; 2])| [100, 1000, 10_000].contains(samples);
        let monte_carlo = product.monte_carlo.iter().filter(is_shown);
        let ways = [("linearised".to_owned(), product.linearized), ("unscented".to_owned(), product.unscented)];
        for (name, errors) in
            ways.into_iter().chain(monte_carlo.map(|(samples, errors)| (format!("{samples} samples"), *errors)))
        {
            let [mean, variance] = errors.map(|error| format!("{:.2}", error.abs()));
            table = table.row([format!("{} factors, {name}", product.factors), mean, variance]);
        }
    }
    table
}

fn report_filters(shown: &[Shown]) -> Table {
    let headings = ["filter", "e_m", "e_s", "stiffness: bias", "root mean square"];
    shown.iter().fold(Table::new(headings), |table, Shown { errors, .. }| {
        let [e_m, e_s] = [errors.measurement_error, errors.synchronisation_error].map(|error| format!("{error:.2e}"));
        let [bias, rms] = errors.stiffness.map(|error| format!("{:.1} %", 100.0 * error));
        match &errors.stopped {
            Some(stopped) => table.row([errors.name, &e_m, &e_s, stopped]),
            None => table.row([errors.name, &e_m, &e_s, &bias, &rms]),
        }
    })
}

fn report_exponents(exponents: &ExponentStudy) -> Table {
    let percent = |error: Option<f64>| match error {
        Some(error) if error < 1000.0 => format!("{error:.1}"),
        Some(_) => "> 1000".to_owned(),
        None => "-".to_owned(),
    };
    let headings = ["q_s", "q_d", "errors in %: elastic, direct", "sliced", "dissipative, direct", "sliced"];
    let shown = exponents.trials.iter().filter(|trial| trial.damping_exponent.fract() == 0.0);
    shown.fold(Table::new(headings), |table, trial| {
        let exponents = [trial.stiffness_exponent, trial.damping_exponent].map(|exponent| format!("{exponent:.1}"));
        let elastic = [trial.elastic_direct, trial.elastic_sliced];
        let dissipative = [trial.dissipative_direct, trial.dissipative_sliced];
        table.row(exponents.into_iter().chain(elastic.into_iter().chain(dissipative).map(percent)))
    })
}

fn report_bounds(sensor: &str, errors: &[BoundErrors]) -> Table {
    let lower_bound = format!("lower bound, from {sensor}");
    let headings = [&lower_bound, "deformation: bias", "rms", "stiffness: bias", "rms"];
    errors.iter().step_by(2).fold(Table::new(headings), |table, at| {
        let numbers = std::iter::once(at.bound).chain(at.deformation).chain(at.stiffness);
        table.row(numbers.map(|number| format!("{number:.3}")))
    })
}

fn report_validity(validity: &[Validity]) -> String {
    let highest = |[low, high]: [f64; 2]| high.max(-low);
    let reach = |z: [f64; 2], v: [f64; 2]| format!("{:.2} µm, {:.2} mm/s", 1e6 * highest(z), 1e3 * highest(v));
    let headings = ["curves from", "at", "up to", "damping", "sweep", "response off", "time beyond the curves", ""];
    let mut table = Table::new(headings);
    for at in validity {
        let error = match at.measured_percent < 1000.0 {
            true => format!("{:.1} %", at.measured_percent),
            false => "> 1000 %".to_owned(),
        };
        table = table.row([
            at.identified,
            &format!("{:.0} kHz", 1e-3 / at.interval),
            &reach(at.elastic_range, at.dissipative_range),
            &format!("{:.0} N s/m", at.slope),
            at.simulated,
            &error,
            &format!("{:.1} %", 100.0 * at.beyond_elastic.max(at.beyond_dissipative)),
            if at.is_accurate { "" } else { "not the same with half the steps" },
        ]);
    }
    let is_own = |at: &&Validity| at.identified == at.simulated && at.interval == validity[0].interval;
    let sweeps = validity.iter().filter(is_own);
    let sweeps: String = sweeps
        .map(|at| format!("The {} sweep goes up to {}.\n", at.identified, reach(at.deformations, at.rates)))
        .collect();
    format!(
        "{table}{sweeps}KE: the forward curves are not completely valid for the backward sweep, the backward curves \
         are for both. Noise is 5 % of each\nerror; the damper is 250 N s/m.\n"
    )
}
