//! Numbers with commas that may stand before decimals or between cells, and signs of typesetting.

use costate_measure::record::{CsvReader, Decimal, Record, RecordError, Separator};

/// Numbers without names, in which commas may stand before decimals or between cells.
#[test]
fn commas_in_numbers_without_names() {
    let reader = || Record::reader().rate(100.0);
    let sine = |i: i32| (0.37 * f64::from(i)).sin();
    let lines = |line: &dyn Fn(i32) -> String| (0..40).map(|i| line(i) + "\n").collect::<String>();
    let comma = |x: f64, places: usize| format!("{x:.places$}").replace('.', ",");
    // decimals of one length, without zeros at the end, with an exponent, from 100 on, and a last line that is cut
    let single = [
        lines(&|i| comma(sine(i), 6)),
        lines(&|i| comma((sine(i) * 1e4).round() / 1e4 + 1e-5, 5).trim_end_matches('0').to_owned()),
        lines(&|i| format!("{:.5e}", 3.0 + sine(i)).replace('.', ",")),
        lines(&|i| comma(150.0 + 20.0 * sine(i), 2)),
        lines(&|i| comma(sine(i), 6)) + "0,",
        "0,5\n1,5\n2,25\n-3,75\n".to_owned(),
        "0,5\n1,5\n2,5\n".to_owned(),
    ];
    for text in &single {
        let read = |reader: CsvReader| reader.read_from(text.as_bytes(), "a");
        let error = read(reader()).unwrap_err();
        assert!(matches!(error, RecordError::DecimalCommas { cells: 2, names: 0, line: 1, .. }), "{text}: {error}");
        assert!(error.to_string().contains("option `decimal` to the comma"), "{error}");
        if !text.ends_with("0,") {
            let one = read(reader().decimal(Decimal::Comma)).unwrap();
            let first = text.lines().next().unwrap().replace(',', ".").parse().unwrap();
            assert_eq!((one.channels().len(), one.channels()[0].values()[0]), (1, first), "{text}");
        }
        assert_eq!(read(reader().separator(Separator::Comma)).unwrap().channels().len(), 2);
    }
    for text in [lines(&|i| format!("{},{}", comma(f64::from(i) / 100.0, 2), comma(sine(i).abs(), 4)))] {
        for asked in [reader(), reader().decimal(Decimal::Comma), Record::reader().no_heading().time_column(1)] {
            let error = asked.read_from(text.as_bytes(), "a").unwrap_err();
            assert!(matches!(error, RecordError::DecimalCommas { cells: 4, names: 0, .. }), "{text}: {error}");
            assert!(error.to_string().contains("option `decimal` to the point"), "{error}");
        }
        let four = reader().decimal(Decimal::Point).read_from(text.as_bytes(), "a").unwrap();
        assert_eq!(four.channels().len(), 4);
    }
    // whole numbers: beside a counter, of several lengths with zeros at the end, negative ones, and three in a line
    for (text, channels) in [
        ("1,2\n2,4\n3,8\n".to_owned(), 2),
        (lines(&|i| format!("{},{}", i, 500 + (300.0 * sine(i)) as i32)), 2),
        (lines(&|i| format!("{},{}", 2048 + (1e3 * sine(i)) as i32, (i * i % 37) * 5)), 2),
        (lines(&|i| format!("{},{}", 2048 + (1e3 * sine(i)) as i32, -3 - i % 5)), 2),
        (lines(&|i| format!("{},{},{}", i % 7, i % 5, i % 3)), 3),
    ] {
        let record = reader().read_from(text.as_bytes(), "a").unwrap();
        assert_eq!(record.channels().len(), channels, "{text}");
    }
    // times that were named, and as many names as cells
    let text = "0,512\n2,513\n3,514\n";
    let read = |reader: CsvReader| reader.read_from(text.as_bytes(), "a");
    assert!(read(reader()).is_err());
    assert_eq!(read(Record::reader().no_heading().time_column(1)).unwrap().times(), [0.0, 2.0, 3.0]);
    assert_eq!(read(reader().names(["a", "b"])).unwrap().channels().len(), 2);
    assert!(read(reader().names(["a"])).is_err());
}

#[test]
fn the_minus_of_typesetting_is_a_minus() {
    for (text, decimal) in [
        ("time,x\n\u{2212}0.5,\u{2212}1.25\n0,2e\u{2212}3\n", None),
        ("time;x\n\u{2212}0,5;\u{2212}1,25\n0;2e\u{2212}3\n", None),
        ("time;x\n-0,5;\u{2212}1,250\n0;0,002\n", Some(Decimal::Comma)),
    ] {
        let reader = decimal.map_or(Record::reader(), |sign| Record::reader().decimal(sign));
        let record = reader.read_from(text.as_bytes(), "a").unwrap();
        assert_eq!((record.times(), record.channel("x").unwrap().values()), (&[-0.5, 0.0][..], &[-1.25, 2e-3][..]));
    }
}
