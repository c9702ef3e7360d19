costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2, inertia: 0.1 } }
        bodies { top: spatial { mass: 1, inertia: (1, 1, 2) } }
        initial {
            rod[1].orientation = rotation((0, 0, 1), 1),
            top.angular_velocity = (0, 0, 1),
            top.orientation = 3,
        }
    }
}

fn main() {}
