//! Tests of replacing defaults in the text of a model.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

use costate_compiler::{Arguments, DefaultsError, ModelFile};

/// Comments, units, arrays and components, in a layout that no formatter would write.
const TEXT: &str = "// µ before everything: bytes are not characters
costate::model! {
    Train(wagons: usize = 3, soft: bool = false) {
        component Wagon {
            parameters { m: kg = 40 }
            connections { x: m }
            mass { x: m }
        }
        parameters {
            /// Stiffness of all couplings: 5[mm] is no default.
            c : N/mm=  0.1 /* = 3 */, d: N*s/m,
            gap: mm = -5 [ mm ], slack: mm = (0.25[cm]), play: m = 2*3[cm],
            rest[1..=wagons]: m = if soft { 0.5 } else { [1, 2, 3,] },
            side[1..=wagons]: m = 1,
            for i in 1..=2 { brake[i]: N = 10*i },
            wide[1..=wagons]: mm = 5[cm] // the end
        }
        components { wagon[1..=wagons]: Wagon { for i in 1..=1 { x = x[1] } } }
        coordinates { x[1..=wagons]: m }
    }
}
";

/// Returns a model with these parameters, all of which are used.
fn file() -> ModelFile {
    let text = TEXT
        .replace(
            "wagon[1..=wagons]: Wagon { for i in 1..=1 { x = x[1] } }",
            "for i in 1..=wagons { wagon[i]: Wagon { x = x[i] } }",
        )
        .replace(
            "coordinates { x[1..=wagons]: m }",
            "coordinates { x[1..=wagons]: m }
        forces { for i in 1..=wagons {
            x[i]: -c*(x[i] - rest[i] - side[i] - gap - slack - play - wide[i]) - d*dot(x[i]) + brake[1] - brake[2],
        } }",
        );
    ModelFile::from_text("train.rs", text).unwrap()
}

fn with(values: &[(&str, f64)]) -> Result<ModelFile, DefaultsError> {
    let values: Vec<(String, f64)> = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    file().with_defaults(None, &Arguments::new(), &values)
}

/// Returns the lines of the new text that differ, without the indentation.
fn changed(values: &[(&str, f64)]) -> Vec<String> {
    let (old, new) = (file(), with(values).unwrap());
    let lines = old.text().lines().zip(new.text().lines());
    assert_eq!(old.text().lines().count(), new.text().lines().count());
    lines.filter(|(old, new)| old != new).map(|(_, new)| new.trim().to_owned()).collect()
}

#[test]
fn numbers_change_and_nothing_else() {
    for (values, line) in [
        (&[("c", 0.125)][..], "c : N/mm=  0.125 /* = 3 */, d: N*s/m,"),
        (&[("d", -7.0)], "c : N/mm=  0.1 /* = 3 */, d: N*s/m = -7,"),
        (&[("c", 1e-7), ("d", 2e20)], "c : N/mm=  1e-7 /* = 3 */, d: N*s/m = 2e20,"),
        (&[("gap", 4.5)], "gap: mm = 4.5 [ mm ], slack: mm = (0.25[cm]), play: m = 2*3[cm],"),
        (&[("slack", -5.0)], "gap: mm = -5 [ mm ], slack: mm = -0.5[cm], play: m = 2*3[cm],"),
        (&[("play", 0.5)], "gap: mm = -5 [ mm ], slack: mm = (0.25[cm]), play: m = 0.5,"),
        (&[("rest[2]", 2.5)], "rest[1..=wagons]: m = if soft { 0.5 } else { [1, 2.5, 3,] },"),
        (&[("side[2]", 2.5)], "side[1..=wagons]: m = [1, 2.5, 1],"),
        (&[("side[1]", 2.0), ("side[2]", 2.0), ("side[3]", 2.0)], "side[1..=wagons]: m = 2,"),
        (&[("wide[1]", 20.0)], "wide[1..=wagons]: mm = [2[cm], 5[cm], 5[cm]] // the end"),
        (&[("brake[1]", 3.0), ("brake[2]", 3.0)], "for i in 1..=2 { brake[i]: N = 3 },"),
        (&[("wagon[1].m", 50.0), ("wagon[2].m", 50.0), ("wagon[3].m", 50.0)], "parameters { m: kg = 50 }"),
    ] {
        assert_eq!(changed(values), [line]);
    }
    assert!(changed(&[]).is_empty());
    assert!(changed(&[("c", 0.1)]).is_empty());
}

#[test]
fn every_number_is_read_back_as_it_is() {
    for value in [0.1 + 0.2, 1.0 / 3.0, -1e-300, 1.7e308, 123_456_789_012_345_680.0, -0.0, 3e-308] {
        let found = with(&[("c", value), ("d", -value)]).unwrap().compile(None, &Arguments::new()).unwrap().model;
        let of = |name: &str| found.defaults[found.parameters.iter().position(|p| p.name == name).unwrap()];
        assert_eq!((of("c"), of("d")), (Some(value), Some(-value)));
    }
    let refused = with(&[("c", 5e-324)]).unwrap_err();
    assert!(matches!(refused, DefaultsError::Refused { .. }), "{refused}");
}

/// Tests that with other structural arguments the numbers of another branch change.
#[test]
fn the_branch_in_use_changes() {
    let values = [("rest[1]".to_owned(), 0.75), ("rest[2]".to_owned(), 0.75), ("rest[3]".to_owned(), 0.75)];
    let new = file().with_defaults(None, &Arguments::new().with("soft", true), &values).unwrap();
    assert!(new.text().contains("if soft { 0.75 } else { [1, 2, 3,] }"), "{}", new.text());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let message = |values: &[(&str, f64)]| with(values).unwrap_err().to_string();
    assert_eq!(
        message(&[("gab", 1.0)]),
        "the model `Train` has no parameter and sets no initial value `gab`; did you mean `gap`?"
    );
    assert_eq!(
        message(&[("c", f64::NAN)]),
        "the value of `c` is NaN, not a finite number; give one, or leave the parameter out"
    );
    assert!(message(&[("slack", 1.7e308), ("c", f64::NEG_INFINITY)]).contains("`c` is -inf"));
    assert_eq!(message(&[("c", 1.0), ("c", 2.0)]), "`c` has two values, 1 and 2; keep one of them");
    assert_eq!(
        message(&[("wagon[2].m", 50.0)]),
        "line 5 has one value for `wagon[1].m` = 40, `wagon[2].m` = 50, `wagon[3].m` = 40; give all of them one, or \
             write \
         them one by one"
    );
    assert!(message(&[("brake[1]", 3.0)]).starts_with("line 15 has one value for `brake[1]` = 3, `brake[2]` = 20"));
    let refused = with(&[("wagon[1].m", -1.0), ("wagon[2].m", -1.0), ("wagon[3].m", -1.0)]).unwrap_err();
    let DefaultsError::Refused { file, errors } = refused else { panic!("{refused}") };
    assert!(file.text().contains("m: kg = -1") && errors[0].message.contains("is not positive"), "{errors:?}");
    // A value that overflows in the unit of the default: 1e307 km in um.
    let text = "M { parameters { a: km = 1[um] } coordinates { x: m } mass { x: 1[kg] } forces { x: -a*1[N/m] } }";
    let file = ModelFile::from_text("m.model", text.to_owned()).unwrap();
    let error = file.with_defaults(None, &Arguments::new(), &[("a".to_owned(), 1e307)]).unwrap_err();
    assert!(matches!(error, DefaultsError::NotFinite { value: f64::INFINITY, .. }), "{error}");
}

/// Tests that all variants of a model, which share its defaults, are checked.
#[test]
fn variants_are_checked_too() {
    let text = "Row(masses: usize = 2) {
        parameters { m[1..=masses]: kg = 1 }
        coordinates { x[1..=masses]: m }
        mass { for i in 1..=masses { x[i]: m[i] } }
    }
    LongRow = Row(masses = 3);";
    let file = ModelFile::from_text("row.model", text.to_owned()).unwrap();
    let set = |name: &str, values: &[f64]| {
        let values = values.iter().enumerate().map(|(i, value)| (format!("m[{}]", i + 1), *value));
        file.with_defaults(Some(name), &Arguments::new(), &values.collect::<Vec<_>>())
    };
    assert!(set("LongRow", &[2.0, 2.0, 2.0]).unwrap().text().contains("m[1..=masses]: kg = 2 }"));
    let DefaultsError::Refused { errors, .. } = set("LongRow", &[2.0, 3.0, 4.0]).unwrap_err() else { panic!() };
    assert!(errors[0].message.starts_with("the list has 3 values"), "{errors:?}");
    assert!(matches!(file.with_defaults(None, &Arguments::new(), &[]), Err(DefaultsError::File(_))));
}

#[test]
fn initial_values_change_where_they_are_numbers() {
    let text = "Start {
        parameters { m: kg = 1, l: m = 2 }
        coordinates { x: m, y[1..=2]: m, phi: rad, z: m }
        mass { x: m, y[1]: m, y[2]: m, phi: m*l^2, z: m }
        initial {
            x = 0 /* rest */, dot(x) = 5 [cm/s], phi = 0.1, dot(phi) = 0, z = l, dot(z) = -2*1[m/s],
            for i in 1..=2 { y[i] ~ 10[mm] }
        }
    }";
    let file = ModelFile::from_text("start.model", text.to_owned()).unwrap();
    let with = |values: &[(&str, f64)]| {
        let values: Vec<(String, f64)> = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        file.with_defaults(None, &Arguments::new(), &values)
    };
    let values = [("x", 0.25), ("dot(x)", 0.5), ("phi", -1.5), ("dot(phi)", 3.0), ("dot(z)", 1e-20), ("m", 2.0)];
    let new = with(&values).unwrap();
    assert!(new.text().contains("parameters { m: kg = 2, l"), "{}", new.text());
    let line =
        "x = 0.25[m] /* rest */, dot(x) = 50 [cm/s], phi = -1.5, dot(phi) = 3[rad/s], z = l, dot(z) = 1e-20[m/s],";
    assert!(new.text().contains(line), "{}", new.text());
    let both = with(&[("y[1]", 0.5), ("y[2]", 0.5)]).unwrap();
    assert!(both.text().contains("y[i] ~ 500[mm]"), "{}", both.text());
    for (values, message) in [
        (
            &[("z", 1.0)][..],
            "the initial value of `z` in line 6 is a formula of parameters; set these, or write a number first",
        ),
        (&[("y[2]", 0.5)], "line 7 has one value for `y[1]` = 0.01, `y[2]` = 0.5; give all of them one"),
        (&[("y[3]", 0.5)], "the model `Start` has no parameter and sets no initial value `y[3]`; did you mean `y[1]`?"),
        (&[("x", 0.5), ("x", 0.5)], "`x` has two values, 0.5 and 0.5; keep one of them"),
    ] {
        let error = with(values).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
