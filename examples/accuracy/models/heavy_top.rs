//! The heavy top as a body in space.

use crate::study::Study;

costate::model! {
    #[interpreted]
    /// Heavy top on its tip: a disc at the end of a rod without mass, with the data of Geradin and Cardona (2001) as in
    /// Bruels, Cardona and Arnold (Lie group generalized-alpha time integration, 2012).
    pub HeavyTop {
        parameters {
            m: kg = 15, i_x: kg*m^2 = 0.234375, i_y: kg*m^2 = 0.46875, i_z: kg*m^2 = 0.234375, l: m = 1,
            g: m/s^2 = 9.81, spin: rad/s = 150, whirl: rad/s = -4.61538,
        }
        gravity { (0, 0, -g) }
        bodies { top: spatial { mass: m, inertia: (i_x, i_y, i_z) } }
        joints { tip: spherical(ground, top.at(0, -l, 0)) }
        initial {
            top.orientation = rotation((0, 0, 1), 0),
            top.local_angular_velocity = (0, spin, whirl),
        }
        outputs {
            /// Height of the disc.
            height: m = top.z,
        }
    }
}

/// More than two turns of the disc.
pub fn study() -> Study<HeavyTop> {
    Study { model: HeavyTop::default(), end: 0.1, steps: 125, output: HeavyTop::HEIGHT }
}
