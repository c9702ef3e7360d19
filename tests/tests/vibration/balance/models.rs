//! Models of several of these tests.

/// An oscillator with a cubic spring.
pub const DUFFING: &str = "Duffing {
    parameters { m: kg = 1, d: N*s/m = 0.1, c: N/m = 1, c_3: N/m^3 = 1 }
    inputs { drive: N }
    coordinates { x: m }
    mass { x: m }
    forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
    initial { x = 0[m], dot(x) = 0[m/s] }
    outputs { position: m = x, acceleration: m/s^2 = ddot(x), force: N = c*x + c_3*x^3 + d*dot(x) }
}";

/// A hydraulic engine mount on a test rig, whose fluid has quadratic damping and a membrane without free play.
pub const MOUNT: &str = "EngineMount {
    parameters {
        m_l: kg = 20.0, m_m: kg = 0.002, m_h: kg = 0.0019,
        c_e1: N/m = 123e3, c_e2: N/m^3 = 2.5e9, d_e: N*s/m = 5.0,
        c_h: N/m = 375e3, d_h1: N*s/m = 0.08, d_h2: N*s^3/m^3 = 2.0,
        c_m: N/m = 9e3, d_m: N*s/m = 10.0, a: m = 0.095, b: m = 0.0036, g: m/s^2 = 9.81,
    }
    inputs { drive: N }
    coordinates { x1: m, x2: m, x3: m, x4: m }
    mass { x1: m_l, x3: m_m, x4: m_h }
    let elastomer = c_e1*x1 + c_e2*x1^3 + d_e*dot(x1);
    let fluid = c_h*(x1 - x2);
    forces {
        x1: drive + m_l*g - elastomer - fluid,
        x2: fluid,
        x3: -(c_m*x3 + d_m*dot(x3)),
        x4: -(d_h1*dot(x4) + d_h2*dot(x4)^3),
    }
    constraints { lever: x2*(a + b) - x3*b - x4*a }
    outputs { acceleration: m/s^2 = ddot(x1), displacement: m = x1, transmitted: N = elastomer + fluid }
}";
