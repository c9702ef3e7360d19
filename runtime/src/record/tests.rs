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
fn faults_name_line_column_and_text() {
    assert!(matches!(read("\n# nothing\n"), Err(RecordError::Empty { .. })));
    assert!(matches!(read("0,1\n1,2\n"), Err(RecordError::NoHeader { line: 1, .. })));
    assert!(matches!(read("# a\ntime,x\n"), Err(RecordError::NoData { line: 2, .. })));
    assert!(matches!(read("x,y\n1,2\n"), Err(RecordError::NoTime { .. })));
    assert!(matches!(read("time [ms],y\n1,2\n"), Err(RecordError::TimeUnit { .. })));
    assert!(matches!(read("time,\n1,2\n"), Err(RecordError::Unnamed { column: 2, .. })));
    assert!(matches!(read("time,x,x\n1,2,3\n"), Err(RecordError::Duplicate { .. })));
    let ragged = read("time,x\n0,1\n\n1\n");
    assert!(matches!(ragged, Err(RecordError::Ragged { line: 4, found: 1, expected: 2, .. })), "{ragged:?}");
    let windows = read("time,x\r\n# a\r\n\r\n0,1\r\n  # b\r\n1,?\r\n");
    assert!(matches!(windows, Err(RecordError::Number { line: 6, .. })), "{windows:?}");
    for text in ["NaN", "inf", "1,5", "", "off"] {
        match read(&format!("time;x\n0;1\n1;{text}\n")) {
            Err(RecordError::Number { line: 3, column, text: found, .. }) => {
                assert_eq!((column.as_str(), found.as_str()), ("x", text));
            }
            other => panic!("{other:?}"),
        }
    }
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
    assert!(matches!(add("y", &[1.0, f64::NAN]), Err(RecordError::Value { index: 1, .. })));
    for name in ["", " y", "y [m]", "time"] {
        assert!(matches!(add(name, &[1.0, 2.0]), Err(RecordError::ChannelName { .. })), "{name}");
    }
    assert!(matches!(Record::new(vec![]), Err(RecordError::NoSamples { .. })));
    assert!(matches!(Record::new(vec![0.0, f64::NAN]), Err(RecordError::Time { index: 1, .. })));
    assert!(matches!(Record::read_csv("/no/such/file"), Err(RecordError::File { .. })));
}

#[test]
fn interval_of_equidistant_times() {
    let times = (0..=10_000).map(|i| i as f64 * 1e-4).collect();
    assert_eq!(Record::new(times).unwrap().interval(), Some(1e-4));
    assert_eq!(Record::new(vec![0.0, 0.1, 0.3]).unwrap().interval(), None);
    assert_eq!(Record::new(vec![0.0]).unwrap().interval(), None);
}

proptest! {
    #[test]
    fn written_records_read_back_bit_by_bit(bits in prop::collection::vec(any::<f64>(), 1..40)) {
        let values: Vec<f64> = bits.into_iter().map(|v| if v.is_finite() { v } else { -0.0 }).collect();
        let times = (0..values.len()).map(|i| i as f64 / 3.0).collect();
        let record = Record::new(times).unwrap().named("file");
        let record = record.with_channel("x[2]", Some("m"), values.clone()).unwrap();
        let record = record.with_channel("a, \"b\"", None, values).unwrap();
        let mut text = Vec::new();
        record.to_csv(&mut text).unwrap();
        let back = Record::from_csv(text.as_slice(), "file").unwrap();
        prop_assert_eq!(&back, &record);
        for (a, b) in back.channels()[0].values().iter().zip(record.channels()[0].values()) {
            prop_assert_eq!(a.to_bits(), b.to_bits());
        }
    }
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
        assert!((value - 10.0 * time).abs() < 1e-12);
    }
    assert!(matches!(record.resampled(0.0), Err(RecordError::Time { .. })));
    let rows = record.rows(&["b", "a"], 0.1).unwrap();
    assert_eq!(rows.len(), 18);
    for (i, row) in rows.chunks(2).enumerate() {
        if (4..7).contains(&i) {
            assert!(row.iter().all(|value| value.is_nan()), "{rows:?}");
        } else {
            assert!((row[0] + i as f64).abs() < 1e-12 && row[0] == -row[1], "{rows:?}");
        }
    }
    assert!(matches!(record.rows(&["c"], 0.1), Err(RecordError::MissingChannel { .. })));
}
