//! `costate check`.

use super::support::{ROW, costate, folder_with};

#[test]
fn right_models() {
    let folder = folder_with(ROW);
    let said = costate(folder.path(), "check model.rs");
    assert!(said.success, "{}", said.stderr);
    assert_eq!(said.stdout, "Row, LongRow: 0 errors, 0 warnings, 1 note\n");
    assert!(said.stderr.starts_with("note: `if` has a kink or a jump"), "{}", said.stderr);
    assert!(said.stderr.contains("--> model.rs:23:18"), "{}", said.stderr);
}

#[test]
fn all_mistakes_with_their_lines() {
    let wrong = ROW.replace("x[1]: -c*x[1],", "x[1]: -c*y[1],").replace("travel: mm = end", "travel: mm = pull");
    let folder = folder_with(&wrong);
    let said = costate(folder.path(), "check model.rs");
    assert!(!said.success);
    let expected = "\
error: the output `travel` has the unit `N`, expected the unit `m`; multiply it by a quantity in `m/N`, or check the \
 units of its factors
  --> model.rs:30:59
   |
30 |         outputs { load: N = multiplier(tie), travel: mm = pull }
   |                                                           ^^^^
";
    assert!(said.stderr.contains("error: unknown name `y`; declare it"), "{}", said.stderr);
    assert!(said.stderr.contains("--> model.rs:20:22"), "{}", said.stderr);
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    assert!(said.stdout.ends_with(": 2 errors, 0 warnings, 0 notes\n"), "{}", said.stdout);
    assert!(said.stderr.ends_with("error: `model.rs` has errors\n"), "{}", said.stderr);
}

#[test]
fn warnings_do_not_fail() {
    let folder =
        folder_with("costate::model! { M { parameters { c: N = 1 } coordinates { x: m } mass { x: 1[kg] } } }");
    let said = costate(folder.path(), "check model.rs");
    assert!(said.success, "{}", said.stderr);
    assert!(said.stderr.starts_with("warning: the parameter `c` is not used"), "{}", said.stderr);
    assert_eq!(said.stdout, "M: 0 errors, 1 warning, 0 notes\n");
}

#[test]
fn models_of_macros_are_not_checked() {
    let chain = "macro_rules! chain {\n    ($name:ident) => {\n        costate::model! { $name {} }\n    };\n}\n";
    let folder = folder_with(chain);
    for command in ["check", "compile", "report"] {
        let said = costate(folder.path(), &[command, "model.rs"]);
        assert!(!said.success);
        let start = "error: `model.rs` has `model!` blocks in `macro_rules!` only (`chain` in line 3), which are no \
             models \
                     before the macro is called; write one `model!` with structural arguments";
        assert!(said.stderr.starts_with(start), "{}", said.stderr);
        assert_eq!(said.stdout, "");
    }
    // beside models that are checked
    let folder = folder_with(&format!("{chain}{ROW}").replace("//! Masses in a row.", ""));
    let said = costate(folder.path(), "check model.rs");
    assert!(said.success, "{}", said.stderr);
    let start = "warning: this block of the macro `chain` is no model before the macro is called, and is not checked; ";
    assert!(said.stderr.starts_with(start), "{}", said.stderr);
    assert!(said.stderr.contains("--> model.rs:3:18"), "{}", said.stderr);
    assert_eq!(said.stdout, "Row, LongRow: 0 errors, 1 warning, 1 note\n");
}

#[test]
fn one_model_with_other_values() {
    let folder = folder_with(&ROW.replace("if damped { x[1]: -d*dot(x[1]) }", "if !damped { x[1]: -d*dot(x[1]) }"));
    let check = |arguments: &[&str]| costate(folder.path(), &[&["check", "model.rs"], arguments].concat());
    assert!(check(&[]).success);
    let said = check(&["--model", "Row", "--set", "damped=false"]);
    assert!(!said.success);
    assert!(said.stderr.contains("error: unknown name `d`"), "{}", said.stderr);
    assert_eq!(said.stdout, "Row: 1 error, 0 warnings, 0 notes\n");
    assert!(check(&["--model", "LongRow"]).success);
    let said = check(&["--set", "damped=false"]);
    assert!(!said.success);
    assert!(said.stderr.contains("several models"), "{}", said.stderr);
    let said = check(&["--model", "Row", "--set", "mases=3"]);
    assert!(said.stderr.contains("mases") && said.stderr.contains("masses"), "{}", said.stderr);
}

/// With its line, as everything.
const OPEN: &str = "\
error: `{` is not closed; write `}`
 --> open.rs:1:11
  |
1 | fn main() {
  |           ^

error: `open.rs` is not made of Rust tokens
";

#[test]
fn brackets_and_quotes_are_shown_with_their_lines() {
    for (right, wrong, line, mark) in [
        ("x[1]: -c*x[1],", "x[1]: -c*(x[1],", "error: `(` is not closed; write `)`\n  --> model.rs:20:22\n", "^"),
        ("x[1]: -c*x[1],", "x[1]: -c*x[1]),", "error: `)` closes nothing; leave it out\n  --> model.rs:20:26\n", "^"),
        ("x[1]: -c*x[1],", "x[1]: -c*x'[1],", "error: stray `'`; write `dot(x)` for the time derivative\n  --> ", "^"),
    ] {
        let folder = folder_with(&ROW.replace(right, wrong));
        for command in ["check", "compile", "report"] {
            let said = costate(folder.path(), &[command, "model.rs"]);
            assert!(!said.success);
            assert!(said.stderr.starts_with(line), "{}", said.stderr);
            assert!(said.stderr.contains(wrong) && said.stderr.contains(mark), "{}", said.stderr);
            assert!(said.stderr.ends_with("error: `model.rs` is not made of Rust tokens\n"), "{}", said.stderr);
        }
    }
}

#[test]
fn files_without_models() {
    let folder = folder_with("fn main() {}");
    for (file, text, message) in [
        ("missing.rs", None, "error: cannot read `missing.rs`: "),
        ("model.rs", None, "error: `model.rs` has no `model!` block\n"),
        ("open.rs", Some("fn main() {"), OPEN),
        ("empty.model", Some(""), "error: the model is empty; write `Name { parameters { ... } ... }`"),
    ] {
        if let Some(text) = text {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let said = costate(folder.path(), &["check", file]);
        assert!(!said.success, "{file}");
        assert!(said.stderr.starts_with(message), "{file}: {}", said.stderr);
    }
}

/// A model reads tables and meshes from its own folder alone, unless more is allowed; what is no table is not shown.
#[test]
fn files_elsewhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(of("model/data")).unwrap();
    std::fs::create_dir(of("others")).unwrap();
    std::fs::write(of("others/curve.csv"), "x,f\n0,0\n1,2\n").unwrap();
    std::fs::write(of("model/data/curve.csv"), "x,f\n0,0\n1,2\n").unwrap();
    std::fs::write(of("others/secret"), "user,password\nroot,hunter2\n").unwrap();
    let check = |path: &str, allowed: &[&str]| {
        let text = format!(
            "S {{ tables {{ f(x: m): N = \"{path}\" }} coordinates {{ x: m }} mass {{ x: 1[kg] }} forces {{ x: -f(x) \
                 }} }}"
        );
        std::fs::write(of("model/a.model"), text).unwrap();
        costate(&of("model"), &[&["check", "a.model"], allowed].concat())
    };
    assert!(check("data/curve.csv", &[]).success);
    assert!(check("data/../data/curve.csv", &[]).success);
    let absolute = of("others/curve.csv").display().to_string();
    let mut paths = vec!["../others/curve.csv".to_owned(), absolute, "../others/nothing.csv".to_owned()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(of("others/curve.csv"), of("model/link.csv")).unwrap();
        paths.push("link.csv".to_owned());
    }
    for path in paths {
        let said = check(&path, &[]);
        assert!(!said.success && said.stderr.contains("allow its folder by `--allow-files FOLDER`"), "{}", said.stderr);
        assert_eq!(check(&path, &["--allow-files", "../others"]).success, !path.contains("nothing"));
    }
    let said = check("../others/secret", &["--allow-files", "../others"]);
    assert!(
        !said.success && said.stderr.contains("is not a number") && !said.stderr.contains("root"),
        "{}",
        said.stderr
    );
}
