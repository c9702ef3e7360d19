use costate::{Identification, Simulation};

costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x }
    }
}

costate::model! {
    pub Oscillator {
        parameters { k: N/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -k*x }
    }
}

fn main() {
    let simulation = Simulation::new(&Slider::default());
    let _ = Identification::new(&simulation).unknown([Slider::C, Oscillator::K]);
}
