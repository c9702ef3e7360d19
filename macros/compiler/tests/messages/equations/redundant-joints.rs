costate::model! {
    /// Two hinges on one axis.
    pub Door {
        parameters { m: kg = 2, j: kg*m^2 = 1, h: m = 2 }
        bodies { door: spatial { mass: m, inertia: (j, j, j) } }
        joints {
            lower: revolute(ground, door, axis = (0, 0, 1)),
            upper: revolute(ground.at(0, 0, h), door.at(0, 0, h), axis = (0, 0, 1)),
        }
    }
}

costate::model! {
    /// Four hinges with parallel axes.
    pub FourBar {
        parameters { m: kg = 1, j: kg*m^2 = 1, a: m = 0.3, b: m = 0.9, c: m = 0.7, base: m = 1 }
        bodies { rod[1..=3]: spatial { mass: m, inertia: (j, j, j) } }
        joints {
            pin[1]: revolute(ground, rod[1], axis = (0, 0, 1)),
            pin[2]: revolute(rod[1].at(a, 0, 0), rod[2], axis = (0, 0, 1)),
            pin[3]: revolute(rod[2].at(b, 0, 0), rod[3].at(c, 0, 0), axis = (0, 0, 1)),
            pin[4]: revolute(ground.at(base, 0, 0), rod[3], axis = (0, 0, 1)),
        }
    }
}

costate::model! {
    pub DrivenTwice {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1, w: rad/s = 3 }
        bodies { rod[1..=2]: planar { mass: m, inertia: j } }
        joints {
            pin: revolute(ground, rod[1]),
            motor: drive(pin, angle = w*t),
            other: drive(pin, angle = 2*w*t),
        }
    }
}

costate::model! {
    /// Two wheels on a rod more than it takes: nothing moves but with cranks of one length.
    pub Locomotive {
        parameters { m: kg = 1, j: kg*m^2 = 1, a: m = 1, r: m = 0.2 }
        bodies { wheel[1..=4]: planar { mass: m, inertia: j }, rod: planar { mass: m, inertia: j } }
        joints {
            for i in 1..=4 { hub[i]: revolute(ground.at(i*a, 0), wheel[i]) },
            for i in 1..=4 { pin[i]: revolute(wheel[i].at(r, 0), rod.at(i*a, 0)) },
        }
    }
}

costate::model! {
    /// A plate on two rails.
    pub Rails {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, b: m = 1 }
        bodies { plate: planar { mass: m, inertia: j } }
        joints {
            upper: prismatic(ground, plate, axis = (1, 0)),
            lower: prismatic(ground.at(0, b), plate.at(0, b), axis = (1, 0)),
        }
    }
}

costate::model! {
    /// Both ends slide on rails that are not parallel, and one of them is held twice.
    pub Ladder {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, b: m = 1 }
        bodies { rod: planar { mass: m, inertia: j }, shoe[1..=2]: planar { mass: m, inertia: j } }
        joints {
            left: prismatic(ground, shoe[1], axis = (1, 0)),
            right: prismatic(ground, shoe[2], axis = (0, 1)),
            foot: revolute(shoe[1], rod),
            head: fixed(shoe[2], rod.at(b, 0)),
            stop: fixed(shoe[2].at(b, 0), rod.at(2*b, 0)),
        }
    }
}
