//! The stiff flyball governor in three coordinates, by its energies.

use crate::study::Study;

costate::model! {
    #[interpreted]
    /// Flyball governor whose coupler rods are stiff springs with dampers, with the data of problem A05 of the library
    /// of benchmarks of multibody dynamics (Gonzalez, Dopico, Lugris, Cuadrado 2006; IFToMM benchmark "Stiff flyball
    /// governor"). The shaft turns freely.
    pub Governor {
        parameters {
            // of shaft, rod and slider, and of the ball at the end of a rod
            m_shaft: kg = 0.3, m_rod: kg = 0.3, m_slider: kg = 3, m_ball: kg = 5,
            // length of shaft and rods, their width, that of the slider, and from the axis to the hinge of a rod
            l: m = 1, width: m = 0.01, side: m = 0.1, a: m = 0.05,
            c: N/m = 8e5, d: N*s/m = 4e4, rest: m = 0.5, g: m/s^2 = 9.81,
            // rods below the horizontal, height of the slider, and spin of the shaft at the start
            beta_0: deg = 30, s_0: m = 0.5, spin: rad/s = 6.283185307179586,
        }
        coordinates { phi: rad, beta: rad, s: m }
        // moments of inertia about the axis of a rod and across it
        let along = m_rod*width^2/6;
        let across = m_rod*(l^2 + width^2)/12;
        kinetic {
            shaft: (m_shaft*width^2/6 + m_slider*side^2/6)/2*dot(phi)^2,
            slider: m_slider/2*dot(s)^2,
            rods: m_rod*((l/2)^2*dot(beta)^2 + (a + l/2*cos(beta))^2*dot(phi)^2)
                + across*(dot(beta)^2 + cos(beta)^2*dot(phi)^2) + along*sin(beta)^2*dot(phi)^2,
            balls: m_ball*(l^2*dot(beta)^2 + (a + l*cos(beta))^2*dot(phi)^2),
        }
        // from the middle of a rod to the slider, whose half width is that from axis to hinge
        let distance = sqrt((l/2*cos(beta))^2 + (l - l/2*sin(beta) - s)^2);
        potential {
            weight: g*(m_slider*s - (m_rod + 2*m_ball)*l*sin(beta)),
            springs: c*(distance - rest)^2,
        }
        dissipation { d*dot(distance)^2 }
        initial { beta = beta_0, s = s_0, dot(phi) = spin }
        outputs {
            /// Height of the slider.
            height: m = s,
        }
    }
}

/// The first half second: the steps resolve what the dampers settle within 0.1 ms.
pub fn study() -> Study<Governor> {
    Study { model: Governor::default(), end: 0.5, steps: 10000, output: Governor::HEIGHT }
}
