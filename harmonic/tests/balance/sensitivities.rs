//! Derivatives with respect to parameters against differences of responses with other parameters.
//!
//! A balance converges to rounding, so that central differences with steps h, h/2 and h/4, extrapolated twice, reach 1e-9: they leave an error
//! of the order h^6.

use costate_harmonic::{HarmonicBalance, Motion};
use costate_interpreter::LoadedModel;
use costate_simulation::Simulation;
use nalgebra::Complex;

use crate::models::{DUFFING, MOUNT, load, simulation};

type Define = dyn Fn(&Simulation) -> HarmonicBalance;
type Value = dyn Fn(&Motion) -> Complex<f64>;

/// The derivative by differences, and the size that its rounding errors are compared with.
fn by_differences(
    model: LoadedModel,
    (name, frequency): (&str, f64),
    define: &Define,
    value: &Value,
) -> Complex<f64> {
    let parameter = model.parameter(name).unwrap();
    let own = model.defaults()[parameter.index()].unwrap();
    let at = |relative: f64| {
        let other = simulation(model).parameter(parameter, own * (1.0 + relative));
        let response = define(&other).stability(false).response(&[frequency]).unwrap();
        value(&response.curves[0].motions[0])
    };
    let difference = |h: f64| (at(h) - at(-h)) / (2.0 * h * own);
    let h = 4e-3;
    let [first, second, third] = [h, h / 2.0, h / 4.0].map(difference);
    let [one, two] = [(second * 4.0 - first) / 3.0, (third * 4.0 - second) / 3.0];
    (two * 16.0 - one) / 15.0
}

fn check(model: LoadedModel, frequency: f64, names: &[&str], define: &Define) {
    let parameters = names.iter().map(|name| model.parameter(name).unwrap());
    let balance = define(&simulation(model)).sensitivities(parameters);
    let response = balance.response(&[frequency]).unwrap();
    let motion = &response.curves[0].motions[0];
    for name in names {
        let parameter = model.parameter(name).unwrap();
        let own = model.defaults()[parameter.index()].unwrap();
        for output in model.description().outputs {
            let output = model.output(output.name).unwrap();
            for k in [0, 1, 3] {
                let exact = motion.harmonic_by(output, k, parameter).unwrap();
                let size = motion.harmonic(output, 1).unwrap().norm();
                let found = by_differences(model, (name, frequency), define, &move |motion| {
                    motion.harmonic(output, k).unwrap()
                });
                let error = (exact - found).norm() * own;
                assert!(
                    error < 1e-9 * size.max(exact.norm() * own),
                    "{name} {output:?} {k}: {exact} {found} {size}"
                );
            }
        }
    }
}

#[test]
fn a_given_drive() {
    let model = load(DUFFING);
    let drive = model.input("drive").unwrap();
    check(model, 0.2, &["m", "d", "c", "c_3"], &move |simulation| {
        HarmonicBalance::new(simulation).input(drive, [0.1]).mean(0.05)
    });
}

#[test]
fn the_mount() {
    let model = load(MOUNT);
    let drive = model.input("drive").unwrap();
    check(model, 20.0, &["c_e2", "d_h2", "a", "m_l", "c_h"], &move |simulation| {
        HarmonicBalance::new(simulation).input(drive, [500.0])
    });
}

#[test]
fn a_controlled_displacement() {
    let model = load(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    for mean in [None, Some(1e-4)] {
        let define = move |simulation: &Simulation| {
            let balance = HarmonicBalance::new(simulation).controlled(displacement, drive, [1e-3]);
            if let Some(mean) = mean { balance.mean(mean) } else { balance }
        };
        let names = ["c_e2", "d_h2", "a"];
        let parameters = names.map(|name| model.parameter(name).unwrap());
        let response = define(&simulation(model)).sensitivities(parameters).response(&[12.0]).unwrap();
        let motion = &response.curves[0].motions[0];
        for (name, parameter) in names.into_iter().zip(parameters) {
            let exact = motion.stiffness_by(drive, displacement, parameter).unwrap();
            let found = by_differences(model, (name, 12.0), &define, &move |motion| {
                motion.stiffness(drive, displacement).unwrap().value
            });
            let own = model.defaults()[parameter.index()].unwrap();
            let size = motion.stiffness(drive, displacement).unwrap().magnitude();
            let error = (exact - found).norm() * own;
            assert!(error < 1e-9 * size.max(exact.norm() * own), "{name}: {exact} {found}");
        }
    }
}
