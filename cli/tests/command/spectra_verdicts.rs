//! Causes of bad fits to signals together with spectra.

use std::fmt::Write;
use std::path::Path;

use crate::support::costate;
use crate::verdicts::{Noise, found};

/// A mount that is driven slowly and by a sweep.
const MOUNT: &str = "Mount { parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 60 } inputs { drive: N }
    coordinates { x: m } mass { x: m } forces { x: drive - c*x - d*dot(x) }
    outputs { acceleration: m/s^2 = ddot(x), place: mm = x } }";

/// A folder with the mount and its record, and the drive.
fn mount() -> (tempfile::TempDir, &'static str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.model"), MOUNT).unwrap();
    let drive = "drive=200*sin(pi*t) + 100*sin(2*pi*(2*t + 3*t^2))";
    let run = ["run", "m.model", "--until", "4", "--step", "2.5e-4", "-i", drive, "-o", "run.csv"];
    assert!(costate(folder.path(), &run).success);
    let mut noise = Noise::of(7);
    let run = std::fs::read_to_string(folder.path().join("run.csv")).unwrap();
    let mut record = "time [s],acceleration [m/s^2],place [mm]\n".to_owned();
    for line in run.lines().skip(1).step_by(4) {
        let numbers: Vec<f64> = line.split(',').filter_map(|number| number.parse().ok()).collect();
        let [t, a, x]: [f64; 3] = numbers.try_into().unwrap();
        writeln!(record, "{t},{},{}", a + 0.3 * noise.normal(), x + 0.3 * noise.normal()).unwrap();
    }
    std::fs::write(folder.path().join("r.csv"), record).unwrap();
    (folder, drive)
}

/// Writes the campaign of a fit to the place and to the spectrum of the acceleration in this band.
fn with_spectrum(folder: &Path, drive: &str, start: &str, band: &str) {
    let campaign = format!(
        "[model]\nfile = \"m.model\"\n[parameters]\nc = {start}\n[run]\nstep = 2.5e-4\nend = 4.0\n[unknowns.c]\n\
         [unknowns.d]\n[measured.place]\n[[experiment]]\nrecord = \"r.csv\"\n[experiment.inputs]\n\
         {}\n[[experiment.spectra]]\noutput = \"acceleration\"\nband = {band}\nform = \"decibels\"\n",
        drive.replacen('=', " = \"", 1) + "\""
    );
    std::fs::write(folder.join("c.toml"), campaign).unwrap();
}

/// Lines of a spectrum that are noise of the sensor contradict the place, and not the model.
#[test]
fn spectra_of_noise_are_blamed_and_not_the_model() {
    let (folder, drive) = mount();
    with_spectrum(folder.path(), drive, "105e3", "[2, 60]");
    let said = costate(folder.path(), &["fit", "c.toml"]);
    assert!(said.stdout.contains("a fit without spectra and other costs leaves only noise of it"), "{}", said.stdout);
    assert!(said.code == Some(3) && !said.stdout.contains("the model is incomplete"), "{}", said.stdout);
}

/// Spectra have minima of their own where lines of a resonance lie beside each other.
#[test]
fn a_spectrum_does_not_keep_a_fit_at_a_wrong_minimum() {
    let (folder, drive) = mount();
    for start in ["20e3", "180e3"] {
        with_spectrum(folder.path(), drive, start, "[2, 24]");
        // a fit takes many seconds
        if start == "20e3" {
            let said = costate(folder.path(), &["fit", "c.toml"]);
            let words = "fitted without spectra and other costs, and then with them, which is better";
            assert!(said.stdout.contains(words), "{}", said.stdout);
        }
        let fit = costate(folder.path(), &["fit", "c.toml", "--json"]).json()["fit"].clone();
        assert!((found(&fit, 0) / 100e3 - 1.0).abs() < 2e-3, "{start}: {fit}");
        assert!((found(&fit, 1) / 60.0 - 1.0).abs() < 0.1, "{start}: {fit}");
    }
}
