//! Reading measured modes, responses and stiffness of a campaign file.

use costate_cost::ComplexForm;

use super::document::{Entry, Section};
use super::error::{CampaignError, Fault};
use super::fields;
use super::place::Located;
use super::predictions::{CurveEntry, ModeLists, ModeNumbers, ModesEntry, Predictions, ResponseEntry, StiffnessEntry};

/// Reads what an experiment compares without a run.
///
/// # Errors
/// [`CampaignError`].
pub fn predictions(section: &Section<'_>) -> Result<Predictions, CampaignError> {
    Ok(Predictions {
        modes: each(section, "modes", modes)?,
        responses: each(section, "responses", response)?,
        stiffness: each(section, "stiffness", stiffness)?,
    })
}

fn each<'d, T>(
    section: &Section<'d>,
    field: &str,
    read: impl Fn(&Entry<'d>) -> Result<T, CampaignError>,
) -> Result<Vec<T>, CampaignError> {
    match section.get(field) {
        Some(entry) => entry.list()?.iter().map(read).collect(),
        None => Ok(Vec::new()),
    }
}

fn modes(entry: &Entry<'_>) -> Result<ModesEntry, CampaignError> {
    let section = entry.section(fields::MODES)?;
    let numbers = match section.read("file", Entry::path)? {
        Some(file) => {
            let listed = ["modes", "frequencies", "frequency_deviations", "ratios", "ratio_deviations"];
            if listed.iter().any(|field| section.get(field).is_some()) {
                let (first, second) = ("`file`", "the lists of numbers beside it");
                return Err(CampaignError::new(&file.place, Fault::Contradiction { first, second }));
            }
            ModeNumbers::File(file)
        }
        None => {
            section.require(&fields::FREQUENCIES)?;
            ModeNumbers::Listed(ModeLists {
                modes: section.read("modes", |entry| entry.list()?.iter().map(mode).collect())?,
                frequencies: numbers(&section, "frequencies", "Hz")?.unwrap_or_default(),
                frequency_deviations: numbers(&section, "frequency_deviations", "Hz")?,
                ratios: numbers(&section, "ratios", "1")?,
                ratio_deviations: numbers(&section, "ratio_deviations", "1")?,
            })
        }
    };
    let name = section.read("name", Entry::text)?;
    Ok(ModesEntry { name, hold: held(&section)?, numbers, place: section.place() })
}

/// Reads the number of a mode, from 1.
fn mode(entry: &Entry<'_>) -> Result<usize, CampaignError> {
    match entry.count()? {
        0 => Err(entry.other("the number of a mode, from 1 as `costate modes` lists them")),
        number => Ok(number),
    }
}

/// Reads a list of finite numbers, or one number.
fn numbers(section: &Section<'_>, field: &str, unit: &str) -> Result<Option<Vec<f64>>, CampaignError> {
    let number = |entry: &Entry<'_>| entry.amount()?.finite("this field", unit);
    section.read(field, |entry| match entry.list() {
        Ok(list) => list.iter().map(number).collect(),
        Err(_) => Ok(vec![number(entry)?]),
    })
}

fn held(section: &Section<'_>) -> Result<Vec<Located<String>>, CampaignError> {
    Ok(section.read("hold", Entry::texts)?.unwrap_or_default())
}

fn response(entry: &Entry<'_>) -> Result<ResponseEntry, CampaignError> {
    let section = entry.section(fields::RESPONSE)?;
    let over = section.read("over", Entry::text)?;
    let is_stiffness = section.read("stiffness", Entry::boolean)?.unwrap_or(false);
    if let Some(over) = over.as_ref().filter(|_| is_stiffness) {
        let (first, second) = ("`over`", "`stiffness = true`");
        return Err(CampaignError::new(&over.place, Fault::Contradiction { first, second }));
    }
    Ok(ResponseEntry {
        name: section.read("name", Entry::text)?,
        hold: held(&section)?,
        file: section.require(&fields::RESPONSE_FILE)?.path()?,
        function: section.read("function", |entry| Ok(Located::new(function(entry)?, entry.place())))?,
        input: section.require(&fields::RESPONSE_INPUT)?.text()?,
        output: section.require(&fields::RESPONSE_OUTPUT)?.text()?,
        over,
        is_stiffness,
        curve: curve(&section)?,
        place: section.place(),
    })
}

fn function(entry: &Entry<'_>) -> Result<usize, CampaignError> {
    match entry.count()? {
        0 => Err(entry.other("the number of a response in the file, from 1")),
        number => Ok(number),
    }
}

fn stiffness(entry: &Entry<'_>) -> Result<StiffnessEntry, CampaignError> {
    let section = entry.section(fields::STIFFNESS)?;
    let files = section.require(&fields::STIFFNESS_FILES)?.list()?;
    let amplitudes = section.require(&fields::AMPLITUDES)?;
    let found = StiffnessEntry {
        name: section.read("name", Entry::text)?,
        files: files.iter().map(Entry::path).collect::<Result<_, _>>()?,
        amplitudes: amplitudes.list()?.iter().map(Entry::amount).collect::<Result<_, _>>()?,
        input: section.require(&fields::RESPONSE_INPUT)?.text()?,
        output: section.require(&fields::RESPONSE_OUTPUT)?.text()?,
        mean: section.read("mean", Entry::amount)?,
        harmonics: section.read("harmonics", Entry::count)?,
        curve: curve(&section)?,
        place: section.place(),
    };
    if found.files.is_empty() || found.files.len() != found.amplitudes.len() {
        return Err(amplitudes.other("as many amplitudes as there are files, one at least"));
    }
    Ok(found)
}

fn curve(section: &Section<'_>) -> Result<CurveEntry, CampaignError> {
    let words = &["real_and_imaginary", "magnitude_and_phase", "decibels_and_phase", "magnitude", "decibels"];
    let form = match section.read("form", |entry| entry.choice(words))? {
        Some("magnitude_and_phase") => ComplexForm::MagnitudeAndPhase,
        Some("decibels_and_phase") => ComplexForm::DecibelsAndPhase,
        Some("magnitude") => ComplexForm::Magnitude,
        Some("decibels") => ComplexForm::Decibels,
        _ => ComplexForm::RealAndImaginary,
    };
    let hertz = |entry: &Entry<'_>| entry.amount()?.finite("the frequency", "Hz");
    Ok(CurveEntry {
        form,
        band: section.read("band", |entry| match &entry.list()?[..] {
            [low, high] => Ok((hertz(low)?, hertz(high)?)),
            _ => Err(entry.other("the lowest and the highest frequency in Hz, `[5, 50]`")),
        })?,
        averages: section.read("averages", |entry| entry.amount()?.plain())?,
        unit: section.read("unit", Entry::text)?,
        is_dependent: section.read("dependent", Entry::boolean)?.unwrap_or(false),
    })
}
