//! Numbers of every form, and units of parameters, inputs, outputs and numbers.
#![deny(warnings, missing_docs, dead_code)]

use costate::{Input, Simulation};

costate::model! {
    /// Numbers.
    pub Numbers {
        parameters {
            small: 1 = 1e-300,
            large: 1 = 1.5E+300,
            grouped: kg = 1_000,
            point: 1 = 1.,
            negative: 1 = -2.5e-3,
            computed: 1 = (1 + 2)*3^2/4 - sqrt(16),
            angle: deg = 90,
            turn: rad = 90[deg],
            length: mm = 5,
            same_length: mm = 5[mm],
            other_length: mm = 2*0.5[cm],
            metres: m = 5[mm],
            pressure: N/(mm^2) = 0.25,
            speed: km/h = 36,
            rate: 1/s = 2,
            share: percent = 20,
            whole: 1 = 9007199254740993,
        }
        inputs { load: kN, rotation: rpm }
        coordinates { x: m, phi: rad }
        mass { x: grouped, phi: 1[kg*m^2] }
        forces {
            x: load - (x - 0.5[mm])*1e3[N/m] + 1[N]*small*large*point*negative*computed*0 + 12[N]*0,
            phi: -phi*rate*1[N*m*s],
        }
        initial { x = length + same_length, phi = angle - turn, dot(x) = speed, dot(phi) = 1[rev/s] }
        outputs {
            position: mm = x,
            angle_reading: deg = phi,
            area_load: N/mm^2 = pressure*whole/whole + load*0 + rotation*0,
            stretched: mm = other_length + metres*0,
            part: percent = share,
        }
    }
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{value} is not {expected}");
}

#[test]
fn runs() {
    let numbers = Numbers::default();
    assert_eq!((numbers.small, numbers.large, numbers.grouped), (1e-300, 1.5e300, 1000.0));
    assert_eq!((numbers.negative, numbers.computed), (-2.5e-3, 2.75));
    // A default is in the declared unit, unless it is written with units.
    assert_eq!((numbers.angle, numbers.length, numbers.metres), (90.0, 5.0, 5e-3));
    near(numbers.same_length, 5.0);
    near(numbers.other_length, 10.0);
    near(numbers.turn, std::f64::consts::FRAC_PI_2);

    let run = Simulation::new(&numbers)
        .input(Numbers::LOAD, 0.0)
        .input(Input::named("rotation").unwrap(), 0.0)
        .step(1e-3)
        .until(1e-3)
        .run()
        .unwrap();
    near(run.output(Numbers::POSITION)[0], 10.0);
    near(run.velocity(Numbers::X)[0], 10.0);
    near(run.velocity(Numbers::PHI)[0], 2.0 * std::f64::consts::PI);
    assert_eq!(run.output(Numbers::ANGLE_READING)[0], 0.0);
    near(run.output(Numbers::AREA_LOAD)[0], 0.25);
    near(run.output(Numbers::STRETCHED)[0], 10.0);
    near(run.output(Numbers::PART)[0], 20.0);
}
