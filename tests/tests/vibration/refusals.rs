use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_vibration::{Equilibrium, EquilibriumError, EquilibriumSearch, VibrationError};

use crate::{assert_near, loaded, simulation};

fn refusal(text: &str) -> EquilibriumError {
    match Equilibrium::of(&simulation(loaded(text))) {
        Err(VibrationError::Equilibrium(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_equilibrium() {
    let falling = refusal(
        "pub Falling {
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: -100[N/m]*x, y: -9.81[N] - 2[N/m]*max(y, 0[m]) }
            initial { x = 0.1[m], y = 3[m] }
        }",
    );
    assert!(matches!(&falling, EquilibriumError::NotFound { .. }), "{falling}");
    let text = falling.to_string();
    assert!(text.contains("`y`"), "{text}");
}

/// A spring that pushes away, beside a pendulum that it is nearly as strong as: no balance on the way.
#[test]
fn forces_that_drive_away_are_named() {
    for stiffness in ["9", "-0.5 + 9", "11"] {
        let flap = refusal(&format!(
            "pub Flap {{
                coordinates {{ phi: rad }}
                mass {{ phi: 0.5[kg*m^2] }}
                forces {{ phi: -9.81[N*m]*sin(phi) + ({stiffness})*1[N*m/rad]*(phi - 0.3[rad]) }}
            }}"
        ));
        match flap {
            EquilibriumError::DrivenAway { coordinate: "phi" } => {}
            EquilibriumError::Unstable { .. } if stiffness == "11" => {}
            other => panic!("{stiffness}: {other}"),
        }
    }
}

#[test]
fn a_family_names_its_free_coordinates() {
    const SHAFT: &str = "pub Shaft {
        parameters { c: N*m/rad = 10 }
        coordinates { one: rad, two: rad, other: m }
        mass { one: 1[kg*m^2], two: 1[kg*m^2], other: 1[kg] }
        forces { one: c*(two - one), two: c*(one - two), other: -other*5[N/m] }
        initial { one = 0.1, two = 0.2, other = 0.3[m] }
        outputs { twist: rad = two - one }
    }";
    match refusal(SHAFT) {
        EquilibriumError::Family { mut coordinates, .. } => {
            coordinates.sort_unstable();
            assert_eq!(coordinates, ["one", "two"]);
        }
        other => panic!("{other}"),
    }
    let model = loaded(SHAFT);
    let rest = EquilibriumSearch::new(&simulation(model)).held([model.system().coordinate("one").unwrap()]).find();
    let rest = rest.unwrap();
    assert_near(rest.coordinates()[1], 0.1, 1e-14);
    let modes = rest.linearized().modes().unwrap();
    assert_eq!(modes.len(), 3);
    assert_eq!(modes.all()[0].frequency(), 0.0);
    assert_near(modes.all()[2].eigenvalue.im, 20f64.sqrt(), 1e-10);
}

/// Tests a mechanism that is balanced at the start but for rounding, and free in two directions: no spring turns the
/// load, which hangs at its centre of mass.
#[test]
fn a_crane_rests_anywhere_along_its_rail() {
    let text = include_str!("../../../examples/mechanisms/crane.rs");
    let file = ModelFile::from_text("crane.rs", text.to_owned()).unwrap();
    let crane = LoadedModel::of_file(&file, None, &Arguments::new()).unwrap();
    let still = simulation(crane).input(crane.input("drive").unwrap(), 0.0);
    match Equilibrium::of(&still) {
        Err(VibrationError::Equilibrium(EquilibriumError::Family { coordinates, .. })) => {
            assert!(coordinates.contains(&"trolley.x"), "{coordinates:?}");
        }
        other => panic!("{other:?}"),
    }
    let held = ["trolley.x", "load.angle"].map(|name| crane.system().coordinate(name).unwrap());
    let rest = EquilibriumSearch::new(&still).held(held).find().unwrap();
    let weight = 9.81 * 520.0;
    assert_near(rest.output(crane.output("pull").unwrap()), weight / 1e3, 1e-12);
}

#[test]
fn time_and_numbers_that_are_not_finite() {
    let driven = refusal(
        "pub Driven {
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: -100[N/m]*x + 3[N]*sin(2[1/s]*t) }
            initial { x = 0[m] }
        }",
    );
    assert!(driven.to_string().contains("force on `x`"), "{driven}");
    let infinite = refusal(
        "pub Infinite {
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: 1[N*m]/x - 1[N] }
            initial { x = 0[m] }
        }",
    );
    assert!(matches!(infinite, EquilibriumError::NotFinite { .. }), "{infinite}");
}

#[test]
fn motions_without_mass_damper_and_spring() {
    // what holds `node` acts in pairs that leave one motion free
    let error = refusal(
        "pub Loose {
            coordinates { x: m, one: m, two: m }
            mass { x: 1[kg] }
            forces { x: -100[N/m]*x, one: 10[N/m]*(two - one), two: 10[N/m]*(one - two) }
            initial { x = 0[m], one = 0[m], two = 0[m] }
        }",
    );
    assert!(matches!(error, EquilibriumError::Family { .. }), "{error}");
}

#[test]
fn frequencies_and_inputs() {
    let model = loaded(
        "pub Deaf {
            inputs { force: N, silent: N }
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: force - 100[N/m]*x + silent*x^2/1[m^2] }
            initial { x = 0[m] }
            outputs { position: m = x, pushed: N = force + silent^2/1[N] }
        }",
    );
    let [force, silent] = ["force", "silent"].map(|name| model.input(name).unwrap());
    let output = model.output("position").unwrap();
    let driven = simulation(model).input(force, 0.0).input(silent, 0.0);
    let linear = Equilibrium::of(&driven).unwrap().linearized();
    let response = |frequencies: &[f64], input| linear.frequency_response(frequencies, input, output);
    for (frequencies, index) in [(&[0.0, 1.0][..], 0), (&[1.0, 1.0], 1), (&[1.0, f64::NAN], 1), (&[2.0, 1.0], 1)] {
        match response(frequencies, force) {
            Err(VibrationError::Frequency { index: found, .. }) => assert_eq!(found, index),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(response(&[], force), Err(VibrationError::Empty { .. })));
    assert!(matches!(response(&[1.0], silent), Err(VibrationError::NoDirection { input: "silent", .. })));
    let pole = 10.0 / std::f64::consts::TAU;
    assert!(
        matches!(response(&[1.0, pole], force), Err(VibrationError::Resonance { .. })),
        "{:?}",
        response(&[pole], force)
    );
    assert!(response(&[1.0], force).unwrap().dynamic_stiffness().is_ok());
    let transmitted = linear.frequency_response(&[1.0], force, model.output("pushed").unwrap()).unwrap();
    assert!(matches!(transmitted.dynamic_stiffness(), Err(VibrationError::Units { .. })));
}

#[test]
fn positions_of_outputs_that_do_not_exist() {
    let model = loaded(crate::closed_forms::CHAIN);
    let still = simulation(model).input(model.input("force").unwrap(), 0.0);
    let linear = Equilibrium::of(&still).unwrap().linearized();
    let wanted = "there is no output 3: `Chain` has 3, whose positions count from 0";
    assert_eq!(linear.frequency_responses(&[1.0], &[0], &[3]).unwrap_err().to_string(), wanted);
    assert_eq!(linear.state_space(&[0], &[3]).unwrap_err().to_string(), wanted);
}
