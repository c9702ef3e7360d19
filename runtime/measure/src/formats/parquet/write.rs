//! Writing of channels with common times as a table.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{Compression, Repetition, Type};
use ::parquet::data_type::DoubleType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type as Node;

use super::UNIT;
use crate::formats::{Axis, Format, FormatError, Group};

/// Writes the channels of a group as columns of double precision, after one of times, `time`; error messages call the
/// file `name`. Numbers keep every bit; a missing value is NaN.
///
/// # Errors
/// [`FormatError::Unwritable`] for channels without common times and for complex ones; [`FormatError::File`].
pub fn write(group: &Group, name: &str, out: impl Write + Send) -> Result<(), FormatError> {
    /// Rows of a group, of which readers take one at a time.
    const GROUP_ROWS: usize = 1 << 20;
    let refused = |what: &str, instead: &str| FormatError::Unwritable {
        file: name.to_owned(),
        format: Format::Parquet,
        what: what.to_owned(),
        instead: instead.to_owned(),
    };
    let Some(first) = group.channels.first() else {
        return Err(refused("a table without channels", "add a channel"));
    };
    let count = first.values.len();
    for channel in &group.channels {
        if channel.axis != first.axis || channel.values.len() != count {
            return Err(refused("channels with several sets of times", "write a file for each"));
        }
        if !channel.imaginary.is_empty() {
            return Err(refused(&format!("the complex channel `{}`", channel.name), "write its parts as channels"));
        }
    }
    let times: Vec<f64> = match &first.axis {
        Axis::Stamps(stamps) => stamps.to_vec(),
        axis => (0..count).map_while(|index| axis.at(index)).collect(),
    };
    if times.len() != count {
        return Err(refused("values without times", "give them an axis"));
    }
    let failed = |error: ParquetError| FormatError::file(name, std::io::Error::other(error));
    let names = std::iter::once("time").chain(group.channels.iter().map(|channel| channel.name.as_str()));
    let mut columns = Vec::new();
    for name in names {
        let column = Node::primitive_type_builder(name, Type::DOUBLE)
            .with_repetition(Repetition::REQUIRED)
            .build()
            .map_err(failed)?;
        columns.push(Arc::new(column));
    }
    let schema = Node::group_type_builder("schema").with_fields(columns).build().map_err(failed)?;
    let units = std::iter::once(("time", Some("s")))
        .chain(group.channels.iter().map(|channel| (channel.name.as_str(), channel.unit.as_deref())));
    let keys =
        units.filter_map(|(name, unit)| Some(KeyValue::new(format!("{UNIT}{name}"), unit?.to_owned()))).collect();
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(keys))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    for begin in (0..count).step_by(GROUP_ROWS) {
        let rows = begin..(begin + GROUP_ROWS).min(count);
        let mut group_writer = writer.next_row_group().map_err(failed)?;
        for values in std::iter::once(&times).chain(group.channels.iter().map(|channel| &channel.values)) {
            let Some(mut column) = group_writer.next_column().map_err(failed)? else { break };
            column
                .typed::<DoubleType>()
                .write_batch(values.get(rows.clone()).unwrap_or_default(), None, None)
                .map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group_writer.close().map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    Ok(())
}
