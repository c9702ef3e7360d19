//! Names that the generated code uses itself, in every role.
#![deny(warnings, missing_docs, dead_code)]

use costate::Simulation;

costate::model! {
    /// As coordinates.
    pub Coordinates {
        parameters { c: 1 = 1, k1: 1 = 2, e1: 1 = 3, w_a: 1 = 4 }
        inputs { time: 1/s^2, inputs: 1/s^2 }
        coordinates {
            k: 1, at: 1, out: 1, weights: 1, S: 1, h: 1, velocities: 1, lambda_c1: 1, e2: 1,
            force: 1, f: 1, sin_k: 1,
        }
        mass { k: 1, at: 1 + c^2, out: 2, weights: 1, S: 3, h: 1, velocities: 1, lambda_c1: 1, e2: 1, f: 1 }
        let rate = 1[1/s];
        let e3 = sin(k)*cos(k);
        let constants = c*k1*e1;
        let k2 = w_a^2*c;
        forces {
            k: time - (c*k*S + e3)*rate^2, at: -at*out*constants*rate^2, out: (sin_k*e3^2 - S*weights)*rate^2,
            weights: inputs, S: -S*h*rate^2, h: -dot(h)*rate, velocities: (-velocities*e2 + k2*k)*rate^2,
            e2: f*e3*rate^2, f: -f*rate^2, sin_k: sin(k)*rate^2 - dot(sin_k)*rate,
            force: -force*rate^2 - dot(force)*constants*rate,
        }
        constraints { c1: lambda_c1 - sin(3*rate*t)*k1 }
        outputs { outputs: 1/s^2 = multiplier(c1)*c, dot_k: 1/s = dot(k), ddot_k: 1/s^2 = ddot(k), k_dot: 1 = k*at }
    }
}

costate::model! {
    /// As parameters.
    pub Parameters {
        parameters {
            t1: 1 = 1, e1: 1 = 2, k1: 1 = 3, k2: 1 = 3.5, scalar: 1 = 4, parameters: 1 = 5, mass: 1 = 6,
            constants: 1 = 7, k: 1 = 8, at: 1 = 9, out: 1 = 10, weights: 1 = 11, S: 1 = 12, h: 1 = 13,
            w_a: 1 = 14, w_q: 1 = 15, w_v: 1 = 16, f64: 1 = 17, description: 1 = 18, default: 1 = 19,
            x_dot: 1 = 20, lambda_joint: 1 = 21, core: 1 = 22, costate: 1 = 23, unused: 1 = 24, at_: 1 = 25,
            coordinates: 1 = 26, newton: 1 = 27, residual: 1 = 28, from_parameters: 1 = 29, clone: 1 = 30,
        }
        coordinates { x: 1, y: 1 }
        mass { x: 1 + mass^2 + S^2, y: k + out^2 + unused }
        let rate = 1[1/s];
        let k3 = k1*k2*e1;
        let w = w_a*w_q*w_v + h;
        forces {
            x: (-(t1 + e1*k1)*x + k3 - at*f64 + default + at_*at^2)*rate^2 - weights*dot(x)*x_dot*rate,
            y: (-constants*y + parameters*scalar*lambda_joint + w + core*costate + coordinates*newton*residual)*rate^2,
        }
        constraints { joint: x - y*clone + from_parameters - description }
        initial { x = k*at, dot(y) = weights*parameters*rate }
        outputs { load: 1/s^2 = multiplier(joint)*scalar*S }
    }
}

costate::model! {
    /// A model called like a trait of the runtime.
    pub Model {
        parameters { c: N/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x }
    }
}

#[test]
fn runs() {
    let coordinates = Coordinates::default();
    let run = Simulation::new(&coordinates)
        .input(Coordinates::TIME, |t: f64| t)
        .input(Coordinates::INPUTS, |t: f64| t)
        .step(1e-3)
        .until(0.01)
        .error_limit(None);
    run.run().unwrap();
    let parameters = Parameters { k: 8.5, scalar: 1.0, f64: 1.0, ..Default::default() };
    assert_eq!((parameters.unused, Parameters::UNUSED.index()), (24.0, 24));
    assert_eq!(Model { c: 2.0 }, Model { ..Model { c: 2.0 } });
}
