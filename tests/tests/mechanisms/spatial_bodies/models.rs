//! Single bodies, by bodies and by energies.

costate::model! {
    #[interpreted]
    /// Heavy symmetric top on a point of its axis.
    pub HeavyTop {
        parameters {
            m: kg = 1.5, a: kg*m^2 = 0.005, c: kg*m^2 = 0.004, s: m = 0.1, g: m/s^2 = 9.81,
            tilt: rad = 0.5, spin: rad/s = 100, whirl: rad/s = 0,
        }
        gravity { (0, 0, -g) }
        bodies { top: spatial { mass: m, inertia: (a, a, c), center: (0, 0, s) } }
        joints { tip: spherical(ground, top) }
        initial {
            top.position = (0, 0, 0),
            top.orientation = rotation((1, 0, 0), tilt),
            // precession about z, spin about the top's own axis
            top.angular_velocity = (0, -spin*sin(tilt), whirl + spin*cos(tilt)),
        }
        outputs {
            cos_tilt: 1 = top.at(0, 0, 1[m]).position.z/1[m],
            x: 1 = top.at(0, 0, 1[m]).position.x/1[m],
            y: 1 = top.at(0, 0, 1[m]).position.y/1[m],
            support: N = tip.reaction.z,
            spin_rate: rad/s = top.local_angular_velocity.z,
            vertical: kg*m^2/s = (a + m*s^2)*(top.angular_velocity.z
                - top.local_angular_velocity.z*top.at(0, 0, 1[m]).position.z/1[m])
                + c*top.local_angular_velocity.z*top.at(0, 0, 1[m]).position.z/1[m],
        }
    }
}

costate::model! {
    #[interpreted]
    /// Asymmetric body without forces.
    pub FreeBody {
        parameters {
            m: kg = 2, i_1: kg*m^2 = 0.1, i_2: kg*m^2 = 0.2, i_3: kg*m^2 = 0.35,
            w_1: rad/s = 2, w_2: rad/s = 0, w_3: rad/s = 3,
        }
        bodies { body: spatial { mass: m, inertia: (i_1, i_2, i_3) } }
        initial {
            body.position = (1[m], 2[m], 3[m]),
            body.velocity = (0.1[m/s], 0, -0.2[m/s]),
            body.orientation = rotation((0, 0, 1), 0.3)*rotation((1, 0, 0), 0.5),
            body.local_angular_velocity = (w_1, w_2, w_3),
        }
        outputs {
            omega_1: rad/s = body.local_angular_velocity.x,
            omega_2: rad/s = body.local_angular_velocity.y,
            omega_3: rad/s = body.local_angular_velocity.z,
        }
    }
}

costate::model! {
    #[interpreted]
    /// An asymmetric body whose centre of mass is not its origin, with a full tensor of inertia.
    pub SkewBody {
        parameters { m: kg = 2, i_1: kg*m^2 = 0.3, i_2: kg*m^2 = 0.4, i_3: kg*m^2 = 0.5, i_12: kg*m^2 = 0.05,
        c_1: m = 0.1, c_3: m = 0.2, g: m/s^2 = 9.81 }
        gravity { (0, 0, -g) }
        bodies {
            body: spatial { mass: m, inertia: (i_1, i_2, i_3, i_12, 0, 0), center: (c_1, 0, c_3) },
        }
        initial {
            body.position = (0, 0, 0), body.velocity = (0.1[m/s], 0, -0.2[m/s]),
            body.orientation = rotation((1, 2, 3), 0.5),
            body.local_angular_velocity = (2[rad/s], 1[rad/s], 3[rad/s]),
        }
    }
}

costate::model! {
    #[interpreted]
    /// [`SkewBody`] by its energies: the velocity of the centre of mass, the angular velocity in the axes of the body.
    pub SkewBodyByEnergies {
        parameters { m: kg = 2, i_1: kg*m^2 = 0.3, i_2: kg*m^2 = 0.4, i_3: kg*m^2 = 0.5, i_12: kg*m^2 = 0.05,
        c_1: m = 0.1, c_3: m = 0.2, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m, z: m, e[0..=3]: 1 }
        let w_1 = 2*(-e[1]*dot(e[0]) + e[0]*dot(e[1]) + e[3]*dot(e[2]) - e[2]*dot(e[3]));
        let w_2 = 2*(-e[2]*dot(e[0]) - e[3]*dot(e[1]) + e[0]*dot(e[2]) + e[1]*dot(e[3]));
        let w_3 = 2*(-e[3]*dot(e[0]) + e[2]*dot(e[1]) - e[1]*dot(e[2]) + e[0]*dot(e[3]));
        let x_c = x + c_1*(1 - 2*e[2]^2 - 2*e[3]^2) + c_3*2*(e[1]*e[3] + e[0]*e[2]);
        let y_c = y + c_1*2*(e[1]*e[2] + e[0]*e[3]) + c_3*2*(e[2]*e[3] - e[0]*e[1]);
        let z_c = z + c_1*2*(e[1]*e[3] - e[0]*e[2]) + c_3*(1 - 2*e[1]^2 - 2*e[2]^2);
        kinetic {
            m/2*(dot(x_c)^2 + dot(y_c)^2 + dot(z_c)^2),
            (i_1*w_1^2 + i_2*w_2^2 + i_3*w_3^2)/2 + i_12*w_1*w_2,
        }
        potential { m*g*z_c }
        constraints { norm: e[0]^2 + e[1]^2 + e[2]^2 + e[3]^2 - 1 }
        let n = sqrt(14);
        initial {
            x = 0, y = 0, z = 0, dot(x) = 0.1[m/s], dot(y) = 0, dot(z) = -0.2[m/s],
            e[0] = cos(0.25), e[1] = sin(0.25)/n, e[2] = 2*sin(0.25)/n, e[3] = 3*sin(0.25)/n,
            let s = sin(0.25)/n;
            dot(e[0]) = (-1*2 - 2*1 - 3*3)*s/2[s],
            dot(e[1]) = (cos(0.25)*2 - 3*s*1 + 2*s*3)/2[s],
            dot(e[2]) = (3*s*2 + cos(0.25)*1 - s*3)/2[s],
            dot(e[3]) = (-2*s*2 + s*1 + cos(0.25)*3)/2[s],
        }
    }
}

costate::model! {
    #[interpreted]
    /// Body that hangs on a ball and turns about the vertical as if rigid with it.
    pub ConicalPendulum {
        parameters { m: kg = 1.5, a: kg*m^2 = 0.01, c: kg*m^2 = 0.003, s: m = 0.2, g: m/s^2 = 9.81, tilt: rad = 0.6 }
        let rate = sqrt(m*g*s/((a + m*s^2 - c)*cos(tilt)));
        gravity { (0, 0, -g) }
        bodies { bob: spatial { mass: m, inertia: (a, a, c), center: (0, 0, -s) } }
        joints { ball: spherical(ground, bob) }
        initial { bob.position = (0, 0, 0), bob.orientation = rotation((1, 0, 0), tilt), bob.angular_velocity = (0, 0,
        rate) }
        outputs {
            x: m = bob.at(0, 0, -s).position.x,
            y: m = bob.at(0, 0, -s).position.y,
            z: m = bob.at(0, 0, -s).position.z,
            rate_0: rad/s = rate,
            inward: N = ball.reaction.x,
            upward: N = ball.reaction.z,
        }
    }
}

costate::model! {
    #[interpreted]
    /// A driven shaft, a second one on gears and a rack, over several turns.
    pub GearTrain {
        parameters { w: rad/s = 5, ratio: 1 = -2, radius: m = 0.1, m: kg = 2, load: N = 3 }
        bodies {
            shaft[1..=2]: spatial { mass: 1[kg], inertia: (0.01[kg*m^2], 0.02[kg*m^2], 0.03[kg*m^2]) },
            slide: spatial { mass: m, inertia: (0.1[kg*m^2], 0.1[kg*m^2], 0.1[kg*m^2]) },
        }
        joints {
            bearing[1]: revolute(ground, shaft[1], axis = (0, 0, 1)),
            bearing[2]: revolute(ground.at(0.3[m], 0, 0), shaft[2], axis = (0, 0, 1)),
            rail: prismatic(ground.at(0, 1[m], 0), slide, axis = (1, 0, 0)),
            motor: drive(bearing[1], angle = w*t),
            wheels: gear(bearing[1], bearing[2], ratio = ratio),
            pinion: rack(bearing[2], rail, radius = radius),
        }
        elements { pull: force(slide, (-load, 0, 0)) }
        outputs { position: m = slide.x, torque: N*m = motor.torque.z, turn: rad = bearing[2].angle }
    }
}

costate::model! {
    #[interpreted]
    /// Body on a hinge with a skew axis beside its origin.
    pub Hinged {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 0.7, g: m/s^2 = 9.81 }
        gravity { (0, 0, -g) }
        bodies { door: spatial { mass: m, inertia: (j, 2*j, 2.5*j, 0.1*j, 0, 0) } }
        joints { hinge: revolute(ground.at(0.1[m], 0.2[m], 0.3[m]), door.at(-l, 0, 0.1[m]), axis = (1, 2, 2)) }
        initial { door.position ~ (0.1[m] + l, 0.2[m], 0.2[m]) }
        outputs {
            x: m = door.at(-l, 0, 0.1[m]).position.x,
            y: m = door.at(-l, 0, 0.1[m]).position.y,
            z: m = door.at(-l, 0, 0.1[m]).position.z,
            // along the axis, behind the hinge
            axis_x: m = door.at(-l + 1[m], 2[m], 2.1[m]).position.x,
            axis_y: m = door.at(-l + 1[m], 2[m], 2.1[m]).position.y,
            angle: rad = hinge.angle,
        }
    }
}
