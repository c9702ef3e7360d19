//! `costate fmu`: a model as a unit of FMI 3.0, for Model Exchange and Co-Simulation, with exact derivatives.

mod archive;
mod description;
mod library;
mod tables;
mod variables;

use std::path::{Path, PathBuf};

use clap::Args;
use costate::command::{IndependentError, IndependentMotion, Instant, StateVectors};
use costate::model::Input;
use costate::simulate::{Problem, Scheme, Simulation};
use costate_compiler::FileError;
use costate_compiler::symbolic::{Id, Symbol};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::CommandError;
use crate::interrupt;
use crate::loaded::{Loaded, load_from};
use crate::options::{ParameterOptions, check_ending, positive, scheme};
use crate::selection::Selection;
use crate::{output, report};
use archive::Archive;
use description::Head;
use library::VERSION;
use variables::Variables;

/// The step of Co-Simulation in s where none is given, which resolves vibrations up to about 50 Hz.
const DEFAULT_STEP: f64 = 1e-3;

/// The model, its steps, and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    parameters: ParameterOptions,
    /// A CSV file with the data of a table, which the unit keeps: `damper=damper.csv`. Can be given several times.
    #[arg(long, value_name = "NAME=FILE", value_parser = tables::table)]
    table: Vec<(String, PathBuf)>,
    /// The file to write, `.fmu`.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Length in s of the steps that the unit makes in Co-Simulation; 0.001 without this.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    step: Option<f64>,
    /// The allowed error of a step in Co-Simulation, relative to the largest positions: steps are adaptive, and those
    /// of `--step` the longest. An importer's own tolerance replaces it.
    #[arg(long, value_name = "T", value_parser = positive)]
    tolerance: Option<f64>,
    /// Length in s of the experiment that the unit proposes.
    #[arg(long, value_name = "SECONDS", value_parser = positive, default_value_t = 1.0)]
    until: f64,
    /// The scheme of the steps in Co-Simulation: `alpha:RHO` generalized alpha with this damping (`alpha:0.8` is the
    /// default), `hht:ALPHA` (`hht:-0.1`), or `undamped`.
    #[arg(long, value_name = "SCHEME", value_parser = scheme)]
    scheme: Option<Scheme>,
    /// The library to put into the unit; without it, that in the folder of the command, or in `../lib` beside it.
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Compiles the model into the library by cargo: the unit does the same, and its steps take a third to three
    /// quarters of the time
    ///
    /// Needs cargo, and the sources from which the command was built, or those in the folder of the environment
    /// variable COSTATE_SOURCE. The first build takes minutes. Libraries are kept in costate/compiled of the user's
    /// cache, and made again where the model or the sources have changed.
    #[arg(long, conflicts_with = "library")]
    compiled: bool,
}

/// The equations of Model Exchange at the start, or the reason why there are none.
type Equations = Result<(IndependentMotion, Vec<f64>), IndependentError>;

/// Writes the unit.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    check_ending(Some(&options.output), &[".fmu"])?;
    let file = options.selection.read()?;
    let loaded = load_from(&file, &options.selection)?;
    let parameters = options.parameters.values(&loaded)?;
    let (step, scheme) = (options.step.unwrap_or(DEFAULT_STEP), options.scheme.unwrap_or_default());
    let problem = problem(&loaded, &parameters, &options.table, (step, scheme))?;
    let start = loaded.system.initial_state(&problem, &parameters).map_err(costate::simulate::SimulationError::from)?;
    let equations = equations(&loaded, &problem, &parameters, &start);
    output::check([options.output.as_path()])?;
    let library = match options.compiled {
        true => library::compiled(&file, &options.selection)?,
        false => library::read(options.library.as_deref())?,
    };

    let model = &loaded.compiled.model;
    let name = model.name.to_string();
    let identifier: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let motion = equations.as_ref().ok();
    let variables = Variables::of(&loaded.compiled, &parameters, motion.map(|(motion, start)| (motion, &**start)));
    let digest = loaded.system.description().digest.unwrap_or_default();
    let token = format!("{digest}-{VERSION}");
    let head = Head {
        name: &name,
        identifier: &identifier,
        documentation: &model.documentation,
        token: &token,
        step,
        tolerance: options.tolerance,
        end: options.until,
        structure: motion.map(|(motion, _)| motion.structure(loaded.system.description())),
        of_time: depends_on_time(&loaded),
    };
    let mut archive = Contents::default();
    archive.add("modelDescription.xml", description::write(&head, &variables).as_bytes())?;
    archive.add(&library::entry(&identifier), &library)?;
    let names = model.file_names(Some(file.folder()));
    let copies: Vec<(String, String)> =
        names.iter().enumerate().map(|(number, name)| (name.clone(), format!("files/{number}"))).collect();
    for (name, copy) in &copies {
        archive.add(&format!("resources/{copy}"), &read(&file.folder().join(name))?)?;
    }
    let mut tables = Vec::new();
    for (number, (name, path)) in options.table.iter().enumerate() {
        let (copy, contents) = (format!("tables/{number}.csv"), read(path)?);
        archive.add(&format!("resources/{copy}"), &contents)?;
        tables.push((name, copy, archive::checksum(&contents)));
    }
    // the name tells the text of a model from Rust with models
    let text = if file.path().extension().is_some_and(|ending| ending == "rs") { "model.rs" } else { "model.model" };
    archive.add(&format!("resources/{text}"), file.text().as_bytes())?;
    let arguments: Vec<(String, String)> =
        options.selection.set.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let settings = json!({
        "version": VERSION,
        "token": token,
        "digest": digest,
        "file": text,
        "model": name,
        "arguments": arguments,
        "files": copies,
        "tables": tables,
        "step": step,
        "tolerance": options.tolerance,
        "scheme": scheme,
        "parameters": parameters,
        "independent": motion.map(|(motion, _)| motion.positions()),
        "references": variables.references(),
    });
    archive.add("resources/costate.json", format!("{settings:#}\n").as_bytes())?;
    archive.add("documentation/index.html", report::html(&loaded.compiled).as_bytes())?;
    archive.add("documentation/licenses/license.txt", LICENSE.as_bytes())?;
    archive.add("documentation/licenses/crates.txt", include_bytes!("licenses.txt"))?;
    archive.add("documentation/licenses/MIT.txt", include_bytes!("../../LICENSE-MIT"))?;
    archive.add("documentation/licenses/Apache-2.0.txt", include_bytes!("../../LICENSE-APACHE"))?;
    archive.add("extra/org.costate/costate.h", include_bytes!("costate.h"))?;
    let bytes = archive.0.finish().map_err(Contents::unwritable)?;
    interrupt::at_once();
    output::not_an_input(&options.output)?;
    costate::command::files::write(&options.output, &bytes)
        .map_err(|source| FileError::Unwritable { path: options.output.clone(), source })?;
    Ok(answer(options, step, &equations, bytes.len()))
}

/// The text about licences.
const LICENSE: &str = "The library in `binaries` is costate, licensed under MIT or Apache-2.0 at your choice; \
    crates.txt has the licences of the crates in it. The model in `resources` has the licence of its authors.\n";

fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    let contents = costate::command::files::read(path);
    Ok(contents.map_err(|source| FileError::Unreadable { path: path.to_owned(), source: source.into() })?)
}

/// The entries of the unit.
#[derive(Debug, Default)]
struct Contents(Archive);

impl Contents {
    fn add(&mut self, name: &str, contents: &[u8]) -> Result<(), CommandError> {
        self.0.add(name, contents).map_err(Self::unwritable)
    }

    fn unwritable(source: std::io::Error) -> CommandError {
        FileError::Unwritable { path: PathBuf::from("the unit"), source }.into()
    }
}

/// Prepares the start of the model with inputs that are 0.
fn problem(
    loaded: &Loaded,
    parameters: &[f64],
    tables: &[(String, PathBuf)],
    (step, scheme): (f64, Scheme),
) -> Result<Problem, CommandError> {
    let mut simulation = Simulation::of(loaded.system, parameters).scheme(scheme).step(step).until(step);
    for input in Input::each_of(loaded.system.description()) {
        simulation = simulation.input(input, 0.0);
    }
    let problem = tables::with_data(simulation, loaded, tables)?.error_limit(None).problem()?;
    problem.check_start(parameters)?;
    Ok(problem)
}

/// Chooses independent coordinates at the start, and tries the equations there.
fn equations(loaded: &Loaded, problem: &Problem, parameters: &[f64], start: &[f64]) -> Equations {
    let description = loaded.system.description();
    let state = StateVectors::of_stored(description.coordinates.len(), start);
    let inputs = vec![0.0; description.inputs.len()];
    let mut found = Err(IndependentError::Number { given: 0, expected: 0 });
    loaded.system.with_equations(problem, parameters, &mut |equations| {
        let at = Instant { time: 0.0, state: &state, inputs: &inputs };
        found = IndependentMotion::choose(equations, at).and_then(|motion| {
            let states = motion.state(&state);
            let evaluated = motion.evaluate(equations, (0.0, &inputs), &states, &state)?;
            motion.jacobian(equations, Instant { state: &evaluated, ..at })?;
            Ok((motion, states))
        });
    });
    found
}

/// Returns true if equations or outputs have the time itself in them.
fn depends_on_time(loaded: &Loaded) -> bool {
    let (model, terms) = (&loaded.compiled.model, &loaded.compiled.equations);
    let mut roots: Vec<Id> = Vec::new();
    for part in [&terms.inertia, &terms.constraint_force, &terms.force, &terms.constraint, &model.output] {
        roots.extend(part);
    }
    loaded.compiled.graph.symbols_of(&roots).contains(&Symbol::Time)
}

fn answer(options: &Options, step: f64, equations: &Equations, bytes: usize) -> Answer {
    let mut text = format!(
        "`{}` is written: {:.1} MB, Co-Simulation with steps of {step} s",
        options.output.display(),
        bytes as f64 / 1e6
    );
    if let Some(tolerance) = options.tolerance {
        text += &format!(" at most, adaptive with the tolerance {tolerance:e}");
    }
    let reason: Option<String> = equations.as_ref().err().map(ToString::to_string);
    let states = equations.as_ref().map_or(0, |(motion, _)| motion.states());
    text += &match &reason {
        None => format!(", and Model Exchange with {states} states\n"),
        Some(reason) => format!("\nno Model Exchange: {reason}\n"),
    };
    let json = json!({
        "file": options.output,
        "bytes": bytes,
        "step": step,
        "tolerance": options.tolerance,
        "states": equations.is_ok().then_some(states),
        "without_model_exchange": reason.map_or(Value::Null, Value::from),
    });
    Answer::new(text, json)
}
