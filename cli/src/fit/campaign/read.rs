//! Reading a campaign file.

use std::path::{Path, PathBuf};

use costate_compiler::ArgumentValue;
use costate_system::table::Interpolation;
use costate_system::table::prior::{Break, Shape};

use super::bounds::Bounds;
use super::document::{self, Entry, Section};
use super::error::{CampaignError, Fault};
use super::fields;
use super::kinds::{Kind, holds_other};
use super::place::{Located, Place, Text};
use super::read_experiment::{experiment, input, measured};
use super::read_records::reading;
use super::read_settings::{optimizer, profiles, resampling, residuals, run};
use super::{
    Campaign, ModelChoice, Named, OutputFiles, Owner, PriorEntry, RunSettings, ScalingEntry, TableEntry, UnknownEntry,
    UnknownTableEntry, Values,
};

/// Reads a file; its paths begin at its folder, and lead to files of that folder or of those that are allowed as well.
///
/// # Errors
/// [`CampaignError`] for the first thing that is wrong.
pub fn read(path: &Path, allowed: &[PathBuf]) -> Result<Campaign, CampaignError> {
    let text = costate_contract::files::read_text(path)
        .map_err(|error| CampaignError::new(&Place::Option(path.display().to_string()), Fault::Unreadable(error)))?;
    parse(&Text::new(path, &text, allowed))
}

/// Reads the text of a file.
///
/// # Errors
/// As [`read`].
pub fn parse(file: &Text) -> Result<Campaign, CampaignError> {
    let table = document::parse(file)?;
    let root = Section::root(file, &table, fields::ROOT)?;
    let (optimizer, gradient, growing, ignores_check) = optimizer(&root)?;
    let experiments = match root.get("experiment") {
        Some(entry) => entry.list()?.iter().map(experiment).collect::<Result<Vec<_>, _>>()?,
        None => Vec::new(),
    };
    if experiments.is_empty() {
        let fault = Fault::Missing { field: "[[experiment]]", example: "{ record = \"bench.csv\" }" };
        return Err(CampaignError::new(&root.place(), fault));
    }
    Ok(Campaign {
        model: model(root.require(&MODEL)?)?,
        parameters: root.read("parameters", values)?.unwrap_or_default(),
        run: root.read("run", run)?.unwrap_or_default(),
        reading: root.read("reading", reading)?.unwrap_or_default(),
        inputs: named(&root, "inputs", input)?,
        measured: named(&root, "measured", measured)?,
        experiments,
        unknowns: named(&root, "unknowns", unknown)?,
        tables: named(&root, "tables", table_entry)?,
        residuals: root.read("residuals", residuals)?.unwrap_or_default(),
        optimizer,
        gradient,
        growing,
        unwrap: Vec::new(),
        ignores_check,
        multistart: root.read("multistart", multistart)?,
        profiles: root.read("profiles", profiles)?.unwrap_or_default(),
        resampling: root.read("resampling", resampling)?.unwrap_or_default(),
        output: root.read("output", output)?.unwrap_or_default(),
    })
}

/// The section of the model, with what to write for it.
const MODEL: fields::Field = fields::Field { name: "model", meaning: "", example: "{ file = \"model.rs\" }" };

/// Reads the values of a section whose names the user has chosen.
pub(super) fn named<'d, T>(
    section: &Section<'d>,
    field: &str,
    read: impl Fn(&Entry<'d>) -> Result<T, CampaignError>,
) -> Result<Vec<Named<T>>, CampaignError> {
    let Some(entry) = section.get(field) else { return Ok(Vec::new()) };
    let named = |entry: &Entry<'d>| Ok(Named { name: entry.key(), value: read(entry)? });
    entry.named_entries()?.iter().map(named).collect()
}

/// Reads values of parameters.
pub(super) fn values(entry: &Entry<'_>) -> Result<Values, CampaignError> {
    let named = |entry: &Entry<'_>| Ok(Named { name: entry.key(), value: entry.amount()? });
    entry.named_entries()?.iter().map(named).collect()
}

fn model(entry: &Entry<'_>) -> Result<ModelChoice, CampaignError> {
    let section = entry.section(fields::MODEL)?;
    let arguments = named(&section, "arguments", |entry| {
        let size = entry.count().ok().and_then(|size| i64::try_from(size).ok()).map(ArgumentValue::Size);
        let value = size.or_else(|| entry.boolean().ok().map(ArgumentValue::Feature));
        value.ok_or_else(|| entry.other("the value of a structural argument, a size such as `6`, `true` or `false`"))
    })?;
    let folders = section.read("allow_files", |entry| entry.list()?.iter().map(Entry::path).collect())?;
    let folders: Vec<Located<_>> = folders.unwrap_or_default();
    Ok(ModelChoice {
        file: section.require(&fields::FILE)?.path()?.value,
        name: section.read("name", Entry::text)?.map(|name| name.value),
        arguments: arguments.into_iter().map(|one| (one.name.value, one.value)).collect(),
        allow_files: folders.into_iter().map(|folder| folder.value).collect(),
        place: entry.place(),
    })
}

fn unknown(entry: &Entry<'_>) -> Result<UnknownEntry, CampaignError> {
    let section = entry.section(fields::UNKNOWN)?;
    let owner = section.read("of", |entry| entry.choice(&["all", "group", "experiment"]))?;
    let scaling = section.read("scaling", |entry| {
        Ok(match entry.choice_with_number(&["logarithmic", "linear"])? {
            ("logarithmic", None) => ScalingEntry::Logarithmic,
            ("linear", Some(typical)) => ScalingEntry::Linear(typical),
            _ => return Err(entry.other("`\"logarithmic\"`, or `{ linear = 10.0 }` with a typical change")),
        })
    })?;
    Ok(UnknownEntry {
        owner: match owner {
            Some("group") => Owner::Group,
            Some("experiment") => Owner::Experiment,
            _ => Owner::All,
        },
        start: section.read("start", Entry::amount)?,
        bounds: section.read("bounds", Entry::bounds)?,
        scaling,
        prior: section.read("prior", prior)?,
    })
}

fn prior(entry: &Entry<'_>) -> Result<PriorEntry, CampaignError> {
    let section = entry.section(fields::PRIOR)?;
    let number = |field| section.read(field, Entry::amount);
    match (number("mean")?, number("deviation")?, number("median")?, number("log_deviation")?) {
        (Some(mean), Some(deviation), None, None) => Ok(PriorEntry::Normal(mean, deviation)),
        (None, None, Some(median), Some(deviation)) => Ok(PriorEntry::LogNormal(median, deviation.plain()?)),
        _ => Err(entry.other("`{ mean = 1.0, deviation = 0.1 }` or `{ median = 1.0, log_deviation = 0.1 }`")),
    }
}

fn table_entry(entry: &Entry<'_>) -> Result<TableEntry, CampaignError> {
    let section = entry.section(fields::TABLE)?;
    Ok(TableEntry {
        file: section.read("file", Entry::path)?,
        interpolation: section.read("interpolation", interpolation)?,
        unknown: section.read("unknown", unknown_table)?,
    })
}

/// Reads one word for all arguments of a table, or a list with one for each.
fn interpolation(entry: &Entry<'_>) -> Result<Located<Vec<Interpolation>>, CampaignError> {
    let one = |entry: &Entry<'_>| {
        Ok(match entry.choice(&["spline", "monotone", "straight"])? {
            "monotone" => Interpolation::Monotone,
            "straight" => Interpolation::Straight,
            _ => Interpolation::Spline,
        })
    };
    let kinds: Result<Vec<_>, CampaignError> = match entry.as_text() {
        Some(_) => one(entry).map(|kind| vec![kind]),
        None => entry.list()?.iter().map(one).collect(),
    };
    Ok(Located::new(kinds?, entry.place()))
}

fn unknown_table(entry: &Entry<'_>) -> Result<UnknownTableEntry, CampaignError> {
    let section = entry.section(fields::UNKNOWN_TABLE)?;
    let bend = section.read("bend", |entry| match entry.as_text() {
        Some(text) if text.value == "estimated" => Ok(None),
        _ => entry.amount().map(Some),
    })?;
    let places = |field, of: fn(f64) -> Break| {
        let read = |entry: &Entry<'_>| entry.list()?.iter().map(|place| Ok(of(place.amount()?.plain()?))).collect();
        let places: Option<Vec<Break>> = section.read(field, read)?;
        Ok::<_, CampaignError>(places.unwrap_or_default())
    };
    let breaks = [places("kinks", Break::Kink)?, places("jumps", Break::Jump)?].concat();
    let shapes = section.read("shapes", |entry| entry.list()?.iter().map(shape).collect::<Result<Vec<_>, _>>())?;
    Ok(UnknownTableEntry {
        typical: section.require(&fields::TYPICAL_CHANGE)?.amount()?,
        deviation: section.read("deviation", Entry::amount)?,
        bend,
        shapes: shapes.unwrap_or_default(),
        breaks,
    })
}

/// Words for the shape of a curve that need no numbers.
const SHAPES: &[&str] = &["through_origin", "odd", "increasing", "decreasing", "convex", "concave", "closed"];
const SHAPES_WITH_NUMBERS: &[&str] = &["between", "zero_outside", "through"];

fn shape(entry: &Entry<'_>) -> Result<Shape, CampaignError> {
    if !entry.is_section() {
        return Ok(match entry.choice(SHAPES)? {
            "through_origin" => Shape::ThroughOrigin,
            "odd" => Shape::Odd,
            "increasing" => Shape::Increasing,
            "decreasing" => Shape::Decreasing,
            "convex" => Shape::Convex,
            "concave" => Shape::Concave,
            _ => Shape::Closed,
        });
    }
    let entries = entry.named_entries()?;
    let [only] = &entries[..] else {
        return Err(entry.other("one shape with its two numbers, e.g. `{ between = [0, 1e3] }`"));
    };
    let name = only.key();
    let Some(word) = SHAPES_WITH_NUMBERS.iter().find(|word| **word == name.value) else {
        return Err(CampaignError::new(&name.place, Fault::Choice { found: name.value, allowed: SHAPES_WITH_NUMBERS }));
    };
    // bounds may be infinite, places may not
    let Bounds { ends: [first, second], .. } = only.bounds()?;
    Ok(match *word {
        "between" => {
            Shape::Between { least: first.in_unit("this field", "1")?, most: second.in_unit("this field", "1")? }
        }
        "zero_outside" => Shape::ZeroOutside { from: first.plain()?, to: second.plain()? },
        _ => Shape::Through { x: first.plain()?, value: second.plain()? },
    })
}

fn multistart(entry: &Entry<'_>) -> Result<(usize, u64), CampaignError> {
    let section = entry.section(fields::MULTISTART)?;
    let starts = section.require(&fields::STARTS)?.count()?;
    Ok((starts, section.read("seed", Entry::count)?.unwrap_or(1) as u64))
}

fn output(entry: &Entry<'_>) -> Result<OutputFiles, CampaignError> {
    let section = entry.section(fields::OUTPUT)?;
    let path = |field| Ok::<_, CampaignError>(section.read(field, Entry::path)?.map(|path| path.value));
    // somebody else may have written the campaign: it replaces what a run of it has written, and nothing else
    let replaced = |field, kind: fn(&Path) -> Kind| match section.read(field, Entry::path)? {
        Some(Located { value, place }) if holds_other(&value, kind(&value)) => {
            let kind = kind(&value).described();
            Err(CampaignError::new(&place, Fault::HoldsOther { file: value, kind }))
        }
        path => Ok(path.map(|path| path.value)),
    };
    Ok(OutputFiles {
        report: replaced("report", |_| Kind::Page)?,
        folder: path("folder")?,
        profiles: replaced("profiles", Kind::by_ending)?,
        state: path("state")?,
        write_defaults: section.read("write_defaults", Entry::boolean)?.unwrap_or(false),
    })
}

/// Reads the settings of the runs of an experiment or of all experiments.
pub(super) fn run_of(section: &Section<'_>) -> Result<RunSettings, CampaignError> {
    Ok(section.read("run", run)?.unwrap_or_default())
}
