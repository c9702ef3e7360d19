//! Tests of the expressions of models by name.

use costate_compiler::{Compiled, compile_str};

/// Writes a line for every expression of these quantities: `f[x]: N = -c*x`.
fn lines(compiled: &Compiled, quantities: &[&str]) -> Vec<String> {
    let expressions = compiled.expressions();
    let all = expressions.all.iter().filter(|one| quantities.contains(&&*one.quantity));
    all.map(|one| {
        let unit = one.unit.as_deref().unwrap_or("?");
        format!("{one}: {unit} = {}", expressions.graph.print(one.id, &compiled.model))
    })
    .collect()
}

#[test]
fn an_engine_mount() {
    let compiled = compile_str(include_str!("../fixtures/engine_mount.model")).unwrap();
    let found = lines(&compiled, &["M", "f", "C", "s", "T", "V", "newton", "C_q", "s_a", "f_v"]);
    let expected = [
        "T: N*m = 0.5*(m_l*dot(x1)^2) + 0.5*(m_m*dot(x3)^2) + 0.5*(m_h*dot(x4)^2)",
        "C[lever]: m^2 = x2*(a + b) - x3*b - x4*a",
        "newton[x1, x1]: kg = w_a*m_l + w_q*(c_h + c_e1 + c_e2*(3*x1^2)) + w_v*d_e",
        "newton[x1, x2]: kg = -(w_q*c_h)",
        "newton[x2, x1]: kg = -(w_q*c_h)",
        "newton[x2, x2]: kg = w_q*c_h",
        "newton[x3, x3]: kg = w_a*m_m + w_q*c_m + w_v*d_m",
        "newton[x4, x4]: kg = w_a*m_h + w_v*(d_h1 + d_h2*(3*dot(x4)^2))",
        "C_q[lever, x2]: m = a + b",
        "C_q[lever, x3]: m = -b",
        "C_q[lever, x4]: m = -a",
        "f[x1]: N = drive + m_l*g - (c_e1*x1 + c_e2*x1^3 + d_e*dot(x1)) - c_h*(x1 - x2)",
        "f[x2]: N = c_h*(x1 - x2)",
        "f[x3]: N = -(c_m*x3 + d_m*dot(x3))",
        "f[x4]: N = -(d_h1*dot(x4) + d_h2*dot(x4)^3)",
        "M[x1, x1]: kg = m_l",
        "M[x3, x3]: kg = m_m",
        "M[x4, x4]: kg = m_h",
        "f_v[x1, x1]: N*s/m = -d_e",
        "f_v[x3, x3]: N*s/m = -d_m",
        "f_v[x4, x4]: N*s/m = -(d_h1 + d_h2*(3*dot(x4)^2))",
        "s[acceleration]: m/s^2 = ddot(x1)",
        "s_a[acceleration, x1]: 1 = 1",
    ];
    assert_eq!(found, expected);
}

#[test]
fn quantities_are_in_si_units() {
    let compiled = compile_str(
        "Pendulum {
            parameters { m: g = 1, l: mm = 2, c: N*mm = 3 }
            tables { torque(angle: deg): N*mm }
            inputs { drive: kN }
            coordinates { phi: rad }
            kinetic { m/2*(l*dot(phi))^2 }
            potential { c/2*phi^2 }
            forces { phi: drive*l - torque(phi) }
            outputs { angle: deg = phi, speed: rpm = dot(phi) }
        }",
    )
    .unwrap();
    let found = lines(&compiled, &["M", "f", "s", "T", "V", "f_q", "f_p", "f_u", "s_q", "s_v"]);
    assert_eq!(
        found,
        [
            "T: N*m = 0.5*(m/1000)*(l/1000*dot(phi))^2",
            "f[phi]: N*m = 1000*drive*(l/1000) - torque(180*phi/3.141592653589793)/1000 - 0.5*(c/1000)*(2*phi)",
            "M[phi, phi]: kg*m^2 = 0.5*(m/1000)*(2*(l/1000)*(l/1000))",
            "f_q[phi, phi]: N*m = -(c/1000 + 57.29577951308232*torque[1](180*phi/3.141592653589793)/1000)",
            "f_p[phi, l]: N = 1000*(0.001*(1000*drive))",
            "f_p[phi, c]: 1 = 1000*(-0.001*phi)",
            "f_u[phi, drive]: m = 1000*(l/1000)/1000",
            "s[angle]: 1 = 3.141592653589793*(180*phi/3.141592653589793)/180",
            "s[speed]: 1/s = 6.283185307179586*(60*dot(phi)/6.283185307179586)/60",
            "s_q[angle, phi]: 1 = 1",
            "s_v[speed, phi]: 1 = 1",
        ]
    );
}

/// Tests a model with its own unit of energy, and a unit that the language cannot write.
#[test]
fn units_follow_from_the_masses() {
    let compiled = compile_str(
        "Free { parameters { w: 1/s } coordinates { x: m } mass { x: 1 } forces { x: -w^2*x } outputs { e: m^2/s^2 = \
             kinetic_energy } }",
    )
    .unwrap();
    assert_eq!(
        lines(&compiled, &["M", "f", "f_q", "T", "V", "s"]),
        [
            "T: m^2/s^2 = 0.5*dot(x)^2",
            "f[x]: m/s^2 = -(w^2*x)",
            "M[x, x]: 1 = 1",
            "f_q[x, x]: 1/s^2 = -w^2",
            "s[e]: m^2/s^2 = 0.5*dot(x)^2",
        ]
    );
}

/// Tests quantities that a model does not have, and structural zeros.
#[test]
fn names_that_are_not_there() {
    let compiled = compile_str(include_str!("../fixtures/engine_mount.model")).unwrap();
    let expressions = compiled.expressions();
    assert!(expressions.get("f", &["x1"]).is_some());
    for (quantity, indices) in [("f", &["x9"][..]), ("g", &["x1"]), ("M", &["x2", "x2"]), ("V", &[]), ("f", &[])] {
        assert_eq!(expressions.get(quantity, indices), None, "{quantity} {indices:?}");
    }
}

/// Tests that the model is not changed.
#[test]
fn the_model_stays_as_it_is() {
    let compiled = compile_str(include_str!("../fixtures/mechanism.model")).unwrap();
    let (nodes, code) = (compiled.graph.len(), compiled.source().unwrap());
    let first = compiled.expressions();
    assert_eq!(compiled.expressions().all, first.all);
    assert_eq!((compiled.graph.len(), compiled.source().unwrap()), (nodes, code));
}
