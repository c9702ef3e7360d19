//! The time of interpreted models over that of compiled ones: strict runs and gradients, in turn.

use std::path::Path;
use std::time::Instant;

#[cfg(feature = "mechanisms")]
use anyhow::Context;
use anyhow::Result;
use costate::Simulation;
use costate::interpreted::LoadedModel;
use costate::model::Differentiable;
use costate::simulate::{Problem, Series};
use costate_compiler::{Arguments, ModelFile};
use costate_examples::say;
use costate_speed::strict;

/// A model in both forms.
pub struct Pair {
    name: &'static str,
    compiled: &'static dyn Differentiable,
    loaded: LoadedModel,
    parameters: Vec<f64>,
    unknown: Vec<&'static str>,
}

/// Loads a model from the text of its source.
///
/// # Errors
/// A file that cannot be read, and mistakes in the model.
pub fn load(file: &str, name: Option<&str>) -> Result<LoadedModel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let file = ModelFile::read(path).map_err(costate::interpreted::LoadError::from)?;
    Ok(LoadedModel::of_file(&file, name, &Arguments::new())?)
}

impl Pair {
    /// Takes a model at the values of its parameters, of which the first four are unknown.
    pub fn new<M: costate::Model>(name: &'static str, model: &M, loaded: LoadedModel) -> Self {
        let parameters = model.parameters().as_ref().to_vec();
        let unknown = M::description().parameters.iter().take(4).map(|parameter| parameter.name).collect();
        Self { name, compiled: M::differentiable(), loaded, parameters, unknown }
    }

    /// Takes these unknown parameters.
    pub fn with_unknown(self, unknown: Vec<&'static str>) -> Self {
        Self { unknown, ..self }
    }

    /// Measures runs and gradients of the simulations that `describe` completes, and prints the ratios.
    ///
    /// # Errors
    /// Those of the runs.
    pub fn measure(
        &self,
        runs: usize,
        describe: impl Fn(&'static dyn Differentiable, Simulation) -> Result<Simulation>,
    ) -> Result<[f64; 2]> {
        let systems = [self.compiled, self.loaded.system()];
        let mut problems = Vec::new();
        for system in systems {
            let simulation = Simulation::of(system, self.parameters.clone());
            problems.push(describe(system, simulation)?.newton(strict()).problem()?);
        }
        let mut ratios = [Vec::new(), Vec::new()];
        let mut compiled = [Vec::new(), Vec::new()];
        for _ in 0..runs.max(1) {
            let mut times = [[0.0; 2]; 2];
            for ((system, problem), times) in systems.into_iter().zip(&problems).zip(&mut times) {
                *times = self.once(system, problem)?;
            }
            for kind in 0..2 {
                ratios[kind].push(times[1][kind] / times[0][kind]);
                compiled[kind].push(times[0][kind] / problems[0].steps() as f64 * 1e6);
            }
        }
        let [forward, backward] = ratios.map(median);
        let [of_run, of_gradient] = compiled.map(median);
        say(format!("{:<16} {of_run:>9.3} {of_gradient:>9.3} {forward:>12.1} {backward:>12.1}", self.name));
        Ok([forward, backward])
    }

    /// Times of a strict run and of the gradient of half the sum of the squares of its first output, in s.
    fn once(&self, system: &'static dyn Differentiable, problem: &Problem) -> Result<[f64; 2]> {
        let begin = Instant::now();
        let run = system.forward(problem, &self.parameters)?;
        let forward = begin.elapsed().as_secs_f64();
        let outputs = system.outputs_of(&run);
        let mut by_outputs = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        for i in 0..outputs.samples() {
            by_outputs.row_mut(i)[0] = outputs.row(i)[0];
        }
        let unknown: Result<Vec<usize>, _> =
            self.unknown.iter().map(|name| system.parameter(name).map(|parameter| parameter.index())).collect();
        let begin = Instant::now();
        system.gradients(problem, (&run).into(), &[&by_outputs], &unknown?)?;
        Ok([forward, begin.elapsed().as_secs_f64()])
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Writes the heading of the table.
pub fn heading() {
    say(format!(
        "\n{:<16} {:>9} {:>9} {:>12} {:>12}\n{:<16} {:>9} {:>9} {:>12} {:>12}",
        "interpreted", "strict", "gradient", "strict", "gradient", "", "us/step", "us/step", "/ compiled", "/ compiled"
    ));
}

/// Measures a mechanism at its defaults.
///
/// # Errors
/// Those of the runs.
#[cfg(feature = "mechanisms")]
pub fn at_defaults(pair: &Pair, (step, end): (f64, f64), runs: usize) -> Result<[f64; 2]> {
    pair.measure(runs, |_, simulation| Ok(simulation.step(step).until(end)))
}

/// Takes the model out of a macro, with its variables replaced.
///
/// # Errors
/// A file that cannot be read, has no such macro, or has mistakes.
#[cfg(feature = "mechanisms")]
pub fn load_from_macro(file: &str, variables: &[(&str, &str)]) -> Result<LoadedModel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = std::fs::read_to_string(&path)?;
    let begin = text.find("costate::model! {").context("no model in the macro")?;
    let end = text.rfind("    };\n").context("no end of the macro")?;
    let mut model = text[begin..end].to_owned();
    for (variable, value) in variables {
        model = model.replace(variable, value);
    }
    let file = ModelFile::from_text(path, model).map_err(costate::interpreted::LoadError::from)?;
    Ok(LoadedModel::of_file(&file, None, &Arguments::new())?)
}
