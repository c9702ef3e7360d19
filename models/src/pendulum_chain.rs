//! The cart with a chain of rods of [`CartPendulum`](crate::CartPendulum) as bodies and joints, with any number of
//! rods.

costate::model! {
    /// Cart with a chain of uniform rods (FD 5.1, OB 4.4.1), as bodies and joints.
    pub PendulumChain(
        /// Number of rods.
        links: usize = 3,
    ) {
        parameters {
            m_c: kg = 1.0, m_p: kg = 0.5, l: m = 1.0, g: m/s^2 = 9.81,
            d_c: N*s/m = 0.01, d_1: N*m*s = 0.02, c_f: N*m = 10.0, d_f: N*m*s = 0.02,
        }
        inputs { drive: N }
        gravity { (0, -g) }
        bodies {
            cart: planar { mass: m_c },
            for i in 1..=links { rod[i]: planar { mass: m_p, inertia: m_p*l^2/12 } },
        }
        joints {
            rail: prismatic(ground, cart, axis = (1, 0)),
            pin[1]: revolute(cart, rod[1].at(0, l/2)),
            for i in 2..=links { pin[i]: revolute(rod[i-1].at(0, -l/2), rod[i].at(0, l/2)) },
        }
        elements {
            track: force(cart, (drive - d_c*cart.velocity.x, 0)),
            bearing: torsional(cart, rod[1], damping = d_1),
            for i in 1..links { hinge[i]: torsional(rod[i], rod[i+1], stiffness = c_f, damping = d_f) },
        }
        initial { for i in 1..=links { rod[i].angle = 0 } }
        outputs { angle: rad = rod[1].angle, pin_force: N = pin[1].reaction.y }
    }
}
