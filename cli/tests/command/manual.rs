//! `costate man`, `costate completions`, and what all subcommands have in common.

use super::support::{ROW, costate, folder_with};

const SUBCOMMANDS: &str = "run compare rest modes response gradient base-parameters check compile report fmu animate \
    watch defaults fit profiles filter restoring-force records convert spectra collect new completions man";

#[test]
fn every_subcommand_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let said = costate(folder.path(), "man -o pages");
    assert!(said.success && said.stderr.is_empty(), "{}", said.stderr);
    let mut wanted: Vec<String> = SUBCOMMANDS.split(' ').map(|name| format!("costate-{name}.1")).collect();
    wanted.push("costate.1".to_owned());
    wanted.sort();
    let entries = std::fs::read_dir(folder.path().join("pages")).unwrap();
    let mut found: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, wanted);
    let page = std::fs::read_to_string(folder.path().join("pages/costate-run.1")).unwrap();
    assert!(page.contains(".TH costate-run 1") && page.contains("\\-\\-until"), "{page}");
    let main = costate(folder.path(), "man");
    assert!(
        main.success && main.stdout.contains("costate\\-gradient(1)") && main.stdout.contains("130"),
        "{}",
        main.stdout
    );
}

#[test]
fn shells_complete_the_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = costate(folder.path(), &["completions", shell]);
        assert!(said.success && said.stderr.is_empty(), "{}", said.stderr);
        assert!(
            SUBCOMMANDS.split(' ').all(|name| said.stdout.contains(name)) && said.stdout.contains("until"),
            "{shell}"
        );
    }
    let said = costate(folder.path(), "completions tcsh");
    said.refuses(2, "possible values: bash");
}

/// The old name still works, and is not shown.
#[test]
fn expand_is_compile() {
    let folder = folder_with(ROW);
    let [old, new] = ["expand", "compile"].map(|name| costate(folder.path(), &[name, "model.rs"]));
    assert!(new.success && old.stdout == new.stdout);
    assert!(!costate(folder.path(), "--help").stdout.contains("expand"));
}

#[test]
fn exit_codes_are_in_the_help() {
    let folder = folder_with(ROW);
    let help = costate(folder.path(), "--help");
    assert_eq!(help.code, Some(0));
    for line in ["  0    done", "  1    the model", "  2    wrong arguments", "  3    done, but", "  130  interrupted"]
    {
        assert!(help.stdout.contains(line), "{line}: {}", help.stdout);
    }
    assert_eq!(costate(folder.path(), "check model.rs").code, Some(0));
    assert_eq!(costate(folder.path(), "check none.rs").code, Some(1));
    assert_eq!(costate(folder.path(), "check").code, Some(2));
}

/// Tests that programs are answered by one object, also after an error.
#[test]
fn for_programs() {
    let folder = folder_with(&ROW.replace("x[1]: -c*x[1],", "x[1]: -c*y[1],"));
    let said = costate(folder.path(), "check model.rs --json");
    let found = said.json();
    assert_eq!((said.code, &found["errors"], &found["error"]), (Some(1), &1.into(), &"`model.rs` has errors".into()));
    let first = &found["diagnostics"][0];
    assert_eq!((&first["severity"], &first["line"], &first["column"]), (&"error".into(), &20.into(), &22.into()));
    let said = costate(folder.path(), "compile model.rs --model Row --json");
    assert_eq!((said.code, &said.json()["diagnostics"][0]["line"]), (Some(1), &20.into()));
    std::fs::write(folder.path().join("model.rs"), ROW).unwrap();
    let said = costate(folder.path(), "report model.rs --model Row --json");
    let report = said.json();
    assert_eq!((&report["model"], &report["parameters"][0]["default"]), (&"Row".into(), &2.0.into()));
    assert_eq!(report["outputs"][1], serde_json::json!({ "name": "travel", "unit": "mm", "documentation": "" }));
    let said = costate(folder.path(), "compile model.rs --model Row -o row.rs --json");
    assert_eq!(said.json()["file"], "row.rs");
    let said = costate(folder.path(), "compile --json");
    assert!(said.code == Some(2) && said.json()["error"].as_str().unwrap().ends_with("not provided: <MODEL>"));
}
