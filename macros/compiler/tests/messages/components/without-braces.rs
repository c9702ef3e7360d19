costate::model! {
    pub Chain {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m = 20, d: N*s/m = 1 }
            inputs { pull: N }
            forces { a: -c*(a - b) + pull, b: c*(a - b) - pull }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            spring: Spring,
        }
    }
}
