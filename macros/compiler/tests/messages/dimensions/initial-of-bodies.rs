costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, l: m = 0.5, w: rad/s = 3 }
        bodies {
            top: spatial { mass: m, inertia: (m*l^2, m*l^2, m*l^2) },
            rod: planar { mass: m, inertia: m*l^2 },
        }
        initial {
            top.position = (1, l, 0),
            top.velocity = (l*w, l, 0),
            top.orientation = rotation((0, 0, 1[m]), w),
            top.angular_velocity = (0, l, w),
            rod.position ~ (w, l),
            rod.angle = l,
            dot(rod.angle) = 2,
        }
    }
}
