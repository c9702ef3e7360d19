costate::model! {
    pub Chain(n[1..=2]: usize = 3) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x: m }
        mass { x: m }
        forces {  }
    }
}
