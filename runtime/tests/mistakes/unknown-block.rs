use costate::Simulation;

costate::model! {
    pub Slider {
        paramters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x, y: -c*y }
        outputs { load: N = c*x }
    }
}

fn main() {
    let slider = Slider { c: 60.0, ..Slider::default() };
    let run = Simulation::new(&slider).input(Slider::DRIVE, |t: f64| t).step(1e-3).until(1.0).run();
    if let Ok(run) = run {
        println!("{:?} {:?}", run.output(Slider::LOAD), run.coordinate(Slider::X));
    }
}
