//! Tests that what commands read is not replaced, what cannot be written is said before long work, and what was found
//! is printed whatever happens to files.

use std::fs;
use std::path::Path;

use super::support::{Said, costate};

/// A spring with a table, an input and a measured output.
const MODEL: &str = "pub O {
    parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 0.5 }
    inputs { drive: N }
    tables { stop(x: m): N = \"stop.csv\" }
    coordinates { q: m }
    mass { q: m }
    forces { q: drive - c*q - d*dot(q) - stop(q) }
    initial { q = 0.01[m] }
    outputs { position: m = q }
}
";

/// A folder with the model, its table and a record.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    fs::write(of("m.model"), MODEL).unwrap();
    fs::write(of("stop.csv"), "x [m],stop [N]\n-1,-10\n0,0\n1,10\n2,20\n").unwrap();
    fs::create_dir(of("inner")).unwrap();
    let said = costate(folder.path(), "run m.model --until 1 --step 0.005 -i drive=sin(9*t) -p c=130 -o r.csv");
    assert!(said.success, "{}", said.stderr);
    let record = fs::read_to_string(of("r.csv")).unwrap();
    let mut lines = record.lines().map(str::to_owned).collect::<Vec<_>>();
    lines[0] += ",drive [N]";
    for line in &mut lines[1..] {
        let time: f64 = line.split(',').next().unwrap().parse().unwrap();
        *line += &format!(",{}", (9.0 * time).sin());
    }
    fs::write(of("r.csv"), lines.join("\n") + "\n").unwrap();
    folder
}

const FIT: &str = "fit m.model --record r.csv --measured position --unknown c,d";

/// Every command with every file that it reads as the file to write, under several names.
#[test]
fn no_command_replaces_what_it_has_read() {
    let folder = folder();
    let of = |name: &str| folder.path().join(name);
    let cases: [(&str, &[&str]); 11] = [
        ("compile m.model -o", &["m.model", "stop.csv"]),
        ("report m.model -o", &["m.model", "stop.csv"]),
        ("run m.model --until 0.1 --step 0.005 -i drive=r.csv:drive -o", &["r.csv", "stop.csv"]),
        (
            "filter m.model --record r.csv --measured position --follow c --noise position=0.01 -o",
            &["r.csv", "stop.csv"],
        ),
        (&format!("{FIT} --report"), &["m.model", "r.csv", "stop.csv"]),
        (&format!("{FIT} --state"), &["m.model", "r.csv", "stop.csv"]),
        ("fit --template m.model -o", &["m.model", "stop.csv"]),
        ("convert r.csv", &["r.csv"]),
        ("spectra r.csv --density position -o", &["r.csv"]),
        ("response m.model --from drive --to position -o", &["stop.csv"]),
        ("defaults m.model --values v.csv -o", &["v.csv", "stop.csv"]),
    ];
    fs::write(of("v.csv"), "name,value\nc,125\n").unwrap();
    for (arguments, inputs) in cases {
        for input in inputs {
            let content = fs::read(of(input)).unwrap();
            // a link and another name of the file have an ending that the command takes
            let ending = Path::new(input).extension().unwrap().to_str().unwrap();
            let (link, second) = (format!("link.{ending}"), format!("second.{ending}"));
            let _ = (fs::remove_file(of(&link)), fs::remove_file(of(&second)));
            fs::hard_link(of(input), of(&second)).unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink(input, of(&link)).unwrap();
            #[cfg(not(unix))]
            fs::hard_link(of(input), of(&link)).unwrap();
            let other = format!("inner/../{input}");
            for output in [input, other.as_str(), link.as_str(), second.as_str()] {
                let said = costate(folder.path(), &format!("{arguments} {output}"));
                assert!(!said.success, "{arguments:?} {output}");
                assert!(said.stderr.contains("is read by this command"), "{arguments:?} {output}: {}", said.stderr);
                assert_eq!(fs::read(of(input)).unwrap(), content, "{arguments:?} {output}");
            }
        }
    }
    // what is meant to be replaced is
    let said = costate(folder.path(), "defaults m.model --values v.csv");
    assert!(said.success && fs::read_to_string(of("m.model")).unwrap().contains("c: N/m = 125"), "{}", said.stderr);
    let said = costate(folder.path(), &format!("{FIT} --write-defaults"));
    assert!(said.stdout.contains("defaults: `m.model` has the values of c, d"), "{}{}", said.stdout, said.stderr);
}

#[test]
fn two_outputs_are_not_one_file() {
    let folder = folder();
    let said = costate(folder.path(), "run m.model --until 0.1 --step 0.01 -o a.csv -o inner/../a.csv");
    said.refuses(2, "are one file");
    assert!(!folder.path().join("a.csv").exists());
}

/// Refused before the fit begins, so that no time is lost.
#[test]
fn a_fit_looks_at_its_files_before_it_begins() {
    let folder = folder();
    let begins = |said: &Said| said.stderr.contains("iteration 0");
    fs::write(folder.path().join("file"), "").unwrap();
    let mut refused = vec![
        ("missing/x.html", "the folder `missing` does not exist; make it first"),
        ("inner", "is a directory"),
        ("file/x.html", "Not a directory"),
    ];
    if cfg!(target_os = "linux") {
        refused.push(("/dev/full", "No space left"));
        std::os::unix::fs::symlink("/dev/full", folder.path().join("full.html")).unwrap();
        refused.push(("full.html", "No space left"));
    }
    for (report, message) in refused {
        let said = costate(folder.path(), &format!("{FIT} --report {report}"));
        assert_eq!(said.code, Some(1), "{report}: {}", said.stderr);
        let is_said = said.stderr.to_lowercase().contains(&message.to_lowercase());
        assert!(is_said && !begins(&said), "{report}: {}", said.stderr);
    }
    let said = costate(folder.path(), &format!("{FIT} --report x.html"));
    assert!(begins(&said) && folder.path().join("x.html").exists(), "{}", said.stderr);
}

/// Runs a command whose files may have at most `blocks` of 512 or 1024 bytes, as on a disk that is nearly full.
#[cfg(unix)]
fn on_a_small_disk(folder: &Path, blocks: usize, call: &str) -> Said {
    let mut shell = std::process::Command::new("sh");
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.current_dir(folder).args(["-c", &limited, env!("CARGO_BIN_EXE_costate")]).args(call.split(' '));
    Said::of(&shell.output().unwrap())
}

#[cfg(unix)]
#[test]
fn what_was_found_is_printed_where_a_file_cannot_be_written() {
    let folder = folder();
    let campaign = "model.file = \"m.model\"\nexperiment = [{ record = \"r.csv\", measured.position.deviation = 1e-4 \
         }]\n\
                    [unknowns.c]\n[unknowns.d]\n[output]\nreport = \"x.html\"\nfolder = \"results\"\n";
    fs::write(folder.path().join("a.toml"), campaign).unwrap();
    let said = on_a_small_disk(folder.path(), 12, "fit a.toml");
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stdout.lines().any(|line| line.trim_start().starts_with("c ")), "{}", said.stdout);
    assert!(said.stderr.contains("x.html") && !said.stderr.contains(".costate-"), "{}", said.stderr);
    assert!(said.stderr.contains("the same call continues from `a.toml.state`"), "{}", said.stderr);
    assert!(folder.path().join("a.toml.state").exists() && !folder.path().join("x.html").exists());
    // in JSON, beside the error
    let said = on_a_small_disk(folder.path(), 12, "fit a.toml --json");
    let answer = said.json();
    let found = answer["fit"]["parameters"][0]["found"].as_f64().unwrap();
    assert!((found - 130.0).abs() < 1.0 && answer["error"].as_str().unwrap().contains("x.html"), "{answer}");
    // with room, the same call goes on
    let said = costate(folder.path(), "fit a.toml");
    assert!(said.stderr.contains("continues from"), "{}", said.stderr);
    assert!(folder.path().join("x.html").exists() && !folder.path().join("a.toml.state").exists());
    // other commands say what they found as well
    let said = on_a_small_disk(folder.path(), 12, "run m.model --until 9 --step 0.001 -o long.csv");
    said.prints(1, &["position"]);
    assert!(said.stderr.contains("`long.csv`") && !said.stderr.contains(".costate-"), "{}", said.stderr);
    assert!(!said.stderr.contains("quote"), "{}", said.stderr);
    let said = on_a_small_disk(folder.path(), 1, "profiles a.toml -o p.html");
    assert_eq!(said.code, Some(1), "{}{}", said.stdout, said.stderr);
}

/// A campaign of somebody else: it reads and writes in its own folder, and replaces what it has written.
#[test]
fn a_campaign_stays_in_its_folder() {
    let folder = folder();
    let of = |name: &str| folder.path().join(name);
    for name in ["foreign", "home"] {
        fs::create_dir(of(name)).unwrap();
    }
    for name in ["m.model", "r.csv", "stop.csv"] {
        fs::rename(of(name), of("foreign").join(name)).unwrap();
    }
    fs::write(of("home/notes.txt"), "precious").unwrap();
    fs::copy(of("foreign/r.csv"), of("home/r.csv")).unwrap();
    fs::write(of("foreign/notes.html"), "<html>precious</html>").unwrap();
    fs::write(of("foreign/notes.txt"), "precious").unwrap();
    let campaign = |change: &str, by: &str| {
        let text = "[model]\nfile = \"m.model\"\n[[experiment]]\nrecord = \"r.csv\"\nmeasured.position.deviation = \
             1e-4\n[unknowns.c]\n[output]\nreport = \"fit.html\"\n";
        assert!(text.contains(change));
        fs::write(of("foreign/c.toml"), text.replace(change, by)).unwrap();
    };
    let outside = [
        ("report = \"fit.html\"", "report = \"../home/notes.txt\""),
        ("report = \"fit.html\"", "report = \"../home/new.html\""),
        ("report = \"fit.html\"", "folder = \"../home/new\""),
        ("report = \"fit.html\"", "folder = \"..\""),
        ("report = \"fit.html\"", "folder = \"none/../../home\""),
        ("report = \"fit.html\"", "state = \"../home/state\""),
        ("report = \"fit.html\"", "profiles = \"/tmp/profiles.html\""),
        ("record = \"r.csv\"", "record = \"../home/r.csv\""),
        ("file = \"m.model\"", "file = \"m.model\"\nallow_files = [\"/\"]"),
        ("file = \"m.model\"", "file = \"../home/m.model\""),
    ];
    for (change, by) in outside {
        campaign(change, by);
        let said = costate(&of("home"), "fit ../foreign/c.toml");
        said.refuses(1, "is outside of");
        assert!(said.stderr.contains("--allow-files FOLDER"), "{by}: {}", said.stderr);
    }
    #[cfg(unix)]
    {
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, of("foreign").join(name)).unwrap();
        link("../home/new.html", "away.html");
        link("../home", "away");
        for by in ["report = \"away.html\"", "report = \"away/fit.html\"", "folder = \"away\""] {
            campaign("report = \"fit.html\"", by);
            let said = costate(folder.path(), "fit foreign/c.toml");
            assert!(said.code == Some(1) && said.stderr.contains("is outside of"), "{by}: {}", said.stderr);
        }
        // a result that is a link is not followed
        fs::create_dir(of("foreign/results")).unwrap();
        link("../../home/other.json", "results/fit.json");
        campaign("report = \"fit.html\"", "folder = \"results\"");
        let said = costate(folder.path(), "fit foreign/c.toml");
        said.refuses(1, "a link to another folder");
        assert!(said.stdout.contains("c "), "{}", said.stdout);
    }
    assert_eq!(fs::read_dir(of("home")).unwrap().count(), 2);
    // other files of its own folder stay as well
    for name in ["notes.html", "notes.txt", "m.model"] {
        campaign("report = \"fit.html\"", &format!("report = \"{name}\""));
        let content = fs::read(of("foreign").join(name)).unwrap();
        let said = costate(folder.path(), "fit foreign/c.toml");
        assert!(said.code == Some(1) && said.stderr.contains("holds something else"), "{name}: {}", said.stderr);
        assert_eq!(fs::read(of("foreign").join(name)).unwrap(), content);
    }
    // its own page is replaced, in a folder that is made
    campaign("report = \"fit.html\"", "report = \"pages/fit.html\"");
    for _ in 0..2 {
        let said = costate(folder.path(), "fit foreign/c.toml");
        assert!(matches!(said.code, Some(0 | 3)), "{}", said.stderr);
        assert!(of("foreign/pages/fit.html").exists());
    }
    // an option of the call allows a further folder
    campaign("record = \"r.csv\"", "record = \"../home/r.csv\"");
    let said = costate(folder.path(), "fit foreign/c.toml --allow-files home");
    assert!(matches!(said.code, Some(0 | 3)), "{}", said.stderr);
    assert_eq!(fs::read_to_string(of("home/notes.txt")).unwrap(), "precious");
}

/// The folder of results is not one in which a record has the name of a result.
#[test]
fn results_do_not_replace_records() {
    let folder = folder();
    let of = |name: &str| folder.path().join(name);
    fs::rename(of("r.csv"), of("sweep run.csv")).unwrap();
    let campaign = "model.file = \"m.model\"\nexperiment = [{ name = \"sweep\", record = \"sweep run.csv\" \
         }]\n[unknowns.c]\n[output]\nfolder = \".\"\n";
    fs::write(of("c.toml"), campaign).unwrap();
    let content = fs::read(of("sweep run.csv")).unwrap();
    let said = costate(folder.path(), "fit c.toml");
    said.refuses(2, "is read by this command");
    assert_eq!(fs::read(of("sweep run.csv")).unwrap(), content);
}
