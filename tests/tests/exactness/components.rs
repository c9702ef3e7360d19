//! A model made of components runs as the same model written out.

use costate::{Coordinate, Model, Run, Simulation};
use costate_tests::{TwoCylinders, WrittenOut};

fn run<M: Model>(model: &M) -> Run<M> {
    Simulation::new(model).step(1e-4).until(0.5).alpha(-0.1).run().unwrap()
}

#[test]
fn the_trajectory_is_that_of_the_model_written_out() {
    let (components, written_out) = (run(&TwoCylinders::default()), run(&WrittenOut::default()));
    let pairs = Coordinate::<TwoCylinders>::all().zip(Coordinate::<WrittenOut>::all());
    for (coordinate, other) in pairs {
        let (found, expected) = (components.coordinate(coordinate), written_out.coordinate(other));
        assert_eq!(found.len(), 5001);
        for (value, expected) in found.iter().zip(&expected) {
            assert!((value - expected).abs() <= 1e-10, "{}: {value} {expected}", coordinate.name());
        }
    }
    let (found, expected) = (components.output(TwoCylinders::LOAD), written_out.output(WrittenOut::LOAD));
    let largest = expected.iter().fold(0.0, |most: f64, load| most.max(load.abs()));
    assert!(largest > 100.0, "{largest}");
    for (value, expected) in found.iter().zip(&expected) {
        assert!((value - expected).abs() <= 1e-7 * largest, "{value} {expected}");
    }
}
