costate::model! {
    pub Above {
        parameters { m: kg = 1, c: N/m = 50, j: kg*m^2 = 0.1, g: m/s^2 = 9.81 }
        coordinates { x: m }
        outputs { first: J = kinetic_energy, second: J = potential_energy, third: J = rod.potential_energy }
        let early = rod.kinetic_energy;
        mass { x: m }
        bodies { rod: planar { mass: m, inertia: j } }
        gravity { (0, -g) }
        component Part {
            connections { x: m }
            parameters { d: J = 1 }
            outputs { inside: J = kinetic_energy }
        }
        components { part: Part { x = x } }
        outputs { unit: N = kinetic_energy, other: J = rod.kinetic }
        forces { x: -ddot(x)*m, rod.x: potential_energy }
    }
}

costate::model! {
    pub Buffer {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 1 }
        tables { stop(x: m): N }
        bodies { rod: planar { mass: m, inertia: j } }
        elements { strut: spring(ground.at(l, 0), rod, force = stop(strut.length - l)) }
        outputs { stored: J = potential_energy }
    }
}

costate::model! {
    pub Stiff {
        parameters { m: kg = 1, c: N/m = 50, d: N*s/m = 0.1, g: m/s^2 = 9.81 }
        inputs { push: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: push - d*dot(x), y: -c*y }
        outputs { moving: J = kinetic_energy, stored: J = potential_energy }
    }
}
