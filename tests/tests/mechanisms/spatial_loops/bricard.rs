//! Bricard's mechanism: it moves, and with all of its energy.

use costate::{Run, Simulation};

use super::bricard_model::Bricard;

/// More than the time in which the loop falls to its lowest position.
const END: f64 = 1.5;

fn run(h: f64) -> Run<Bricard> {
    Simulation::new(&Bricard::default()).step(h).until(END).run().unwrap()
}

#[test]
fn the_start_is_a_cube() {
    let model = Bricard { l: 0.7, ..Bricard::default() };
    let run = Simulation::new(&model).step(1e-3).until(1e-3).run().unwrap();
    let wanted = [
        (Bricard::ROD_1_X, 0.5),
        (Bricard::ROD_2_Y, -0.5),
        (Bricard::ROD_3_X, 1.0),
        (Bricard::ROD_3_Y, -1.0),
        (Bricard::ROD_3_Z, 0.5),
        (Bricard::ROD_4_Z, 1.0),
        (Bricard::ROD_5_X, 0.0),
    ];
    for (coordinate, lengths) in wanted {
        let found = run.coordinate(coordinate)[0];
        assert!((found - lengths * model.l).abs() < 1e-12, "{coordinate:?}: {found}");
    }
    let turned = [Bricard::ROD_1_E0, Bricard::ROD_3_E0, Bricard::ROD_5_E0];
    assert!(turned.iter().all(|e0| (run.coordinate(*e0)[0] - 1.0).abs() < 1e-12));
}

#[test]
fn energy_is_kept_to_second_order() {
    let lost = |h: f64| {
        let energy = run(h).output(Bricard::ENERGY);
        energy.iter().map(|value| (value - energy[0]).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (lost(2e-3), lost(1e-3));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1 && fine < 1e-5, "order {order}, {coarse:e} and {fine:e} J");
}

#[test]
fn positions_are_of_second_order() {
    let order = super::order(4e-3, Bricard::X, run);
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

/// Checks that the last joint, which lets the rod turn about its own axis, is a hinge as if it were one of six.
#[test]
fn the_constraint_that_is_left_out_holds() {
    let run = run(1e-3);
    let [e2, e3] = [Bricard::ROD_5_E2, Bricard::ROD_5_E3].map(|e| run.coordinate(e));
    let tilt = e2.iter().chain(&e3).map(|e| e.abs()).fold(0.0, f64::max);
    assert!(tilt < 1e-10, "{tilt:e}");
    let fallen = -run.output(Bricard::Y).iter().copied().fold(0.0, f64::min);
    // the lowest position: opposite joints are sqrt(3) l apart
    assert!((fallen - (3f64.sqrt() - 1.0)).abs() < 1e-4, "{fallen}");
}

#[test]
fn derivatives() {
    super::derivatives(&Bricard::default());
}

#[test]
fn gradient() {
    let model = Bricard::default();
    super::gradient(&Simulation::new(&model), &model, Bricard::X);
}
