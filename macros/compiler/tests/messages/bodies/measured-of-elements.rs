costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, l: m = 1, c: N/m = 10, d: N*s/m = 1, wrong: m = 1 }
        bodies { rod[1..=2]: planar { mass: m, inertia: m*l^2 } }
        let early = last.length;
        elements {
            strut: spring(rod[1], rod[2], stiffness = c, force = strut.force/2),
            mount: bushing(rod[1], rod[2], stiffness = (c, c)),
            last: spring(ground, rod[2], stiffness = misspelt),
        }
        outputs { a: m = mount.length, b: N = strut.torque, c_1: N = last.force, c_2: m = early }
    }
}
