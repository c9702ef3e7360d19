//! `costate filter`.

use std::fmt::Write;
use std::fs;

use costate::measure::Record;

use super::bench::measured_folder;
use super::support::{costate, folder_with};
use super::verdicts::Noise;

const FILTER: &str = "filter mount.rs --model EngineMount --record bench.csv --follow c_e1 --parameter \
    c_e1=100[N/mm]";

const NOISE: &str = "--noise acceleration=0.6";

#[test]
fn a_stiffness_is_followed_to_its_value() {
    let folder = measured_folder();
    for more in ["", "--method square-root-unscented", "--smooth -o run.csv -o run.html -o run.svg"] {
        let said = costate(folder.path(), &format!("{FILTER} {NOISE} --json {more}"));
        assert!(said.success, "{more:?} {}{}", said.stdout, said.stderr);
        let answer = said.json();
        let followed = &answer["parameters"][0];
        let number = |field: &str| followed[field].as_f64().unwrap();
        assert_eq!((number("start"), number("start_deviation")), (100e3, 20e3));
        let (found, deviation) = (number("found"), number("standard_deviation"));
        assert!((found - 123e3).abs() < 3.0 * deviation && deviation < 2e3, "{followed}");
        let error = answer["outputs"][0]["prediction_error"].as_f64().unwrap();
        assert!((0.8..1.3).contains(&(error / 0.6)), "{answer}");
        assert_eq!(answer["samples"], 2001);
    }
    let run = Record::read_csv(folder.path().join("run.csv")).unwrap();
    let channel = |name: &str| run.channel(name).unwrap();
    assert_eq!(
        (channel("c_e1").unit(), channel("x1").unit(), channel("dot(x1)").unit()),
        (Some("N/m"), Some("m"), Some("m/s"))
    );
    // the smoother knows at the start what the filter learns later
    assert!((channel("c_e1").values()[0] - 123e3).abs() < 2e3, "{}", channel("c_e1").values()[0]);
    for name in ["run.html", "run.svg"] {
        assert!(fs::read_to_string(folder.path().join(name)).unwrap().contains("c_e1"));
    }
}

/// With a lag, an estimate knows less than one by the whole record, and more than one by the samples so far.
#[test]
fn a_stiffness_is_followed_with_a_lag() {
    let folder = measured_folder();
    let deviation = |more: &str| {
        let said = costate(folder.path(), &format!("{FILTER} {NOISE} -o run.csv {more}"));
        assert!(said.success, "{more:?} {}{}", said.stdout, said.stderr);
        let run = Record::read_csv(folder.path().join("run.csv")).unwrap();
        let at = |name: &str| run.channel(name).unwrap().values()[400];
        (said.stdout, at("c_e1"), at("deviation of c_e1"))
    };
    let [(_, _, filtered), (said, found, late), (_, _, whole)] = ["", "--lag 0.03", "--smooth"].map(deviation);
    assert!(said.contains("samples smoothed with a lag of 0.03 s"), "{said}");
    assert!(whole < 0.95 * late && late < 0.95 * filtered, "{whole} {late} {filtered}");
    assert!((found - 123e3).abs() < 3.0 * late, "{found} {late}");
}

#[test]
fn a_model_that_does_not_fit_is_doubtful() {
    let folder = measured_folder();
    let said = costate(folder.path(), &format!("{FILTER} {NOISE} --parameter m_l=30"));
    said.prints(3, &["doubtful: The predictions of `acceleration` miss the measurements by "]);
}

/// The noise of the record is 0.6 m/s^2.
#[test]
fn noise_that_does_not_fit_is_doubtful() {
    let folder = measured_folder();
    let with =
        |noise: &str, more: &str| costate(folder.path(), &format!("{FILTER} --noise acceleration={noise} {more}"));
    for method in ["", "--method unscented", "--method square-root-unscented"] {
        with("6", method).prints(3, &["miss the measurements by 0.", "`--noise`, or a `--drift`, is too large"]);
        with("0.06", method).prints(3, &["times what the filter expects", "is too small"]);
        let answer = with("0.6", &format!("{method} --json")).json();
        let square = answer["outputs"][0]["normalised_innovations_squared"].as_f64().unwrap();
        assert!((0.8..1.3).contains(&square) && answer["doubts"].as_array().unwrap().is_empty(), "{answer}");
    }
}

#[test]
fn mistakes() {
    let folder = measured_folder();
    for (arguments, code, message) in [
        ("", 2, "the errors of `acceleration` are not known; give their standard deviation in m/s^2"),
        ("--noise acceleration=0.6 --drift d_e=1", 2, "`d_e` is not followed; add it to `--follow`"),
        ("--noise acceleration=0.6 --deviation c_e1=1[kg]", 1, "`c_e1` is given as `1[kg]`"),
        ("--noise acceleration=0.6 -o run.txt", 2, "write `.csv`, `.html` or `.svg`"),
        (
            "--noise acceleration=0.6 --lag 10",
            2,
            "a lag of 10 s is given for a record of 0.2 s; give a positive number",
        ),
        ("--noise acceleration=0.6 --lag=-1", 2, "below the length of the record, or `--smooth`"),
        ("--noise acceleration=0.6 --follow c_e1", 1, "`c_e1` is named twice in `--follow`"),
    ] {
        let said = costate(folder.path(), &format!("{FILTER} {arguments}"));
        assert_eq!(said.stdout, "");
        said.refuses(code, message);
    }
}

/// A free oscillation in closed form, with intervals that are too long for steps: 100 N/m on 1 kg at 0.1 s.
#[test]
fn steps_that_move_what_is_found_are_halved_or_doubted() {
    let model = "costate::model! { pub Free { parameters { m: kg = 1, c: N/m = 97 } coordinates { x: m } \
         mass { x: m } forces { x: -c*x } initial { x = 0.1[m], dot(x) = 0[m/s] } outputs { place: mm = x } } }";
    for seed in 0..10 {
        let folder = folder_with(model);
        let (mut noise, mut text) = (Noise::of(seed), "time [s],place [mm]\n".to_owned());
        for k in 0..200 {
            let t = 0.02 * f64::from(k);
            writeln!(text, "{t:.3},{:.6}", 100.0 * (10.0 * t).cos() + noise.normal()).unwrap();
        }
        fs::write(folder.path().join("free.csv"), text).unwrap();
        let call = "filter model.rs --record free.csv --follow c --deviation c=5 --noise place=1[mm] --json";
        let said = costate(folder.path(), call);
        let answer = said.json();
        let number = |field: &str| answer["parameters"][0][field].as_f64().unwrap();
        let shift = (number("found") - 100.0) / number("standard_deviation");
        assert!(said.success && shift.abs() < 4.0, "{seed}: {shift} {answer}");
        assert!(answer["interval"].as_f64().unwrap() < 0.02, "{answer}");
        let said = costate(folder.path(), &call.replace("--json", "--step 0.02"));
        said.prints(3, &["doubtful: Half the steps of 0.02 s move the estimate of `", "take `--step 0.00"]);
    }
    let folder = folder_with(model);
    fs::write(folder.path().join("free.csv"), "time [s],place [mm]\n0,100\n0.02,98\n0.04,92\n").unwrap();
    let call = "filter model.rs --record free.csv --noise place=0.05[mm] --order 4";
    costate(folder.path(), call).refuses(2, "a filter takes constant steps of order 2");
}
