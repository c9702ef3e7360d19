//! A shaft that runs up, its measurement, and costs of it.

use std::f64::consts::TAU;

use costate::cost::{FourierLine, OrderLine, SpectrumCost, SpectrumForm, Window, order_coefficients};
use costate::simulate::{Problem, Series};
use costate::{Model, Simulation, model};

model! {
    #[interpreted]
    /// A shaft that runs up, with the torque of a crank drive and a disc on a torsional spring.
    pub Shaft {
        parameters {
            j_1: kg*m^2 = 0.1,
            j_2: kg*m^2 = 0.02,
            c: N*m = 1500.0,
            d: N*m*s = 0.3,
            /// Torque that speeds the shaft up.
            drive: N*m = 12.0,
            /// Amplitude of the torque of the second order; the fourth has half of it.
            ripple: N*m = 4.0,
        }
        coordinates { phi[1..=2]: rad }
        mass { phi[1]: j_1, phi[2]: j_2 }
        let torque = c*(phi[2] - phi[1]) + d*(dot(phi[2]) - dot(phi[1]));
        forces {
            phi[1]: drive + ripple*(sin(2*phi[1]) + sin(4*phi[1])/2) + torque,
            phi[2]: -torque,
        }
        initial { for i in 1..=2 { dot(phi[i]) = 40.0[rad/s] } }
        outputs { angle: rad = phi[1], twist: rad = phi[2] - phi[1] }
    }
}

pub const STEP: f64 = 1e-3;

pub const STEPS: usize = 1500;

pub const FORMS: [SpectrumForm; 4] =
    [SpectrumForm::SquaredAmplitude, SpectrumForm::Amplitude, SpectrumForm::Coefficients, SpectrumForm::Decibels];

pub const WINDOWS: [Window; 4] = [Window::Rectangular, Window::Hann, Window::FlatTop, Window::BlackmanHarris];

pub fn start() -> Shaft {
    Shaft { c: 1300.0, d: 0.5, ..Shaft::default() }
}

pub fn problem() -> Problem {
    Simulation::new(&Shaft::default()).step(STEP).until(STEP * STEPS as f64).problem().unwrap()
}

pub fn outputs(model: &Shaft) -> Series<f64> {
    let problem = problem();
    problem.forward(&model.parameters()).unwrap().outputs()
}

/// Angle and twist of the true shaft at all steps.
pub fn measured() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let outputs = outputs(&Shaft::default());
    let times = (0..=STEPS).map(|i| i as f64 * STEP).collect();
    let channel = |output| outputs.output(output).unwrap().collect();
    (times, channel(Shaft::ANGLE), channel(Shaft::TWIST))
}

pub fn orders(window: Window) -> Vec<OrderLine> {
    let line = |(order, center)| OrderLine::around(order, center, 3, 2.0 * TAU, window).unwrap();
    [(2.0, 60.0), (2.0, 110.0), (4.0, 80.0)].map(line).to_vec()
}

pub fn tracking(form: SpectrumForm, window: Window) -> SpectrumCost {
    let (_, angle, twist) = measured();
    let lines = orders(window);
    let values = order_coefficients(&angle, &twist, &lines).unwrap();
    let mut cost = SpectrumCost::new(STEP, STEPS + 1, form);
    for (line, value) in lines.into_iter().zip(values) {
        cost = cost.with_order(Shaft::TWIST, Shaft::ANGLE, line, value, 1.0).unwrap();
    }
    cost
}

pub fn lines_cost(form: SpectrumForm) -> SpectrumCost {
    let (times, _, twist) = measured();
    let lines = FourierLine::band((10.0, 60.0), 0.2, 1.2, Window::Hann).unwrap();
    SpectrumCost::new(STEP, STEPS + 1, form).with_measured(Shaft::TWIST, &lines, &times, &twist, 1.0).unwrap()
}

/// The sum over all outputs and samples of the products.
pub fn product(one: &Series<f64>, other: &Series<f64>) -> f64 {
    (0..one.samples()).flat_map(|i| one.row(i).iter().zip(other.row(i))).map(|(a, b)| a * b).sum()
}
