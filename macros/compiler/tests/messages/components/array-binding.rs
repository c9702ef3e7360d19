costate::model! {
    pub Chain {
        component Body {
            parameters { c[1..=3]: N/m, l: m }
            coordinates { y: m }
            mass { y: 1[kg] }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            body: Body { c = 3, l[1] = 4 },
            second: Body { c[4] = 3, for i in 1..=3 { c[i] = k }, l = 0.5[m] },
        }
    }
}
