costate::model! {
    pub Chain(n: usize = 3, c: usize = 2) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c*x[i] } }
    }
}

fn main() {
    let last = Chain::X_3;
    println!("{last:?} {}", Chain::N);
}
