costate::model! {
    pub Slider
}
