costate::model! {
    pub Mechanism {
        parameters { l: m = 1, m: kg = 2, j: kg*m^2 = 0.1 }
        bodies { rod[1..=2]: planar { mass: m, inertia: j } }
        joints { pin: revolute(ground, rd[1]), ball: spherical(ground, rod[2].at(0, l)) }
        forces { rod[1].x: (1, 2) }
    }
}

fn main() {
    println!("{:?}", Mechanism::default());
}
