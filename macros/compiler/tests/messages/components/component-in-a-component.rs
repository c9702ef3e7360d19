costate::model! {
    pub Chain {
        component Body {
            coordinates { y: m }
            component Spring { connections { a: m } }
            mass { y: 1[kg] }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            body: Body {},
        }
    }
}
