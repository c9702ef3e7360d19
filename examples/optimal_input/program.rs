//! Common parts of the programs: search, repeated identification, report, figures.

mod case;
mod figures;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Model;
use costate::experiment::{
    DesignMember, OptimalExperiment, OptimalInputError, Repetitions, RepetitionsError, Sensitivities,
};
use costate_examples::{Outputs, stop_on_ctrl_c};
use serde::Serialize;

pub use case::Case;

/// Finds the input with which an experiment says most of unknown parameters, and identifies them many times from
/// simulated measurements with the first input and with the optimal one.
#[derive(Debug, Parser)]
pub struct Options {
    /// Starts of the search: the first input and random ones
    #[arg(long, value_name = "N", default_value_t = 5)]
    starts: usize,
    /// Number of identifications with each input
    #[arg(long, value_name = "N", default_value_t = 200)]
    repetitions: usize,
    /// Seed of the random starts and of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

/// An input with its name and the estimates at each noise level.
pub struct Compared<M: Model> {
    pub name: &'static str,
    pub problem: costate::simulate::Problem,
    /// Standard deviation of the noise, and the estimates with it.
    pub repeated: Vec<(f64, Repetitions<M>)>,
}

/// Runs the whole program.
pub fn run<M: Model>(case: &Case<M>) -> Result<ExitCode> {
    let options = &Options::parse();
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    program.tell(format!("{}\n", case.heading));

    let members = match case.search(&interrupt)?.multistart(options.starts, options.seed, |_| ()) {
        Err(OptimalInputError::Interrupted(stopped)) => {
            return Ok(program.stopped(stopped));
        }
        members => members?,
    };
    program.tell(starts(&members));
    let Some(best) = members.into_iter().next() else { return Err(OptimalInputError::NoStarts.into()) };
    let found = best.outcome?;
    program.tell(format!("{found}\n"));

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
                return Ok(program.stopped(stopped));
            }
            printed => {
                let printed = printed?;
                program.tell(format!("with -tr M of the parameters in their units, (5.8) as printed\n{printed}\n"));
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
                    return Ok(program.stopped(stopped));
                }
                result => repeated.push((deviation, result?)),
            }
        }
        for (deviation, repetitions) in &repeated {
            let unit = case.output.quantity().unit;
            program.tell(format!("{name}, noise {deviation:e} {unit}\n{repetitions}\n"));
        }
        compared.push(Compared { name, problem, repeated });
    }
    program.json(&Summary::new(case, &found, &compared)?)?;
    program.figures(|folder| figures::write(folder, case, &found, &compared, options.seed))?;
    program.end()
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
