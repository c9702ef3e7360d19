//! `costate fit --template`: a campaign file for a model, with every field that a campaign may have.
//!
//! Lines that begin with `#` and a blank explain; lines that begin with `#` and anything else are fields that are
//! switched on by removing the `#`. All of them together are a campaign as well. The text is that of
//! `costate::campaign`, in which names in braces stand for those of the model; a section with such a name in its
//! heading is written for every input, output and so on.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use costate::campaign::error::{CampaignError, Fault};
use costate::campaign::examples::{TEXT, filled};
use costate::campaign::place::{Place, Text};
use costate::campaign::remedies::key;
use costate::command::Quantity;
use serde_json::json;

use super::error::FitError;
use super::source::Source;
use crate::answer::Answer;
use crate::error::CommandError;
use crate::loaded::{Loaded, load};
use crate::options::check_ending;
use crate::output::write;

/// Writes or prints the template.
///
/// # Errors
/// Errors of the model, unknowns that it does not have, and a file that cannot be written.
pub fn run(source: &Source, output: Option<&Path>) -> Result<Answer, CommandError> {
    let selection = &source.bench.selection;
    if source.is_campaign() {
        return Err(FitError::TemplateOfCampaign(selection.file.clone()).into());
    }
    let loaded = load(selection)?;
    check_ending(output, &[".toml"])?;
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
        let folder = costate::command::files::resolved(file).parent().map(Path::to_path_buf).unwrap_or_default();
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

/// The parts of a template that the model does not have.
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

impl Template<'_> {
    /// Returns the text.
    ///
    /// # Errors
    /// [`Fault::UnknownName`] for an unknown that the model does not have.
    pub fn text(&self, loaded: &Loaded) -> Result<String, CampaignError> {
        let model = loaded.system.description();
        let unknown = self.unknown(model.parameters)?;
        let (file, record) = (escaped(&self.file), escaped(&self.record));
        let input = model.inputs.first().map_or("input", |input| input.name);
        let output = model.outputs.first().map_or("output", |output| output.name);
        let common = [
            ("{model}", model.name),
            ("{file}", &file),
            ("{record}", &record),
            ("{parameter}", unknown.first().map_or("", String::as_str)),
            ("{input}", input),
            ("{output}", output),
            ("{output_unit}", model.outputs.first().map_or("1", |output| output.unit)),
        ];
        let sections: Vec<&str> = TEXT.split("\n\n").collect();
        let mut text = Vec::new();
        // sections of one input, output and so on stand side by side
        for alike in sections.chunk_by(|one, other| repeated(one).is_some() && repeated(one) == repeated(other)) {
            let Some(name) = alike.first().and_then(|section| repeated(section)) else {
                text.extend(alike.iter().map(|section| filled(section, &common)));
                continue;
            };
            let tables: Vec<Quantity> = model.tables.iter().map(|table| table.quantity).collect();
            let quantities = match name {
                "{parameter}" => model.parameters,
                "{input}" => model.inputs,
                "{output}" => model.outputs,
                _ => &tables,
            };
            for quantity in quantities {
                let own = [(name, quantity.name), ("{input_unit}", quantity.unit), ("{output_unit}", quantity.unit)];
                let names = [&own, &common[..]].concat();
                let value = value_of(loaded, quantity);
                let is_on = name == "{parameter}" && unknown.iter().any(|name| name == quantity.name);
                text.extend(alike.iter().map(|section| {
                    let key = name.replacen('{', ".{", 1);
                    let section = section.replace(&key, &format!(".{}", self::key(quantity.name)));
                    let section = if is_on { section.replacen("\n#[", "\n[", 1) } else { section };
                    filled(&around(&section, quantity, value), &names)
                }));
            }
        }
        let mut text = text.join("\n\n").replace("{parameters}", &parameters(loaded));
        if !self.arguments.is_empty() {
            text = text.replace("#arguments = {}", &format!("arguments = {{ {} }}", self.arguments));
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
}

/// Returns the name in braces in the heading of a section, if there is one.
fn repeated(section: &str) -> Option<&str> {
    let heading =
        section.lines().find(|line| line.starts_with(['[', '#']) && line.ends_with(']') && !line.starts_with("# "))?;
    let name = heading.get(heading.find('{')?..=heading.find('}')?)?;
    Some(name)
}

/// Returns a text as it stands between quotes in TOML.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns a section of an unknown with examples around its value.
fn around(section: &str, quantity: &Quantity, value: Option<f64>) -> String {
    let value = value.unwrap_or(1.0);
    let size = if value == 0.0 { 1.0 } else { value.abs() };
    let (bounds, scaling) = match value > 0.0 {
        true => (format!("[{:?}, {:?}]", 0.1 * value, 10.0 * value), "\"logarithmic\"".to_owned()),
        false => (format!("[{:?}, {:?}]", -10.0 * size, 10.0 * size), format!("{{ linear = {size:?} }}")),
    };
    let prior = format!("{{ mean = {value:?}, deviation = {:?} }}", 0.1 * size);
    let names: [(&str, &str); 5] = [
        ("{unit}", quantity.unit),
        ("{value}", &format!("{value:?}")),
        ("{bounds}", &bounds),
        ("{scaling}", &scaling),
        ("{prior}", &prior),
    ];
    filled(section, &names)
}

/// Returns the default of a parameter.
fn value_of(loaded: &Loaded, parameter: &Quantity) -> Option<f64> {
    let at = loaded.system.description().parameters.iter().position(|known| known.name == parameter.name)?;
    loaded.parameters.get(at).copied().flatten()
}

/// Returns the lines of the parameters, each with its documentation and its value.
fn parameters(loaded: &Loaded) -> String {
    let mut text = String::new();
    for parameter in loaded.system.description().parameters {
        let Quantity { name, unit, documentation } = parameter;
        let documentation: String = documentation.split_whitespace().map(|word| format!("{word} ")).collect();
        // without a value, no run could begin
        let (value, off) = value_of(loaded, parameter).map_or((1.0, ""), |value| (value, "#"));
        let _ = writeln!(text, "# {documentation}In {unit}.\n{off}{} = {value:?}", key(name));
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

    use std::path::Path;

    use super::Template;
    use crate::loaded::load;
    use crate::selection::Selection;
    use costate::campaign::examples::example;
    use costate::campaign::place::Text;
    use costate::campaign::{Campaign, Multistart, parse};

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
        assert_eq!(campaign.multistart, Some(Multistart { starts: 20, seed: 1 }));
        assert!(campaign.resampling.bootstrap.is_some() && campaign.experiments[0].spectra.len() == 1);
        let experiment = &campaign.experiments[0];
        let counts = [experiment.modes.len(), experiment.responses.len(), experiment.stiffness.len()];
        assert_eq!(counts, [2, 1, 1]);
    }

    /// A field that does not exist is refused with the fields that do, all of which stand in the section.
    #[test]
    fn every_field_stands_in_the_template() {
        let all: Vec<_> = template().lines().map(|line| switched_on(line).to_owned()).collect();
        let headings = all.iter().enumerate().filter(|(_, line)| line.starts_with('['));
        let mut wrong = Vec::new();
        for (at, heading) in headings.filter(|(_, line)| *line != "[parameters]") {
            let mut with_unknown = all.clone();
            with_unknown.insert(at + 1, "0123456789 = 0".to_owned());
            let file = Text::new(Path::new("campaign.toml"), &with_unknown.join("\n"), &[]);
            let message = parse(&file).unwrap_err().to_string();
            let known = message.split_once("write one of ").unwrap().1.split('`').skip(1).step_by(2);
            let same: Vec<_> = all.iter().enumerate().filter(|(_, line)| *line == heading).map(|(at, _)| at).collect();
            for field in known {
                let stands = |&at: &usize| {
                    let section = all[at + 1..].iter().take_while(|line| !line.starts_with('['));
                    let name = heading.trim_matches(['[', ']']);
                    section.into_iter().any(|line| line.starts_with(&format!("{field} = ")))
                        || all.iter().any(|line| line.trim_matches(['[', ']']) == format!("{name}.{field}"))
                };
                if !same.iter().any(stands) {
                    wrong.push(format!("{heading} {field}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn examples_are_those_of_the_template() {
        for (section, field, value) in [
            ("", "model", "{ file = \"model.rs\" }"),
            ("model", "file", "\"model.rs\""),
            ("unknowns.c.d", "start", "0.0"),
            ("experiment", "record", "\"bench.csv\""),
            ("experiment.spectra", "output", "\"OUTPUT\""),
            ("tables.stop.unknown", "typical", "100.0"),
            ("multistart", "starts", "20"),
        ] {
            assert_eq!(example(section, field), value, "{section}.{field}");
        }
    }
}
