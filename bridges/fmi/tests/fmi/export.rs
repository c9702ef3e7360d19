//! Exported files: every model of `models`, and what is in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use costate::table::{Curve, Extension};
use costate_fmi::Status;

use super::support::{CRANK, Fmu, MOUNT, export, has_logged, value};

/// Models with tables whose data a run is given.
const GIVEN_TABLES: [&str; 5] = ["HalfCar", "SwingArm", "CoupledOscillator", "IdentifiedOscillator", "IdentifiedPlate"];

#[test]
fn every_model_exports() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/src");
    let mut files = Vec::new();
    for folder in [source.clone(), source.join("restoring_force"), source.join("four_cylinder_engine")] {
        files.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    let mut exported = 0;
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
        let Ok(file) = costate::command::ModelFile::read(path) else { continue };
        for name in file.names() {
            let folder = tempfile::tempdir().unwrap();
            if GIVEN_TABLES.contains(&name.as_str()) {
                continue;
            }
            let (said, _) = export(folder.path(), path, &["--model", &name]);
            assert!(said.contains("and Model Exchange with"), "{name}: {said}");
            let fmu = Fmu::of(folder, path, &["--model", &name]);
            check_structure(&fmu);
            let instance = fmu.co_simulation().initialized(false);
            assert_eq!(instance.step(0.0, 1e-3), Status::Ok, "{name}");
            exported += 1;
        }
    }
    assert_eq!(exported, 21);
}

/// Checks the sets of unknowns that the standard wants.
fn check_structure(fmu: &Fmu) {
    let of = |element: &str| -> BTreeSet<u32> {
        let lines = fmu.description.lines().filter(|line| line.contains(&format!("<{element} ")));
        lines.map(|line| value(line, "valueReference").parse().unwrap()).collect()
    };
    let set = |part: &str| -> BTreeSet<u32> { fmu.references(part).into_iter().collect() };
    let (outputs, derivatives) = (set("causality=\"output\""), set(" derivative=\""));
    assert_eq!(of("Output"), outputs);
    assert_eq!(of("ContinuousStateDerivative"), derivatives);
    assert_eq!(of("InitialUnknown"), outputs.union(&derivatives).copied().collect());
    let all = fmu.references("<Float64 ");
    assert!(all.iter().enumerate().all(|(place, &reference)| place == reference as usize));
}

#[test]
fn tables_go_with_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/src/half_car.rs");
    let data = folder.path().join("damper.csv");
    fs::write(&data, "speed [m/s],damper [kN]\n-1,-3\n0,0\n1,5\n").unwrap();
    let option = format!("damper={}", data.display());
    let fmu = Fmu::of(folder, &path, &["--model", "HalfCar", "--table", &option]);
    check_structure(&fmu);
    let packed = fmu.folder.path().join("unpacked/resources/tables/0.csv");
    let text = fs::read_to_string(&packed).unwrap();
    fs::write(&packed, text.replace("5", "6")).unwrap();
    assert_eq!(fmu.model_exchange().0, 0);
    assert!(has_logged("`damper`") && has_logged("was changed after the export"));
    fs::write(&packed, text).unwrap();
    let instance = fmu.model_exchange().initialized(true);
    let reference = |name: &str| fmu.references(&format!("name=\"{name}\""));
    let [speed, acceleration, mass] = ["dot(z_front)", "ddot(z_front)", "m_w"].map(reference);
    assert_eq!(instance.set(&speed, &[-0.5]), Status::Ok);
    // the damper, in kN, gets longer by 0.5 m/s, and the tyre damps
    let curve = Curve::read_csv(fmu.folder.path().join("damper.csv"), Extension::default()).unwrap();
    let expected = (1e3 * curve.value(0.5) + 0.5 * 120.0) / instance.get(&mass)[0];
    let found = instance.get(&acceleration)[0];
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn variables_have_units_and_start_values() {
    let fmu = Fmu::of_text(MOUNT, &["-p", "c=80[N/mm]"]);
    let line = |name: &str| {
        let wanted = format!("<Float64 name=\"{name}\" ");
        fmu.description.lines().find(|line| line.contains(&wanted)).unwrap().to_owned()
    };
    assert_eq!(value(&line("c"), "start"), "80000.0");
    assert_eq!(value(&line("m"), "description"), "Mass of the machine.");
    assert_eq!(value(&line("c"), "variability"), "tunable");
    // 1 mm
    assert_eq!(value(&line("x"), "start"), "0.001");
    assert_eq!(value(&line("dot(x)"), "unit"), "m/s");
    assert_eq!(value(&line("ddot(x)"), "derivative"), value(&line("dot(x)"), "valueReference"));
    for unit in [
        "<Unit name=\"N/m\"><BaseUnit kg=\"1\" s=\"-2\"/></Unit>",
        "<Unit name=\"mm\"><BaseUnit m=\"1\" factor=\"0.001\"/></Unit>",
        "<Unit name=\"m/s^2\"><BaseUnit m=\"1\" s=\"-2\"/></Unit>",
    ] {
        assert!(fmu.description.contains(unit), "{unit}: {}", fmu.description);
    }
}

#[test]
fn units_hold_pages_licences_and_the_header() {
    let fmu = Fmu::of_text(CRANK, &[]);
    let folder = fmu.folder.path().join("unpacked");
    for file in [
        "documentation/index.html",
        "documentation/licenses/license.txt",
        "extra/org.costate/costate.h",
        "resources/model.model",
        "resources/costate.json",
    ] {
        assert!(fs::metadata(folder.join(file)).unwrap().len() > 0, "{file}");
    }
    let packed = fs::metadata(fmu.folder.path().join("model.fmu")).unwrap().len();
    assert!(packed < 15_000_000, "{packed} bytes");
    let again = tempfile::tempdir().unwrap();
    let (_, second) = export(again.path(), &fmu.folder.path().join("given.model"), &[]);
    let first = fs::read(fmu.folder.path().join("model.fmu")).unwrap();
    assert!(first == fs::read(second).unwrap(), "the same model makes other bytes");
}
