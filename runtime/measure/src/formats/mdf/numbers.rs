//! Numbers of a signal. Those that `falcon_mdf` does not decode, or decodes as texts, are made of the raw ones here.

use falcon_mdf::blocks::{ChannelType, Conversion, ConversionOutput, DataType, TableEntry};
use falcon_mdf::{Channel as Signal, Mf4Error, Mf4File, SignalValues};

use crate::formats::numbers::{MAX_EXACT, half};

/// Physical values of a signal.
pub(super) struct Numbers {
    pub real: Vec<f64>,
    /// Empty for real values.
    pub imaginary: Vec<f64>,
    /// Marks of the valid ones, if the file has them.
    pub validity: Option<Vec<bool>>,
    /// A note on what the numbers do not show, after the name of the signal.
    pub note: Option<String>,
}

/// Reads the values of a signal, or says why they are no numbers.
pub(super) fn read(file: &Mf4File, signal: &Signal) -> Result<Numbers, String> {
    let said = |error: Mf4Error| error.to_string();
    let bits = signal.bit_count;
    let has_bytes = matches!(signal.channel_type, ChannelType::FixedLength | ChannelType::Master);
    let is_plain = signal.is_numeric() && has_bytes && !signal.is_array();
    let is_known = if signal.is_float() { matches!(bits, 16 | 32 | 64) } else { (1..=64).contains(&bits) };
    if is_plain && !is_known {
        return Err(format!("its numbers have {bits} bits"));
    }
    let is_half = is_plain && signal.is_float() && bits == 16;
    let decoded = file.signal(signal).map_err(said)?;
    let validity = decoded.validity();
    if is_half || (is_plain && has_numbers(&signal.conversion)) {
        drop(decoded);
        let raw = raw(file, signal, is_half)?;
        let (real, note) = converted(&signal.conversion, raw, signal.is_float())?;
        return Ok(Numbers { real, imaginary: Vec::new(), validity, note });
    }
    let values = decoded.values().map_err(said)?;
    drop(decoded);
    let is_rounded = match &values {
        SignalValues::U64(values) => values.iter().any(|value| *value > MAX_EXACT),
        SignalValues::I64(values) => values.iter().any(|value| value.unsigned_abs() > MAX_EXACT),
        _ => false,
    };
    let note = is_rounded.then(|| "has whole numbers beyond 2^53, which are rounded".to_owned());
    let (real, imaginary) = match values {
        SignalValues::F64(values) => (values, Vec::new()),
        SignalValues::Complex { re, im } => (re, im),
        SignalValues::Str(_) => return Err("its values are texts".to_owned()),
        SignalValues::Array { .. } | SignalValues::ArrayVarLen { .. } => {
            return Err("its values are arrays".to_owned());
        }
        SignalValues::Bytes { .. } | SignalValues::VarBytes { .. } => {
            return Err("its values are bytes, such as frames of a bus".to_owned());
        }
        SignalValues::CanopenDate(_) | SignalValues::CanopenTime(_) => {
            return Err("its values are dates".to_owned());
        }
        numbers => (numbers.to_f64(), Vec::new()),
    };
    Ok(Numbers { real, imaginary, validity, note })
}

/// Checks for a table of texts that has numbers for some of its values.
fn has_numbers(conversion: &Conversion) -> bool {
    let (Conversion::ValueToText { entries, default, .. } | Conversion::RangeToText { entries, default, .. }) =
        conversion
    else {
        return false;
    };
    let is_number = |entry: &TableEntry| match entry {
        TableEntry::Nested(inner) => inner.output() == ConversionOutput::Numeric || has_numbers(inner),
        _ => false,
    };
    entries.iter().chain(default).any(is_number)
}

/// The numbers before the conversion; the bits of short ones are read as whole numbers.
fn raw(file: &Mf4File, signal: &Signal, is_half: bool) -> Result<Vec<f64>, String> {
    let mut own = signal.clone();
    own.conversion = Conversion::None;
    if is_half {
        own.data_type = if signal.is_little_endian() { DataType::UIntLe } else { DataType::UIntBe };
    }
    let decoded = file.signal(&own).map_err(|error| error.to_string())?;
    let values = decoded.raw_values().map_err(|error| error.to_string())?;
    Ok(match values {
        SignalValues::U16(bits) if is_half => bits.into_iter().map(half).collect(),
        values => values.to_f64(),
    })
}

/// Physical values, NaN where the table has a text, and a note about the texts.
fn converted(conversion: &Conversion, mut raw: Vec<f64>, is_float: bool) -> Result<(Vec<f64>, Option<String>), String> {
    let (mut texts, mut first) = (0_usize, None);
    for value in &mut raw {
        let physical = conversion.convert(*value, is_float);
        if physical.is_nan() && !value.is_nan() && conversion.output() == ConversionOutput::Text {
            texts += 1;
            first = first.or_else(|| conversion.convert_text(*value, is_float).map(|text| text.into_owned()));
        }
        *value = physical;
    }
    if texts == raw.len() && texts > 0 {
        return Err("its values are texts".to_owned());
    }
    let note = (texts > 0).then(|| {
        let example = first.map_or_else(String::new, |text| format!(" such as `{text}`"));
        format!("has {texts} texts{example} among its numbers, which are missing values here")
    });
    Ok((raw, note))
}
