costate::model! {
    pub Crane {
        parameters { l: m = 1 }
        bodies {
            cart: planar { mass: 1[kg], inertia: 1[kg*m^2] },
            rod: planar { mass: 1[kg], inertia: 1[kg*m^2] },
            load: planar { mass: 1[kg], inertia: 1[kg*m^2] },
        }
        joints { pin: revolute(cart, rod.at(0, l)), hook: revolute(rod, load) }
        initial {
            rod = cart.at(0, -l),
            cart.x = load.x,
            load.position = rod.at(0, -l).position,
            cart.y = 0,
            load.velocity = rod.velocity,
            load.angle = 0.1*t/1[s],
        }
    }
}
