//! Models given by their energies, and the same models given by their equations.

costate::model! {
    /// The cart with three rods of `costate_models::CartPendulum` by its energies; some terms by equations all the
    /// same.
    pub ChainByEnergies {
        parameters {
            m_c: kg = 1.0, m_p: kg = 0.5, l: m = 1.0, g: m/s^2 = 9.81,
            d_c: N*s/m = 0.01, d_1: N*m*s = 0.02, c_f: N*m = 10.0, d_f: N*m*s = 0.02,
        }
        inputs { drive: N }
        coordinates { x_c: m, x[1..=3]: m, y[1..=3]: m, phi[1..=3]: rad }
        let inertia = m_p*l^2/12;
        mass { x_c: m_c/2 }
        kinetic {
            cart: m_c*dot(x_c)^2/4,
            for i in 1..=3 {
                let speed_squared = dot(x[i])^2 + dot(y[i])^2;
                rod[i]: (m_p*speed_squared + inertia*dot(phi[i])^2)/2,
            },
        }
        potential {
            -drive*x_c,
            for i in 1..=3 { m_p*g*y[i] },
            for i in 1..=2 { spring[i]: c_f*(phi[i+1] - phi[i])^2/2 },
        }
        dissipation {
            d_c*dot(x_c)^2/2,
            for i in 1..=2 { d_f*(dot(phi[i+1]) - dot(phi[i]))^2/2 },
        }
        forces { phi[1]: -d_1*dot(phi[1]) }
        constraints {
            pin_x[1]: x[1] - l/2*sin(phi[1]) - x_c,
            pin_y[1]: y[1] + l/2*cos(phi[1]),
            for i in 2..=3 {
                pin_x[i]: x[i] - l/2*sin(phi[i]) - (x[i-1] + l/2*sin(phi[i-1])),
                pin_y[i]: y[i] + l/2*cos(phi[i]) - (y[i-1] - l/2*cos(phi[i-1])),
            },
        }
        initial { for i in 1..=3 { y[i] = -(i - 1/2)*l } }
        outputs { energy: J = 2*cart + rod[1] + rod[2] + rod[3] + spring[1] + spring[2] }
    }
}

costate::model! {
    /// Heavy symmetric top in Euler angles, by its energies.
    pub TopByEnergies {
        parameters {
            a: kg*m^2 = 0.02, c: kg*m^2 = 0.03, m: kg = 1.5, s: m = 0.1, g: m/s^2 = 9.81,
            tilt: rad = 0.5, spin: rad/s = 60, whirl: rad/s = 1,
        }
        coordinates { psi: rad, theta: rad, phi: rad }
        kinetic {
            a/2*(dot(theta)^2 + (dot(psi)*sin(theta))^2) + c/2*(dot(phi) + dot(psi)*cos(theta))^2,
        }
        potential { m*g*s*cos(theta) }
        initial { theta = tilt, dot(phi) = spin, dot(psi) = whirl }
        outputs { height: m = s*cos(theta) }
    }
}

costate::model! {
    /// The top of `TopByEnergies` with mass matrix and gyroscopic terms derived by hand.
    pub Top {
        parameters {
            a: kg*m^2 = 0.02, c: kg*m^2 = 0.03, m: kg = 1.5, s: m = 0.1, g: m/s^2 = 9.81,
            tilt: rad = 0.5, spin: rad/s = 60, whirl: rad/s = 1,
        }
        coordinates { psi: rad, theta: rad, phi: rad }
        mass { psi: a*sin(theta)^2 + c*cos(theta)^2, theta: a, phi: c, (psi, phi): c*cos(theta) }
        let twice = sin(theta)*cos(theta);
        forces {
            psi: -2*(a - c)*twice*dot(theta)*dot(psi) + c*sin(theta)*dot(theta)*dot(phi),
            theta: (a - c)*twice*dot(psi)^2 - c*sin(theta)*dot(psi)*dot(phi) + m*g*s*sin(theta),
            phi: c*sin(theta)*dot(theta)*dot(psi),
        }
        initial { theta = tilt, dot(phi) = spin, dot(psi) = whirl }
        outputs { height: m = s*cos(theta) }
    }
}

costate::model! {
    /// Pendulum whose pivot is shaken, in a frame that turns: terms of T that are linear in velocities and without any,
    /// time and a parameter in all of them.
    pub WhirledPendulum {
        parameters {
            m: kg = 0.7, l: m = 0.4, shake: m = 0.05, w: rad/s = 9, turn: rad/s = 3, g: m/s^2 = 9.81, d: N*m*s = 0.01,
        }
        inputs { push: N }
        coordinates { phi: rad, s: m }
        let x = shake*sin(w*t) + (l + s)*sin(phi);
        let y = -(l + s)*cos(phi);
        kinetic { motion: m/2*(dot(x)^2 + dot(y)^2 + (turn*x)^2) + 0.01[kg]*dot(s)^2 }
        potential { m*g*y + 50[N/m]*s^2 - push*x }
        dissipation { d*dot(phi)^2/2 + 0.5[N*s^3/m^3]*dot(s)^4 }
        initial { phi = 0.4, dot(s) = 0.1[m/s] }
        outputs { energy: J = motion }
    }
}
