costate::model! {
    Points {
        component Tie {
            connections { a: m, b: m }
            constraints { once: a - b, twice: 3*b - 3*a }
        }
        parameters { m: kg = 1 }
        coordinates { x[1..=4]: m }
        mass { for i in 1..=4 { x[i]: m } }
        components { for i in 1..=2 { tie[i]: Tie { a = x[2*i - 1], b = x[2*i] } } }
    }
}
