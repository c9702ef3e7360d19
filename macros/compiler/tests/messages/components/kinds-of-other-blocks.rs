costate::model! {
    pub Chain {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m = 20 }
            forces { a: -c*(a - b), b: c*(a - b) }
        }
        coordinates { x: m, y: m }
        mass { x: 1[kg], y: 1[kg] }
        components {
            rod: planar {},
            crank: Spatail {},
            pin: revolute { a = x, b = y },
            strut: bushng { a = x, b = y },
            damper: damper { a = x, b = y },
            valve: Valve { a = x, b = y },
        }
        outputs { s: m = sprnig.a }
    }
}

costate::model! {
    pub Called {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m = 20 }
            forces { a: -c*(a - b), b: c*(a - b) }
        }
        coordinates { x: m, y: m }
        mass { x: 1[kg], y: 1[kg] }
        components { pin: revolute(x, y) }
    }
}

costate::model! {
    pub WithoutComponents {
        coordinates { x: m }
        mass { x: 1[kg] }
        components { valve: Valve { a = x } }
    }
}
