costate::model! {
    pub Slider {
        coordinates { x: m }
        mass { x: 1[kg] }
    }
    pub for = Slider();
    pub Other = Slider();
}

fn main() {}
