//! The car: one component four times, whose code is a loop over the corners.

use costate::{Run, Simulation};

use super::car_model::Car;

/// A car whose tyres carry about its weight all the time, on a road that moves under every wheel in another way.
fn simulation(model: &Car) -> Simulation<Car> {
    let road = |rate: f64| move |t: f64| 0.0175 + 0.004 * (1.0 - (rate * t).cos());
    Simulation::new(model)
        .input(Car::ROAD_FL, road(10.0))
        .input(Car::ROAD_FR, road(11.0))
        .input(Car::ROAD_RL, road(12.0))
        .input(Car::ROAD_RR, road(13.0))
}

fn run(h: f64) -> Run<Car> {
    simulation(&Car::default()).step(h).until(0.4).run().unwrap()
}

#[test]
fn positions_are_of_second_order() {
    for output in [Car::HEAVE, Car::PITCH, Car::ROLL] {
        let order = super::order(2e-3, output, run);
        assert!((order - 2.0).abs() < 0.1, "{output:?}: {order}");
    }
}

#[test]
fn a_road_that_is_even_across_lets_the_car_go_straight() {
    let road = |t: f64| 0.02 * (8.0 * t).sin().powi(2);
    let inputs = [Car::ROAD_FL, Car::ROAD_FR, Car::ROAD_RL, Car::ROAD_RR];
    let simulation =
        inputs.into_iter().fold(Simulation::new(&Car::default()), |simulation, input| simulation.input(input, road));
    let run = simulation.step(1e-3).until(0.5).run().unwrap();
    for coordinate in [Car::CHASSIS_Y, Car::CHASSIS_E1, Car::CHASSIS_E3] {
        let left = run.coordinate(coordinate).iter().map(|q| q.abs()).fold(0.0, f64::max);
        assert!(left < 1e-10, "{coordinate:?}: {left:e}");
    }
    let [left, right] = [Car::FL_LOAD, Car::FR_LOAD].map(|load| run.output(load));
    assert!(left.iter().zip(&right).all(|(left, right)| (left - right).abs() < 1e-9 * (1.0 + left)));
    assert!(left.iter().copied().fold(0.0, f64::max) > 3.0, "the road lifts the car");
}

#[test]
fn derivatives() {
    super::derivatives(&Car::default());
}

#[test]
fn gradient() {
    let model = Car::default();
    super::gradient(&simulation(&model), &model, Car::HEAVE);
}
