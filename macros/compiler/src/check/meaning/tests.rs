//! Tests of notes.

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
    let code = compiled.code().to_string();
    assert!(code.contains("Not smooth everywhere, which derivatives do not know: `if`, `max`, `sign`."), "{code}");
    // the condition of `if` depends on positions, so that only `sign` jumps with velocities
    assert!(code.contains("jumps : & [\"sign\"]"), "{code}");
}

/// Returns the notes with their places.
fn notes(source: &str) -> Vec<String> {
    let compiled = crate::compile_str(source).expect("a valid model");
    compiled.notes.iter().map(ToString::to_string).collect()
}

/// Tests that no inertia is needed for a cart on rails, that it is needed for a driven wheel, and that an explicit 0
/// is accepted.
#[test]
fn bodies_that_turn_without_inertia_are_noted_once() {
    let crane = |gravity: &str, inertia: &str| {
        format!(
            "Crane {{
                parameters {{ m: kg = 1, l: m = 2, j: kg*m^2 = 0, w: rad/s = 3 }}
                {gravity}
                bodies {{
                    cart: planar {{ mass: m }},
                    wheel: planar {{ mass: m }},
                    for i in 1..=2 {{ rod[i]: planar {{ mass: m{inertia} }} }},
                    link: planar {{ mass: m, inertia: j }},
                }}
                joints {{
                    rail: prismatic(ground, cart, axis = (1, 0)),
                    hub: revolute(cart, wheel),
                    motor: drive(hub, angle = w*t),
                    for i in 1..=2 {{ pin[i]: revolute(cart.at(i*l, 0), rod[i].at(0, l)) }},
                    last: revolute(rod[1], link.at(0, l)),
                }}
            }}"
        )
    };
    let of_link = "8:21: with the defaults of the parameters, the inertia of `link` is zero, although it can turn; \
         give them \
                   other ones, or write `inertia: 0` where that is meant";
    assert_eq!(
        notes(&crane("", "")),
        [
            "6:21: `wheel` can turn, but has no `inertia`: it is a point mass; write e.g. `inertia: m*l^2/12`, or \
             `inertia: 0` where that is meant",
            "7:38: `rod` can turn, but has no `inertia`: it is a point mass; write e.g. `inertia: m*l^2/12`, or \
             `inertia: 0` where that is meant",
            of_link,
            "5:21: no gravity acts on the bodies; write e.g. `gravity { (0, -9.81[m/s^2]) }`, or `gravity { (0, 0) }` \
             where that is meant",
        ]
    );
    let meant = crane("gravity { (0, 0) }", ", inertia: 0")
        .replace("wheel: planar { mass: m }", "wheel: planar { mass: m, inertia: 0 }");
    assert_eq!(notes(&meant), [of_link]);
}

#[test]
fn spatial_bodies_without_inertia_are_noted() {
    let found = notes(
        "Pendulum {
            parameters { m: kg = 1, l: m = 1, j: kg*m^2 = 1 }
            bodies {
                slide: spatial { mass: m },
                bob: spatial { mass: m },
                rod: spatial { mass: m, inertia: (j, j, j) },
            }
            joints {
                rail: prismatic(ground, slide, axis = (0, 0, 1)),
                hinge: revolute(slide, rod, axis = (1, 0, 0)),
                pin: revolute(rod, bob.at(0, l, 0), axis = (0, 0, 1)),
            }
        }",
    );
    assert_eq!(
        found,
        [
            "5:17: `bob` can turn, but has no `inertia`: it is a point mass; write e.g. `inertia: (i_xx, i_yy, \
                 i_zz)`, or \
             `inertia: (0, 0, 0)` where that is meant",
            "4:17: no gravity acts on the bodies; write e.g. `gravity { (0, 0, -9.81[m/s^2]) }`, or `gravity { (0, 0, \
                 0) }` \
             where that is meant",
        ]
    );
}

#[test]
fn coordinates_without_mass_are_noted_where_no_constraint_moves_them() {
    let found = notes(
        "Quarter {
            parameters { m: kg = 300, c: N/m = 2e4, d: N*s/m = 1e3, k: N/m = 2e5 }
            inputs { road: m }
            coordinates { x: m, u: m, w[1..=2]: m, pad: m }
            mass { x: m }
            let strut = c*(x - u) + d*(dot(x) - dot(u));
            forces { x: -strut, u: strut - k*(u - road), for i in 1..=2 { w[i]: -k*w[i] } }
            constraints { tie: pad - u }
        }",
    );
    assert_eq!(
        found,
        ["4:39: `w[1]` has no mass, so that the forces on it are in balance at all times; where it has one, write it \
             into `mass`",]
    );
}

#[test]
fn pairs_of_masses_with_negative_energy_are_errors() {
    let model = |between: &str, constraints: &str| {
        format!(
            "Pair {{ parameters {{ m: kg = 2 }} coordinates {{ x: m, y: m }} mass {{ x: m, y: 2*m, (x, y): {between} }}
            {constraints} }}"
        )
    };
    for between in ["1.42*m", "-3[kg]", "m*(2 + cos(x/1[m])^2)"] {
        let errors = crate::compile_str(&model(between, "")).expect_err("a negative energy");
        assert!(errors.iter().any(|error| error.message.contains("`x` and `y` move with negative")), "{errors:?}");
        assert!(crate::compile_str(&model(between, "constraints { tie: x - y }")).is_ok(), "{between}");
    }
    for between in ["1.41*m", "m*sqrt(2)", "m*2*cos(x/1[m])"] {
        assert!(crate::compile_str(&model(between, "")).is_ok(), "{between}");
    }
}

/// Tests that the axes as written say whether a frame of the ground is spatial or planar.
#[test]
fn a_rotated_frame_of_the_ground_has_a_name_in_space_and_in_the_plane() {
    let spatial = "spatial { mass: m, inertia: (j, j, j) }";
    for (body, turn, axis) in
        [(spatial, "(0, 0, 1), 30[deg]", "(1, 0, 0)"), ("planar { mass: m }", "30[deg]", "(1, 0)")]
    {
        let rail = |tilted: &str, end: &str| {
            let source = format!(
                "Tilted {{
                    parameters {{ m: kg = 1, _j: kg*m^2 = 1 }}
                    bodies {{ block: {} }}
                    {tilted}
                    joints {{ guide: prismatic({end}, block, axis = {axis}) }}
                    outputs {{ way: m = guide.displacement }}
                }}",
                body.replace('j', "_j")
            );
            crate::compile_str(&source).expect("a valid model").operations
        };
        let frame = format!("ground.rotated({turn})");
        let named = rail(&format!("let tilted = {frame};"), "tilted");
        assert_eq!(format!("{named:?}"), format!("{:?}", rail("", &frame)));
    }
}

/// A body in space with three moments of inertia, which are those of a body where none exceeds the sum of the others.
#[test]
fn moments_of_inertia_that_no_body_has_are_noted() {
    let body = |inertia: &str| {
        format!(
            "Body {{ parameters {{ j: kg*m^2 = 1, k: kg*m^2 = 5 }} gravity {{ (0, 0, 0) }} bodies {{ b: spatial {{ \
             mass: 2[kg], inertia: {inertia} }} }} }}"
        )
    };
    let of = |inertia: &str| notes(&body(inertia)).into_iter().filter(|note| note.contains("no body has")).count();
    for right in
        ["(j, j, 2*j)", "(j, j, j)", "(k, k, 0.1*j)", "(0.125[kg*m^2], 0.125[kg*m^2], 0.251[kg*m^2])", "(0, 0, k)"]
            .into_iter()
            .chain(["(2*j, 2*j, 2*j, j, 0, 0)", "(j, j, 2*j, -j, 0, 0)"])
    {
        assert_eq!(of(right), 0, "{right}");
    }
    for wrong in ["(j, j, k)", "(1[kg*m^2], 5[kg*m^2], 1[kg*m^2])", "(k, 0.1*j, 0.1*j, 0, 0, 0.01*j)"] {
        assert_eq!(of(wrong), 1, "{wrong}");
    }
    // principal moments 2 -+ k: 1, 2 and 3 at k = 1, and no body's from k = 1 on; negative from k = 2 on
    for (product, said) in [(0.5, ""), (1.0, ""), (1.2, "exceeds the sum"), (2.5, "is negative, -0.5 kg*m^2")] {
        for axes in ["2[kg*m^2], 2[kg*m^2], 2[kg*m^2], K, 0, 0", "2[kg*m^2], 2[kg*m^2], 2[kg*m^2], 0, 0, K"] {
            for sign in ["", "-"] {
                let text = format!("({})", axes.replace('K', &format!("{sign}{product:?}[kg*m^2]")));
                let found = notes(&body(&text)).into_iter().filter(|note| note.contains("no body has"));
                let found: Vec<String> = found.collect();
                assert_eq!(found.len(), usize::from(!said.is_empty()), "{text} {found:?}");
                assert!(found.iter().all(|note| note.contains(said)), "{text} {found:?}");
            }
        }
    }
    assert_eq!(of("(j, 0, j, j, 0, 0)"), 1);
    let compiled = crate::compile_str(&body("(j, j, k)")).expect("a valid model");
    let said = compiled.impossible_inertias(&[Some(1.0), Some(5.0)]);
    assert!(said[0].contains("of `b`: the largest, 5 kg*m^2, exceeds the sum of the two others, 2 kg*m^2"), "{said:?}");
    assert!(compiled.impossible_inertias(&[Some(1.0), Some(2.0)]).is_empty());
    assert!(compiled.impossible_inertias(&[Some(1.0), None]).is_empty());
}
