//! The map of the gas pressure: the shipped file is that of the documented cycle, which is a plausible engine's.
//!
//! After a change of the cycle, `COSTATE_UPDATE=1 cargo test -p costate-published-tests pressure_map` writes the file
//! again.

use costate::table::{Extension, Surface};
use costate::{Model, Simulation};
use costate_models::MappedEngine;
use costate_models::four_cylinder_engine::Cycle;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/data/cylinder_pressure.csv");

#[test]
fn the_shipped_map_is_the_cycles() {
    let map = Cycle::default().map();
    if std::env::var_os("COSTATE_UPDATE").is_some() {
        std::fs::write(FILE, &map).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(FILE).unwrap(),
        map,
        "run `COSTATE_UPDATE=1 cargo test -p costate-published-tests pressure_map`"
    );
}

#[test]
fn the_model_has_it() {
    let shipped = MappedEngine::tables().surface(MappedEngine::PRESSURE);
    let read = Surface::read_csv(FILE, [Extension::Clamped, Extension::Periodic]).unwrap();
    for (speed, angle) in [(1500.0, 12.0), (4333.0, 101.5), (6000.0, 719.0), (900.0, -77.0)] {
        assert_eq!(shipped.value(speed, angle), read.value(speed, angle));
    }
}

/// Without heat, compression and expansion are one polytropic change: p V^kappa stays.
#[test]
fn compression_is_polytropic() {
    let cycle = Cycle { heat: 0.0, ..Cycle::default() };
    let pressure = cycle.pressure(3000.0);
    let constant = |angle: usize| pressure[angle] * cycle.volume(angle as f64).0.powf(cycle.kappa);
    for angle in (580..720).chain(0..132) {
        assert!((constant(angle) / constant(0) - 1.0).abs() < 1e-8, "{angle}");
    }
}

/// Energy: with kappa constant, the heat is the work plus the change of p V/(kappa - 1).
#[test]
fn the_first_law_holds() {
    let cycle = Cycle::default();
    for speed in [1500.0, 4000.0, 6000.0] {
        let pressure = cycle.pressure(speed);
        let at = |angle: i32| pressure[angle.rem_euclid(720) as usize];
        let (first, last) = (-140, 132);
        // Simpson's rule.
        let work: f64 = (first..last)
            .step_by(2)
            .map(|a| {
                let p_dv = |a: i32| at(a) * cycle.volume(f64::from(a)).1;
                (p_dv(a) + 4.0 * p_dv(a + 1) + p_dv(a + 2)) / 3.0
            })
            .sum();
        let energy = |a: i32| at(a) * cycle.volume(f64::from(a)).0 / (cycle.kappa - 1.0);
        let heat = cycle.heat * cycle.displacement() * cycle.volumetric_efficiency(speed);
        let released = work + energy(last) - energy(first);
        assert!((released / heat - 1.0).abs() < 1e-6, "{speed}: {released} of {heat} J");
    }
}

#[test]
fn peak_and_mean_effective_pressure_are_plausible() {
    let cycle = Cycle::default();
    for speed in [1500.0, 3000.0, 4500.0, 6000.0] {
        let pressure = cycle.pressure(speed);
        let peak = pressure.iter().copied().fold(0.0, f64::max);
        let angle = pressure.iter().position(|p| *p == peak).unwrap();
        assert!((45e5..75e5).contains(&peak), "{speed}: {peak}");
        assert!((10..25).contains(&angle), "{speed}: {angle}");
        let work: f64 = (0..720).map(|a| pressure[a] * cycle.volume(a as f64).1).sum();
        let mean = work / cycle.displacement();
        assert!((7e5..12e5).contains(&mean), "{speed}: {mean}");
        // The steps of the changes of charge are small.
        assert!(pressure.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 3e5));
        assert_eq!(pressure[0], pressure[720]);
    }
}

/// The file's corner has units of the arguments alone: the values are taken in that of the table, and a run says so.
#[test]
fn values_without_a_unit_are_said() {
    let model = MappedEngine::start();
    let simulation = Simulation::new(&model).input(MappedEngine::Q_RUN, 0.0).input(MappedEngine::V_RUN, 0.0);
    let problem = simulation.step(1e-4).until(1e-3).problem().unwrap();
    let assumed: Vec<_> = problem.assumed_units().iter().map(|of| (of.source.as_str(), of.unit.as_str())).collect();
    assert_eq!(assumed, [("data/cylinder_pressure.csv", "bar")]);
}
