costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, l: m = 0.5, w: rad/s = 3 }
        bodies { rod[1..=6]: planar { mass: m, inertia: m*l^2, center: (l/2, 0) } }
        joints {
            pin[1]: revolute(ground.at(0, 0.1), rod[1].at(-l, w)),
            pin[2]: revolute(rod[1].rotated(l), rod[2].at(l, 0)),
            rope: distance(rod[2], rod[3], length = l^2),
            rail: prismatic(ground, rod[3], axis = (1[m], 0)),
            for i in 1..=2 { base[i]: revolute(ground, rod[3 + i]) },
            slide: prismatic(ground, rod[6], axis = (1, 0)),
            motor: drive(pin[1], angle = w),
            feed: drive(rail, displacement = 0.1*t),
            wheels: gear(base[1], base[2], ratio = l, offset = l),
            pinion: rack(base[2], slide, radius = 2, offset = w),
        }
    }
}
