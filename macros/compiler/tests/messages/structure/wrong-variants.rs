costate::model! {
    pub Strut(damped: bool = true) {
        parameters { c: N/m = 40, if damped { d: N*s/m = 2 } }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x, if damped { x: -d*dot(x) } }
    }

    pub Spring = Strut(damp = false);
    pub Damper = Strutt(damped = true);
    pub Strut = Strut();
    pub Half = Strut(damped = 0.5);
}
