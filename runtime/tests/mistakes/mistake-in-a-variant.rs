costate::model! {
    pub Strut(damped: bool = true) {
        parameters { c: N/m = 40, if damped { d: N*s/m = 2 } }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x, if damped { x: -d*dot(x) } else { x: -d*x } }
    }

    pub Spring = Strut(damped = false);
}

fn main() {
    let _ = (Strut::default(), Spring::default().c);
}
