costate::model! {
    pub Chain {
        component Body {
            coordinates { y: m }
            mass { y: 1[kg] }
            forces { y: -k*y + drive - stretch - zz, x: k, y: friend.y }
        }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        let stretch = x - z[1];
        components { body: Body {}, friend: Body {} }
    }
}
