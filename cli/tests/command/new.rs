//! `costate new`: the crate builds and runs.

use std::path::Path;

use super::support::{checkout, costate, run};

#[test]
fn a_crate_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout();
    let path = checkout.to_str().unwrap();
    let said = costate(folder.path(), &["new", "my-pendulum", "--path", path]);
    assert!(said.success, "{}", said.stderr);
    let runtime = checkout.join("runtime");
    assert_eq!(
        said.stdout,
        format!(
            "`my-pendulum` is ready: cd my-pendulum, then cargo run --release\nIt takes costate from `{}`.\n",
            runtime.display()
        )
    );
    let new = folder.path().join("my-pendulum");
    let printed = run(&new);
    // Angle at t = 0, and the damping that is found.
    assert!(printed.contains("      0.0         20.000"), "{printed}");
    let found = printed.lines().find(|line| line.starts_with("  d ")).unwrap_or_default();
    let numbers: Vec<f64> = found.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // the values of a line are start, found value, its deviation
    let [_, value, deviation, ..] = numbers[..] else { panic!("{printed}") };
    assert!((value - 0.01).abs() < 4.0 * deviation && deviation < 1e-4, "{printed}");
    assert!(printed.contains("the model is sufficient"), "{printed}");
    assert!(!printed.contains("take a smaller step") && !printed.contains("short enough"), "{printed}");
    // What the README says.
    let readme = std::fs::read_to_string(new.join("README.md")).unwrap();
    assert!(readme.starts_with("# my-pendulum\n"), "{readme}");
    assert!(costate(&new, "check src/model.rs").success);
    assert!(costate(&new, "report src/model.rs -o model.html").success);

    let said = costate(folder.path(), &["new", "my-pendulum", "--path", path]);
    assert!(!said.success);
    assert_eq!(said.stderr, "error: `my-pendulum` exists already; choose another name, nothing is overwritten\n");
}

#[test]
fn names_and_paths() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "9lives", "a b", "fn", "../up", "über"] {
        let said = costate(folder.path(), &["new", name]);
        assert!(!said.success, "{name}");
        assert!(said.stderr.starts_with(&format!("error: `{name}` is not a valid crate name; ")), "{}", said.stderr);
    }
    for (name, why) in
        [("build", "Cargo has a folder"), ("std", "a crate of Rust"), ("costate", "depends on"), ("con", "Windows")]
    {
        let said = costate(folder.path(), &["new", name]);
        assert!(!said.success && said.stderr.contains(why), "{name}: {}", said.stderr);
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    let said = costate(folder.path(), "new engine --path nowhere");
    assert!(!said.success);
    assert!(said.stderr.starts_with("error: `nowhere` does not contain costate; "), "{}", said.stderr);
    assert!(!folder.path().join("engine").exists());
}

/// Without a path, the crate depends on the source that the command was built from.
#[test]
fn depends_on_the_source_of_this_command() {
    let folder = tempfile::tempdir().unwrap();
    let said = costate(folder.path(), "new engine");
    assert!(said.success, "{}", said.stderr);
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("runtime");
    assert!(said.stdout.ends_with(&format!("It takes costate from `{}`.\n", runtime.display())), "{}", said.stdout);
    let manifest = std::fs::read_to_string(folder.path().join("engine/Cargo.toml")).unwrap();
    let dependency =
        format!("\ncostate = {{ path = \"{}\", features = [\"interpreted-models\"] }}\n", runtime.display());
    assert!(manifest.contains(&dependency), "{manifest}");
    assert!(runtime.join("src/lib.rs").is_file());
}

/// The profile of a new crate is the one that the front page of the documentation advises.
#[test]
fn one_profile() {
    let read = |file: &str| std::fs::read_to_string(checkout().join(file)).unwrap();
    let manifest = read("cli/templates/Cargo.toml.txt");
    let profile: Vec<_> = manifest.lines().skip_while(|line| !line.starts_with("# Debug builds")).collect();
    assert!(profile.iter().filter(|line| line.contains(".opt-level = ")).count() == 5, "{manifest}");
    let profile = profile.join("\n");
    let front_page = read("runtime/src/lib.rs").replace("//! ", "").replace("//!", "");
    assert!(front_page.contains(&profile));
}
