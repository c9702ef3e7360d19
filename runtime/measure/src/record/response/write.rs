//! Frequency responses as files, written whole or not at all.

use std::io::Write;
use std::path::Path;

use costate_contract::files::NewFile;

use super::{FrequencyResponse, ResponseError};

impl FrequencyResponse {
    /// Writes a table with commas: frequency, real and imaginary part, magnitude, phase, and where they are known the
    /// coherence and the deviation of real and imaginary part. An added decay is a column as well.
    ///
    /// # Errors
    /// [`ResponseError::File`].
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), ResponseError> {
        let path = path.as_ref();
        let failed = |source| ResponseError::File { file: path.display().to_string(), source };
        let mut file = NewFile::create(path).map_err(failed)?;
        file.write_all(self.table().as_bytes()).map_err(failed)?;
        file.finish().map_err(failed)
    }

    fn table(&self) -> String {
        let unit = match (self.unit.as_deref(), self.reference_unit.as_deref()) {
            (None, None) => String::new(),
            (unit, None) => format!(" [{}]", unit.unwrap_or("1")),
            (unit, Some(reference)) => format!(" [({})/({reference})]", unit.unwrap_or("1")),
        };
        // units hold neither quotes nor line breaks where they are units, but a file may hold anything
        let heading = |name: &str| match unit.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{name}{}\"", unit.replace('"', "\"\"")),
            false => format!("{name}{unit}"),
        };
        let deviations = self.deviations();
        let mut columns = vec![
            ("frequency [Hz]".to_owned(), self.frequencies.clone()),
            (heading("real"), self.real.clone()),
            (heading("imaginary"), self.imaginary.clone()),
            (heading("magnitude"), self.magnitudes()),
            ("phase [rad]".to_owned(), self.phases()),
        ];
        columns.extend(self.coherence.clone().map(|coherence| ("coherence".to_owned(), coherence)));
        columns.extend(deviations.map(|deviations| (heading("deviation"), deviations)));
        if self.added_decay != 0.0 {
            columns.push(("added decay [1/s]".to_owned(), vec![self.added_decay; self.frequencies.len()]));
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        let mut text = names.join(",") + "\n";
        for row in 0..self.frequencies.len() {
            let cells: Vec<String> = columns
                .iter()
                .map(|(_, values)| values.get(row).map_or_else(String::new, |value| format!("{value:?}")))
                .collect();
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }
}

/// Writes responses as UFF58 in binary (58b), each with its coherence as a data set of its own, and returns sentences
/// about what the file does not keep.
///
/// The format has no field for an added decay, for averages or for variances. The first two are words of the second
/// identification line, which [`Recording::spectra`](crate::record::Recording::spectra) reads. Variances that follow
/// from coherence and averages are made of these again; others are lost.
///
/// # Errors
/// [`ResponseError::Format`] for names and units that are too long; [`ResponseError::File`].
#[cfg(feature = "uff")]
pub fn write_responses_uff(
    responses: &[FrequencyResponse],
    path: impl AsRef<Path>,
) -> Result<Vec<String>, ResponseError> {
    use crate::formats::uff::{Encoding, write};
    use crate::formats::{Format, Recording};
    let path = path.as_ref();
    let name = path.display().to_string();
    let mut recording = Recording::new(Format::Uff);
    recording.spectra = responses.iter().flat_map(spectra).collect();
    let failed = |source| ResponseError::File { file: name.clone(), source };
    let mut file = NewFile::create(path).map_err(failed)?;
    write(&recording, Encoding::Binary, &name, &mut file)?;
    file.finish().map_err(failed)?;
    let is_lost = |response: &&FrequencyResponse| response.variances.is_some() && !follow(response);
    let lost = responses.iter().filter(is_lost).map(|response| {
        format!(
            "`{name}` does not keep the variances of `{}`, which do not follow from its coherence and averages; a \
                 table, `.csv`, keeps them.",
            response.name
        )
    });
    Ok(lost.collect())
}

/// Checks whether variances follow from coherence and averages.
#[cfg(feature = "uff")]
fn follow(response: &FrequencyResponse) -> bool {
    const SAME: f64 = 1e-9;
    let made = FrequencyResponse { variances: None, ..response.clone() }.with_variances_of_coherence();
    match (&response.variances, &made.variances) {
        (Some(own), Some(made)) => own.iter().zip(made).all(|(own, made)| (own - made).abs() <= SAME * own.max(*made)),
        _ => false,
    }
}

/// The response and, if there is one, its coherence.
#[cfg(feature = "uff")]
fn spectra(response: &FrequencyResponse) -> Vec<crate::formats::Spectrum> {
    use crate::formats::{Spectrum, SpectrumKind};
    let axis = crate::record::recording::clocks::axis_of(&response.frequencies.clone().into());
    let mut function = Spectrum::new(SpectrumKind::FrequencyResponse, axis, response.real.clone());
    function.name.clone_from(&response.name);
    function.response.clone_from(&response.response);
    function.reference = Some(response.reference.clone());
    function.imaginary.clone_from(&response.imaginary);
    function.unit.clone_from(&response.unit);
    function.reference_unit.clone_from(&response.reference_unit);
    let mut words = response.words(response.variances.is_some() && follow(response));
    words.extend(response.comment.clone());
    function.comment = (!words.is_empty()).then(|| words.join("; "));
    let coherence = response.coherence.clone().map(|values| {
        let mut coherence = function.clone();
        (coherence.kind, coherence.real) = (SpectrumKind::Coherence, values);
        (coherence.unit, coherence.reference_unit) = (None, None);
        coherence.imaginary.clear();
        coherence
    });
    [Some(function), coherence].into_iter().flatten().collect()
}
