//! Tests of reading records: options, clocks, doubts, and messages in words of the command.

use std::fs;
use std::path::Path;

use super::support::{Said, costate};

/// An oscillator, c/m = 100 1/s^2, and its free motion.
const MODEL: &str = "pub Free {
    parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 0.5 }
    coordinates { q: m }
    mass { q: m }
    forces { q: -c*q - d*dot(q) }
    initial { q = 0.1[m] }
    outputs { x: m = q }
}
";

/// The motion of the model.
fn motion(t: f64) -> f64 {
    let omega = (100.0_f64 - 0.0625).sqrt();
    0.1 * (-0.25 * t).exp() * ((omega * t).cos() + 0.25 / omega * (omega * t).sin())
}

fn table(heading: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    heading.to_owned() + &(0..count).map(|i| line(i) + "\n").collect::<String>()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("free.model", MODEL.to_owned());
    write(
        "rounded.csv",
        table("time [s],x [m]\n", 3000, |i| format!("{:.4},{:.9}", i as f64 / 3004.8, motion(i as f64 / 3004.8))),
    );
    write("untimed.csv", table("x [m]\n", 400, |i| format!("{:.9}", motion(i as f64 / 610.35))));
    write("bare.txt", table("", 400, |i| format!("{:.9}", motion(i as f64 / 610.35))));
    write("ms.csv", table("time,x [m]\n", 400, |i| format!("{},{:.9}", 5 * i, motion(5e-3 * i as f64))));
    let comma = |value: f64| format!("{value:.9}").replace('.', ",");
    write(
        "german.txt",
        table("Uhr;Weg;Status\n", 400, |i| {
            format!("{};{};n.a.", comma(1e-2 * i as f64), comma(motion(1e-2 * i as f64)))
        }),
    );
    folder
}

fn is_right(said: &Said, parts: &[&str]) {
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    let all = format!("{}{}", said.stdout, said.stderr);
    assert!(parts.iter().all(|part| all.contains(part)), "{parts:?} in {all}");
}

/// Checks that a command is done, that a file makes its result doubtful, and that its answer has these parts.
#[track_caller]
fn is_doubtful(said: &Said, parts: &[&str]) {
    let all = format!("{}{}", said.stdout, said.stderr);
    assert!(said.code == Some(3) && all.contains("doubtful: "), "{all}");
    assert!(parts.iter().all(|part| all.contains(part)), "{parts:?} in {all}");
}

/// The stiffness that a fit has found.
fn stiffness(said: &Said) -> f64 {
    assert!(said.code == Some(0) || said.code == Some(3), "{}{}", said.stdout, said.stderr);
    let json = said.json();
    let fitted = json["fit"]["parameters"].as_array().unwrap();
    assert_eq!(fitted[0]["name"], "c");
    fitted[0]["found"].as_f64().unwrap()
}

#[test]
fn rounded_stamps_are_one_clock_in_all_commands() {
    let folder = folder();
    let run = |call: &str| costate(folder.path(), call);
    is_right(&run("records rounded.csv --no-plots"), &["3004.8 Hz", "have no digits below 0.0001 s"]);
    is_right(&run("spectra rounded.csv --density x"), &["x in (m)^2/Hz", "note: `rounded.csv`"]);
    is_right(&run("compare free.model --record rounded.csv"), &["note: `rounded.csv`", "100.00"]);
    let found = stiffness(&run("fit free.model --record rounded.csv --unknown c --parameter c=90 --json"));
    assert!((found - 100.0).abs() < 0.05, "{found}");
    // records without noise, which `--noise` is too large for
    is_doubtful(&run("filter free.model --record rounded.csv --follow c --noise x=1e-5"), &["c", "is too large"]);
    let said = run("records rounded.csv --json");
    let rate = 1.0 / said.json()["records"][0]["interval"].as_f64().unwrap();
    assert!((rate - 3004.8).abs() < 0.01, "{rate}");
}

#[test]
fn options_of_records_hold_for_every_command() {
    let folder = folder();
    let run = |call: &str| costate(folder.path(), call);
    for clock in ["--rate 610.35", "--every 1.638403e-3"] {
        let with = |call: &str| run(&format!("{call} {clock}"));
        is_right(&with("records untimed.csv --no-plots"), &["400 values from 0 to 0.653723 s, 610.35 Hz"]);
        is_right(&with("convert untimed.csv out.csv"), &["1 channel of 400 values"]);
        is_right(&with("spectra untimed.csv --density x"), &["x in (m)^2/Hz"]);
        is_right(&with("compare free.model --record untimed.csv"), &["99.9"]);
        is_right(&with("records bare.txt --no-plots"), &["610.35 Hz"]);
        is_right(&with("compare free.model --record bare.txt --measured x=1"), &["99.9"]);
        let found = stiffness(&with("fit free.model --record untimed.csv --unknown c --parameter c=90 --json"));
        assert!((found - 100.0).abs() < 0.05, "{found}");
        is_doubtful(&with("filter free.model --record untimed.csv --follow c --noise x=1e-5"), &["c", "is too large"]);
    }
    let german = "--time Uhr --decimal comma --separator semicolon --missing n.a. --ignore Status";
    let with = |call: &str| run(&format!("{call} {german}"));
    is_right(&with("records german.txt --no-plots"), &["100 Hz"]);
    is_right(&with("compare free.model --record german.txt --measured x=Weg"), &["98."]);
    is_right(&with("run free.model --until 0.1"), &["x"]);
    let names = "--no-heading --names time,x,state --ignore state --skip-lines 1";
    is_right(&run(&format!("compare free.model --record german.txt {names}")), &["98."]);
    // and in a campaign
    for (file, reading) in [
        ("untimed.csv", "rate = 610.35"),
        ("untimed.csv", "every = \"1.638403[ms]\""),
        (
            "german.txt",
            "names = [\"time\", \"x\", \"state\"]\nno_heading = true\nskip_lines = 1\nignore = \"state\"\ndecimal \
                 = \"comma\"",
        ),
        ("ms.csv", "time_unit = \"ms\""),
    ] {
        let rest = "[parameters]\nc = 90.0\n[unknowns.c]\n";
        let common = format!(
            "[model]\nfile = \"free.model\"\n[reading]\n{reading}\n[[experiment]]\nrecord = \"{file}\"\n{rest}"
        );
        let own = format!(
            "[model]\nfile = \"free.model\"\n[[experiment]]\nrecord \
                 = \"{file}\"\n[experiment.reading]\n{reading}\n{rest}"
        );
        for text in [common, own] {
            fs::write(folder.path().join("campaign.toml"), text).unwrap();
            let found = stiffness(&run("fit campaign.toml --json"));
            assert!((found - 100.0).abs() < 1.0, "{file} {reading}: {found}");
        }
    }
    fs::write(
        folder.path().join("campaign.toml"),
        "[model]\nfile = \"free.model\"\n[reading]\ndecimals = \"comma\"\n[[experiment]]\nrecord \
             = \"ms.csv\"\n[unknowns.c]\n",
    )
    .unwrap();
    let said = run("fit campaign.toml");
    assert!(said.stderr.contains("`decimals`") && said.stderr.contains("decimal"), "{}", said.stderr);
    let said = run("fit campaign.toml --rate 5");
    assert!(!said.success && said.stderr.contains("`--rate` cannot stand beside the campaign"), "{}", said.stderr);
}

#[test]
fn doubts_about_times_stand_beside_every_result() {
    let folder = folder();
    let run = |call: &str| costate(folder.path(), call);
    let doubt = "so that a sample follows every 5 s for 1995 s; set `--time-unit` to `ms` if it is in ms, or to `s` if \
                 this is right";
    is_doubtful(&run("records ms.csv --no-plots"), &[doubt]);
    is_doubtful(&run("convert ms.csv out.csv"), &[doubt]);
    is_doubtful(&run("spectra ms.csv --density x"), &[doubt]);
    for arguments in [
        "compare free.model --record ms.csv --step 0.05",
        "fit free.model --record ms.csv --unknown c --step 0.05",
        "filter free.model --record ms.csv --follow c --noise x=1e-5",
    ] {
        let said = run(arguments);
        assert!(said.stderr.contains(doubt), "{arguments:?}: {}", said.stderr);
    }
    let said = run("convert ms.csv out.csv --json");
    assert!(said.json()["record_doubts"][0].as_str().unwrap().contains(doubt));
    let said = run("compare free.model --record ms.csv --time-unit ms");
    assert!(said.success && !said.stderr.contains("doubtful"), "{}", said.stderr);
    is_right(&run("records ms.csv --no-plots --time-unit s"), &["every 5 s"]);
    assert!(!run("records ms.csv --no-plots --time-unit s").stdout.contains("doubtful"));
}

/// Times in ms without a unit at 2 to 10 kHz: samples every 0.5 to 0.1 of a number. A period of 0.63 s then seems to
/// have 1.3 to 6.3 samples; a record of seconds with the same heading has enough of them.
#[test]
fn fast_records_in_ms_are_doubted_by_the_motion_of_the_model_and_by_their_heading() {
    let folder = folder();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let run = |call: &str| costate(folder.path(), call);
    for rate in [2, 4, 5, 10] {
        let row = |i: usize| format!("{},{:.9}", i as f64 / f64::from(rate), motion(1e-3 * i as f64 / f64::from(rate)));
        write("fast.csv", table("time,x [m]\n", 4000, row));
        is_doubtful(
            &run("compare free.model --record fast.csv"),
            &["far too seldom for this motion", "set `--time-unit` to `ms`"],
        );
        let said = run("compare free.model --record fast.csv --time-unit ms");
        assert!(said.success && !said.stderr.contains("doubtful"), "{}", said.stderr);
        for stated in [format!("Rate: {rate} kHz"), format!("Abtastrate;{rate}000Hz")] {
            write("stated.csv", table(&format!("Bench 3\n{stated}\ntime,x [m]\n"), 4000, row));
            let doubt = format!("a line above them states a rate of {rate}000 Hz");
            is_doubtful(&run("records stated.csv --no-plots"), &[&doubt]);
            is_right(&run("records stated.csv --no-plots --time-unit ms"), &["every "]);
        }
    }
    write(
        "slow.csv",
        table("Rate: 20 Hz\ntime,x [m]\n", 400, |i| format!("{},{:.9}", 0.05 * i as f64, motion(0.05 * i as f64))),
    );
    let said = run("compare free.model --record slow.csv --step 1e-3");
    assert!(said.success && !said.stderr.contains("doubtful"), "{}", said.stderr);
    is_right(&run("records slow.csv --no-plots"), &["every 0.05 s"]);
}

/// Files of a device that was triggered: samples from 1 s before the motion begins.
#[test]
fn samples_before_the_run_are_left_out_with_a_word() {
    let folder = folder();
    let moved = |i: usize| if i < 200 { 0.1 } else { motion(5e-3 * (i - 200) as f64) };
    let text = table("time [s],x [m]\n", 1000, |i| format!("{:.3},{:.9}", 5e-3 * i as f64 - 1.0, moved(i)));
    fs::write(folder.path().join("early.csv"), text).unwrap();
    let run = |call: &str| costate(folder.path(), call);
    let word = "200 samples before 0 s, where the run begins, are left out; set `--counting-from` to the time of the \
                first sample if the run begins with it";
    is_right(&run("compare free.model --record early.csv"), &[word, " 800 ", "99.6"]);
    let said = run("fit free.model --record early.csv --unknown c -p c=95 --json");
    assert!((stiffness(&said) - 100.0).abs() < 0.1 && said.stderr.contains(word), "{}", said.stderr);
    let said = run("filter free.model --record early.csv --noise x=1e-5");
    assert!(said.stderr.contains(word), "{}", said.stderr);
    // all samples are compared, and do not move at first
    let said = run("compare free.model --record early.csv --counting-from -1");
    assert!(said.success && !said.stderr.contains("left out"), "{}", said.stderr);
    assert!(said.stdout.contains(" 1000 "), "{}", said.stdout);
    // numbers below 0 are values, which the option judges
    for option in ["--until", "--step", "--tolerance"] {
        run(&format!("run free.model {option} -1")).refuses(2, "write a number above 0");
    }
}

/// A model that an input drives, and its record from 12 s on, with and without units.
fn driven_folder() -> tempfile::TempDir {
    let folder = folder();
    let model = MODEL.replace("Free", "Driven").replace("coordinates", "inputs { push: N }\n    coordinates");
    let model = model.replace("q: -c*q", "q: push - c*q").replace("q = 0.1[m]", "q = 0[m]");
    fs::write(folder.path().join("driven.model"), model).unwrap();
    let drive = |time: f64| 20.0 * (7.0 * time).sin();
    let said = costate(folder.path(), "run driven.model --until 4 --step 0.005 -i push=20*sin(7*t) -o run.csv");
    assert!(said.success, "{}", said.stderr);
    let text = fs::read_to_string(folder.path().join("run.csv")).unwrap();
    let rows: Vec<(f64, &str)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(time, x)| (time.parse().unwrap(), x))
        .collect();
    for (name, heading, begin) in
        [("late.csv", "time [s],x [m],push [N]\n", 12.0), ("bare.csv", "time [s],x,push\n", 0.0)]
    {
        let line = |i: usize| format!("{:.3},{},{:.9}", rows[i].0 + begin, rows[i].1, drive(rows[i].0));
        fs::write(folder.path().join(name), table(heading, rows.len(), line)).unwrap();
    }
    folder
}

#[test]
fn a_run_begins_with_the_late_record_of_its_input() {
    let folder = driven_folder();
    let run = |call: &str| costate(folder.path(), call);
    let said = run("filter driven.model --record late.csv --noise x=1e-4");
    is_doubtful(&said, &["0 s of the run is 12 s of the record, its first sample", "is too large"]);
    let late = "run driven.model --until 4 --step 0.005 -i push=late.csv:push";
    run(late).refuses(1, "or set `--counting-from` to the time of its first sample if the run begins with that");
    is_right(&run(&format!("{late} --counting-from 12")), &["x"]);
}

#[test]
fn channels_without_a_unit_are_named() {
    let folder = driven_folder();
    let run = |call: &str| costate(folder.path(), call);
    let both = ["without a unit, taken in the model's: ", "`x` of `bare.csv` in m", "`push` of `bare.csv` in N"];
    is_right(&run("compare driven.model --record bare.csv"), &both);
    is_doubtful(&run("filter driven.model --record bare.csv --noise x=1e-4"), &both);
    is_right(&run("run driven.model --until 1 --step 0.005 -i push=bare.csv:push"), &[both[0], both[2]]);
    let said = run("compare driven.model --record late.csv --json");
    assert_eq!(said.json()["assumed_units"].as_array().map(Vec::len), Some(0), "{}", said.stdout);
    let said = run("compare driven.model --record bare.csv --json");
    assert_eq!(said.json()["assumed_units"].as_array().map(Vec::len), Some(2), "{}", said.stdout);
}

#[test]
fn what_does_not_fit_a_record_is_refused() {
    let folder = driven_folder();
    let run = |call: &str| costate(folder.path(), call);
    let unknown = "`phi` is no channel of a measured output";
    run("fit driven.model --record bare.csv --unknown c --unwrap phi").refuses(1, unknown);
    run("filter driven.model --record bare.csv --noise x=1e-4 --unwrap phi").refuses(1, unknown);
    run("records bare.csv --part 3 1").refuses(1, "an earlier and a later time in s");
    run("records bare.csv --part -3 -1").refuses(1, "from 0 to 4 s");
    // a frequency without its unit
    let smooth = "run driven.model --until 1 --step 0.005 -i push=bare.csv:push --smooth";
    run(&format!("{smooth} push=8")).refuses(1, "at most the length of the record, 4 s");
    is_doubtful(&run(&format!("{smooth} push=3")), &["% of it off", "`8[Hz]`"]);
    let said = run(&format!("{smooth} push=8[Hz]"));
    assert!(said.success && !said.stderr.contains("doubtful"), "{}", said.stderr);
    // measured data are not replaced by a page or by code
    let content = fs::read(folder.path().join("bare.csv")).unwrap();
    for call in ["report driven.model -o", "compile driven.model -o", "fit --template driven.model -o"] {
        run(&format!("{call} bare.csv")).refuses(1, "has an ending that is no format here");
    }
    assert_eq!(fs::read(folder.path().join("bare.csv")).unwrap(), content);
    let response = "response driven.model --from push --to x --frequencies";
    run(&format!("{response} 1:200:5000000")).refuses(2, "the number of values is 5000000; write one from 2 to 100000");
    run(&format!("{response} 200:1")).refuses(2, "the range begins at 200 and ends at 1");
    run(&format!("{response} 0:200")).refuses(2, "the first frequency is 0 Hz");
    run("modes driven.model --over c=100:1:5").refuses(2, "the range begins at 100 and ends at 1");
}

/// Checks that a text names no call of Rust.
fn names_no_call(text: &str) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('.') {
        let word = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        assert!(word == 0 || bytes.get(at + 1 + word) != Some(&b'('), "{text}");
    }
    assert!(!text.contains("::"), "{text}");
}

#[test]
fn messages_about_records_name_options_of_the_command() {
    let folder = folder();
    let texts: [(&str, &str, &str); 22] = [
        ("time;x\n0;1,234\n1;2,345\n", "--decimal", ""),
        ("time;x\n0;1.234\n1;2.345\n", "--thousands", ""),
        ("time,x\n03/04/2024 10:00:00,1\n03/04/2024 10:00:01,2\n", "--dates", ""),
        ("t,Sensor (A),Sensor (V)\n0,1,2\n1,2,3\n", "--names", ""),
        ("zeit,timestamp,x\n0,5,2\n1,6,3\n", "--time", ""),
        ("a,x\n0,5\n1,6\n", "--rate", ""),
        ("0.5,5\n1.5,6\n", "--no-heading", ""),
        ("time,x,x\n0,1,2\n1,2,3\n", "--names", ""),
        (",time,x\n0,1,2\n1,2,3\n", "--ignore", ""),
        ("time,x\n0,n.a.\n1,2\n", "--missing", ""),
        ("time,x\n0,1\n0,2\n", "--rate", ""),
        ("time,x\n0,1\n1,2\n3,2\n4,1\n5,2\n6,1\n7,2\n8,1\n9,1\n", "--part", "spectra"),
        ("time,x\n0,1\n1,2\n2,\n3,1\n4,2\n5,1\n6,2\n7,1\n8,1\n9,1\n", "--part", "spectra"),
        ("time,x\n0,1\n1,2,3\n", "complete or remove", ""),
        ("time,x\n5,1\n1,2\n", "sort the samples", ""),
        ("", "is empty", ""),
        ("time,x\n", "no line with data", ""),
        ("time,a,b\nms,g,g\n0,5,0,2,1,7\n1,5,0,3,1,7\n2,5,0,4,1,7\n", "decimal commas", ""),
        ("0,5\n1,5\n2,25\n-3,75\n", "set `--decimal` to the comma", ""),
        ("time,x\n0,1\n1,abc\n", "--ignore", "compare"),
        ("time,y\n0,1\n1,2\n", "--measured", "compare"),
        ("time,x\n0,\u{0}1\n1,2\n", "NUL bytes", ""),
    ];
    for (text, remedy, command) in texts {
        fs::write(folder.path().join("a.csv"), text).unwrap();
        let arguments = match command {
            "spectra" => "spectra a.csv --density x",
            "compare" => "compare free.model --record a.csv",
            _ => "convert a.csv b.csv",
        };
        let said = costate(folder.path(), arguments);
        assert!(!said.success && said.stderr.contains(remedy), "{text}: {remedy} in {}", said.stderr);
        names_no_call(&said.stderr);
        let fit = "fit free.model --record a.csv --unknown c";
        names_no_call(&costate(folder.path(), fit).stderr.replace(".step(h) of the simulation", ""));
    }
    let said = costate(folder.path(), "records rounded.csv --rate=-1");
    assert!(!said.success && said.stderr.contains("`--rate` is -1"), "{}", said.stderr);
    assert!(Path::new(folder.path()).exists());
}

#[test]
fn variables_of_rates_and_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let listed = |name: &str, value: f64| {
        let data: Vec<f64> = (0..50).map(f64::from).collect();
        fs::write(folder.path().join("a.mat"), mat(&[("data", &data), (name, &[value])])).unwrap();
        costate(folder.path(), &["records", "a.mat", "--rate-of", name, "--no-plots"])
    };
    for (name, value, interval, is_doubtful) in [
        ("dt", 1e-3, "1000 Hz", false),
        ("Ts", 2e-3, "500 Hz", false),
        ("fs", 1000.0, "1000 Hz", false),
        ("SampleRate", 256.0, "256 Hz", false),
        ("sample_interval", 0.01, "100 Hz", false),
        // units at the end of the name
        ("dt_ms", 5.0, "200 Hz", false),
        ("dt_us", 50.0, "20000 Hz", false),
        ("dt_s", 0.005, "200 Hz", false),
        ("fs_kHz", 0.2, "200 Hz", false),
        ("rate_Hz", 200.0, "200 Hz", false),
        ("dt (ms)", 5.0, "200 Hz", false),
        ("fs [kHz]", 0.2, "200 Hz", false),
        // a rate that is called like an interval, and an interval that is called like nothing
        ("ts", 1000.0, "every 1000 s", true),
        ("q", 1e-3, "every 1000 s", true),
    ] {
        let said = listed(name, value);
        assert!(said.stdout.contains(interval), "{name}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.code, Some(if is_doubtful { 3 } else { 0 }), "{name}: {}", said.stdout);
        assert_eq!(said.stdout.contains("doubtful: "), is_doubtful, "{name}: {}", said.stdout);
    }
}

/// A MAT file of level 4 with these variables.
fn mat(variables: &[(&str, &[f64])]) -> Vec<u8> {
    let mut mat = Vec::new();
    for (name, values) in variables {
        let words = [0, values.len() as u32, 1, 0, name.len() as u32 + 1];
        words.iter().for_each(|word| mat.extend(word.to_le_bytes()));
        mat.extend(name.bytes().chain([0]));
        values.iter().for_each(|value| mat.extend(value.to_le_bytes()));
    }
    mat
}

/// A matrix of NumPy with times and two signals.
#[test]
fn columns_of_matrices_have_the_names_that_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (100, 3), }";
    bytes.extend(format!("{header:<117}\n").bytes());
    for i in 0..100 {
        let time = 5e-3 * f64::from(i);
        [time, (9.0 * time).sin(), motion(time)].iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    fs::write(folder.path().join("m.npy"), bytes).unwrap();
    fs::write(folder.path().join("free.model"), MODEL).unwrap();
    let run = |call: &str| costate(folder.path(), call);
    is_right(&run("records m.npy --no-plots --time m[:,0]"), &["100 values", "200 Hz", "m(:,2)"]);
    for time in ["m[:,0]", "m(:,0)", "1"] {
        for channel in ["m[:,2]", "m(:,2)"] {
            let compared = run(&format!("compare free.model --record m.npy --time {time} --measured x={channel}"));
            is_right(&compared, &["99."]);
            let fit = format!("fit free.model --record m.npy --time {time} --measured x={channel} --unknown c");
            assert!((stiffness(&run(&format!("{fit} --parameter c=90 --json"))) - 100.0).abs() < 0.5);
        }
    }
    let chosen = run("records m.npy --no-plots --rate 200 --channels m(:,1)");
    assert!(chosen.success && !chosen.stdout.contains("m(:,2)"), "{}", chosen.stdout);
    run("records m.npy --no-plots --time 4").refuses(1, "has no channel `4`");
}

#[test]
fn every_format_has_the_doubts_and_the_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let times: Vec<f64> = (0..100).map(|i| 5.0 * f64::from(i)).collect();
    let data: Vec<f64> = times.iter().map(|time| motion(1e-3 * time)).collect();
    fs::write(folder.path().join("free.model"), MODEL).unwrap();
    fs::write(folder.path().join("a.mat"), mat(&[("t", &times), ("x", &data)])).unwrap();
    let run = |call: &str| costate(folder.path(), call);
    let doubt = "so that a sample follows every 5 s for 495 s; set `--time-unit` to `ms` if it is in ms";
    is_doubtful(&run("records a.mat --no-plots"), &[doubt]);
    is_doubtful(&run("spectra a.mat --density x"), &[doubt]);
    let right = run("compare free.model --record a.mat --time-unit ms");
    is_right(&right, &["99."]);
    assert!(!right.stderr.contains("doubtful"), "{}", right.stderr);
    // in place of the times of the file
    let right = run("compare free.model --record a.mat --rate 200");
    is_right(&right, &["99."]);
    // jitter that no digit explains: 3e-8 s, and 5 % of an interval
    let clocks: [(f64, bool); 2] = [(3e-8, false), (2.5e-4, true)];
    for (jitter, is_said) in clocks {
        let times: Vec<f64> =
            (0..400).map(|i| 5e-3 * f64::from(i) + jitter * f64::from((i * i + 8) % 17 - 8) / 8.0).collect();
        let data: Vec<f64> = times.iter().map(|time| motion(*time)).collect();
        fs::write(folder.path().join("a.mat"), mat(&[("t", &times), ("x", &data)])).unwrap();
        let said = run("spectra a.mat --density x");
        is_right(&said, &["x: 17 lines"]);
        assert_eq!(said.stderr.contains("of an interval off an even clock"), is_said, "{}", said.stderr);
        let found = stiffness(&run("fit free.model --record a.mat --unknown c --parameter c=90 --json"));
        assert!((found - 100.0).abs() < 0.5, "{found}");
    }
}
