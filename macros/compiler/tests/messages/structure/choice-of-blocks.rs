costate::model! {
    pub Mount(damper: bool = true) {
        parameters { m: kg = 1, c: N/m = 50 }
        coordinates { x: m }
        mass { x: m }
        if c > 1 { forces { x: -c*x } }
        if dampr { forces { x: -c*x } }
        if damper { outputs { shown: m = y } } else { outputs { hidden: m = z } }
    }
}

costate::model! {
    pub Unreadable(damper: bool = true) {
        coordinates { x: m }
        mass { x: 1[kg] }
        if damper forces { x: 1[N] }
        if damper { x: 1[N] }
        if { forces { x: 1[N] } }
        else { forces { x: 2[N] } }
    }
}
