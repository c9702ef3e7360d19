costate::model! {
    pub Chain {
        component Guide {
            connections { a: m }
            inputs { target: m }
            constraints { guide: a - target }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            first: Guide { a = x, target = 1[m]*sin(3[1/s]*t) },
            second: Guide { a = z[1], target = dot(x)*1[s] },
            third: Guide { a = z[2] },
        }
    }
}
