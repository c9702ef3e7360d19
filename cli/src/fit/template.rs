//! `costate fit --template`: a campaign file for a model, with every field that a campaign may have.
//!
//! Lines that begin with `#` and a blank explain; lines that begin with `#` and anything else are fields that are
//! switched on by removing the `#`. All of them together are a campaign as well.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use costate_contract::Quantity;
use serde_json::json;

use super::campaign::error::{CampaignError, Fault};
use super::campaign::fields::{self, Field};
use super::campaign::place::{Place, Text};
use super::campaign::remedies::key;
use super::source::Source;
use crate::answer::Answer;
use crate::error::CommandError;
use crate::loaded::{Loaded, load};
use crate::output::write;

/// Writes or prints the template.
///
/// # Errors
/// Errors of the model, unknowns that it does not have, and a file that cannot be written.
pub fn run(source: &Source, output: Option<&Path>) -> Result<Answer, CommandError> {
    let selection = &source.bench.selection;
    if source.is_campaign() {
        return Err(CommandError::TemplateOfCampaign(selection.file.clone()));
    }
    let loaded = load(selection)?;
    let arguments = selection.set.iter().map(|(name, value)| format!("{name} = {value}"));
    let template = Template {
        file: seen_from(output, &selection.file),
        arguments: arguments.collect::<Vec<_>>().join(", "),
        record: source.bench.record.as_ref().map_or("bench.csv".to_owned(), |record| seen_from(output, record)),
        unknown: &source.unknown,
    };
    let text = template.text(&loaded)?;
    let answer = json!({ "file": output, "template": text });
    match output {
        None => Ok(Answer::new(text, answer)),
        Some(path) => {
            write(path, &text)?;
            let named = std::iter::once(&selection.file).chain(&source.bench.record);
            let allowed = allowed(path, named.map(PathBuf::as_path));
            let shown = path.display();
            Ok(Answer::new(format!("`{shown}` is written: `costate fit {shown}{allowed}` runs it\n"), answer))
        }
    }
}

/// Returns the options with which a campaign may name files of other folders than its own.
fn allowed<'p>(campaign: &Path, files: impl Iterator<Item = &'p Path>) -> String {
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in files {
        let folder = costate_contract::files::resolved(file).parent().map(Path::to_path_buf).unwrap_or_default();
        if !Text::new(campaign, "", &folders).may_name(file) {
            folders.push(folder);
        }
    }
    folders.iter().map(|folder| format!(" --allow-files {}", folder.display())).collect()
}

/// Returns a path as it is seen from the folder of the file that is written.
fn seen_from(output: Option<&Path>, path: &Path) -> String {
    let folder =
        output.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty() && *folder != Path::new("."));
    let seen = match folder {
        None => path.to_owned(),
        Some(folder) => match path.strip_prefix(folder) {
            Ok(inside) => inside.to_owned(),
            Err(_) => std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path)),
        },
    };
    seen.to_string_lossy().replace('\\', "/")
}

/// The parts of a template, beside the model.
#[derive(Debug)]
pub struct Template<'t> {
    /// The file of the model, from the folder of the campaign.
    pub file: String,
    /// Values of structural arguments, as fields in a table.
    pub arguments: String,
    /// The file of the record, from the folder of the campaign.
    pub record: String,
    /// The parameters that are to be found; the first stiffness or the like if there are none.
    pub unknown: &'t [String],
}

/// The text for `{name}` in examples.
type Names = Vec<(&'static str, String)>;

impl Template<'_> {
    /// Returns the text.
    ///
    /// # Errors
    /// [`Fault::UnknownName`] for an unknown that the model does not have.
    pub fn text(&self, loaded: &Loaded) -> Result<String, CampaignError> {
        let model = loaded.system.description();
        let unknown = self.unknown(model.parameters)?;
        let first =
            |quantities: &[Quantity], none: &str| quantities.first().map_or(none.to_owned(), |one| one.name.to_owned());
        let names: Names = vec![
            ("{model}", model.name.to_owned()),
            ("{record}", self.record.clone()),
            ("{parameter}", unknown.first().cloned().unwrap_or_default()),
            ("{output}", first(model.outputs, "output")),
            ("{output_unit}", model.outputs.first().map_or("1", |output| output.unit).to_owned()),
            ("{input}", first(model.inputs, "input")),
        ];
        let mut text =
            format!("# A campaign of `{}`, for `costate fit` and `costate profiles`.\n{INTRODUCTION}", model.name);
        self.model(&mut text, &names);
        parameters(&mut text, loaded);
        heading(&mut text, "run", false);
        all_fields(&mut text, fields::RUN, &names);
        optional_section(&mut text, "reading", fields::READING, &names);
        self.experiment(&mut text, &names);
        for parameter in model.parameters {
            let is_on = unknown.iter().any(|name| name == parameter.name);
            unknown_section(&mut text, parameter, value_of(loaded, parameter), is_on);
        }
        for input in model.inputs {
            let mut names = names.clone();
            names.retain(|(name, _)| *name != "{input}");
            names.extend([("{input}", input.name.to_owned()), ("{input_unit}", input.unit.to_owned())]);
            optional_section(&mut text, &format!("inputs.{}", key(input.name)), fields::INPUT, &names);
            optional_section(&mut text, &format!("inputs.{}.unknown", key(input.name)), fields::UNKNOWN_INPUT, &names);
        }
        for output in model.outputs {
            let mut names = names.clone();
            names.retain(|(name, _)| !name.starts_with("{output"));
            names.extend([("{output}", output.name.to_owned()), ("{output_unit}", output.unit.to_owned())]);
            optional_section(&mut text, &format!("measured.{}", key(output.name)), fields::MEASURED, &names);
        }
        for table in model.tables {
            let mut names = names.clone();
            names.push(("{table}", table.quantity.name.to_owned()));
            let name = key(table.quantity.name);
            optional_section(&mut text, &format!("tables.{name}"), fields::TABLE, &names);
            optional_section(&mut text, &format!("tables.{name}.unknown"), fields::UNKNOWN_TABLE, &names);
        }
        for (name, known) in [
            ("residuals", fields::RESIDUALS),
            ("optimizer", fields::OPTIMIZER),
            ("multistart", fields::MULTISTART),
            ("profiles", fields::PROFILES),
            ("resampling", fields::RESAMPLING),
            ("output", fields::OUTPUT),
        ] {
            optional_section(&mut text, name, known, &names);
        }
        Ok(text)
    }

    /// Returns the names of the parameters that are to be found.
    fn unknown(&self, parameters: &[Quantity]) -> Result<Vec<String>, CampaignError> {
        for name in self.unknown {
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let known = parameters.iter().map(|parameter| parameter.name).collect();
                let fault = Fault::UnknownName { kind: "parameter", name: name.clone(), known };
                return Err(CampaignError::new(&Place::option("unknown", name), fault));
            }
        }
        if !self.unknown.is_empty() {
            return Ok(self.unknown.to_vec());
        }
        // a force over a motion is seldom measured, and acts on most outputs
        let is_force = |parameter: &&Quantity| parameter.unit.starts_with(['N', 'k']) && parameter.unit.contains('N');
        let first = parameters.iter().find(is_force).or(parameters.first());
        Ok(first.map(|parameter| parameter.name.to_owned()).into_iter().collect())
    }

    fn model(&self, text: &mut String, names: &Names) {
        heading(text, "model", false);
        for field in fields::MODEL {
            let value = match field.name {
                "file" => quoted(&self.file),
                "arguments" if !self.arguments.is_empty() => format!("{{ {} }}", self.arguments),
                _ => example(field, names),
            };
            let is_on =
                matches!(field.name, "file" | "name") || field.name == "arguments" && !self.arguments.is_empty();
            line(text, field.meaning, field.name, &value, is_on);
        }
    }

    fn experiment(&self, text: &mut String, names: &Names) {
        text.push_str("\n# Repeat this section for every run of the test bench.\n[[experiment]]\n");
        for field in fields::EXPERIMENT {
            match field.name {
                "record" => line(text, field.meaning, field.name, &quoted(&self.record), true),
                _ if field.example.is_empty() => {}
                _ => line(text, field.meaning, field.name, &example(field, names), false),
            }
        }
        let spectra = fields::EXPERIMENT.iter().find(|field| field.name == "spectra");
        let _ = writeln!(text, "\n# {}\n#[[experiment.spectra]]", spectra.map_or("", |field| field.meaning));
        all_fields(text, fields::SPECTRUM, names);
        for (name, known) in
            [("modes", fields::MODES), ("responses", fields::RESPONSE), ("stiffness", fields::STIFFNESS)]
        {
            let section = fields::EXPERIMENT.iter().find(|field| field.name == name);
            let meaning = section.map_or("", |field| field.meaning);
            let _ = writeln!(text, "\n# {meaning}\n#[[experiment.{name}]]");
            let is_alone = |field: &&Field| !(name == "modes" && field.name == "file");
            for field in known.iter().filter(is_alone) {
                line(text, field.meaning, field.name, &example(field, names), false);
            }
        }
        // a table stands in place of the lists
        if let Some(file) = fields::MODES.iter().find(|field| field.name == "file") {
            let _ = writeln!(text, "\n# {}\n#[[experiment.modes]]", file.meaning);
            line(text, file.meaning, file.name, &example(file, names), false);
        }
    }
}

/// The lines that a reader of the file has to know first.
const INTRODUCTION: &str = "#
# Lines that begin with `# ` explain. Lines such as `#step = 1e-3` are fields that are switched off, with an example: remove the `#` to
# switch them on, also before the heading of their section, `#[optimizer]`. Numbers are in the units of the model, or have their unit, in
# quotes: \"80[N/mm]\". Paths begin at the folder of this file.
";

/// Returns a text in quotes, as TOML writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the default of a parameter.
fn value_of(loaded: &Loaded, parameter: &Quantity) -> Option<f64> {
    let at = loaded.system.description().parameters.iter().position(|known| known.name == parameter.name)?;
    loaded.parameters.get(at).copied().flatten()
}

fn heading(text: &mut String, name: &str, is_off: bool) {
    let off = if is_off { "#" } else { "" };
    let meaning = fields::ROOT.iter().find(|field| field.name == name).map_or("", |field| field.meaning);
    text.push('\n');
    if !meaning.is_empty() {
        let _ = writeln!(text, "# {meaning}");
    }
    let _ = writeln!(text, "{off}[{name}]");
}

/// Writes a field with its meaning.
fn line(text: &mut String, meaning: &str, name: &str, value: &str, is_on: bool) {
    let off = if is_on { "" } else { "#" };
    let _ = writeln!(text, "# {meaning}\n{off}{name} = {value}");
}

/// Returns the example of a field with the names of the model.
fn example(field: &Field, names: &Names) -> String {
    names.iter().fold(field.example.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// Writes all fields of a section, switched off, except for those that are sections of their own.
fn all_fields(text: &mut String, known: &[Field], names: &Names) {
    for field in known.iter().filter(|field| !field.example.is_empty()) {
        line(text, field.meaning, field.name, &example(field, names), false);
    }
}

/// Writes a section that is switched off.
fn optional_section(text: &mut String, name: &str, known: &[Field], names: &Names) {
    heading(text, name, true);
    all_fields(text, known, names);
}

/// Writes the values of the parameters.
fn parameters(text: &mut String, loaded: &Loaded) {
    heading(text, "parameters", false);
    for parameter in loaded.system.description().parameters {
        let Quantity { name, unit, documentation } = parameter;
        let documentation = documentation.split_whitespace().collect::<Vec<_>>().join(" ");
        let (value, is_on) = match value_of(loaded, parameter) {
            Some(value) => (value, false),
            // without a value, no run could begin
            None => (1.0, true),
        };
        let meaning = match documentation.is_empty() {
            true => format!("In {unit}."),
            false => format!("{documentation} In {unit}."),
        };
        line(text, &meaning, &key(name), &format!("{value:?}"), is_on);
    }
}

/// Writes the section of an unknown, with examples around its value.
fn unknown_section(text: &mut String, parameter: &Quantity, value: Option<f64>, is_on: bool) {
    let value = value.unwrap_or(1.0);
    let size = if value == 0.0 { 1.0 } else { value.abs() };
    let (bounds, scaling) = match value > 0.0 {
        true => (format!("[{:?}, {:?}]", 0.1 * value, 10.0 * value), "\"logarithmic\"".to_owned()),
        false => (format!("[{:?}, {:?}]", -10.0 * size, 10.0 * size), format!("{{ linear = {size:?} }}")),
    };
    let names: Names = vec![
        ("{value}", format!("{value:?}")),
        ("{bounds}", bounds),
        ("{scaling}", scaling),
        ("{prior}", format!("{{ mean = {value:?}, deviation = {:?} }}", 0.1 * size)),
    ];
    let _ = writeln!(text, "\n# `{}`, in {}.", parameter.name, parameter.unit);
    let off = if is_on { "" } else { "#" };
    let _ = writeln!(text, "{off}[unknowns.{}]", key(parameter.name));
    all_fields(text, fields::UNKNOWN, &names);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

    use std::path::Path;

    use super::super::campaign::place::Text;
    use super::super::campaign::{Campaign, fields, parse};
    use super::Template;
    use crate::loaded::load;
    use crate::selection::Selection;

    /// Returns the template of the mount.
    fn template() -> String {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src/engine_mount.rs");
        let model = Some("EngineMount".to_owned());
        let loaded = load(&Selection { file, model, set: Vec::new(), allow_files: Vec::new() }).unwrap();
        let (arguments, unknown) = (String::new(), Vec::new());
        let (file, record) = ("mount.rs".to_owned(), "bench.csv".to_owned());
        Template { file, arguments, record, unknown: &unknown }.text(&loaded).unwrap()
    }

    fn read(text: &str) -> Campaign {
        parse(&Text::new(Path::new("campaign.toml"), text, &[])).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the line of a field without the mark that switches it off.
    fn switched_on(line: &str) -> &str {
        line.strip_prefix('#').filter(|field| !field.is_empty() && !field.starts_with(' ')).unwrap_or(line)
    }

    #[test]
    fn the_template_is_a_campaign() {
        let campaign = read(&template());
        assert_eq!(campaign.unknowns.len(), 1);
        assert_eq!(campaign.experiments.len(), 1);
        assert!(campaign.multistart.is_none() && campaign.parameters.is_empty());
    }

    #[test]
    fn everything_switched_on_is_a_campaign() {
        let all: Vec<_> = template().lines().map(|line| switched_on(line).to_owned()).collect();
        let campaign = read(&all.join("\n"));
        assert_eq!(campaign.unknowns.len(), 14);
        assert_eq!(campaign.parameters.len(), 14);
        assert_eq!(campaign.multistart, Some((20, 1)));
        assert!(campaign.resampling.bootstrap.is_some() && campaign.experiments[0].spectra.len() == 1);
        let predictions = &campaign.experiments[0].predictions;
        let counts = [predictions.modes.len(), predictions.responses.len(), predictions.stiffness.len()];
        assert_eq!(counts, [2, 1, 1]);
        // every field of every section that a mount can have
        let fields = [
            fields::MODEL,
            fields::RUN,
            fields::READING,
            fields::EXPERIMENT,
            fields::SPECTRUM,
            fields::MODES,
            fields::RESPONSE,
            fields::STIFFNESS,
            fields::INPUT,
            fields::UNKNOWN_INPUT,
            fields::MEASURED,
            fields::UNKNOWN,
            fields::RESIDUALS,
            fields::OPTIMIZER,
            fields::MULTISTART,
            fields::PROFILES,
            fields::RESAMPLING,
            fields::OUTPUT,
        ];
        for field in fields.into_iter().flatten().filter(|field| !field.example.is_empty()) {
            assert!(all.iter().any(|line| line.starts_with(&format!("{} = ", field.name))), "{}", field.name);
            assert!(all.iter().any(|line| line == &format!("# {}", field.meaning)), "{}", field.name);
        }
    }
}
