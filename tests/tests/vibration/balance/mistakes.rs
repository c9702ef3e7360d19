//! Input without a meaningful response is refused, with a remedy.

use costate_system::interrupt::Interrupt;
use costate_vibration::harmonic::{HarmonicBalance, HarmonicError};

use super::models::DUFFING;
use crate::{loaded, simulation};

fn duffing() -> HarmonicBalance {
    let model = loaded(DUFFING);
    HarmonicBalance::new(&simulation(model)).input(model.input("drive").unwrap(), [0.1])
}

#[test]
fn numbers_out_of_range() {
    assert!(matches!(duffing().response(&[]), Err(HarmonicError::Empty { what: "frequency" })));
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = duffing().response(&[0.1, wrong]).unwrap_err();
        assert!(matches!(&error, HarmonicError::Setting(range) if range.field == "frequency"), "{error}");
        let model = loaded(DUFFING);
        let error = duffing().input(model.input("drive").unwrap(), [wrong]).response(&[0.1]).unwrap_err();
        assert!(matches!(&error, HarmonicError::Setting(range) if range.field == "amplitude"), "{error}");
    }
    let error = duffing().response(&[0.2, 0.1, 0.2]).unwrap_err();
    assert_eq!(error.to_string(), "the frequency 0.2 is given twice: give each once");
    for balance in [
        duffing().harmonics(0),
        duffing().harmonics(1000),
        duffing().samples(28),
        duffing().error_limit(f64::NAN),
        duffing().mean(f64::NAN),
    ] {
        assert!(matches!(balance.response(&[0.1]), Err(HarmonicError::Setting(_))));
    }
    let model = loaded(DUFFING);
    let nothing = HarmonicBalance::new(&simulation(model));
    assert!(matches!(nothing.response(&[0.1]), Err(HarmonicError::NoDrive { .. })));
    let wrong = simulation(model).parameter(model.parameter("c").unwrap(), f64::NAN);
    let balance = HarmonicBalance::new(&wrong).input(model.input("drive").unwrap(), [0.1]);
    assert!(balance.response(&[0.1]).is_err());
}

const TWO: &str = "Two {
    parameters { m: kg = 1, c: N/m = 10, d: N*s/m = 1 }
    inputs { drive: N, other: N }
    coordinates { x: m, y: m }
    mass { x: m, y: m }
    forces { x: drive - c*x - d*dot(x), y: -c*y - d*dot(y) }
    initial { x = 0[m], y = 0[m], dot(x) = 0[m/s], dot(y) = 0[m/s] }
    outputs { first: m = x, second: m = y, sum: N = other + x*c }
}";

#[test]
fn inputs_and_outputs_that_are_not_connected() {
    let model = loaded(TWO);
    let [drive, other] = ["drive", "other"].map(|name| model.input(name).unwrap());
    let [first, second] = ["first", "second"].map(|name| model.output(name).unwrap());
    let described = simulation(model).input(drive, 0.0).input(other, 0.0);
    let balance = HarmonicBalance::new(&described);
    let error = balance.clone().input(other, [1.0]).response(&[1.0]).unwrap_err();
    assert!(matches!(error, HarmonicError::NoEffect { input: "other" }), "{error}");
    let error = balance.clone().controlled(second, drive, [1.0]).response(&[1.0]).unwrap_err();
    assert!(matches!(error, HarmonicError::Unreachable { output: "second", input: "drive" }), "{error}");
    let response = balance.input(drive, [1.0]).response(&[1.0]).unwrap();
    let motion = &response.curves[0].motions[0];
    let error = motion.ratio(drive, second).unwrap_err();
    assert!(matches!(error, HarmonicError::NoMotion { denominator: "second", .. }), "{error}");
    let error = motion.stiffness(first, drive).unwrap_err();
    assert!(matches!(&error, HarmonicError::NotStiffness { unit, .. } if unit == "m/N"), "{error}");
    assert!(matches!(motion.stiffness(first, first), Err(HarmonicError::NotStiffness { .. })));
    assert!(matches!(motion.harmonic(first, 8), Err(HarmonicError::Missing { .. })));
    let c = model.parameter("c").unwrap();
    assert!(matches!(motion.harmonic_by(first, 1, c), Err(HarmonicError::Missing { .. })));
    let foreign = loaded(DUFFING).output("position").unwrap();
    assert!(matches!(motion.harmonic(foreign, 1), Err(HarmonicError::OtherModel(_))));
}

#[test]
fn models_without_a_periodic_response() {
    let text = DUFFING.replace("drive - c*x", "drive - c*(1 + 0.1*sin(t*2[1/s]))*x").replace("Duffing", "Driven");
    let model = loaded(&text);
    let balance = HarmonicBalance::new(&simulation(model)).input(model.input("drive").unwrap(), [0.1]);
    assert!(matches!(balance.response(&[0.1]), Err(HarmonicError::ExplicitTime { .. })));
    let text = DUFFING.replace("drive - c*x - c_3*x^3 - d*dot(x)", "drive - d*dot(x)").replace("Duffing", "Free");
    let model = loaded(&text);
    let balance = HarmonicBalance::new(&simulation(model)).input(model.input("drive").unwrap(), [0.1]);
    let error = balance.response(&[0.1]).unwrap_err();
    assert!(
        matches!(&error, HarmonicError::Undetermined { unknown, .. } if unknown == "the coordinate `x`"),
        "{error}"
    );
}

#[test]
fn too_few_harmonics_and_interruptions() {
    let model = loaded(DUFFING);
    let strong = duffing().input(model.input("drive").unwrap(), [2.0]).harmonics(1);
    let error = strong.response(&[0.08]).unwrap_err();
    assert!(matches!(error, HarmonicError::Truncated { harmonics: 1, .. }), "{error}");
    let response = strong.error_limit(None).response(&[0.08]).unwrap();
    assert!(response.curves[0].motions[0].truncation.error > 0.01);
    let interrupt = Interrupt::new();
    let stopped = simulation(model).interrupt(interrupt.clone());
    let balance = HarmonicBalance::new(&stopped).input(model.input("drive").unwrap(), [0.1]);
    interrupt.trigger();
    assert!(matches!(balance.response(&[0.1]), Err(HarmonicError::Interrupted)));
}
