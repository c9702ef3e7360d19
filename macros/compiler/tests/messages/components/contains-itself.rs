costate::model! {
    pub Chain {
        component Chain {
            coordinates { y: m }
            components { next: Chain {} }
        }
        component Rod { components { pin: Pin {}, weight: Weight {} } }
        component Pin { components { bearing: Bearing {} } }
        component Bearing { components { for i in 1..=2 { rod[i]: Rod {} } } }
        component Weight { coordinates { y: m } mass { y: 1[kg] } }
        parameters { k: N/m = 5 }
        inputs { drive: N }
        coordinates { x: m, z[1..=2]: m }
        mass { x: 1[kg], for i in 1..=2 { z[i]: 1[kg] } }
        components {
            chain: Chain {},
            rod: Rod {},
            pin: Pin {},
        }
    }
}
