costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, start: m = 0.1 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
        initial { x = start, dot(x) = start, z = start }
    }
}

fn main() {
    println!("{:?}", Slider::default());
}
