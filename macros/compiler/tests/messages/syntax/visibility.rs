costate::model! {
    pub(5) Slider {
        coordinates { x: m }
        mass { x: 1[kg] }
    }
    pub(slider) Other = Slider();
}

fn main() {}
