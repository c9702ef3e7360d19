costate::model! {
    pub Chain {
        component Body {
            parameters { m: kg = 2 }
            coordinates { x: m, y[1..=2]: m }
            mass { x: m, y[1]: m, y[2]: m }
            constraints { guide: x - y[1] }
            outputs { height: m = y[2] }
        }
        component Wheel {
            coordinates { u[1..=2]: m, u_1: m }
            mass { u[1]: 1[kg] }
        }
        parameters { k: N/m = 5, body_2_m: kg }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components { body[1..=2]: Body {}, wheel[1..=2]: Wheel {} }
    }
}
