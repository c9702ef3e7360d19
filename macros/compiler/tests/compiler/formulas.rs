//! Expressions outside of models.

use costate_compiler::{Formula, compile_str};

const MODEL: &str = "Two {
    parameters { m: kg = 1 }
    inputs { pull: kN, turn: deg }
    coordinates { x[1..=2]: m }
    mass { for i in 1..=2 { x[i]: m } }
    forces { x[1]: pull, x[2]: sin(turn)*1[N] }
    outputs { way: mm = x[1], speed[2]: m/s = dot(x[2]) }
}";

fn signal(input: usize, text: &str) -> Result<Formula, String> {
    let model = compile_str(MODEL).unwrap().model;
    Formula::signal(text, &model.inputs[input]).map_err(|errors| errors[0].message.clone())
}

fn of(text: &str) -> Result<Formula, String> {
    let model = compile_str(MODEL).unwrap().model;
    Formula::of(text, &model.outputs).map_err(|errors| errors[0].message.clone())
}

#[test]
fn numbers_without_units_are_in_the_unit_of_the_input() {
    let at = |input, text: &str, time| signal(input, text).unwrap().value(time, &[]);
    assert_eq!(at(0, "2*t + 1", 3.0), 7.0);
    assert_eq!(at(1, "30", 0.0), 30.0);
    assert_eq!(at(0, "5*sin(60*t^2)", 0.5), 5.0 * (60.0_f64 * 0.25).sin());
    // where a number has a unit, all have
    assert!((at(0, "500[N]*t/1[s]", 3.0) - 1.5).abs() < 1e-15);
    assert!((at(1, "pi*1[rad]", 0.0) - 180.0).abs() < 1e-12);
}

#[test]
fn functions_of_time() {
    let at = |text: &str, time| signal(0, text).unwrap().value(time, &[]);
    assert_eq!([0.999, 1.0, 2.0].map(|time| at("step(t - 1)", time)), [0.0, 1.0, 1.0]);
    assert_eq!([0.9, 1.0, 1.5, 2.0, 2.1].map(|time| at("pulse(t - 1, 1)", time)), [0.0, 1.0, 1.0, 1.0, 0.0]);
    let phase = |time: f64| std::f64::consts::TAU * (2.0 * time + (10.0 - 2.0) * time * time / (2.0 * 4.0));
    assert!((at("chirp(t, 2, 10, 4)", 1.3) - phase(1.3).sin()).abs() < 1e-12);
    let with_units = "1[kN]*(step(t - 1[s]) + chirp(t, 2[Hz], 10[Hz], 4[s]))";
    assert!((at(with_units, 1.3) - 1.0 - phase(1.3).sin()).abs() < 1e-12);
    assert_eq!(at("step(step(t) - 0.5)", 1.0), 1.0);
}

#[test]
fn costs_are_in_si_units_with_their_derivatives() {
    let square = of("(way - 3[mm])^2").unwrap();
    assert_eq!((square.unit().as_deref(), square.unit_of_integral().as_deref()), (Some("m^2"), Some("m^2*s")));
    assert!((square.value(0.0, &[5.0, 0.0]) - 4e-6).abs() < 1e-18);
    assert!((square.derivatives(0.0, &[5.0, 0.0])[0] - 4e-6).abs() < 1e-18);
    assert_eq!(square.depends_on(), [0]);
    let product = of("speed[2]*way/t").unwrap();
    assert_eq!((product.depends_on(), product.value(2.0, &[1000.0, 3.0])), (vec![0, 1], 1.5));
}

#[test]
fn mistakes() {
    for (text, message) in [
        ("", "there is no expression; write e.g. `500*sin(60*t)`"),
        ("2*", "expected"),
        ("2 3", "unexpected `3`; write one expression"),
        ("foo + 1", "unknown name `foo`; here are `t`, `pi` and the functions"),
        ("pull + 1", "unknown name `pull`"),
        ("sin(60[Hz]*t)*2[m]", "the value of `pull` has the unit `m`, expected the unit `N`"),
        ("step()", "write `step(x)`"),
        ("pulse(t, 1, 2)", "write `pulse(x, length)`"),
        ("dot(t)*2[", "`[` is not closed"),
        ("(((t)", "`(` is not closed"),
    ] {
        let found = signal(0, text).unwrap_err();
        assert!(found.starts_with(message), "{text}: {found}");
    }
    let found = of("way + speed[2]").unwrap_err();
    assert!(found.starts_with("this has the unit `m/s`, but "), "{found}");
    assert!(of("speed[3]").is_err() && of("wya").unwrap_err().contains("did you mean `way`?"));
}

/// Tests that sweeps inside of sweeps, whose arguments occur four times, do not grow with the power of their number.
#[test]
fn nested_functions_are_bounded() {
    let nested =
        |name: &str, rest: &str, depth: usize| format!("{}t{}", format!("{name}(").repeat(depth), rest.repeat(depth));
    assert!(signal(0, &nested("chirp", ", 1, 2, 3)", 60)).unwrap().value(0.5, &[]).is_finite());
    assert!(signal(0, &nested("step", ")", 20)).is_ok());
    assert!(signal(0, &nested("step", ")", 5000)).is_err());
    assert!(signal(0, &nested("", ")", 0)).is_ok());
}
