costate::model! {
    Bump {
        parameters { m: kg = 1, c: N/m = 3 }
        tables { bearing(deflection: mm, speed: m/s): kN }
        coordinates { x: m }
        mass { x: m }
        forces { x: -bearing(dot(x), x) - c*bearing(x, dot(x)) }
    }
}
