//! Mutated files of every format: read as what they are, or refused, in memory of a few times the file.
#![allow(clippy::unwrap_used)]

mod made;

use std::io::Cursor;

use costate_formats::{Axis, Format, read_from};

/// Memory that does not depend on the file: pieces that are read at once, and tables of decompression.
const FIXED: u64 = 1 << 18;

fn drive(name: &str, format: Format, seeds: &[Vec<u8>], times: u64) {
    let seeds: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
    for seed in &seeds {
        read_from(&mut Cursor::new(seed), "a file", format).unwrap();
    }
    let mut count = 0;
    costate_fuzz::drive(name, &seeds, &["\u{ff}\u{ff}", "99999999", "-1", "\0\0\0\0"], |bytes| {
        count += 1;
        let mut read = None;
        let taken =
            allocation_counter::measure(|| read = Some(read_from(&mut Cursor::new(bytes), "a file", format)));
        let limit = times * bytes.len() as u64 + FIXED;
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
    costate_formats::uff::write(&recording, costate_formats::uff::Encoding::Binary, "a file", &mut binary)
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
        &[
            ("acc", matrix("", 2, 1, &[7.0, 8.0])),
            ("note", array(4, 1, 2, "", &element(4, &[104, 0, 105, 0]))),
        ],
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
