//! Models with components, and models in short forms, are the models written out by hand.

mod mirror;
mod short_forms;

use crate::symbolic::Symbol;
use crate::{Compiled, Diagnostic, Quantity, compile_str};

fn compile(source: &str) -> Compiled {
    compile_str(source).expect("a valid model")
}

/// Any number for every quantity, the same in every model.
fn value(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Time => 0.37,
        Symbol::Coordinate(i) => 0.3 + 0.21 * i as f64,
        Symbol::Velocity(i) => 1.1 - 0.17 * i as f64,
        Symbol::Acceleration(i) => 0.9 + 0.13 * i as f64,
        Symbol::Multiplier(i) => -0.6 + 0.29 * i as f64,
        Symbol::Parameter(i) => 0.8 + 0.07 * i as f64,
        Symbol::Input(i) => 1.3 + 0.11 * i as f64,
        Symbol::Integrator(_) | Symbol::Given(..) => 0.7,
    }
}

/// Every function of both models has the same entries with the same values, for the same number of operations; and
/// the quantities have the same names, once the paths are flat.
fn assert_same(left: &Compiled, right: &Compiled) {
    assert_same_values(left, right);
    let totals = |compiled: &Compiled| -> Vec<_> {
        compiled.operations.iter().map(|count| (count.function, count.total())).collect()
    };
    assert_eq!(totals(left), totals(right));
}

/// Every function of both models has the same entries with the same values; and the quantities have the same names,
/// once the paths are flat.
fn assert_same_values(left: &Compiled, right: &Compiled) {
    let names = |quantities: &[Quantity]| -> Vec<(String, String, String)> {
        let flat = |name: &str| name.replace("].", "_").replace(['.', '['], "_").replace(']', "");
        let names = quantities.iter();
        names.map(|quantity| (flat(&quantity.name), quantity.field.to_string(), quantity.unit.clone())).collect()
    };
    let quantities = |compiled: &Compiled| {
        let model = &compiled.model;
        [&model.parameters, &model.inputs, &model.coordinates, &model.constraints, &model.outputs]
            .map(|quantities| names(quantities))
    };
    assert_eq!(quantities(left), quantities(right));
    assert_eq!(left.model.defaults, right.model.defaults);
    assert_eq!(left.groups.all.len(), right.groups.all.len());
    for (ours, theirs) in left.groups.all.iter().zip(&right.groups.all) {
        for (block, other) in ours.blocks.iter().zip(&theirs.blocks) {
            assert_eq!(block.entries, other.entries, "{} {}", ours.kind.name(), block.formula());
        }
        let values = left.graph.evaluate(&ours.values(), value);
        let others = right.graph.evaluate(&theirs.values(), value);
        for (value, other) in values.iter().zip(&others) {
            assert!((value - other).abs() <= 1e-12 * (1.0 + other.abs()), "{}: {value} {other}", ours.kind.name());
        }
    }
}

fn errors(source: &str) -> Vec<String> {
    let errors = compile_str(source).unwrap_err();
    errors.iter().map(Diagnostic::to_string).collect()
}

#[test]
fn an_engine() {
    let with_components = "Engine {
        parameters { m_piston: kg = 0.4, j: kg*m^2 = 0.1, p: Pa = 1e5, c: N/m = 30 }
        inputs { torque: N*m }
        coordinates { phi[1..=2]: rad }
        mass { for i in 1..=2 { phi[i]: j } }
        forces { phi[1]: torque }
        components {
            for k in 1..=2 {
                let peak = exp(cos(phi[k]) - 1);
                cylinder[k]: Cylinder { crank = phi[k], m_p = m_piston, pressure = (p + 1[Pa*s]*dot(phi[k]))*peak },
            },
        }
        let lag = cylinder[1].z - cylinder[2].z;
        forces { cylinder[2].z: -c*lag, phi[1]: c*1[m]*lag }
        initial { cylinder[1].w = 0.1, dot(phi[1]) = 3[rad/s], dot(cylinder[2].z) = cylinder[2].r/1[s] }
        outputs {
            speed: m/s = dot(cylinder[2].z),
            load: N = multiplier(cylinder[1].axis),
            mass: kg = cylinder[1].m_p,
        }
        component Cylinder {
            connections { crank: rad }
            parameters { r: mm = 45, m_p: kg, friction: N*m*s = 0.01 }
            inputs { pressure: Pa, leak: N }
            coordinates { z: m, w: rad }
            mass { z: m_p, (z, w): 0.1[m]*m_p, w: 0.002[kg*m^2] }
            let area = pi*r^2;
            forces { z: leak - pressure*area, crank: -friction*dot(crank) }
            constraints { axis: r*sin(crank) - 0.145[m]*sin(w), piston: z - r*cos(crank) - 0.145[m]*cos(w) }
            initial { dot(w) = -1[rad/s] }
            outputs { position: mm = z + r }
        }
    }";
    let by_hand = "Engine {
        parameters {
            m_piston: kg = 0.4, j: kg*m^2 = 0.1, p: Pa = 1e5, c: N/m = 30,
            cylinder_1_r: mm = 45, cylinder_1_friction: N*m*s = 0.01,
            cylinder_2_r: mm = 45, cylinder_2_friction: N*m*s = 0.01,
        }
        inputs { torque: N*m, cylinder_1_leak: N, cylinder_2_leak: N }
        coordinates {
            phi[1..=2]: rad, cylinder_1_z: m, cylinder_1_w: rad, cylinder_2_z: m, cylinder_2_w: rad,
        }
        mass { for i in 1..=2 { phi[i]: j } }
        forces { phi[1]: torque }
        let cylinder_1_area = pi*cylinder_1_r^2;
        mass { cylinder_1_z: m_piston, (cylinder_1_z, cylinder_1_w): 0.1[m]*m_piston, cylinder_1_w: 0.002[kg*m^2] }
        forces {
            let peak = exp(cos(phi[1]) - 1);
            cylinder_1_z: cylinder_1_leak - (p + 1[Pa*s]*dot(phi[1]))*peak*cylinder_1_area,
            phi[1]: -cylinder_1_friction*dot(phi[1]),
        }
        let cylinder_2_area = pi*cylinder_2_r^2;
        mass { cylinder_2_z: m_piston, (cylinder_2_z, cylinder_2_w): 0.1[m]*m_piston, cylinder_2_w: 0.002[kg*m^2] }
        forces {
            let peak = exp(cos(phi[2]) - 1);
            cylinder_2_z: cylinder_2_leak - (p + 1[Pa*s]*dot(phi[2]))*peak*cylinder_2_area,
            phi[2]: -cylinder_2_friction*dot(phi[2]),
        }
        constraints {
            cylinder_1_axis: cylinder_1_r*sin(phi[1]) - 0.145[m]*sin(cylinder_1_w),
            cylinder_1_piston: cylinder_1_z - cylinder_1_r*cos(phi[1]) - 0.145[m]*cos(cylinder_1_w),
            cylinder_2_axis: cylinder_2_r*sin(phi[2]) - 0.145[m]*sin(cylinder_2_w),
            cylinder_2_piston: cylinder_2_z - cylinder_2_r*cos(phi[2]) - 0.145[m]*cos(cylinder_2_w),
        }
        initial {
            dot(cylinder_1_w) = -1[rad/s], dot(cylinder_2_w) = -1[rad/s],
            cylinder_1_w = 0.1, dot(phi[1]) = 3[rad/s], dot(cylinder_2_z) = cylinder_2_r/1[s],
        }
        outputs {
            cylinder_1_position: mm = cylinder_1_z + cylinder_1_r,
            cylinder_2_position: mm = cylinder_2_z + cylinder_2_r,
        }
        let lag = cylinder_1_z - cylinder_2_z;
        forces { cylinder_2_z: -c*lag, phi[1]: c*1[m]*lag }
        outputs { speed: m/s = dot(cylinder_2_z), load: N = multiplier(cylinder_1_axis), mass: kg = m_piston }
    }";
    assert_same(&compile(with_components), &compile(by_hand));
}

#[test]
fn nested_components_and_arrays_inside() {
    let with_components = "Chain {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m, d[1..=2]: N*s/m = 2 }
            inputs { pull: N }
            forces { a: c*(b - a) + d[1]*dot(b) + pull, b: -c*(b - a) - d[2]*dot(a) - 1[s]*dot(pull) }
        }
        component Rod {
            connections { left: m, pins[1..=2]: m }
            parameters { m: kg = 1, stiffness: N/m = 10 }
            coordinates { x[1..=2]: m }
            mass { for i in 1..=2 { x[i]: m } }
            components {
                for i in 1..=2 {
                    end[i]: Spring { a = x[i], b = pins[i], c = stiffness/i, d[2] = 0.5[N*s/m],
                        pull = m*1[1/s^2]*x[i] },
                },
            }
            forces { left: -stiffness*(left - x[1]) }
        }
        coordinates { y: m, z: m }
        mass { y: 1[kg], z: 2[kg] }
        components { rod: Rod { left = y, for i in 1..=2 { let both = 5; pins[i] = z }, m = 3[kg] } }
        outputs { end: m = rod.x[2], c: N/m = rod.end[2].c, d: N*s/m = rod.end[1].d[1] + rod.end[1].d[2] }
    }";
    let by_hand = "Chain {
        parameters { rod_stiffness: N/m = 10, rod_end_1_d_1: N*s/m = 2, rod_end_2_d_1: N*s/m = 2 }
        coordinates { y: m, z: m, rod_x_1: m, rod_x_2: m }
        mass { y: 1[kg], z: 2[kg], rod_x_1: 3[kg], rod_x_2: 3[kg] }
        forces {
            rod_x_1: rod_stiffness*(z - rod_x_1) + rod_end_1_d_1*dot(z) + 3[N/m]*rod_x_1,
            z: -rod_stiffness*(z - rod_x_1) - 0.5[N*s/m]*dot(rod_x_1) - 3[N*s/m]*dot(rod_x_1),
            rod_x_2: rod_stiffness/2*(z - rod_x_2) + rod_end_2_d_1*dot(z) + 3[N/m]*rod_x_2,
            z: -(rod_stiffness/2)*(z - rod_x_2) - 0.5[N*s/m]*dot(rod_x_2) - 3[N*s/m]*dot(rod_x_2),
            y: -rod_stiffness*(y - rod_x_1),
        }
        outputs { end: m = rod_x_2, c: N/m = rod_stiffness/2, d: N*s/m = rod_end_1_d_1 + 0.5[N*s/m] }
    }";
    let (with_components, by_hand) = (compile(with_components), compile(by_hand));
    assert_same(&with_components, &by_hand);
    // The last coordinate is read through two arrays.
    assert_eq!(with_components.model.coordinates[3].name, "rod.x[2]");
}

#[test]
fn names_of_lets_stay_readable() {
    let compiled = compile(
        "Chain {
            component Spring {
                connections { a: m, b: m }
                let stretch = a - b + 1[m]*sin(a/1[m]);
                forces { a: -3*stretch^3, b: 3[s/m]*stretch^3*dot(a) }
            }
            coordinates { x[1..=3]: m }
            mass { for i in 1..=3 { x[i]: 1[s^2*m^2] } }
            components { for i in 1..=2 { spring[i]: Spring { a = x[i], b = x[i + 1] } } }
        }",
    );
    let source = compiled.source().expect("valid Rust");
    for local in ["let spring_1_stretch =", "let spring_2_stretch ="] {
        assert!(source.contains(local), "{source}");
    }
}

#[test]
fn a_mistake_inside_is_reported_once() {
    let source = "Chain {
        component Spring {
            connections { a: m }
            forces { a: -stiff*a + ln(a, 2) }
            initial { a = 0 }
        }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: 1 } }
        components { for i in 1..=2 { spring[i]: Spring { a = x[i] } }, last: Spring { a = x[3] } }
    }";
    let errors = errors(source);
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].starts_with("4:26: unknown name `stiff`"), "{errors:?}");
}

#[test]
fn contained_components_have_a_bound() {
    // Each contains the one before twice: 2^40 of them.
    let mut source = String::from("Model { coordinates { x: m } mass { x: 1 } component C0 {}");
    for i in 1..=40 {
        source += &format!("component C{i} {{ components {{ a[1..=2]: C{} {{}} }} }}", i - 1);
    }
    for last in [40, 20] {
        let errors = errors(&format!("{source} components {{ c: C{last} {{}} }} }}"));
        assert_eq!(errors.len(), 1, "{errors:?}");
        let expected = if last == 40 { "deeper than 32 levels" } else { "more than 20000 components" };
        assert!(errors[0].contains(expected), "{errors:?}");
    }
}

#[test]
fn families_are_names_without_indices() {
    let compiled = compile(
        "Rods {
            parameters { m: kg = 1, j: kg*m^2 = 1 }
            bodies { rod[1..=2]: planar { mass: m, inertia: j } }
            components { end[3]: End { k = 2[N/m] } }
            component End {
                parameters { k: N/m = 1 }
                coordinates { x[0..2]: m }
                mass { for i in 0..2 { x[i]: 1[kg] } }
                forces { for i in 0..2 { x[i]: -k*x[i] } }
                initial { for i in 0..2 { x[i] = 0 } }
            }
            initial { for i in 1..=2 { rod[i].x = 0, rod[i].y = 0, rod[i].angle = 0 } }
        }",
    );
    let families: Vec<&str> = compiled.model.coordinates.iter().map(|quantity| quantity.family.as_str()).collect();
    assert_eq!(families, ["rod.x", "rod.y", "rod.angle", "rod.x", "rod.y", "rod.angle", "end.x", "end.x"]);
}
