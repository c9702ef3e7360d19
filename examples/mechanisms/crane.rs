costate::model! {
    #[interpreted]
    /// A trolley that carries a load on a rope of two rods.
    pub Crane {
        parameters { m_t: kg = 200, m_l: kg = 500, m_r: kg = 10, l: m = 4, d: N*m*s = 400, g: m/s^2 = 9.81 }
        inputs {
            /// Force of the trolley's motor.
            drive: N,
        }
        gravity { (0, -g) }
        bodies {
            trolley: planar { mass: m_t, shape: box(1.2[m], 0.5[m]) },
            rope[1..=2]: planar { mass: m_r, inertia: m_r*(l/2)^2/12, shape: box(0.08[m], l/2) },
            load: planar { mass: m_l, inertia: m_l*0.2[m^2], shape: box(1.4[m], 1[m]).at(0, -0.5[m]) },
        }
        joints {
            rail: prismatic(ground, trolley, axis = (1, 0)),
            hook[1]: revolute(trolley, rope[1].at(0, l/4)),
            hook[2]: revolute(rope[1].at(0, -l/4), rope[2].at(0, l/4)),
            eye: revolute(rope[2].at(0, -l/4), load),
        }
        elements {
            motor: force(trolley, (drive, 0)),
            swing: torsional(trolley, rope[1], damping = d),
            fold: torsional(rope[1], rope[2], damping = d),
            turn: torsional(rope[2], load, damping = d),
        }
        outputs { travel: m = trolley.x, sway: m = load.x - trolley.x, pull: kN = norm(hook[1].reaction) }
    }
}
