//! Models with thousands of mistakes, and very long lines: messages within a moment.

use std::fmt::Write;
use std::fs;
use std::time::Instant;

use super::support::costate;

/// Time in s for one call, with room for a busy machine; without limits, calls take minutes.
const LONGEST: f64 = 10.0;

fn model(outputs: &str) -> String {
    format!(
        "pub A {{ parameters {{ p: m = 1 }} coordinates {{ q: m }} mass {{ q: 1[kg] }} forces {{ q: -1[N/m]*q*p/p }} \
             outputs {{ {outputs} }} }}"
    )
}

#[test]
fn the_first_errors_are_shown_and_the_others_counted() {
    let folder = tempfile::tempdir().unwrap();
    for separator in [", ", ",\n"] {
        let mut outputs = String::new();
        for i in 0..4000 {
            write!(outputs, "z{i}: m = undefined_{i}{separator}").unwrap();
        }
        fs::write(folder.path().join("many.model"), model(&outputs)).unwrap();
        for arguments in
            [&["check", "many.model"][..], &["check", "many.model", "--json"], &["run", "many.model", "--until", "1"]]
        {
            let begin = Instant::now();
            let said = costate(folder.path(), arguments);
            let seconds = begin.elapsed().as_secs_f64();
            assert!(seconds < LONGEST, "{arguments:?}: {seconds} s");
            let text = format!("{}{}", said.stdout, said.stderr);
            assert!(
                !said.success && text.contains("and 3950 more errors from here on"),
                "{arguments:?}: {:.2000}",
                text
            );
            assert!(text.contains("undefined_49`") && !text.contains("undefined_50`"), "{arguments:?}");
            assert!(text.len() < 200_000, "{arguments:?}: {} bytes", text.len());
        }
    }
}

/// The line around an error is shown, with the column in the whole line.
#[test]
fn a_part_of_a_long_line_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let many: String = (0..2000).map(|i| format!("z{i}: m = q, ")).collect();
    let others = many.replace('z', "y");
    let text = model(&format!("{many}w: m = undefined, {others}"));
    let column = text.find("undefined").unwrap() + 1;
    fs::write(folder.path().join("long.model"), &text).unwrap();
    let begin = Instant::now();
    let said = costate(folder.path(), "check long.model");
    let seconds = begin.elapsed().as_secs_f64();
    assert!(seconds < LONGEST, "{seconds} s");
    let at = said.stderr.find("unknown name `undefined`").unwrap();
    let shown: Vec<&str> = said.stderr[at..].lines().take(5).collect();
    assert!(shown[1].ends_with(&format!("long.model:1:{column}")), "{shown:?}");
    let (line, marks) = (shown[3], shown[4]);
    assert!(line.contains("... ") && line.contains("w: m = undefined, y0: m = q"), "{shown:?}");
    assert_eq!(line.find("undefined"), marks.find("^^^^^^^^^"), "{shown:?}");
    assert!(line.len() < 250, "{shown:?}");
}

#[test]
fn numbers_that_are_too_small_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (output, message) in [
        ("z: m = 1e-400*q", "`1e-400` is too small for a number of double precision"),
        ("z: m = 3e-310*q", "`3e-310` is too small for a number of double precision"),
        ("z: m = 1e-305[um]", "in SI units this is too small for a number of double precision"),
    ] {
        fs::write(folder.path().join("small.model"), model(output)).unwrap();
        let said = costate(folder.path(), "check small.model");
        assert!(!said.success && said.stderr.contains(message), "{output}: {}", said.stderr);
    }
    for output in ["z: m = 0e-400*q", "z: m = 1e-300*q", "z: m = 0.0e-500[um]"] {
        fs::write(folder.path().join("small.model"), model(output)).unwrap();
        assert!(costate(folder.path(), "check small.model").success, "{output}");
    }
    let parameter = ["run", "small.model", "--until", "1", "-p", "p=1e-400"];
    let said = costate(folder.path(), &parameter);
    assert!(said.stderr.contains("`1e-400` is too small"), "{}", said.stderr);
}
