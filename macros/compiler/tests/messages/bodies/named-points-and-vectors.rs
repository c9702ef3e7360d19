costate::model! {
    pub Planar {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1, d: N*s/m = 1 }
        bodies { rod: planar { mass: m, inertia: j } }
        let tip = rod.at(0, l);
        let v = tip.velocity;
        let length = 2*l;
        let above = ground.at(0, 0, l);
        joints { pin: revolute(ground, rod) }
        elements {
            drag: force(tip, -d*v),
            none: force(v, (1[N], 0)),
            number: force(length, (1[N], 0)),
            long: force(tip, (1[N], 0, 0)),
            wrong: force(tip, d*tip),
            strut: spring(above, tip, stiffness = 1[N/m]),
        }
        outputs {
            whole: m = tip,
            speed: m/s = v,
            z: m/s = v.z,
            member: m = length.x,
            index: m/s = v[1],
            unknown: m = tip.psition.x,
            size: m/s = norm(d),
            sizes: m/s = norm(v, v),
            work: W = inner(v, d),
            unit: m = norm(v),
            mixed: m = norm((l, d)),
        }
    }
}

costate::model! {
    pub Below {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1 }
        bodies { rod: planar { mass: m, inertia: j } }
        joints { pin: revolute(ground, tip) }
        let tip = rod.at(0, l);
    }
}

costate::model! {
    pub Misspelt {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1 }
        bodies { rod: planar { mass: m, inertia: j } }
        let tip = rdo.at(0, l);
        joints { pin: revolute(ground, tip) }
    }
}

costate::model! {
    pub Loaded {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1 }
        coordinates { x: m }
        mass { x: m }
        bodies { rod: planar { mass: m, inertia: j } }
        let reaction = pin.reaction;
        joints { pin: revolute(ground, rod) }
        let force = pin.reaction;
        forces { x: force.x }
        elements { push: force(rod, force) }
    }
}
