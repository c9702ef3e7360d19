//! `costate fmu`: what it writes and what it refuses. The library's tests in `bridges/fmi` run what is written.

use std::fs;

use super::support::{Said, costate};

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

/// A program in place of cargo, which notes its calls and writes a library, or fails where the model has a mistake.
#[cfg(unix)]
const CARGO: &str = r#"#!/bin/sh
echo "$@" >>"$CALLS"
while [ $# -gt 0 ]; do
    [ "$1" = --target-dir ] && target=$2
    shift
done
if grep -q '1234' "$COSTATE_COMPILED"; then
    echo 'warning: something' >&2
    echo 'error: linking failed' >&2
    exit 101
fi
mkdir -p "$target/release"
{ echo "library costate-fmi VERSION"; cat "$COSTATE_COMPILED"; } >"$target/release/libcostate_fmi.so"
"#;

/// Tests which builds are asked for, and which are not.
#[test]
#[cfg(unix)]
fn libraries_with_models_are_built_once() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("cargo"), CARGO.replace("VERSION", env!("CARGO_PKG_VERSION"))).unwrap();
    fs::set_permissions(path("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let called = |arguments: &str, others: &[(&str, &str)]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_costate"));
        command.current_dir(folder.path()).args(arguments.split(' ')).env_remove("COSTATE_SOURCE");
        command.envs([("CARGO", path("cargo")), ("CALLS", path("calls")), ("XDG_CACHE_HOME", path("cache"))]);
        Said::of(&command.envs(others.iter().copied()).output().unwrap())
    };
    let calls = || fs::read_to_string(path("calls")).unwrap_or_default().lines().count();
    let write = |c: &str| fs::write(path("pair.model"), MODEL.replace("c: N/m", &format!("c: N/m = {c}"))).unwrap();

    write("100");
    for _ in 0..2 {
        let said = called("fmu pair.model --compiled -o pair.fmu", &[]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert_eq!(calls(), 1);
    }
    let line = fs::read_to_string(path("calls")).unwrap();
    for part in ["rustc --release --locked", "bridges/fmi/Cargo.toml", "-- --cfg costate_compiled"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    // the model, and what the environment says to the compiler
    write("200");
    assert_eq!(called("fmu pair.model --compiled -o pair.fmu", &[]).code, Some(0));
    assert_eq!(calls(), 2);
    assert_eq!(called("fmu pair.model --compiled -o pair.fmu", &[("RUSTFLAGS", "-C target-cpu=native")]).code, Some(0));
    assert_eq!(calls(), 3);
    let kept: Vec<_> =
        fs::read_dir(path("cache/costate/compiled")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let models: Vec<String> = kept.iter().filter_map(|kept| fs::read_to_string(kept.join("model.rs")).ok()).collect();
    assert_eq!(models.len(), 3);
    for model in &models {
        assert!(model.starts_with("pub type CompiledFunctions = Pair;\npub const DIGEST: &str = \""), "{model}");
        assert!(model.contains("impl ::costate::Model for Pair {"), "{model}");
    }

    fs::remove_file(path("pair.fmu")).unwrap();
    let refused = |arguments: &str, others: &[(&str, &str)], part: &str| {
        let said = called(arguments, others);
        assert!(!said.success && !path("pair.fmu").exists());
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    };
    let compiled = "fmu pair.model --compiled -o pair.fmu";
    write("1234");
    refused(compiled, &[], "has not built the model: error: linking failed; all that it has said is in `");
    write("300");
    refused(compiled, &[("CARGO", "/nothing/cargo")], "need cargo, which is not found");
    refused(compiled, &[("COSTATE_SOURCE", "/nothing")], "not in `/nothing`; name their folder");
    refused(&format!("{compiled} --library library.so"), &[], "--library");
}
