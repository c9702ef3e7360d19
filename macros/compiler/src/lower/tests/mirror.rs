//! Mirror images of components: they are what is written by hand, and move as their originals do in a mirror.

use std::collections::BTreeMap;

use super::compile;
use crate::symbolic::Symbol;
use crate::{Compiled, Quantity};

/// A number for a name, the same in every model.
fn number(name: &str) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 29;
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1_u64 << 53) as f64 - 0.4
}

/// The value of a symbol, by the name of its quantity.
fn at(compiled: &Compiled, state: usize, symbol: Symbol, value: &impl Fn(&str, &str) -> f64) -> f64 {
    let model = &compiled.model;
    let name = |quantities: &[Quantity], i: usize| quantities[i].name.clone();
    let (kind, name) = match symbol {
        Symbol::Coordinate(i) => ("q", name(&model.coordinates, i)),
        Symbol::Velocity(i) => ("v", name(&model.coordinates, i)),
        Symbol::Acceleration(i) => ("a", name(&model.coordinates, i)),
        Symbol::Multiplier(i) => ("l", name(&model.constraints, i)),
        Symbol::Parameter(i) => ("p", name(&model.parameters, i)),
        Symbol::Input(i) => ("u", name(&model.inputs, i)),
        _ => ("t", format!("t{state}")),
    };
    value(kind, &name)
}

/// All expressions of a model and its initial values, by quantity and names, at a state.
fn values(
    compiled: &Compiled,
    state: usize,
    value: &impl Fn(&str, &str) -> f64,
    rename: &impl Fn(&str) -> String,
) -> BTreeMap<(String, Vec<String>), f64> {
    let expressions = compiled.expressions();
    let ids: Vec<_> = expressions.all.iter().map(|one| one.id).collect();
    let numbers = expressions.graph.evaluate(&ids, |symbol| at(compiled, state, symbol, value));
    let keys = expressions
        .all
        .iter()
        .map(|one| (one.quantity.clone(), one.indices.iter().map(|name| rename(name)).collect::<Vec<_>>()));
    let mut values: BTreeMap<_, _> = keys.zip(numbers).collect();
    let model = &compiled.model;
    let initial =
        [("q0", &model.initial_coordinates), ("near", &model.near_coordinates), ("v0", &model.initial_velocities)];
    for (quantity, of) in initial {
        for (coordinate, id) in model.coordinates.iter().zip(of) {
            let Some(id) = id else { continue };
            let number = compiled.graph.evaluate(&[*id], |symbol| at(compiled, state, symbol, value))[0];
            values.insert((quantity.to_owned(), vec![rename(&coordinate.name)]), number);
        }
    }
    values
}

fn assert_close(left: f64, right: f64, what: &str) {
    assert!((left - right).abs() <= 1e-13 * (1.0 + left.abs().max(right.abs())), "{what}: {left} {right}");
}

/// Compares all expressions of two models whose names are the same once they are renamed, at some states.
fn assert_same_by_name(left: &Compiled, right: &Compiled, rename: impl Fn(&str) -> String) {
    for state in 0..3 {
        let (own, other) = (
            |kind: &str, name: &str| number(&format!("{state}{kind}{}", rename(name))),
            |kind: &str, name: &str| number(&format!("{state}{kind}{name}")),
        );
        let (left, right) =
            (values(left, state, &own, &rename), values(right, state, &other, &|name: &str| name.to_owned()));
        assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
        for (key, value) in &left {
            assert_close(*value, right[key], &format!("{key:?}"));
        }
    }
}

/// The numbers of all bodies, joints and elements in pictures, by name.
fn scene(compiled: &Compiled, rename: &impl Fn(&str) -> String) -> BTreeMap<String, Vec<f64>> {
    let model = &compiled.model;
    let value = |_: &str, name: &str| number(name);
    let numbers = compiled.graph.evaluate(&model.geometry, |symbol| at(compiled, 0, symbol, &value));
    let mut all = BTreeMap::new();
    for body in model.scene.bodies.iter() {
        let shapes = body.shapes.iter().flat_map(|shape| [[shape.sizes, shape.point].as_slice(), &shape.turn].concat());
        let places = [body.center].into_iter().chain(shapes).flatten();
        all.insert(rename(&body.name), places.map(|i| numbers[i as usize]).collect());
    }
    for part in model.scene.joints.iter().chain(model.scene.elements.iter()) {
        let places = part.ends.iter().flat_map(|end| [end.point, end.axis]).flatten();
        all.insert(rename(&part.name), places.map(|i| numbers[i as usize]).collect());
    }
    all
}

fn corner_by_hand(name: &str, along: f64, side: f64) -> [String; 5] {
    let place = |x: f64, y: f64, z: f64| format!("({:?}[m], {:?}[m], {z:?}[m])", along + x, side * y);
    let at = |x: f64, y: f64, z: f64| format!("at{}", place(x, y, z));
    let own = |x: f64, y: f64, z: f64| format!("at({x:?}[m], {:?}[m], {z:?}[m])", side * y);
    let bodies = format!(
        "lower_{name}: spatial {{ mass: m_l, inertia: (0.05[kg*m^2], 0.03[kg*m^2], 0.07[kg*m^2]) }},
         upper_{name}: spatial {{ mass: m_u, inertia: (0.03[kg*m^2], 0.02[kg*m^2], 0.04[kg*m^2]) }},
         upright_{name}: spatial {{ mass: m_k, inertia: (0.06[kg*m^2], 0.05[kg*m^2], 0.03[kg*m^2]) }},
         wheel_{name}: spatial {{ mass: m_w, inertia: (0.6[kg*m^2], 1[kg*m^2], 0.6[kg*m^2]),
             shape: cylinder(r, 0.2[m], axis = (0, 1, 0)) }},"
    );
    let joints = format!(
        "lower_pivot_{name}: revolute(chassis.{}, lower_{name}.{}, axis = (1, 0, 0)),
         upper_pivot_{name}: revolute(chassis.{}, upper_{name}.{}, axis = (1, 0, 0)),
         lower_joint_{name}: spherical(lower_{name}.{}, upright_{name}.{}),
         upper_joint_{name}: spherical(upper_{name}.{}, upright_{name}.{}),
         tie_rod_{name}: distance(chassis.{}, upright_{name}.{}, length = 0.33[m]),
         hub_{name}: revolute(upright_{name}.{}, wheel_{name}, axis = (0, 1, 0)),",
        at(0.0, 0.36, -0.3),
        own(0.0, -0.18, 0.0),
        at(0.0, 0.44, -0.04),
        own(0.0, -0.12, 0.0),
        own(0.0, 0.18, 0.0),
        own(0.0, 0.02, -0.11),
        own(0.0, 0.12, 0.0),
        own(0.0, -0.02, 0.15),
        at(-0.12, 0.37, -0.28),
        own(-0.12, 0.0, -0.08),
        own(0.0, 0.1, 0.0),
    );
    let slip = format!("d_x*(wheel_{name}.velocity.x - r*wheel_{name}.angular_velocity.y)");
    let push = format!("max(c_t*(road_{name} + r - wheel_{name}.z) - d_t*dot(wheel_{name}.z), 0)");
    let elements = format!(
        "strut_{name}: spring(chassis.{}, lower_{name}.{}, stiffness = c, damping = d, length = free),
         tyre_{name}: force(wheel_{name}, (-{slip}, -d_y*wheel_{name}.velocity.y, {push})),
         traction_{name}: torque(wheel_{name}, (0, r*{slip}, 0)),",
        at(0.0, 0.5, 0.08),
        own(0.0, 0.1, 0.02),
    );
    let initial = [("lower", 0.54, 0.2), ("upper", 0.56, 0.46), ("upright", 0.7, 0.31), ("wheel", 0.8, 0.31)]
        .map(|(body, y, z)| {
            format!(
                "{body}_{name}.position ~ {}, {body}_{name}.orientation ~ rotation((0, 0, 1), 0),\n",
                place(0.0, y, z)
            )
        })
        .concat();
    let outputs = format!("bounce_{name}: mm = wheel_{name}.z - r, load_{name}: kN = {push},");
    [bodies, joints, elements, initial, outputs]
}

#[test]
fn a_car_of_one_component() {
    let text = include_str!("../../../../../examples/mechanisms/car.rs");
    let start = text.find("pub Car").unwrap();
    let car = compile(text[start..].trim_end().strip_suffix('}').unwrap());
    let corners = [("fl", 1.35, 1.0), ("fr", 1.35, -1.0), ("rl", -1.35, 1.0), ("rr", -1.35, -1.0)];
    let [bodies, joints, elements, initial, outputs] = corners
        .map(|(name, along, side)| corner_by_hand(name, along, side))
        .into_iter()
        .fold([const { String::new() }; 5], |all, one| [0, 1, 2, 3, 4].map(|i| format!("{}{}", all[i], one[i])));
    let by_hand = compile(&format!(
        "Car {{
            parameters {{ m_c: kg = 1300, i_x: kg*m^2 = 450, i_y: kg*m^2 = 1900, i_z: kg*m^2 = 2100, m_l: kg = 4,
                m_u: kg = 2.5, m_k: kg = 6, m_w: kg = 18, c: N/m = 9e4, d: N*s/m = 4500, free: m = 0.45,
                c_t: N/m = 2e5, d_t: N*s/m = 200, d_x: N*s/m = 500, d_y: N*s/m = 500, r: m = 0.31, g: m/s^2 = 9.81 }}
            inputs {{ road_fl: m, road_fr: m, road_rl: m, road_rr: m }}
            gravity {{ (0, 0, -g) }}
            bodies {{ chassis: spatial {{ mass: m_c, inertia: (i_x, i_y, i_z) }}, {bodies} }}
            joints {{ {joints} }}
            elements {{ {elements} }}
            initial {{ chassis.position = (0, 0, 0.5[m]), chassis.orientation = rotation((0, 0, 1), 0), {initial} }}
            outputs {{
                {outputs}
                heave: mm = chassis.z - 0.5[m],
                pitch: deg = -2*(chassis.e1*chassis.e3 - chassis.e0*chassis.e2),
                pitch_rate: rad/s = chassis.angular_velocity.y,
                roll: deg = 2*(chassis.e2*chassis.e3 + chassis.e0*chassis.e1),
            }}
        }}"
    ));
    assert_eq!(car.model.defaults, by_hand.model.defaults);
    let rename = |name: &str| {
        let mut parts: Vec<&str> = name.split('.').collect();
        if !["fl", "fr", "rl", "rr"].contains(&parts[0]) {
            return name.to_owned();
        }
        let corner = parts.remove(0);
        let own = format!("{}_{corner}", parts[0]);
        parts[0] = &own;
        parts.join(".")
    };
    assert_same_by_name(&car, &by_hand, rename);
    let (mut own, other) = (scene(&car, &rename), scene(&by_hand, &|name: &str| name.to_owned()));
    // the model by hand has no shape of the chassis
    own.insert("chassis".to_owned(), other["chassis"].clone());
    assert_eq!(own, other);
    // Nothing is computed that the model by hand does not compute.
    let total = |compiled: &Compiled| compiled.operations.iter().map(|count| count.total()).sum::<usize>();
    assert!(total(&car) <= total(&by_hand), "{} {}", total(&car), total(&by_hand));
}

/// The factor of the coordinate of a body in a mirror whose plane has this normal (0, 1 or 2).
fn sign(name: &str, normal: usize) -> f64 {
    let signs = [0, 1, 2].map(|i| if i == normal { -1.0 } else { 1.0 });
    match name.rsplit('.').next().unwrap() {
        "x" => signs[0],
        "y" => signs[1],
        "z" => signs[2],
        // about axes of coordinates
        "e1" => -signs[0],
        "e2" => -signs[1],
        "e3" => -signs[2],
        "angle" => -1.0,
        // about y
        "angle_1" | "angle_2" => -signs[1],
        _ => 1.0,
    }
}

/// The members of `left` or `right`, or of the body around both, as a member of the side on the left.
fn original(name: &str) -> String {
    name.replacen("right.", "left.", 1)
}

/// Checks that `right` moves as `left` does in a mirror: at mirrored states, masses and forces are mirrored, every
/// constraint is the same up to its sign, and what the text of the component gives is the same.
///
/// In the model, the body `base` carries both sides, which have nothing else in common.
fn assert_mirrored(source: &str, normal: usize) {
    let model = compile(source);
    let keys: Vec<String> = model.model.constraints.iter().map(|one| one.name.clone()).collect();
    let mut constraints: BTreeMap<String, f64> = BTreeMap::new();
    let run = |state: usize, side: &str, constraints: &BTreeMap<String, f64>| {
        let value = |kind: &str, name: &str| {
            let number = number(&format!("{state}{kind}{}", original(name)));
            // the world of the right side is the real one, where its coordinates are mirrored
            let mirrored = side == "right";
            match kind {
                "q" | "v" | "a" if mirrored => sign(name, normal) * number,
                "l" if mirrored => constraints.get(&original(name)).copied().unwrap_or(1.0) * number,
                _ => number,
            }
        };
        let mut all = values(&model, state, &value, &|name: &str| name.to_owned());
        let other = if side == "left" { "right" } else { "left" };
        all.retain(|(_, names), _| !names.iter().any(|name| name.starts_with(other)));
        let all: BTreeMap<_, _> = all
            .into_iter()
            .map(|((quantity, names), value)| {
                ((quantity, names.iter().map(|name| original(name)).collect::<Vec<_>>()), value)
            })
            .collect();
        all
    };
    let none = BTreeMap::new();
    // signs of constraints, which nobody needs to know in advance, are the same at all states
    for state in 0..3 {
        let (left, right) = (run(state, "left", &none), run(state, "right", &none));
        for name in keys.iter().filter(|name| name.starts_with("left")) {
            let key = ("C".to_owned(), vec![name.clone()]);
            let (own, image) = (left[&key], right[&key]);
            let sign = *constraints.entry(name.clone()).or_insert(if own * image < 0.0 { -1.0 } else { 1.0 });
            assert_close(own, sign * image, name);
        }
    }
    for state in 0..3 {
        let (left, right) = (run(state, "left", &constraints), run(state, "right", &constraints));
        assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
        for ((quantity, names), own) in &left {
            // the base belongs to both sides
            let shared = names.iter().all(|name| name.starts_with("base"));
            if shared && ["M", "f"].contains(&&quantity[..1])
                || !["M", "f", "s", "q0", "near", "v0"].contains(&&quantity[..])
            {
                continue;
            }
            let signs: f64 = if quantity == "s" { 1.0 } else { names.iter().map(|name| sign(name, normal)).product() };
            let image = right[&(quantity.clone(), names.clone())];
            assert_close(*own, signs * image, &format!("{quantity} {names:?}\n{source}"));
        }
    }
}

/// A model with a component and its image on one body.
fn both_sides(spatial: bool, normal: &str, parts: &str) -> String {
    let (kind, body, place) = match spatial {
        true => (
            "spatial",
            "mass: m, inertia: (j, 2*j, 3*j, j/5, -j/3, j/4), center: (0.1[m], -0.05[m], 0.2[m])",
            "at(0.3[m], 0.2[m], -0.1[m]).rotated((1, 2, -2), 25[deg])",
        ),
        false => ("planar", "mass: m, inertia: j, center: (0.1[m], -0.05[m])", "at(0.3[m], 0.2[m]).rotated(25[deg])"),
    };
    format!(
        "Both {{
            component Side {{
                connections {{ base: {kind} }}
                parameters {{ m: kg, j: kg*m^2, c: N/m, l: m }}
                bodies {{ a: {kind} {{ {body} }}, b: {kind} {{ {body} }} }}
                {parts}
            }}
            parameters {{ m: kg = 2, j: kg*m^2 = 0.3, c: N/m = 50, l: m = 0.4 }}
            bodies {{ base: {kind} {{ {body} }} }}
            components {{
                left: Side {{ base = base.{place}, m = m, j = j, c = c, l = l }},
                right: mirror(left{normal}),
            }}
            initial {{ base.{} }}
        }}",
        if spatial {
            "position = (0, 0, 0), base.orientation = rotation((0, 0, 1), 0), base.velocity = (0, 0, 0),
             base.angular_velocity = (0, 0, 0)"
        } else {
            "position = (0, 0), base.angle = 0"
        }
    )
}

const PLANES: [(&str, usize); 4] =
    [("", 1), (", normal = (1, 0, 0)", 0), (", normal = (0, -2, 0)", 1), (", normal = (0, 0, 1)", 2)];

#[test]
fn images_of_spatial_joints_and_elements() {
    let joints = [
        "fixed(FIRST, SECOND)",
        "revolute(FIRST, SECOND, axis = (0, 1, 0))",
        "revolute(FIRST, SECOND, axis = (3, 1, -2))",
        "prismatic(FIRST, SECOND, axis = (1, 0, 0))",
        "prismatic(FIRST, SECOND, axis = (1, -3, 2))",
        "cylindrical(FIRST, SECOND, axis = (2, 1, -3))",
        "spherical(FIRST, SECOND)",
        "universal(FIRST, SECOND, axis = (1, 2, 2), second_axis = (-1, 3, 1))",
        "planar(FIRST, SECOND, normal = (1, 1, -2))",
        "point_on_line(FIRST, SECOND, axis = (1, -1, 2))",
        "distance(FIRST, SECOND, length = l)",
    ];
    for (i, joint) in joints.iter().enumerate() {
        let joint = joint
            .replace("FIRST", "base.at(0.1[m], l, 0.3[m]).rotated((2, -1, 2), 40[deg])")
            .replace("SECOND", "a.at(l, 0.1[m], -0.2[m]).rotated((0, 0, 1), l/1[m])");
        let parts = format!(
            "joints {{ pin: {joint} }}
             elements {{ spring: spring(base, b, stiffness = c),
                 hold: torsional(a, b, axis = (0, 0, 1), stiffness = 1[N*m]) }}
             outputs {{ x: N = pin.reaction.x, y: N = pin.reaction.y, z: N = pin.reaction.z,
                 m_x: N*m = pin.torque.x, m_y: N*m = pin.torque.y, m_z: N*m = pin.torque.z }}"
        );
        let (normal, plane) = PLANES[i % 4];
        assert_mirrored(&both_sides(true, normal, &parts), plane);
    }
    for (normal, plane) in [PLANES[0], PLANES[1], PLANES[3]] {
        let parts = "
            let tip = a.at(0.1[m], 0.2[m], l).rotated((1, -1, 2), 30[deg]);
            let both = cross(b.position, a.position);
            let drag = -2[N*s^2/m^2]*norm(b.velocity)*b.velocity + c*cross(tip.position, (0, 1, 0.5)) + 3[N]*(1, 2, 3);
            elements {
                pull: spring(tip, b.at(0, 0.1[m], 0), stiffness = c, damping = 2[N*s/m], length = l,
                    force = 0.1*c*(pull.length - l)^2/1[m]),
                turn: torsional(tip, b, axis = (1, 2, -2), stiffness = 3[N*m], damping = 0.2[N*m*s], angle = 0.3,
                    torque = 2[N*m]*turn.angle^2),
                straight: torsional(base, a, axis = (0, 1, 0), stiffness = 3[N*m], damping = 0.2[N*m*s], angle = -0.3),
                mount: bushing(tip, b.at(l, 0, 0.1[m]).rotated((0, 1, 0), 10[deg]), stiffness = (c, 2*c, 3*c),
                    damping = (1[N*s/m], 2[N*s/m], 3[N*s/m]),
                    torsional_stiffness = (1[N*m], 2[N*m], 4[N*m]), torsional_damping = (1[N*m*s], 0, 2[N*m*s])),
                air: force(tip, drag),
                blow: force(b.at(0, l, 0), (1[N], 2[N]*t/1[s], c*a.y), frame = a.rotated((1, 0, 0), 20[deg])),
                twist: torque(a, (0.1[N*m*s]*b.angular_velocity.z, 2[N*m], c*both.x)),
                screw: torque(b, (0, 1[N*m], 2[N*m]*b.local_angular_velocity.x*1[s]), frame = tip),
                side: force(base.at(0, 0.1[m], 0.2[m]), (0, 3[N], c*base.at(l, 0, 0).position.y)),
            }
            coordinates { s: m }
            mass { s: m, (s, a.y): m/3, (a.e1, a.e2): j/7 }
            forces { s: -c*(s - b.y), b.y: c*(s - b.y), b.e3: 1[N*m]*b.e2, b.x: 1[N] }
            constraints { held: s^2 + b.y*a.x - a.e3*l^2 }
            initial {
                a ~ base.at(0.1[m], l, 0.2[m]).rotated((1, 2, 3), 20[deg]),
                b.position = (0.1[m], l, 0.3[m]) + base.at(0, 1[m], 0).position,
                b.orientation = rotation((0, 0, 1), 30[deg])*rotation((1, 1, 0), 10[deg]),
                b.angular_velocity = (1[1/s], 2[1/s], 3[1/s]),
                b.velocity = base.velocity + (1[m/s], 2[m/s], 3[m/s]),
                dot(a.y) = 2[m/s],
            }
            outputs {
                v_x: m/s = tip.velocity.x, v_y: m/s = tip.velocity.y, v_z: m/s = base.at(0, 0, l).velocity.z,
                acc: m/s^2 = tip.acceleration.y, w_x: 1/s = tip.angular_velocity.x, w_z: 1/s = base.angular_velocity.z,
                own: 1/s = a.local_angular_velocity.y, e: 1/s^2 = b.angular_acceleration.y,
                length: m = pull.length, force: N = pull.force, angle: rad = turn.angle, torque: N*m = turn.torque,
                flat: rad = straight.angle, energy: J = a.kinetic_energy, y: m = b.y, rate: 1/s = dot(b.e1),
                lambda: N = multiplier(held)*1[m], area: m^2 = both.y,
            }";
        assert_mirrored(&both_sides(true, normal, parts), plane);
        let couplers = "
            joints {
                one: revolute(base.at(0, l, 0), a, axis = (0, 1, 0)),
                two: revolute(base.at(l, 0, 0), b, axis = (0, 1, 0)),
                teeth: gear(one, two, ratio = -2, offset = 0.3),
            }
            outputs {
                first: rad = one.angle, second: rad = two.angle, counted: rad = teeth.angle_1 - 2*teeth.angle_2,
                load: N*m = teeth.torque.y, x: N = multiplier(one.x), y: N = multiplier(one.y),
                u: N*m = multiplier(one.tilt_u),
                w: N*m = multiplier(one.tilt_w), turn: N*m = multiplier(teeth.turn_1),
                both: N*m = multiplier(teeth.ratio),
            }
            initial { teeth.angle_1 ~ 0.3 }";
        assert_mirrored(&both_sides(true, normal, couplers), plane);
        let couplers = "
            joints {
                one: revolute(base.at(0, l, 0), a, axis = (0, 1, 0)),
                two: prismatic(base.at(l, 0, 0), b, axis = (2, 1, 1)),
                teeth: rack(one, two, radius = l, offset = 0.3[m]),
                motor: drive(two, displacement = 0.1[m]*sin(t/1[s])),
            }
            outputs {
                first: rad = one.angle, second: m = two.displacement, counted: rad = teeth.angle_1,
                load: N = multiplier(motor.drive), u: N = multiplier(two.across_u), w: N = multiplier(two.across_w),
                tilt: N*m = multiplier(two.turn),
            }";
        assert_mirrored(&both_sides(true, normal, couplers), plane);
        let screw = "
            joints {
                screw: cylindrical(base, a, axis = (0, 0, 1)), weld: fixed(a, b.at(l, 0, 0)),
                other: drive(screw, angle = 0.1*t/1[s]),
            }
            outputs { way: m = screw.displacement, turn: rad = screw.angle, load: N*m = multiplier(other.drive) }";
        assert_mirrored(&both_sides(true, normal, screw), plane);
    }
}

#[test]
fn images_of_planar_joints_and_elements() {
    for (normal, plane) in [(", normal = (0, 1, 0)", 1), (", normal = (1, 0)", 0)] {
        let joints = [
            "fixed(base.at(0.1[m], l), a.at(l, 0.1[m]))",
            "revolute(base.at(0.1[m], l), a.at(l, 0.1[m]))",
            "prismatic(base.at(0.1[m], l).rotated(20[deg]), a.at(l, 0.1[m]), axis = (1, 2))",
            "prismatic(base.at(0.1[m], l), a.at(l, 0.1[m]), axis = (0, 1))",
            "point_on_line(base.at(0.1[m], l), a.at(l, 0.1[m]), axis = (2, -1))",
            "distance(base.at(0.1[m], l), a.at(l, 0.1[m]), length = l)",
        ];
        for joint in joints {
            let parts = format!(
                "joints {{ pin: {joint}, hinge: revolute(a, b) }}
                 outputs {{ x: N = pin.reaction.x, y: N = pin.reaction.y, moment: N*m = pin.torque,
                     angle: rad = hinge.angle }}"
            );
            assert_mirrored(&both_sides(false, normal, &parts), plane);
        }
        let parts = "
            let tip = a.at(0.1[m], l).rotated(30[deg]);
            joints {
                one: revolute(base.at(0, l), a), two: revolute(base.at(l, 0), b),
                teeth: gear(one, two, ratio = -2, offset = 0.3),
            }
            elements {
                pull: spring(tip, b.at(0, 0.1[m]), stiffness = c, damping = 2[N*s/m], length = l),
                turn: torsional(tip, b, stiffness = 3[N*m], damping = 0.2[N*m*s], angle = 0.3,
                    torque = 2[N*m]*turn.angle^2),
                mount: bushing(tip, b.at(l, 0.1[m]), stiffness = (c, 2*c), torsional_stiffness = 2[N*m],
                    torsional_damping = 1[N*m*s]),
                air: force(tip, -2[N*s/m]*b.velocity + (0, c*a.angle*l)),
                blow: force(b.at(0, l), (1[N], 2[N]), frame = tip),
                twist: torque(a, 2[N*m]*b.angle + 1[N*m*s]*b.angular_velocity),
            }
            initial {
                a ~ base.at(0.1[m], l).rotated(20[deg]), b.position = (0.1[m], l), b.angle = 0.3, dot(b.angle) = 2[1/s],
            }
            outputs {
                v_x: m/s = tip.velocity.x, v_y: m/s = base.at(0, l).velocity.y, w: 1/s = tip.angular_velocity,
                angle: rad = b.angle,
                turned: rad = turn.angle, torque: N*m = turn.torque, area: m^2 = cross(a.position, b.position),
                first: rad = one.angle, load: N*m = multiplier(teeth.ratio),
            }";
        assert_mirrored(&both_sides(false, normal, parts), plane);
        let parts = "
            joints {
                one: revolute(base.at(0, l), a), slide: prismatic(a, b, axis = (1, 0)),
                motor: drive(one, angle = sin(t/1[s])), rack: rack(one, slide, radius = l, offset = 0.1[m]),
            }
            outputs { way: m = slide.displacement, load: N*m = multiplier(motor.drive),
                pull: N = multiplier(rack.ratio) }";
        assert_mirrored(&both_sides(false, normal, parts), plane);
        let parts = "
            joints { slide: prismatic(base, a, axis = (1, 2)), more: drive(slide, displacement = 0.1[m]*t/1[s]),
                hinge: revolute(a, b) }
            outputs { way: m = slide.displacement, load: N = multiplier(more.drive),
                across: N = multiplier(slide.across) }";
        assert_mirrored(&both_sides(false, normal, parts), plane);
    }
}

#[test]
fn images_of_outlines() {
    let shape = |axis: &str| {
        format!(
            "bodies {{ hull: spatial {{ mass: m, inertia: (j, j, j),
                 shape: extrusion([(0, 0), (0.3[m], 0.1[m]), (0.2[m], l)], 0.5[m], axis = {axis})
                     .at(0.1[m], 0.2[m], 0.3[m]).rotated((1, 2, 2), 20[deg]) }} }}
             joints {{ pin: fixed(base, hull), one: fixed(base, a), two: fixed(base, b) }}"
        )
    };
    for (axis, (normal, plane)) in ["(1, 0, 0)", "(0, -1, 0)", "(0, 0, 1)", "(0, 1, 0)"].into_iter().zip(PLANES) {
        let model = compile(&both_sides(true, normal, &shape(axis)));
        let value = |_: &str, name: &str| number(name);
        let numbers = model.graph.evaluate(&model.model.geometry, |symbol| at(&model, 0, symbol, &value));
        let corners = |name: &str| -> Vec<[f64; 3]> {
            let body = model.model.scene.bodies.iter().find(|body| body.name == name).unwrap();
            let shape = &body.shapes[0];
            let of = |i: u32| numbers[i as usize];
            let half = 0.5 * of(shape.sizes[0]);
            let ends = |corner: &[u32; 2]| [-half, half].map(|z| [of(corner[0]), of(corner[1]), z]);
            let local = shape.outline.iter().flat_map(ends);
            let place = |p: [f64; 3]| {
                let along = |i: usize| (0..3).map(|j| of(shape.turn[i][j]) * p[j]).sum::<f64>();
                [0, 1, 2].map(|i| of(shape.point[i]) + along(i))
            };
            local.map(place).collect()
        };
        let (left, right) = (corners("left.hull"), corners("right.hull"));
        for mut corner in left {
            corner[plane] = -corner[plane];
            let near = |other: &&[f64; 3]| (0..3).all(|i| (corner[i] - other[i]).abs() < 1e-12);
            assert!(right.iter().any(|other| near(&other)), "{axis} {normal}: {corner:?} {right:?}");
        }
    }
}

#[test]
fn images_in_images() {
    let part = "component Part {
            connections { on: spatial, q: m }
            parameters { k: N/m = 30 }
            inputs { pull: N }
            bodies { c: spatial { mass: 2[kg], inertia: (1[kg*m^2], 2[kg*m^2], 3[kg*m^2], 0.1[kg*m^2], 0, 0) } }
            joints { pin: revolute(on.at(0.1[m], 0.2[m], 0), c.at(0, 0, 0.3[m]), axis = (0, 1, 0)) }
            elements { hold: spring(on.at(0.3[m], 0.1[m], 0.2[m]), c, stiffness = k),
                side: force(c, (pull, k*q, k*c.z)) }
            forces { q: -k*q + k*c.y }
            initial { c ~ on.at(0.1[m], 0.3[m], 0).rotated((1, 2, 3), 15[deg]) }
            outputs { angle: rad = pin.angle, way: m = on.position.y, speed: m/s = c.velocity.y - dot(q) }
        }
        component Side";
    let parts = "joints { pin: spherical(base, a), other: spherical(base.at(l, 0, 0), b) }
        let end = a.at(0.1[m], 0.2[m], 0.1[m]);
        components {
            one: Part { on = base.at(0.2[m], l, 0).rotated((0, 0, 1), 10[deg]), q = a.y, pull = c*b.y },
            two: mirror(one, normal = (1, 0, 0)) { q = a.x },
            three: mirror(two) { q = b.z, k = 20[N/m] },
            four: Part { on = a, q = b.x, pull = 1[N] },
            five: mirror(four) { q = b.x, on = end },
        }
        outputs { turn: rad = two.pin.angle + three.pin.angle, height: m = five.c.y + one.on.position.y }";
    for (normal, plane) in [PLANES[0], PLANES[1], PLANES[3]] {
        let source = both_sides(true, normal, parts).replace("component Side", part);
        assert_mirrored(&source, plane);
    }
}
