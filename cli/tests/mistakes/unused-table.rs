#![deny(warnings)]

costate::model! {
    Bumping {
        parameters { m: kg = 1 }
        tables { bump(x: m): N }
        coordinates { x: m }
        mass { x: m }
    }
}

fn main() {
    println!("{:?}", costate::Simulation::new(&Bumping::default()).step(1e-3).until(1.0).run().err());
}
