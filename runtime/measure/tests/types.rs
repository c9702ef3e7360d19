//! Types of numbers of every format, read as what they mean, or left out with the reason. The files in `data` were
//! written by asammdf 8.8, h5py 3.16 and numpy 2.4, and the numbers here are those that these read.
#![allow(clippy::unwrap_used)]
#![cfg(all(feature = "hdf5", feature = "mdf", feature = "npy", feature = "parquet"))]

use std::io::Cursor;
use std::sync::Arc;

use costate_measure::formats::{Channel, Format, FormatError, Recording, read_from};
use costate_measure::record::Record;
use parquet::basic::Encoding;
use parquet::data_type::{
    ByteArray, ByteArrayType, DoubleType, FixedLenByteArrayType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

fn read(bytes: &[u8], format: Format) -> Result<Recording, FormatError> {
    let found = Format::of(&bytes[..bytes.len().min(4096)], "a".as_ref());
    assert_eq!(found, Some(format), "found by the content");
    read_from(&mut Cursor::new(bytes), "a", format)
}

fn data(name: &str, format: Format) -> Recording {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    read(&std::fs::read(path).unwrap(), format).unwrap()
}

#[track_caller]
fn channel(recording: &Recording, name: &str) -> Channel {
    let mut all = recording.groups.iter().flat_map(|group| &group.channels);
    let found = all.find(|channel| channel.name == name);
    found.unwrap_or_else(|| panic!("no `{name}`; {:?}", recording.left_out)).clone()
}

#[track_caller]
fn reason(recording: &Recording, name: &str) -> String {
    let found = recording.left_out.iter().find(|left| left.name == name);
    found.unwrap_or_else(|| panic!("`{name}` is not left out")).reason.clone()
}

/// Values of a column.
enum Column {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Int96(Vec<Int96>),
    Bytes(Vec<Vec<u8>>),
    Fixed(Vec<Vec<u8>>),
}

/// A file of these columns, of which those in the schema that are optional miss the values between the given ones.
fn table(schema: &str, properties: WriterProperties, columns: &[Column]) -> Vec<u8> {
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for values in columns {
        let mut column = group.next_column().unwrap().unwrap();
        // every second row is missing
        let levels = |count: usize| [1_i16, 0].repeat(count);
        match values {
            Column::Int32(all) => column.typed::<Int32Type>().write_batch(all, Some(&levels(all.len())), None).unwrap(),
            Column::Int64(all) => column.typed::<Int64Type>().write_batch(all, Some(&levels(all.len())), None).unwrap(),
            Column::Double(all) => {
                column.typed::<DoubleType>().write_batch(all, Some(&levels(all.len())), None).unwrap()
            }
            Column::Int96(all) => column.typed::<Int96Type>().write_batch(all, Some(&levels(all.len())), None).unwrap(),
            Column::Bytes(all) => {
                let all: Vec<ByteArray> = all.iter().map(|bytes| bytes.clone().into()).collect();
                column.typed::<ByteArrayType>().write_batch(&all, Some(&levels(all.len())), None).unwrap()
            }
            Column::Fixed(all) => {
                let all: Vec<_> = all.iter().map(|bytes| ByteArray::from(bytes.clone()).into()).collect();
                column.typed::<FixedLenByteArrayType>().write_batch(&all, Some(&levels(all.len())), None).unwrap()
            }
        };
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// Types that older writers give by a converted type alone.
#[test]
fn converted_types_of_parquet() {
    let day = |nanoseconds: u64| {
        let mut value = Int96::new();
        // 2024-05-01
        value.set_data(nanoseconds as u32, (nanoseconds >> 32) as u32, 2_440_588 + 19_844);
        value
    };
    let schema = "message m { OPTIONAL INT32 d32 (DECIMAL(7,2)); OPTIONAL INT64 d64 (DECIMAL(12,3)); \
        OPTIONAL BYTE_ARRAY bytes (DECIMAL(20,2)); OPTIONAL FIXED_LEN_BYTE_ARRAY (9) fixed (DECIMAL(20,4)); \
        OPTIONAL INT32 time_ms (TIME_MILLIS); OPTIONAL INT64 time_us (TIME_MICROS); \
        OPTIONAL INT64 stamp_ms (TIMESTAMP_MILLIS); OPTIONAL INT64 stamp_us (TIMESTAMP_MICROS); \
        OPTIONAL INT32 small (UINT_8); OPTIONAL INT32 unsigned (UINT_32); OPTIONAL INT64 long (UINT_64); \
        OPTIONAL INT32 date (DATE); OPTIONAL INT96 old; OPTIONAL BYTE_ARRAY text (UTF8); }";
    let bytes = table(
        schema,
        WriterProperties::builder().build(),
        &[
            Column::Int32(vec![125, -250]),
            Column::Int64(vec![-1500, 1]),
            Column::Bytes(vec![vec![0x7d], vec![0xff, 0x83]]),
            Column::Fixed(vec![vec![0, 0, 0, 0, 0, 0, 0, 0x30, 0x39], vec![0xff; 9]]),
            Column::Int32(vec![1500, 250]),
            Column::Int64(vec![1500, 86_400_000_000]),
            Column::Int64(vec![1_714_557_600_000, 1_714_557_600_250]),
            Column::Int64(vec![1_714_557_600_000_000, 1_714_557_600_250_000]),
            Column::Int32(vec![200, 0]),
            Column::Int32(vec![-1, 7]),
            Column::Int64(vec![-1, 7]),
            Column::Int32(vec![0, 2]),
            Column::Int96(vec![day(36_000_000_000_000), day(36_000_500_000_000)]),
            Column::Bytes(vec![b"a".to_vec(), b"b".to_vec()]),
        ],
    );
    let read = read(&bytes, Format::Parquet).unwrap();
    for (name, first, third) in [
        ("d32", 1.25, -2.5),
        ("d64", -1.5, 0.001),
        ("bytes", 1.25, -1.25),
        ("fixed", 1.2345, -0.0001),
        ("time_ms", 1.5, 0.25),
        ("time_us", 0.0015, 86_400.0),
        ("stamp_ms", 0.0, 0.25),
        ("stamp_us", 0.0, 0.25),
        ("small", 200.0, 0.0),
        ("unsigned", 4_294_967_295.0, 7.0),
        ("long", 18_446_744_073_709_551_615.0, 7.0),
        ("date", 0.0, 172_800.0),
        ("old", 0.0, 0.5),
    ] {
        let found = channel(&read, name);
        assert_eq!((found.values[0], found.values[2]), (first, third), "{name}");
        assert!(found.values[1].is_nan() && found.values[3].is_nan(), "{name}: {:?}", found.values);
        let is_time = ["time", "stamp", "date", "old"].iter().any(|part| name.starts_with(part));
        assert_eq!((found.is_time, found.unit.as_deref()), (is_time, is_time.then_some("s")), "{name}");
    }
    let clock = |name: &str| channel(&read, name).start.unwrap().to_string();
    for name in ["stamp_ms", "stamp_us", "old"] {
        assert_eq!(clock(name), "2024-05-01 10:00:00 UTC", "{name}");
    }
    assert_eq!(clock("date"), "1970-01-01 00:00:00 local time");
    assert_eq!(reason(&read, "text"), "its values are texts");
    assert!(read.notes[0].contains("`long` has whole numbers beyond 2^53"), "{:?}", read.notes);
}

/// Encodings of numbers among which some are missing, in pages of both versions, over many pages and seeds.
#[test]
fn encodings_of_parquet() {
    let schema = "message m { OPTIONAL INT32 a; OPTIONAL INT64 b; OPTIONAL DOUBLE c; \
        OPTIONAL FIXED_LEN_BYTE_ARRAY (2) h (FLOAT16); OPTIONAL BYTE_ARRAY t (DECIMAL(18,1)); }";
    let delta = Encoding::DELTA_BINARY_PACKED;
    let split = Encoding::BYTE_STREAM_SPLIT;
    for seed in 0..20_u32 {
        let count = 1 + 97 * seed as usize;
        let noise = |i: usize| (i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed * 77_777);
        let ints: Vec<i32> = (0..count).map(|i| noise(i) as i32 >> (seed % 30)).collect();
        let longs: Vec<i64> = (0..count).map(|i| i64::from(noise(i)) * i64::from(noise(i + 1)) >> seed).collect();
        let doubles: Vec<f64> = (0..count).map(|i| f64::from(noise(i)).sin()).collect();
        let halves: Vec<Vec<u8>> = (0..count).map(|i| vec![0, 0x3c + (i % 8) as u8]).collect();
        let texts: Vec<Vec<u8>> = (0..count).map(|i| (i as i32 * 3 - 50).to_be_bytes().to_vec()).collect();
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let words = if seed % 2 == 0 { delta } else { split };
            let lengths = if seed % 2 == 0 { Encoding::DELTA_LENGTH_BYTE_ARRAY } else { Encoding::DELTA_BYTE_ARRAY };
            let mut properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_dictionary_enabled(false)
                .set_write_batch_size(32)
                .set_data_page_size_limit(200);
            for (name, encoding) in [("a", words), ("b", words), ("c", split), ("h", split), ("t", lengths)] {
                properties = properties.set_column_encoding(ColumnPath::from(name), encoding);
            }
            let columns = [
                Column::Int32(ints.clone()),
                Column::Int64(longs.clone()),
                Column::Double(doubles.clone()),
                Column::Fixed(halves.clone()),
                Column::Bytes(texts.clone()),
            ];
            let read = read(&table(schema, properties.build(), &columns), Format::Parquet).unwrap();
            for name in ["a", "b", "c", "h", "t"] {
                let found = channel(&read, name).values;
                assert_eq!(found.len(), 2 * count);
                for (i, pair) in found.chunks(2).enumerate() {
                    assert!(pair[1].is_nan());
                    let wanted = match name {
                        "a" => f64::from(ints[i]),
                        "b" => longs[i] as f64,
                        "c" => doubles[i],
                        "h" => half(&halves[i]),
                        _ => (i as f64 * 3.0 - 50.0) / 10.0,
                    };
                    assert_eq!(pair[0], wanted, "{name} {i} of seed {seed}");
                }
            }
        }
    }
}

/// A half of positive sign, by the definition.
fn half(bytes: &[u8]) -> f64 {
    let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
    let (exponent, mantissa) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
    if exponent == 0 { mantissa * 2_f64.powi(-24) } else { (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15) }
}

#[test]
fn numbers_of_mdf() {
    let read = data("asammdf.mf4", Format::Mdf);
    let sine = |scale: f64, offset: f64, values: &[f64]| {
        let near = |(i, value): (usize, &f64)| (value - offset - scale * (i as f64 * 0.01).sin()).abs() < 2e-4 * scale;
        values.len() == 20 && values.iter().enumerate().all(near)
    };
    for (name, scale, offset) in [("half", 1.0, 0.0), ("swapped", 1.0, 0.0), ("scaled", 2.0, 1.0)] {
        assert!(sine(scale, offset, &channel(&read, name).values), "{name}");
    }
    // `numpy.float16(sin(0.19))`
    assert_eq!(channel(&read, "swapped").values[19], 0.188_842_773_437_5);
    for name in ["ranges", "value"] {
        let found = channel(&read, name);
        let is_right = |(i, value): (usize, &f64)| match i {
            15.. => value.is_nan(),
            _ => *value == 0.5 * i as f64 - 40.0,
        };
        assert!(found.values.iter().enumerate().all(is_right), "{name}: {:?}", found.values);
        assert_eq!(found.unit.as_deref(), Some("degC"));
        let note = format!("`{name}` has 5 texts such as `SNA` among its numbers, which are missing values here");
        assert!(read.notes.contains(&note), "{:?}", read.notes);
    }
    assert_eq!(channel(&read, "rational").values[..3], [f64::INFINITY, 1.0, 0.5]);
    assert_eq!(reason(&read, "group 1.states"), "its values are texts");
    // times of 16 bits
    let slow = channel(&read, "slow");
    assert_eq!((slow.axis.at(3), slow.values[7]), (Some(0.75), 7.0));
}

#[test]
fn types_of_hdf5() {
    let read = data("types.h5", Format::Hdf5);
    for (name, unit, values) in [
        ("time", Some("ms"), [0.0, 500.0, 1000.0, 1500.0]),
        ("one", Some("N"), [0.0, 1.0, 2.0, 3.0]),
        ("half", Some("g"), [0.5, -2.0, 65504.0, 0.333_251_953_125]),
        ("truth", None, [1.0, 0.0, 1.0, 0.0]),
        ("packed", None, [-5.0, 7.0, 2047.0, -2048.0]),
        ("table[:,0]", Some("N"), [0.0, 2.0, 4.0, 6.0]),
        ("table[:,1]", Some("mm"), [1.0, 3.0, 5.0, 7.0]),
    ] {
        let found = channel(&read, name);
        assert_eq!((found.values.as_slice(), found.unit.as_deref()), (values.as_slice(), unit), "{name}");
    }
    assert_eq!(channel(&read, "complex").imaginary, [0.0, 2.0, 4.0, 6.0]);
    assert_eq!(channel(&read, "short").imaginary, [0.0, 1.0, 2.0, 3.0]);
    for (name, part) in [
        ("long", "80 bits in a layout of their own"),
        ("pair", "structures"),
        ("nothing", "at most 0 were ever written"),
        ("none", "it is empty"),
        ("never", "at most 0 were ever written"),
    ] {
        let reason = reason(&read, name);
        assert!(reason.contains(part), "{name}: {reason}");
    }
}

/// Links to nothing, to other files, to the whole file and of a group to itself, in files of the older and the newer
/// structure.
#[test]
fn links_of_hdf5() {
    for (file, links) in [
        (
            "links.h5",
            &[
                ("up", "a link to `/`"),
                ("ext", "another file, `other.h5`"),
                ("loop", "a link to `/loop`"),
                ("g.self", "the group `g` under another name"),
                ("g.soft", "a link to `/nothing`"),
            ][..],
        ),
        ("newer.h5", &[("loop", "a link to `/loop`"), ("g.self", "the group `g` under another name")]),
    ] {
        let read = data(file, Format::Hdf5);
        assert_eq!(channel(&read, "time").values, [0.0, 0.5, 1.0, 1.5]);
        assert_eq!(channel(&read, "acc").values, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!((read.groups.len(), read.left_out.len()), (2, links.len()), "{:?}", read.left_out);
        for (name, part) in links {
            assert!(reason(&read, name).contains(part), "{name}: {}", reason(&read, name));
        }
    }
}

/// An array of NumPy with this header.
fn array(header: &str, values: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(values);
    bytes
}

#[test]
fn arrays_of_numpy() {
    let of = |descr: &str, order: &str, shape: &str, values: &[u8]| {
        let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
        read(&array(&header, values), Format::Npy)
    };
    let six: Vec<u8> = (0..6_u16).flat_map(u16::to_be_bytes).collect();
    for (order, shape, name, values) in [
        ("False", "(6,)", "a", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0][..]),
        ("False", "(3, 2)", "a[:,1]", &[1.0, 3.0, 5.0]),
        ("True", "(3, 2)", "a[:,1]", &[3.0, 4.0, 5.0]),
        ("False", "(2, 3)", "a[1,:]", &[3.0, 4.0, 5.0]),
        ("True", "(2, 3)", "a[1,:]", &[1.0, 3.0, 5.0]),
        ("False", "(2, 1, 3)", "a[:,2]", &[2.0, 5.0]),
    ] {
        let read = of("'>u2'", order, shape, &six).unwrap();
        assert_eq!(channel(&read, name).values, values, "{order} {shape}");
    }
    // the place of a column is no unit
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let header = "{'descr': '>u2', 'fortran_order': False, 'shape': (3, 2), }\n";
    std::fs::write(&path, array(header, &six)).unwrap();
    let record = Record::reader().rate(10.0).open(&path).unwrap().record().unwrap();
    let named = record.channels().iter().map(|channel| (channel.name(), channel.unit()));
    assert_eq!(named.collect::<Vec<_>>(), [("a(:,0)", None), ("a(:,1)", None)]);

    assert_eq!(channel(&of("'<f8'", "False", "()", &2.5_f64.to_le_bytes()).unwrap(), "a").values, [2.5]);
    let record = [&1.5_f64.to_le_bytes()[..], &[0xff, 0xfe], &[9], &0.5_f64.to_le_bytes(), &[0, 7], &[9]].concat();
    let read = of("[('time', '<f8'), ('acc', '>i2'), ('', '|V1')]", "False", "(2,)", &record).unwrap();
    assert_eq!(channel(&read, "time").values, [1.5, 0.5]);
    assert_eq!(channel(&read, "acc").values, [-2.0, 7.0]);
    assert_eq!(read.groups[0].name, "a");
    for (descr, part) in [("'<c16'", "complex"), ("'|O'", "objects"), ("'<U2'", "texts"), ("'<f16'", "more digits")] {
        let read = of(descr, "False", "(1,)", &[0; 16]).unwrap();
        assert!(reason(&read, "a").contains(part) && read.groups.is_empty(), "{descr}");
    }
    for (descr, shape, values, part) in [
        ("'<f8'", "(3,)", 23, "3 values are announced, for which it is too short"),
        ("'<f8'", "(9999999999,9999999999)", 8, "more values than can be counted"),
        ("'f'", "x", 8, "the header of the array cannot be read"),
        ("3", "(1,)", 8, "no type or shape"),
    ] {
        let error = of(descr, "False", shape, &vec![0; values]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }

    let read = data("numpy.npz", Format::Npy);
    for (name, values) in [
        ("time", [0.0, 0.5, 1.0, 1.5]),
        ("half", [0.5, -2.0, 65504.0, 0.333_251_953_125]),
        ("whole", [1.0, -2.0, 3.0, -4.0]),
        ("table[:,1]", [1.0, 3.0, 5.0, 7.0]),
    ] {
        assert_eq!(channel(&read, name).values, values, "{name}");
    }
    let clock = channel(&read, "clock");
    assert_eq!((clock.values[1], clock.values[3].is_nan(), clock.is_time), (0.5, true, true));
    assert_eq!(clock.start.unwrap().to_string(), "2024-05-01 10:00:00 local time");
    assert!(reason(&read, "objects").contains("objects of Python"));
}

/// Small files that become gigabytes are refused at once, in little memory.
#[test]
fn expansion_is_limited() {
    use std::io::Write;
    let zeros = vec![0; 1 << 20];
    // an array of 800 MB in 0.8 MB
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000000,), }";
    encoder.write_all(&array(header, &[])).unwrap();
    (0..763).for_each(|_| encoder.write_all(&zeros).unwrap());
    let packed = encoder.finish().unwrap();
    let local = |mark: &[u8; 4]| {
        let mut entry = mark.to_vec();
        if mark == b"PK\x01\x02" {
            entry.extend([20, 0]);
        }
        entry.extend([20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        entry.extend((packed.len() as u32).to_le_bytes());
        entry.extend(800_000_076_u32.to_le_bytes());
        entry.extend([5, 0, 0, 0]);
        entry
    };
    let mut bytes = [local(b"PK\x03\x04"), b"a.npy".to_vec(), packed.clone()].concat();
    let start = bytes.len() as u32;
    bytes.extend([local(b"PK\x01\x02"), vec![0; 14], b"a.npy".to_vec()].concat());
    let size = bytes.len() as u32 - start;
    bytes.extend([&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &size.to_le_bytes(), &start.to_le_bytes(), &[0, 0]].concat());
    let mut said = String::new();
    let taken = allocation_counter::measure(|| said = read(&bytes, Format::Npy).unwrap_err().to_string());
    assert!(said.contains("as of a file that was made to fill the memory"), "{said}");
    assert!(taken.bytes_max < 1 << 20, "{}", taken.bytes_max);
}
