//! Limits of validity, and doubts, in sentences.

use costate_contract::shown::Shown;

use crate::stiffness::band::{Band, nominal};
use crate::stiffness::curve::{Doubt, StiffnessLine};
use crate::stiffness::linearity::Linearity;
use crate::stiffness::unit::{Amplitude, Origin, StiffnessUnit, is_same};

use super::{ReportedCurve, StiffnessReport};

const NO_PRELOAD: &str = "The preload is not given: numbers without it cannot be compared with those of another test.";

const NO_TEMPERATURE: &str = "The temperature is not given: rubber is stiffer and has larger losses when it is cold.";

const ROTATION: &str =
    "Stiffness of rotation: the methods of ISO 10846 are for translation, only the form of this report is theirs.";

const STANDARD: &str = "Quantities are those of ISO 10846-1; this is no test report by ISO 10846-2, -3 or -5, which \
                        need the description of rig, fixtures, sensors and their calibration. ISO 10846-4, for \
                        elements that are no supports, excludes those filled with liquids.";

const TRANSFER: &str = "The transfer stiffness is the force below the blocked mount over the displacement above it. A \
                        force that is measured above the mount has the inertia of what moves there, and is the same \
                        only far below the resonances of the mount.";

const FIRST_HARMONICS: &str =
    "The stiffness of a nonlinear mount is the ratio of first harmonics; higher ones of the force are left out.";

/// Returns what the report holds for.
pub(crate) fn limits(report: &StiffnessReport) -> Vec<String> {
    let mut said: Vec<String> =
        [Origin::Measured, Origin::Model].into_iter().filter_map(|origin| range_of(report, origin)).collect();
    said.push(match &report.preload {
        Some(_) => "One preload: stiffness depends on it, above all that of mounts that harden.".to_owned(),
        None => NO_PRELOAD.to_owned(),
    });
    if report.temperature.is_none() {
        said.push(NO_TEMPERATURE.to_owned());
    }
    if report.unit == StiffnessUnit::NewtonMetrePerRadian {
        said.push(ROTATION.to_owned());
    }
    said.extend(of_model(report));
    said.extend([STANDARD.to_owned(), TRANSFER.to_owned()]);
    said
}

/// Amplitudes and frequencies of the curves of an origin.
fn range_of(report: &StiffnessReport, origin: Origin) -> Option<String> {
    let (lowest, highest) = report.of(origin).map(|own| own.curve.range()).reduce(joined)?;
    let amplitudes: Vec<String> = report.of(origin).map(|own| own.curve.amplitude_text()).collect();
    let name = if origin == Origin::Measured { "Measured" } else { "Computed" };
    Some(format!(
        "{name} from {} Hz to {} Hz at {}; nothing is said of other frequencies and amplitudes.",
        Shown(lowest),
        Shown(highest),
        amplitudes.join(", ")
    ))
}

fn joined(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Sentences on the curves of the model.
fn of_model(report: &StiffnessReport) -> Vec<String> {
    let mut said = Vec::new();
    let worst = report
        .of(Origin::Model)
        .flat_map(|own| own.curve.lines.iter().map(move |line| (own, line)))
        .filter_map(|(own, line)| Some((line.truncation?, own, line)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((error, own, line)) = worst {
        let harmonics = own.curve.harmonics.map_or_else(String::new, |count| format!("{count} "));
        said.push(format!(
            "Harmonic balance: {harmonics}harmonics leave an estimated error of up to {:.1e} of signals, relative, at \
             {} and {} Hz.",
            error,
            own.curve.amplitude_text(),
            Shown(line.frequency)
        ));
        said.push(FIRST_HARMONICS.to_owned());
    }
    if report.of(Origin::Model).any(|own| own.curve.harmonics.is_none() && own.curve.amplitude.is_none()) {
        said.push("The model is linear: it holds for small vibrations about its position of rest.".to_owned());
    }
    said
}

/// Returns what makes numbers doubtful.
pub(crate) fn doubts(report: &StiffnessReport) -> Vec<String> {
    let mut said = Vec::new();
    for (text, curves) in shared(report) {
        said.push(format!("{}: {text}.", named(report, &curves)));
    }
    for linearity in &report.linearity {
        said.extend(of_linearity(linearity));
    }
    said.extend(of_comparisons(report));
    said
}

/// Doubts about curves, each with the positions of the curves that it concerns.
fn shared(report: &StiffnessReport) -> Vec<(String, Vec<usize>)> {
    let mut all: Vec<(String, Vec<usize>)> = Vec::new();
    for (k, own) in report.curves.iter().enumerate() {
        for text in of_lines(own).into_iter().chain(of_bands(own)) {
            match all.iter_mut().find(|known| known.0 == text) {
                Some(known) => known.1.push(k),
                None => all.push((text, vec![k])),
            }
        }
    }
    all
}

/// The names of curves, or of all of them.
fn named(report: &StiffnessReport, positions: &[usize]) -> String {
    let of = |origin: Origin| -> Vec<&ReportedCurve> {
        let own = |&k: &usize| report.curves.get(k).filter(|own| own.origin == origin);
        positions.iter().filter_map(own).collect()
    };
    if positions.len() == report.curves.len() && positions.len() > 1 {
        return "all curves".to_owned();
    }
    let texts = [Origin::Measured, Origin::Model].into_iter().filter_map(|origin| {
        let own = of(origin);
        let is_all = own.len() > 1 && own.len() == report.of(origin).count();
        let amplitudes = match is_all {
            true => "all amplitudes".to_owned(),
            false => own.iter().map(|own| own.curve.amplitude_text()).collect::<Vec<_>>().join(", "),
        };
        (!own.is_empty()).then(|| format!("{} at {amplitudes}", origin.name()))
    });
    texts.collect::<Vec<_>>().join("; ")
}

fn of_lines(own: &ReportedCurve) -> Vec<String> {
    /// Estimated error of a motion above which more harmonics are advised.
    const NOTABLE_TRUNCATION: f64 = 0.01;
    let lines = &own.curve.lines;
    let mut said = Vec::new();
    let mut say = |which: &dyn Fn(&StiffnessLine) -> bool, text: &str| {
        let at: Vec<f64> = lines.iter().filter(|line| which(line)).map(|line| line.frequency).collect();
        if !at.is_empty() {
            said.push(format!("{text} at {}", listed(&at)));
        }
    };
    say(&|line| line.doubt == Some(Doubt::Unstable), "the motion is unstable, so that a rig does not show it,");
    say(&|line| line.doubt == Some(Doubt::StabilityUnknown), "the stability of the motion is not known");
    say(
        &|line| line.doubt == Some(Doubt::Several),
        "there are several motions, of which a slow sweep upwards shows the reported one,",
    );
    say(
        &|line| line.truncation.is_some_and(|error| error > NOTABLE_TRUNCATION),
        "take more harmonics, since the estimated error is above 1 %,",
    );
    say(
        &|line| line.loss_factor().is_none(),
        "the loss factor has no meaning, since the real part is negative or small beside the magnitude,",
    );
    say(
        &|line| line.imaginary < 0.0,
        "the imaginary part is negative, as if the mount gave energy (look at the sign of the phase, at noise and at \
         delays of sensors),",
    );
    let turns = &own.curve.turning_points;
    if !turns.is_empty() {
        said.push(format!("the curve turns back near {}: sweeps jump there", listed(turns)));
    }
    said
}

fn of_bands(own: &ReportedCurve) -> Vec<String> {
    /// Number of lines from which on the mean of a band depends little on where they lie.
    const ENOUGH_LINES: usize = 5;
    let mut said = Vec::new();
    let which = |wanted: &dyn Fn(&Band) -> bool| -> Vec<f64> {
        own.bands.iter().filter(|band| wanted(band)).map(|band| band.nominal).collect()
    };
    let cut = which(&|band| !band.is_complete);
    if !cut.is_empty() {
        said.push(format!("the range of the curve cuts off the bands of {}", listed(&cut)));
    }
    let few = which(&|band| band.lines < ENOUGH_LINES);
    if !few.is_empty() {
        said.push(format!(
            "fewer than {ENOUGH_LINES} lines, on whose places the level depends, are in the bands of {}",
            listed(&few)
        ));
    }
    let missing: Vec<f64> = own
        .bands
        .windows(2)
        .filter_map(|pair| Some(pair.first()?.number + 1..pair.get(1)?.number))
        .flatten()
        .map(nominal)
        .collect();
    if !missing.is_empty() {
        said.push(format!("no line is in the bands of {}, which are left out", listed(&missing)));
    }
    let steps: Vec<f64> =
        own.curve.lines.windows(2).filter_map(|pair| Some(pair.get(1)?.frequency - pair.first()?.frequency)).collect();
    let (least, most) =
        steps.iter().fold((f64::INFINITY, 0.0f64), |(least, most), step| (least.min(*step), most.max(*step)));
    if most > 1.01 * least {
        said.push("lines are not equidistant, and each counts once in the mean of its band".to_owned());
    }
    said
}

fn of_linearity(linearity: &Linearity) -> Vec<String> {
    let mut said = Vec::new();
    if linearity.is_narrow() {
        said.push(format!(
            "The test of linearity ({}) has amplitudes {:.1} dB apart; it needs 10 dB.",
            linearity.origin.name(),
            linearity.span
        ));
    }
    if linearity.failing().next().is_some() {
        said.push(format!(
            "The mount is not linear ({}): each curve holds for its own amplitude alone.",
            linearity.origin.name()
        ));
    }
    said
}

fn of_comparisons(report: &StiffnessReport) -> Vec<String> {
    let mut said = Vec::new();
    if report.of(Origin::Measured).next().is_none() || report.of(Origin::Model).next().is_none() {
        return said;
    }
    let is = |one: &Option<Amplitude>, other: &Option<Amplitude>| match (one, other) {
        (Some(one), Some(other)) => one.unit == other.unit && is_same(one.value, other.value),
        (one, other) => one.is_none() && other.is_none(),
    };
    for own in report.of(Origin::Measured) {
        let compared = report.comparisons.iter().find(|one| is(&one.amplitude, &own.curve.amplitude));
        match compared.map(|one| one.not_compared) {
            None => said.push(format!("{}: no line of the model to compare with.", own.name())),
            Some(0) => {}
            Some(count) => {
                said.push(format!("{}: {count} lines are not those of the model, and not compared.", own.name()))
            }
        }
    }
    let measured = report.of(Origin::Measured).map(|own| own.curve.range()).reduce(joined);
    let model = report.of(Origin::Model).map(|own| own.curve.range()).reduce(joined);
    if let Some((measured, model)) = measured.zip(model)
        && (model.0 < measured.0 && !is_same(model.0, measured.0)
            || model.1 > measured.1 && !is_same(model.1, measured.1))
    {
        said.push("The model goes beyond the measured frequencies, where nothing confirms it.".to_owned());
    }
    said
}

/// Frequencies in Hz; a long list becomes its range.
fn listed(frequencies: &[f64]) -> String {
    /// At most so many frequencies are listed in a sentence.
    const MAX_LISTED: usize = 8;
    let text = |value: &f64| Shown(*value).to_string();
    match frequencies {
        [first, .., last] if frequencies.len() > MAX_LISTED => {
            format!("{} frequencies from {} Hz to {} Hz", frequencies.len(), text(first), text(last))
        }
        _ => format!("{} Hz", frequencies.iter().map(text).collect::<Vec<_>>().join(", ")),
    }
}
