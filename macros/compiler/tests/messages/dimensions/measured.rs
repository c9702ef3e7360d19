costate::model! {
    pub Planar {
        parameters { m: kg = 2, l: m = 0.5, c: N/m = 10, kt: N*m = 3, d: N*s/m = 2 }
        bodies { rod[1..=2]: planar { mass: m, inertia: m*l^2 } }
        joints { pin: revolute(ground, rod[1]), rail: prismatic(ground, rod[2], axis = (1, 0)) }
        elements {
            strut: spring(rod[1], rod[2], stiffness = c),
            twist: torsional(rod[1], rod[2], stiffness = kt),
            drag: force(rod[1], -d*rod[1].velocity + rod[1].position + (0, l)),
        }
        outputs {
            position: m/s = rod[1].at(l, 0).position.x,
            velocity: m = rod[1].velocity.y,
            acceleration: m/s = rod[1].acceleration.y,
            turn: rad = rod[1].angular_velocity,
            swing: rad/s = rod[1].angular_acceleration,
            load: N*m = pin.reaction.x,
            moment: N = pin.torque,
            angle: m = pin.angle,
            shift: rad = rail.displacement,
            length: N = strut.length,
            pull: m = strut.force,
            twist_angle: N*m = twist.angle,
            twist_torque: rad = twist.torque,
            sum: N = strut.force + strut.length,
            push: N*m = multiplier(pin.x),
            couple: N = multiplier(rail.turn),
        }
    }
}

costate::model! {
    pub Spatial {
        parameters { m: kg = 2, l: m = 0.5 }
        bodies { top: spatial { mass: m, inertia: (m*l^2, m*l^2, m*l^2) } }
        joints { ball: revolute(ground, top.at(0, 0, l), axis = (0, 0, 1)) }
        outputs {
            spin: m/s = top.local_angular_velocity.z,
            moment: N = ball.torque.x,
            tilt: N = multiplier(ball.tilt_u),
            stretch: N = multiplier(top.norm),
        }
    }
}
