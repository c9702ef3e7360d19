//! Memory that files take: at most four times their length.
#![allow(clippy::unwrap_used)]

mod made;

use std::io::Cursor;

use costate_measure::formats::{Format, read_from};

/// Pieces that are read at once.
const FIXED: u64 = 1 << 18;

#[track_caller]
fn check(bytes: &[u8], format: Format, samples: usize) {
    let mut read = None;
    let taken =
        allocation_counter::measure(|| read = Some(read_from(&mut Cursor::new(bytes), "a file", format).unwrap()));
    let found: usize =
        read.unwrap().groups.iter().flat_map(|group| &group.channels).map(|channel| channel.values.len()).sum();
    assert_eq!(found, samples);
    let times = (taken.bytes_max.saturating_sub(FIXED)) as f64 / bytes.len() as f64;
    assert!(times <= 4.0, "{times:.2} times the file");
    println!("{format}: {times:.2} times the file of {} bytes", bytes.len());
}

#[cfg(feature = "wav")]
#[test]
fn wav() {
    let samples = vec![1; 2_000_000];
    check(&made::wav(1, 2, 48_000, 16, &samples), Format::Wav, 1_000_000);
    check(&made::wav(3, 1, 48_000, 32, &samples), Format::Wav, 500_000);
}

#[cfg(feature = "uff")]
#[test]
fn uff() {
    use costate_measure::formats::uff::{Encoding, write};
    let mut recording = costate_measure::formats::Recording::new(Format::Uff);
    let mut group = costate_measure::formats::Group::new("");
    for index in 0..4 {
        let mut channel = costate_measure::formats::Channel::new(format!("channel {index}"), vec![0.125; 50_000]);
        channel.axis = costate_measure::formats::Axis::Even { start: 0.0, step: 0.001 };
        group.channels.push(channel);
    }
    recording.groups.push(group);
    for encoding in [Encoding::Text, Encoding::Binary] {
        let mut bytes = Vec::new();
        write(&recording, encoding, "a file", &mut bytes).unwrap();
        check(&bytes, Format::Uff, 200_000);
    }
}

#[cfg(feature = "mat")]
#[test]
fn mat() {
    check(&made::mat(&[made::matrix("data", 100_000, 3, &vec![1.0; 300_000])]), Format::Mat, 300_000);
    let words = made::array(10, 200_000, 2, "data", &made::element(3, &vec![1; 800_000]));
    check(&made::mat(&[words]), Format::Mat, 400_000);
}

#[cfg(feature = "tdms")]
#[test]
fn tdms() {
    let objects = [made::object("/'g'/'a'", Some((2, 1000)), &[]), made::object("/'g'/'b'", Some((10, 1000)), &[])];
    let bytes = made::segment(2 | 4 | 8, &objects, &vec![0; 200 * 10_000]);
    check(&bytes, Format::Tdms, 400_000);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    let mut group = costate_measure::formats::Group::new("");
    for index in 0..3_u32 {
        let values = (0..100_000_u32).map(|i| f64::from(i * (index + 1)).sin()).collect();
        let mut channel = costate_measure::formats::Channel::new(format!("channel {index}"), values);
        channel.axis = costate_measure::formats::Axis::Even { start: 0.0, step: 0.001 };
        group.channels.push(channel);
    }
    let mut bytes = Vec::new();
    costate_measure::formats::parquet::write(&group, "a file", &mut bytes).unwrap();
    check(&bytes, Format::Parquet, 400_000);
}

#[cfg(feature = "mdf")]
#[test]
fn mdf() {
    let times: Vec<f64> = (0..100_000).map(|i| f64::from(i) * 0.001).collect();
    let mut writer = falcon_mdf::write::Mf4Writer::new();
    let group = writer.add_group(&times).unwrap();
    for name in ["a", "b", "c"] {
        group.add_channel(name, "V", &times).unwrap();
    }
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    check(&bytes, Format::Mdf, 300_000);
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5() {
    let values: Vec<f64> = (0..300_000).map(f64::from).collect();
    let mut builder = hdf5_pure::FileBuilder::new();
    builder.create_dataset("data").with_f64_data(&values).with_shape(&[100_000, 3]);
    check(&builder.finish().unwrap(), Format::Hdf5, 300_000);
}

#[cfg(feature = "npy")]
#[test]
fn npy() {
    let mut array = b"\x93NUMPY\x01\0".to_vec();
    let header = "{'descr': '<f4', 'fortran_order': True, 'shape': (100000, 3), }";
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.bytes());
    array.extend(vec![0; 1_200_000]);
    check(&array, Format::Npy, 300_000);
}
