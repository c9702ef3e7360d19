costate::model! {
    Chain(n: usize = 4) {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m = 100, gap: m = 0 }
            forces { a: c*(b - a) - gap, b: -c*(b - a) }
        }
        parameters { m: kg = 1, d: N*s/m = 1 }
        coordinates { x[1..=n]: m, angle: rad }
        mass { for i in 1..=n { x[i]: m }, angle: 1[kg*m^2] }
        forces { for i in 1..=n { x[i]: -d*x[i] } }
        components {
            for i in 1..n { spring[i]: Spring { a = x[i], b = x[i + 1], gap = 2*i } },
            last: Spring { a = x[n], b = angle },
        }
    }
}
