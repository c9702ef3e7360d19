costate::model! {
    pub Trailer {
        component Axle {
            connections { frame: spatial }
            parameters { c: N/m = 1000 }
            bodies { wheel: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
            joints { hub: revolute(frame.at(0, 1[m], 0), wheel, axis = (0, 1, 0)), bar: fixed(car, wheel) }
            elements { hold: spring(frame, wheel.at(1[m], 0, 0), stiffness = c),
                pull: force(frame.at(0, 0), (c, 0, 0)) }
            initial { frame.position = (0, 0, 0), frame ~ wheel, dot(wheel) = frame }
            outputs { height: m = frame.z, energy: J = frame.kinetic_energy, place: m = frame }
        }
        bodies { car: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
        components { axle: Axle { frame = car } }
    }
}
