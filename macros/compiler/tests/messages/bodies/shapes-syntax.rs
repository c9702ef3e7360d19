costate::model! {
    pub Mechanism {
        parameters { r: m = 0.2 }
        bodies {
            a: planar { mass: 1[kg], shape: [] },
            b: planar { mass: 1[kg], shape: 3[m] },
            c: planar { mass: 1[kg], shape: sphere },
            d: planar { mass: 1[kg], shape: sphere(r), shape: box(r, r) },
            e: planar { mass: 1[kg], shape: mesh("a.stl", "b.stl") },
            f: planar { mass: 1[kg], shape: [sphere(r) sphere(r)] },
        }
    }
}
