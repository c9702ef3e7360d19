fn main() {
    println!("{:?}", Slider::LAOD);
}

costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
        outputs { load: N = c*x }
    }
}
