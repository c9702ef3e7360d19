//! Models with inputs of every kind, and beside each input of most of them a pulse that one sample alone feels, a hat
//! between its neighbours: its height is a parameter that stands for that sample where `width` is the step size.

costate::model! {
    /// A pendulum on a cart in redundant coordinates, with parameters in mass, constraints and initial state. `force`
    /// acts on the cart, nonlinearly too; `pull` on a node that has neither mass nor constraint, so that its initial
    /// velocity depends on it; both are measured.
    pub DrivenPendulum {
        parameters {
            m_c: kg = 1.1, m: kg = 0.5, l: m = 0.6, c: N/m = 30, d: N*m*s = 0.03, b: N*s/m = 3, g: m/s^2 = 9.81,
            phi_0: rad = 0.4, omega_0: rad/s = 0.5,
            force_pulse: N = 0, pull_pulse: mN = 0, at: s = 0, width: s = 1e-2,
        }
        inputs { force: N, pull: mN }
        coordinates { x: m, px: m, py: m, phi: rad, node: m }
        mass { x: m_c, px: m, py: m*(1 + 0.1[1/m]*l), phi: m*l^2/12 }
        let pulse = max(1 - abs(t - at)/width, 0);
        let push = force + force_pulse*pulse;
        let tug = pull + pull_pulse*pulse;
        let spring = c*(node - x);
        forces {
            x: push*(1 + 0.1[1/N]*push)*cos(0.2*phi) + spring,
            py: -m*g,
            phi: -d*dot(phi) + 0.2[m]*tug*sin(phi),
            node: tug - spring - b*dot(node)*(1 + 0.5[s^2/m^2]*dot(node)^2),
        }
        constraints {
            pin_x: px - x - l*sin(phi),
            pin_y: py + l*cos(phi),
        }
        initial { x = 0.1*l, phi = phi_0, dot(phi) = omega_0, dot(x) = 0.2*omega_0*l, node = 0.05*l }
        outputs {
            angle: rad = phi,
            acceleration: m/s^2 = ddot(x)*(1 + 0.01[1/N]*push),
            tension: N = multiplier(pin_y) + 0.3*tug,
            place: mm = node + px,
        }
    }
}

costate::model! {
    #[interpreted]
    /// Masses with springs between any two, so that the Newton matrix is full and no elimination is emitted; the first
    /// two are on a lever, the last one is pushed.
    pub DrivenCloud(masses: usize = 46) {
        parameters {
            m: kg = 0.2, c: N/m = 2, c_3: N/m^3 = 200, ratio: 1 = 0.7, span: m = 0.1,
            force_pulse: N = 0, at: s = 0, width: s = 1e-2,
        }
        inputs { force: N }
        coordinates { for i in 0..masses { x[i]: m } }
        mass { for i in 0..masses { x[i]: m*(1 + 0.02*i) } }
        let push = force + force_pulse*max(1 - abs(t - at)/width, 0);
        forces {
            for i in 0..masses {
                x[i]: -c_3*x[i]^3,
                for j in 0..masses { x[i]: -c*(x[i] - x[j]) },
            },
            x[masses - 1]: push*(1 + 0.1[1/N]*push),
        }
        constraints { lever: x[0] - ratio*x[1]*(1 + x[1]/1[m]) }
        initial { for i in 1..masses { x[i] = span/i } }
        outputs { end: m = x[masses - 1], load: N = multiplier(lever)*(1 + x[2]/1[m]) }
    }
}

costate::model! {
    #[interpreted]
    /// A point without mass in axes that turn, pushed along one of them: no fixed order of pivots serves at all times.
    pub DrivenAxes {
        parameters {
            a: m = 0.3, b: m = 0.2, rate: rad/s = 4, m: kg = 0.5, k: N/m = 20,
            force_pulse: N = 0, at: s = 0, width: s = 1e-2,
        }
        inputs { force: N }
        coordinates { p[1..=2]: m, x: m }
        mass { x: m }
        let push = force + force_pulse*max(1 - abs(t - at)/width, 0);
        forces { p[1]: -push, x: -k*(x - p[1]) + 0.5*push }
        constraints {
            along: cos(rate*t)*p[1] - sin(rate*t)*p[2] - a,
            across: sin(rate*t)*p[1] + cos(rate*t)*p[2] - b,
        }
        initial { x = a }
        outputs { place: m = x, load: N = multiplier(along)*(x + 1[m])/a }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a spring and a damper of which only tables are known, beside a stop that it may never reach.
    pub Strut {
        parameters { m: kg = 2.0, c: N/m = 400.0, engaged: 1 = 0 }
        inputs { drive: N }
        tables {
            damper(speed: m/s): N,
            spring(travel: mm): N,
            stop(travel: mm): N,
            map(travel: m, speed: m/s): N,
        }
        coordinates { x: m }
        mass { x: m }
        forces {
            x: drive - c*x - damper(dot(x)) - spring(x) - engaged*stop(x) - map(x, dot(x)),
        }
        initial { x = 0.01[m], dot(x) = 0[m/s] }
        outputs {
            position: m = x,
            acceleration: m/s^2 = ddot(x),
            force: N = damper(dot(x)) + spring(x),
        }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a spring, which a force of two parts drives.
    pub PushedOscillator {
        parameters { m: kg = 2, c: N/m = 50, d: N*s/m = 1.5, push: N = 3, swing: N = 2 }
        coordinates { x: m }
        mass { x: m }
        forces { x: push + swing*sin(4[1/s]*t) - c*x - d*dot(x) }
        outputs { position: m = x, velocity: m/s = dot(x) }
    }
}
