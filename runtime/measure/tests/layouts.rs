//! Files in the layouts of devices and programs, made here: names, units, times and values are those that the device
//! has written.
#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;

use costate_measure::record::{Clocked, Doubt, Record, RecordError};

fn read(text: &str) -> Result<Record, RecordError> {
    Record::from_csv(text.as_bytes(), "bench.csv")
}

fn wave(i: usize) -> f64 {
    (TAU * i as f64 / 40.0).sin()
}

/// Checks names and units, the clock, and the values of the first channel.
#[track_caller]
fn check(record: &Record, channels: &[(&str, Option<&str>)], (start, interval): (f64, f64), digits: f64) {
    let found: Vec<_> = record.channels().iter().map(|channel| (channel.name(), channel.unit())).collect();
    assert_eq!(found, channels);
    for (i, time) in record.times().iter().enumerate() {
        assert!((time - start - i as f64 * interval).abs() < 1e-9 * interval.max(1.0), "{i}: {time}");
    }
    let values = record.channels()[0].values();
    assert_eq!(values.len(), 80);
    assert!(values.iter().enumerate().all(|(i, value)| (value - wave(i)).abs() <= digits), "{values:?}");
    assert!((record.interval().unwrap() / interval - 1.0).abs() < 1e-9);
}

fn rows(line: impl Fn(usize) -> String) -> String {
    (0..80).map(|i| line(i) + "\n").collect()
}

#[test]
fn names_and_units_of_an_oscilloscope_in_two_lines() {
    for (names, units) in
        [("x-axis,1,2", "second,Volt,Ampere"), ("Time,1,2", "s,V,A"), ("X-Axis,1,2", "Second,VOLT,Amp")]
    {
        let body = rows(|i| format!("{:.6E},{:+.6E},{:+.6E}", -0.02 + 5e-4 * i as f64, wave(i), 1.0));
        let record = read(&format!("{names}\n{units}\n{body}")).unwrap();
        check(&record, &[("1", Some("V")), ("2", Some("A"))], (-0.02, 5e-4), 1e-6);
    }
}

#[test]
fn start_and_increment() {
    let body = rows(|i| format!("{i},{:.4e},{:.4e},", wave(i), 2.0));
    let record =
        read(&format!("X,CH1,CH2,Start,Increment,\nSequence,Volt,Volt,-2.000000e-02,5.000000e-04\n{body}")).unwrap();
    check(&record, &[("CH1", Some("V")), ("CH2", Some("V"))], (-0.02, 5e-4), 1e-4);
    let one = rows(|i| format!("{i},{:.4e},", wave(i)));
    let record = read(&format!("X,CH2,Start,Increment,\nSequence,VOLT,0.0,1.0e-6,\n{one}")).unwrap();
    check(&record, &[("CH2", Some("V"))], (0.0, 1e-6), 1e-4);
    let wrong = read(&format!("X,CH1,Start,Increment\nSequence,Volt,0,1e-3\n{one}5,abc\n")).unwrap_err();
    assert!(wrong.to_string().contains("line 83"), "{wrong}");
}

#[test]
fn settings_beside_the_samples() {
    let settings = [
        "Record Length,8.000000e+01,",
        "Sample Interval,5.000000e-04,",
        "Trigger Point,4.000000e+01,",
        ",,",
        ",,",
        ",,",
        "Source,CH1,",
        "Vertical Units,V,",
        "Vertical Scale,5.000000e-01,",
        "Vertical Offset,0.000000e+00,",
        "Horizontal Units,s,",
        "Horizontal Scale,2.5e-03,",
        "Pt Fmt,Y,",
        "Yzero,0.000000e+00,",
        "Probe Atten,1.0e+00,",
        "Model Number,TDS2014,",
        "Serial Number,C012345,",
        "Firmware Version,FV:v8.12,",
    ];
    let body = rows(|i| {
        let beside = settings.get(i).unwrap_or(&",,");
        format!("{beside},{:.9}, {:.5},", -0.02 + 5e-4 * i as f64, wave(i))
    });
    check(&read(&body).unwrap(), &[("CH1", Some("V"))], (-0.02, 5e-4), 1e-5);
}

#[test]
fn settings_above_the_samples_of_oscilloscopes() {
    let body = rows(|i| format!("{:.9},{:.5},2.0", -0.02 + 5e-4 * i as f64, wave(i)));
    let siglent = |settings: &str, names: &str| {
        format!(
            "Record Length,Analog:80\nSample Interval,Analog:5.00E-04\n{settings}Model Number,SDS1104X-E\n\
             {names}\n{body}"
        )
    };
    let tek = "Model,MSO54\nFirmware Version,1.28\n\nWaveform Type,ANALOG,\nPoint Format,Y,\nHorizontal Units,s,\n\
        Sample Interval,5e-4,\nRecord Length,80,\nProbe Attenuation,1,10\nVertical Units,V,A\nVertical Scale,1,1\n,,\n\
        Label,,\nTIME,CH1,CH3\n";
    let scales = "Vertical Scale,CH2:1.00,CH4:0.5\n";
    let units = "Vertical Units,CH2:V,CH4:A\nHorizontal Units,s\n";
    for (text, channels) in [
        (format!("{tek}{body}"), ["CH1", "CH3"]),
        (siglent(&format!("{units}{scales}"), "Source,CH2,CH4\nSecond,Volt,Ampere"), ["CH2", "CH4"]),
        (siglent(&format!("{units}{scales}"), "Second,Value,Value"), ["CH2", "CH4"]),
        (siglent(scales, "Second,Volt,Ampere"), ["CH2", "CH4"]),
        (siglent("Vertical Scale,1,1\n", "Second,Volt,Ampere"), ["CH1", "CH2"]),
    ] {
        let record = read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        check(&record, &[(channels[0], Some("V")), (channels[1], Some("A"))], (-0.02, 5e-4), 1e-5);
    }
}

fn lvm(columns: &str, sign: char, multi: &str) -> String {
    let head = format!(
        "LabVIEW Measurement\t\nWriter_Version\t2\nReader_Version\t2\nSeparator\tTab\n\
         Decimal_Separator\t{sign}\nMulti_Headings\t{multi}\nX_Columns\t{columns}\nTime_Pref\tRelative\nOperator\tme\n\
         Date\t2024/05/02\nTime\t10:20:30{sign}5\n***End_of_Header***\t\n\t\n"
    );
    head.replace('\n', "\r\n")
}

fn segment(cells: &str, start: f64, seconds: &str, sign: char, body: &str) -> String {
    // cells of pairs stand above the times
    let of = |key: &str, a: &str, b: &str| format!("{key}\t{a}{cells}\t{b}{cells}\n");
    let begin = format!("{start:.6E}").replace('.', &sign.to_string());
    let (time, interval) = (format!("10:20:{seconds}"), format!("0{sign}000500"));
    let head = format!("Channels\t2{cells}\t{cells}\n")
        + &of("Samples", "40", "40")
        + &of("Date", "2024/05/02", "2024/05/02")
        + &of("Time", &time, &time)
        + &of("Y_Unit_Label", "N", "m/s^2")
        + &of("X_Dimension", "Time", "Time")
        + &of("X0", &begin, &begin)
        + &of("Delta_X", &interval, &interval)
        + "***End_of_Header***\t\t\t\n";
    (head + body).replace('\n', "\r\n")
}

#[test]
fn measurement_files_of_labview() {
    let channels = [("force", Some("N")), ("acc", Some("m/s^2"))];
    for sign in ['.', ','] {
        let number = |value: f64| format!("{value:.6}").replace('.', &sign.to_string());
        let of_row = |columns: &str, i: usize, time: f64| {
            let (x, a, b) = (number(time), number(wave(i)), number(2.0));
            match columns {
                "One" => format!("{x}\t{a}\t{b}{}", if i == 0 { "\tstart" } else { "" }),
                "No" => format!("\t{a}\t{b}"),
                _ => format!("{x}\t{a}\t{x}\t{b}"),
            }
        };
        for columns in ["One", "No", "Multi"] {
            let names = if columns == "Multi" {
                "X_Value\tforce\tX_Value\tacc\tComment\n"
            } else {
                "X_Value\tforce\tacc\tComment\n"
            };
            let empty = if columns == "Multi" { "\t" } else { "" };
            let part = |from: usize, begin: f64| -> String {
                (from..from + 40).map(|i| of_row(columns, i, begin + 5e-4 * (i - from) as f64) + "\n").collect()
            };
            // two segments, of which the second one goes on, or begins at 0 later
            for (second, seconds) in [(0.02, format!("30{sign}5")), (0.0, format!("30{sign}52"))] {
                let text = lvm(columns, sign, "Yes")
                    + &segment(empty, 0.0, &format!("30{sign}5"), sign, &(names.to_owned() + &part(0, 0.0)))
                    + "\r\n"
                    + &segment(empty, second, &seconds, sign, &(names.to_owned() + &part(40, second)));
                if columns == "Multi" && second == 0.0 {
                    assert!(matches!(read(&text), Err(RecordError::Anew { .. })), "{sign}");
                    continue;
                }
                // headers that do not say when a segment begins
                let undated: String =
                    text.lines().filter(|line| !line.starts_with("Time\t")).map(|line| format!("{line}\n")).collect();
                match second {
                    0.0 => {
                        let error = read(&undated).unwrap_err();
                        let of_second =
                            undated.lines().enumerate().filter(|(_, line)| line.starts_with("X_Value")).nth(1);
                        let wanted = of_second.unwrap().0 as u64 + 1;
                        assert!(
                            matches!(error, RecordError::Anew { line, .. } if line == wanted),
                            "{columns}: {error}"
                        );
                    }
                    _ => check(&read(&undated).unwrap(), &channels, (0.0, 5e-4), 1e-6),
                }
                let record = read(&text).unwrap_or_else(|error| panic!("{columns} {sign}: {error}"));
                check(&record, &channels, (0.0, 5e-4), 1e-6);
            }
            // without headers of segments there are neither units nor intervals
            if columns == "One" {
                let body: String = (0..80).map(|i| of_row(columns, i, 5e-4 * i as f64) + "\r\n").collect();
                let record = read(&(lvm(columns, sign, "No") + &names.replace('\n', "\r\n") + &body)).unwrap();
                check(&record, &[("force", None), ("acc", None)], (0.0, 5e-4), 1e-6);
            }
        }
    }
    // channels with clocks of their own
    let rows: String = (0..40)
        .map(|i| {
            let slow = if i % 2 == 0 { format!("{:.4}\t{}", 2e-3 * f64::from(i / 2), i) } else { "\t".to_owned() };
            format!("{:.4}\t{i}\t{slow}\n", 1e-3 * f64::from(i))
        })
        .collect();
    let packed = rows.lines().filter(|line| !line.ends_with("\t\t")).count();
    assert_eq!(packed, 20);
    let text = lvm("Multi", '.', "Yes")
        + &segment("\t", 0.0, "30.5", '.', &("X_Value\tfast\tX_Value\tslow\tComment\n".to_owned() + &rows));
    let record = read(&text).unwrap();
    assert_eq!((record.sampling("fast").unwrap().samples, record.sampling("slow").unwrap().samples), (40, 20));
    assert_eq!(record.sampling("slow").unwrap().interval, Some(2e-3));
}

#[test]
fn channels_of_labview_have_starts_and_intervals_of_their_own() {
    for seed in 0..20_u32 {
        let sign = if seed % 2 == 0 { '.' } else { ',' };
        let number = |value: f64| format!("{value:.6}").replace('.', &sign.to_string());
        let (starts, ratio) = ([0.01 * f64::from(seed % 5), 0.03 * f64::from(seed % 3)], 1 + seed % 4);
        let intervals = [5e-4, 5e-4 * f64::from(ratio)];
        let pair = |values: [f64; 2]| values.map(number).join("\t");
        let head = format!(
            "Channels\t2\nSamples\t40\t40\nY_Unit_Label\tN\tm/s^2\nX0\t{}\nDelta_X\t{}\n***End_of_Header***\n",
            pair(starts),
            pair(intervals)
        );
        let body: String = (0..40).map(|i| format!("\t{}\t{}\n", number(wave(i)), number(wave(i + 7)))).collect();
        let record = read(&(lvm("No", sign, "Yes") + &head + "X_Value\tforce\tacc\tComment\n" + &body)).unwrap();
        for (place, name) in ["force", "acc"].into_iter().enumerate() {
            let samples = record.samples(name).unwrap();
            assert_eq!(samples.times.len(), 40, "{seed} {name}");
            for (i, (time, value)) in samples.times.iter().zip(samples.values.iter()).enumerate() {
                assert!((time - (starts[place] + i as f64 * intervals[place])).abs() < 1e-12, "{seed} {name}");
                assert!((value - wave(i + 7 * place)).abs() < 1e-6, "{seed} {name}");
            }
        }
        assert_eq!(record.channel("acc").unwrap().unit(), Some("m/s^2"));
    }
}

#[test]
fn sections_with_frames() {
    let trajectories: String = (0..80).map(|i| format!("{},0,{:.6},2,3\n", i + 1, wave(i))).collect();
    let head = "Trajectories\n100\n,,Bench:LASI,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n";
    let record = read(&format!("{head}{trajectories}")).unwrap();
    let names = [("LASI.X", Some("mm")), ("LASI.Y", Some("mm")), ("LASI.Z", Some("mm"))];
    check(&record, &names, (0.0, 0.01), 1e-6);
    let devices: String = (0..800).map(|i| format!("{},{},{i}\n", i / 10 + 1, i % 10)).collect();
    let both = format!("Devices\n1000\n,,Plate - Force\nFrame,Sub Frame,Fx\n,,N\n{devices}\n{head}{trajectories}");
    let record = read(&both).unwrap();
    assert_eq!((record.times().len(), record.interval()), (800, Some(1e-3)));
    assert_eq!(record.sampling("LASI.X").unwrap().interval, Some(0.01));
    assert_eq!(record.channel("LASI.X").unwrap().values()[50], (wave(5) * 1e6).round() / 1e6);
    assert_eq!(record.channel("Plate - Force.Fx").unwrap().unit(), Some("N"));
}

#[test]
fn tables_below_the_words_of_a_program() {
    let body = |separator: &str, scale: f64| {
        rows(|i| format!("{:.4}{separator}{:.6}{separator}2.5", scale * 5e-4 * i as f64, wave(i)))
    };
    let pico = format!("Time,Channel A,Channel B\n(ms),(V),(mV)\n\n{}", body(",", 1e3));
    check(&read(&pico).unwrap(), &[("Channel A", Some("V")), ("Channel B", Some("mV"))], (0.0, 5e-4), 1e-6);
    let dewesoft = format!(
        "File name: run_0001.dxd\nSample rate: 2000 Hz\nStart time: 02.05.2024 10:20:30\n\nTime (s)\tAI 1 (N)\tAI 2 \
             (m/s2)\n{}",
        body("\t", 1.0)
    );
    check(&read(&dewesoft).unwrap(), &[("AI 1", Some("N")), ("AI 2", Some("m/s2"))], (0.0, 5e-4), 1e-6);
    let catman = format!(
        "HBM_CATMAN_DATAFILE_40\nC:\\bench\\run.bin\nTest rig\n\nTime  1 - default sample rate\tMGC_1 CH=1\tMGC_1 \
             CH=2\ns\tkN\tmm\n{}",
        body("\t", 1.0)
    );
    check(&read(&catman).unwrap(), &[("MGC_1 CH=1", Some("kN")), ("MGC_1 CH=2", Some("mm"))], (0.0, 5e-4), 1e-6);
}

#[test]
fn decimal_commas() {
    let line =
        |i: usize| format!("00:00:{:02},{:03};{}", i / 2, 500 * (i % 2), format!("{:.3}", wave(i)).replace('.', ","));
    let record = read(&format!("Zeit;Kraft [N]\n{}", rows(line))).unwrap();
    check(&record, &[("Kraft", Some("N"))], (0.0, 0.5), 6e-4);
    // the numbers of the first lines alone would not show it
    let few = read("Zeit;Kraft [N]\n00:00:00,000;1,000\n00:00:00,500;1,250\n00:00:01,000;1,125\n").unwrap();
    assert_eq!(few.channels()[0].values(), [1.0, 1.25, 1.125]);
    let point = read("Zeit;Kraft [N]\n00:00:00.000;1.000\n00:00:00.500;1.250\n00:00:01.000;1.125\n").unwrap();
    assert_eq!(point.channels()[0].values(), [1.0, 1.25, 1.125]);
    // and between commas nothing shows it
    for above in ["", "# bench\nMotor;1\n\n"] {
        let text = format!(
            "{above}time,a,b,speed,torque\nms,g,g,1/min,Nm\n{}",
            rows(|i| format!("{i},0,1,5,-0,25,1500,0,12,{i}"))
        );
        let error = read(&text).unwrap_err();
        assert!(matches!(error, RecordError::DecimalCommas { cells: 10, names: 5, .. }), "{error}");
    }
}

#[test]
fn a_file_that_ends_within_its_last_line() {
    let body = rows(|i| format!("{:.4},{:.4},{:.4}", 5e-4 * i as f64, wave(i), wave(i + 7)));
    let text = format!("time,x,y\n{body}");
    let doubts = |text: &str| read(text).unwrap().doubts().to_vec();
    assert_eq!((doubts(&text), doubts(text.trim_end())), (vec![], vec![]));
    for cut in 2..5 {
        let doubts = doubts(&text[..text.len() - cut]);
        assert!(
            matches!(&doubts[..], [Doubt::Cut { line: 81, column: Some(column) }] if column == "y"),
            "{cut}: {doubts:?}"
        );
    }
    for cut in 9..20 {
        let (short, record) = (&text[..text.len() - cut], read(&text[..text.len() - cut]).unwrap());
        let is_whole = short.ends_with('\n');
        assert_eq!(record.times().len(), 79, "{cut}");
        assert_eq!(record.doubts().len(), usize::from(!is_whole), "{cut}: {:?}", record.doubts());
    }
    let exponent = "time,x\n0,1.5e-3\n1,2.5e-3\n2,3.5e";
    assert_eq!(read(exponent).unwrap().times(), [0.0, 1.0]);
    assert!(read("time,x\n0,1.5\n1,abc").is_err());
    // a time in the last column
    let body = rows(|i| format!("{:.4},{:.4}", wave(i), 5e-4 * i as f64));
    let text = format!("x,time\n{body}");
    for cut in 2..6 {
        let record = read(&text[..text.len() - cut]).unwrap();
        assert_eq!((record.times().len(), record.doubts().len()), (79, 1), "{cut}");
    }
    // numbers of any length
    assert_eq!(doubts("time,x\n0,1.5\n1,0.25\n2,3"), []);
}

#[test]
fn clocks_that_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let untimed = write("untimed.csv", &format!("force [N],fs [Hz]\n{}", rows(|i| format!("{:.6},2000", wave(i)))));
    let channels = [("force", Some("N")), ("fs", Some("Hz"))];
    for record in [
        Record::reader().rate(2000.0).open(&untimed).unwrap().record().unwrap(),
        Record::reader().every(5e-4).open(&untimed).unwrap().record().unwrap(),
        Record::reader().rate_of("fs").open(&untimed).unwrap().record().unwrap(),
    ] {
        check(&record, &channels, (0.0, 5e-4), 1e-6);
    }
    let untimed = costate_measure::record::Recording::open(&untimed).unwrap();
    let error = untimed.record().unwrap_err().to_string();
    assert!(error.contains("does not say the times of") && error.contains("(`fs` is 2000)"), "{error}");
    // a column with another name, and one next to a time that is no number
    let clock = write("clock.csv", &format!("clock,x\n{}", rows(|i| format!("{:.4},{:.6}", 5e-4 * i as f64, wave(i)))));
    for record in [
        Record::reader().time_column("clock").open(&clock).unwrap().record().unwrap(),
        Record::reader().time_column("1").read(&clock).unwrap(),
    ] {
        check(&record, &[("x", None)], (0.0, 5e-4), 1e-6);
    }
    let two =
        write("two.csv", &format!("time,clock,x\n{}", rows(|i| format!("{i},{:.1},{:.6}", 0.5 * i as f64, wave(i)))));
    let record = Record::reader().time_column("clock").time_unit("ms").open(&two).unwrap().record().unwrap();
    check(&record, &[("x", None)], (0.0, 5e-4), 1e-6);
    // one value a line, without names
    let bare = write("bare.txt", &rows(|i| format!("{:.6}", wave(i))));
    let record = Record::reader().rate(2000.0).open(&bare).unwrap().record().unwrap();
    check(&record, &[("1", None)], (0.0, 5e-4), 1e-6);
    assert_eq!(record.taken().unwrap().time, Clocked::Rate { rate: 2000.0 });
    let part = Record::reader().rate(2000.0).part(0.01, 0.02).open(&bare).unwrap().record().unwrap();
    assert_eq!((part.times()[0], part.times().len()), (0.01, 21));
    // a rate in place of times that are wrong
    let record = Record::reader().rate(2000.0).open(&two).unwrap().channels("x").record().unwrap();
    check(&record, &[("x", None)], (0.0, 5e-4), 1e-6);
}

/// A measurement of LabVIEW whose copy was interrupted: within the last number, or before it.
#[test]
fn a_cut_measurement_of_labview_is_doubted() {
    let head = lvm("One", '.', "No") + "Channels\t2\t\nSamples\t80\t80\t\n***End_of_Header***\t\t\n";
    let body = rows(|i| format!("{:.6}\t{:.6}\t{:.6}", 5e-4 * i as f64, wave(i), wave(i + 7)));
    let text = head + "X_Value\tforce\tacc\tComment\n" + &body;
    assert!(read(&text).unwrap().doubts().is_empty());
    assert!(read(text.trim_end()).unwrap().doubts().is_empty());
    for cut in 2..5 {
        let doubts = read(&text[..text.len() - cut]).unwrap().doubts().to_vec();
        assert!(
            matches!(&doubts[..], [Doubt::Cut { column: Some(column), .. }] if column == "acc"),
            "{cut}: {doubts:?}"
        );
    }
    for cut in 11..16 {
        let record = read(&text[..text.len() - cut]).unwrap();
        assert_eq!(record.times().len(), 79, "{cut}");
        assert!(matches!(record.doubts(), [Doubt::Cut { column: None, .. }]), "{cut}: {:?}", record.doubts());
    }
}

/// Files that end between two lines, of which the header says how many there are.
#[test]
fn fewer_samples_than_the_header_states_are_said() {
    let row = |i: usize| format!("{:.6}\t{:.6}\t{:.6}\n", 5e-4 * i as f64, wave(i), wave(i + 7));
    let segment = |rows: usize| {
        let head = "Channels\t2\t\nSamples\t80\t80\t\n***End_of_Header***\t\t\nX_Value\tforce\tacc\tComment\n";
        head.to_owned() + &(0..rows).map(row).collect::<String>()
    };
    let comma = |rows: usize| (0..rows).map(|i| row(i).replace('\t', ",")).collect::<String>();
    let beside = |rows: usize| {
        let line = |i: usize| format!("{},{}", if i == 0 { "Record Length,8.0e+01," } else { ",," }, row(i));
        (0..rows).map(|i| line(i).replace('\t', ",").replacen(&format!(",{:.6}\n", wave(i + 7)), "\n", 1)).collect()
    };
    let of = |rows: usize| -> [(usize, String); 5] {
        [
            (80, lvm("One", '.', "No") + &segment(rows)),
            (160, lvm("One", '.', "Yes") + &segment(80) + "\n" + &segment(rows).replace("\n0.", "\n1.")),
            (80, "Bench,3\nRecord Length,80\ntime [s],force,acc\n".to_owned() + &comma(rows)),
            (80, "# samples = 80\n# bench 3\ntime [s],force,acc\n".to_owned() + &comma(rows)),
            (80, beside(rows)),
        ]
    };
    for (stated, text) in of(80) {
        assert_eq!(read(&text).unwrap().doubts(), [], "{stated}: {text}");
    }
    for rows in 60..80 {
        for (stated, text) in of(rows) {
            let samples = stated + rows - 80;
            assert_eq!(read(&text).unwrap().doubts(), [Doubt::Fewer { samples, stated }], "{text}");
        }
    }
    // the number of all channels together, and one that is exceeded
    for other in ["Samples: 160", "Samples: 40", "Samples per second: 200"] {
        let text = format!("{other}\ntime [s],force,acc\n{}", comma(80));
        assert_eq!(read(&text).unwrap().doubts(), [], "{other}");
    }
}
