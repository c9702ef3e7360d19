//! Features that are on or off, `if` among entries, and variants of a model.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

use costate_compiler::{ArgumentValue, Arguments, Compiled, Interpreter, compile_str, compile_str_with, expand};

/// A mass on a spring that may harden, may have a damper, and may stand on Maxwell elements; and two variants.
const FILE: &str = include_str!("../fixtures/strut.model");

/// The model without its variants.
fn strut() -> &'static str {
    FILE.split_once("\n\n").map_or("", |(model, _)| model)
}

fn names(compiled: &Compiled) -> Vec<&str> {
    let model = &compiled.model;
    [&model.parameters, &model.coordinates].into_iter().flatten().map(|quantity| quantity.name.as_str()).collect()
}

fn messages(source: &str, arguments: &Arguments) -> Vec<String> {
    let errors = compile_str_with(source, arguments).err().unwrap_or_default();
    errors.into_iter().map(|error| error.message).collect()
}

#[test]
fn entries_are_chosen_by_features_and_sizes() {
    let none = Arguments::new();
    for (arguments, expected) in [
        (none.clone(), vec!["m", "c", "d", "x"]),
        (none.clone().with("hardening", true), vec!["m", "c", "c_3", "d", "x"]),
        (none.clone().with("hardening", true).with("elements", 1), vec!["m", "c", "c_3", "d", "x", "node"]),
        (none.clone().with("elements", 1), vec!["m", "c", "d_1", "x", "node"]),
        (none.with("elements", 2), vec!["m", "c", "d_1", "d_2", "x", "node"]),
    ] {
        let compiled = compile_str_with(strut(), &arguments).unwrap();
        assert_eq!(names(&compiled), expected, "{arguments:?}");
        assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    }
    let code = compile_str(strut()).unwrap().source().unwrap();
    for constant in ["HARDENING: bool = false", "ELEMENTS: usize = 0", "DAMPED: bool = true"] {
        assert!(code.contains(&format!("pub const {constant};")), "{constant}");
    }
}

/// A feature that is off leaves nothing behind: the same code as without what it switches.
#[test]
fn without_a_feature_the_model_is_the_one_without_its_entries() {
    let plain = "Strut {
        parameters { m: kg = 2, c: N/m = 50, d: N*s/m = 1 }
        coordinates { x: m }
        mass { x: m }
        let spring = c*x + 0;
        forces { let damper = d*dot(x); x: -spring - damper }
        outputs { load: N = d*dot(x) }
    }";
    let constants = "    /// Structural argument";
    let code = |source: &str| {
        let code = compile_str(source).unwrap().source().unwrap();
        let lines = code.lines().filter(|line| {
            !line.starts_with(constants) && !line.contains(": bool = ") && !line.contains(": usize = 0;")
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(code(strut()), code(plain));
}

#[test]
fn features_are_no_numbers() {
    let model = |header: &str, force: &str| {
        format!(
            "M({header}) {{ parameters {{ c: N/m = 1 }} coordinates {{ x: m }} mass {{ x: 1[kg] }}
             forces {{ x: {force} }} }}"
        )
    };
    let none = Arguments::new();
    for (header, force, message) in [
        ("a: bool = true", "-a*c*x", "expected a number, `a` is on or off; write `if a { 1 } else { 0 }`"),
        ("a: bool = true", "-c*x*true", "expected a number, `true` is on or off; write `if true { 1 } else { 0 }`"),
        ("a: bool = 1", "-c*x", "`a` is on or off; write `true`, `false` or a condition"),
        ("a: bool", "-c*x", "the structural argument `a` has no value; write e.g. `a: bool = true`"),
        ("a: bool = true, n: usize = a", "-c*x", "expected a whole number; `a` is on or off, and stands after `if`"),
        (
            "a: bool = c > 1",
            "-c*x",
            "`c` can't be used here: what a model is made of is chosen at compile time; \
             write numbers, loop variables and structural arguments",
        ),
    ] {
        assert_eq!(messages(&model(header, force), &none), [message], "{header}, {force}");
    }
    let source = model("a: bool = true, n: usize = 2", "-c*x");
    assert_eq!(
        messages(&source, &Arguments::new().with("a", 2)),
        ["`a` is given as 2; a structural argument with the type `bool` is `true` or `false`"]
    );
    assert_eq!(
        messages(&source, &Arguments::new().with("n", true)),
        ["`n` is given as true; a structural argument is a whole number, 0 or more"]
    );
}

#[test]
fn conditions_of_entries() {
    let model = |forces: &str| {
        format!(
            "M(a: bool = true) {{ parameters {{ c: N/m = 1 }} coordinates {{ x: m }} mass {{ x: 1[kg] }}
             forces {{ {forces} }} }}"
        )
    };
    for (forces, message) in [
        (
            "if x > 0 { x: -c*x }",
            "`x` can't be used here: what a model is made of is chosen at compile time; \
             write numbers, loop variables and structural arguments",
        ),
        ("if a x: -c*x", "expected `{` before `x`; write `if condition { entries } else { entries }`"),
        ("if a { x: -c*x } else x: 0", "expected `{` before `x`; write `if condition { entries } else { entries }`"),
        (
            "if a { x: -c*y } else { x: -c*y }",
            "unknown name `y`; declare it as a parameter, an input, a coordinate or by `let`",
        ),
    ] {
        let found = messages(&model(forces), &Arguments::new());
        assert_eq!(found.first().map(String::as_str), Some(message), "{forces}: {found:?}");
    }
}

#[test]
fn values_of_arguments_as_text() {
    for (text, value) in [("6", ArgumentValue::Size(6)), ("true", ArgumentValue::Feature(true))] {
        assert_eq!(text.parse(), Ok(value));
        assert_eq!(value.to_string(), text);
    }
    let error = "six".parse::<ArgumentValue>().unwrap_err();
    assert!(error.to_string().starts_with("`six` is no value of a structural argument"), "{error}");
}

/// The tokens of the macro, as text.
fn expanded(source: &str) -> String {
    expand(source.parse().unwrap(), Interpreter::Absent).to_string()
}

#[test]
fn variants_stand_after_the_model() {
    let code = expanded(FILE);
    for part in ["struct Strut ", "pub (crate) struct Hard ", "struct Relaxing ", "With all of it."] {
        assert!(code.contains(part), "{part}");
    }
    assert!(!code.contains("compile_error"), "{code}");
    // Each of them is the model with other defaults.
    let relaxing = strut().replace("Strut(", "Relaxing(").replace("elements: usize = 0", "elements: usize = 1");
    assert!(code.ends_with(&expanded(&relaxing)));
    assert!(code.starts_with(&expanded(strut())));
}

#[test]
fn wrong_variants() {
    for (variants, message) in [
        ("Other = Strud(elements = 1);", "a variant is one of the model above; write `Other = Strut(...)`"),
        ("Strut = Strut(elements = 1);", "`Strut` is the name of another model; choose another name"),
        (
            "Other = Strut(element = 1);",
            "the model `Strut` has no structural argument `element`; did you mean `elements`?",
        ),
        ("Other = Strut(elements = 1, elements = 2);", "`elements` has two values; keep one of them"),
        (
            "Other = Strut(elements = 1)",
            "expected `;` before the end of the model; write e.g. `pub Name = Model(size = 6);`",
        ),
        ("Other = Strut;", "expected `(` before `;`; write e.g. `pub Name = Model(size = 6);`"),
        ("Other = Strut(elements);", "expected `=` before `)`; write e.g. `pub Name = Model(size = 6);`"),
        (
            "Other = Strut(elements = 0.5);",
            "expected a whole number, made of whole numbers, loop variables and structural arguments, joined by + - * \
                 / ^",
        ),
        ("Other {}", "the model ends with its closing brace; write a `model!` of its own for another model"),
    ] {
        let code = expanded(&format!("{} {variants}", strut()));
        let found: Vec<&str> = code.match_indices("compile_error !").map(|(at, _)| &code[at..]).collect();
        assert_eq!(found.len(), 1, "{variants}: {found:?}");
        let quoted = format!("compile_error ! {{ {message:?} }}");
        assert!(found[0].starts_with(&quoted), "{variants}: {}", &found[0][..200]);
    }
}

/// A mistake in what variants share is reported once.
#[test]
fn variants_share_their_mistakes() {
    let source = strut().replace("let spring = c*x", "let spring = k*x");
    let code = expanded(&format!("{source} Other = Strut(elements = 1);"));
    assert_eq!(code.matches("compile_error !").count(), 1, "{code}");
}
