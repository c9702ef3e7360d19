//! `costate profiles`.

use std::fs;

use super::bench::measured_folder;
use super::support::costate;

const PROFILES: &str = "profiles mount.rs --model EngineMount --record bench.csv --unknown c_e1,d_e --of d_e";

#[test]
fn intervals_contain_the_truth_and_are_drawn() {
    let folder = measured_folder();
    for output in ["profiles.html", "profiles.svg"] {
        let said = costate(folder.path(), &format!("{PROFILES} --level 0.99 -o {output} --json"));
        assert!(said.success, "{}{}", said.stdout, said.stderr);
        let answer = said.json();
        let [profile] = &answer["profiles"].as_array().unwrap()[..] else { unreachable!("{answer}") };
        assert_eq!((&profile["name"], &answer["level"]), (&"d_e".into(), &0.99.into()));
        let end = |k: usize| profile["interval"][k]["at"].as_f64().unwrap();
        assert!(end(0) < 5.0 && 5.0 < end(1), "{profile}");
        assert_eq!(profile["identifiability"], "identifiable");
        let drawn = fs::read_to_string(folder.path().join(output)).unwrap();
        assert!(drawn.contains("<svg") && drawn.contains("standard deviations"));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left beside the files");
}

/// A campaign has its profiles, and the file that they are drawn in.
#[test]
fn profiles_of_a_campaign() {
    let folder = measured_folder();
    let campaign = "model = { file = \"mount.rs\", name = \"EngineMount\" }\nunknowns = { c_e1 = {}, d_e = {} }\n\
        profiles = { of = [\"c_e1\"], points = 12 }\noutput = { profiles = \"drawn.svg\" }\n[[experiment]]\nrecord \
        = \"bench.csv\"\n";
    fs::write(folder.path().join("campaign.toml"), campaign).unwrap();
    let said = costate(folder.path(), "profiles campaign.toml");
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("c_e1") && !said.stdout.contains("d_e"), "{}", said.stdout);
    assert!(said.stdout.ends_with("diagrams: `drawn.svg`\n"), "{}", said.stdout);
    assert!(fs::read_to_string(folder.path().join("drawn.svg")).unwrap().contains("c_e1: identifiable"));
}

#[test]
fn mistakes() {
    let folder = measured_folder();
    for (more, code, message) in [
        ("--of c_h", 1, "there is no unknown `c_h` (unknowns: c_e1, d_e)"),
        ("--level 1.5", 1, "the confidence level 1.5 is not between 0 and 1"),
        ("-o profiles.pdf", 2, "`profiles.pdf` has an ending that is no format here; write `.html` or `.svg`"),
    ] {
        costate(folder.path(), &format!("{PROFILES} {more}")).refuses(code, message);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no state is left");
}
