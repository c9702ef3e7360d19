costate::model! {
    pub Crane {
        parameters { l: m = 1 }
        bodies {
            cart: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) },
            rod: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) },
            load: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) },
            free: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) },
        }
        joints { pin: spherical(cart, rod.at(0, l, 0)), hook: spherical(rod, load), bar: spherical(load, free) }
        initial {
            rod.x = cart.x,
            load ~ rod.at(0, -l, 0),
            load.velocity = rod.velocity,
            free.position = rod.at(0, -l, 0).position,
        }
    }
}
