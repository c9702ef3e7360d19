//! Chains of bodies in space: every program that includes this file chooses how long.

macro_rules! spatial_chain {
    ($name:ident, $links:literal) => {
        costate::model! {
            /// Chain of bodies with Euler parameters that hangs from a fixed point, joined by balls, in a viscous
            /// fluid.
            pub $name(links: usize = $links) {
                parameters { m: kg = 0.5, j: kg*m^2 = 0.04, l: m = 1, d: N*m*s = 0.02, g: m/s^2 = 9.81 }
                gravity { (0, 0, -g) }
                bodies { for i in 1..=links { rod[i]: spatial { mass: m, inertia: (j, j, j/10) } } }
                joints {
                    ball[1]: spherical(ground, rod[1].at(0, 0, l/2)),
                    for i in 2..=links { ball[i]: spherical(rod[i - 1].at(0, 0, -l/2), rod[i].at(0, 0, l/2)) },
                }
                elements { for i in 1..=links { drag[i]: torque(rod[i], -d*rod[i].angular_velocity) } }
                initial { for i in 1..=links { rod[i].orientation = rotation((1, 0, 0), 0.4/links*i) } }
                outputs {
                    /// Height of the last end.
                    height: m = rod[links].at(0, 0, -l/2).position.z,
                }
            }
        }
    };
}

pub(crate) use spatial_chain;
