//! Tests of what `costate run`, `gradient` and `animate` say about errors of a run.

use std::path::Path;

use super::support::{OSCILLATOR, Said, costate, folder_with};

fn run(folder: &Path, arguments: &[&str]) -> Said {
    costate(folder, &[&["run", "model.rs"], arguments].concat())
}

/// Two shafts with a universal joint; the axes of coordinates are exchanged by `axes`.
fn shafts(axes: [usize; 3]) -> String {
    let along = |vector: [&str; 3]| {
        let mut own = [""; 3];
        axes.iter().zip(vector).for_each(|(&axis, component)| own[axis] = component);
        format!("({})", own.join(", "))
    };
    let [x, y, z] = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]].map(along);
    let (place, letters) = (along(["0.2[m]", "0", "0"]), ["x", "y", "z"]);
    let (spin, side) = (letters[axes[0]], letters[axes[2]]);
    format!(
        "costate::model! {{ pub Shafts {{
            parameters {{ j: kg*m^2 = 0.02, m: kg = 3, beta: rad = 0.5, w: rad/s = 30, c: N*m*s = 0.1 }}
            bodies {{
                one: spatial {{ mass: m, inertia: (j, j, j) }},
                two: spatial {{ mass: m, inertia: (j, j, j) }},
            }}
            joints {{
                bearing: revolute(ground, one, axis = {x}),
                cross: universal(one, two, axis = {y}, second_axis = {z}),
                guide: point_on_line(ground.rotated({z}, beta), two.at{place}, axis = {x}),
                motor: drive(bearing, angle = w*t),
            }}
            elements {{ load: torsional(ground.rotated({z}, beta), two, axis = {x}, damping = c) }}
            initial {{ one.position = (0, 0, 0), two.orientation ~ rotation({z}, beta) }}
            outputs {{
                rate: rad/s = two.local_angular_velocity.{spin},
                torque: N*m = motor.torque.{spin},
                side: N = guide.reaction.{side},
            }}
        }} }}"
    )
}

/// The speed of the second shaft is between w cos(beta) and w/cos(beta); some coordinates stay 0 but for rounding.
#[test]
fn driven_shafts_are_accepted_whatever_stands_still() {
    for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0]] {
        let folder = folder_with(&shafts(axes));
        let said = run(folder.path(), &["--until", "0.5", "--step", "2e-4", "--json"]);
        assert!(said.success, "{axes:?}: {}{}", said.stdout, said.stderr);
        let json = said.json();
        assert!(json["accuracy"]["relative"].as_f64().unwrap() < 1e-3, "{axes:?} {json}");
        let rate = |end: &str| json["outputs"][0][end].as_f64().unwrap().abs();
        let (one, other) = (rate("least"), rate("largest"));
        assert!((one.min(other) - 30.0 * 0.5_f64.cos()).abs() < 2e-3, "{axes:?} {json}");
        assert!((one.max(other) - 30.0 / 0.5_f64.cos()).abs() < 2e-3, "{axes:?} {json}");
    }
}

/// A force that jumps early in a long run needs short steps, which are found, or a larger limit.
#[test]
fn steps_are_found_beside_jumps() {
    let folder = folder_with(OSCILLATOR);
    for end in ["1", "10", "30"] {
        for input in ["push=step(t - 0.1)", "push=5*pulse(t - 0.2, 0.1)", "push=if t > 0.1003 { 3 } else { 0 }"] {
            let said = run(folder.path(), &["--until", end, "-i", input, "-p", "x_0=0", "--json"]);
            assert!(said.success, "{end} {input}: {}{}", said.stdout, said.stderr);
            let relative = said.json()["accuracy"]["relative"].as_f64().unwrap();
            assert!(relative < 1.2e-3, "{end} {input}: {relative}");
        }
    }
    // so long a run has 5 %, and says so
    let long = ["--until", "300", "-i", "push=step(t - 0.1)", "-p", "x_0=0"];
    let said = run(folder.path(), &long);
    said.prints(0, &["found for errors of at most 5 %"]);
    // the jump is named where its error is too large, and the limit by its option
    let coarse = ["--until", "10", "--step", "0.02", "-i", "push=step(t - 0.1)", "-p", "x_0=0"];
    let said = run(folder.path(), &[&coarse[..], &["--error-limit", "0.001"]].concat());
    assert_eq!(said.code, Some(3), "{}{}", said.stdout, said.stderr);
    let doubt = said.stdout.lines().last().unwrap();
    assert!(doubt.contains("since the input `push` jumps at 0.1 s: take steps of"), "{doubt}");
    assert!(doubt.contains("or set `--error-limit` (it is 0.001)"), "{doubt}");
}

/// A limit that is given is what a step is looked for with.
#[test]
fn the_limit_of_errors_counts_where_a_step_is_looked_for() {
    let folder = folder_with(OSCILLATOR);
    let step = |command: &str, limit: &[&str]| {
        let cost: &[&str] = if command == "gradient" { &["--cost", "end(position)", "--by", "c"] } else { &[] };
        let said = costate(folder.path(), &[&[command, "model.rs", "--until", "2", "--json"], cost, limit].concat());
        assert!(said.success, "{command} {limit:?}: {}{}", said.stdout, said.stderr);
        said.json()["step"].as_f64().unwrap()
    };
    for command in ["run", "gradient"] {
        let (usual, fine, coarse) =
            (step(command, &[]), step(command, &["--error-limit", "1e-5"]), step(command, &["--error-limit", "0.03"]));
        assert!(fine < 0.3 * usual && usual < 0.5 * coarse, "{command}: {fine} {usual} {coarse}");
    }
    let animated = |limit: &str| {
        let run = ["animate", "model.rs", "--until", "2", "--step", "0.08", "-o", "motion.html"];
        costate(folder.path(), &[&run[..], &["--error-limit", limit]].concat())
    };
    let (refused, accepted) = (animated("1e-4"), animated("0.9"));
    assert_eq!((refused.code, accepted.code), (Some(3), Some(0)), "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stdout.contains("doubtful: ") && refused.stdout.contains("`--error-limit`"), "{}", refused.stdout);
}

#[test]
fn outputs_that_matter_are_judged_alone() {
    let model = OSCILLATOR.replace("outputs {", "outputs { still: N = push, ");
    let folder = folder_with(&model);
    let arguments = ["--until", "1", "--step", "0.1", "-i", "push=2*t"];
    assert_eq!(run(folder.path(), &arguments).code, Some(3));
    let said = run(folder.path(), &[&arguments[..], &["--judge", "still"]].concat());
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    let said = run(folder.path(), &[&arguments[..], &["--judge", "stil"]].concat());
    said.refuses(1, "no output `stil`");
}

#[test]
fn growth_until_the_end_is_said() {
    let folder = folder_with(OSCILLATOR);
    // the sign of a stiffness, and of a damping
    for wrong in ["c=-100", "d=-50"] {
        let said = run(folder.path(), &["--until", "2", "--step", "1e-3", "-p", wrong]);
        assert_eq!(said.code, Some(3), "{wrong} {}{}", said.stdout, said.stderr);
        let last = said.stdout.lines().last().unwrap();
        assert!(last.starts_with("doubtful: `"), "{last}");
        assert!(last.contains("grows exponentially until the end of the run: it doubles every"), "{last}");
    }
    for right in ["c=100", "c=0", "d=0"] {
        for input in ["push=1", "push=10*t^3", "push=5*sin(10*t)", "push=1e-3*t*sin(2*t^2.3)"] {
            let said = run(folder.path(), &["--until", "2", "--step", "1e-3", "-p", right, "-i", input]);
            assert!(said.success && !said.stdout.contains("grows"), "{right} {input} {}", said.stdout);
        }
    }
}

/// A mechanism that a slider drives out of its dead point.
#[test]
fn positions_near_a_dead_point_are_named() {
    let model = "costate::model! { pub Dead {
        parameters { m: kg = 1, l: m = 0.3, off: rad = 0.3 }
        bodies {
            crank: planar { mass: m, inertia: m*l^2/12 },
            rod: planar { mass: m, inertia: m*l^2/12 },
            slider: planar { mass: m },
        }
        joints {
            pin: revolute(ground, crank.at(-l/2, 0)),
            elbow: revolute(crank.at(l/2, 0), rod.at(-l/2, 0)),
            end: revolute(rod.at(l/2, 0), slider),
            rail: prismatic(ground, slider, axis = (1, 0)),
            push: drive(rail, displacement = 2*l*cos(off) - 0.1[m/s]*t),
        }
        initial {
            crank.angle ~ off, rod.angle ~ -off,
            crank.position ~ (l/2, 0), rod.position ~ (1.5*l, 0), slider.position ~ (2*l, 0),
        }
        outputs { x: m = slider.x }
    } }";
    let folder = folder_with(model);
    for off in ["0", "1e-9", "1e-8", "1e-7", "1e-6"] {
        let off = format!("off={off}");
        let said = run(folder.path(), &["--until", "0.1", "--step", "1e-3", "-p", &off]);
        assert!(said.code == Some(1) && said.stderr.contains("dead point"), "{off} {}{}", said.stdout, said.stderr);
        assert!(!said.stderr.contains("correct the `initial` block"), "{off} {}", said.stderr);
    }
    let said = run(folder.path(), &["--until", "0.1", "--step", "1e-4"]);
    assert!(said.success, "{}{}", said.stdout, said.stderr);
}

/// The output depends on the sign of a sum of speeds that a constraint makes 0, which is rounding: the derivative by
/// `small` depends on the method, and does not matter.
#[test]
fn derivatives_that_do_not_matter_raise_no_doubt() {
    let model = "costate::model! { pub Rounded {
        parameters { c: N/m = 100, d: N*s/m = 2, k: N/m = 37, small: m = 1e-10 }
        coordinates { x: m, p: m, q: m }
        mass { x: 1[kg], p: 1.1[kg], q: 0.7[kg] }
        forces { x: -c*x - d*dot(x), p: -k*p }
        constraints { kept: p + q - 0.3[m] }
        initial { x = 0.1[m], p = 0.2[m], q ~ 0.1[m], dot(x) = 0[m/s], dot(p) = 0.3[m/s] }
        outputs { position: m = x + small*sign(dot(p) + dot(q)) }
    } }";
    let folder = folder_with(model);
    let arguments = ["gradient", "model.rs", "--until", "1", "--step", "1e-3", "--cost", "end(position)", "--json"];
    for k in ["k=37", "k=31", "k=17.3", "k=8", "k=7", "k=6", "k=5"] {
        let said = costate(folder.path(), &[&arguments[..], &["-p", k]].concat());
        let json = said.json();
        assert!(said.success && json["agrees"] == true, "{k} {json}");
        assert_eq!(json["gradient"][0]["negligible"], false, "{k} {json}");
    }
}

/// A double pendulum that turns over is chaotic: small changes grow by a factor e in some 0.2 to 1 s. One that swings
/// by 6 degrees is not, whatever its steps are.
#[test]
fn chaos_is_named_in_place_of_ever_shorter_steps() {
    let pendulum = |angle: &str| {
        format!(
            "costate::model! {{ pub Double {{
                parameters {{ m: kg = 1, l: m = 1 }}
                gravity {{ (0, -9.81[m/s^2]) }}
                bodies {{ one: planar {{ mass: m, inertia: m*l^2/12 }}, two: planar {{ mass: m, inertia: m*l^2/12 }} }}
                joints {{
                    top: revolute(ground, one.at(0, l/2)),
                    pin: revolute(one.at(0, -l/2), two.at(0, l/2)),
                }}
                initial {{ one.angle = {angle}, two.angle = {angle} }}
                outputs {{ angle: rad = two.angle }}
            }} }}"
        )
    };
    let folder = folder_with(&pendulum("2.4[rad]"));
    let said = run(folder.path(), &["--until", "60"]);
    let word = "neighbouring motions diverge, as in chaos";
    assert!(!said.success && said.stderr.contains(word), "{}{}", said.stdout, said.stderr);
    let said = run(folder.path(), &["--until", "60", "--step", "2e-3"]);
    assert!(said.code == Some(3) && said.stdout.contains(word), "{}{}", said.stdout, said.stderr);
    let folder = folder_with(&pendulum("0.1[rad]"));
    let said = run(folder.path(), &["--until", "60", "--step", "0.05"]);
    assert!(said.code == Some(3) && !said.stdout.contains(word), "{}{}", said.stdout, said.stderr);
}

#[test]
fn moments_that_no_body_has_are_said_beside_a_run() {
    let folder = folder_with(
        &shafts([0, 1, 2]).replace("(j, j, j)", "(j, j, k)").replace("m: kg = 3", "m: kg = 3, k: kg*m^2 = 0.02"),
    );
    let said = run(folder.path(), &["--until", "0.1", "--step", "2e-4"]);
    assert!(said.success && !said.stdout.contains("no body has"), "{}{}", said.stdout, said.stderr);
    let said = run(folder.path(), &["--until", "0.1", "--step", "2e-4", "-p", "k=0.1"]);
    assert!(said.code == Some(3), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("doubtful: no body has the moments of inertia of `one`"), "{}", said.stdout);
}

#[test]
fn outputs_without_a_value_are_named_with_the_part_that_has_none() {
    let model = |output: &str| {
        format!(
            "costate::model! {{ pub Swing {{
                parameters {{ m: kg = 1, c: N/m = 100 }}
                coordinates {{ x: m }}
                mass {{ x: m }}
                forces {{ x: -c*x }}
                initial {{ x = 0.1[m] }}
                outputs {{ place: m = x, odd: 1 = {output} }}
            }} }}"
        )
    };
    // x is 0.1 m cos(10 t), and at 0.16 s the first sample that is negative
    let cases = [
        ("sqrt(x/1[m])", "it has `sqrt` of `x`, which is -0.00"),
        ("2*ln(x/1[m] + 0) + 1", "it has `ln` of `x`, which is -0.00"),
        ("1/max(x/1[m], 0)", "it has a quotient with the divisor `if 0 <= x { x } else { 0 }`, which is 0"),
        ("(x/1[m])^0.3", "it has a power of `x`, which is -0.00"),
        ("acos(1 - x/1[m])", "it has `acos` of `1 - x`, which is 1.00"),
    ];
    for (output, part) in cases {
        let folder = folder_with(&model(output));
        for steps in [
            &["--step", "0.004"][..],
            &["--step", "0.004", "--tolerance", "1e-3"],
            &["--order", "4", "--step", "0.004"],
        ] {
            let said = run(folder.path(), &[&["--until", "1"], steps].concat());
            let (code, doubts) = (said.code, said.stdout.split_once("doubtful: the output `odd` is "));
            let rest = doubts.map_or("", |(_, rest)| rest);
            assert!(code == Some(3) && rest.contains(part), "{output}: {}{}", said.stdout, said.stderr);
            assert!(!rest.contains("force") && !rest.contains("doubtful"), "{output}: {rest}");
        }
        // others are judged alone
        let said = run(folder.path(), &["--until", "1", "--step", "0.004", "--judge", "place"]);
        assert!(said.success, "{output}: {}{}", said.stdout, said.stderr);
    }
}

#[test]
fn the_scale_of_an_error_stands_beside_it() {
    let folder = folder_with(OSCILLATOR);
    let said = run(folder.path(), &["--until", "1", "--step", "1e-3"]);
    assert!(said.stdout.contains(" % of its range, "), "{}", said.stdout);
    let json = run(folder.path(), &["--until", "1", "--step", "1e-3", "--json"]).json();
    let output = &json["accuracy"]["outputs"][0];
    let relative = output["error"].as_f64().unwrap() / output["scale"].as_f64().unwrap();
    assert!(
        (relative - output["relative"].as_f64().unwrap()).abs() < 1e-15 && output["scale_is"] == "its range",
        "{json}"
    );
}

/// A crank that is driven with a constant speed, and from some time on with a constant acceleration: its torque jumps
/// there, whatever the steps.
#[test]
fn jumps_of_a_prescribed_acceleration_are_named() {
    for k in 0..20 {
        let jump = 0.3 + 7.3e-3 * f64::from(k);
        let folder = folder_with(&format!(
            "costate::model! {{ pub Crank {{
                bodies {{ crank: planar {{ mass: 1[kg], inertia: 0.01[kg*m^2] }} }}
                joints {{
                    bearing: revolute(ground, crank.at(-0.1[m], 0)),
                    motor: drive(bearing, angle = 6[rad/s]*t + 20[rad/s^2]*max(0[s], t - {jump}[s])^2),
                }}
                initial {{ crank.x = 0.1[m] }}
                outputs {{ angle: deg = crank.angle, torque: N*m = motor.torque }}
            }} }}"
        ));
        let named = "since the acceleration that the constraint `motor.drive` prescribes jumps at ";
        let said = run(folder.path(), &["--until", "1", "--step", "1e-3"]);
        let place = said.stdout.split_once(named).unwrap_or_else(|| panic!("{jump}: {}", said.stdout)).1;
        let time: f64 = place.split_once(" s").unwrap().0.parse().unwrap();
        assert!((time - jump).abs() < 1e-6 && !said.stdout.contains("spring"), "{}", said.stdout);
        // many runs look for steps
        if k == 0 {
            let without = run(folder.path(), &["--until", "1"]);
            assert!(without.stderr.contains(named) || without.success, "{}", without.stderr);
        }
        // the motion itself is exact
        let said = run(folder.path(), &["--until", "1", "--step", "1e-3", "--judge", "angle"]);
        assert!(said.success, "{}", said.stdout);
    }
}

/// Impulses of 0.3 N s in 1 us, which no step meets, on a mass that swings.
#[test]
fn kicks_shorter_than_every_step_are_named() {
    let model = |kick: &str| {
        format!(
            "costate::model! {{ pub Kick {{
                parameters {{ w: s = 1e-6, b: s = 1.0025 }}
                coordinates {{ x: m }}
                mass {{ x: 1[kg] }}
                forces {{ x: -40[N/m]*x - 0.4[N*s/m]*dot(x) + {kick} }}
                initial {{ x = 0.1[m] }}
                outputs {{ place: m = x }}
            }} }}"
        )
    };
    for kick in ["0.17[N*s]/w*exp(-((t - b)/w)^2)", "if t > b && t < b + w { 0.3[N*s]/w } else { 0[N] }"] {
        let folder = folder_with(&model(kick));
        for steps in [&["--step", "0.01"][..], &[], &["--tolerance", "1e-5", "--step", "0.01"]] {
            let said = run(folder.path(), &[&["--until", "4"], steps].concat());
            let words = "doubtful: the force on `x` changes between the steps of the run: ";
            assert!(said.code == Some(3) && said.stdout.contains(words), "{steps:?}: {}{}", said.stdout, said.stderr);
            assert!(said.stdout.contains("at 1.0025 s, and from 0 to 0 where the run looks"), "{}", said.stdout);
        }
    }
    let slow = folder_with(&model("2[N]*exp(-((t - b)/0.1[s])^2)"));
    let said = run(slow.path(), &["--until", "4", "--step", "0.01"]);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
}

/// Masses that depend on the motion: negative from the start, through a fast change, along a coupled motion, and where
/// accelerations grow without end before.
#[test]
fn a_negative_mass_along_a_run_is_named() {
    let model = |mass: &str, force: &str, start: &str| {
        format!(
            "Rig {{ parameters {{ k: N/m = 4, m_1: kg = 1 }} coordinates {{ x: m, y: m }} mass {{ {mass} }} \
             forces {{ x: {force} - 0.1*k*(x - y), y: -k*(y - x) }} initial {{ {start}, dot(x) = 0[m/s], y = 0[m], \
             dot(y) = 0.01[m/s] }} outputs {{ p: m = x }} }}"
        )
    };
    let said = |text: &str, end: f64, more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("m.model"), text).unwrap();
        costate(folder.path(), &[&["run", "m.model", "--until", &end.to_string()], more].concat())
    };
    for seed in 0..20_u32 {
        let s = f64::from(seed);
        let (rate, force) = (0.5 + 0.07 * s, format!("{}[N]", 0.5 + 0.05 * s));
        let falling = format!("x: m_1 - {rate}[kg/m]*x, y: 1[kg]");
        let start = |part: f64| format!("x = {}[m]", part / rate);
        let fast = format!("x: m_1 - 1.5[kg]*smooth_step(x, 0.3[m], {}[m]), y: 1[kg]", 0.3 + 1e-3 * (1.0 + s));
        let negative = "the mass of `x` is negative at ";
        let at_start = said(&model(&falling, "0[N]", &start(2.0)), 3.0, &[]);
        let words = format!("{negative}0 s, with which no result means anything: make it positive wherever");
        assert!(!at_start.success && at_start.stderr.contains(&words), "{}{}", at_start.stdout, at_start.stderr);
        for text in [model(&fast, &force, "x = 0[m]"), model(&falling, &force, &start(0.2))] {
            let said = said(&text, 3.0 + 0.1 * s, &["--step", "1e-3"]);
            // A run whose errors are too large as well is shown, with this as its doubt.
            let mut lines = said.stdout.lines();
            let is_doubt = lines.any(|line| line.starts_with("doubtful: ") && line.contains(negative));
            let is_refused = said.stderr.contains(negative) || said.stderr.contains("a mass that falls to 0");
            assert!(!said.success && (is_doubt || is_refused), "{text}: {}{}", said.stdout, said.stderr);
        }
        let positive = format!("x: m_1 + {rate}[kg/m^2]*x^2, y: 1[kg]");
        let said = said(&model(&positive, &force, &start(0.2)), 3.0, &[]);
        assert!(said.success, "{}", said.stderr);
    }
}
