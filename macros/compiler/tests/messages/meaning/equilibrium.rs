costate::model! {
    pub Slider {
        component Hanger {
            parameters { k: N/m }
            coordinates { s: m }
            mass { s: 1[kg] }
            forces { s: -k*s }
            initial { equilibrium }
        }
        parameters { m: kg = 2.0, c: N/m = 50.0, v: m/s = 1 }
        coordinates { x: m, y: m, z: m }
        mass { x: m, y: m, z: m }
        forces { x: -c*x, y: -c*y, z: -c*z }
        components { hanger: Hanger { k = c } }
        initial { equilibrium, dot(x) = v, dot(y) = 0, y = 0.1[m], equilibrium, held(y, z, z), held(w) }
    }
}

costate::model! {
    pub Moving {
        parameters { m: kg = 2.0 }
        bodies { rod: planar { mass: m } }
        initial { held(rod.x), rod.velocity = (1[m/s], 0) }
    }
}

costate::model! {
    pub Rolling {
        parameters { m: kg = 2.0 }
        bodies { rod: planar { mass: m } }
        initial { equilibrium, rod.velocity = (1[m/s], 2[m/s]), rod.x = 1[m], rod.y = 0 }
    }
}
