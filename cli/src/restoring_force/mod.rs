//! `costate restoring-force`: restoring forces of a structure from a record, without an assumption about their form, as
//! in Kenderi: Nonparametric identification of nonlinear dynamic systems (2018), section 2.4.

mod figures;
mod model;
mod options;
mod response;
mod results;
mod samples;
mod structure;
mod tables;

use costate::measure::{Record, Wanted};
use costate::restoring_force::{
    CurveSettings, Exponents, RestoringForceError, RestoringForceIdentification, TuningPlane, estimate_noise,
};
use nalgebra::DMatrix;

use crate::answer::Answer;
use crate::error::{CommandError, command_errors};
use crate::options::{Format, check_ending, formats, read_record};
use crate::output;

use model::identification;
pub use options::Options;
use response::{Adapted, Found};
use results::Results;
use samples::Samples;
use structure::Structure;
use tables::Curves;

/// Noise of a channel that the structure does not name.
#[derive(Debug, thiserror::Error)]
#[error("`--noise {0}` names no channel of the structure; these are {1}")]
struct NoChannel(String, String);

/// A filter that follows the system too rarely for curves.
#[derive(Debug, thiserror::Error)]
#[error("there are no curves, as {warning}")]
struct NoCurves {
    warning: String,
    source: RestoringForceError,
}

command_errors!(Wrong: NoChannel, NoCurves);

/// Identifies the forces.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    check_ending(options.report.as_deref(), &[".html"])?;
    let files = formats(&options.output, &[Format::Csv, Format::Svg, Format::Json])?;
    let record = read_record(&options.record, &options.records.reader())?;
    let unit = |channel: &str| record.channel(channel).ok()?.unit().map(str::to_owned);
    let structure = options.structure(unit)?;
    // before its channels are looked for, so that mistakes of the structure come first
    identification(&structure, 1.0, None)?;
    let samples = Samples::of(&record, &structure)?;
    let folder = options.tables.as_deref().map(|folder| folder.join("model.txt"));
    output::check(files.iter().map(|(path, _)| *path).chain(options.report.as_deref()).chain(folder.as_deref()))?;

    let noise = Noise::of(options, &record, &structure, &samples)?;
    let prepared = |inertia: Option<&DMatrix<f64>>| -> Result<RestoringForceIdentification, CommandError> {
        let identification = identification(&structure, samples.interval, inertia)?.input_noise(&noise.of_inputs)?;
        Ok(match &noise.of_sensors {
            Some(noise) => identification.measurement_noise(noise.clone()),
            None => identification,
        })
    };
    let inertia = match structure.unknown_inertia.is_empty() {
        true => None,
        false => {
            // stiffness and damping that hardly change, as in KE 4.1
            let constant = Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 };
            let (other, rounds) = (options.inertia_samples(&structure)?, usize::from(options.iterations));
            let Samples { inputs, measured, .. } = other.as_ref().unwrap_or(&samples);
            prepared(None)?.exponents(constant).iterate_inertia(inputs, measured, rounds)?.pop()
        }
    };
    let identification = prepared(inertia.as_ref())?;
    let settings = CurveSettings {
        nodes: usize::from(options.nodes),
        uncertain: options.uncertain.unwrap_or(f64::INFINITY),
        ..CurveSettings::default()
    };
    let mut found = match options.search {
        true => searched(&identification, &samples, &settings)?,
        false => identified(&identification, &samples, &settings)?,
    };
    found.inverse_inertia = inertia;
    let results = Results { structure: &structure, model: identification.model(), samples: &samples, found: &found };
    Ok(results.answer(options, &files))
}

/// Filters the record, fits the curves, and simulates the response with them.
fn identified(
    identification: &RestoringForceIdentification,
    samples: &Samples,
    settings: &CurveSettings,
) -> Result<Found, CommandError> {
    let forces = identification.run(&samples.inputs, &samples.measured)?;
    let curves = (0..forces.elements()).map(|j| forces.curves(j, settings)).collect::<Result<Vec<_>, _>>();
    let curves = match (curves, forces.warnings().first()) {
        (Err(source), Some(warning)) => return Err(NoCurves { warning: warning.to_string(), source }.into()),
        (curves, _) => curves?,
    };
    let (elastic, dissipative) = curves.into_iter().map(<(_, _)>::from).unzip();
    let curves = Curves { elastic, dissipative };
    let modes = forces.modes(&curves.elastic, &curves.dissipative)?;
    let adapted = Adapted::to(identification, samples, &curves)?;
    Ok(Found { forces, curves, modes, inverse_inertia: None, adapted })
}

/// Part of the longest time that a filter follows the system for which others are tried too: the response judges them.
const MIN_PART: f64 = 0.5;

/// Identifies with the exponents of a plane whose response is nearest to the record.
fn searched(
    identification: &RestoringForceIdentification,
    samples: &Samples,
    settings: &CurveSettings,
) -> Result<Found, CommandError> {
    let (_, trials) = TuningPlane::default().run(identification, &samples.inputs, &samples.measured)?;
    let most = trials.iter().fold(0.0_f64, |most, trial| most.max(trial.good_part));
    let (mut best, mut fault) = (None::<(f64, Found)>, None);
    for trial in trials.iter().filter(|trial| trial.good_part >= MIN_PART * most) {
        match identified(&identification.clone().exponents(trial.exponents), samples, settings) {
            Ok(found) => {
                let error = found.adapted.error();
                if best.as_ref().is_none_or(|(least, _)| error < *least) {
                    best = Some((error, found));
                }
            }
            Err(error) => fault = Some(error),
        }
    }
    match (best, fault) {
        (Some((_, found)), _) => Ok(found),
        (None, Some(error)) => Err(error),
        (None, None) => identified(identification, samples, settings),
    }
}

/// The noise that is given: R, with the given deviations in place of the estimates from the record, `None` if none is
/// given; and the deviations of the inputs, 0 where none is given.
struct Noise {
    of_sensors: Option<DMatrix<f64>>,
    of_inputs: Vec<f64>,
}

impl Noise {
    fn of(options: &Options, record: &Record, structure: &Structure, samples: &Samples) -> Result<Self, CommandError> {
        let inputs = structure.inputs();
        let sensors: Vec<(&str, Wanted)> =
            structure.sensors.iter().map(|sensor| (&*sensor.channel, Wanted::from(sensor.kind))).collect();
        let mut known = inputs.iter().chain(&sensors).map(|(channel, _)| *channel);
        if let Some((name, _)) = options.noise.iter().find(|(name, _)| known.clone().all(|channel| channel != name)) {
            let known: Vec<String> = known.by_ref().map(|channel| format!("`{channel}`")).collect();
            return Err(NoChannel(name.clone(), known.join(", ")).into());
        }
        let given = |all: &[(&str, Wanted)]| -> Result<Vec<Option<f64>>, CommandError> {
            all.iter().map(|(channel, wanted)| deviation(options, record, channel, wanted)).collect()
        };
        let of_inputs = given(&inputs)?.into_iter().map(Option::unwrap_or_default).collect();
        let deviations = given(&sensors)?;
        if deviations.iter().all(Option::is_none) {
            return Ok(Self { of_sensors: None, of_inputs });
        }
        // a channel without noise has no estimate, and needs none where its deviation is given
        let mut matrix = match deviations.iter().all(Option::is_some) {
            true => DMatrix::zeros(sensors.len(), sensors.len()),
            false => estimate_noise(&samples.measured, sensors.len())?,
        };
        for (j, deviation) in deviations.into_iter().enumerate() {
            if let Some(deviation) = deviation {
                matrix.row_mut(j).fill(0.0);
                matrix.column_mut(j).fill(0.0);
                matrix[(j, j)] = deviation * deviation;
            }
        }
        Ok(Self { of_sensors: Some(matrix), of_inputs })
    }
}

/// Returns the given deviation of a channel's errors in the wanted unit; `None` if none is given.
fn deviation(options: &Options, record: &Record, channel: &str, wanted: &Wanted) -> Result<Option<f64>, CommandError> {
    let Some((name, amount)) = options.noise.iter().rev().find(|(name, _)| name == channel) else { return Ok(None) };
    let unit = record.channel(name)?.unit().unwrap_or(wanted.unit()).to_owned();
    let number = amount.in_unit(name, &unit)?;
    let alone = Record::new(vec![0.0])?.with_channel(name.as_str(), Some(&*unit), vec![number])?;
    Ok(alone.values_in(name, wanted.clone())?.first().copied())
}
