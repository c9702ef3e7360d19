//! A swing arm on a test bench.

costate::model! {
    /// A swing arm, pivoted on a frame and held by a strut of which nothing is known; an actuator pushes at its axle.
    ///
    /// The strut lies across: how far it is deformed is a nonlinear function of the arm's angle. Its force is what two
    /// tables give; beside them stand a stiffness and a damping, which a filter lets follow the motion as long as the
    /// tables are unknown.
    pub SwingArm {
        parameters {
            /// The arm with its wheel.
            m: kg = 18,
            inertia: kg*m^2 = 0.9,
            length: m = 0.5,
            /// Where the strut is fixed: along the arm from its pivot, and on the frame beside and above the pivot.
            along: m = 0.3,
            beside: m = 0.15,
            above: m = 0.3,
            /// Length of the strut where it has no force.
            rest: m = 0.335,
            s: N/m = 40e3,
            d: N*s/m = 400,
            angle_0: rad = 0,
            rate_0: rad/s = 0,
        }
        inputs { push: N }
        tables {
            /// Force of the strut by its stroke, a pull where it is longer than at rest.
            elastic(stroke: m): N,
            /// And by the rate of its stroke.
            dissipative(speed: m/s): N,
        }
        bodies {
            arm: planar { mass: m, inertia: inertia },
        }
        joints {
            pivot: revolute(ground, arm.at(-length/2, 0)),
        }
        let top = ground.at(beside, above);
        let eye = arm.at(along - length/2, 0);
        let axle = arm.at(length/2, 0);
        let span = eye.position - top.position;
        let rate = inner(span, eye.velocity)/norm(span);
        elements {
            strut: spring(top, eye, stiffness = s, damping = d, length = rest,
                force = elastic(strut.length - rest) + dissipative(rate)),
            actuator: force(axle, (0, push)),
        }
        initial { arm.angle = angle_0, dot(arm.angle) = rate_0 }
        outputs {
            /// Vertical acceleration of the axle, upwards.
            acceleration: m/s^2 = axle.acceleration.y,
            stroke: m = strut.length - rest,
            speed: m/s = rate,
        }
    }
}
