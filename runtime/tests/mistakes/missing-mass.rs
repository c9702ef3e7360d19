costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m }
        forces { x: -c*x, y: drive }
    }
}

fn main() {
    println!("{:?}", Slider::Y);
}
