//! Dates, units of times, and clocks of records: what they are taken for, and which are questioned.

use costate_measure::record::{Clocked, DateOrder, Doubt, Record, RecordError};

use super::read;

#[test]
fn dates_and_times_of_day_count_seconds() {
    let two = "Datum;Uhrzeit;x\n28.02.2024;23:59:59,500;1\n29.02.2024;00:00:00,250;2\n01.03.2024;00:00:00,250;3\n";
    let record = read(two.as_bytes()).unwrap();
    assert_eq!(record.times(), [0.0, 0.75, 86_400.75]);
    assert!(
        matches!(&record.taken().unwrap().time, Clocked::Dates { origin, .. } if origin == "28.02.2024 23:59:59,500")
    );
    let american = "Timestamp,x\n2/28/2024 11:59:59.5 PM,1\n2/29/2024 12:00:00.25 AM,2\n";
    let record = read(american.as_bytes()).unwrap();
    assert_eq!(record.times(), [0.0, 0.75]);
    assert!(matches!(record.taken().unwrap().time, Clocked::Dates { order: Some(DateOrder::MonthFirst), .. }));
    let zones = read(b"time,x\n2024-03-31T01:59:59+01:00,1\n2024-03-31T03:00:00+02:00,2\n").unwrap();
    assert_eq!(zones.times(), [0.0, 1.0]);
    let late = read(b"time,x\n23:59:59.5,1\n00:00:00.5,2\n").unwrap();
    assert_eq!(late.times(), [86_399.5, 86_400.5]);
    let wrong = read(b"time,x\n2024-02-28T00:00:00,1\n2024-02-30T00:00:00,2\n").unwrap_err();
    assert!(matches!(wrong, RecordError::Cell { line: 3, .. }), "{wrong}");
    // two recorders with one clock
    let from = |text: &str| {
        Record::reader().counting_from("1700000000").read_from(text.as_bytes(), "a").unwrap().times().to_vec()
    };
    assert_eq!(from("time,x\n1700000000.000125,1\n1700000000.000375,2\n"), [0.000125, 0.000375]);
    assert_eq!(from("time,x\n1699999999.999875,1\n1700000001,2\n"), [-0.000125, 1.0]);
}

#[test]
fn times_in_an_unusual_unit_are_questioned() {
    let text = |unit: &str, step: f64| {
        let rows: String = (0..20).map(|i| format!("{:.4},{i}\n", f64::from(i) * step)).collect();
        format!("time{unit},x\n{rows}")
    };
    let lines = |unit: &str, step: f64| read(text(unit, step).as_bytes()).unwrap().taken().unwrap().doubts.clone();
    assert!(lines(" [s]", 0.01).is_empty() && lines(" [ms]", 0.1).is_empty() && lines("", 0.9).is_empty());
    // 1 kHz in ms, or 1 Hz: the unit settles it, in the file or given
    assert!(matches!(&*lines("", 1.0), [Doubt::TimeUnit { other: "ms", assumed: true, .. }]));
    assert!(lines(" [s]", 1.0).is_empty() && lines(" [ms]", 1.0).is_empty());
    for (unit, step, given) in [("", 1.0, "s"), ("", 1.0, "ms"), ("", 5.0, "s"), (" [ms]", 0.01, "ms")] {
        let reader = Record::reader().time_unit(given);
        let record = reader.read_from(text(unit, step).as_bytes(), "bench.csv").unwrap();
        assert!(record.doubts().is_empty(), "{unit} {step} {given}");
    }
    for step in [0.001, 0.002, 0.01] {
        assert!(matches!(&*lines(" [ms]", step), [Doubt::TimeUnit { other: "s", .. }]), "{step}");
    }
    assert!(matches!(&*lines(" [us]", 2.5e6), [Doubt::TimeUnit { other: "ns", .. }]));
    assert!(matches!(&*lines("", 10.0), [Doubt::TimeUnit { other: "ms", assumed: true, .. }]));
}

#[test]
fn patterns_of_times_stand_in_a_line_of_units() {
    for (heading, units, first, second) in [
        ("Zeit", "hh:mm:ss", "10:00:00", "10:00:01"),
        ("time", "[hh:mm:ss.sss]", "10:00:00.000", "10:00:01.000"),
        ("Datum;Zeit", "TT.MM.JJJJ;hh:mm:ss", "28.02.2024;23:59:59", "29.02.2024;00:00:00"),
        ("timestamp", "YYYY-MM-DD hh:mm:ss", "2024-02-28 23:59:59", "2024-02-29 00:00:00"),
    ] {
        // one sign for decimals in a file
        let point = if first.contains(":00.") { '.' } else { ',' };
        let text = format!("{heading};F\n{units};N\n{first};1{point}5\n{second};2{point}5\n");
        let record = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text} {error}"));
        assert_eq!(record.times().last().unwrap() - record.times()[0], 1.0, "{heading}");
        let force = record.channel("F").unwrap();
        assert_eq!((force.unit(), force.values()), (Some("N"), &[1.5, 2.5][..]), "{heading}");
    }
}

/// Spreadsheets count days from 1900, and write dates so.
#[test]
fn times_of_spreadsheets_are_questioned() {
    let read_from = |heading: &str, first: f64, rate: f64| {
        let time = |i: i32| first + f64::from(i) / rate / 86_400.0;
        let rows: String = (0..40).map(|i| format!("{:.12},{i}\n", time(i))).collect();
        read(format!("{heading},x\n{rows}").as_bytes()).unwrap()
    };
    for rate in [1.0, 10.0, 50.0, 1e3, 1e4] {
        for first in [0.0, 45_292.604_166_666_7] {
            let record = read_from("time", first, rate);
            let is_questioned = matches!(record.doubts(), [Doubt::TimeUnit { other: "d", assumed: true, .. }]);
            // without a date, times in days with less than some 100 Hz look like those of a fast recorder in s
            assert!(is_questioned || first == 0.0 && rate < 200.0, "{rate} {first} {:?}", record.doubts());
            let right = read_from("time [d]", first, rate);
            assert!(right.doubts().is_empty(), "{:?}", right.doubts());
            let last = right.times().last().unwrap() - right.times()[0];
            // a double has eleven decimals of such days
            assert!((last * rate / 39.0 - 1.0).abs() < 1e-3, "{rate} {last}");
        }
    }
    // seconds that happen to begin there
    let rows: String = (0..40).map(|i| format!("{},{i}\n", 45_000.0 + f64::from(i) * 0.01)).collect();
    assert!(read(format!("time,x\n{rows}").as_bytes()).unwrap().doubts().is_empty());
}

/// A rate above the names says what the numbers are: it answers the doubt, or is a reason for it.
#[test]
fn stated_rates_tell_the_unit_of_times() {
    let taken = |above: &str, step: f64| {
        let rows: String = (0..20).map(|i| format!("{:.4},{i}\n", f64::from(i) * step)).collect();
        let record = read(format!("{above}\ntime,x\n{rows}").as_bytes()).unwrap();
        let is_assumed = matches!(record.taken().unwrap().time, Clocked::Column { assumed: true, .. });
        assert_eq!(record.has_assumed_times(), is_assumed, "{above}");
        (record.doubts().to_vec(), is_assumed)
    };
    for (above, step) in [
        ("Rate: 1 Hz", 1.0),
        ("# Sampling rate [Hz]: 0,5", 2.0),
        ("Sample rate,0.1,Hz", 10.0),
        ("Bench 3\n# fs = 20 S/s", 0.05),
    ] {
        assert_eq!(taken(above, step), (Vec::new(), false), "{above}");
    }
    for (above, step, rate) in
        [("Rate: 20 kHz", 0.05, 20_000.0), ("# Abtastrate: 1000 Hz", 1.0, 1000.0), ("fs=50kHz", 0.02, 50_000.0)]
    {
        let (doubts, is_assumed) = taken(above, step);
        assert!(is_assumed, "{above}");
        let [Doubt::TimeUnit { other: "ms", stated: Some(stated), .. }] = doubts[..] else { panic!("{doubts:?}") };
        assert_eq!(stated, rate);
    }
    let (doubts, _) = taken("Filter: 100 Hz", 1.0);
    assert!(matches!(doubts[..], [Doubt::TimeUnit { other: "ms", stated: None, .. }]));
}

#[test]
fn stamps_with_too_few_digits_are_one_clock() {
    for (rate, digits) in [(3000.0, 3), (1500.0, 3), (44_100.0, 4), (10_000.0, 3)] {
        let text: String = (0..3000).map(|i| format!("{:.digits$},{i}\n", f64::from(i) / rate)).collect();
        let record = read(format!("time,x\n{text}").as_bytes()).unwrap();
        let last_digit = 10_f64.powi(-(digits as i32));
        for (i, time) in record.times().iter().enumerate() {
            assert!((time - i as f64 / rate).abs() < last_digit, "{rate} Hz: {time}");
        }
        let taken = record.taken().unwrap();
        assert!(matches!(&*taken.doubts, [Doubt::Stamps { .. }, ..]), "{rate}: {taken}");
        assert!((record.interval().unwrap() * rate - 1.0).abs() < 1e-4, "{rate}: {:?}", record.interval());
    }
    // samples that stand twice are not such a clock
    for twice in [vec![5], vec![5, 6], vec![5, 100, 300], (0..40).map(|i| 7 * i).collect()] {
        let line = |i: i32| {
            let once = format!("{:.2},{i}\n", f64::from(i) / 100.0);
            if twice.contains(&i) { once.repeat(2) } else { once }
        };
        let text: String = (0..600).map(line).collect();
        let error = read(format!("time,x\n{text}").as_bytes()).err();
        assert!(matches!(error, Some(RecordError::TimeInFile { .. })), "{twice:?} {error:?}");
    }
}
