costate::model! {
    Bumping {
        parameters { m: kg = 1 }
        tables { bump(x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -bump(x, 1) - bumb(x) }
    }
}

fn main() {
    println!("{:?}", Bumping::default());
}
