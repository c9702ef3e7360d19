//! Sums and named values are what they stand for.

use super::{assert_same, assert_same_values, compile, errors, value};
use crate::symbolic::Symbol;

#[test]
fn sums_are_their_terms() {
    let short = "Chain(n: usize = 3) {
        parameters { m: kg = 1, c[1..=n]: N/m = [1, 2, 3], w: N/m = 4 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        let pull = sum(i in 1..=n, c[i]*x[i]);
        forces {
            x[1]: -pull - sum(i in 2..n, 2*c[i]*(x[i] - x[i - 1])),
            for i in 1..=n { x[i]: -sum(j in i..=n, w*sum(k in i..j, x[k]/2 + j*x[j])) - sum(j in 1..=0, x[j + 7]) },
        }
        outputs { mean: m = sum(i in 1..=n, x[i])/n, none: N = sum(i in n..1, x[i]) }
    }";
    let by_hand = "Chain(n: usize = 3) {
        parameters { m: kg = 1, c[1..=3]: N/m = [1, 2, 3], w: N/m = 4 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        let pull = c[1]*x[1] + c[2]*x[2] + c[3]*x[3];
        forces {
            x[1]: -pull - 2*c[2]*(x[2] - x[1]),
            x[1]: -(w*(x[1]/2 + 2*x[2]) + w*((x[1]/2 + 3*x[3]) + (x[2]/2 + 3*x[3]))),
            x[2]: -(w*(x[2]/2 + 3*x[3])),
        }
        outputs { mean: m = (x[1] + x[2] + x[3])/3, none: N = 0 }
    }";
    assert_same(&compile(short), &compile(by_hand));
}

#[test]
fn a_long_sum_is_no_tall_expression() {
    let source = "Chain {
        parameters { c: N/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x*sum(i in 1..=8000, sin(i*x/1[m])) }
    }";
    assert_eq!(compile(source).model.coordinates.len(), 1);
}

#[test]
fn sums_count_as_repetitions() {
    let source = "Chain {
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -sum(i in 1..=1000, sum(j in 1..=1000, x*1[N/m])) }
    }";
    let errors = errors(source);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("repeat more than 100000 times"), "{errors:?}");
}

#[test]
fn a_table_or_a_quantity_may_be_called_sum() {
    let source = "Slider {
        tables { sum(x: m): N }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -sum(x) - sum(i in 1..=2, sum(i*x)) }
    }";
    compile(source);
    compile("Slider { parameters { sum: N/m = 1 } coordinates { x: m } mass { x: 1[kg] } forces { x: -sum*x } }");
}

#[test]
fn a_let_with_an_index_is_a_let_for_each() {
    let short = "Chain(n: usize = 4) {
        parameters { m: kg = 1, c: N/m = 30 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        let force[i in 2..=n] = c*sin(x[i]/1[m] - x[i - 1]/1[m])*1[m];
        let none[i in 2..2] = x[i];
        forces {
            let both[k in 2..n] = force[k] + force[k + 1];
            for i in 2..=n { x[i]: -force[i], x[i - 1]: force[i] },
            x[1]: -both[n - 1],
        }
        outputs { load: N = force[3] + sum(i in 2..=n, force[i]) + sum(i in 2..2, none[i]) }
    }";
    let by_hand = "Chain(n: usize = 4) {
        parameters { m: kg = 1, c: N/m = 30 }
        coordinates { x[1..=4]: m }
        mass { for i in 1..=4 { x[i]: m } }
        let force_2 = c*sin(x[2]/1[m] - x[1]/1[m])*1[m];
        let force_3 = c*sin(x[3]/1[m] - x[2]/1[m])*1[m];
        let force_4 = c*sin(x[4]/1[m] - x[3]/1[m])*1[m];
        forces {
            x[2]: -force_2, x[1]: force_2, x[3]: -force_3, x[2]: force_3, x[4]: -force_4, x[3]: force_4,
            x[1]: -(force_3 + force_4),
        }
        outputs { load: N = force_3 + (force_2 + force_3 + force_4) }
    }";
    let (short, by_hand) = (compile(short), compile(by_hand));
    assert_same(&short, &by_hand);
    assert!(short.source().unwrap().contains("let force_3 ="));
}

#[test]
fn named_points_and_vectors_in_the_plane() {
    let short = "Arm(links: usize = 2) {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.7, d: N*s/m = 2, c: N/m = 50, g: m/s^2 = 9.81 }
        bodies { rod[1..=links]: planar { mass: m, inertia: j } }
        let tip[i in 1..=links] = rod[i].at(0, l);
        let base = ground;
        let wall = base.at(l, 0);
        let end = tip[links].rotated(0.3);
        joints {
            pin[1]: revolute(base, rod[1]),
            for i in 2..=links { let before = tip[i - 1]; pin[i]: revolute(before, rod[i]) },
        }
        let v = end.velocity;
        let drag = -d*v;
        let weight = (0, -m*g);
        let all = sum(i in 1..=links, tip[i].velocity);
        elements {
            push: force(end, drag + weight/2, frame = rod[1]),
            strut: spring(wall, end.at(0, l/2), stiffness = c),
        }
        outputs {
            speed: m/s = norm(v),
            power: W = inner(drag, v),
            moment: N*m = cross(end.position - wall.position, drag),
            sideways: N = drag.x - weight.y,
            mean: m/s = all.y/links,
            high: m = tip[1].position.y,
        }
    }";
    let by_hand = "Arm(links: usize = 2) {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.7, d: N*s/m = 2, c: N/m = 50, g: m/s^2 = 9.81 }
        bodies { rod[1..=2]: planar { mass: m, inertia: j } }
        joints { pin[1]: revolute(ground, rod[1]), pin[2]: revolute(rod[1].at(0, l), rod[2]) }
        elements {
            push: force(rod[2].at(0, l).rotated(0.3), -d*rod[2].at(0, l).velocity + (0, -m*g)/2, frame = rod[1]),
            strut: spring(ground.at(l, 0), rod[2].at(0, l).rotated(0.3).at(0, l/2), stiffness = c),
        }
        let vx = rod[2].at(0, l).velocity.x;
        let vy = rod[2].at(0, l).velocity.y;
        let rx = rod[2].at(0, l).position.x - l;
        let ry = rod[2].at(0, l).position.y;
        outputs {
            speed: m/s = sqrt(vx^2 + vy^2),
            power: W = -d*vx*vx - d*vy*vy,
            moment: N*m = rx*(-d*vy) - ry*(-d*vx),
            sideways: N = -d*vx + m*g,
            mean: m/s = (rod[1].at(0, l).velocity.y + vy)/2,
            high: m = rod[1].at(0, l).position.y,
        }
    }";
    assert_same_values(&compile(short), &compile(by_hand));
}

#[test]
fn named_points_and_vectors_in_space() {
    let short = "Top {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.7, g: m/s^2 = 9.81, b: N*s/m = 2 }
        bodies { top: spatial { mass: m, inertia: (j, j, 2[kg*m^2]*j/1[kg*m^2]) } }
        let foot = top.at(0, 0, -l);
        let pivot = ground.at(0, 0, 0);
        joints { pin: spherical(pivot, foot) }
        let omega = top.angular_velocity;
        let lever = top.position - foot.position;
        let down = (0, 0, -m*g);
        let moment = cross(lever, down);
        let both = cross(omega, lever) + top.velocity;
        elements { weight: force(top, down), brake: torque(top, -b*1[m^2]*omega + moment*0) }
        outputs {
            size: N*m = norm(moment),
            along: N*m/s = inner(moment, omega),
            across: m/s = both.x,
        }
    }";
    let by_hand = "Top {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.7, g: m/s^2 = 9.81, b: N*s/m = 2 }
        bodies { top: spatial { mass: m, inertia: (j, j, 2[kg*m^2]*j/1[kg*m^2]) } }
        joints { pin: spherical(ground, top.at(0, 0, -l)) }
        elements {
            weight: force(top, (0, 0, -m*g)),
            brake: torque(top, -b*1[m^2]*top.angular_velocity),
        }
        let rx = top.position.x - top.at(0, 0, -l).position.x;
        let ry = top.position.y - top.at(0, 0, -l).position.y;
        let rz = top.position.z - top.at(0, 0, -l).position.z;
        let w = top.angular_velocity.y;
        outputs {
            size: N*m = sqrt((-ry*m*g)^2 + (rx*m*g)^2),
            along: N*m/s = -ry*m*g*top.angular_velocity.x + rx*m*g*w,
            across: m/s = w*rz - top.angular_velocity.z*ry + top.velocity.x,
        }
    }";
    assert_same_values(&compile(short), &compile(by_hand));
}

#[test]
fn blocks_are_chosen() {
    let chosen = "Mount(damper: bool = true, stages: usize = 2) {
        parameters { m: kg = 1, c: N/m = 50 }
        component Stage {
            connections { x: m }
            if damper { parameters { d: N*s/m = 3 } forces { x: -d*dot(x) } } else { forces { x: 1[N] } }
        }
        coordinates { x: m }
        mass { x: m }
        if stages == 1 {
            forces { x: -c*x }
        } else if stages == 2 && damper {
            coordinates { y: m }
            mass { y: m }
            let pull = c*(x - y);
            forces { x: -pull }
            components { stage: Stage { x = y } }
        } else {
            inputs { other: N }
        }
        if damper { forces { y: pull } }
        outputs { end: m = if stages == 1 { x } else { y } }
    }";
    let by_hand = "Mount(damper: bool = true, stages: usize = 2) {
        parameters { m: kg = 1, c: N/m = 50 }
        component Stage {
            connections { x: m }
            parameters { d: N*s/m = 3 }
            forces { x: -d*dot(x) }
        }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        let pull = c*(x - y);
        forces { x: -pull }
        components { stage: Stage { x = y } }
        forces { y: pull }
        outputs { end: m = y }
    }";
    assert_same(&compile(chosen), &compile(by_hand));
}

#[test]
fn energies_are_quantities() {
    let short = "Crane {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.7, c: N/m = 50, g: m/s^2 = 9.81, k: N*m = 3, b: m = 0.2 }
        coordinates { x: m, y: m }
        mass { x: m, (x, y): m/4, y: 2*m }
        kinetic { m/2*dot(x)^2 }
        potential { c/2*(x - y)^2 }
        gravity { (0, -g) }
        bodies { rod: planar { mass: m, inertia: j, center: (b, 0) } }
        joints { pin: revolute(ground, rod) }
        elements {
            strut: spring(ground.at(l, 0), rod.at(0, l), stiffness = c, length = l/2, damping = 1[N*s/m]),
            turn: torsional(ground, rod, stiffness = k),
        }
        outputs {
            swing: J = rod.kinetic_energy,
            height: J = rod.potential_energy,
            all: J = kinetic_energy,
            stored: J = potential_energy,
        }
    }";
    let energies = "let turning = m/2*(dot(rod.at(b, 0).position.x)^2 + dot(rod.at(b, 0).position.y)^2)
            + j/2*dot(rod.angle)^2;
        let weight = m*g*rod.at(b, 0).position.y;
        outputs {
            swing: J = turning,
            height: J = weight,
            all: J = m/2*dot(x)^2 + m/2*dot(x)^2 + m/4*dot(x)*dot(y) + m*dot(y)^2 + turning,
            stored: J = c/2*(x - y)^2 + c/2*(strut.length - l/2)^2 + k/2*turn.angle^2 + weight,
        }
    }";
    let by_hand = format!("{}{energies}", short.split("outputs {").next().unwrap());
    assert_same_values(&compile(short), &compile(&by_hand));
}

#[test]
fn the_energy_of_a_spatial_body_is_that_of_its_mass_matrix() {
    let source = "Top {
        parameters { m: kg = 1.5, j: kg*m^2 = 0.1, b: m = 0.3 }
        bodies {
            top: spatial {
                mass: m, inertia: (j, 2*j, 3*j, 0.1*j, 0.2*j, 0.3*j), center: (b, 2*b, 3*b),
            }
        }
        outputs { energy: J = kinetic_energy, own: J = top.kinetic_energy }
    }";
    let compiled = compile(source);
    let (graph, model) = (&compiled.graph, &compiled.model);
    let masses: Vec<_> = model.mass.iter().map(|(entry, id)| (*entry, *id)).collect();
    let ids: Vec<_> = masses.iter().map(|(_, id)| *id).chain(model.output.iter().copied()).collect();
    let values = graph.evaluate(&ids, value);
    let energy: f64 = masses
        .iter()
        .zip(&values)
        .map(|(((row, column), _), mass)| {
            let factor = if row == column { 0.5 } else { 1.0 };
            factor * mass * value(Symbol::Velocity(*row)) * value(Symbol::Velocity(*column))
        })
        .sum();
    let [all, own] = values[masses.len()..] else { panic!("two outputs") };
    assert!((all - energy).abs() < 1e-12 * energy && (own - energy).abs() < 1e-12 * energy, "{all} {own} {energy}");
}

#[test]
fn declared_names_come_before_energies() {
    let source = "Slider {
        parameters { kinetic_energy: N/m = 1 }
        coordinates { x: m, potential_energy: m }
        mass { x: 1[kg], potential_energy: 1[kg] }
        forces { x: -kinetic_energy*x, potential_energy: -kinetic_energy*potential_energy }
    }";
    compile(source);
}
