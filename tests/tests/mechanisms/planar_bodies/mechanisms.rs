//! Mechanisms whose motion is known: slider-crank, four-bar, physical pendulum; and the forces in their joints.

costate::model! {
    #[interpreted]
    /// Slider-crank with a driven crank and a load on the piston.
    pub SliderCrank {
        parameters {
            r: m = 0.045, l: m = 0.145, s: m = 0.042, w: rad/s = 80, m_rod: kg = 0.55, j_rod: kg*m^2 = 0.0022,
            m_piston: kg = 0.45, j: kg*m^2 = 0.02, load: N = 300,
        }
        bodies {
            crank: planar { mass: 2[kg], inertia: j },
            rod: planar { mass: m_rod, inertia: j_rod, center: (s, 0) },
            piston: planar { mass: m_piston },
        }
        joints {
            main: revolute(ground, crank),
            pin: revolute(crank.at(r, 0), rod),
            gudgeon: revolute(rod.at(l, 0), piston),
            cylinder: prismatic(ground, piston, axis = (1, 0)),
            motor: drive(main, angle = w*t + 0.5),
        }
        elements { gas: force(piston, (-load, 0)) }
        initial { rod.angle ~ 0, piston.x ~ l }
        outputs {
            position: m = piston.x,
            stroke: m = cylinder.displacement,
            torque: N*m = motor.torque,
            side: N = cylinder.reaction.y,
            on_rod_x: N = pin.reaction.x,
            on_rod_y: N = pin.reaction.y,
            on_piston_x: N = gudgeon.reaction.x,
        }
    }
}

costate::model! {
    #[interpreted]
    /// Four-bar linkage with a driven crank.
    pub FourBar {
        parameters { base: m = 1, a: m = 0.3, b: m = 0.9, c: m = 0.7, w: rad/s = 5 }
        bodies {
            crank: planar { mass: 1[kg], inertia: 0.01[kg*m^2], center: (a/2, 0) },
            coupler: planar { mass: 2[kg], inertia: 0.1[kg*m^2], center: (b/2, 0) },
            rocker: planar { mass: 1.5[kg], inertia: 0.05[kg*m^2], center: (c/2, 0) },
        }
        joints {
            left: revolute(ground, crank),
            pin[1]: revolute(crank.at(a, 0), coupler),
            pin[2]: revolute(coupler.at(b, 0), rocker.at(c, 0)),
            right: revolute(ground.at(base, 0), rocker),
            motor: drive(left, angle = w*t + 0.3),
        }
        initial { coupler.angle ~ 0.5, rocker.angle ~ 1.7 }
        outputs { turn: rad = rocker.angle, tilt: rad = coupler.angle }
    }
}

costate::model! {
    #[interpreted]
    /// Uniform rod on a pin at its end, released at rest.
    pub Rod {
        parameters { m: kg = 2, l: m = 0.8, g: m/s^2 = 9.81, start: rad = 0 }
        gravity { (0, -g) }
        bodies { rod: planar { mass: m, inertia: m*l^2/12, center: (l/2, 0) } }
        joints { pin: revolute(ground, rod) }
        initial { rod.angle = start }
        outputs { side: N = pin.reaction.x, lift: N = pin.reaction.y }
    }
}

costate::model! {
    #[interpreted]
    /// Rod that is clamped at its left end, on the ground and with the bodies in the other order.
    pub Cantilevers {
        parameters { m: kg = 2, l: m = 0.8, g: m/s^2 = 9.81, load: N = 30 }
        gravity { (0, -g) }
        bodies { rod[1..=2]: planar { mass: m, inertia: m*l^2/12 } }
        joints { clamp[1]: fixed(ground, rod[1].at(-l/2, 0)), clamp[2]: fixed(rod[2].at(-l/2, 0), ground) }
        elements { for i in 1..=2 { pull[i]: force(rod[i].at(l/2, 0), (load, -load)) } }
        initial { for i in 1..=2 { rod[i].angle = 0 } }
        outputs {
            for i in 1..=2 {
                x[i]: N = clamp[i].reaction.x,
                y[i]: N = clamp[i].reaction.y,
                moment[i]: N*m = clamp[i].torque,
            },
        }
    }
}

costate::model! {
    #[interpreted]
    /// Two rods whose start is searched for near values that depend on parameters, and a free one that starts there.
    pub NearStart {
        parameters { m: kg = 2, l: m = 0.8, g: m/s^2 = 9.81, start: rad = 0.7, push: m/s = 0.3 }
        gravity { (0, -g) }
        bodies { rod[1..=3]: planar { mass: m, inertia: m*l^2/12, center: (l/2, 0) } }
        joints { pin[1]: revolute(ground, rod[1]), pin[2]: revolute(rod[1].at(l, 0), rod[2]) }
        initial {
            rod[1].angle ~ start, rod[2].angle ~ start^2*l/1[m], rod[2].position ~ (l, l*start),
            rod[3].position ~ (start*l, 0), dot(rod[2].angle) = push/1[m],
        }
        outputs { height: m = rod[2].at(l, 0).position.y + rod[3].x }
    }
}
