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
            first: Spring { a = k, b = drive },
            second: Spring { a = 2*x, b = dot(x) },
            third: Spring { a = unknown, b = z[3] },
            fourth: Spring { a = t, b = z },
        }
    }
}
