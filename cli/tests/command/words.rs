//! Messages of the command name its options and the fields of a campaign, never calls of the library.

use std::fs;

use super::bench::measured_folder;
use super::support::costate;

/// Returns true for a text that names a call or a path of Rust.
fn names_a_call(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let calls = text.match_indices('.').any(|(at, _)| {
        let name = text[at + 1..].trim_start_matches(is_word);
        name.len() < text.len() - at - 1 && name.starts_with('(')
    });
    let paths =
        text.match_indices("::").any(|(at, _)| text[..at].ends_with(is_word) && text[at + 2..].starts_with(is_word));
    calls || paths
}

const FREE: &str =
    "pub Free { parameters { m: kg = 1, c: N/m } inputs { f: N, g: N } coordinates { q: m, s: m } mass { q: m, s: m }
    forces { q: f + g + 0*c, s: 0 } outputs { p: m = q } }";
const TOPPLES: &str = "pub Topples { parameters { c: N/m = 40 } inputs { f: N } coordinates { q: m } mass { q: 1[kg] \
     } forces { q: f + c*q }
    outputs { p: m = q } }";
const TABLE: &str = "pub Table { parameters { c: N/m = 40 } tables { stop(x: m): N } coordinates { q: m } mass { q: \
     1[kg] } forces { q: -stop(q) }
    outputs { p: m = q } }";

#[test]
fn messages_name_options() {
    let folder = measured_folder();
    let of = |name: &str| folder.path().join(name);
    for (name, text) in [("free.model", FREE), ("topples.model", TOPPLES), ("table.model", TABLE)] {
        fs::write(of(name), text).unwrap();
    }
    fs::write(of("short.csv"), "time [s],p [m],f [N]\n0,0,0\n0.1,1,1\n0.2,0,0\n").unwrap();
    fs::write(of("gap.csv"), "time [s],p [m],f [N]\n0,0,0\n0.1,1,\n0.25,0,0\n0.3,2,1\n").unwrap();
    let campaign = |name: &str, text: &str| fs::write(of(name), text).unwrap();
    let head = "[model]\nfile = \"mount.rs\"\nname = \"EngineMount\"\n";
    let experiment = "[[experiment]]\nrecord = \"bench.csv\"\n";
    campaign("validation.toml", &format!("{head}[unknowns.c_e1]\n{experiment}validation = true\n"));
    campaign("starts.toml", &format!("{head}[unknowns.c_e1]\n[multistart]\nstarts = 3\n{experiment}"));
    campaign("prior.toml", &format!("{head}{experiment}"));
    campaign(
        "loss.toml",
        &format!(
            "{head}[unknowns.c_e1]\n[residuals]\nloss = \"huber\"\nweighting \
                 = \"given\"\n{experiment}[experiment.measured.acceleration]\nnoise = 2\n"
        ),
    );
    let calls = [
        ("rest free.model -p c=1", "--hold"),
        ("modes free.model -p c=1", ""),
        ("rest topples.model", "--unstable"),
        ("run free.model -p c=1", "--until"),
        ("run free.model --until 1", "--parameter"),
        ("run table.model --until 1", "[tables]"),
        ("run topples.model --until 1 -i f=short.csv:f", ""),
        ("run topples.model --until 1 --step 0.1 --tolerance 1e-4 --scheme undamped", ""),
        ("fit topples.model --record short.csv --measured p --unknown c --until 9", ""),
        ("fit topples.model --record short.csv --measured p --unknown c -i f=gap.csv:f", ""),
        ("fit topples.model --record short.csv --measured p --unknown c", ""),
        ("fit topples.model --record short.csv --measured p", "--unknown"),
        ("fit validation.toml", "validation = true"),
        ("fit starts.toml", "bounds"),
        ("fit prior.toml", ""),
        ("fit loss.toml", ""),
        ("filter topples.model --record gap.csv --measured p --noise p=1", "--step"),
        ("filter topples.model --record short.csv --measured p", "--noise"),
        ("spectra short.csv --input f --response p --length 2 --window rectangular", ""),
        ("spectra gap.csv --density p", ""),
        ("compare mount.rs --model EngineMount --record short.csv", ""),
        ("gradient table.model --until 1 --cost end(p)", ""),
    ];
    for (arguments, option) in calls {
        let said = costate(folder.path(), arguments);
        let text = format!("{}{}", said.stdout, said.stderr);
        assert!(!names_a_call(&text), "{arguments:?}: {text}");
        assert!(text.contains(option), "{arguments:?}: {text}");
    }
}

#[test]
fn deviations_are_given_in_lists() {
    let folder = measured_folder();
    let filter = |noise: &str| {
        let start = "filter mount.rs --model EngineMount --record bench.csv --follow c_e1,d_e";
        costate(folder.path(), &format!("{start} {noise}"))
    };
    let said = filter("--noise acceleration=0.6 --deviation c_e1=1e4,d_e=1 --drift c_e1=1,d_e=0.1");
    assert!(
        said.stdout.contains("start 123000 ± 1.0e4") && said.stdout.contains("start 5.00000 ± 1.0 "),
        "{}{}",
        said.stdout,
        said.stderr
    );
    let said = filter("--noise acceleration=0.6,drive=1");
    assert!(said.stderr.contains("no output `drive`"), "{}", said.stderr);
}
