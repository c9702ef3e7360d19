//! One record, written in many ways: each is read to the same record, or refused with the option to set.
#![allow(clippy::unwrap_used)]

mod numbers;
mod times;

use costate_measure::record::{Column, DateOrder, Decimal, Encoding, Record, RecordError, Separator, Units};
use proptest::prelude::*;

/// A way to write a record.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Way {
    separator: &'static str,
    decimal: char,
    quoted: bool,
    encoding: Written,
    units: Place,
    clock: Stamps,
    preamble: &'static str,
    trailing: bool,
    end: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Written {
    Utf8,
    Marked,
    Utf16Le,
    Utf16Be,
    Latin,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Brackets,
    Parentheses,
    Row,
    Nowhere,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Stamps {
    Seconds,
    Milliseconds,
    Epoch,
    Iso,
    German,
    OfDay,
}

const PLAIN: Way = Way {
    separator: ",",
    decimal: '.',
    quoted: false,
    encoding: Written::Utf8,
    units: Place::Brackets,
    clock: Stamps::Seconds,
    preamble: "",
    trailing: false,
    end: "\n",
};

const CHANNELS: [(&str, &str); 3] = [("Kraft", "kN"), ("Körper", "m/s²"), ("Weg", "mm")];

/// Values in hundredths, `None` for a missing sample.
type Rows = Vec<[Option<i32>; 3]>;

fn rows() -> Rows {
    (0..40).map(|i| [Some(i * i - 700), (i % 4 == 0).then_some(3 * i), Some(123_456 + 7 * i)]).collect()
}

/// The times as texts with decimal points, and in s from the first one that counts.
fn time(clock: Stamps, i: usize) -> (String, f64) {
    let hundredths = 1234 + 2 * i;
    let seconds = |all: usize| format!("{}.{:02}", all / 100, all % 100);
    let from_first = 2.0 * i as f64 / 100.0;
    match clock {
        Stamps::Seconds => (seconds(hundredths), hundredths as f64 / 100.0),
        Stamps::Milliseconds => (format!("{}.0", 10 * hundredths), hundredths as f64 / 100.0),
        Stamps::Epoch => (format!("17000000{:02}.{:02}0000", hundredths / 100, hundredths % 100), from_first),
        Stamps::Iso => (format!("2024-02-29T23:59:{:02}.{:02}Z", hundredths / 100, hundredths % 100), from_first),
        Stamps::German => (format!("29.02.2024 13:00:{:02}.{:02}", hundredths / 100, hundredths % 100), from_first),
        Stamps::OfDay => {
            (format!("10:00:{:02}.{:02}", hundredths / 100, hundredths % 100), 36_000.0 + hundredths as f64 / 100.0)
        }
    }
}

fn number(hundredths: i32) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

fn write(way: Way, rows: &Rows) -> Vec<u8> {
    let signed = |text: String| {
        let text = text.replace('.', &way.decimal.to_string());
        if way.quoted { format!("\"{text}\"") } else { text }
    };
    let (name, unit) = match way.clock {
        Stamps::Seconds => ("Zeit", "s"),
        Stamps::Milliseconds => ("Time", "ms"),
        Stamps::Epoch => ("Timestamp", "s"),
        Stamps::Iso | Stamps::German | Stamps::OfDay => ("time", ""),
    };
    let columns: Vec<(&str, &str)> = [(name, unit)].into_iter().chain(CHANNELS).collect();
    let heading = |(name, unit): &(&str, &str)| match way.units {
        _ if unit.is_empty() => (*name).to_owned(),
        Place::Brackets => format!("{name} [{unit}]"),
        Place::Parentheses => format!("{name}({unit})"),
        // the unit of a time is never left out
        Place::Nowhere if *unit == "ms" => format!("{name}_ms"),
        Place::Row | Place::Nowhere => (*name).to_owned(),
    };
    let quoted = |text: String| if way.quoted { format!("\"{text}\"") } else { text };
    let mut lines = vec![columns.iter().map(|column| quoted(heading(column))).collect::<Vec<_>>()];
    if way.units == Place::Row {
        lines.push(columns.iter().map(|(_, unit)| (*unit).to_owned()).collect());
    }
    for (i, row) in rows.iter().enumerate() {
        let date = time(way.clock, i).0;
        // the day of a German date keeps its points
        let time = match way.clock {
            Stamps::German => {
                let (front, behind) = date.rsplit_once('.').unwrap();
                quoted(format!("{front}{}{behind}", way.decimal))
            }
            _ => signed(date),
        };
        let cell = |cell: &Option<i32>| cell.map_or(String::new(), |value| signed(number(value)));
        lines.push([time].into_iter().chain(row.iter().map(cell)).collect());
    }
    let tail = if way.trailing { way.separator } else { "" };
    let body: String = lines.iter().map(|line| line.join(way.separator) + tail + way.end).collect();
    let text = way.preamble.replace('\n', way.end) + &body;
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    match way.encoding {
        Written::Utf8 => text.into_bytes(),
        Written::Marked => format!("\u{feff}{text}").into_bytes(),
        Written::Utf16Le => utf16(&format!("\u{feff}{text}"), u16::to_le_bytes),
        Written::Utf16Be => utf16(&text, u16::to_be_bytes),
        Written::Latin => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
    }
}

/// Checks that a record is the one that was written.
fn check(way: Way, rows: &Rows, record: &Record) {
    assert_eq!(record.times().len(), rows.len(), "{way:?}");
    for (i, found) in record.times().iter().enumerate() {
        let expected = time(way.clock, i).1;
        assert!((found - expected).abs() <= 1e-15 * expected.abs(), "{way:?}: {found} {expected}");
    }
    for (column, (channel, (name, unit))) in record.channels().iter().zip(CHANNELS).enumerate() {
        let unit = (way.units != Place::Nowhere).then_some(unit);
        assert_eq!((channel.name(), channel.unit()), (name, unit), "{way:?}");
        for (found, row) in channel.values().iter().zip(rows) {
            match row[column] {
                Some(value) => assert_eq!(*found, f64::from(value) / 100.0, "{way:?}"),
                None => assert!(found.is_nan(), "{way:?}"),
            }
        }
    }
    assert_eq!(record.channels().len(), 3, "{way:?}");
}

fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    Record::from_csv(bytes, "bench.csv")
}

fn ways() -> Vec<Way> {
    let mut all = Vec::new();
    let separators = [",", ";", "\t", "|"];
    let units = [Place::Brackets, Place::Parentheses, Place::Row, Place::Nowhere];
    let clocks = [Stamps::Seconds, Stamps::Milliseconds, Stamps::Epoch, Stamps::Iso, Stamps::German, Stamps::OfDay];
    let encodings = [Written::Utf8, Written::Marked, Written::Utf16Le, Written::Utf16Be, Written::Latin];
    let preambles = ["", "# rig 3\n\n", "Device;ADC-8\nRate\t100\nOperator,N. N.\n\n"];
    for (i, separator) in separators.into_iter().enumerate() {
        for (j, decimal) in ['.', ','].into_iter().enumerate() {
            for (k, encoding) in encodings.into_iter().enumerate() {
                for (l, units) in units.into_iter().enumerate() {
                    for (m, clock) in clocks.into_iter().enumerate() {
                        let n = i + j + k + l + m;
                        let (preamble, trailing) = (preambles[n % 3], n % 5 == 2);
                        let end = ["\n", "\r\n", "\r"][(n + l) % 3];
                        let quoted = separator == "," && decimal == ',' || n % 7 == 3;
                        all.push(Way { separator, decimal, quoted, encoding, units, clock, preamble, trailing, end });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn every_dialect_of_a_record_is_read_to_the_same_record() {
    let (ways, rows) = (ways(), rows());
    assert_eq!(ways.len(), 960);
    for way in ways {
        let bytes = write(way, &rows);
        let record = read(&bytes).unwrap_or_else(|error| panic!("{way:?}: {error}"));
        check(way, &rows, &record);
        let taken = record.taken().unwrap();
        let expected = match way.encoding {
            Written::Utf8 | Written::Marked => Encoding::Utf8,
            Written::Utf16Le => Encoding::Utf16Le,
            Written::Utf16Be => Encoding::Utf16Be,
            Written::Latin => Encoding::Windows1252,
        };
        assert_eq!(taken.encoding, expected, "{way:?}");
        assert_eq!(taken.decimal, Some(if way.decimal == ',' { Decimal::Comma } else { Decimal::Point }));
        let units = match way.units {
            Place::Brackets => Units::Brackets,
            Place::Parentheses => Units::Parentheses,
            Place::Row => Units::Row(taken.heading.unwrap() + 1),
            Place::Nowhere => Units::Nowhere,
        };
        assert_eq!(taken.units, units, "{way:?}");
        assert!(taken.doubts.is_empty(), "{way:?}: {taken}");
    }
}

#[test]
fn blanks_separate_cells_without_missing_samples() {
    let rows: Rows = (0..9).map(|i| [Some(i), Some(2 * i), Some(150 * i)]).collect();
    for decimal in ['.', ','] {
        let text = String::from_utf8(write(Way { separator: "  ", decimal, ..PLAIN }, &rows)).unwrap();
        for text in
            [text.clone(), text.replace("  ", "   ").replace('\n', " \n"), format!("# rig\n{text}"), format!("#{text}")]
        {
            let record = read(text.as_bytes()).unwrap();
            check(Way { decimal, ..PLAIN }, &rows, &record);
            assert_eq!(record.taken().unwrap().separator, Separator::Blanks);
        }
    }
}

#[test]
fn what_could_be_two_things_is_an_error_that_names_the_option() {
    for (text, option, settled) in [
        ("time;x\n0;1,234\n1;2,345\n", "option `decimal`", Record::reader().decimal(Decimal::Comma)),
        ("time;x\n0;1.234\n1;2.345\n", "option `decimal`", Record::reader().decimal(Decimal::Point)),
        ("time;x\n0;1.234\n1;2.345\n", "option `thousands`", Record::reader().decimal(Decimal::Comma).thousands()),
        ("time,x\n0,\"1,234\"\n1,\"2,345\"\n", "option `decimal`", Record::reader().decimal(Decimal::Comma)),
        (
            "time,x\n03/04/2024 10:00:00,1\n03/04/2024 10:00:01,2\n",
            "option `dates`",
            Record::reader().dates(DateOrder::DayFirst),
        ),
        (
            "time,x\n03-04-2024 10:00:00,1\n03-04-2024 10:00:01,2\n",
            "option `dates`",
            Record::reader().dates(DateOrder::MonthFirst),
        ),
        ("t,Sensor (A),Sensor (V)\n0,1,2\n1,2,3\n", "option `names`", Record::reader().names(["t", "x", "b"])),
        ("zeit,timestamp,x\n0,5,2\n1,6,3\n", "option `time_column`", Record::reader().time_column("zeit")),
        ("time,a,time,x\n0,5,0,2\n1,6,1,3\n", "option `ignore`", Record::reader().time_column(1).ignore(3_usize)),
        ("a,x\n0,5\n1,6\n", "option `rate`", Record::reader().rate(1.0)),
        ("a,x\n0,5\n1,6\n", "option `time_column`", Record::reader().time_column("a")),
        ("0.5,5\n1.5,6\n", "option `no_heading`", Record::reader().no_heading().names(["t", "x"])),
        ("0.5,5\n1.5,6\n", "option `no_heading`", Record::reader().no_heading().rate(1.0).names(["a", "x"])),
        ("time,x,x\n0,1,2\n1,2,3\n", "option `names`", Record::reader().names(["time", "x", "y"])),
        (",time,x\n0,1,2\n1,2,3\n", "option `ignore`", Record::reader().ignore(1)),
        ("time,x,state\n0,1,on\n1,2,off\n", "option `ignore`", Record::reader().ignore("state")),
        ("time,x\n0,n.a.\n1,2\n", "option `missing`", Record::reader().missing("n.a.")),
        ("time,x\n0,1\n0,2\n", "option `rate`", Record::reader().rate(100.0)),
        ("time,x\n0,1\n1,1.234.567\n", "option `thousands`", Record::reader().decimal(Decimal::Comma).thousands()),
    ] {
        let message = read(text.as_bytes()).unwrap_err().to_string();
        assert!(message.contains(option), "{text}: {message}");
        let record = settled.read_from(text.as_bytes(), "bench.csv").unwrap();
        assert_eq!((record.times().len(), record.channel("x").is_ok()), (2, true), "{text}");
    }
    let grouped = Record::reader().decimal(Decimal::Point).thousands();
    let read = |text: &str| grouped.read_from(text.as_bytes(), "a").unwrap().channel("x").unwrap().values().to_vec();
    assert_eq!(read("time;x\n0;1,234\n1;-2,345,678.5\n"), [1234.0, -2_345_678.5]);
}

#[test]
fn options_that_do_not_fit_name_what_is_possible() {
    let text = "time,x\n0,1\n1,2\n";
    for (reader, parts) in [
        (Record::reader().time_column("tiem"), ["time_column", "time, x"]),
        (Record::reader().time_column(3), ["time_column", "number 3"]),
        (Record::reader().names(["time"]), ["names", "2 columns"]),
        (Record::reader().unit("y", "N"), ["unit", "time, x"]),
        (Record::reader().rate(0.0), ["rate", "positive"]),
        (Record::reader().counting_from("yesterday"), ["counting_from", "yesterday"]),
        (Record::reader().time_unit("N"), ["`N`", "`s`"]),
    ] {
        let message = reader.read_from(text.as_bytes(), "bench.csv").unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

/// The first lines of a logger on a quarter car: units in a row of their own, a clock that begins late and jitters, and
/// a channel with every fifth sample.
#[test]
fn a_logger_of_a_quarter_car() {
    let mut text = String::from("Zeit;Pan_Z;Body_Acc;Hub_Acc;Strut_Travel\ns;mm;g;m/s²;mm\n");
    for i in 0..500 {
        let jitter = f64::from(i * i % 17 - 8) * 1e-5;
        let time = 12.34 + 2e-3 * f64::from(i) + jitter;
        let travel = if i % 5 == 0 { format!("{:.3}", 1.5 - 0.01 * f64::from(i)) } else { String::new() };
        text += &format!("{time:.5};{:.3};{:.4};{:.3};{travel}\n", 1e-3 * f64::from(i), 0.02, -0.215).replace('.', ",");
    }
    let record = read(text.as_bytes()).unwrap();
    let units: Vec<_> = record.channels().iter().map(|channel| (channel.name(), channel.unit())).collect();
    assert_eq!(
        units,
        [("Pan_Z", Some("mm")), ("Body_Acc", Some("g")), ("Hub_Acc", Some("m/s²")), ("Strut_Travel", Some("mm"))]
    );
    assert!((record.times()[0] - 12.33992).abs() < 1e-12 && record.times().len() == 500);
    assert!(record.taken().unwrap().doubts.is_empty());
    let travel = record.samples("Strut_Travel").unwrap();
    assert_eq!((travel.times.len(), &*travel.gaps), (100, &[][..]));
    assert!(record.samples("Pan_Z").unwrap().gaps.is_empty());
    assert_eq!(record.clone().starting_at_zero().times()[0], 0.0);
    assert_eq!(record.values_in("Body_Acc", "m/s^2").unwrap()[0], 0.02 * 9.80665);
}

/// A mast that was measured without names and times.
#[test]
fn numbers_alone() {
    let line =
        |i: u32| (0..22).map(|k| format!("{}", f64::from(i * k % 17) * 0.25 - 1.0)).collect::<Vec<_>>().join(",");
    let text: String = (0..300).map(|i| line(i) + "\n").collect();
    let message = read(text.as_bytes()).unwrap_err().to_string();
    assert!(
        ["option `no_heading`", "option `time_column`", "option `rate`"].iter().all(|option| message.contains(option)),
        "{message}"
    );
    let record = Record::reader().no_heading().rate(1651.61).read_from(text.as_bytes(), "mast.csv").unwrap();
    assert_eq!((record.channels().len(), record.times().len()), (22, 300));
    assert_eq!(record.channel("3").unwrap().values()[1], -0.5);
    assert_eq!(record.times()[2], 2.0 / 1651.61);
    assert_eq!(record.taken().unwrap().heading, None);
    // no line is taken for names, whatever texts stand in it
    let reader = Record::reader().no_heading().names(["t", "x", "state"]);
    for (ignored, separator) in [(Column::from(3), ","), (Column::from("state"), ";"), (Column::from("state"), "\t")] {
        let text = "0.5,1,on\n1.5,2,off\n2.5,3,on\n".replace(',', separator);
        let record = reader.clone().ignore(ignored).read_from(text.as_bytes(), "a").unwrap();
        assert_eq!((record.times(), record.channels()[0].values()), (&[0.5, 1.5, 2.5][..], &[1.0, 2.0, 3.0][..]));
    }
    for text in ["0.5,1,on\n1.5,2,off\n", "0.5,1,on\n1.5,2,\n2.5,3,4\n"] {
        let error = reader.read_from(text.as_bytes(), "a").unwrap_err();
        assert!(matches!(&error, RecordError::Cell { line: 1, column, .. } if column == "state"), "{error}");
    }
    let record = reader.read_from("Rig 3\non,off\n0.5,1,2\n1.5,2,3\n".as_bytes(), "a").unwrap();
    assert_eq!((record.times().len(), record.taken().unwrap().before.len()), (2, 2));
}

#[test]
fn numbers_and_missing_samples_as_instruments_write_them() {
    let text = "sep=;\nZeit;x\ns;N\n0;1.234,5\n1;---\n2;OVERFLOW\n3;1.#QNAN\n4;9.91E37\n5;1,5D-02\n6;#NV\n7;---\n";
    let record = read(text.as_bytes()).unwrap();
    let values = record.channel("x").unwrap().values();
    assert_eq!((values[0], values[5], record.channel("x").unwrap().missing()), (1234.5, 0.015, 6));
    let markers = &record.taken().unwrap().markers;
    assert_eq!(markers[0], ("---".to_owned(), 2));
    assert_eq!(markers.len(), 5);
}

#[test]
fn thousands_are_grouped_by_blanks() {
    let text = "Zeit;x\ns;N\n0;1 234,5\n1;-12 345\n2;1\u{a0}234\u{202f}567,25\n3;1,5\n";
    let record = read(text.as_bytes()).unwrap();
    assert_eq!(record.channel("x").unwrap().values(), [1234.5, -12345.0, 1_234_567.25, 1.5]);
    for wrong in ["12 34,5", "1 234 5", "0 123", "1 234,5 6"] {
        let text = format!("Zeit;x\ns;N\n0;1,5\n1;{wrong}\n2;2,5\n");
        assert!(read(text.as_bytes()).unwrap_err().to_string().contains(wrong), "{wrong}");
    }
}

#[test]
fn names_and_units_of_many_loggers() {
    let lvm = "LabVIEW Measurement\t\nDate\t2020/01/01\t2020/01/01\nTime\t11:30:15.5\t11:30:15.5\n\
               ***End_of_Header***\t\nX_Value\tAcc (g)\tForce [N]\tComment\n0.0\t1.5\t2.5\n0.001\t1.6\t2.6\n";
    let record = read(lvm.as_bytes()).unwrap();
    assert_eq!(record.channel("Acc").unwrap().unit(), Some("g"));
    assert_eq!(record.channel("Force").unwrap().values(), [2.5, 2.6]);
    assert_eq!(record.taken().unwrap().before.len(), 4);
    for (heading, scale) in [
        ("time_us", 1e-6),
        ("Zeit in ms", 1e-3),
        ("t/ms", 1e-3),
        ("Time (msec)", 1e-3),
        ("Time (elapsed)", 1.0),
        ("Timestamp", 1.0),
        ("T I M E", 1.0),
    ] {
        let record = read(format!("{heading};x\n0;1\n5;2\n").as_bytes()).unwrap();
        assert!((record.times()[1] - 5.0 * scale).abs() < 1e-18, "{heading}: {:?}", record.times());
    }
    // what stands in parentheses and is no unit belongs to the name
    let record = read(b"time,Pos (front),Force (N) []\n0,1,2\n").unwrap();
    assert!(record.channel("Pos (front)").is_ok() && record.channel("Force (N)").is_ok());
    // an input beside an output, and inches
    let record = read(b"time,p (in),p (out)\n0,1,2\n").unwrap();
    assert_eq!((record.channels()[0].name(), record.channels()[0].unit()), ("p (in)", None));
    for (text, doubts) in [
        ("time,p (in),q (N)", 0),
        ("Time (sec),p (in),q", 0),
        ("time (s),p (in),q", 0),
        ("time,p [in],q", 0),
        ("time,p (in),q", 1),
        ("time,p (in),q (in)", 2),
    ] {
        let record = read(format!("{text}\n0,1,2\n").as_bytes()).unwrap();
        assert_eq!((record.channels()[0].unit(), record.doubts().len()), (Some("in"), doubts), "{text}");
    }
    let reader =
        |names: [&str; 2]| Record::reader().names(names).read_from("time,p (in)\n0,1\n".as_bytes(), "a").unwrap();
    assert_eq!(reader(["time", "p"]).doubts().len(), 1);
    assert_eq!(reader(["time", "p [in]"]).doubts().len(), 0);
    assert_eq!(reader(["time", "p [MPa]"]).doubts().len(), 0);
    // a plain name of the time has precedence
    assert!(read(b"timestamp,time,x\n0,1,2\n").unwrap().channel("timestamp").is_ok());
    // units that nobody knows, below a unit of time
    let record = read(b"Zeit;a;b\n[ms];[counts];[1/min]\n0;1;2\n1;2;3\n").unwrap();
    assert_eq!((record.channels()[0].unit(), record.times()[1]), (Some("counts"), 1e-3));
    // units of a row that look like the name of a time
    let record = read(b"t;m\ns;t\n0;1\n1;2\n").unwrap();
    assert_eq!(record.channel("m").unwrap().unit(), Some("t"));
}

#[test]
fn infinite_numbers_are_missing_samples() {
    for (word, other) in [("inf", "-inf"), ("Inf", "-Infinity"), ("\u{221e}", "-\u{221e}")] {
        let record = read(format!("time,x\n0,1\n0.1,{word}\n0.2,{other}\n0.3,2\n").as_bytes()).unwrap();
        let values = record.channel("x").unwrap().values();
        assert!(values[1].is_nan() && values[2].is_nan() && values[3] == 2.0, "{word}");
        let markers = &record.taken().unwrap().markers;
        assert_eq!(markers[..], [(word.to_owned(), 1), (other.to_owned(), 1)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_records_in_random_dialects(
        way in prop::sample::select(ways()),
        rows in prop::collection::vec(prop::array::uniform3(prop::option::of(-2_000_000..2_000_000_i32)), 2..40),
    ) {
        let mut rows = rows;
        // a line without any number is no line of data for those who look for the first one
        rows[0] = [Some(0), Some(100), None];
        let record = read(&write(way, &rows)).unwrap();
        check(way, &rows, &record);
        let mut text = Vec::new();
        record.to_csv(&mut text).unwrap();
        let again = read(&text).unwrap();
        prop_assert_eq!(again.named("bench.csv"), record);
    }

    #[test]
    fn numbers_in_cells_are_those_of_rust(value in any::<f64>().prop_filter("finite", |v| v.is_finite()),
    places in 0..12_usize) {
        for text in [format!("{value:?}"), format!("{value:e}"), format!("{:.places$}", value % 1e9),
        format!("{:+.places$}", value % 1e3)] {
            let expected: f64 = text.parse().unwrap();
            for (point, separator) in [(".", ","), (",", ";")] {
                let cell = text.replace('.', point);
                let lines = format!("time{separator}x\n0{separator}0{point}5\n1{separator}{cell}\n");
                let found = read(lines.as_bytes()).unwrap().channel("x").unwrap().values()[1];
                prop_assert_eq!(found.to_bits(), expected.to_bits(), "{}", text);
            }
        }
    }
}
