costate::model! {
    pub Pendulum {
        parameters { m: kg = 2, l: m = 0.5, g: m/s^2 = 9.81, d: N*s/m = 0.1 }
        coordinates { s: m, phi: rad }
        kinetic { cart: m/2*dot(s)^2, bob: m*l/2*dot(phi)^2 }
        potential { m*g*cos(phi), spring: 3*s^2 }
        dissipation { loss: d/2*dot(s)^2*1[s], d*dot(phi)^2 }
        outputs { stored: W = cart + spring, lost: J = loss }
    }
}
