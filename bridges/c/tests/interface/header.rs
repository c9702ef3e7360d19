//! The header: its functions are those of the library, and C of 1989 reads it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use costate_c::boundary::Status;
use costate_c::version::ABI;

const HEADER: &str = include_str!("../../include/costate.h");

const SOURCES: [&str; 6] = [
    include_str!("../../src/version.rs"),
    include_str!("../../src/model.rs"),
    include_str!("../../src/simulation.rs"),
    include_str!("../../src/run.rs"),
    include_str!("../../src/cost.rs"),
    include_str!("../../src/stepper.rs"),
];

/// The shared library that cargo has built beside the tests.
pub fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let deps = program.parent().unwrap();
    let name = format!("{}costate_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let places = [deps.join(&name), deps.parent().unwrap().join(&name)];
    let found = places.iter().filter_map(|path| Some((std::fs::metadata(path).ok()?.modified().ok()?, path)));
    found.max().map(|(_, path)| path.clone()).unwrap_or_else(|| panic!("none of {places:?} is there"))
}

/// Returns a command if it is installed, and says it if not.
pub fn installed(name: &str) -> Option<Command> {
    if Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(Command::new(name));
    }
    println!("`{name}` is not installed: left out");
    None
}

/// The functions that the header declares, with their parameters.
fn declared() -> Vec<(String, Vec<String>)> {
    let mut code = String::new();
    let mut rest = HEADER;
    while let Some(from) = rest.find("/*") {
        code.push_str(&rest[..from]);
        rest = &rest[from + rest[from..].find("*/").unwrap() + 2..];
    }
    code.push_str(rest);
    let lines: Vec<&str> = code.lines().filter(|line| !line.starts_with('#')).collect();
    let code = lines.join(" ");
    let functions = code.split(';').filter(|part| part.contains('('));
    let function = |part: &str| {
        let (head, parameters) = part.split_once('(').unwrap();
        let name = head.rsplit([' ', '*']).next().unwrap().to_owned();
        let parameters = parameters.trim_end().trim_end_matches(')').split(',');
        let parameters = parameters.map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "));
        (name, parameters.filter(|one| one != "void").collect())
    };
    functions.map(function).collect()
}

/// The functions of the sources, with their parameters.
fn written() -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for source in SOURCES {
        for part in source.split("fn costate_").skip(1) {
            let (name, rest) = part.split_once('(').unwrap();
            let (parameters, _) = rest.split_once(") ->").unwrap();
            let parameters = parameters.split(',').map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "));
            all.push((format!("costate_{name}"), parameters.filter(|one| !one.is_empty()).collect()));
        }
    }
    all
}

/// The type of C of a parameter in Rust, a pattern of its declaration.
fn is_same(c: &str, rust: &str) -> bool {
    let (name, kind) = rust.split_once(": ").unwrap();
    let expected = match kind {
        "Text" => format!("const char *{name}"),
        "In" => format!("const double *{name}"),
        "In<usize>" => format!("const size_t *{name}"),
        "Out" => format!("double *{name}"),
        "usize" => format!("size_t {name}"),
        "f64" => format!("double {name}"),
        "c_int" => format!("int {name}"),
        "*mut c_void" => format!("costate_{name} *{name}"),
        _ => panic!("{rust}"),
    };
    c == expected
}

#[test]
fn functions_and_parameters_are_those_of_the_sources() {
    let (declared, written) = (declared(), written());
    let names = |all: &[(String, Vec<String>)]| all.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    assert!(declared.len() > 60);
    assert_eq!(names(&declared), names(&written));
    for (name, parameters) in &declared {
        let (_, own) = written.iter().find(|(own, _)| own == name).unwrap();
        assert_eq!(parameters.len(), own.len(), "{name}");
        for (c, rust) in parameters.iter().zip(own) {
            assert!(is_same(c, rust), "{name}: {c} and {rust}");
        }
    }
}

#[test]
fn the_library_exports_what_the_header_declares() {
    let Some(mut nm) = installed("nm") else { return };
    let output = nm.args(["-D", "--defined-only"]).arg(library()).output().unwrap();
    let symbols = String::from_utf8(output.stdout).unwrap();
    let exported: BTreeSet<&str> = symbols.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    let declared = declared();
    let expected: BTreeSet<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(exported, expected);
}

#[test]
fn every_function_says_its_threads() {
    for (name, _) in declared() {
        let at = HEADER.find(&format!("{name}(")).unwrap();
        let comment = &HEADER[HEADER[..at].rfind("/*").unwrap()..at];
        assert!(comment.contains("Threads: any"), "{name}");
    }
}

#[test]
fn numbers_are_those_of_the_library() {
    assert!(HEADER.contains(&format!("#define COSTATE_ABI {ABI}\n")));
    assert!(HEADER.contains(concat!("#define COSTATE_VERSION \"", env!("CARGO_PKG_VERSION"), "\"\n")));
    for (name, status) in [
        ("OK", Status::Ok),
        ("ERROR_ARGUMENT", Status::Argument),
        ("ERROR_HANDLE", Status::Handle),
        ("ERROR_MODEL", Status::Model),
        ("ERROR_NAME", Status::Name),
        ("ERROR_DATA", Status::Data),
        ("ERROR_SIMULATION", Status::Simulation),
        ("ERROR_VERSION", Status::Version),
        ("ERROR_DEFECT", Status::Defect),
    ] {
        assert!(HEADER.contains(&format!("#define COSTATE_{name} {}\n", status as i32)), "{name}");
    }
}

#[test]
fn compilers_of_c_and_cpp_read_it_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (compiler, language, standard) in
        [("cc", "c", "-std=c89"), ("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++11")]
    {
        let Some(mut compiler) = installed(compiler) else { continue };
        let output = compiler
            .args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", language])
            .arg(folder.join("include/costate.h"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
