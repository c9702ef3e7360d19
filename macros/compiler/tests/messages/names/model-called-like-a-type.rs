costate::model! {
    pub Slider {
        coordinates { f64: m }
        mass { f64: 1[kg] }
    }
    pub f64 = Slider();
    pub std = Slider();
}

fn main() {}
