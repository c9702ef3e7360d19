costate::model! {
    pub Chain {
        component Body {
            parameters { m: kg = 2 }
            coordinates { x: m, y[1..=2]: m }
            mass { x: m, y[1]: m, y[2]: m }
            constraints { guide: x - y[1] }
            outputs { height: m = y[2] }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            body[1..=2]: Body {},
        }
        forces { body[1].xx: 3, body[2].z: k }
        outputs { o: m = bdoy[1].x, p: m = body[1].y[1].x, q: m = x.speed }
    }
}
