//! What is noted.

#[test]
fn notes_name_what_is_not_smooth() {
    let source = "Rubbing {
        parameters { m: kg = 1, mu: N = 3, c: N/m = 2, hard: 1 = 1 }
        coordinates { x: m }
        mass { x: m }
        forces {
            x: -mu*sign(dot(x)) - c*max(x, 0) - if x > 1[m] { 2*c*x } else { c*x },
            x: if 1 > 2 { abs(3)*c*x } else { smooth_step(hard, 0, 1)*c*x },
        }
    }";
    let compiled = crate::compile_str(source).expect("a valid model");
    let notes: Vec<String> = compiled.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].starts_with("6:20: `sign` has a jump where its argument is zero"), "{notes:?}");
    assert!(notes[1].starts_with("6:37: `max` has a kink"), "{notes:?}");
    assert!(notes[2].starts_with("6:49: `if` has a kink or a jump"), "{notes:?}");
    assert!(compiled.warnings.is_empty());
    let code = compiled.code.to_string();
    assert!(
        code.contains("Not smooth everywhere, which derivatives do not know: `if`, `max`, `sign`."),
        "{code}"
    );
}
