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
        let path = path.as_ref();
        // lines are numbered, since the first column is no time
        let record = Record::reader().rate(1.0).read(path).map_err(refused)?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self::of_columns(name, &record)
    }

    fn of_columns(name: String, record: &Record) -> Result<Self, ResponseError> {
        let column = |name: &str| record.channel(name).map_err(refused);
        let known = |name: &str| record.channel(name).ok();
        let frequencies = in_unit(record, column("frequency")?, "the frequency", "Hz")?;
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
