costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, c: N/m = 60.0 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
    }
}

costate::model! {
    pub Chain(n: usize = 3, c: usize = 2) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in c..=n { x[i]: -c*x[i] } }
    }
}

costate::model! {
    pub Pair(C: usize = 2) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=C]: m }
        mass { for i in 1..=C { x[i]: m } }
        forces { for i in 1..=C { x[i]: -c*x[i] } }
    }
}

fn main() {
    println!("{:?} {:?}", Slider::C, Chain::X_3);
}
