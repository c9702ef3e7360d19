//! `costate defaults`.

use std::fs;

use super::support::{ROW, Said, costate, folder_with};

/// Runs the command on the row with a file of values.
fn with(values: (&str, &str), more: &[&str]) -> (Said, tempfile::TempDir) {
    let folder = folder_with(ROW);
    fs::write(folder.path().join(values.0), values.1).unwrap();
    let arguments = [&["defaults", "model.rs", "--model", "Row", "--values", values.0], more].concat();
    (costate(folder.path(), &arguments), folder)
}

fn text(folder: &tempfile::TempDir) -> String {
    fs::read_to_string(folder.path().join("model.rs")).unwrap()
}

#[test]
fn values_of_all_formats() {
    let expected = ROW.replace("m: kg = 2", "m: kg = 2.5").replace("c: N/mm = 0.1", "c: N/mm = 0.125");
    for (name, values) in [
        ("values.json", r#"{"m": 2.5, "c": 0.125}"#),
        ("fit.json", r#"{"cost": {"start": 1.0}, "parameters": {"m": {"start": 2, "found": 2.5}, "c": 0.125}}"#),
        ("BOM.JSON", "\u{feff}{\"m\": {\"found\": 2.5}, \"c\": 125e-3}"),
        ("values.csv", "name,value\nm,2.5\nc,0.125\n"),
        ("table.csv", "unit, value ,name\r\nkg, 2.5, m\r\nN/mm, 1.25e-1, c\r\n"),
    ] {
        let (said, folder) = with((name, values), &[]);
        assert!(said.success, "{name}: {}", said.stderr);
        assert_eq!(text(&folder), expected, "{name}");
        assert_eq!(said.stdout, format!("`model.rs` has 2 defaults of `{name}`\n"));
    }
}

#[test]
fn another_file_is_written_and_the_model_is_left() {
    let (said, folder) = with(("values.csv", "name,value\nm,3\n"), &["-o", "new.rs"]);
    assert!(said.success, "{}", said.stderr);
    assert_eq!(text(&folder), ROW);
    let new = fs::read_to_string(folder.path().join("new.rs")).unwrap();
    assert_eq!(new, ROW.replace("m: kg = 2", "m: kg = 3"));
    let said = costate(folder.path(), "check new.rs");
    assert!(said.success && said.stdout.starts_with("Row, LongRow: 0 errors"), "{}", said.stderr);
    // Nothing is left beside the files.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// The damper is a parameter in one variant only.
#[test]
fn structural_arguments_say_which_parameters_there_are() {
    let (said, _) = with(("values.csv", "name,value\nd,4\n"), &[]);
    assert!(said.success, "{}", said.stderr);
    let (said, folder) = with(("values.csv", "name,value\nd,4\n"), &["--set", "damped=false"]);
    let message = "error: the model `Row` has no parameter and sets no initial value `d`; it has `m`, `c`, `x[1]`, \
         `dot(x[1])`, `end`\n";
    assert_eq!((said.success, &*said.stderr), (false, message));
    assert_eq!(text(&folder), ROW);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with(ROW);
    let at = |name: &str| folder.path().join(name);
    fs::set_permissions(at("model.rs"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("model.rs", at("link.rs")).unwrap();
    fs::write(at("values.csv"), "name,value\nm,3\n").unwrap();
    let arguments = ["defaults", "link.rs", "--model", "LongRow", "--values", "values.csv"];
    let said = costate(folder.path(), &arguments);
    assert!(said.success, "{}", said.stderr);
    assert!(fs::symlink_metadata(at("link.rs")).unwrap().is_symlink());
    assert_eq!(fs::metadata(at("model.rs")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(text(&folder).contains("m: kg = 3"));
}

#[test]
fn mistakes() {
    for (name, values, message) in [
        (
            "a.json",
            r#"{"mm": 1}"#,
            "error: the model `Row` has no parameter and sets no initial value `mm`; did you mean `m`?\n",
        ),
        ("a.json", r#"{"m": 1, "m": 2}"#, "error: `m` has two values, 1 and 2; keep one of them\n"),
        ("a.json", r#"{"m": null}"#, "error: `a.json`: the value of `m` is `null`; write a number\n"),
        ("a.json", r#"{"m": {"start": 1}}"#, "error: `a.json`: the value of `m` is `{\"start\": 1}`; write a number\n"),
        ("a.json", r#"{"m": 1e999}"#, "error: `a.json`: the value of `m` is `1e999`; write a number\n"),
        ("a.json", "[1]", "error: `a.json`: invalid type: sequence, expected an object with the names of parameters"),
        ("a.json", "{", "error: `a.json`: EOF while parsing an object at line 1 column 1"),
        ("a.csv", "name,value\nm,NaN\n", "error: the value of `m` is NaN, not a finite number; give one"),
        ("a.csv", "name,value\nm,two\n", "error: `a.csv`: the value of `m` is `two`; write a number\n"),
        ("a.csv", "name,value\nm,\n", "error: `a.csv`: the value of `m` is ``; write a number\n"),
        ("a.csv", "parameter,value\nm,1\n", "error: `a.csv` has no column `name`; write the heading `name,value`\n"),
        (
            "a.csv",
            "name,value\nm,1,2\n",
            "error: `a.csv`: CSV error: record 1 (line: 2, byte: 11): found record with 3",
        ),
        (
            "a.txt",
            "m 1",
            "error: `a.txt` is not a file of parameter values; give one whose name ends with `json` or `csv`\n",
        ),
    ] {
        let (said, folder) = with((name, values), &[]);
        assert!(!said.success && said.stdout.is_empty(), "{values}");
        assert!(said.stderr.starts_with(message), "{values}: {}", said.stderr);
        assert_eq!(text(&folder), ROW);
    }
    let (said, _) = with(("a.csv", "name,value\nm,3\n"), &["-o", "no/such/folder.rs"]);
    assert!(said.stderr.starts_with("error: cannot write `no/such/folder.rs`: "), "{}", said.stderr);
    let (said, _) = with(("a.csv", "name,value\nm,3\n"), &["--values", "b.csv"]);
    assert!(!said.success);
}

/// Tests that a value refused by the model is shown at its place in the text, and that nothing is written.
#[test]
fn values_that_the_model_refuses() {
    let (said, folder) = with(("a.csv", "name,value\nm,-0.5\n"), &[]);
    assert!(!said.success);
    let start = "error: with the defaults of the parameters, the mass of `x[1]` is not positive; give them defaults";
    assert!(said.stderr.starts_with(start), "{}", said.stderr);
    assert!(said.stderr.contains("--> model.rs:18:"), "{}", said.stderr);
    assert!(
        said.stderr.ends_with("error: with these defaults `model.rs` has errors, and is not written\n"),
        "{}",
        said.stderr
    );
    assert_eq!(text(&folder), ROW);
}
