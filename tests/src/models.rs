//! Small models, each for one part of the language.

use costate::cost::BolzaCost;
use costate::model::Scalar;

costate::model! {
    /// Every function of the language, in forces, outputs and a constraint.
    pub Functions {
        parameters { a: 1 = 0.7, b: 1 = 1.3, n: 1 = 2.5 }
        inputs { u: 1 }
        coordinates { x: 1, y: 1, z: 1 }
        mass { x: 1 + a^2, y: 2 + sin(b*x), z: 1 }
        // The model has no units but those of time; in that of a force, 1 is the same number.
        let unit = 1[1/s^2];
        let root = sqrt(2 + x^2);
        let angle = atan2(y + 3, x + 2);
        forces {
            x: unit*(sin(a*x) + cos(b*y) + tan(0.3*z) + asin(0.5*x) + acos(0.5*y) + atan(z*b) + u*root),
            y: unit*(sinh(a*x) + cosh(y) + tanh(b*z) + exp(-x) + ln(2 + y) + log10(3 + z*a) + angle),
            z: unit*(abs(x) + sign(y)*x + min(x, y, z, 1) + max(x*b, y) + smooth_step(x, -a, b) + (2 + x)^n
                + (1.5 + 0.2*y)^(a*x) + x^7 + (2 + y)^-3 + 2^z^2 - -x + (x - (y - z)) - x/(y + 2)/(z + 3)
                + if x > y && !(z < 0) || dot(x) >= 0.5[1/s] {
                    x*y*value(dot(z), 1/s)
                } else if y != z {
                    z^2
                } else {
                    1
                }),
        }
        constraints { surface: x^2 + a*y*z - sin(b*value(t, s))*x + pi }
        outputs {
            reading: 1/s^2 = ddot(x)*y + multiplier(surface)*u + dot(y)^2*exp(-value(t, s)) + ddot(x*y^2),
            slope: 1 = value(dot(x*y), 1/s),
            speed: 1/s = sqrt(unit + dot(x)^2),
            elevation: deg = angle,
            comparison: 1 = if x <= 1 { 0 } else { if y == 2 { 1 } else { -1 } },
        }
    }
}

costate::model! {
    /// A full mass matrix that depends on coordinates and parameters.
    pub Gyroscope {
        parameters { m: kg = 2, l: m = 0.8, k: N/m = 5, spin: rad/s = 2 }
        coordinates { x: m, phi: rad, psi: rad }
        mass {
            x: m + 1[kg],
            phi: m*l^2*(1 + cos(psi)^2) + 0.1[kg*m^2],
            psi: m*l^2,
            (x, phi): m*l*cos(phi),
            (phi, psi): 0.1*m*l^2*sin(psi - phi),
        }
        forces { x: -k*x, phi: -m*l*1[m]*sin(phi)*dot(psi)^2, psi: -k*l^2*psi + m*l*dot(x)*dot(phi) }
        initial { x = 0.1*l, dot(phi) = spin, dot(psi) = -spin/2 }
        outputs { sum: 1 = value(x, m) + phi + psi, load: N = m*ddot(x), rate: rad/s = dot(phi) }
    }
}

costate::model! {
    /// Parameters in masses, constraints (with time) and initial conditions. Projection completes x and y (of which
    /// phi leaves no choice) and r and s (the point of a curve nearest to the origin); s has no mass, node neither
    /// mass nor constraint.
    pub ParametersEverywhere {
        parameters {
            m: kg = 1.2, l: m = 0.9, d: N*s/m = 0.4, c: N/m = 30, g: m/s^2 = 9.81,
            phi_0: rad = 0.3, omega_0: rad/s = 0.5, amplitude: m = 0.05, d_n: N*s/m = 2, b: 1 = 0.3,
        }
        coordinates { x: m, y: m, phi: rad, r: m, s: m, node: m }
        mass { x: m, y: m*(1 + 0.1[1/m]*l), phi: m*l^2/12, r: 0.5*m }
        forces {
            x: -d*dot(x) - c*(x - node),
            y: -m*g,
            node: c*(x - node) - d_n*dot(node),
            r: -c*r + d*dot(x),
            s: -c*s - d*dot(s),
        }
        constraints {
            pin_x: x - amplitude*sin(3[rad/s]*t) - l*sin(phi),
            pin_y: y + l*cos(phi),
            guide: s + 0.2[1/m^2]*s^3 + r*value(l, m) + r*s*b/1[m] - 0.3[m/kg]*m,
        }
        initial { phi = phi_0, dot(phi) = omega_0, node = 0.1*l }
        outputs {
            tension: N = multiplier(pin_y),
            position: m = x + s,
            acceleration: m/s^2 = ddot(y),
            effort: W = dot(x)*c*(x - node)/m*1[kg],
        }
    }
}

costate::model! {
    /// The engine mount released from a displacement: the initial acceleration depends on the parameters even though
    /// initial positions and velocities do not.
    pub DisplacedMount {
        parameters {
            m_l: kg = 20, c_e1: N/m = 73.8e3, c_e2: N/m^3 = 4e9, d_e: N*s/m = 0.5, c_h: N/m = 375e3,
            d_h1: N*s/m = 0.08, d_h2: N*s^3/m^3 = 1.2, c_m: N/m = 9e3, d_m: N*s/m = 10,
            m_m: kg = 0.002, m_h: kg = 0.0019, a: m = 0.095, b: m = 0.0036, g: m/s^2 = 9.81,
        }
        inputs { drive: N }
        coordinates { x1: m, x2: m, x3: m, x4: m }
        mass { x1: m_l, x3: m_m, x4: m_h }
        let fluid = c_h*(x1 - x2);
        forces {
            x1: drive + m_l*g - c_e1*x1 - c_e2*x1^3 - d_e*dot(x1) - fluid,
            x2: fluid,
            x3: -(c_m*x3 + d_m*dot(x3)),
            x4: -(d_h1*dot(x4) + d_h2*dot(x4)^3),
        }
        constraints { lever: x2*(a + b) - x3*b - x4*a }
        initial { x1 = 1[mm] }
        outputs { acceleration: m/s^2 = ddot(x1) }
    }
}

costate::model! {
    /// A rod on a pin that moves, in redundant coordinates, with outputs of positions and velocities only.
    pub SwingingRod {
        parameters {
            m: kg = 1.5, l: m = 0.8, d: N*m*s = 0.05, g: m/s^2 = 9.81, c: N*m = 2,
            phi_0: rad = 0.4, omega_0: rad/s = 1, amplitude: m = 0.05,
        }
        coordinates { x: m, y: m, phi: rad }
        mass { x: m, y: m, phi: m*l^2/12 }
        forces { y: -m*g, phi: -d*dot(phi) - c*phi }
        constraints {
            pin_x: x - amplitude*sin(5[rad/s]*t) - l/2*sin(phi),
            pin_y: y + l/2*cos(phi),
        }
        initial { phi = phi_0, dot(phi) = omega_0 }
        outputs { angle: rad = phi, speed: m/s = dot(x)*value(l, m), load: N = multiplier(pin_y) }
    }
}

impl SwingingRod {
    /// A cost with terms of every kind: 3 phi(0) + 2 phi(T) - 0.5 r(T) + sin(phi(T) - phi(0)) r(T) and the integral of
    /// phi + r^2 t, where r is the output `speed`.
    ///
    /// # Panics
    ///
    /// Never: the model has these outputs.
    pub fn bolza_cost(step: f64, samples: usize) -> BolzaCost {
        BolzaCost::new(step, samples)
            .with_end_value(Self::ANGLE, 2.0)
            .and_then(|cost| cost.with_integral(Self::ANGLE, 1.0))
            .and_then(|cost| cost.with_end_value(Self::SPEED, -0.5))
            .and_then(|cost| cost.with_start_value(Self::ANGLE, 3.0))
            .unwrap()
            .with_end_function([Self::ANGLE, Self::SPEED], |start, end| (end[0] - start[0]).sin() * end[1])
            .with_integrand([Self::SPEED], |t, s| s[0] * s[0] * t)
    }
}

costate::model! {
    /// Tables of one and two arguments, from files and given to a run, in every part of a model.
    pub TableDriven {
        parameters {
            m: kg = 1.3, c: N/m = 40, d: N*s/m = 0.3, radius: mm = 12, gap: mm = 0.5, x_0: m = 0.01, ratio: 1 = 0.4,
        }
        inputs { push: N }
        tables {
            /// Force of the bump stop.
            bump(spline compression: mm): N = "data/bump_stop.csv",
            /// Lift of the cam that moves the follower.
            lift(periodic angle: deg): mm = "data/cam.csv",
            /// Torque of the drive.
            torque(linear speed: rad/s, spline periodic angle: rad): N*m = "data/torque.csv",
            /// Characteristic of the bearing, measured.
            bearing(deflection: m): N,
            /// Friction over force and speed, measured.
            friction(force: N, speed: m/s): N,
        }
        coordinates { phi: rad, follower: m, x: m, y: m }
        mass {
            phi: 0.05[kg*m^2], follower: 0.2*m, x: m, y: m*(1 + value(torque(y*1[1/(m*s)], ratio), N*m)^2/10),
        }
        let spring = c*(x - follower);
        forces {
            phi: torque(dot(phi), phi) - 0.02[N*m*s]*dot(phi),
            follower: spring - d*dot(follower),
            x: -spring - bump(x - gap) + push - friction(spring, dot(x)),
            y: -bearing(y) - d*dot(y) + ratio*value(bearing(x), N)*bump(ratio*1[m]/100),
        }
        constraints { cam: follower - lift(phi + 0.3[rad/s]*t) - radius*sin(ratio) }
        initial { phi = ratio, dot(phi) = 1.5[rad/s], x = x_0 + lift(ratio), y = 0.3[m] }
        outputs {
            load: N = multiplier(cam) + bearing(y),
            height: mm = lift(phi),
            power: W = torque(dot(phi), phi)*dot(phi) + ddot(y)*1[s]*bump(x),
        }
    }
}

costate::model! {
    /// A coordinate without mass, whose velocity follows from a measured damper.
    pub Creeping {
        parameters { m: kg = 1, c: N/m = 30 }
        tables {
            /// Force of the damper.
            creep(speed: m/s): N,
            /// Force of the stop.
            stop(deflection: m): N,
        }
        coordinates { x: m, y: m }
        mass { x: m }
        let spring = c*(x - y);
        forces { x: -spring - stop(x), y: spring - creep(dot(y)) - stop(2*y) }
        initial { x = 0.1[m], y = 0.02[m], dot(x) = 0.3[m/s] }
        outputs { force: N = creep(dot(y)), acceleration: m/s^2 = ddot(x), speed: m/s = dot(y) }
    }
}

/// The tables that [`TableDriven`] is given.
pub fn table_driven() -> costate::table::Tables {
    use costate::Model;
    use costate::table::{Curve, Extension, Surface};
    let bearing =
        Curve::new(vec![-2.0, -0.8, -0.1, 0.1, 0.6, 2.0], vec![-30.0, -9.0, 0.0, 0.0, 7.0, 31.0], Extension::Linear);
    let friction = Surface::new(
        vec![-40.0, 0.0, 40.0],
        vec![-1.5, -0.2, 0.2, 1.5],
        vec![-1.0, -0.6, 0.6, 1.0, -0.2, -0.1, 0.1, 0.2, -1.1, -0.8, 0.8, 1.2],
        [Extension::Clamped; 2],
    );
    match (bearing, friction) {
        (Ok(bearing), Ok(friction)) => {
            TableDriven::tables().with(TableDriven::BEARING, bearing).with(TableDriven::FRICTION, friction)
        }
        (Err(error), _) | (_, Err(error)) => unreachable!("{error}"),
    }
}
