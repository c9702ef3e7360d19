costate::model! {
    pub Trailer {
        component Axle {
            connections { frame: spatial = car }
            bodies { wheel: spatial { mass: 1[kg] } }
        }
        bodies { car: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
        components {
            left: Axle { frame = car },
            a: mirror(),
            b: mirror(left, plane = (0, 1, 0)),
            c: mirror(left, (0, 1, 0)),
            d: mirror(left, normal = (0, 1, 0), 3),
            e: mirror left,
        }
    }
}
