//! Modes, frequency responses and dynamic stiffness that an experiment compares with what was measured.

use std::path::Path;

use costate_cost::InForm;
use costate_identify::{ComplexCurve, Experiment, MeasuredNumbers};
use costate_measure::record::{FrequencyResponse, Record, Recording};
use costate_system::identifiers::Coordinate;
use costate_system::simulation::Simulation;
use costate_vibration::harmonic::HarmonicBalance;
use costate_vibration::{EquilibriumSearch, ModalPrediction, ResponsePrediction};

use super::{Builder, names};
use crate::Loaded;
use crate::error::{CampaignError, Fault};
use crate::files::FilePath;
use crate::files::extension;
use crate::place::{Located, Place};
use crate::predictions::CurveEntry;
use crate::values::{Ordinal, Pair, Several};
use crate::{ExperimentEntry, ModesEntry, ResponseEntry, StiffnessEntry};

impl Builder<'_> {
    /// Adds what an experiment compares without a run, at the inputs of the simulation at its start.
    ///
    /// # Errors
    /// Names, units and files that do not fit, and what the model does not predict at the start values.
    pub fn predictions(
        &self,
        mut experiment: Experiment,
        entry: &ExperimentEntry,
        own: &Simulation,
    ) -> Result<Experiment, CampaignError> {
        for modes in &entry.modes {
            let (prediction, measured) = of_modes(modes, own, self.loaded)?;
            experiment = experiment.predicted(prediction, measured);
        }
        for response in &entry.responses {
            let (prediction, measured) = of_response(response, own, self.loaded)?;
            experiment = experiment.predicted(prediction, measured);
        }
        for stiffness in &entry.stiffness {
            let (prediction, measured) = of_stiffness(stiffness, own, self.loaded)?;
            experiment = experiment.predicted(prediction, measured);
        }
        Ok(experiment)
    }
}

type Compared<P> = Result<(P, Vec<MeasuredNumbers>), CampaignError>;

fn search(own: &Simulation, hold: &[Located<String>], loaded: &Loaded) -> Result<EquilibriumSearch, CampaignError> {
    let held = hold.iter().map(|name| {
        let found = loaded.system.coordinate(&name.value);
        found.map_err(|error| names::refused(name, error))
    });
    let held: Vec<Coordinate> = held.collect::<Result<_, _>>()?;
    Ok(EquilibriumSearch::new(own).held(held))
}

fn name_or(given: &Option<Located<String>>, default: &str) -> String {
    given.as_ref().map_or_else(|| default.to_owned(), |name| name.value.clone())
}

/// Numbers of modes, a list of one number counting for all.
struct ModeLists {
    modes: Option<Vec<usize>>,
    frequencies: Vec<f64>,
    frequency_deviations: Option<Vec<f64>>,
    ratios: Option<Vec<f64>>,
    ratio_deviations: Option<Vec<f64>>,
}

impl ModeLists {
    /// Returns the numbers that a campaign lists.
    fn listed(entry: &ModesEntry) -> Self {
        fn numbers<T: Copy + Into<f64>>(list: &Option<Several<T>>) -> Option<Vec<f64>> {
            list.as_ref().map(|list| list.0.iter().map(|number| (*number).into()).collect())
        }
        let modes = entry.modes.as_ref();
        Self {
            modes: modes.map(|modes| modes.iter().map(|Ordinal(number)| *number).collect()),
            frequencies: numbers(&entry.frequencies).unwrap_or_default(),
            frequency_deviations: numbers(&entry.frequency_deviations),
            ratios: numbers(&entry.ratios),
            ratio_deviations: numbers(&entry.ratio_deviations),
        }
    }
}

fn of_modes(entry: &Located<ModesEntry>, own: &Simulation, loaded: &Loaded) -> Compared<ModalPrediction> {
    let (lists, source, place) = match &entry.file {
        None => (ModeLists::listed(entry), String::new(), &entry.place),
        Some(file) => (of_table(file)?, file_name(&file.value), &file.place),
    };
    let needed = lists.frequencies.len();
    let numbers = lists.modes.unwrap_or_else(|| (1..=needed).collect());
    check_count("modes", numbers.len(), needed, place)?;
    let repeated = numbers.iter().enumerate().find(|(at, number)| numbers[..*at].contains(number));
    if let Some((_, &given)) = repeated {
        return Err(CampaignError::new(place, Fault::Mode { given: given as f64 }));
    }
    let indices: Vec<usize> = numbers.iter().map(|number| number.saturating_sub(1)).collect();
    let search = search(own, &entry.hold.0, loaded)?;
    let dual = loaded.model.dual_equations();
    let prediction = ModalPrediction::of_modes(name_or(&entry.name, "modes"), &search, dual, &indices);
    let prediction = prediction.map_err(|error| CampaignError::new(place, error))?;
    let group = |name: &str, unit: &str, values: Vec<f64>, deviations: Option<Vec<f64>>, field: &'static str| {
        let measured = MeasuredNumbers::new(name, values).unit(unit).source(source.clone());
        Ok::<_, CampaignError>(match deviations.as_deref() {
            None => measured,
            Some([one]) => measured.deviation(*one),
            Some(each) => {
                check_count(field, each.len(), needed, place)?;
                measured.deviations(each)
            }
        })
    };
    let mut measured = vec![group(
        "natural frequencies",
        "Hz",
        lists.frequencies,
        lists.frequency_deviations,
        "frequency_deviations",
    )?];
    let Some(ratios) = lists.ratios else {
        if lists.ratio_deviations.is_some() {
            let fault = Fault::Missing { field: "ratios".into(), example: "[0.02, 0.03]".into() };
            return Err(CampaignError::new(place, fault));
        }
        return Ok((prediction.without_damping(), measured));
    };
    check_count("ratios", ratios.len(), needed, place)?;
    measured.push(group("damping ratios", "1", ratios, lists.ratio_deviations, "ratio_deviations")?);
    Ok((prediction, measured))
}

fn check_count(field: &'static str, given: usize, needed: usize, place: &Place) -> Result<(), CampaignError> {
    match given == needed {
        true => Ok(()),
        false => Err(CampaignError::new(place, Fault::ModeCount { field, given, needed })),
    }
}

/// Reads a table of modes.
fn of_table(file: &Located<FilePath>) -> Result<ModeLists, CampaignError> {
    let refused = |error| CampaignError::new(&file.place, Fault::Record(error));
    // lines are numbered, since no column is a time
    let record = Record::reader().rate(1.0).read(&*file.value).map_err(refused)?;
    let column = |name: &str, unit: &str| {
        let channel = record.channel(name).map_err(refused)?;
        let found =
            channel.in_unit_of(record.name(), &costate_measure::record::Wanted::new("the table of modes", unit));
        found.map(|channel| channel.values().to_vec()).map_err(|error| refused(error.into()))
    };
    let known = |name: &str, unit: &str| match record.channel(name) {
        Ok(_) => column(name, unit).map(Some),
        Err(_) => Ok(None),
    };
    let number = |&given: &f64| match given >= 1.0 && given.fract() == 0.0 && given < 1e6 {
        true => Ok(given as usize),
        false => Err(CampaignError::new(&file.place, Fault::Mode { given })),
    };
    let modes = known("mode", "1")?;
    let modes: Option<Result<Vec<usize>, CampaignError>> = modes.map(|numbers| numbers.iter().map(number).collect());
    Ok(ModeLists {
        modes: modes.transpose()?,
        frequencies: column("frequency", "Hz")?,
        frequency_deviations: known("frequency deviation", "Hz")?,
        ratios: known("ratio", "1")?,
        ratio_deviations: known("ratio deviation", "1")?,
    })
}

fn of_response(entry: &Located<ResponseEntry>, own: &Simulation, loaded: &Loaded) -> Compared<InForm> {
    let compared = entry.curve();
    let refused = |error| CampaignError::new(&entry.place, Fault::Vibration(error));
    let (input, output) = (names::input(loaded, &entry.input)?, names::output(loaded, &entry.output)?);
    let over = entry.over.as_ref().map(|name| names::output(loaded, name)).transpose()?;
    let (above, below) = match over {
        Some(over) => (output.name(), over.name()),
        None if entry.is_stiffness => (input.name(), output.name()),
        None => (output.name(), input.name()),
    };
    let curve = format!("{above}/{below}");
    let measured = measured_response(&entry.file, (entry.function.as_ref(), &curve), &compared)?;
    let search = search(own, &entry.hold.0, loaded)?;
    let (name, dual) = (name_or(&entry.name, &curve), loaded.model.dual_equations());
    let made = ResponsePrediction::of(name, &search, dual, &measured.frequencies).map_err(refused)?;
    let made = made.added_decay(measured.added_decay).map_err(refused)?;
    let made = match over {
        Some(over) => made.ratio(input, output, over),
        None if entry.is_stiffness => made.dynamic_stiffness(input, output),
        None => made.response(input, output),
    };
    let made = made.map_err(refused)?;
    // what the model does not predict at the start values is said here, with its place
    search.find().map_err(refused)?;
    let prediction = InForm::new(made, compared.form).map_err(|error| CampaignError::new(&entry.place, error))?;
    let numbers = numbers(&measured, &compared, &prediction, &curve, &entry.place)?;
    Ok((prediction, numbers))
}

fn of_stiffness(entry: &Located<StiffnessEntry>, own: &Simulation, loaded: &Loaded) -> Compared<InForm> {
    let refused = |error| CampaignError::new(&entry.place, Fault::Harmonic(error));
    let (input, output) = (names::input(loaded, &entry.input)?, names::output(loaded, &entry.output)?);
    let unit = output.quantity().unit;
    let amplitudes = entry.amplitudes.iter().map(|amplitude| amplitude.positive(output.name(), unit));
    let amplitudes: Vec<f64> = amplitudes.collect::<Result<_, _>>()?;
    let compared = entry.curve();
    let stiffness = format!("{}/{}", input.name(), output.name());
    let files = entry.files.iter().map(|file| measured_response(file, (None, &stiffness), &compared));
    let measured: Vec<FrequencyResponse> = files.collect::<Result<_, _>>()?;
    let frequencies = measured.first().map(|first| first.frequencies.clone()).unwrap_or_default();
    let mut balance = HarmonicBalance::new(own).controlled(output, input, amplitudes);
    if let Some(mean) = &entry.mean {
        balance = balance.mean(mean.finite(output.name(), unit)?);
    }
    if let Some(harmonics) = entry.harmonics {
        balance = balance.harmonics(harmonics);
    }
    let name = name_or(&entry.name, "stiffness");
    let made = balance.predict(name, &frequencies).and_then(|made| made.stiffness(input, output));
    let made = made.map_err(refused)?;
    let prediction = InForm::new(made, compared.form).map_err(|error| CampaignError::new(&entry.place, error))?;
    let curves: Vec<String> = prediction.curves().iter().map(|curve| curve.name.clone()).collect();
    let mut all = Vec::new();
    for ((measured, curve), file) in measured.iter().zip(&curves).zip(&entry.files) {
        all.extend(numbers(measured, &compared, &prediction, curve, &file.place)?);
    }
    Ok((prediction, all))
}

fn numbers(
    measured: &FrequencyResponse,
    entry: &CurveEntry,
    prediction: &InForm,
    name: &str,
    place: &Place,
) -> Result<Vec<MeasuredNumbers>, CampaignError> {
    let curve = ComplexCurve::of_response(measured);
    let curve = if entry.dependent { curve.dependent() } else { curve };
    curve.numbers(prediction, name).map_err(|error| CampaignError::new(place, error))
}

/// Reads a measured response, of a table with several ones that of the number or of the name `curve`, and completes it
/// by what the campaign says.
fn measured_response(
    file: &Located<FilePath>,
    (function, curve): (Option<&Located<Ordinal>>, &str),
    entry: &CurveEntry,
) -> Result<FrequencyResponse, CampaignError> {
    let refused = |error| CampaignError::new(&file.place, Fault::Response(error));
    let name = file_name(&file.value);
    let is_table = matches!(extension(&file.value).as_str(), "" | "csv" | "txt" | "tsv" | "dat");
    let mut all = match is_table {
        true => FrequencyResponse::read_all_csv(&file.value).map_err(refused)?,
        false => {
            let of_file = |error| CampaignError::new(&file.place, Fault::Record(error));
            Recording::open(&file.value).and_then(|recording| recording.spectra()).map_err(of_file)?
        }
    };
    let count = all.len();
    let named = || all.iter().position(|one| one.name == curve).filter(|_| is_table).map(|at| at + 1);
    let at = function.map(|function| function.value.0).or_else(|| if count == 1 { Some(1) } else { named() });
    let Some(at) = at.filter(|at| (1..=count).contains(at)) else {
        let place = function.map_or(&file.place, |function| &function.place);
        let names = all.iter().map(|one| one.name.clone()).collect();
        return Err(CampaignError::new(place, Fault::Function { file: name, count, names }));
    };
    let mut response = all.swap_remove(at - 1);
    response.name = match is_table && count == 1 {
        true => name,
        false => format!("{name}: {}", response.name),
    };
    if let Some(Pair(from, to)) = entry.band {
        response = response.between(from.0, to.0).map_err(refused)?;
    }
    if let Some(unit) = &entry.unit {
        if let Some(given) = &response.unit {
            let (file, given) = (response.name.clone(), given.clone());
            return Err(CampaignError::new(&unit.place, Fault::TwoResponseUnits { file, given }));
        }
        response.unit = Some(unit.value.clone());
    }
    response.averages = entry.averages.or(response.averages);
    Ok(response)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
