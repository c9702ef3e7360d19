//! Files of measuring devices as records: channels chosen, times given, and written again.
#![allow(clippy::unwrap_used)]
#![cfg(all(feature = "uff", feature = "wav", feature = "mat"))]

use std::path::{Path, PathBuf};

use costate_measure::record::{CsvReader, Format, Record, RecordError, Recording, RecordingError};
use tempfile::TempDir;

fn saved(bytes: &[u8], name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn record() -> Record {
    let times = (0..500).map(|i| 0.25 + f64::from(i) * 0.001).collect::<Vec<_>>();
    let wave = |k: f64| times.iter().map(|t| (k * t).sin() / 3.0).collect::<Vec<_>>();
    let (acc, force) = (wave(20.0), wave(3.0));
    let record = Record::new(times).unwrap().with_channel("Acc front", Some("m/s^2"), acc).unwrap();
    record.with_channel("Force", Some("N"), force).unwrap()
}

/// Compares two records, whose names differ.
fn same(read: &Record, written: &Record, tolerance: f64) {
    let close =
        |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * b.abs());
    assert!(close(read.times(), written.times()));
    for (a, b) in read.channels().iter().zip(written.channels()) {
        assert_eq!((a.name(), a.unit()), (b.name(), b.unit()));
        assert!(close(a.values(), b.values()), "{}", a.name());
    }
    assert_eq!(read.channels().len(), written.channels().len());
    assert_eq!(read.sha256().map(str::len), Some(64));
}

#[test]
fn written_and_read_again() {
    let (folder, record) = (tempfile::tempdir().unwrap(), record());
    let path = |name: &str| folder.path().join(name);
    record.write_uff_binary(path("b.uff")).unwrap();
    same(&Record::read(path("b.uff")).unwrap(), &record, 0.0);
    record.write_csv(path("a.csv")).unwrap();
    same(&Record::read(path("a.csv")).unwrap(), &record, 0.0);
    let chosen = Recording::open(path("a.csv")).unwrap().channels("F*").record().unwrap();
    assert_eq!((chosen.channels().len(), chosen.channel("Force").unwrap().unit()), (1, Some("N")));
    // 13 digits of values, and the times as they are
    let short =
        Record::new(vec![0.0, 0.125, 0.25]).unwrap().with_channel("x", None, vec![1.0 / 3.0, 2.0, f64::NAN]).unwrap();
    short.write_uff(path("t.uff")).unwrap();
    let again = Record::read(path("t.uff")).unwrap();
    assert_eq!(again.times(), short.times());
    assert!((again.channels()[0].values()[0] - 1.0 / 3.0).abs() < 1e-12 && again.channels()[0].values()[2].is_nan());
    // the extension does not matter where the content determines the format
    std::fs::rename(path("b.uff"), path("b.csv")).unwrap();
    same(&Record::read(path("b.csv")).unwrap(), &record, 0.0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "leftovers");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    record().write_parquet(&path).unwrap();
    same(&Record::read(&path).unwrap(), &record(), 0.0);
    let missing =
        Record::new(vec![0.1, 0.2, 1.0 / 3.0]).unwrap().with_channel("x", None, vec![1.0, f64::NAN, -0.0]).unwrap();
    missing.write_parquet(&path).unwrap();
    let read = Record::read(&path).unwrap();
    assert_eq!((read.times(), read.channels()), (missing.times(), missing.channels()));
}

/// Two functions of time at different rates, and a response with its coherence.
fn mixed(folder: &Path) -> PathBuf {
    let path = folder.join("mixed.uff");
    let slow = Record::new(vec![0.0, 0.5, 1.0])
        .unwrap()
        .with_channel("temperature", Some("degC"), vec![20.0, 21.0, 22.0])
        .unwrap();
    slow.write_uff(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    record().write_uff_binary(&path).unwrap();
    bytes.extend(std::fs::read(&path).unwrap());
    for (function, data, values) in [(4, 6, "1.0 2.0 3.0 4.0"), (6, 4, "0.9 0.8"), (2, 4, "5.0 6.0")] {
        let text = format!(
            "    -1\n    58\nP\nNONE\nNONE\nNONE\nNONE\n{function:5}{:10}{:5}{:10} {:<10}{:10}{:4} \
                 {:<10}{:10}{:4}\n{data:10}{:10}{:10}{:>13}{:>13}{:>13}\n{:10}    0    0    0 NONE                 \
                 Hz                  \n{:10}    0    0    0 NONE                 g                   \n{:10}    0    \
                 0    0 NONE                 N                   \n         0    0    0    0 NONE                 \
                 NONE                \n{values}\n    -1\n",
            0, 1, 0, "plate", 12, 3, "plate", 1, -3, 2, 1, "10.0", "0.5", "0.0", 18, 12, 13
        );
        bytes.extend(text.bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn several_rates_are_listed_and_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = mixed(folder.path());
    let error = Record::read(&path).unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(&error, RecordError::Recording(error) if matches!(**error, RecordingError::Clocks { .. })),
        "{text}"
    );
    for part in [
        "2 sets of times",
        "the option `channels`",
        "3 values every 5.000000e-1 s in `times 1`: `temperature`",
        "500 values",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let open = || Recording::open(&path).unwrap();
    assert_eq!(open().format(), Format::Uff);
    assert_eq!(open().channels("temp*").record().unwrap().channels()[0].values(), [20.0, 21.0, 22.0]);
    same(&open().group("times 2").record().unwrap(), &record(), 0.0);
    assert_eq!(open().group("times 2").channels("Acc*").record().unwrap().channels().len(), 1);
    assert_eq!(open().records().unwrap().iter().map(|record| record.times().len()).collect::<Vec<_>>(), [3, 500]);
    let missing = open().channels("Acx*").record().unwrap_err().to_string();
    assert!(missing.contains("no channel `Acx*`; it has `Acc front`"), "{missing}");
}

#[test]
fn responses_have_their_coherence() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Recording::open(mixed(folder.path())).unwrap();
    let responses = recording.spectra().unwrap();
    let [one] = responses.as_slice() else { panic!("{responses:?}") };
    assert_eq!(
        (one.response.to_string(), one.reference.to_string()),
        ("plate:12:+Z".to_owned(), "plate:1:-Z".to_owned())
    );
    assert_eq!(one.frequencies, [10.0, 10.5]);
    assert_eq!((one.real.as_slice(), one.imaginary.as_slice()), ([1.0, 3.0].as_slice(), [2.0, 4.0].as_slice()));
    assert_eq!(one.coherence.as_deref(), Some([0.9, 0.8].as_slice()));
    assert_eq!((one.unit.as_deref(), one.reference_unit.as_deref()), (Some("g"), Some("N")));
    assert_eq!(recording.functions().len(), 3);
    let (_folder, path) = saved(&wav(), "a.wav");
    let none = Recording::open(path).unwrap().spectra().unwrap_err().to_string();
    assert!(none.ends_with("has no frequency response; its functions of frequency are none"), "{none}");
}

/// Four samples of 16 bits at 8 kHz.
fn wav() -> Vec<u8> {
    let mut bytes =
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x08\0\0\0".to_vec();
    bytes.extend([0, 64, 0, 128, 0, 0, 255, 127]);
    bytes
}

#[test]
fn samples_of_audio() {
    let (_folder, path) = saved(&wav(), "run.bin");
    let record = Record::read(path).unwrap();
    assert_eq!(record.channel("channel 1").unwrap().values(), [0.5, -1.0, 0.0, 32767.0 / 32768.0]);
    assert_eq!(record.interval(), Some(1.0 / 8000.0));
}

/// Variables of version 4: name and values.
fn mat(variables: &[(&str, &[f64])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, values) in variables {
        [0, values.len() as u32, 1, 0, name.len() as u32 + 1].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(name.bytes().chain([0]));
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    bytes
}

#[test]
fn times_of_variables_are_found_or_asked_for() {
    let (_folder, path) = saved(&mat(&[("t", &[0.5, 1.0, 1.5]), ("acc", &[1.0, 2.0, 3.0])]), "a.mat");
    let record = Record::read(&path).unwrap();
    assert_eq!((record.times(), record.channels().len()), ([0.5, 1.0, 1.5].as_slice(), 1));

    let (_folder, path) = saved(&mat(&[("data", &[1.0, 2.0, 3.0]), ("ActualRate", &[1000.0])]), "a.mat");
    let error = Record::read(&path).unwrap_err().to_string();
    for part in [
        "does not say the times of `data`, 3 values",
        "the option `rate`",
        "the option `rate_of`",
        "`ActualRate` is 1000",
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
    let read = |reader: CsvReader| reader.open(&path).and_then(Recording::record);
    for reader in [Record::reader().rate_of("ActualRate"), Record::reader().rate(1000.0), Record::reader().every(0.001)]
    {
        let record = read(reader).unwrap();
        assert_eq!((record.times(), record.channels().len()), ([0.0, 0.001, 0.002].as_slice(), 1));
    }
    let negative = read(Record::reader().rate(-1.0)).unwrap_err().to_string();
    assert!(negative.contains("must be positive"), "{negative}");
    let several = read(Record::reader().rate_of("data")).unwrap_err().to_string();
    assert!(several.contains("has 3 values, and not one"), "{several}");

    let (_folder, path) = saved(&mat(&[("clock", &[0.0, 2.0, 1.0]), ("x", &[1.0, 2.0, 3.0])]), "a.mat");
    let error = timed(&path, "clock").record().unwrap_err().to_string();
    assert!(error.contains("`clock` is no time: value 2 is 1, after 2"), "{error}");
    let (_folder, path) = saved(&mat(&[("t", &[0.0, 2.0]), ("Time", &[0.0, 1.0]), ("x", &[1.0, 2.0])]), "a.mat");
    let error = Record::read(&path).unwrap_err().to_string();
    assert!(error.contains("several channels may be the time: name it by"), "{error}");
    assert_eq!(timed(&path, "t").channels("x").record().unwrap().times(), [0.0, 2.0]);
}

#[test]
fn a_missing_feature_is_named() {
    if Format::Mdf.is_built() {
        println!("skipped: this build has the feature");
        return;
    }
    let (_folder, path) = saved(b"MDF     4.10    test", "a.mf4");
    let error = Record::read(path).unwrap_err().to_string();
    assert!(error.contains("build with the feature `mdf`"), "{error}");
}

#[cfg(feature = "uff")]
#[test]
fn responses_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.unv");
    let made = costate_measure::record::FrequencyResponse::new(
        "tip / hammer",
        vec![0.1, 0.2],
        vec![1.0, -2.0],
        vec![0.5, 1e-9],
    );
    let made = made.unwrap().in_units("m/s^2", "N").with_coherence(vec![0.25, 1.0]).unwrap();
    let lost = costate_measure::record::write_responses_uff(&[made.clone(), made.clone()], &path).unwrap();
    assert!(lost.is_empty(), "{lost:?}");
    let read = Recording::open(path).unwrap().spectra().unwrap();
    let [one, two] = read.as_slice() else { panic!("{read:?}") };
    for read in [one, two] {
        assert_eq!((&read.name, &read.frequencies), (&made.name, &made.frequencies));
        assert_eq!((&read.real, &read.imaginary, &read.coherence), (&made.real, &made.imaginary, &made.coherence));
        assert_eq!((&read.unit, &read.reference_unit), (&made.unit, &made.reference_unit));
        assert_eq!((read.added_decay, read.averages, &read.variances, &read.comment), (0.0, None, &None, &None));
    }
}

/// Tests what the format has no field for: an added decay and averages are words of a line, and variances are made of
/// them or said to be lost.
#[cfg(feature = "uff")]
#[test]
fn decay_and_variances_of_responses_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let made = costate_measure::record::FrequencyResponse::new(
        "tip / hammer",
        vec![0.1, 0.2],
        vec![1.0, -2.0],
        vec![0.5, 1e-9],
    );
    let mut made = made.unwrap().in_units("m/s^2", "N").with_coherence(vec![0.25, 0.9]).unwrap();
    made.added_decay = 3.7;
    made.averages = Some(12.5);
    made.comment = Some("run 3".to_owned());
    let exact = [1.25 * 0.75 / (2.0 * 0.25 * 11.5), (4.0 + 1e-18) * 0.1 / (2.0 * 0.9 * 11.5)];
    let of_coherence = made.clone().with_variances(exact.to_vec()).unwrap();
    let others = made.with_variances(vec![0.1, 0.2]).unwrap();
    let path = folder.path().join("a.unv");
    let lost = costate_measure::record::write_responses_uff(&[of_coherence, others.clone()], &path).unwrap();
    assert_eq!(lost.len(), 1);
    assert!(lost[0].contains("does not keep the variances of `tip / hammer`"), "{lost:?}");
    let read = Recording::open(path).unwrap().spectra().unwrap();
    assert_eq!((read[0].added_decay, read[0].averages), (3.7, Some(12.5)));
    assert_eq!((read[1].added_decay, read[1].averages, &read[1].variances), (3.7, None, &None));
    assert!(read.iter().all(|read| read.comment.as_deref() == Some("run 3")), "{read:?}");
    for (read, exact) in read[0].variances.as_ref().unwrap().iter().zip(exact) {
        assert!((read / exact - 1.0).abs() < 1e-12);
    }
    // without further texts as well
    let mut bare = others.clone();
    bare.comment = None;
    bare.variances = None;
    costate_measure::record::write_responses_uff(&[bare], folder.path().join("b.unv")).unwrap();
    let bare = Recording::open(folder.path().join("b.unv")).unwrap().spectra().unwrap().remove(0);
    assert_eq!((bare.added_decay, &bare.comment), (3.7, &None));
    // a table keeps all but the averages
    let path = folder.path().join("tip.csv");
    others.write_csv(&path).unwrap();
    let read = costate_measure::record::FrequencyResponse::read_csv(&path).unwrap();
    assert_eq!((&read.real, &read.imaginary, &read.coherence), (&others.real, &others.imaginary, &others.coherence));
    assert_eq!((read.added_decay, read.unit.as_deref(), read.name.as_str()), (3.7, Some("(m/s^2)/(N)"), "tip"));
    assert!(read.variances.unwrap().iter().zip([0.1, 0.2]).all(|(read, own)| (read / own - 1.0).abs() < 1e-12));
    // magnitude and phase do as well, in their units
    std::fs::write(&path, "frequency [kHz];magnitude [mm/N];phase [deg]\n0,1;2;90\n0,2;3;180\n").unwrap();
    let read = costate_measure::record::FrequencyResponse::read_csv(&path).unwrap();
    assert_eq!(read.frequencies, [100.0, 200.0]);
    assert!((read.imaginary[0] - 2.0).abs() < 1e-12 && (read.real[1] + 3.0).abs() < 1e-12);
    for (text, message) in [
        ("frequency [m],real,imaginary\n1,2,3\n2,3,4\n", "Hz"),
        ("frequency,real\n1,2\n2,3\n", "imaginary"),
        ("frequency,real,imaginary,added decay\n1,2,3,4\n2,3,4,5\n", "the same number from 0 on"),
        ("frequency,real,imaginary\n2,2,3\n1,3,4\n", "increasing"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = costate_measure::record::FrequencyResponse::read_csv(&path).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Opens a file whose times are those of a channel.
fn timed(path: &Path, channel: &str) -> Recording {
    Record::reader().time_column(channel).open(path).unwrap()
}

/// A file that other programs have written.
fn foreign(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn structures_are_named_in_full_or_in_short() {
    let open = || Recording::open(foreign("dspace.mat")).unwrap();
    let record = Record::read(foreign("dspace.mat")).unwrap();
    assert_eq!(record.times()[9], 0.09);
    let units: Vec<_> = record.channels().iter().map(|channel| (channel.name(), channel.unit())).collect();
    assert_eq!(units, [("force", Some("N")), ("pos", Some("mm"))]);
    // the place in the file names a channel as well, and one of several does not
    for name in ["pos", "rec1.Y(2).pos", "rec1.Y(2).Data"] {
        assert_eq!(record.channel(name).unwrap().values()[9], 18.0, "{name}");
        let chosen = open().channels(name).record().unwrap();
        assert_eq!((chosen.channels().len(), chosen.channels()[0].name()), (1, "pos"), "{name}");
        let chosen = timed(&foreign("dspace.mat"), "rec1.X.Data").channels(name).record().unwrap();
        assert_eq!((chosen.times()[9], chosen.channels().len()), (0.09, 1), "{name}");
    }
    assert!(record.channel("Data").is_err());
    let error = timed(&foreign("dspace.mat"), "Data").record().unwrap_err().to_string();
    assert!(error.contains("several channels `Data`: `rec1.X.t`, `rec1.Y(1).force`, `rec1.Y(2).pos`"), "{error}");
    let error = timed(&foreign("dspace.mat"), "rec1.X.Date").record().unwrap_err().to_string();
    assert!(error.contains("no channel `rec1.X.Date`; it has `rec1.X.t`"), "{error}");

    let record = Record::read(foreign("simulink.mat")).unwrap();
    assert_eq!((record.times()[9], record.channels().len()), (0.09, 2));
    for name in ["values(:,2)", "simout.signals.values(:,2)"] {
        assert_eq!(record.channel(name).unwrap().values()[9], 18.0);
        for time in ["time", "simout.time"] {
            let chosen = timed(&foreign("simulink.mat"), time).channels(name);
            assert_eq!(chosen.record().unwrap().channels()[0].values()[9], 18.0, "{name} over {time}");
        }
    }
}

#[test]
fn what_is_no_signal_leaves_the_rest() {
    let open = || Recording::open(foreign("mixed.mat")).unwrap();
    let (records, left_out) = open().records_and_rest().unwrap();
    let [record] = records.as_slice() else { panic!("{records:?}") };
    // 90 ms
    assert_eq!((record.times()[9], record.interval()), (0.09, Some(0.01)));
    let names: Vec<&str> = record.channels().iter().map(costate_measure::record::Channel::name).collect();
    assert_eq!(names, ["acc", "rat"]);
    let rational = record.channel("rat").unwrap();
    assert_eq!((rational.missing(), rational.values()[5]), (1, 5.0));
    assert!(rational.values()[4].is_nan());
    assert_eq!(open().notes(), ["`rat`: value 4 is infinite, and missing here"]);
    let reasons: Vec<(&str, &str)> = left_out.iter().map(|left| (left.name.as_str(), left.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("f", "the file does not say the times of its 7 values"),
            ("FRF", "it has complex values, which no signal over time has"),
        ]
    );
    // what is asked for by its name is not left out
    let said = |recording: Recording| recording.record().unwrap_err().to_string();
    assert!(said(open().channels("FRF")).contains("`FRF` has complex values"));
    assert!(said(open().channels("f")).contains("does not say the times of `f`, 7 values"));
    assert_eq!(open().channels("?*").record().unwrap().channels().len(), 2);

    let error = Record::read(foreign("nothing.mat")).unwrap_err().to_string();
    assert!(error.contains("nothing.mat` has no signals: s: it is a sparse matrix"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("geometry.unv");
    std::fs::write(&path, "    -1\n    15\n         1         0         0        11  0.0  0.0  0.0\n    -1\n").unwrap();
    let error = Record::read(&path).unwrap_err().to_string();
    assert!(error.contains("has no signals: data sets 15 (1)"), "{error}");
}

/// Times that count 0, 1, 2 may be ms: the unit settles it. They count from a time that is given.
#[test]
fn times_without_a_unit_are_questioned() {
    let counts: Vec<f64> = (0..20).map(f64::from).collect();
    for (name, doubts) in [("t", 1), ("t_ms", 0), ("t [s]", 0)] {
        let (_folder, path) = saved(&mat(&[(name, &counts), ("x", &counts)]), "a.mat");
        assert_eq!(Record::read(&path).unwrap().doubts().len(), doubts, "{name}");
        for (unit, factor) in [("s", 1.0), ("ms", 1e-3)] {
            let given = Record::reader().time_unit(unit).counting_from("-2").open(&path).unwrap().record().unwrap();
            assert!(given.doubts().is_empty(), "{name} {unit}");
            assert!((given.times()[3] - (3.0 * factor + 2.0)).abs() < 1e-12, "{name} {unit}");
        }
    }
    let (_folder, path) = saved(&mat(&[("t", &counts), ("x", &counts)]), "a.mat");
    let refused = Record::reader().counting_from("noon").open(&path);
    assert!(matches!(refused, Err(RecordError::Option { option: "counting_from", .. })), "{refused:?}");
}

/// A unit in the name of the time, as in CSV files, and in one that is named.
#[test]
fn units_in_the_names_of_times() {
    for (name, unit) in [
        ("time_ms", 1e-3),
        ("t_us", 1e-6),
        ("Zeit_ms", 1e-3),
        ("t [ms]", 1e-3),
        ("time (ns)", 1e-9),
        ("Time/min", 60.0),
        ("time", 1.0),
    ] {
        let bytes = mat(&[(name, &[0.0, 1.0, 2.0]), ("x", &[1.0, 2.0, 3.0])]);
        let (_folder, path) = saved(&bytes, "a.mat");
        for record in [Record::read(&path).unwrap(), timed(&path, name).record().unwrap()] {
            assert!((record.times()[2] - 2.0 * unit).abs() < 1e-12 * unit, "{name}: {:?}", record.times());
            assert_eq!(record.channels().len(), 1, "{name}");
        }
    }
    let (_folder, path) = saved(&mat(&[("clock_ms", &[0.0, 1.0]), ("x", &[1.0, 2.0])]), "a.mat");
    assert_eq!(timed(&path, "clock_ms").record().unwrap().times(), [0.0, 0.001]);
}
