//! `costate fmu`: what it writes and what it refuses. The library's tests in `bridges/fmi` run what is written.

use std::fs;

use super::support::costate;

const MODEL: &str = "/// A mass, and a node without one.
pub Pair {
    parameters { m: kg = 2, c: N/m }
    inputs { drive: N }
    coordinates { x: m, node: m }
    mass { x: m }
    forces { x: drive - c*(x - node), node: c*(x - node) - 3[N*s/m]*dot(node) }
    outputs { position: m = x, bend: m/s^2 = ddot(node) }
}";

/// Writes the model and a file that the command takes for the library.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pair.model"), MODEL).unwrap();
    let library = format!("library costate-fmi {}\nend", env!("CARGO_PKG_VERSION"));
    fs::write(folder.path().join("library.so"), library).unwrap();
    fs::write(folder.path().join("other.so"), "library costate-fmi 0.0.1\nend").unwrap();
    folder
}

#[test]
fn units_are_written_and_reasons_said() {
    let folder = folder();
    let said = costate(folder.path(), "fmu pair.model -p c=100 --step 2e-3 -o pair.fmu --library library.so");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("Co-Simulation with steps of 0.002 s"), "{}", said.stdout);
    assert!(
        said.stdout.contains("no Model Exchange: the output `bend` has an acceleration of `node`"),
        "{}",
        said.stdout
    );
    let bytes = fs::read(folder.path().join("pair.fmu")).unwrap();
    let has = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    for name in ["modelDescription.xml", "resources/model.model", "resources/costate.json", "documentation/index.html"]
    {
        assert!(has(name), "{name}");
    }
    let said = costate(folder.path(), "fmu pair.model -p c=100 -o pair.fmu --library library.so --json");
    assert!(said.stdout.contains("\"without_model_exchange\":\"the output `bend`"), "{}", said.stdout);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = folder();
    let refused = |arguments: &str, part: &str| {
        let said = costate(folder.path(), arguments);
        assert!(!said.success, "{arguments}");
        assert!(said.stderr.contains(part), "{arguments}: {}", said.stderr);
        assert!(!folder.path().join("pair.fmu").exists());
    };
    refused("fmu pair.model -o pair.fmu --library library.so", "`--parameter c=VALUE`");
    refused("fmu pair.model -p c=1 -o pair.zip --library library.so", "`.fmu`");
    refused("fmu pair.model -p c=1 -o pair.fmu --library other.so", "cargo build --release -p costate-fmi");
    refused("fmu pair.model -p c=1 -o pair.fmu --library none.so", "none.so");
    refused("fmu pair.model -p c=1 -o library.so/pair.fmu --library library.so", "library.so");
    refused("fmu pair.model -p c=1 -p m=-1 -o pair.fmu --library library.so", "`m`");
    refused("fmu pair.model -p c=1 -o pair.fmu --step 0 --library library.so", "number above 0");
}
