costate::model! {
    pub Trailer {
        component Axle {
            connections { frame: spatial }
            parameters { c: N/m = 1000 }
            bodies { wheel: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
            joints { hub: revolute(frame.at(0, 1[m], 0), wheel, axis = (0, 1, 0)) }
            elements { hold: spring(frame, wheel.at(1[m], 0, 0), stiffness = c) }
        }
        component Crank {
            connections { phi: rad, x: m }
            forces { phi: -0.1[N*m*s]*dot(phi), x: -1[N/m]*x }
        }
        component Flat {
            connections { frame: planar }
            bodies { rod: planar { mass: 1[kg], inertia: 1[kg*m^2] } }
            joints { pin: revolute(frame, rod) }
        }
        coordinates { x: m, phi: rad }
        mass { x: 1[kg], phi: 1[kg*m^2] }
        bodies { car: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
        components {
            left: Axle { frame = car },
            more[1..=2]: Axle { frame = car.at(1[m], 0, 0) },
            crank: Crank { phi = phi, x = x },
            flat: Flat { frame = ground },
            a: mirror(lift),
            b: mirror(Axle),
            c: mirror(car),
            d: mirror(later),
            e: mirror(more),
            f: mirror(more[1].wheel),
            g: mirror(crank) { x = x },
            h: mirror(left, normal = (1, 1, 0)),
            i: mirror(left) { stiffness = 1[N/m] },
            j: mirror(left) { wheel = car },
            k: mirror(flat, normal = (0, 0, 1)),
            l: mirror(left, normal = (0, 1)),
            later: Axle { frame = car },
        }
    }
}
