//! Small models, each for one part of the language.

costate::model! {
    /// Every function of the language, in forces, outputs and a constraint.
    pub Functions {
        parameters { a: 1 = 0.7, b: 1 = 1.3, n: 1 = 2.5 }
        inputs { u: N }
        coordinates { x: m, y: m, z: m }
        mass { x: 1 + a^2, y: 2 + sin(b*x), z: 1 }
        let root = sqrt(2 + x^2);
        let angle = atan2(y + 3, x + 2);
        forces {
            x: sin(a*x) + cos(b*y) + tan(0.3*z) + asin(0.5*x) + acos(0.5*y) + atan(z*b) + u*root,
            y: sinh(a*x) + cosh(y) + tanh(b*z) + exp(-x) + ln(2 + y) + log10(3 + z*a) + angle,
            z: abs(x) + sign(y)*x + min(x, y, z) + max(x*b, y) + smooth_step(x, -a, b) + (2 + x)^n
                + (1.5 + 0.2*y)^(a*x) + x^7 + (2 + y)^(-3) + 2^z
                + if x > y && !(z < 0) || dot(x) >= 0.5 { x*y*dot(z) } else if y != z { z^2 } else { 1 },
        }
        constraints { surface: x^2 + a*y*z - sin(b*t)*x }
        outputs {
            reading: 1 = ddot(x)*y + multiplier(surface)*u + dot(y)^2*exp(-t) + dot(x*y),
            speed: m/s = sqrt(1 + dot(x)^2),
            elevation: deg = angle,
        }
    }
}

costate::model! {
    /// A full mass matrix that depends on coordinates and parameters.
    pub Gyroscope {
        parameters { m: kg = 2, l: m = 0.8, k: N/m = 5 }
        coordinates { x: m, phi: rad, psi: rad }
        mass {
            x: m + 1,
            phi: m*l^2*(1 + cos(psi)^2) + 0.1,
            psi: m*l^2,
            (x, phi): m*l*cos(phi),
            (phi, psi): 0.1*m*l^2*sin(psi - phi),
        }
        forces { x: -k*x, phi: -m*l*sin(phi)*dot(psi)^2, psi: -k*l^2*psi + m*l*dot(x)*dot(phi) }
        outputs { sum: 1 = x + phi + psi, load: N = m*ddot(x) }
    }
}

costate::model! {
    /// Parameters in masses, constraints (with time) and initial conditions; one coordinate without mass and
    /// constraint, one that projection completes.
    pub ParametersEverywhere {
        parameters {
            m: kg = 1.2, l: m = 0.9, d: N*s/m = 0.4, c: N/m = 30, g: m/s^2 = 9.81,
            phi_0: rad = 0.3, omega_0: rad/s = 0.5, amplitude: m = 0.05, d_n: N*s/m = 2,
        }
        coordinates { x: m, y: m, node: m }
        mass { x: m, y: m*(1 + 0.1*l) }
        forces {
            x: -d*dot(x) - c*(x - node),
            y: -m*g,
            node: c*(x - node) - d_n*dot(node),
        }
        constraints { rod: (x - amplitude*sin(3*t))^2 + y^2 - l^2 }
        initial { x = l*sin(phi_0), dot(x) = omega_0*l*cos(phi_0), node = 0.1*l }
        outputs {
            tension: N = 2*l*multiplier(rod),
            position: m = x,
            acceleration: m/s^2 = ddot(y),
            effort: W = dot(x)*c*(x - node)/m*1[kg],
        }
    }
}
