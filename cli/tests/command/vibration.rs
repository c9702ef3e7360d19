//! `costate rest`, `costate modes` and `costate response`.

use serde_json::Value;

use super::support::{Said, costate, folder_with, number};

/// A lever on a spring and a damper, by a body in the plane.
const LEVER: &str = "costate::model! {
    pub Lever {
        parameters { m: kg = 3, l: m = 0.7, c: N/m = 900, d: N*s/m = 12, g: m/s^2 = 9.81 }
        inputs { force: N }
        gravity { (0, -g) }
        bodies { rod: planar { mass: m, inertia: m*l^2/12, shape: box(l, 0.02[m], 0.02[m]) } }
        joints { pin: revolute(ground, rod.at(-l/2, 0)) }
        let tip = rod.at(l/2, 0).position.y;
        elements { push: force(rod.at(l/2, 0), (0[N], force - c*tip - d*dot(tip))) }
        initial { rod.angle = 0 }
        outputs { height: m = tip }
    }
}";

fn said(arguments: &str) -> Said {
    costate(folder_with(LEVER).path(), &of_model(arguments))
}

/// Returns a call without the name of the model with it.
fn of_model(call: &str) -> String {
    let (command, rest) = call.split_once(' ').unwrap_or((call, ""));
    format!("{command} model.rs {rest}")
}

fn found(arguments: &str) -> Value {
    let said = said(&format!("{arguments} --json"));
    assert!(said.success, "{}", said.stderr);
    said.json()
}

/// c l^2 sin cos = m g l/2 cos.
#[test]
fn rest_of_a_lever() {
    let rest = found("rest --by c,m");
    let height = -3.0 * 9.81 / 2.0 / 900.0;
    assert!((number(&rest["equilibrium"]["outputs"]["height"]) / height - 1.0).abs() < 1e-12, "{rest}");
    assert_eq!(rest["equilibrium"]["stable"], true);
    // l sin(angle) = -m g/(2 c)
    let by_m = number(&rest["derivatives"]["m"]["rod.angle"]);
    let cosine = (1.0 - (height / 0.7).powi(2)).sqrt();
    assert!((by_m / (height / 3.0 / 0.7 / cosine) - 1.0).abs() < 1e-10, "{rest}");
    let said = said("rest -i force=10");
    said.prints(0, &["Position of rest of Lever", "stable"]);
}

#[test]
fn modes_of_a_lever() {
    let modes = found("modes");
    let (inertia, sine) = (3.0 * 0.49 / 3.0, -3.0 * 9.81 / 2.0 / 900.0 / 0.7);
    let cosine2: f64 = 1.0 - sine * sine;
    // c l^2 (cos^2 - sin^2) + m g l/2 sin, with m g/2 = -c l sin
    let stiffness =
        900.0 * 0.49 * (cosine2 - sine * sine) - 3.0 * 9.81 * 0.35 * sine.abs() + 2.0 * 900.0 * 0.49 * sine * sine;
    let mode = &modes["modes"][0];
    let frequency = (stiffness / inertia).sqrt() / std::f64::consts::TAU;
    assert!((number(&mode["frequency"]) / frequency - 1.0).abs() < 1e-10, "{mode} {frequency}");
    let shares = mode["energy_shares"].as_array().unwrap();
    let of = |name: &str| shares.iter().find(|share| share["parameter"] == name).unwrap();
    assert!(
        (number(&of("d")["lost"]) - 1.0).abs() < 1e-9 && (number(&of("m")["kinetic"]) - 1.0).abs() < 1e-9,
        "{mode}"
    );
    let folder = folder_with(LEVER);
    let said = costate(folder.path(), "modes model.rs --over c=400:4000:7 -o poles.svg -o mode.html");
    assert!(said.success, "{}", said.stderr);
    assert!(std::fs::read_to_string(folder.path().join("poles.svg")).unwrap().contains("Natural frequencies"));
    assert!(std::fs::read_to_string(folder.path().join("mode.html")).unwrap().contains("Lever, mode 1"));
}

/// Two rods on springs that share their stiffness or have it as a number, in a component.
const RODS: &str = "costate::model! {
    pub Rods {
        component Strut {
            connections { end: planar }
            elements { spring: spring(ground.at(1.2[m], 1[m]), end, stiffness = 300[N/m], length = 1[m]) }
        }
        parameters { m: kg = 2, l: m = 0.6, c: N*m = 20 }
        inputs { push: N }
        bodies { one: planar { mass: m, inertia: m*l^2/12 }, two: planar { mass: m, inertia: m*l^2/12 } }
        joints { pin: revolute(ground, one.at(-l/2, 0)), knee: revolute(one.at(l/2, 0), two.at(-l/2, 0)) }
        elements {
            root: torsional(ground, one, stiffness = c),
            bend: torsional(one, two, stiffness = c),
            load: force(two, (0[N], push)),
        }
        components { strut: Strut { end = two.at(l/2, 0) } }
        initial { one.angle = 0, two.angle = 0 }
        outputs { height: m = two.at(l/2, 0).position.y }
    }
}";

#[test]
fn elements_of_two_rods() {
    let folder = folder_with(RODS);
    let said = costate(folder.path(), "modes model.rs --json");
    assert!(said.success, "{}", said.stderr);
    for mode in said.json()["modes"].as_array().unwrap() {
        let angle = |name: &str| number(&mode["shape"][name][0]);
        let (one, two) = (angle("one.angle"), angle("two.angle"));
        let springs = [
            ("root", 20.0 * one * one),
            ("bend", 20.0 * (two - one).powi(2)),
            ("strut.spring", { 300.0 * (0.6 * (one + two)).powi(2) }),
        ];
        let all: f64 = springs.iter().map(|(_, energy)| energy).sum();
        let shares = mode["element_shares"].as_array().unwrap();
        assert_eq!(shares.len(), 3, "{mode}");
        for (name, energy) in springs {
            let share = shares.iter().find(|share| share["element"] == name).unwrap();
            assert!((number(&share["potential"]) - energy / all).abs() < 1e-9, "{name} {mode}");
        }
        let bodies = mode["kinetic_shares"].as_object().unwrap();
        assert!((bodies.values().map(number).sum::<f64>() - 1.0).abs() < 1e-12, "{mode}");
        // without damping, the residue of a mode is its height at the force and at the output over 2 s
        let [of_force, of_output] = [0.6 * one + 0.3 * two, 0.6 * (one + two)];
        let wanted = of_force * of_output / (2.0 * number(&mode["eigenvalue"][1]));
        let residue = &mode["residues"]["height"]["push"];
        assert!((number(&residue[1]) + wanted).abs() < 1e-9 * wanted.abs(), "{residue} {wanted}");
        // outputs that the command adds are not shown
        assert_eq!(mode["outputs"].as_object().unwrap().len(), 1);
    }
    let said = costate(folder.path(), "modes model.rs");
    for text in ["stiffness of elements", "strut.spring", "moving bodies"] {
        assert!(said.stdout.contains(text), "{}", said.stdout);
    }
}

#[test]
fn stiffness_of_a_lever() {
    let response = found("response --from force --to height --frequencies 1:20:5 --stiffness");
    let curve = &response["responses"][0];
    assert_eq!((&curve["unit"], &curve["above"]), (&"N/m".into(), &"force".into()));
    let omega = std::f64::consts::TAU;
    let loss = number(&curve["imaginary"][0]) / omega;
    assert!((loss - 12.0).abs() < 1e-9, "{response}");
    let folder = folder_with(LEVER);
    let said = costate(folder.path(), "response model.rs --from force --to height -o curve.csv -o curve.svg");
    assert!(said.success, "{}", said.stderr);
    let table = std::fs::read_to_string(folder.path().join("curve.csv")).unwrap();
    assert!(table.starts_with("frequency [Hz],height/force real [m/N]") && table.lines().count() == 201, "{table}");
}

fn said_of(text: &str, arguments: &str) -> Said {
    let folder = folder_with(&format!("costate::model! {{ {text} }}"));
    costate(folder.path(), &of_model(arguments))
}

const PENDULUM: &str = "pub Simple {
    parameters { m: kg = 1, l: m = 0.5, g: m/s^2 = 9.81 }
    inputs { torque: N*m }
    coordinates { phi: rad }
    mass { phi: m*l^2 }
    forces { phi: torque - m*g*l*sin(phi) }
    outputs { angle: rad = phi }
}";

/// Starts beside the upright position, from 1e-11 to 1 rad away.
#[test]
fn an_unstable_position_is_found_from_beside_it() {
    for away in [1e-11, 1e-6, 1e-3, 0.1, 0.3, 1.0] {
        for sign in [-1.0, 1.0] {
            let start = format!("phi={}", std::f64::consts::PI + sign * away);
            let said = said_of(PENDULUM, &format!("rest --start {start} --unstable --json"));
            let rest = said.json();
            let phi = number(&rest["equilibrium"]["coordinates"]["phi"]);
            assert!((phi - std::f64::consts::PI).abs() < 1e-12, "{start}: {rest}");
            assert_eq!(rest["equilibrium"]["stable"], false, "{rest}");
            // growth sqrt(g/l)
            let growth = (9.81f64 / 0.5).sqrt();
            assert!((number(&rest["equilibrium"]["growth"]) / growth - 1.0).abs() < 1e-12, "{rest}");
        }
    }
}

/// A pendulum on a cart that a spring holds; the model begins in equilibrium, near a hint.
#[test]
fn an_unstable_position_is_found_from_a_hint() {
    for place in 0..20 {
        let hint = 2.4 + 0.075 * f64::from(place);
        let text = format!(
            "pub Cart {{
                parameters {{ m: kg = 0.5, l: m = 0.6, g: m/s^2 = 9.81 }}
                coordinates {{ x: m, phi: rad }}
                kinetic {{ 1.25[kg]*dot(x)^2 + m*l*dot(x)*dot(phi)*cos(phi) + m*l^2*dot(phi)^2/2 }}
                forces {{ x: -30[N/m]*x, phi: -m*g*l*sin(phi) }}
                initial {{ equilibrium, phi ~ {hint}[rad] }}
            }}"
        );
        let said = said_of(&text, "rest --unstable --json");
        let angle = number(&said.json()["equilibrium"]["coordinates"]["phi"]);
        assert!((angle - std::f64::consts::PI).abs() < 1e-9, "{hint}: {angle}");
    }
}

#[test]
fn causes_of_no_equilibrium_are_named() {
    let driven = said_of(PENDULUM, "rest -i torque=6");
    assert!(!driven.success && driven.stderr.contains("the input `torque` is 6 N*m at t = 0"), "{}", driven.stderr);
    let negative = said_of(PENDULUM, "modes -p m=-1");
    assert!(!negative.success && negative.stderr.contains("the mass of `phi` is negative"), "{}", negative.stderr);
    let soft = "pub Soft {
        parameters { k: N/m = 5 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -k*x - 1[N] }
    }";
    let negative = said_of(soft, "response --from x --to x -p k=-5");
    assert!(!negative.success, "{}", negative.stdout);
    let negative = said_of(soft, "rest -p k=-5");
    assert!(negative.stderr.contains("these parameters are negative: k = -5 N/m"), "{}", negative.stderr);
    let reversed = said_of(&soft.replace("-k*x", "k*x"), "rest");
    let question = "is unstable: a deviation, most of it in `x`, grows as exp(2.23607 t)";
    assert!(reversed.stderr.contains(question), "{}", reversed.stderr);
    let question = "with `k` = -5 N/m in place of 5 N/m there is a stable one; has this stiffness the wrong sign";
    assert!(reversed.stderr.contains(question), "{}", reversed.stderr);
    // a literal, and one wrong spring among those with a stiffness in common
    let literal = said_of(&soft.replace("-k*x", "5[N/m]*x"), "rest");
    let question = "pushed away from rest by `5*x` in the force on `x`; has this the wrong sign?";
    assert!(literal.stderr.contains(question), "{}", literal.stderr);
    let chain = "pub Chain {
        parameters { k: N/m = 5 }
        coordinates { x: m, y: m }
        mass { x: 1[kg], y: 1[kg] }
        forces { x: -k*x - k*(x - y), y: k*(y - x) - 1[N] }
    }";
    let shared = said_of(chain, "rest");
    assert!(shared.stderr.contains("by `k*(y - x)` in the force on `y`; has"), "{}", shared.stderr);
    let unheld = said_of(soft, "rest -p k=0");
    assert!(unheld.stderr.contains("no spring and no constraint acts against it"), "{}", unheld.stderr);
    // masses that are coupled, with a negative one in some motion
    let coupled = |constraints: &str| {
        format!(
            "pub Coupled {{
                coordinates {{ x: m, y: m }}
                kinetic {{ all: 0.5[kg]*(dot(x)^2 + dot(y)^2) + 2[kg]*dot(x)*dot(y) }}
                forces {{ x: -3[N/m]*x, y: -4[N/m]*y }}
                {constraints}
            }}"
        )
    };
    let run = "run --until 1";
    for arguments in ["modes", run] {
        let indefinite = said_of(&coupled(""), arguments);
        assert!(!indefinite.success && indefinite.stderr.contains("negative"), "{}", indefinite.stdout);
    }
    // the motion with the negative mass is forbidden
    let tied = said_of(&coupled("constraints { tie: x - y }"), run);
    assert!(tied.success, "{}", tied.stderr);
}

#[test]
fn what_is_linearised_at_a_jump_is_said() {
    let of = |force: &str, variable: &str| {
        let text = format!(
            "pub Rough {{
                coordinates {{ x: m }}
                mass {{ x: 1[kg] }}
                forces {{ x: -40[N/m]*x - {force} }}
            }}"
        );
        let said = said_of(&text, "modes");
        assert_eq!(said.code, Some(3), "{force}: {} {}", said.stdout, said.stderr);
        assert!(
            said.stdout.contains("doubtful: the force on `x` jumps or bends") && said.stdout.contains(variable),
            "{}",
            said.stdout
        );
    };
    of("3[N]*sign(dot(x))", "dot(x)");
    of("500[N/m]*max(x, 0[m])", "`x`");
    let saturating = "3[N]*tanh(dot(x)/1[m/s])";
    for smooth in [
        saturating,
        "0.1[N]*tanh(dot(x)/0.02[m/s])",
        "300[N*s/m]*dot(x)",
        "4e4[N/m^3]*x^3",
        "2[N*s^2/m^2]*abs(dot(x))*dot(x)",
        "7[N/m^2]*x^2",
    ] {
        let text = format!(
            "pub Smooth {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} forces {{ x: -40[N/m]*x - {smooth} }} }}"
        );
        let said = said_of(&text, "modes");
        assert!(said.success, "{smooth}: {} {}", said.stdout, said.stderr);
    }
}

/// Smooth friction of 3 N is a damper of 3 N over its speed at rest, and overdamps an oscillator of 1 kg and 40 N/m.
#[test]
fn smooth_friction_is_no_damper() {
    for law in ["tanh(dot(x)/e)", "2/pi*atan(dot(x)/e)", "dot(x)/sqrt(dot(x)^2 + e^2)"] {
        for e in ["1e-5", "2e-4", "0.02"] {
            for place in ["-40[N/m]*x", "-40[N/m]*(x - 2[m])"] {
                let law = law.replace('e', &format!("{e}[m/s]"));
                let text = format!(
                    "pub Dry {{ coordinates {{ x: m, y: m }} mass {{ x: 1[kg], y: 1[kg] }}
                        forces {{ x: {place} - 3[N]*{law}, y: -40[N/m]*y - 0.1[N*s/m]*dot(y) }} }}"
                );
                let said = said_of(&text, "modes");
                let doubt = "doubtful: the force on `x` hardly grows where `dot(x)` is beyond ";
                assert!(said.code == Some(3) && said.stdout.contains(doubt), "{law} {place}: {}", said.stdout);
                assert!(!said.stdout.contains("on `y`"), "{}", said.stdout);
            }
        }
    }
}

/// A load of 2 kg on a rope of 1 m, which is slack at the start: rest is where the rope carries it, however stiff it
/// is.
#[test]
fn a_load_rests_on_a_stiff_rope() {
    for stiffness in [1e4, 1e6, 1e8, 1e10, 1e12] {
        for start in [0.0, -0.5, -0.999, -1.0] {
            let text = format!(
                "pub Rope {{ parameters {{ k: N/m = {stiffness:e} }} coordinates {{ y: m }} mass {{ y: 2[kg] }}
                    forces {{ y: -19.62[N] + k*max(-y - 1[m], 0[m]) - 10[N*s/m]*dot(y) }}
                    initial {{ y ~ {start}[m] }} }}"
            );
            let rest = said_of(&text, "rest --json").json();
            let (found, wanted) = (number(&rest["equilibrium"]["coordinates"]["y"]), -1.0 - 19.62 / stiffness);
            assert!((found - wanted).abs() < 1e-3 * 19.62 / stiffness + 1e-14, "{stiffness:e} {start}: {found} {rest}");
        }
    }
}

#[test]
fn inputs_over_time_are_taken_at_the_start() {
    let said = said_of(PENDULUM, "rest -i torque=1+5*t");
    assert!(said.stdout.contains("taken at t = 0, whatever follows: torque = 1 N*m"), "{}{}", said.stdout, said.stderr);
    let rest = said_of(PENDULUM, "rest -i torque=1+5*t --json").json();
    let wanted = (1.0f64 / (9.81 * 0.5)).asin();
    assert!((number(&rest["equilibrium"]["coordinates"]["phi"]) / wanted - 1.0).abs() < 1e-12, "{rest}");
    assert_eq!(rest["inputs_at_start"]["torque"], 1.0);
    let said = said_of(PENDULUM, "modes --rotating inf");
    assert!(!said.success && said.stderr.contains("finite"), "{}", said.stderr);
}

/// 1 kg on -40 N/m beside a part with 1e14 times its stiffness over mass, and beside one that hides it.
#[test]
fn stiff_parts_do_not_hide_an_instability_without_a_word() {
    let text = "pub Stiff {
        parameters { k: N/m = 40, c: N/m = 1e11 }
        inputs { push: N }
        coordinates { q: m, s: m }
        mass { q: 1[kg], s: 1e-3[kg] }
        forces { q: push + k*q - c*(q - s), s: -c*(s - q) }
        outputs { way: m = q }
    }";
    let unstable = said_of(text, "rest");
    assert!(!unstable.success && unstable.stderr.contains("is unstable"), "{}{}", unstable.stdout, unstable.stderr);
    let swinging = said_of(text, "modes -p k=-40 --json").json();
    let modes = swinging["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 2, "{swinging}");
    let wanted = (40.0f64 / 1.001).sqrt() / std::f64::consts::TAU;
    assert!((number(&modes[0]["frequency"]) / wanted - 1.0).abs() < 1e-5, "{swinging}");
    let hidden = said_of(text, "rest -p c=1e18");
    assert!(!hidden.stdout.contains("  stable\n"), "{}{}", hidden.stdout, hidden.stderr);
}

/// Two oscillators of 1 Hz whose coupling lets them grow slowly, one of them with a mass on a stiff spring.
#[test]
fn a_growth_within_the_rounding_of_stiff_parts_is_not_called_stable() {
    for stiffness in [1e10, 1e11, 1e12, 1e13, 3e13] {
        for coupling in [1e-1, 3e-2, 1e-2, 3e-3] {
            let second = 40.0 / 1.01;
            let text = format!(
                "pub Coupled {{ coordinates {{ x: m, y: m, z: m }} mass {{ x: 1[kg], y: 1[kg], z: 0.01[kg] }}
                forces {{ x: -40[N/m]*x - {coupling}[N/m]*y - {stiffness:e}[N/m]*(x - z),
                y: -{second}[N/m]*y + {coupling}[N/m]*x, z: -{stiffness:e}[N/m]*(z - x) }}
                outputs {{ way: m = x }} }}"
            );
            let rest = said_of(&text, "rest");
            assert!(!rest.success, "{stiffness:e} {coupling}: {}", rest.stdout);
            let modes = said_of(&text, "modes");
            assert!(!modes.success, "{stiffness:e} {coupling}: {}", modes.stdout);
        }
    }
}

/// The page of a mode has the time of the mode, and no output of rounding.
#[test]
fn pages_of_modes_have_the_time_of_the_mode() {
    let folder = folder_with(
        "costate::model! { pub Two {
            parameters { c: N/m = 40000 }
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: -c*x, y: -2*c*y }
            outputs { a_x: m/s^2 = ddot(x), a_y: m/s^2 = ddot(y) }
        } }",
    );
    let said = costate(folder.path(), "modes model.rs -o mode.html");
    assert!(said.success, "{}", said.stderr);
    let page = std::fs::read_to_string(folder.path().join("mode.html")).unwrap();
    let start = page.find("id=\"data\">").unwrap() + 10;
    let data = &page[start..start + page[start..].find("</script>").unwrap()];
    let data: Value = serde_json::from_str(data).unwrap();
    let run = &data["runs"][0];
    let period = number(&run["interval"]) * (number(&run["frames"]) - 1.0);
    let wanted = std::f64::consts::TAU / 200.0;
    assert!((period / wanted - 1.0).abs() < 1e-12, "{period}");
    assert!((number(&data["speed"]) / (wanted / 2.0) - 1.0).abs() < 1e-12);
    assert!(data["text"].as_str().unwrap().contains("amplitudes are arbitrary"), "{}", data["text"]);
}

/// 1 N + 3 x^2 pushes up wherever x is, and the input is 0 at the start.
#[test]
fn a_force_that_is_left_has_its_sign_and_the_inputs_their_time() {
    let folder = folder_with(
        "costate::model! { pub Free {
            inputs { u: N }
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: u + 1[N] + 3[N/m^2]*x^2 - 1[N*s/m]*dot(x) }
        } }",
    );
    let said = costate(folder.path(), "rest model.rs -i u=-4*t");
    said.refuses(1, "the force on `x` = 1 N left");
    said.refuses(1, "as they are at t = 0, whatever follows: u = 0 N");
}

#[test]
fn mistakes() {
    for (arguments, code, message) in [
        ("rest --hold rod.angel", 1, "did you mean `rod.angle`?"),
        ("modes -o poles.svg", 1, "`poles.svg` needs --over NAME=FROM:TO"),
        ("modes --over c=5:1", 2, "the range begins at 5 and ends at 1"),
        ("modes --mode 4 -o mode.html", 1, "there is no mode 4"),
        ("response --from force --to height --frequencies 0:10", 2, "two positive frequencies"),
        ("response --from push --to height", 1, "has no input `push`"),
    ] {
        said(arguments).refuses(code, message);
    }
}

/// A motion that does not oscillate is shown as it decays, over five time constants, and not as a cosine.
#[test]
fn pages_of_modes_without_oscillation_show_a_decay() {
    let text = "Door { parameters { m: kg = 20, c: N/m = 1e3, d: N*s/m = 4000 } coordinates { x: m } mass { x: m } \
         forces { x: -c*x - d*dot(x) } outputs { place: m = x } }";
    let folder = folder_with(&format!("costate::model! {{ {text} }}"));
    assert!(costate(folder.path(), "modes model.rs -o mode.html").success);
    let page = std::fs::read_to_string(folder.path().join("mode.html")).unwrap();
    // the rate is 100 - sqrt(1e4 - 50) in 1/s
    assert!(page.contains("exp(-0.250313 t) over 19.975 s, played in 2 s"), "{page}");
    assert!(!page.contains("back and forth"));
}
