costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, l: m = 0.5, j: kg*m = 0.1, g: m/s = 9.81 }
        gravity { (0, -g) }
        bodies {
            rod: planar { mass: m*l, inertia: m*l, center: (l/2, 3) },
            top: planar { mass: 2, inertia: j },
        }
    }
}

costate::model! {
    pub Top {
        parameters { m: kg = 2, l: m = 0.5 }
        bodies { top: spatial { mass: m, inertia: (m*l^2, 0.1, m*l^2, 0, 0, m), center: (0, 0, m) } }
    }
}
