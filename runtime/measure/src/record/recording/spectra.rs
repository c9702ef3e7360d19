//! Frequency responses with their coherence.

use crate::formats::{Spectrum, SpectrumKind};

use super::{RecordingError, same_axis};
use crate::record::FrequencyResponse;

/// Pairs frequency responses with coherences of the same degrees of freedom and frequencies: the second one with the
/// second.
pub(super) fn responses(file: &str, functions: &[Spectrum]) -> Result<Vec<FrequencyResponse>, RecordingError> {
    let mut found: Vec<FrequencyResponse> = Vec::new();
    for function in functions.iter().filter(|function| function.kind == SpectrumKind::FrequencyResponse) {
        let reference = function.reference.clone().unwrap_or_default();
        let fits = |other: &&Spectrum| {
            let is_coherence = matches!(other.kind, SpectrumKind::Coherence | SpectrumKind::MultipleCoherence);
            let is_same = other.response == function.response && other.reference == function.reference;
            is_coherence && is_same && other.real.len() == function.real.len() && same_axis(&other.axis, &function.axis)
        };
        let earlier =
            found.iter().filter(|other| other.response == function.response && other.reference == reference).count();
        let coherence = functions.iter().filter(fits).nth(earlier).map(|coherence| coherence.real.clone());
        let imaginary = match function.imaginary.is_empty() {
            true => vec![0.0; function.real.len()],
            false => function.imaginary.clone(),
        };
        let response = FrequencyResponse {
            name: function.name.clone(),
            response: function.response.clone(),
            frequencies: frequencies(file, function)?,
            reference,
            real: function.real.clone(),
            imaginary,
            coherence,
            variances: None,
            averages: None,
            added_decay: 0.0,
            unit: function.unit.clone(),
            reference_unit: function.reference_unit.clone(),
            comment: function.comment.clone(),
            notes: Vec::new(),
        };
        found.push(response.told_by_comment());
    }
    if found.is_empty() {
        let mut kinds: Vec<String> = functions.iter().map(|function| function.kind.to_string()).collect();
        kinds.dedup();
        return Err(RecordingError::NoResponses { file: file.to_owned(), kinds });
    }
    Ok(found)
}

/// Frequencies in Hz, which must increase.
fn frequencies(file: &str, function: &Spectrum) -> Result<Vec<f64>, RecordingError> {
    let refused = || RecordingError::Frequencies {
        file: file.to_owned(),
        function: format!("{} / {}", function.response, function.reference.clone().unwrap_or_default()),
        unit: function.frequency_unit.clone(),
    };
    let factor = match function.frequency_unit.to_ascii_lowercase().as_str() {
        "" | "hz" | "1/s" | "c/s" | "s^-1" => 1.0,
        "khz" => 1e3,
        "rad/s" => std::f64::consts::TAU.recip(),
        _ => return Err(refused()),
    };
    let all: Vec<f64> =
        (0..function.real.len()).map_while(|index| function.axis.at(index)).map(|value| value * factor).collect();
    let increases = all.len() == function.real.len() && all.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    if increases && all.iter().all(|value| value.is_finite()) { Ok(all) } else { Err(refused()) }
}
