//! Common parts of the programs: search, repeated identification, report, figures.

use std::process::ExitCode;

use anyhow::Result;
use costate::Model;
use costate::experiment::{
    DesignMember, OptimalExperiment, OptimalInputError, Repetitions, RepetitionsError, Sensitivities,
};
use costate_examples::{INTERRUPTED, create_folder_of, say, stop_on_ctrl_c, write_json, write_text};
use serde::Serialize;

use crate::case::Case;
use crate::figures;
use crate::options::Options;

/// An input with its name and the estimates at each noise level.
pub struct Compared<M: Model> {
    pub name: &'static str,
    pub problem: costate::simulate::Problem,
    /// Standard deviation of the noise, and the estimates with it.
    pub repeated: Vec<(f64, Repetitions<M>)>,
}

/// Runs the whole program.
pub fn run<M: Model>(case: &Case<M>, options: &Options) -> Result<ExitCode> {
    let interrupt = stop_on_ctrl_c()?;
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let folder = options.output.join(case.key);
    create_folder_of(&folder.join("report.txt"))?;
    tell(format!("{}\n", case.heading));

    let members = match case.search(&interrupt)?.multistart(options.starts, options.seed, |_| ()) {
        Err(OptimalInputError::Interrupted(stopped)) => {
            tell(stopped.to_string());
            return Ok(ExitCode::from(INTERRUPTED));
        }
        members => members?,
    };
    tell(starts(&members));
    let Some(best) = members.into_iter().next() else { return Err(OptimalInputError::NoStarts.into()) };
    let found = best.outcome?;
    tell(format!("{found}\n"));

    let mut inputs = vec![("first input", found.start_problem().clone())];
    if let Some((name, signal)) = case.other {
        let mut samples: Vec<_> = found.problem().inputs().rows().map(<[f64]>::to_vec).collect();
        for (i, row) in samples.iter_mut().enumerate() {
            row[case.input.index()] = signal(i as f64 * case.step);
        }
        inputs.push((name, found.problem().clone().with_inputs(samples)?));
    }
    if case.as_printed {
        match case.search_as_printed(&interrupt)?.run() {
            Err(OptimalInputError::Interrupted(stopped)) => {
                tell(stopped.to_string());
                return Ok(ExitCode::from(INTERRUPTED));
            }
            printed => {
                let printed = printed?;
                tell(format!("with -tr M of the parameters in their units, (5.8) as printed\n{printed}\n"));
                inputs.push(("optimal input of (5.8)", printed.problem().clone()));
            }
        }
    }
    inputs.push(("optimal input", found.problem().clone()));

    let mut compared = Vec::new();
    for (name, problem) in inputs {
        let mut repeated = Vec::new();
        for &deviation in &case.noise {
            match case.repeat(&problem, deviation, options, &interrupt) {
                Err(RepetitionsError::Interrupted(stopped)) => {
                    tell(stopped.to_string());
                    return Ok(ExitCode::from(INTERRUPTED));
                }
                result => repeated.push((deviation, result?)),
            }
        }
        for (deviation, repetitions) in &repeated {
            let unit = case.output.quantity().unit;
            tell(format!("{name}, noise {deviation:e} {unit}\n{repetitions}\n"));
        }
        compared.push(Compared { name, problem, repeated });
    }
    if let Some(file) = &options.json {
        write_json(file, &Summary::new(case, &found, &compared)?)?;
    }
    if !options.no_figures {
        figures::write(&folder, case, &found, &compared, options.seed)?;
        tell(format!("figures in `{}`", folder.display()));
    }
    write_text(&folder.join("report.txt"), &transcript)?;
    Ok(ExitCode::SUCCESS)
}

/// Lists the results of the starts.
fn starts<M: Model>(members: &[DesignMember<M>]) -> String {
    let line = |member: &DesignMember<M>| match &member.outcome {
        Ok(found) if found.keeps() => format!("  start {:2}  Phi = {:.6e}", member.number, found.cost()),
        Ok(found) => {
            format!("  start {:2}  end conditions violated by {:.1e}", member.number, found.violation())
        }
        Err(error) => format!("  start {:2}  {error}", member.number),
    };
    let lines: Vec<_> = members.iter().map(line).collect();
    format!("search from {} starts, the first input is start 0\n{}\n", members.len(), lines.join("\n"))
}

/// The result that is written to a file.
#[derive(Debug, Serialize)]
struct Summary {
    criterion: String,
    cost_start: f64,
    cost: f64,
    iterations: usize,
    evaluations: usize,
    seconds: f64,
    /// |value - target| at the end, relative to the largest magnitude of the quantity in the optimal experiment.
    end_deviations: Vec<EndSummary>,
    inputs: Vec<InputSummary>,
}

#[derive(Debug, Serialize)]
struct EndSummary {
    name: String,
    value: f64,
    target: f64,
    relative: f64,
}

#[derive(Debug, Serialize)]
struct InputSummary {
    name: &'static str,
    noise: f64,
    repetitions: usize,
    failures: usize,
    parameters: Vec<ParameterSummary>,
}

#[derive(Debug, Serialize)]
struct ParameterSummary {
    name: &'static str,
    value: f64,
    mean: f64,
    standard_deviation: f64,
    bound: f64,
}

impl Summary {
    fn new<M: Model>(case: &Case<M>, found: &OptimalExperiment<M>, compared: &[Compared<M>]) -> Result<Self> {
        let ends = found.ends().iter().map(|end| EndSummary {
            name: end.name.clone(),
            value: end.value,
            target: end.target,
            relative: end.relative(),
        });
        let mut inputs = Vec::new();
        for input in compared {
            for (noise, repeated) in &input.repeated {
                let (means, deviations) = (repeated.means(), repeated.standard_deviations());
                let bounds = repeated.information().standard_deviations();
                let parameters = repeated.information().parameters().iter().enumerate();
                inputs.push(InputSummary {
                    name: input.name,
                    noise: *noise,
                    repetitions: repeated.estimates().count(),
                    failures: repeated.failures().count(),
                    parameters: parameters
                        .map(|(k, known)| ParameterSummary {
                            name: known.name(),
                            value: known.value,
                            mean: means[k],
                            standard_deviation: deviations[k],
                            bound: bounds[k],
                        })
                        .collect(),
                });
            }
        }
        let start = Sensitivities::simulate(found.start_problem(), &case.model, case.unknown.iter().copied())?;
        let start = start.information(&case.noise(case.noise[0])?)?;
        Ok(Self {
            criterion: case.criterion.to_string(),
            cost_start: start.criterion(case.criterion)?,
            cost: found.cost(),
            iterations: found.history().len().saturating_sub(1),
            evaluations: found.evaluations(),
            seconds: found.elapsed().as_secs_f64(),
            end_deviations: ends.collect(),
            inputs,
        })
    }
}
