#![deny(warnings)]

costate::model! {
    pub Chain {
        component Spring {
            connections { a: m, b: m, spare: m }
            parameters { c: N/m, free_length: m = 0 }
            inputs { pull: N }
            let twice = 2*c;
            forces { a: c*(b - a), b: -c*(b - a) }
        }
        component Damper { connections { a: m } forces { a: -1[N*s/m]*dot(a) } }
        parameters { m: kg = 1, c: N/m = 3, d[1..=2]: N*s/m = 1, _kept: 1 = 2 }
        inputs { drive: N, other: N }
        tables { bump(x: m): N }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        let force = drive*2;
        let _kept_force = 3*c;
        forces { for i in 1..=3 { let half = c/2; x[i]: -c*x[i] } }
        components { for i in 1..=2 { spring[i]: Spring { a = x[i], b = x[i + 1], spare = x[1], c = c } } }
    }
}
