//! Pictures of runs: bodies and what is attached to them are where the run has them.

use costate::animate::Motion;
use costate::{Coordinate, Model, Run, Simulation};

costate::model! {
    #[interpreted]
    /// A rod on a slider, with a spring.
    pub Slider {
        parameters { m: kg = 1, l: m = 0.5, c: N/m = 40, b: m = 0.1, g: m/s^2 = 9.81 }
        gravity { (0, -g) }
        bodies {
            cart: planar { mass: m, layer: b },
            rod: planar { mass: m, inertia: m*l^2/12, shape: [box(b, l), sphere(b/4).at(0, l/2).rotated(30[deg])] },
        }
        joints {
            rail: prismatic(ground.at(0, 2*b), cart.rotated(10[deg]), axis = (1, 0)),
            pin: revolute(cart.at(b, 0), rod.at(0, l/2)),
        }
        let tip = rod.at(0, -l/2);
        elements { back: spring(ground.at(-1[m], 0), tip, stiffness = c) }
        initial { rod.angle = 40[deg] }
        outputs { height: m = tip.position.y }
    }
}

costate::model! {
    #[interpreted]
    /// Two links in space on a hinge that is turned by a parameter.
    pub Links {
        parameters { m: kg = 1, j: kg*m^2 = 0.02, l: m = 0.4, lean: deg = 25, g: m/s^2 = 9.81 }
        gravity { (0, 0, -g) }
        bodies { for i in 1..=2 { link[i]: spatial { mass: m, inertia: (j, j, j/10) } } }
        joints {
            hinge: revolute(ground.at(l, 0, 0).rotated((1, 0, 0), lean), link[1].at(0, 0, l/2), axis = (0, 1, 0)),
            ball: spherical(link[1].at(0, 0, -l/2), link[2].at(0, 0, l/2)),
        }
        initial { link[2].orientation = rotation((1, 0, 0), 0.4)*rotation((0, 1, 0), 0.3) }
        outputs { height: m = link[2].position.z }
    }
}

/// The first run of the animation.
fn motion<M: Model>(run: &Run<M>) -> Motion {
    run.animation().runs()[0].clone()
}

/// The origins of all bodies are coordinates, and both ends of these joints are at one place.
fn compare<M: Model>(run: &Run<M>, origins: &[(usize, [Option<Coordinate<M>>; 3])], joints: &[&str]) {
    let motion = motion(run);
    assert_eq!(motion.frames(), run.times().len());
    assert!((motion.interval() - run.times()[1]).abs() < 1e-15);
    let places: Vec<(usize, [Vec<f64>; 3])> = origins
        .iter()
        .map(|(body, names)| {
            let values = |name: &Option<Coordinate<M>>| name.map_or_else(Vec::new, |name| run.coordinate(name));
            (*body, names.each_ref().map(values))
        })
        .collect();
    for frame in 0..motion.frames() {
        let poses = motion.poses(frame);
        for (body, values) in &places {
            for (x, values) in poses[*body].origin.iter().zip(values).filter(|(_, values)| !values.is_empty()) {
                assert_eq!(*x, values[frame]);
            }
        }
        for name in joints {
            let joint = motion.mechanism().joints.iter().find(|joint| joint.name == *name).unwrap();
            let [first, second] = joint.ends.each_ref().map(|end| end.position(&poses));
            for i in 0..if motion.mechanism().bodies[0].spatial { 3 } else { 2 } {
                assert!((first[i] - second[i]).abs() < 1e-8, "{name}: {first:?} {second:?}");
            }
        }
    }
}

#[test]
fn planar_bodies_are_where_the_run_has_them() {
    let model = Slider { l: 0.7, ..Slider::default() };
    let run = Simulation::new(&model).step(1e-3).until(0.5).run().unwrap();
    let origins = [
        (0, [Some(Slider::CART_X), Some(Slider::CART_Y), None]),
        (1, [Some(Slider::ROD_X), Some(Slider::ROD_Y), None]),
    ];
    compare(&run, &origins, &["pin"]);
    let mechanism = run.mechanism();
    assert_eq!(mechanism.up, [0.0, 1.0, 0.0]);
    assert_eq!((mechanism.bodies[0].layer, mechanism.bodies[1].shapes[0].sizes), (0.1, [0.1, 0.7, 0.0]));
    let knob = &mechanism.bodies[1].shapes[1];
    assert_eq!((knob.sizes[0], knob.pose.origin), (0.025, [0.0, 0.35, 0.0]));
    assert!((knob.pose.turn[1][0] - 0.5).abs() < 1e-15);
    // the ground of a rail is where its slider is drawn
    assert_eq!(mechanism.joints[0].ends[0].point, [0.0, 0.2, 0.1]);
    // the spring ends at the point with a name, whose height is an output
    let tip = mechanism.points.iter().find(|point| point.name == "tip").unwrap();
    assert_eq!(tip.end.point, mechanism.elements[0].ends[1].point);
    let (motion, height) = (motion(&run), run.output(Slider::HEIGHT));
    for (frame, height) in height.into_iter().enumerate().take(motion.frames()) {
        assert!((tip.end.position(&motion.poses(frame))[1] - height).abs() < 1e-12);
    }
}

#[test]
fn bodies_in_space_are_where_the_run_has_them() {
    let run = Simulation::new(&Links { l: 0.6, ..Links::default() }).step(1e-3).until(0.5).run().unwrap();
    let origins = [
        (0, [Some(Links::LINK_1_X), Some(Links::LINK_1_Y), Some(Links::LINK_1_Z)]),
        (1, [Some(Links::LINK_2_X), Some(Links::LINK_2_Y), Some(Links::LINK_2_Z)]),
    ];
    compare(&run, &origins, &["hinge", "ball"]);
    // the axis of the hinge is the same direction of space in both bodies
    let (mechanism, motion) = (run.mechanism(), motion(&run));
    for frame in 0..motion.frames() {
        let poses = motion.poses(frame);
        let axes = mechanism.joints[0].ends.each_ref().map(|end| end.pose(&poses).direction(end.axis));
        assert!((0..3).all(|i| (axes[0][i] - axes[1][i]).abs() < 1e-7), "{axes:?}");
    }
}

/// Long runs have fewer pictures, and what they have is as it was computed.
#[test]
fn files_of_long_runs_stay_small() {
    let run = Simulation::new(&Slider::default()).step(1e-4).until(10.0).error_limit(None).run().unwrap();
    let motion = motion(&run);
    let stride = run.times().len().div_ceil(motion.frames());
    assert!(stride > 1 && motion.frames() <= 20_000);
    let x = run.coordinate(Slider::CART_X);
    for frame in (0..motion.frames()).step_by(97) {
        assert_eq!(motion.poses(frame)[0].origin[0], x[frame * stride]);
    }
    assert!(run.animation().html().len() < 2_500_000);
}
