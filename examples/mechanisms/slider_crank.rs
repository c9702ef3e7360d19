//! The slider crank in space, by bodies.

costate::model! {
    /// Crank, rod and slider whose axes do not lie in a plane, with the data of Haug (Computer Aided Kinematics and
    /// Dynamics of Mechanical Systems, 1989, 12.2) in the IFToMM benchmark "Spatial rigid slider-crank mechanism".
    pub SliderCrank {
        parameters {
            m_crank: kg = 0.12, m_rod: kg = 0.5, m_slider: kg = 2,
            j_crank_x: kg*m^2 = 1e-4, j_crank_y: kg*m^2 = 1e-5, j_crank_z: kg*m^2 = 1e-4,
            j_along: kg*m^2 = 4e-4, j_across: kg*m^2 = 4e-3, j_slider: kg*m^2 = 1e-4,
            // lengths of crank and rod, and the bearing of the crank
            r: m = 0.08, l: m = 0.3, y_a: m = 0.1, z_a: m = 0.12,
            g: m/s^2 = 9.81, w: rad/s = 6,
        }
        gravity { (0, 0, -g) }
        bodies {
            crank: spatial { mass: m_crank, inertia: (j_crank_x, j_crank_y, j_crank_z) },
            rod: spatial { mass: m_rod, inertia: (j_along, j_across, j_across) },
            slider: spatial { mass: m_slider, inertia: (j_slider, j_slider, j_slider) },
        }
        joints {
            bearing: revolute(ground.at(0, y_a, z_a), crank, axis = (1, 0, 0)),
            pin: spherical(crank.at(0, 0, r), rod.at(-l/2, 0, 0)),
            cross: universal(slider, rod.at(l/2, 0, 0), axis = (1, 0, 0), second_axis = (0, 1, 0)),
            rail: prismatic(ground, slider, axis = (1, 0, 0)),
        }
        // the crank stands upright
        let z_b = z_a + r;
        let beside = sqrt(y_a^2 + z_b^2);
        let x_c = sqrt(l^2 - beside^2);
        initial {
            crank.orientation = rotation((1, 0, 0), 0),
            crank.angular_velocity = (w, 0, 0),
            rod.position ~ (x_c/2, y_a/2, z_b/2),
            rod.orientation ~ rotation((1, 0, 0), -atan2(y_a, z_b))*rotation((0, 1, 0), atan2(beside, x_c)),
            slider.position ~ (x_c, 0, 0),
        }
        outputs {
            /// Position of the slider.
            position: m = slider.x,
        }
    }
}
