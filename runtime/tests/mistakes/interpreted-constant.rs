// Names of an interpreted model are constants, but its text is read when the program runs.
costate::model! {
    #[interpreted]
    pub Slider {
        parameters { c: N/m = 100 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x }
        initial { x = 0.1[m] }
        outputs { position: m = x }
    }
}

const STIFFNESS: costate::Parameter<Slider> = Slider::C;

static NAME: &str = <Slider as costate::Model>::description().name;

fn main() {
    println!("{} {}", NAME, STIFFNESS.index());
}
