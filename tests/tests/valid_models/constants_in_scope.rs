//! Names of the model that are constants, unit structs and functions of the user's module.
#![deny(warnings)]

const G: f64 = 9.81;
const X: f64 = 1.0;
struct M;

fn drive(t: f64) -> f64 {
    t
}

costate::model! {
    Falling {
        parameters { M: kg = 2, G: m/s^2 = 9.81 }
        inputs { drive: N }
        coordinates { X: m }
        mass { X: M }
        forces { X: drive - M*G }
        outputs { Y: m = X }
    }
}

#[test]
fn runs() {
    let _unit = M;
    let model = Falling { G, ..Falling::default() };
    let run = costate::Simulation::new(&model).input(Falling::DRIVE, drive).step(0.1).until(X).run();
    assert!(run.is_ok());
    assert!(run.is_ok_and(|run| run.output(Falling::Y)[0] == 0.0));
}
