costate::model! {
    pub Mechanism {
        parameters { r: m = 0.2, k: kg = 1 }
        bodies {
            a: planar { mass: 1[kg], shape: bx(1[m], 2[m]) },
            b: planar { mass: 1[kg], shape: pyramid(1[m]) },
            c: planar { mass: 1[kg], shape: box(1[m]) },
            d: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]), shape: box(1[m], 2[m]) },
            e: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]), shape: sphere(k) },
            f: planar { mass: 1[kg], shape: [sphere(r), cylinder(-1[m])] },
            g: planar { mass: 1[kg], shape: mesh("no such file.stl") },
            h: planar { mass: 1[kg], shape: mesh(r) },
            i: planar { mass: 1[kg], shape: cylinder(r, axis = (1, 0, 0)) },
            j: planar { mass: 1[kg], shape: sphere(r).at(1[m], 0, 0) },
            l: planar { mass: 1[kg], layer: k },
            n: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]), layer: r },
            o: planar { mass: 1[kg], shape: sphere(r*t) },
            p: planar { mass: 1[kg], shape: extrusion(r) },
            q: planar { mass: 1[kg], shape: extrusion([(0, 0), (r, 0)]) },
            s: planar { mass: 1[kg], shape: extrusion([(0, 0), (r, 0, 0), r]) },
            u: spatial {
                mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]), shape: extrusion([(0, 0), (r, 0), (0, r)]),
            },
            v: spatial {
                mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]),
                shape: extrusion([(0, 0), (r, 0), (0, r)], r, axis = (1, 1, 0)),
            },
            w: planar { mass: 1[kg], shape: extrusion([(0, 0), (k, 0), (0, r)]) },
        }
    }
}
