costate::model! {
    pub Chain {
        parameters { k: N/m = 5 }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        let load = k*x;
        forces { x: t.x + load.x, for i in 1..=2 { z[i]: i.x, k.z: 1 } }
        initial { dot(z.x) = 3 }
    }
}
