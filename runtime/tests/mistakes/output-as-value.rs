costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: -c*x, y: -load }
        constraints { string: x^2 + y^2 - l^2 }
        outputs { load: N = c*x, tension: N = 2*l*string }
    }
}

fn main() {
    println!("{:?} {:?}", Slider::LOAD, Slider::TENSION);
}
