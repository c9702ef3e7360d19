//! The yardsticks of Kenderi: Nonparametric identification of nonlinear dynamic systems (2018), section 1.4.2, beside
//! the filter: what noise does to the surface method and to the Hilbert transform.

mod experiment;
mod figures;
mod options;
mod study;

use std::fmt::Write;

use anyhow::Result;
use clap::Parser;
use costate_examples::{create_folder_of, say, write_json, write_text};

use experiment::experiments;
use options::Options;
use study::{Errors, Method, find};

fn main() -> Result<()> {
    let options = Options::parse();
    let mut transcript = String::new();
    let mut tell = |text: &str| {
        if !options.quiet {
            say(text);
        }
        transcript.push_str(text);
        transcript.push('\n');
    };
    let experiments = experiments()?;
    create_folder_of(&options.output.join("report.txt"))?;
    tell(
        "Curves of an additive restoring force from one sensor on the mass: errors of elastic and dissipative curve\n",
    );
    tell("                                   e_RMS% (of it bias, e_M%)        covered range");
    tell("experiment       noise  method            elastic      dissipative   z       v");
    let mut errors: Vec<Errors> = Vec::new();
    for (k, experiment) in experiments.iter().enumerate() {
        for &noise in &options.noise {
            let mut found = Vec::new();
            for method in Method::ALL {
                let name = method.name(experiment.is_free);
                match find(experiment, method, noise, options.seed) {
                    Ok(curves) => {
                        tell(&row(name, &curves.errors)?);
                        errors.push(curves.errors.clone());
                        found.push(curves);
                    }
                    Err(error) => {
                        tell(&format!("{:<15} {:>5.0} %  {name:<15}  fails: {error:#}", experiment.name, 100.0 * noise))
                    }
                }
            }
            if !options.no_figures {
                let file = format!("{}_{:.0}_percent.svg", ["sweep", "displacement", "free"][k], 100.0 * noise);
                figures::write(&options.output.join(file), experiment, noise, &found)?;
            }
        }
    }
    if let Some(file) = &options.json {
        write_json(file, &errors)?;
    }
    if !options.no_figures {
        tell(&format!("\nfigures in `{}`", options.output.display()));
    }
    write_text(&options.output.join("report.txt"), &transcript)
}

fn row(method: &str, errors: &Errors) -> Result<String> {
    let mut text = String::new();
    write!(text, "{:<15} {:>5.0} %  {method:<15}", errors.experiment, 100.0 * errors.noise)?;
    for (error, bias) in [
        (errors.elastic_percent, errors.elastic_bias_percent),
        (errors.dissipative_percent, errors.dissipative_bias_percent),
    ] {
        write!(text, "{error:>7.1} ({bias:>4.1})")?;
    }
    let [z, v] = errors.covered.map(|part| 100.0 * part);
    write!(text, "  {z:>3.0} %   {v:>3.0} %")?;
    Ok(text)
}
