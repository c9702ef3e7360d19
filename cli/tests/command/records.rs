//! `costate records`, `costate convert` and `costate spectra`.

use std::fs;

use super::support::costate;

const TABLE: &str = "time [s],acc [m/s^2],force [N]\n0,1,5\n0.1,2,5\n0.2,3,5\n0.3,-1,\n0.4,3,2\n0.5,3,2\n0.6,3,2\n";

#[test]
fn channels_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), TABLE).unwrap();
    let said = costate(folder.path(), "records a.csv");
    assert!(said.success, "{}", said.stderr);
    for part in [
        "a.csv: CSV\n",
        "7 values from 0 to 0.6 s, 10 Hz, every 0.1 s",
        "channel  unit    rate  least  largest  missing  gaps  clipped\n",
        "UTF-8, cells between commas, decimal points, names in line 1, units in brackets\n",
        "acc      m/s^2  10 Hz     -1        3        -     -        -\n",
        "force    N      10 Hz      2        5        1     1        -\n",
        "\nacc\n",
    ] {
        assert!(said.stdout.contains(part), "{part} in {}", said.stdout);
    }
    let said = costate(folder.path(), "records a.csv --channels f* --no-plots --json");
    let json = said.json();
    assert_eq!(json["records"][0]["channels"].as_array().unwrap().len(), 1);
    assert_eq!(json["records"][0]["channels"][0]["missing"], 1);
    let said = costate(folder.path(), "records a.csv --channels x*");
    assert!(!said.success && said.stderr.contains("no channel `x*`; it has `acc`, `force`"), "{}", said.stderr);
}

/// A sweep with a dropout, and one with spikes; a fit says so of the channels that it uses.
#[test]
fn samples_that_are_no_measurements_are_doubtful() {
    let model = "Mass { parameters { m: kg = 2, c: N/m = 900, d: N*s/m = 8 } inputs { force: N } coordinates { x: m } \
         mass { x: m } forces { x: force - c*x - d*dot(x) } outputs { place: mm = x, other: mm = 2*x } }";
    let (dropped, spiked) = ("and jumps there and back, as a sensor does", "samples of `force` stand far beside");
    for seed in 0..20_u32 {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.model"), model).unwrap();
        let phase = |k: u32| 2.0 * 2e-3 * f64::from(k) * (3.0 + 2e-3 * f64::from(k));
        // a signal that is near 0 where it drops to 0 may come to rest
        let is_away = |k: u32| phase(k).sin().abs() > 0.3 && (phase(k) - 0.2).sin().abs() > 0.3;
        let first = (907 + 13 * seed..).find(|k| is_away(*k) && is_away(k + 53)).unwrap();
        let write = |name: &str, drop: &str, spikes: bool| {
            let mut text = String::from("time [s],force [N],place [mm],spare [mm]\n");
            for k in 0..2000_u32 {
                let t = 2e-3 * f64::from(k);
                let noise = |salt: f64| 0.02 * ((f64::from(k * 7919 + seed * 104_729) * salt).sin() * 4e3).fract();
                let is_off = |name: &str| name == drop && (first..first + 53).contains(&k);
                let spike = if spikes && [300, 901, 1507].contains(&k) { 200.0 } else { 0.0 };
                let force = if is_off("force") { 0.0 } else { 15.0 * phase(k).sin() + noise(1.1) + spike };
                let place = if is_off("place") { 0.0 } else { 17.0 * (phase(k) - 0.2).sin() + noise(2.3) };
                let spare = if is_off("spare") { 0.0 } else { place + 1.0 };
                text += &format!("{t:.4},{force},{place},{spare}\n");
            }
            fs::write(folder.path().join(name), text).unwrap();
        };
        let fit = "fit m.model --unknown c,d --step 2e-3 --record";
        write("ok.csv", "", false);
        let said = costate(folder.path(), "records ok.csv --no-plots");
        assert!(said.success, "{}", said.stdout);
        for (name, drop, spikes, said) in [
            ("a.csv", "force", false, dropped),
            ("b.csv", "place", false, dropped),
            ("c.csv", "spare", false, dropped),
            ("d.csv", "", true, spiked),
        ] {
            write(name, drop, spikes);
            costate(folder.path(), &format!("records {name} --no-plots")).prints(3, &["doubtful: ", said]);
            if seed % 10 > 0 {
                continue;
            }
            let fitted = costate(folder.path(), &format!("{fit} {name}"));
            assert_eq!(fitted.stderr.contains(said), drop != "spare", "{seed} {name}: {}", fitted.stderr);
        }
        for command in [fit, "compare m.model --record"].iter().skip(usize::from(seed % 10 > 0)) {
            let said = costate(folder.path(), &format!("{command} ok.csv"));
            let said = said.stdout + &said.stderr;
            assert!(!said.contains("and jumps there") && !said.contains("samples of `force` stand"), "{said}");
        }
    }
}

#[test]
fn channels_are_converted_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), TABLE).unwrap();
    let convert = |arguments: &[&str]| {
        let said = costate(folder.path(), &[&["convert"], arguments].concat());
        (said.success, said.stdout + &said.stderr)
    };
    assert_eq!(convert(&["a.csv", "b.uff"]), (true, "b.uff: 2 channels of 7 values\n".to_owned()));
    assert_eq!(convert(&["b.uff", "c.csv", "--channels", "acc"]), (true, "c.csv: 1 channel of 7 values\n".to_owned()));
    let again = fs::read_to_string(folder.path().join("c.csv")).unwrap();
    assert!(again.starts_with("time [s],acc [m/s^2]\n0.0,1.0\n0.1,2.0\n"), "{again}");
    let (success, said) = convert(&["a.csv", "b.xyz"]);
    assert!(!success && said.contains("end it with `.csv`, `.uff`, `.unv` or `.parquet`"), "{said}");
    let (success, said) = convert(&["a.csv", "b.parquet"]);
    let refused = "`b.parquet` is not written, since this command was built without Parquet; install it with \
        `--features formats`, or write `.csv` or `.uff`";
    assert!(success || said.contains(refused), "{said}");
    // a device's rate that stands in a variable
    let mut mat = Vec::new();
    for (name, values) in [("data", [1.0_f64, 2.0].as_slice()), ("ActualRate", [100.0].as_slice())] {
        [0, values.len() as u32, 1, 0, name.len() as u32 + 1].iter().for_each(|word| mat.extend(word.to_le_bytes()));
        mat.extend(name.bytes().chain([0]));
        values.iter().for_each(|value| mat.extend(value.to_le_bytes()));
    }
    fs::write(folder.path().join("a.mat"), mat).unwrap();
    let said = costate(folder.path(), "records a.mat");
    said.prints(0, &["set `--rate` in Hz, `--every` in s, or `--time` with the channel of times"]);
    assert!(convert(&["a.mat", "d.csv", "--rate-of", "ActualRate"]).0);
    assert_eq!(fs::read_to_string(folder.path().join("d.csv")).unwrap(), "time [s],data\n0.0,1.0\n0.01,2.0\n");
}

/// A run-up with a force, an acceleration of twice the force and noise, order 3, and the pulses of a tacho.
fn rig() -> String {
    let mut text = "time [s],force [N],acc [m/s^2],tacho\n".to_owned();
    for k in 0..20_000 {
        let (k, t) = (f64::from(k), 1e-3 * f64::from(k));
        let (force, turns) = ((0.5 * k * k).sin(), 10.0 * t + 0.5 * t * t);
        let order = 4.0 * (std::f64::consts::TAU * 3.0 * turns).cos();
        let values = [force, 2.0 * force + order, (std::f64::consts::TAU * turns).sin()];
        text += &format!("{t:.3},{:.9},{:.9},{:.9}\n", values[0], values[1], values[2]);
    }
    text
}

#[test]
fn spectra_are_computed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rig.csv"), rig()).unwrap();
    let spectra = |arguments: &[&str]| costate(folder.path(), &[&["spectra", "rig.csv"], arguments].concat());
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let response = ["--input", "force", "--response", "acc", "--between", "120", "400", "--length", "512"];
    let said = spectra(&[&response[..], &["-o", "a.svg", "-o", "a.csv", "-o", "a.unv"]].concat());
    assert!(said.success, "{}", said.stderr);
    assert!(said.stdout.starts_with("acc / force in (m/s^2)/(N): 143 lines from "), "{}", said.stdout);
    assert!(said.stdout.ends_with("written: a.svg\nwritten: a.csv\nwritten: a.unv\n"), "{}", said.stdout);
    assert!(file("a.svg").contains("magnitude [(m/s²)/(N)]"));
    assert!(file("a.csv").lines().next().unwrap().ends_with(",coherence,deviation [(m/s^2)/(N)]"));
    let listed = costate(folder.path(), "records a.unv");
    assert!(listed.stdout.contains("frequency response") && listed.stdout.contains("coherence"), "{}", listed.stdout);
    let said = spectra(&[&response[..], &["--json"]].concat());
    let json = said.json();
    let real = json["responses"][0]["real"].as_array().unwrap();
    assert!(real.iter().all(|re| (re.as_f64().unwrap() - 2.0).abs() < 0.05), "{real:?}");

    let said = spectra(&["--density", "acc", "--density", "force", "-o", "d.csv", "-o", "d.svg"]);
    said.prints(0, &["force in (N)^2/Hz: 1025 lines"]);
    assert!(file("d_2.csv").starts_with("frequency [Hz],density [(N)^2/Hz],deviation [(N)^2/Hz]\n"));

    let tacho = ["--map", "acc", "--tacho", "tacho", "--threshold", "0", "--hysteresis", "0.3", "--pulses", "1"];
    let said = spectra(
        &[&tacho[..], &["--orders", "--line", "3", "--up-to", "10", "--level", "1e-6", "-o", "o.svg"]].concat(),
    );
    said.prints(0, &[", order 3\n"]);
    assert!(file("o.svg").contains("order 3") && file("o.svg").contains("dB re 1e-6 m/s^2"));
    let said = spectra(&["--map", "acc", "-o", "m.csv"]);
    assert!(said.success && file("m.csv").starts_with("amplitude [m/s^2] by frequency [Hz] over time [s],"));

    for (arguments, code, message) in [
        (&["--density", "acc", "-o", "a.unv"][..], 1, "end it with `.svg` or `.csv`"),
        (&["--input", "force", "--response", "acc", "--length", "20000"], 1, "do not tell the coherence"),
        (&["--density", "acd"], 1, "no channel `acd`"),
        (&["--response", "acc"], 2, "--input"),
        (&["-o", "a.svg"], 2, "--density"),
        (&["--map", "acc", "--tacho", "tacho"], 2, "--threshold"),
    ] {
        let said = spectra(arguments);
        said.refuses(code, message);
    }
    // long segments of a run-up are doubtful
    let said = spectra(&[&tacho[..], &["--length", "4096"]].concat());
    assert!(said.stdout.contains("doubtful: the speed changes by up to"), "{}", said.stdout);
}

#[test]
fn angles_that_begin_anew_are_doubted_where_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..200).map(|i| format!("{},{}\n", 0.01 * f64::from(i), (7.3 * f64::from(i)) % 360.0)).collect();
    fs::write(folder.path().join("a.csv"), format!("time [s],place [deg]\n{rows}")).unwrap();
    let model = "Follower { parameters { j: kg*m^2 = 1, c: N*m = 10, d: N*m*s = 1 } inputs { place: rad } \
                 coordinates { phi: rad } mass { phi: j } forces { phi: -c*(phi - place) - d*dot(phi) } \
                 outputs { angle: rad = phi } }";
    fs::write(folder.path().join("f.model"), model).unwrap();
    for arguments in [
        "convert a.csv b.csv --smooth place=30[Hz]",
        "spectra a.csv --density place",
        "run f.model -i place=a.csv --until 1.9",
        "records a.csv --no-plots",
    ] {
        let said = costate(folder.path(), arguments);
        let text = "as an angle that begins anew after each turn: unwrap it by `costate convert --unwrap place`";
        assert!(
            said.stderr.contains(text) || said.stdout.contains(text),
            "{arguments}: {} {}",
            said.stdout,
            said.stderr
        );
        assert_eq!(said.code, Some(3), "{arguments}");
    }
    let said = costate(folder.path(), "convert a.csv b.csv --unwrap place --smooth place=30[Hz]");
    assert!(said.success && !said.stderr.contains("doubtful"), "{}", said.stderr);
    let said = costate(folder.path(), "run f.model -i place=b.csv --until 1.9");
    assert!(!said.stdout.contains("turn:") && !said.stderr.contains("turn:"), "{} {}", said.stdout, said.stderr);
}

/// An encoder of 12 bits whose counts begin anew, and an angle that does so after half a turn.
#[test]
fn counts_and_half_turns_are_continued_by_their_period() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, unit: &str, period: f64| {
        let turns = |i: i32| 2.45 - 2.45 * (0.0157 * f64::from(i)).cos();
        let row = |i: i32| format!("{},{}\n", 0.01 * f64::from(i), (turns(i) * period).round().rem_euclid(period));
        let rows: String = (0..400).map(row).collect();
        fs::write(folder.path().join(name), format!("time [s],place [{unit}]\n{rows}")).unwrap();
    };
    for (unit, period, shown) in [("1", 4096.0, "jumps by 4096"), ("deg", 180.0, "jumps by 180 deg")] {
        write("a.csv", unit, period);
        let listed = costate(folder.path(), "records a.csv --no-plots");
        assert!(listed.stdout.contains(shown) && listed.code == Some(3), "{}", listed.stdout);
        let said = costate(folder.path(), "convert a.csv b.csv --unwrap place");
        let continued = format!("place: continued over 8 {shown}");
        assert!(said.success && said.stdout.contains(&continued), "{} {}", said.stdout, said.stderr);
        let made = costate(folder.path(), "records b.csv --no-plots");
        let peak = format!("{}", (4.9 * period).round());
        assert!(made.success && made.stdout.contains(&peak), "{}", made.stdout);
    }
    // steps of counts that show no period
    let rows: String = (0..400).map(|i| format!("{},{}\n", 0.01 * f64::from(i), i * i * 37 % 1013)).collect();
    fs::write(folder.path().join("a.csv"), format!("time [s],place [1]\n{rows}")).unwrap();
    let said = costate(folder.path(), "convert a.csv b.csv --unwrap place");
    assert!(!said.success && said.stderr.contains("no unit of an angle"), "{}", said.stderr);
}
