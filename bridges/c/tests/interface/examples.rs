//! The examples in C: compiled, run, and what they print.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::header::{installed, library};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles an example against the shared library.
fn compiled(example: &str, into: &Path) -> Option<PathBuf> {
    let library = library();
    let program = into.join(example);
    let mut compiler = installed("cc")?;
    compiler.args(["-std=c89", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-I"]).arg(folder().join("include"));
    compiler.arg(folder().join(format!("examples/{example}.c"))).arg("-o").arg(&program);
    compiler.arg(&library).arg(format!("-Wl,-rpath,{}", library.parent().unwrap().display())).arg("-lm");
    let output = compiler.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

/// Runs an example with the model of the mount; `None` without a compiler.
fn said(example: &str) -> Option<String> {
    let into = tempfile::tempdir().unwrap();
    let program = compiled(example, into.path())?;
    let output = Command::new(program).arg(folder().join("examples/mount.model")).output().unwrap();
    let (out, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{out}{error}");
    Some(out)
}

#[test]
fn a_run_prints_a_table() {
    let Some(said) = said("run") else { return };
    assert!(said.starts_with("Mount: A machine on a mount that hardens.\nm [kg] Mass of the machine.\n"), "{said}");
    let run = {
        use super::calls::{MOUNT, made, model, simulation};
        let of_steps = simulation(model(MOUNT), 5e-4, 1000, &[|t| 500.0 * (60.0 * t * t).sin()]);
        made(unsafe { costate_c::run::costate_simulation_run(of_steps) })
    };
    // the program has a cubic spline in the place of straight lines, whose values at steps are the same
    let position =
        super::calls::numbers(1001, |to, count| unsafe { costate_c::run::costate_run_output(run, 0, to, count) });
    for (time, step) in [("0.05", 100), ("0.10", 200), ("0.25", 500), ("0.50", 1000)] {
        let line = said.lines().find(|line| line.starts_with(&format!("{time} "))).unwrap();
        let found: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!((found - position[step]).abs() <= 1e-6 * found.abs(), "{line} {}", position[step]);
    }
    assert!(said.contains("1000 steps, error") && said.contains("order 2"), "{said}");
}

#[test]
fn an_identification_finds_the_parameters() {
    let Some(said) = said("identify") else { return };
    assert!(said.ends_with("found: c = 100000.000 N/m, d = 40.000000 N*s/m\n"), "{said}");
}

#[test]
fn a_gradient_through_a_control_loop_is_that_of_differences() {
    let Some(said) = said("control") else { return };
    assert!(said.ends_with("they agree\n") && said.lines().count() == 7, "{said}");
}

#[test]
fn an_example_without_a_model_says_why_it_ends() {
    let into = tempfile::tempdir().unwrap();
    let Some(program) = compiled("run", into.path()) else { return };
    let output = Command::new(program).arg("/no/such/file.model").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/file.model"));
}
