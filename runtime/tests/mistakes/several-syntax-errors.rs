costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c[1..=n]: N/m = [10, 20 30], d: N = 2*, e: 1 = 5 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c[i]*x[i] } }
    }
}

fn main() {
    println!("{:?} {:?} {:?}", Chain::D, Chain::E, Chain::X_3);
}
