costate::model! {
    pub Trailer {
        component Axle {
            connections { frame: spatial, q: m }
            parameters { c: N/m = 1000 }
            bodies { wheel: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
            joints { hub: revolute(frame.at(0, 1[m], 0), wheel, axis = (0, 1, 0)) }
            elements { hold: spring(frame, wheel.at(1[m], 0, 0), stiffness = c),
                pull: force(frame.at(0, 0), (q*c, 0, 0)) }
            initial { frame.position = (0, 0, 0), wheel ~ frame }
            outputs { height: m = frame.z, mass: J = frame.kinetic_energy }
        }
        coordinates { x: m }
        mass { x: 1[kg] }
        bodies {
            car: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) },
            rail: planar { mass: 1[kg], inertia: 1[kg*m^2] },
        }
        joints { early: fixed(two.frame, car) }
        components {
            one: Axle { q = x },
            two: Axle { frame = car, q = x },
            three: Axle { frame = rail.at(1[m], 0), q = x },
            four: Axle { frame = x, q = car },
            five: Axle { frame = 2*car.position, q = x },
            six: Axle { frame = cart, q = x },
        }
    }
}
