//! The slider crank with a flexible rod, by its energies.

use crate::study::Study;

costate::model! {
    #[interpreted]
    /// Slider crank at constant speed whose rod bends in two modes and stretches in two nodes, with the data of Simeon
    /// (Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs, Math. Modelling of Systems 2,
    /// 1996) in the Test Set for IVP Solvers, problem Crank: elasticity is linear, and nothing damps.
    pub FlexibleCrank {
        parameters {
            m_2: kg = 0.151104, m_3: kg = 0.075552, l_1: m = 0.15, l_2: m = 0.3, j_1: kg*m^2 = 0.002727,
            j_2: kg*m^2 = 0.0045339259, young: Pa = 0.2e12, width: m = 0.008, height: m = 0.008,
            rho: kg/m^3 = 7870, speed: rad/s = 150,
        }
        // angles of crank and rod, position of the slider, two modes of bending, displacements of two nodes along the
        // rod
        coordinates { phi[1..=2]: rad, x: m, q[1..=4]: m }
        let m = rho*width*height*l_2;
        let k = young*width*height/l_2;
        let turn = phi[1] - phi[2];
        // integrals over the rod of displacements along it and across it, in the published order of the matrices
        let along = 2/3*q[3] + q[4]/6;
        let across = 2/pi*q[1];
        let moment = q[3]/3 + q[4]/6;
        let swing = (q[1] - q[2]/2)/pi;
        let b_13 = -16/pi^3;
        let b_14 = 8/pi^3 - 1/pi;
        let b_24 = 1/(2*pi);
        kinetic {
            rigid: (j_1 + m_2*l_1^2)/2*dot(phi[1])^2 + j_2/2*dot(phi[2])^2 + m_3/2*dot(x)^2
                + m_2*l_1*l_2/2*cos(turn)*dot(phi[1])*dot(phi[2]),
            elastic: m/2*(dot(q[1])^2/2 + dot(q[2])^2/2 + 8*dot(q[3])^2 + 2*dot(q[3])*dot(q[4]) + 2*dot(q[4])^2),
            with_crank: m*l_1*dot(phi[1])*(dot(phi[2])*(sin(turn)*across + cos(turn)*along)
                - sin(turn)*dot(along) + cos(turn)*dot(across)),
            with_rod: m/2*dot(phi[2])^2*(q[1]^2/2 + q[2]^2/2 + 8*q[3]^2 + 2*q[3]*q[4] + 2*q[4]^2 + 2*l_2*moment)
                + m*dot(phi[2])*(l_2*dot(swing) + b_13*(q[1]*dot(q[3]) - q[3]*dot(q[1]))
                + b_14*(q[1]*dot(q[4]) - q[4]*dot(q[1])) + b_24*(q[2]*dot(q[4]) - q[4]*dot(q[2]))),
        }
        potential {
            bending: k/2*(height/l_2)^2*pi^4*(q[1]^2/24 + 2/3*q[2]^2),
            stretching: k/2*(16*q[3]^2 - 16*q[3]*q[4] + 7*q[4]^2)/3,
        }
        constraints {
            guide: l_1*sin(phi[1]) + (l_2 + q[4])*sin(phi[2]),
            rail: x - l_1*cos(phi[1]) - (l_2 + q[4])*cos(phi[2]),
            drive: phi[1] - speed*t,
        }
        // the published start on the motion of the rigid mechanism, which makes the rod vibrate
        initial { x ~ l_1 + l_2, for i in 1..=4 { q[i] = 0, dot(q[i]) = 0 } }
        outputs {
            /// Bending of the rod in its first mode.
            bending_1: m = q[1],
        }
    }
}

/// A tenth of a revolution: the rod vibrates along its axis with periods from 0.25 ms on.
pub fn study() -> Study<FlexibleCrank> {
    Study { model: FlexibleCrank::default(), end: 0.004, steps: 400, output: FlexibleCrank::BENDING_1 }
}
