//! Every function and every operator, documented and without a warning.
#![deny(warnings, missing_docs, dead_code)]

costate::model! {
    /// Every function.
    pub Functions {
        parameters { a: 1 = 0.7, b: 1 = 1.3, n: 1 = 2.5 }
        inputs { u: 1 }
        coordinates { x: 1, y: 1, z: 1 }
        mass { x: 1 + a^2, y: 2 + sin(b*x), z: 1 }
        let unit = 1[1/s^2];
        let angle = atan2(y + 3, x + 2);
        forces {
            x: unit*(sin(a*x) + cos(b*y) + tan(0.3*z) + asin(0.5*x) + acos(0.5*y) + atan(z*b) + u*sqrt(2 + x^2)),
            y: unit*(sinh(a*x) + cosh(y) + tanh(b*z) + exp(-x) + ln(2 + y) + log10(3 + z*a) + angle),
            z: unit*(abs(x) + sign(y)*x + min(x, y, z, 1) + max(x*b, y) + smooth_step(x, -a, b) + (2 + x)^n
                + (1.5 + 0.2*y)^(a*x) + x^7 + (2 + y)^-3 + 2^z^2 - -x + (x - (y - z)) - x/(y + 2)/(z + 3)),
        }
        constraints { surface: x^2 + a*y*z - sin(b*value(t, s))*x + pi }
        outputs {
            reading: 1/s^2 = ddot(x)*y + multiplier(surface)*u + dot(y)^2*exp(-value(t, s)) + ddot(x*y^2),
            slope: 1 = value(dot(x*y), 1/s),
            elevation: deg = angle,
            piecewise: 1 = if x > y && !(z < 0) || dot(x) >= 0.5[1/s] { x*y*value(dot(z),
            1/s) } else if y != z { z^2 } else { 1 },
            comparison: 1 = if x <= 1 { 0 } else { if y == 2 { 1 } else { -1 } },
        }
    }
}

#[test]
fn runs() {
    let model = Functions::default();
    assert_eq!(model.n, 2.5);
}
