//! Files that are made here, read as what they are or refused with the reason.
#![allow(clippy::unwrap_used)]
#![cfg(all(feature = "uff", feature = "wav", feature = "mat", feature = "tdms"))]

mod made;

use std::io::Cursor;

use costate_measure::formats::uff::Encoding;
use costate_measure::formats::{Axis, Channel, Format, FormatError, Group, Recording, SpectrumKind, read_from};
use made::{array, compressed, element, mat, matrix, object, segment, structure, wav};

fn read(bytes: &[u8], format: Format) -> Result<Recording, FormatError> {
    let found = Format::of(&bytes[..bytes.len().min(4096)], "a.mat".as_ref());
    assert_eq!(found, Some(format), "found by the content");
    read_from(&mut Cursor::new(bytes), "a file", format)
}

fn channel(recording: &Recording, name: &str) -> Channel {
    recording.groups.iter().flat_map(|group| &group.channels).find(|channel| channel.name == name).unwrap().clone()
}

fn refusal(bytes: &[u8], format: Format) -> String {
    read(bytes, format).unwrap_err().to_string()
}

#[test]
fn functions_of_uff() {
    let recording = read(made::uff().as_bytes(), Format::Uff).unwrap();
    let [frf, coherence] = recording.spectra.as_slice() else { panic!("{recording:?}") };
    assert_eq!((frf.kind, coherence.kind), (SpectrumKind::FrequencyResponse, SpectrumKind::Coherence));
    assert_eq!(
        (frf.response.to_string(), frf.reference.clone().unwrap().to_string()),
        ("plate:12:+Z".to_owned(), "1:-Z".to_owned())
    );
    assert_eq!(
        (frf.real.as_slice(), frf.imaginary.as_slice()),
        ([1.0, -3.0, 5.0].as_slice(), [2.0, 4.0, -6.0].as_slice())
    );
    assert_eq!((frf.unit.as_deref(), frf.reference_unit.as_deref()), (Some("m/s^2"), Some("N")));
    assert_eq!(frf.axis, Axis::Even { start: 1.0, step: 0.5 });
    assert_eq!(coherence.real, [0.9, 1.0, 0.8]);
    // the last line has room for a second pair, which is no value
    let signal = channel(&recording, "Point 1");
    assert_eq!(signal.values, [1.0, 2.5, -3.0]);
    assert_eq!(signal.axis, Axis::Stamps(vec![0.0, 0.1, 0.25].into()));
    assert_eq!((signal.unit.as_deref(), signal.source.as_deref()), (Some("m/s^2"), Some("plate:12:+Z")));
}

/// Every case of record 12, written and read again.
#[test]
fn uff_as_written() {
    let even = Axis::Even { start: 0.5, step: 1.0 / 1024.0 };
    let uneven = Axis::Stamps(vec![0.1, 1.0 / 3.0, 0.7, 1.5e-7 + 1.0, 9.0].into());
    let values = vec![1.0 / 3.0, -2e-300, f64::NAN, 4e12, 0.1 + 0.2];
    for (axis, is_exact) in [(&even, true), (&uneven, false)] {
        for imaginary in [Vec::new(), vec![0.5, 1e-3, -7.0, 0.0, 2.0 / 7.0]] {
            let mut recording = Recording::new(Format::Uff);
            let mut group = Group::new("times 1");
            for name in ["acc front", "acc rear"] {
                let mut one = Channel::new(name, values.clone());
                (one.axis, one.imaginary, one.unit) = (axis.clone(), imaginary.clone(), Some("m/s²".to_owned()));
                one.source = Some("A:3:-RX".to_owned());
                group.channels.push(one);
            }
            recording.groups.push(group);
            let written = |encoding| {
                let mut bytes = Vec::new();
                costate_measure::formats::uff::write(&recording, encoding, "a file", &mut bytes).map(|()| bytes)
            };
            let binary = read(&written(Encoding::Binary).unwrap(), Format::Uff).unwrap();
            assert_eq!(format!("{binary:?}"), format!("{recording:?}"), "bit by bit");
            match written(Encoding::Text) {
                Ok(text) => {
                    assert!(is_exact, "1/3 has no place in 13 columns");
                    let text = read(&text, Format::Uff).unwrap();
                    for (a, b) in text.groups[0].channels.iter().zip(&recording.groups[0].channels) {
                        assert_eq!((&a.name, &a.axis, &a.unit, &a.source), (&b.name, &b.axis, &b.unit, &b.source));
                        let close =
                            |(a, b): (&f64, &f64)| (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * b.abs();
                        assert!(
                            a.values.iter().zip(&b.values).all(close)
                                && a.imaginary.iter().zip(&b.imaginary).all(close)
                        );
                    }
                }
                Err(error) => assert!(!is_exact && error.to_string().contains("write_uff_binary"), "{error}"),
            }
        }
    }
}

#[test]
fn what_uff_refuses() {
    let text = made::uff();
    for (from, to, says) in [
        ("         5         3", "         7         3", "the data type is 7"),
        ("         5         3", "         5        99", "99 values are announced, and 3 are there"),
        ("  9.00000e-01  1.0", "  9.00000x-01  1.0", "is no line of numbers"),
        ("5.00000e-01          0.0", "-5.0000e-01          0.0", "not positive"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = refusal(changed.as_bytes(), Format::Uff);
        assert!(error.contains(says), "{error}");
    }
    assert!(refusal(&text.as_bytes()[..text.len() - 100], Format::Uff).contains("the data set has no end"));
}

#[test]
fn few_digits_of_an_interval_are_said() {
    let text = made::uff().replace("  2.50000e-01 -3", "  2.60000e-01 -3");
    let set = text.rfind("    -1\n    58\n").unwrap();
    let mut long = text[..set].to_owned();
    let head = text[set..].replacen("         4         3         0", "         4    200000         1", 1).replacen(
        "5.00000e-01",
        "1.95313e-05",
        1,
    );
    let lines: Vec<&str> = head.lines().take(13).collect();
    long += &(lines.join("\n") + "\n");
    long += &"  1.00000000000e+00  1.00000000000e+00  1.00000000000e+00  1.00000000000e+00\n".repeat(50_000);
    long += "    -1\n";
    let notes = read(long.as_bytes(), Format::Uff).unwrap().notes;
    assert!(notes.len() == 1 && notes[0].contains("51200 Hz is within its rounding"), "{notes:?}");
}

#[test]
fn samples_of_wav() {
    let of = |code, bits, samples: &[u8]| {
        channel(&read(&wav(code, 1, 8000, bits, samples), Format::Wav).unwrap(), "channel 1").values
    };
    assert_eq!(of(1, 8, &[0, 128, 255]), [-1.0, 0.0, 127.0 / 128.0]);
    assert_eq!(of(1, 16, &[0, 128, 255, 127]), [-1.0, 32767.0 / 32768.0]);
    assert_eq!(of(1, 24, &[0, 0, 128, 0, 0, 64]), [-1.0, 0.5]);
    assert_eq!(of(1, 32, &[0, 0, 0, 192]), [-0.5]);
    assert_eq!(of(3, 32, &1.5_f32.to_le_bytes()), [1.5]);
    assert_eq!(of(3, 64, &0.1_f64.to_le_bytes()), [0.1]);
    let stereo = read(&wav(1, 2, 48_000, 16, &[1, 0, 2, 0, 3, 0, 4, 0]), Format::Wav).unwrap();
    assert_eq!(channel(&stereo, "channel 2").values, [2.0 / 32768.0, 4.0 / 32768.0]);
    assert_eq!(channel(&stereo, "channel 2").axis, Axis::Even { start: 0.0, step: 1.0 / 48_000.0 });
    assert_eq!(channel(&stereo, "channel 1").full_scale, Some((-1.0, 32767.0 / 32768.0)));
    let mut cut = wav(1, 1, 8000, 16, &[1, 0, 2, 0]);
    cut.truncate(cut.len() - 2);
    assert!(refusal(&cut, Format::Wav).contains("4 bytes of samples are announced, and 2 are there"));
    assert!(refusal(&wav(7, 1, 8000, 8, &[0]), Format::Wav).contains("the coding 0x0007"));
}

#[test]
fn variables_of_mat() {
    let run = structure(
        "run",
        &[("acc", matrix("", 2, 1, &[7.0, 8.0])), ("note", array(4, 1, 2, "", &element(4, &[104, 0, 105, 0])))],
    );
    let bytes = mat(&[
        matrix("data", 3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        compressed(&matrix("wide", 2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        run,
        // whole numbers in fewer bytes than their class has
        array(6, 1, 3, "small", &element(2, &[1, 2, 200])),
        matrix("fs", 1, 1, &[1000.0]),
        array(5, 1, 1, "sparse", &[]),
    ]);
    let recording = read(&bytes, Format::Mat).unwrap();
    assert_eq!(channel(&recording, "data(:,2)").values, [4.0, 5.0, 6.0]);
    assert_eq!(channel(&recording, "wide(2,:)").values, [2.0, 4.0, 6.0]);
    assert_eq!(channel(&recording, "small").values, [1.0, 2.0, 200.0]);
    assert_eq!(channel(&recording, "fs").values, [1000.0]);
    let run = recording.groups.iter().find(|group| group.name == "run").unwrap();
    assert_eq!((run.channels[0].name.as_str(), run.channels[0].values.as_slice()), ("acc", [7.0, 8.0].as_slice()));
    assert!(recording.texts.contains(&("run.note".to_owned(), "hi".to_owned())), "{:?}", recording.texts);
    assert_eq!(recording.left_out[0].name, "sparse");

    let mut more = matrix("data", 3, 2, &[0.0; 6]);
    // dimensions of more values than there are
    let at = more.len() - 6 * 8 - 8 - 16 - 8;
    more[at] = 200;
    assert!(refusal(&mat(&[more]), Format::Mat).contains("bytes for 400 numbers"));
    let mut zipped = compressed(&matrix("x", 3, 1, &[1.0, 2.0, 3.0]));
    let last = zipped.len() - 1;
    zipped[last] ^= 1;
    assert!(refusal(&mat(&[zipped]), Format::Mat).contains("not compressed as they should be"));
}

#[test]
fn version_4_of_mat() {
    let mut bytes = Vec::new();
    for (name, code, rows, columns, data) in
        [("t", 0_u32, 2_u32, 1_u32, [0.0_f64, 0.5].map(f64::to_le_bytes).concat()), ("word", 51, 1, 2, vec![72, 105])]
    {
        [code, rows, columns, 0, name.len() as u32 + 1].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(name.bytes().chain([0]));
        bytes.extend(data);
    }
    let recording = read(&bytes, Format::Mat).unwrap();
    assert_eq!(channel(&recording, "t").values, [0.0, 0.5]);
    assert_eq!(recording.texts, [("word".to_owned(), "Hi".to_owned())]);
    assert!(read_from(&mut Cursor::new([b'x'; 64]), "a", Format::Mat).is_err());
}

#[test]
fn segments_of_tdms() {
    let recording = read(&made::tdms(), Format::Tdms).unwrap();
    assert_eq!(recording.texts, [("author".to_owned(), "a test".to_owned())]);
    assert_eq!(recording.groups[0].comment.as_deref(), Some("the rig"));
    let acc = channel(&recording, "acc");
    assert_eq!(acc.values, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!((acc.unit.as_deref(), &acc.axis), (Some("m/s^2"), &Axis::Even { start: 0.0, step: 0.5 }));
    assert_eq!(acc.start.unwrap().to_string(), "1970-01-01 00:00:01.5 UTC");
    // raw values and their scale
    assert_eq!(channel(&recording, "it's").values, [2.0, -1.0, 2.0, -1.0, 2.0, -1.0]);

    let interleaved = segment(
        2 | 4 | 8 | 32,
        &[object("/'g'/'a'", Some((5, 2)), &[]), object("/'g'/'b'", Some((6, 2)), &[])],
        &[1, 2, 0, 3, 4, 0],
    );
    let recording = read(&interleaved, Format::Tdms).unwrap();
    assert_eq!((channel(&recording, "a").values, channel(&recording, "b").values), (vec![1.0, 3.0], vec![2.0, 4.0]));

    let mut cut = made::tdms();
    cut.truncate(cut.len() - 6);
    let recording = read(&cut, Format::Tdms).unwrap();
    assert_eq!(channel(&recording, "acc").values.len(), 8);
    assert!(recording.notes[0].contains("not complete"), "{:?}", recording.notes);
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    std::fs::write(&path, [1, 2, 3, 0, 0]).unwrap();
    let error = costate_measure::formats::read(&path).unwrap_err();
    assert!(matches!(&error, FormatError::Unknown { begins, .. } if begins == "01 02 03 00 00"), "{error}");
    assert!(matches!(costate_measure::formats::read(folder.path()), Err(FormatError::File { .. })));
    std::fs::write(&path, "t,x\n0,1\n").unwrap();
    assert!(matches!(costate_measure::formats::read(&path), Err(FormatError::Unsupported { format: Format::Csv, .. })));
}
