costate::model! {
    /// Four mistakes, four messages.
    pub Slider {
        parameters { m: kgg = 2.0, c: N/m = 50.0 +, l m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x, y: -c**y }
        initial { x = l, y = c }
    }
}
