//! The stiff flyball governor by bodies.

costate::model! {
    /// Flyball governor whose coupler rods are stiff springs with dampers, by four bodies in space, with the data of
    /// problem A05 of the library of benchmarks of multibody dynamics (Gonzalez, Dopico, Lugris, Cuadrado 2006; IFToMM
    /// benchmark "Stiff flyball governor"). The shaft turns freely.
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
        gravity { (0, 0, -g) }
        // a rod with its ball: about the centre of mass, which is so far from the hinge
        let m_arm = m_rod + m_ball;
        let reach = (m_rod*l/2 + m_ball*l)/m_arm;
        let along = m_rod*width^2/6;
        let across = m_rod*(l^2 + width^2)/12 + m_rod*(reach - l/2)^2 + m_ball*(l - reach)^2;
        bodies {
            shaft: spatial {
                mass: m_shaft,
                inertia: (m_shaft*(l^2 + width^2)/12, m_shaft*(l^2 + width^2)/12, m_shaft*width^2/6),
            },
            slider: spatial {
                mass: m_slider,
                inertia: (m_slider*side^2/6, m_slider*side^2/6, m_slider*side^2/6),
            },
            right: spatial { mass: m_arm, inertia: (along, across, across) },
            left: spatial { mass: m_arm, inertia: (along, across, across) },
        }
        joints {
            bearing: revolute(ground, shaft.at(0, 0, -l/2), axis = (0, 0, 1)),
            guide: prismatic(shaft, slider, axis = (0, 0, 1)),
            right_hinge: revolute(shaft.at(a, 0, l/2), right.at(-reach, 0, 0), axis = (0, 1, 0)),
            left_hinge: revolute(shaft.at(-a, 0, l/2), left.at(reach, 0, 0), axis = (0, 1, 0)),
        }
        elements {
            right_spring: spring(right.at(l/2 - reach, 0, 0), slider.at(a, 0, 0), stiffness = c, damping = d,
            length = rest),
            left_spring: spring(left.at(reach - l/2, 0, 0), slider.at(-a, 0, 0), stiffness = c, damping = d,
            length = rest),
        }
        initial {
            shaft.orientation = rotation((0, 0, 1), 0),
            shaft.angular_velocity = (0, 0, spin),
            slider.z = s_0,
            right.position ~ (a + reach*cos(beta_0), 0, l - reach*sin(beta_0)),
            left.position ~ (-a - reach*cos(beta_0), 0, l - reach*sin(beta_0)),
            right.orientation ~ rotation((0, 1, 0), beta_0),
            left.orientation ~ rotation((0, 1, 0), -beta_0),
        }
        outputs {
            /// Height of the slider.
            height: m = slider.z,
        }
    }
}
