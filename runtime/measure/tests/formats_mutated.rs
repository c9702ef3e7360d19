//! Mutated files of every format: read as what they are, or refused, in memory of a few times the file.
#![allow(clippy::unwrap_used)]

mod made;

use std::io::Cursor;

use costate_measure::formats::{Axis, Format, read_from};

/// Memory that does not depend on the file: pieces that are read at once, and tables of decompression.
const FIXED: u64 = 1 << 18;

/// Memory of HDF5 that does not depend on the file: the header of a tree announces a depth of up to
/// 65 535, of which the reader has tables.
#[cfg(feature = "hdf5")]
const FIXED_OF_TREES: u64 = 1 << 24;

fn drive(name: &str, format: Format, seeds: &[Vec<u8>], times: u64) {
    drive_beside(FIXED, name, format, seeds, times);
}

fn drive_beside(fixed: u64, name: &str, format: Format, seeds: &[Vec<u8>], times: u64) {
    let seeds: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
    for seed in &seeds {
        read_from(&mut Cursor::new(seed), "a file", format).unwrap();
    }
    let mut count = 0;
    costate_fuzz::drive(name, &seeds, &["\u{ff}\u{ff}", "99999999", "-1", "\0\0\0\0"], |bytes| {
        count += 1;
        let mut read = None;
        let taken = allocation_counter::measure(|| read = Some(read_from(&mut Cursor::new(bytes), "a file", format)));
        let limit = times * bytes.len() as u64 + fixed;
        assert!(
            taken.bytes_max <= limit,
            "{} bytes for a file of {}: {:?}",
            taken.bytes_max,
            bytes.len(),
            read.map(|read| read.map(|_| ()))
        );
        match read.unwrap() {
            Err(error) => error.to_string(),
            Ok(recording) => {
                for channel in recording.groups.iter().flat_map(|group| &group.channels) {
                    let is_whole = match &channel.axis {
                        Axis::Stamps(stamps) => stamps.len() == channel.values.len(),
                        Axis::Even { step, .. } => *step > 0.0,
                        _ => true,
                    };
                    assert!(is_whole, "{channel:?}");
                    assert!(
                        channel.imaginary.is_empty() || channel.imaginary.len() == channel.values.len(),
                        "{channel:?}"
                    );
                }
                format!("read {}", recording.groups.len())
            }
        }
    });
    assert!(count >= 1000, "{count} inputs of {name}");
}

#[cfg(feature = "uff")]
#[test]
fn uff() {
    let text = made::uff().into_bytes();
    let recording = read_from(&mut Cursor::new(&text), "a file", Format::Uff).unwrap();
    let mut binary = Vec::new();
    costate_measure::formats::uff::write(
        &recording,
        costate_measure::formats::uff::Encoding::Binary,
        "a file",
        &mut binary,
    )
    .unwrap();
    drive("uff", Format::Uff, &[text, binary], 4);
}

#[cfg(feature = "wav")]
#[test]
fn wav() {
    let samples: Vec<u8> = (0..960).map(|i| (i % 251) as u8).collect();
    let seeds = [
        made::wav(1, 2, 48_000, 16, &samples),
        made::wav(1, 1, 8000, 24, &samples),
        made::wav(3, 3, 44_100, 32, &samples),
    ];
    // samples of one byte become numbers of eight
    drive("wav", Format::Wav, &seeds, 8);
}

#[cfg(feature = "mat")]
#[test]
fn mat() {
    use made::{array, compressed, element, matrix, structure};
    let run = structure(
        "run",
        &[("acc", matrix("", 2, 1, &[7.0, 8.0])), ("note", array(4, 1, 2, "", &element(4, &[104, 0, 105, 0])))],
    );
    let values: Vec<f64> = (0..300).map(f64::from).collect();
    let seeds = [
        made::mat(&[matrix("data", 150, 2, &values), run]),
        made::mat(&[compressed(&matrix("data", 300, 1, &values))]),
    ];
    drive("mat", Format::Mat, &seeds, 8);
}

#[cfg(feature = "tdms")]
#[test]
fn tdms() {
    let raw = made::segment(
        2 | 4 | 8 | 32,
        &[made::object("/'g'/'a'", Some((5, 2)), &[]), made::object("/'g'/'b'", Some((6, 2)), &[])],
        &[1, 2, 0, 3, 4, 0],
    );
    drive("tdms", Format::Tdms, &[made::tdms(), raw], 8);
}

/// A measurement of two groups, of which one is compressed.
#[cfg(feature = "mdf")]
fn mdf_seed(is_compressed: bool) -> Vec<u8> {
    use falcon_mdf::SignalValues;
    let mut writer = falcon_mdf::write::Mf4Writer::with_start_time_ns(1_700_000_000_000_000_000);
    writer.set_compression(is_compressed);
    let times: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.01).collect();
    let group = writer.add_group(&times).unwrap();
    group.add_channel_typed("acc", "m/s^2", SignalValues::F64(times.clone())).unwrap();
    group.add_channel_typed("force", "N", SignalValues::I16((0..50).collect())).unwrap();
    let group = writer.add_group(&times[..7]).unwrap();
    group.add_channel_typed("slow", "V", SignalValues::U8(vec![1, 2, 3, 4, 5, 6, 7])).unwrap();
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    bytes
}

#[cfg(feature = "mdf")]
#[test]
fn mdf() {
    drive("mdf", Format::Mdf, &[mdf_seed(false), mdf_seed(true)], 4);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    let mut group = costate_measure::formats::Group::new("");
    for name in ["acc", "force"] {
        let mut channel = costate_measure::formats::Channel::new(name, (0..200).map(|i| f64::from(i).sin()).collect());
        channel.axis = Axis::Even { start: 0.0, step: 0.01 };
        channel.unit = Some("N".to_owned());
        group.channels.push(channel);
    }
    let mut bytes = Vec::new();
    costate_measure::formats::parquet::write(&group, "a file", &mut bytes).unwrap();
    drive("parquet", Format::Parquet, &[bytes, parquet_columns(false), parquet_columns(true)], 4);
}

/// Columns of several types and encodings, with missing values.
#[cfg(feature = "parquet")]
fn parquet_columns(is_second: bool) -> Vec<u8> {
    use std::sync::Arc;

    use parquet::basic::Encoding;
    use parquet::data_type::{BoolType, FloatType, Int32Type, Int64Type};
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use parquet::schema::types::ColumnPath;

    let schema = "message m { OPTIONAL INT64 a; REQUIRED INT32 b; REQUIRED BOOLEAN c; REQUIRED FLOAT d; REQUIRED \
         INT64 t (TIMESTAMP(MICROS,true)); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let version = if is_second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
    let mut properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_column_encoding(ColumnPath::from("t"), Encoding::PLAIN);
    let words = if is_second { Encoding::DELTA_BINARY_PACKED } else { Encoding::PLAIN };
    for (name, encoding) in [("b", words), ("d", Encoding::BYTE_STREAM_SPLIT)] {
        let path = ColumnPath::from(name);
        properties = properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding);
    }
    let mut bytes = Vec::new();
    let mut writer =
        parquet::file::writer::SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut index = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        let n = 40;
        match index {
            0 => column.typed::<Int64Type>().write_batch(&[5; 20], Some(&[1, 0].repeat(20)), None).unwrap(),
            1 => {
                column.typed::<Int32Type>().write_batch(&(0..n).map(|i| i * i).collect::<Vec<_>>(), None, None).unwrap()
            }
            2 => column
                .typed::<BoolType>()
                .write_batch(&(0..n).map(|i| i % 3 == 0).collect::<Vec<_>>(), None, None)
                .unwrap(),
            3 => column
                .typed::<FloatType>()
                .write_batch(&(0..n).map(|i| i as f32).collect::<Vec<_>>(), None, None)
                .unwrap(),
            _ => column
                .typed::<Int64Type>()
                .write_batch(&(0..n).map(|i| i64::from(i) * 1000).collect::<Vec<_>>(), None, None)
                .unwrap(),
        };
        column.close().unwrap();
        index += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    let read = read_from(&mut Cursor::new(&bytes), "a file", Format::Parquet).unwrap();
    let channels = &read.groups[0].channels;
    assert_eq!(channels[1].values[39], 1521.0);
    assert_eq!(
        (channels[0].values[0], channels[0].values[1].is_nan(), channels[2].values[3], channels[3].values[7]),
        (5.0, true, 1.0, 7.0)
    );
    assert_eq!((channels[4].values[1], channels[4].unit.as_deref()), (0.001, Some("s")));
    bytes
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5() {
    let mut builder = hdf5_pure::FileBuilder::new();
    let values: Vec<f64> = (0..300).map(f64::from).collect();
    builder.create_dataset("time").with_f64_data(&values).with_shape(&[300]);
    builder.create_dataset("packed").with_f64_data(&values).with_shape(&[100, 3]).with_chunks(&[20, 3]).with_deflate(6);
    let mut group = builder.create_group("run");
    group.create_dataset("acc").with_f32_data(&[1.0, 2.0, 3.0]);
    builder.add_group(group.finish());
    drive_beside(FIXED_OF_TREES, "hdf5", Format::Hdf5, &[builder.finish().unwrap()], 4);
}

/// Mutants of a file with links, within the limit that the numbers of all formats have.
#[cfg(feature = "hdf5")]
#[test]
fn links_of_hdf5() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/links.h5");
    drive_beside(FIXED_OF_TREES, "hdf5_links", Format::Hdf5, &[std::fs::read(path).unwrap()], 256);
}

#[cfg(feature = "npy")]
#[test]
fn npy() {
    let mut array = b"\x93NUMPY\x01\0".to_vec();
    let header = "{'descr': [('t', '<f8'), ('a', '>i2', (2,))], 'fortran_order': False, 'shape': (3,), }";
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.bytes());
    array.extend([1; 36]);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/numpy.npz");
    drive("npy", Format::Npy, &[array, std::fs::read(path).unwrap()], 8);
}
