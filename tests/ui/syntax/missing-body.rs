costate::model! {
    pub Slider
}

fn main() {}
