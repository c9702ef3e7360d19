//! Code for many like parts is as long as for some: loops, whose tables and counts alone grow.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

use costate_compiler::{Arguments, compile_str, compile_str_with};

const CHAIN: &str = "Chain(masses: usize = 20) {
    parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 2 }
    coordinates { for i in 1..=masses { x[i]: m, z[i]: m } }
    mass { for i in 1..=masses { x[i]: m, z[i]: m } }
    forces {
        for i in 2..=masses {
            let stretch = (x[i] - x[i - 1])/1[m];
            let force = c*sin(stretch)*1[m] + d*(dot(x[i]) - dot(x[i - 1]))*(1 + stretch^2);
            x[i]: -force, x[i - 1]: force,
        },
        for i in 1..=masses { z[i]: -c*z[i] - d*dot(z[i])*(if z[i] > 0 { 1 } else { 2 }) },
    }
    constraints { for i in 1..=masses { guide[i]: z[i] - 0.1[1/m]*x[i]^2 } }
    initial { for i in 1..=masses { x[i] = 0.1[m]*i } }
}";

/// The emitted functions without tables.
fn functions(masses: i64) -> String {
    let compiled = compile_str_with(CHAIN, &Arguments::new().with("masses", masses)).unwrap();
    assert!(compiled.elimination.as_ref().is_some_and(|elimination| elimination.is_regular));
    let code = compiled.source().unwrap();
    let functions = &code[code.find("fn residual<").unwrap()..];
    let mut text = String::new();
    let mut is_table = false;
    for line in functions.lines().filter(|line| !line.trim_start().starts_with("///")) {
        is_table |= line.trim_start().starts_with("static ");
        if !is_table {
            text.push_str(line.trim());
            text.push('\n');
        }
        is_table &= !line.ends_with("];");
    }
    text
}

#[test]
fn the_code_does_not_grow_with_the_number_of_parts() {
    let (some, many) = (functions(200), functions(400));
    assert!(some.contains("for i in 0..200"), "{some}");
    assert!(many.contains("for i in 0..400"));
    let lengths = [&some, &many].map(|text| text.lines().count());
    assert!(lengths[0].abs_diff(lengths[1]) * 50 <= lengths[0], "{lengths:?} lines");
}

#[test]
fn short_functions_have_no_loops() {
    let code = compile_str(&CHAIN.replace("20", "4")).unwrap().source().unwrap();
    assert!(!code.contains("for i in 0.."), "{code}");
}

#[test]
fn names_in_loops_are_those_of_the_model() {
    let code = functions(200);
    for name in ["let x = at.coordinates[", "let x_dot = at.velocities[", "let lambda_guide = at.multipliers["] {
        assert!(code.contains(name), "{name} in {code}");
    }
}

#[test]
fn the_same_model_gives_the_same_code() {
    assert_eq!(functions(200), functions(200));
}
