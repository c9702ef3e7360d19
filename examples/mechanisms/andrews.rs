//! Andrews' squeezing mechanism in the seven angles of the test set, by its energies.

costate::model! {
    #[interpreted]
    /// Seven bodies in a plane, driven by a motor, with the data of the Test Set for IVP Solvers (problem Andrews;
    /// Hairer, Wanner: Solving ODEs II, VII.7).
    pub Andrews {
        parameters {
            m_1: kg = 0.04325, m_2: kg = 0.00365, m_3: kg = 0.02373, m_4: kg = 0.00706, m_5: kg = 0.07050,
            m_6: kg = 0.00706, m_7: kg = 0.05498,
            i_1: kg*m^2 = 2.194e-6, i_2: kg*m^2 = 4.410e-7, i_3: kg*m^2 = 5.255e-6, i_4: kg*m^2 = 5.667e-7,
            i_5: kg*m^2 = 1.169e-5, i_6: kg*m^2 = 5.667e-7, i_7: kg*m^2 = 1.912e-5,
            xa: m = -0.06934, ya: m = -0.00227, xb: m = -0.03635, yb: m = 0.03273, xc: m = 0.014, yc: m = 0.072,
            c_0: N/m = 4530, l_0: m = 0.07785, torque_0: N*m = 0.033,
            d: m = 0.028, da: m = 0.0115, e: m = 0.02, ea: m = 0.01421, rr: m = 0.007, ra: m = 0.00092,
            ss: m = 0.035, sa: m = 0.01874, sb: m = 0.01043, sc: m = 0.018, sd: m = 0.02,
            ta: m = 0.02308, tb: m = 0.00916, u: m = 0.04, ua: m = 0.01228, ub: m = 0.00449,
            zf: m = 0.02, zt: m = 0.04, fa: m = 0.01421,
        }
        coordinates { beta: rad, theta: rad, gamma: rad, phi: rad, delta: rad, omega: rad, epsilon: rad }
        let a_2 = beta + theta;
        let a_4 = phi + delta;
        let a_6 = omega + epsilon;
        let x_1 = ra*cos(beta);
        let y_1 = ra*sin(beta);
        let x_2 = rr*cos(beta) - da*cos(a_2);
        let y_2 = rr*sin(beta) - da*sin(a_2);
        let x_3 = xb + sa*sin(gamma) + sb*cos(gamma);
        let y_3 = yb - sa*cos(gamma) + sb*sin(gamma);
        let x_4 = xa + zt*cos(delta) + (e - ea)*sin(a_4);
        let y_4 = ya + zt*sin(delta) - (e - ea)*cos(a_4);
        let x_5 = xa + ta*cos(delta) - tb*sin(delta);
        let y_5 = ya + ta*sin(delta) + tb*cos(delta);
        let x_6 = xa + u*sin(epsilon) + (zf - fa)*cos(a_6);
        let y_6 = ya - u*cos(epsilon) + (zf - fa)*sin(a_6);
        let x_7 = xa + ua*sin(epsilon) - ub*cos(epsilon);
        let y_7 = ya - ua*cos(epsilon) - ub*sin(epsilon);
        kinetic {
            m_1/2*(dot(x_1)^2 + dot(y_1)^2) + i_1/2*dot(beta)^2,
            m_2/2*(dot(x_2)^2 + dot(y_2)^2) + i_2/2*dot(a_2)^2,
            m_3/2*(dot(x_3)^2 + dot(y_3)^2) + i_3/2*dot(gamma)^2,
            m_4/2*(dot(x_4)^2 + dot(y_4)^2) + i_4/2*dot(a_4)^2,
            m_5/2*(dot(x_5)^2 + dot(y_5)^2) + i_5/2*dot(delta)^2,
            m_6/2*(dot(x_6)^2 + dot(y_6)^2) + i_6/2*dot(a_6)^2,
            m_7/2*(dot(x_7)^2 + dot(y_7)^2) + i_7/2*dot(epsilon)^2,
        }
        let x_d = sd*cos(gamma) + sc*sin(gamma) + xb;
        let y_d = sd*sin(gamma) - sc*cos(gamma) + yb;
        potential {
            c_0/2*(sqrt((x_d - xc)^2 + (y_d - yc)^2) - l_0)^2,
            -torque_0*beta,
        }
        let x_p = rr*cos(beta) - d*cos(a_2);
        let y_p = rr*sin(beta) - d*sin(a_2);
        constraints {
            g[1]: x_p - ss*sin(gamma) - xb,
            g[2]: y_p + ss*cos(gamma) - yb,
            g[3]: x_p - e*sin(a_4) - zt*cos(delta) - xa,
            g[4]: y_p + e*cos(a_4) - zt*sin(delta) - ya,
            g[5]: x_p - zf*cos(a_6) - u*sin(epsilon) - xa,
            g[6]: y_p - zf*sin(a_6) + u*cos(epsilon) - ya,
        }
        initial {
            theta = 0, beta ~ -0.06171389001427645, gamma ~ 0.4552798191630704, phi ~ 0.2226683901658859,
            delta ~ 0.4873649795438425, omega ~ -0.2226683901658859, epsilon ~ 1.230547444549821,
            dot(beta) = 0,
        }
        outputs {
            /// Angle of the upper arm.
            arm: rad = delta,
        }
    }
}
