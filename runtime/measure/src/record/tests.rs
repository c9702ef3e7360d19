//! Reading, writing and refusing measured data.

use proptest::prelude::*;

use super::{Record, RecordError, SampleFault};

fn read(text: &str) -> Result<Record, RecordError> {
    Record::from_csv(text.as_bytes(), "data.csv")
}

#[test]
fn headers_units_comments_and_delimiters() {
    let plain = read("time [s],acceleration [m/s^2]\n0,1\n0.5,2e-3\n").unwrap();
    assert_eq!(plain.times(), [0.0, 0.5]);
    assert_eq!(plain.channel("acceleration").unwrap().unit(), Some("m/s^2"));
    assert_eq!(plain.channel("acceleration").unwrap().values(), [1.0, 2e-3]);

    for text in [
        "# measured on the rig\n\n x[2] ; Time [s]\n# more\n1;0\n   \n2;0.5\n",
        "\u{feff}x[2]\ttime\r\n1\t0\r\n2\t0.5\r\n",
        "x[2],t\n1,0\n2,0.5",
    ] {
        let record = read(text).unwrap();
        assert_eq!(record.times(), [0.0, 0.5]);
        assert_eq!(record.channel("x[2]").unwrap().values(), [1.0, 2.0]);
        assert_eq!(record.channel("x[2]").unwrap().unit(), None);
    }
    assert_eq!(read("t,angle [1]\n0,1").unwrap().channel("angle").unwrap().unit(), Some("1"));
}

#[test]
fn times_in_any_unit_of_time() {
    for (unit, times) in [
        ("s", [0.1, 0.3]),
        ("ms", [1e-4, 3e-4]),
        ("\u{b5}s", [1e-7, 3e-7]),
        ("min", [6.0, 18.0]),
        ("h", [360.0, 1080.0]),
        ("days", [8640.0, 25_920.0]),
    ] {
        let record = read(&format!("time [{unit}],x [ms]\n0.1,7\n0.3,8\n")).unwrap();
        for (time, expected) in record.times().iter().zip(times) {
            assert!((time - expected).abs() <= 1e-15 * expected, "{unit}: {time}");
        }
        // Channels keep their units until it is known what they are for.
        assert_eq!(record.channel("x").unwrap().values(), [7.0, 8.0]);
        assert_eq!(record.channel("x").unwrap().unit(), Some("ms"));
        let mut text = Vec::new();
        record.to_csv(&mut text).unwrap();
        assert_eq!(read(&String::from_utf8(text).unwrap()).unwrap().times(), record.times());
    }
    // Rounded once, as the decimals are.
    assert_eq!(read("t [ms],x\n0.1,0\n0.7,0").unwrap().times(), [0.0001, 0.0007]);
    let of_no_time = read("# a\nt [deg],x\n0,1\n").unwrap_err().to_string();
    assert_eq!(
        of_no_time,
        "`data.csv` line 2: `t` is in `deg`, the time of a record in `s`: `deg` is in SI units `1`, which does not \
             fit `s`; \
         correct the unit, or choose other data"
    );
    let unknown = read("time [tick],x\n0,1\n");
    assert!(matches!(unknown, Err(RecordError::Unit(_))), "{unknown:?}");
    // Beyond double precision in seconds, also in the first line.
    for text in ["t [h],x\n1e306,1\n", "t [h],x\n0,1\n1e306,1\n"] {
        let beyond = read(text);
        assert!(
            matches!(beyond, Err(RecordError::TimeInFile { fault: SampleFault::NotFinite { .. }, .. })),
            "{beyond:?}"
        );
    }
}

#[test]
fn faults_name_line_column_and_text() {
    assert!(matches!(read("\n# nothing\n"), Err(RecordError::Empty { .. })));
    assert!(matches!(read("0,1\n1,2\n"), Err(RecordError::NoHeader { line: 1, .. })));
    assert!(matches!(read("# a\ntime,x\n"), Err(RecordError::NoData { line: 2, .. })));
    assert!(matches!(read("x,y\n1,2\n"), Err(RecordError::NoTime { .. })));
    assert!(matches!(read("time,\n1,2\n"), Err(RecordError::Unnamed { column: 2, .. })));
    assert!(matches!(read("time,x,x\n1,2,3\n"), Err(RecordError::Duplicate { .. })));
    let ragged = read("time,x\n0,1\n\n1\n");
    assert!(matches!(ragged, Err(RecordError::Ragged { line: 4, found: 1, expected: 2, .. })), "{ragged:?}");
    let windows = read("time,x\r\n# a\r\n\r\n0,1\r\n  # b\r\n1,?\r\n");
    assert!(matches!(windows, Err(RecordError::Cell { line: 6, .. })), "{windows:?}");
    for text in ["infinit", "1,5,", "off", "NANA", "nan(ind)"] {
        match read(&format!("time;x\n0;1\n1;{text}\n")) {
            Err(RecordError::Cell { line: 3, column, text: found, .. }) => {
                assert_eq!((column.as_str(), found.as_str()), ("x", text));
            }
            other => panic!("{other:?}"),
        }
    }
    for text in ["", "nan", "NA", "inf"] {
        let time = read(&format!("time,x\n0,1\n{text},1\n"));
        assert!(matches!(time, Err(RecordError::Cell { line: 3, .. })), "{text}: {time:?}");
    }
    let times = read("t,y,time\n0,1,2\n").unwrap_err().to_string();
    assert_eq!(
        times,
        "`data.csv` line 1 has two time columns, `t` and `time`; rename the one that is a channel, or set the option \
             `time_column`, and the option `ignore` for the other"
    );
    let twice = read("time,x\n0,1\n0,1\n");
    let fault = SampleFault::Repeated { time: 0.0 };
    assert!(matches!(twice, Err(RecordError::TimeInFile { line: 3, fault: f, .. }) if f == fault));
    let backwards = read("time,x\n1,1\n0,1\n").unwrap_err().to_string();
    assert_eq!(
        backwards,
        "`data.csv` line 3, column `time`: the time 0 is smaller than 1 before it; sort the samples by time"
    );
}

#[test]
fn channels_are_checked() {
    let record = Record::new(vec![0.0, 1.0]).unwrap().with_channel("x", None, vec![1.0, 2.0]).unwrap();
    let missing = record.channel("y").unwrap_err().to_string();
    assert_eq!(missing, "`record` has no channel `y`; it has x");
    let add = |name: &str, values: &[f64]| record.clone().with_channel(name, None, values.to_vec());
    assert!(matches!(add("x", &[1.0, 2.0]), Err(RecordError::Duplicate { .. })));
    assert!(matches!(add("y", &[1.0]), Err(RecordError::Length { values: 1, times: 2, .. })));
    assert!(matches!(add("y", &[1.0, f64::INFINITY]), Err(RecordError::Value { index: 1, .. })));
    assert!(matches!(add("y", &[f64::NEG_INFINITY, f64::NAN]), Err(RecordError::Value { index: 0, .. })));
    for name in ["", " y", "y [m]", "time"] {
        assert!(matches!(add(name, &[1.0, 2.0]), Err(RecordError::ChannelName { .. })), "{name}");
    }
    for unit in ["", " m", "m\t", "m[s]"] {
        let added = record.clone().with_channel("y", Some(unit), vec![1.0, 2.0]);
        assert!(matches!(added, Err(RecordError::ChannelUnit { .. })), "{unit}: {added:?}");
    }
    assert!(matches!(Record::new(vec![]), Err(RecordError::NoSamples { .. })));
    assert!(matches!(Record::new(vec![0.0, f64::NAN]), Err(RecordError::Time { index: 1, .. })));
    assert!(matches!(Record::read_csv("/no/such/file"), Err(RecordError::File { .. })));
}

#[test]
fn missing_samples_are_no_error() {
    let record = read("time;a;b;c\n0;1;;\n1;NaN;2;na\n2; nan ;-nan;\n3;NA;+NaN;\n4;5;6;NAN\n").unwrap();
    let missing = |name: &str| record.channel(name).unwrap().missing();
    assert_eq!((missing("a"), missing("b"), missing("c")), (3, 3, 5));
    let samples = record.samples("a").unwrap();
    assert_eq!((samples.times, samples.values), (vec![0.0, 4.0], vec![1.0, 5.0]));
    let none = record.samples("c").unwrap_err().to_string();
    assert_eq!(none, "`data.csv`, channel `c` has no sample, all 5 are missing; choose another channel");
    assert!(matches!(record.rows([("a", "1"), ("c", "1")], 1.0), Err(RecordError::NoValues { .. })));
    // A missing sample is equal to a missing one and to nothing else.
    let with = |value| Record::new(vec![0.0]).unwrap().with_channel("x", None, vec![value]).unwrap();
    assert_eq!(with(f64::NAN), with(-f64::NAN));
    assert_ne!(with(f64::NAN), with(0.0));
}

#[test]
fn samples_know_their_gaps() {
    let times: Vec<f64> = (0..40).map(f64::from).filter(|t| !(20.0..25.0).contains(t)).collect();
    let values =
        |missing: &[f64]| times.iter().map(|t| if missing.contains(t) { f64::NAN } else { *t }).collect::<Vec<_>>();
    let record = Record::new(times.clone())
        .and_then(|record| record.with_channel("lines", None, values(&[])))
        .and_then(|record| record.with_channel("cells", None, values(&[5.0, 18.0, 19.0, 30.0, 31.0, 38.0, 39.0])))
        .unwrap();
    let gaps = |name| {
        let gaps = record.samples(name).unwrap().gaps;
        gaps.iter().map(|gap| (gap.from, gap.to)).collect::<Vec<_>>()
    };
    assert_eq!(gaps("lines"), [(19.0, 25.0)]);
    assert_eq!(gaps("cells"), [(4.0, 6.0), (17.0, 25.0), (29.0, 32.0), (37.0, 39.0)]);
}

#[test]
fn interval_of_equidistant_times() {
    let times = (0..=10_000).map(|i| i as f64 * 1e-4).collect();
    assert_eq!(Record::new(times).unwrap().interval(), Some(1e-4));
    assert_eq!(Record::new(vec![0.0, 0.1, 0.3]).unwrap().interval(), None);
    assert_eq!(Record::new(vec![0.0]).unwrap().interval(), None);
}

/// Text of what headings are made of, and of what they are not.
fn text() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "y", "t", "time", "2", "N", "m/s^2", "[", "]", "[]", "[2]", " [N]", " ", "  ", "\"", "\"\"", ",", ";", "\t",
        "#", "\n", "\r\n", "\r", "\u{feff}", "'", "\\", "NaN", "µ", "\u{a0}",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..5).prop_map(|pieces| pieces.concat())
}

fn written(record: &Record) -> String {
    let mut text = Vec::new();
    record.to_csv(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_accepted_is_written_and_read_back(
        channels in prop::collection::vec((text(), prop::option::of(text())), 1..4),
        bits in prop::collection::vec(any::<f64>(), 1..8),
    ) {
        let values: Vec<f64> = bits.iter().map(|v| if v.is_infinite() { f64::NAN } else { *v }).collect();
        let times = (0..values.len()).map(|i| i as f64 / 3.0).collect();
        let mut record = Record::new(times).unwrap().named("file");
        for (name, unit) in &channels {
            match record.clone().with_channel(name.as_str(), unit.as_deref(), values.clone()) {
                Ok(longer) => record = longer,
                // Only the name's ends and the unit are refused, never what is inside of a name.
                Err(RecordError::ChannelName { .. }) => prop_assert!(
                    name.is_empty() || name.trim() != name || name.ends_with(']') || name == "t"
                        || name == "time"
                ),
                Err(RecordError::ChannelUnit { unit, .. }) => {
                    prop_assert!(unit.is_empty() || unit.trim() != unit || unit.contains('['));
                }
                Err(error) => prop_assert!(matches!(error, RecordError::Duplicate { .. }), "{}", error),
            }
        }
        let text = written(&record);
        let back = Record::from_csv(text.as_bytes(), "file").unwrap();
        prop_assert_eq!(&back, &record);
        for (a, b) in back.channels().iter().zip(record.channels()) {
            for (a, b) in a.values().iter().zip(b.values()) {
                prop_assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()));
            }
        }
    }

    #[test]
    fn what_is_read_is_written_and_read_back(headings in prop::collection::vec(text(), 1..4)) {
        let quoted: Vec<_> = headings.iter().map(|text| format!("\"{}\"", text.replace('"', "\"\""))).collect();
        let text = format!("{},time\n{}0.5\n", quoted.join(","), "1,".repeat(headings.len()));
        if let Ok(record) = read(&text) {
            let again = read(&written(&record)).unwrap();
            prop_assert_eq!(again, record);
        }
    }
}

#[test]
fn headings_that_look_like_others_are_kept() {
    for header in
        ["y [N][]", "y [N] [m]", "\";\"", "\"a;b\tc\"", "\"line\n# line\"", "\"\"\";\"", "\u{feff}y", "x [\"]"]
    {
        let record = read(&format!("time,{header}\n0,1\n")).unwrap();
        let back = read(&written(&record)).unwrap();
        assert_eq!(back, record, "{header}");
    }
    let bracket = read("time,y [N][]\n0,1\n").unwrap();
    assert_eq!((bracket.channels()[0].name(), bracket.channels()[0].unit()), ("y [N]", None));
    // Where there are quotes, the separator is one outside of them, and lines are counted with those inside.
    let record = read("time;\"a,b\";\"c\td\"\n0;1;2\n").unwrap();
    assert_eq!(record.channels()[1].name(), "c\td");
    let error = read("time,\"a\nb\"\n0,1\n1,?\n");
    assert!(matches!(error, Err(RecordError::Cell { line: 4, .. })), "{error:?}");
    let plain = Record::new(vec![0.0, 1.0]).unwrap().with_channel("x", Some("m"), vec![f64::NAN, 2.5]).unwrap();
    assert_eq!(written(&plain), "time [s],x [m]\n0.0,\n1.0,2.5\n");
}

#[test]
fn a_record_can_be_cut() {
    let record = Record::new(vec![0.0, 0.1, 0.2, 0.3])
        .and_then(|record| record.with_channel("a", None, vec![1.0, 2.0, 3.0, 4.0]))
        .unwrap();
    // 3 * 0.1 is a rounding more than 0.3
    let cut = record.clone().until(0.1 + 0.2).unwrap();
    assert_eq!(cut, record);
    let cut = record.clone().until(0.25).unwrap();
    assert_eq!((cut.times().len(), cut.channel("a").unwrap().values()), (3, &[1.0, 2.0, 3.0][..]));
    for part in [(1.0, 0.0), (7e3, 8e3), (-2.0, -1.0), (f64::NAN, 1.0)] {
        let refused = record.clone().between(Some(part));
        assert!(matches!(refused, Err(RecordError::Option { option: "part", .. })), "{part:?}");
    }
    assert!(matches!(record.until(-1.0), Err(RecordError::NoSamples { .. })));
}

#[test]
fn records_are_cut_resampled_and_taken_as_rows() {
    let times = vec![0.0, 0.1, 0.2, 0.3, 0.7, 0.8];
    let record = Record::new(times)
        .unwrap()
        .with_channel("a", Some("m"), vec![0.0, 1.0, 2.0, 3.0, 7.0, 8.0])
        .unwrap()
        .with_channel("b", None, vec![0.0, -1.0, -2.0, -3.0, -7.0, -8.0])
        .unwrap();
    let late = record.clone().since(0.25).unwrap();
    assert_eq!(late.times(), [0.3, 0.7, 0.8]);
    assert_eq!(late.channel("b").unwrap().values(), [-3.0, -7.0, -8.0]);
    assert!(matches!(record.clone().since(0.9), Err(RecordError::NoSamples { .. })));
    let finer = record.resampled(0.05).unwrap();
    assert_eq!(finer.times().len(), 17);
    assert_eq!(finer.channel("a").unwrap().unit(), Some("m"));
    for (time, value) in finer.times().iter().zip(finer.channel("a").unwrap().values()) {
        let missing = *time > 0.3 + 1e-9 && *time < 0.7 - 1e-9;
        assert_eq!(value.is_nan(), missing, "{time}");
        assert!(missing || (value - 10.0 * time).abs() < 1e-12);
    }
    assert!(matches!(record.resampled(0.0), Err(RecordError::Time { .. })));
    let rows = record.rows([("b", "m"), ("a", "m")], 0.1).unwrap().values;
    assert_eq!(rows.len(), 18);
    for (i, row) in rows.chunks(2).enumerate() {
        if (4..7).contains(&i) {
            assert!(row.iter().all(|value| value.is_nan()), "{rows:?}");
        } else {
            assert!((row[0] + i as f64).abs() < 1e-12 && row[0] == -row[1], "{rows:?}");
        }
    }
    assert!(matches!(record.rows([("c", "m")], 0.1), Err(RecordError::MissingChannel { .. })));
}

#[test]
fn missing_samples_stay_missing_at_other_times() {
    let nan = f64::NAN;
    let sparse = (0..21).map(|i| if i % 4 == 1 { f64::from(i) } else { nan }).collect();
    let mut dense: Vec<f64> = (0..21).map(f64::from).collect();
    (dense[0], dense[7], dense[20]) = (nan, nan, nan);
    let record = Record::new((0..21).map(f64::from).collect())
        .and_then(|record| record.with_channel("dense", None, dense.clone()))
        .and_then(|record| record.with_channel("sparse", None, sparse))
        .and_then(|record| record.with_channel("none", None, vec![nan; 21]))
        .unwrap();
    assert_eq!(record.resampled(1.0).unwrap().channel("dense").unwrap().missing(), 3);
    let finer = record.resampled(0.5).unwrap();
    let of = |name: &str| -> Vec<(f64, f64)> {
        finer.times().iter().copied().zip(finer.channel(name).unwrap().values().iter().copied()).collect()
    };
    for (time, value) in of("dense") {
        let missing = time < 1.0 || (time > 6.0 && time < 8.0) || time > 19.0;
        assert!(if missing { value.is_nan() } else { value == time }, "{time}: {value}");
    }
    // A slower signal is linear between its samples, and nothing outside of them.
    for (time, value) in of("sparse") {
        assert!(if (1.0..=17.0).contains(&time) { value == time } else { value.is_nan() }, "{time}: {value}");
    }
    assert_eq!(finer.channel("none").unwrap().missing(), 41);
    // A filter gets what was measured, each signal at its own times.
    let rows = record.rows([("sparse", "1"), ("dense", "1")], 1.0).unwrap().values;
    for (i, row) in rows.chunks(2).enumerate() {
        assert_eq!((row[0].is_nan(), row[1].is_nan()), (i % 4 != 1, [0, 7, 20].contains(&i)), "{i}");
    }
}

#[test]
fn a_time_with_a_wrong_digit_is_no_reason_to_run_out_of_memory() {
    let mut times: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1e-3).collect();
    times[999] = 1e12;
    let record = Record::new(times).unwrap().with_channel("x", None, vec![0.0; 1000]).unwrap();
    for result in [record.resampled(1e-3).map(|_| ()), record.rows([("x", "1")], 1e-3).map(|_| ())] {
        let message = result.unwrap_err().to_string();
        assert_eq!(
            message,
            "`record` from 0 to 1e12 s every 0.001 s has 1.00e15 samples, which exceeds the limit of 134217728 \
                 numbers in all channels; check it for a wrong time, cut it, such as by the option `part`, or choose \
                 a longer interval"
        );
    }
    let ends = Record::new(vec![-1e308, 1e308]).unwrap();
    assert!(matches!(ends.resampled(1e-300), Err(RecordError::TooLong { .. })));
    assert_eq!(record.until(1.0).unwrap().resampled(1e-3).unwrap().times().len(), 999);
}

#[test]
fn a_record_knows_the_file_that_it_came_from() {
    // printf 'time [s],x [m]\n0,1\n1,2\n' | sha256sum
    let text = "time [s],x [m]\n0,1\n1,2\n";
    let read = Record::from_csv(text.as_bytes(), "bench.csv").unwrap();
    let made = Record::new(vec![0.0, 1.0]).unwrap().named("bench.csv");
    let made = made.with_channel("x", Some("m"), vec![1.0, 2.0]).unwrap();
    assert_eq!(read.sha256(), Some("3b9b78c0f7deeed39044e7fc797883f8f7da1242f884eb5f15dae693915217d4"));
    assert_eq!((made.sha256(), &made), (None, &read));
    assert_eq!(
        read.until(0.5).unwrap().sha256(),
        Some("3b9b78c0f7deeed39044e7fc797883f8f7da1242f884eb5f15dae693915217d4")
    );
}

#[test]
fn segments_have_every_sample_once_and_times_of_their_own() {
    let times: Vec<f64> = (0..=1000).map(|i| 2.0 + f64::from(i) * 1e-3).filter(|t| !(2.31..2.55).contains(t)).collect();
    let values: Vec<f64> = times.iter().map(|t| t * t).collect();
    let record = Record::new(times.clone()).unwrap().named("run").with_channel("x", Some("m"), values).unwrap();
    let pieces = record.segments(0.1).unwrap();
    let starts: Vec<f64> = pieces.iter().map(|(start, _)| (start * 1e6).round() / 1e6).collect();
    // nothing was measured from 2.4 to 2.5 s, and the last sample begins a piece
    assert_eq!(starts, [2.0, 2.1, 2.2, 2.3, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0]);
    let again: Vec<f64> =
        pieces.iter().flat_map(|(start, piece)| piece.times().iter().map(move |t| start + t)).collect();
    assert!(again.len() == times.len() && again.iter().zip(&times).all(|(a, b)| (a - b).abs() < 1e-9));
    for (start, piece) in &pieces {
        let channel = piece.channel("x").unwrap();
        assert!(piece.times()[0] >= 0.0 && piece.times().iter().all(|t| *t < 0.1) && channel.unit() == Some("m"));
        for (t, x) in piece.times().iter().zip(channel.values()) {
            assert!(((start + t).powi(2) - x).abs() < 1e-9);
        }
    }
    assert_eq!(pieces[1].1.name(), "run from 2.100000 s");
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(record.segments(length), Err(RecordError::Time { .. })));
    }
    assert_eq!(record.segments(1e-9).unwrap().len(), times.len());
    assert_eq!(record.segments(1e300).unwrap().len(), 1);
}

/// A second name of the old file keeps the old content: the new one is another file with the same name.
#[test]
fn files_are_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [path, second] = ["a.csv", "b.csv"].map(|name| folder.path().join(name));
    let record =
        |value: f64| Record::new(vec![0.0, 1.0]).unwrap().with_channel("x", Some("m"), vec![value; 2]).unwrap();
    record(1.0).write_csv(&path).unwrap();
    std::fs::hard_link(&path, &second).unwrap();
    record(2.0).write_csv(&path).unwrap();
    assert_eq!(Record::read_csv(&path).unwrap().channel("x").unwrap().values(), [2.0, 2.0]);
    assert_eq!(Record::read_csv(&second).unwrap().channel("x").unwrap().values(), [1.0, 1.0]);
}

#[test]
fn lines_are_counted_behind_blank_ones_and_comments() {
    let skipped = "\n   \n# a comment\r\n\r\n";
    let comment = format!("# {}\n", "long ".repeat(40_000));
    for (text, expected) in [
        (format!("{skipped}t,x\n{skipped}0,1\n{skipped}1,y\n"), 15),
        (format!("{comment}t,x\n0,1\n{comment}{comment}1,y\n"), 6),
        (format!("t,x\n{}{comment}1e9,y", (0..100_000).map(|i| format!("{i},1\n")).collect::<String>()), 100_003),
    ] {
        match read(&text) {
            Err(RecordError::Cell { line, column, text, .. }) => {
                assert_eq!((line, &*column, &*text), (expected, "x", "y"));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn quotes_may_stand_behind_a_blank() {
    let record = read("time, \"a, b [V]\"\n0,1\n").unwrap();
    assert_eq!(record.channel("a, b").unwrap().unit(), Some("V"));
    let record = read("time, \"acc [m/s^2]\" , \"a \"\"b\"\"\"\n0, \"1\",2\n").unwrap();
    assert_eq!(record.channel("acc").unwrap().unit(), Some("m/s^2"));
    assert_eq!(record.channel("acc").unwrap().values(), [1.0]);
    assert!(record.channel("a \"b\"").is_ok());
    let record = read("time; \"a, b [V]\"\n0;1\n").unwrap();
    assert_eq!(record.channel("a, b").unwrap().unit(), Some("V"));
}

#[test]
fn what_is_no_text_is_refused_where_it_begins() {
    for (bytes, expected) in [
        (&b"t,x\n0,1\0\n"[..], "byte 7 is 0x00"),
        (b"\xff\xfet\0,\0\0\0", "byte 6 is 0x00"),
        (b"t,x\n# \xc3\xa4\n0,\xe2\x82", "byte 11 is 0xe2"),
        (b"t,x\n# \xc3\xa4\n0,\xe2\x82\n", "byte 11 is 0xe2"),
        (b"\xff\xfet\0,\0\x00\xd8x\0", "byte 6 is 0x00"),
    ] {
        match Record::from_csv(bytes, "a.csv") {
            Err(RecordError::NotText { fault, .. }) => {
                assert!(fault.to_string().starts_with(expected), "{fault} {expected}");
            }
            other => panic!("{other:?}"),
        }
    }
    // a character that two pieces have parts of
    for shift in 0..4 {
        let text = format!("t,x\n# {}{}\n0,1\n", "a".repeat((1 << 16) - 8 + shift), "€".repeat(30_000));
        read(&text).unwrap();
    }
}

/// A file of 2 GB without content, and one with a little of it in front, take neither time nor memory.
#[test]
fn sparse_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.csv");
    for text in ["", "time,x\n0,1\n"] {
        std::fs::write(&path, text).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(2 << 30).unwrap();
        let begin = std::time::Instant::now();
        assert!(matches!(Record::read_csv(&path), Err(RecordError::NotText { .. })));
        assert!(begin.elapsed() < std::time::Duration::from_secs(1));
    }
    assert!(matches!(Record::read_csv(folder.path()), Err(RecordError::File { .. })));
}
