costate::model! {
    pub Mechanism {
        bodies {
            rod: planar { inertia: 2 },
            wheel: planar { mass: 1, inertia: (1, 2, 3) },
            top: spatial { mass: 1, inertia: 2 },
            cart: planr { mass: 2 },
            ground: planar { mass: 2 },
            lever: planar { mass: 2, centre: (1, 2) },
            arm: planar { mass = 2 },
        }
    }
}
