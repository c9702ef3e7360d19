//! Chains of bodies with Euler parameters.

costate::model! {
    /// Chain of bodies, joined by balls and hinges in turn.
    pub SpatialChain(pairs: usize = 5) {
        parameters {
            m: kg = 0.5, j: kg*m^2 = 0.04, l: m = 1, g: m/s^2 = 9.81, c: N*m = 2, d: N*m*s = 0.02, drag: N*s/m = 0.1,
        }
        gravity { (0, 0, -g) }
        bodies {
            for i in 1..=2*pairs { rod[i]: spatial { mass: m, inertia: (j, 1.2*j, 0.1*j), center: (0, 0, 0.05[m]) } },
        }
        joints {
            for i in 1..=pairs {
                if i == 1 {
                    ball[i]: spherical(ground, rod[1].at(0, 0, l/2)),
                } else {
                    ball[i]: spherical(rod[2*i - 2].at(0, 0, -l/2), rod[2*i - 1].at(0, 0, l/2)),
                },
                hinge[i]: revolute(rod[2*i - 1].at(0, 0, -l/2), rod[2*i].at(0, 0, l/2), axis = (1, 0, 0)),
            },
        }
        elements {
            for i in 1..=2*pairs {
                air[i]: force(rod[i], -drag*rod[i].velocity),
                friction[i]: torque(rod[i], -d*rod[i].angular_velocity),
            },
            for i in 1..=pairs {
                bend[i]: torsional(rod[2*i - 1], rod[2*i], axis = (1, 0, 0), stiffness = c),
            },
        }
        initial { for i in 1..=2*pairs { rod[i].orientation = rotation((1, 0, 0), 0.2/pairs*i) } }
        outputs { height: m = rod[2*pairs].at(0, 0, -l/2).position.z, load: N = ball[1].reaction.z }
    }
}
