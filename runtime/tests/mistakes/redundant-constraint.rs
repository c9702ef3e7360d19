costate::model! {
    pub Points {
        component Tie {
            connections { a: m, b: m }
            constraints { tie: a - b }
        }
        parameters { m: kg = 1 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        constraints { first: x[1] - x[2], second: x[2] - x[3] }
        components { tie: Tie { a = x[1], b = x[3] } }
    }
}

costate::model! {
    pub Door {
        parameters { m: kg = 2, j: kg*m^2 = 1, h: m = 2 }
        bodies { door: spatial { mass: m, inertia: (j, j, j) } }
        joints {
            lower: revolute(ground, door, axis = (0, 0, 1)),
            upper: revolute(ground.at(0, 0, h), door.at(0, 0, h), axis = (0, 0, 1)),
        }
    }
}

fn main() {
    println!("{:?} {:?}", Points::default(), Door::default());
}
