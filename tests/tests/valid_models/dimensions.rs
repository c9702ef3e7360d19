//! Units that fit: scaled ones, roots, casts of empirical formulas, models without units.
#![deny(warnings, missing_docs, dead_code)]

use costate::Simulation;

costate::model! {
    /// Every way in which units fit.
    pub Fitting(one: usize = 1) {
        parameters {
            m: g = 2000, c: N/mm = 0.05, d: N*s/m = 3, l: mm = 500, area: mm^2 = 20, pressure: bar = 2, n: 1 = 1.5,
            speed: rpm = 30, _unused: 1 = 0,
        }
        inputs { drive: kN }
        tables { bump(deflection: mm, speed: m/s): kN }
        coordinates { x: m, phi: rad, w: m }
        mass { x: m, phi: m*l^2, (x, phi): m*l*cos(phi)/4, w: 1[kg] }
        let omega = sqrt(c/m);
        let critical = 2*sqrt(c*m);
        let empirical = 3[N]*value(abs(x), mm)^1.3 + 1[N]*value(speed, rpm)^n/1000;
        forces {
            x: drive - c*x - d*dot(x) + 0 + max(0, -critical*dot(x)) - empirical*sign(x) - bump(x, dot(x)),
            x: if x > 0 { 0 } else if x < -1[cm] { pressure*area } else { -0 },
            x: -c*sqrt(x^2 + l^2)*(1 + x/l)^n*0.01 + m*omega^2*x*0 + (c*l)^(3/2)*0.01/sqrt(c*l),
            phi: -c*l^2*sin(phi)*2^(x/l) - d*l^2*dot(phi)*one^2 - c*l*x*smooth_step(x, 0, l),
            w: -c*(w^3)^(1/3)*tanh(t*speed),
        }
        constraints { guide: w - l*sin(phi) - 1[mm]*sin(speed*t) }
        initial { x = 0, dot(x) = l*speed, phi = 30[deg], dot(phi) = speed }
        outputs {
            energy: N*mm = 1/2*m*dot(x)^2 + c*x^2/2,
            angle: deg = atan2(x, w + l) + asin(x/(2*l)),
            guide_force: kN = multiplier(guide),
            number: 1 = value(dot(x), km/h),
            frequency: Hz = omega/(2*pi),
        }
    }
}

costate::model! {
    /// Without any unit but time's.
    pub Normalised {
        parameters { zeta: 1 = 0.1 }
        outputs { load: 1/s^2 = multiplier(tie) }
        coordinates { x: 1, y: 1 }
        mass { x: 1, y: 2 }
        let rate = 1[1/s];
        forces { x: -rate^2*x - 2*zeta*rate*dot(x) }
        constraints { tie: x - y }
    }
}

#[test]
fn runs() {
    let run = Simulation::new(&Normalised::default()).step(1e-3).until(0.01).run().unwrap();
    assert_eq!(run.output(Normalised::LOAD).len(), 11);
    assert_eq!(Fitting::default().m, 2000.0);
}
