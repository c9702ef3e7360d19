//! `costate gradient`.

use serde_json::Value;

use super::support::{OSCILLATOR, Said, costate, folder_with, number, position, refused};

const RUN: &str = "gradient model.rs --until 1 --step 5e-4";

fn gradient(arguments: &str) -> Said {
    costate(folder_with(OSCILLATOR).path(), &format!("{RUN} {arguments}"))
}

fn found(arguments: &str) -> Value {
    let said = gradient(&format!("{arguments} --json"));
    assert!(said.success, "{}", said.stderr);
    said.json()
}

/// The place at the end is proportional to the one at the start, and does not change where mass, stiffness and damping
/// grow together.
#[test]
fn derivatives_of_the_end() {
    let all = found("--cost end(position)");
    assert!((number(&all["cost"]["value"]) - 0.1 * position(1.0)).abs() < 2e-5, "{all}");
    assert_eq!((&all["cost"]["unit"], &all["agrees"]), (&"m".into(), &true.into()));
    let entries = all["gradient"].as_array().unwrap();
    let names: Vec<&str> = entries.iter().map(|entry| entry["parameter"].as_str().unwrap()).collect();
    assert_eq!(names, ["m", "c", "d", "x_0"]);
    assert!((number(&entries[3]["derivative"]) - position(1.0)).abs() < 2e-4, "{all}");
    assert!((number(&entries[3]["relative"]) - 1.0).abs() < 1e-9);
    let sum: f64 = entries[..3].iter().map(|entry| number(&entry["relative"])).sum();
    assert!(sum.abs() < 1e-7 && number(&entries[1]["relative"]).abs() > 0.1, "{sum}");
    assert!(number(&all["largest_difference"]) < 1e-9);
    assert_eq!(entries[1]["unit"], "m/(N/m)");
}

/// The integral of the velocity is the way, also of a part that is written with units.
#[test]
fn integrals() {
    let way = found("--cost 'integral(velocity + 1[mm/s])' --by x_0");
    let wanted = 0.1 * (position(1.0) - 1.0) + 1e-3;
    assert!((number(&way["cost"]["value"]) - wanted).abs() < 3e-5, "{way}");
    assert_eq!((&way["cost"]["unit"], way["gradient"].as_array().unwrap().len()), (&"m".into(), 1));
    let (short, long) = (found("--cost position --by c"), found("--cost integral(position^2) --by c"));
    assert_eq!((&short["cost"], &short["gradient"]), (&long["cost"], &long["gradient"]));
    assert_eq!(short["cost"]["unit"], "m^2*s");
}

#[test]
fn for_people() {
    let said = gradient("--cost position --by c,d");
    assert!(said.success, "{}", said.stderr);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(lines[2].starts_with("cost integral(position^2): ") && lines[2].ends_with(" m^2*s"), "{}", said.stdout);
    assert!(lines[4].starts_with("c ") && lines[5].starts_with("d "), "{}", said.stdout);
    assert!(lines[6].starts_with("the gradient agrees with dual numbers"), "{}", said.stdout);
}

#[test]
fn mistakes() {
    let folder = folder_with(OSCILLATOR);
    let cases = [
        ("--cost place", 1, "error: model `Oscillator` has no output `place`"),
        ("--cost position^2", 2, "error: invalid value 'position^2' for '--cost <COST>': write the name of an output"),
        ("--cost end(position)+end(velocity)", 2, "error: invalid value"),
        ("--cost 'end(position + velocity)'", 1, "error: this has the unit `m/s`, but "),
        ("--cost end(place)", 1, "error: unknown name `place`"),
        ("--cost position --by c,k", 1, "error: model `Oscillator` has no parameter `k`"),
        ("--cost position --by c,c", 1, "error: `c` is named twice in `--by`; name it once"),
        ("", 2, "error: the following required arguments were not provided:\n  --cost <COST>"),
    ];
    refused(folder.path(), RUN, &cases);
}

/// A step that is too long makes the gradient of its run doubtful, however exact it is.
#[test]
fn a_run_that_is_not_accurate() {
    let folder = folder_with(OSCILLATOR);
    let run = "gradient model.rs --until 1 --step 0.05 --cost position --by c";
    let said = costate(folder.path(), run);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(said.stdout.lines().last().is_some_and(|line| line.starts_with("doubtful: ")), "{}", said.stdout);
    assert_eq!(costate(folder.path(), &format!("{run} --error-limit 10")).code, Some(0));
}
