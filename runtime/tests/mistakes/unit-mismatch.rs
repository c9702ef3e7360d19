costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, d: N*s/m = 1.0 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - d*x }
        outputs { angle: deg = x }
    }
}

fn main() {
    println!("{:?} {:?}", Slider::default(), Slider::ANGLE);
}
