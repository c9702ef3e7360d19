//! Frequency responses from tables.

use std::path::Path;

use super::{FrequencyResponse, ResponseError};
use crate::record::unit::Wanted;
use crate::record::{Channel, Record, RecordError};

impl FrequencyResponse {
    /// Reads a table as [`write_csv`](Self::write_csv) writes it, in any dialect that [`Record::reader`] knows: the
    /// columns `frequency`, `real` and `imaginary`, or `magnitude` and `phase`, and where they are known `coherence`,
    /// `deviation` of real and imaginary part, and `added decay`. The name is that of the file.
    ///
    /// # Errors
    /// [`ResponseError::Table`] for a file that is no such table, and for units that do not fit;
    /// [`ResponseError::Decay`]; as [`new`](Self::new).
    pub fn read_csv(path: impl AsRef<Path>) -> Result<Self, ResponseError> {
        let (name, record) = table(path.as_ref())?;
        Self::of_columns(name, &record, "")
    }

    /// Reads a table of one response, as [`read_csv`](Self::read_csv) does, or of several ones over the same
    /// frequencies, with the columns `NAME real` and `NAME imaginary` of each, whose name this is, as
    /// `costate response` writes it.
    ///
    /// # Errors
    /// As [`read_csv`](Self::read_csv).
    pub fn read_all_csv(path: impl AsRef<Path>) -> Result<Vec<Self>, ResponseError> {
        let (name, record) = table(path.as_ref())?;
        let names: Vec<&str> = record.channels().iter().filter_map(|one| one.name().strip_suffix(" real")).collect();
        if names.is_empty() || record.channel("real").is_ok() {
            return Ok(vec![Self::of_columns(name, &record, "")?]);
        }
        names.into_iter().map(|name| Self::of_columns(name.to_owned(), &record, &format!("{name} "))).collect()
    }

    /// Reads the columns whose names begin with `before`, and the frequencies.
    fn of_columns(name: String, record: &Record, before: &str) -> Result<Self, ResponseError> {
        let column = |name: &str| record.channel(&format!("{before}{name}")).map_err(refused);
        let known = |name: &str| column(name).ok();
        let frequencies = in_unit(record, record.channel("frequency").map_err(refused)?, "the frequency", "Hz")?;
        let (unit, [real, imaginary]) = match (known("real"), known("magnitude"), known("phase")) {
            (None, Some(magnitude), Some(phase)) => {
                let angles = in_unit(record, phase, "the phase", "rad")?;
                let each = magnitude.values().iter().zip(&angles);
                let parts = each.map(|(size, angle)| (size * angle.cos(), size * angle.sin()));
                let (real, imaginary) = parts.unzip();
                (magnitude.unit(), [real, imaginary])
            }
            _ => {
                let real = column("real")?;
                let imaginary = same_unit(record, column("imaginary")?, real.unit())?;
                (real.unit(), [real.values().to_vec(), imaginary])
            }
        };
        let mut made = Self::new(name, frequencies, real, imaginary)?;
        made.unit = unit.map(str::to_owned);
        if let Some(coherence) = known("coherence") {
            made = made.with_coherence(coherence.values().to_vec())?;
        }
        if let Some(deviation) = known("deviation") {
            let deviations = same_unit(record, deviation, unit)?;
            made = made.with_variances(deviations.iter().map(|one| one * one).collect())?;
        }
        if let Some(decay) = known("added decay") {
            let decays = in_unit(record, decay, "the added decay", "1/s")?;
            let first = decays.first().copied().unwrap_or_default();
            if let Some(&value) = decays.iter().find(|value| !(**value == first && first >= 0.0 && first.is_finite())) {
                return Err(ResponseError::Decay { response: made.name, value, first });
            }
            made.added_decay = first;
        }
        Ok(made)
    }
}

/// Reads a table, and returns the name of its file with it.
fn table(path: &Path) -> Result<(String, Record), ResponseError> {
    // lines are numbered, since the first column is no time
    let record = Record::reader().rate(1.0).read(path).map_err(refused)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok((name, record))
}

fn refused(error: RecordError) -> ResponseError {
    ResponseError::Table(Box::new(error))
}

fn in_unit(record: &Record, channel: &Channel, what: &str, unit: &str) -> Result<Vec<f64>, ResponseError> {
    let found = channel.in_unit_of(record.name(), &Wanted::new(what, unit));
    Ok(found.map_err(|error| refused(error.into()))?.values().to_vec())
}

/// Returns a column in the unit of the real parts.
fn same_unit(record: &Record, channel: &Channel, unit: Option<&str>) -> Result<Vec<f64>, ResponseError> {
    match unit.filter(|unit| channel.unit() != Some(*unit)) {
        Some(unit) => in_unit(record, channel, "the real part", unit),
        None => Ok(channel.values().to_vec()),
    }
}
