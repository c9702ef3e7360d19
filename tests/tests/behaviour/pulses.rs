//! Loads that are below the smallest number at first: numbers without all their digits end Newton's iteration.

use costate::cost::{LeastSquares, Quadrature};
use costate::differentiate::sensitivities;
use costate::{Input, Model, Output, Parameter, Simulation, check_gradient};

costate::model! {
    #[interpreted]
    /// A damped oscillator that is hit.
    pub Hit {
        parameters { m: kg = 1, c: N/m = 4000, d: N*s/m = 40 }
        inputs { u: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: u - c*x - d*dot(x) }
        initial { x = 0, dot(x) = 0 }
        outputs { f: N = c*x, a: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[compiled]
    /// The oscillator `Hit` as Rust.
    pub CompiledHit {
        parameters { m: kg = 1, c: N/m = 4000, d: N*s/m = 40 }
        inputs { u: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: u - c*x - d*dot(x) }
        initial { x = 0, dot(x) = 0 }
        outputs { f: N = c*x, a: m/s^2 = ddot(x) }
    }
}

/// The width of the load in s.
const WIDTH: f64 = 0.02;

/// A Gaussian load around a time.
fn load(time: f64, centre: f64) -> f64 {
    100.0 * (-((time - centre) / WIDTH).powi(2)).exp()
}

/// The force of the spring by Duhamel's integral, with Simpson's rule over the load.
fn force(time: f64, centre: f64) -> f64 {
    let (m, c, d): (f64, f64, f64) = (1.0, 4000.0, 40.0);
    let decay = d / (2.0 * m);
    let frequency = (c / m - decay * decay).sqrt();
    let end = time.min(centre + 7.0 * WIDTH);
    let begin = (centre - 7.0 * WIDTH).min(end);
    let parts = 400;
    let h = (end - begin) / f64::from(parts);
    let term = |k: i32| {
        let at = begin + h * f64::from(k);
        let weight = if k == 0 || k == parts { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        weight * load(at, centre) * (-decay * (time - at)).exp() * (frequency * (time - at)).sin()
    };
    c / (m * frequency) * h / 3.0 * (0..=parts).map(term).sum::<f64>()
}

fn pulses<M: Model + Default>() {
    let model = M::default();
    let [of_force, acceleration] = [0, 1].map(|index| Output::<M>::all().nth(index).unwrap());
    let parameters: Vec<Parameter<M>> = Parameter::all().collect();
    for k in 0..20 {
        let centre = 0.9 + 0.013 * f64::from(k);
        let simulation = Simulation::new(&model)
            .input(Input::<M>::all().next().unwrap(), move |time: f64| load(time, centre))
            .until(1.5)
            .step(5e-4);
        let run = simulation.run().unwrap();
        for (i, found) in run.output(of_force).into_iter().enumerate() {
            let exact = force(5e-4 * i as f64, centre);
            assert!((found - exact).abs() < 0.05, "{centre}, sample {i}: {found} {exact}");
        }
        let adaptive = simulation.clone().adaptive(1e-6).run().unwrap();
        let last = adaptive.output(of_force).into_iter().next_back().unwrap();
        assert!((last - force(1.5, centre)).abs() < 0.05, "{centre}: {last}");
        let problem = simulation.problem().unwrap();
        let cost = LeastSquares::new(5e-4, problem.steps() + 1, Quadrature::Rectangle)
            .with_channel(of_force, &[0.0, 1.5], &[0.0, 1.0], 1.0)
            .unwrap();
        let report = check_gradient(&problem, &model, &cost, &parameters).unwrap();
        assert!(report.agrees(1e-9), "{centre}: {report}");
        // c x does not change where all parameters grow by the same factor, and the acceleration falls by it
        let trajectory = problem.forward(model.parameters().as_ref()).unwrap();
        let found = sensitivities(&problem, &trajectory, &parameters).unwrap();
        let outputs = trajectory.outputs();
        for i in 0..outputs.samples() {
            let change = |output: Output<M>| -> f64 {
                let values = model.parameters();
                found.iter().zip(values.as_ref()).map(|(own, value)| value * own.row(i)[output.index()]).sum()
            };
            assert!(change(of_force).abs() < 1e-9, "{centre}, sample {i}: {}", change(of_force));
            let rest = change(acceleration) + outputs.row(i)[acceleration.index()];
            assert!(rest.abs() < 1e-9, "{centre}, sample {i}: {rest}");
        }
    }
}

#[test]
fn interpreted_models_run_from_below_the_smallest_number() {
    pulses::<Hit>();
}

#[test]
fn compiled_models_run_from_below_the_smallest_number() {
    pulses::<CompiledHit>();
}
