//! Forces of elements of a model, whose deformations are functions of the state.

use costate::filter::{KalmanMethod, SigmaPoints};
use costate::model::{Dual, Scalar};
use costate::restoring_force::{
    APriori, CurveSettings, ElementIdentification, Exponents, ModelElement, RestoringForceError,
    RestoringForceIdentification, RestoringForceModel, RestoringForces, Sensor,
};
use costate::simulate::Problem;
use costate::table::{Curve, Extension};
use costate::{Model, Parameter, Simulation};
use costate_models::SwingArm;
use nalgebra::{DMatrix, DVector};

costate::model! {
    #[interpreted]
    /// A mass on a moving base, with an element behind a lever: what the mass moves deforms it less.
    pub Lever {
        parameters { m: kg = 4, ratio: 1 = 0.5, s: N/m = 2e6, d: N*s/m = 300, other: N/m = 0 }
        inputs { base: m/s^2 }
        coordinates { q: m }
        mass { q: m }
        let z = ratio*q;
        forces { q: -ratio*(s*z + d*dot(z)) - m*base - other*q }
        initial { q = 0[m], dot(q) = 0[m/s] }
        outputs {
            acceleration: m/s^2 = ddot(q) + base,
            deformation: m = z,
            rate: m/s = dot(z),
            motion: m = q,
        }
    }
}

const H: f64 = 1e-4;

const ELEMENT: ModelElement<Lever> =
    ModelElement { deformation: Lever::DEFORMATION, rate: Lever::RATE, stiffness: Lever::S, damping: Lever::D };

fn base(t: f64) -> f64 {
    5.0 * (600.0 * t).sin() + 3.0 * (1900.0 * t).sin()
}

fn problem(model: &Lever) -> Problem {
    Simulation::new(model).input(Lever::BASE, base).step(H).until(0.3).problem().unwrap()
}

/// Simulates the acceleration with a stiffness and a damping other than the expected ones, and with noise.
fn record() -> Vec<f64> {
    let truth = Lever { s: 2.6e6, d: 410.0, ..Lever::default() };
    let run = Simulation::new(&truth).input(Lever::BASE, base).step(H).until(0.3).run().unwrap();
    let noise = |i: usize| 0.2 * (1.0 + 7919.0 * (i * i % 1009) as f64).sin();
    run.outputs().output(Lever::ACCELERATION).unwrap().enumerate().map(|(i, y)| y + noise(i)).collect()
}

/// Runs the filter of the same element by hand: z'' = -ratio^2/m (s z + d z') - ratio u, of which the
/// accelerometer shows 1/ratio.
fn by_hand(method: KalmanMethod, exponents: Exponents) -> RestoringForces {
    let Lever { m, ratio, s, d, .. } = Lever::default();
    let one = |value| DMatrix::from_element(1, 1, value);
    let model = RestoringForceModel::new(one(ratio * ratio / m), vec![Sensor::acceleration(0)])
        .and_then(|model| model.with_base(one(-ratio)))
        .and_then(|model| model.with_combinations(one(1.0 / ratio)))
        .unwrap();
    let inputs: Vec<f64> = (0..=3000).map(|i| base(f64::from(i) * H)).collect();
    RestoringForceIdentification::new(model, H, vec![APriori { stiffness: s, damping: d }])
        .and_then(|filter| filter.motion(&[((1e-6 * ratio).powi(2), (1e-3 * ratio).powi(2))]))
        .unwrap()
        .method(method)
        .exponents(exponents)
        .run(&inputs, &record())
        .unwrap()
}

#[test]
fn a_lever_gives_what_its_element_gives_by_hand() {
    let (model, measured) = (Lever::default(), record());
    let problem = problem(&model);
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    for (method, exponents) in
        [(KalmanMethod::Extended, Exponents::new(3.0, 1.0)), (unscented, Exponents::new(2.0, 1.0))]
    {
        let found = ElementIdentification::new(&problem, &model, [ELEMENT], [Lever::ACCELERATION])
            .unwrap()
            .start(&[(Lever::Q, 1e-6)], &[(Lever::Q, 1e-3)])
            .method(method)
            .exponents(exponents)
            .run(&measured)
            .unwrap();
        let expected = by_hand(method, exponents);
        assert!(found.run().stopped().is_none() && found.elements() == 1);
        assert_eq!(found.good_samples(), expected.good_samples());
        let settings = CurveSettings::default();
        type Of = fn(
            &RestoringForces,
            usize,
            &CurveSettings,
        ) -> Result<costate::restoring_force::RestoringForceCurve, RestoringForceError>;
        for of in [RestoringForces::elastic_curve as Of, RestoringForces::dissipative_curve as Of] {
            let [found, expected] = [&found, &expected].map(|forces| of(forces, 0, &settings).unwrap());
            let largest = expected.points.iter().map(|point| point.force.abs()).fold(0.0, f64::max);
            for (found, expected) in found.points.iter().zip(&expected.points) {
                let off = (found.force - expected.force).abs() / largest;
                let deviation = (found.force_deviation / expected.force_deviation - 1.0).abs();
                assert!(off < 1e-6 && deviation < 1e-5, "{method:?}: {found:?} {expected:?}");
            }
        }
        assert!(matches!(found.modes(&[], &[]), Err(RestoringForceError::Size { .. })));
        let curve = found.elastic_curve(0, &settings).unwrap();
        let modes = found.modes(std::slice::from_ref(&curve), std::slice::from_ref(&curve));
        assert!(matches!(modes, Err(RestoringForceError::NoInertia)));
    }
}

/// Makes a table of zeros.
fn nothing() -> Curve {
    Curve::new(vec![-1.0, 1.0], vec![0.0, 0.0], Extension::Linear).unwrap()
}

const STRUT: ModelElement<SwingArm> =
    ModelElement { deformation: SwingArm::STROKE, rate: SwingArm::SPEED, stiffness: SwingArm::S, damping: SwingArm::D };

fn bench(model: &SwingArm) -> Problem {
    Simulation::new(model)
        .table(SwingArm::ELASTIC, nothing())
        .table(SwingArm::DISSIPATIVE, nothing())
        .input(SwingArm::PUSH, |t: f64| 200.0 * (40.0 * t).sin())
        .step(1e-3)
        .until(2.0)
        .problem()
        .unwrap()
}

/// Checks that in a mechanism with constraints the samples of the strut are its outputs at the estimates, with
/// covariances propagated by the outputs' derivatives, which agree with those of dual numbers.
#[test]
fn a_strut_across_a_swing_arm_is_seen_through_its_outputs() {
    let (truth, model) = (SwingArm { s: 50e3, d: 500.0, ..SwingArm::default() }, SwingArm::default());
    let run = bench(&truth).run(&truth.parameters()).unwrap();
    let mut measured: Vec<f64> = run.outputs().output(SwingArm::ACCELERATION).unwrap().collect();
    measured.iter_mut().enumerate().for_each(|(i, y)| *y += 0.5 * (1.0 + 31.0 * (i * i % 211) as f64).sin());
    let problem = bench(&model);
    let found = ElementIdentification::new(&problem, &model, [STRUT], [SwingArm::ACCELERATION])
        .unwrap()
        .start(&[(SwingArm::ARM_ANGLE, 1e-3)], &[(SwingArm::ARM_ANGLE, 1e-2)])
        .exponents(Exponents::new(1.0, 0.0))
        .run(&measured)
        .unwrap();
    assert!(found.run().stopped().is_none(), "{:?}", found.run().stopped());
    // z and v by the geometry of the strut
    let SwingArm { length, along, beside, above, rest, .. } = model;
    let strut = |x: &[Dual]| {
        let (sin, cos) = x[2].sin_cos();
        let reach = along - 0.5 * length;
        let [a, b] = [x[0] + cos * reach - beside, x[1] + sin * reach - above];
        let [a_rate, b_rate] = [x[3] - sin * x[5] * reach, x[4] + cos * x[5] * reach];
        let span = (a * a + b * b).sqrt();
        [span - rest, (a * a_rate + b * b_rate) / span]
    };
    let samples = found.surface_samples(0);
    let good = found.good_samples();
    assert!(samples.len() > 1000);
    let (s, d) = (found.run().states() - 2, found.run().states() - 1);
    for (sample, i) in samples.iter().zip(good).step_by(97) {
        let (x, p) = (found.run().mean(i), found.run().covariance(i).unwrap());
        let along = |k: usize| {
            let dual = |(i, value): (usize, &f64)| {
                if i == k { Dual::variable(*value) } else { Dual::constant(*value) }
            };
            strut(&x.iter().enumerate().map(dual).collect::<Vec<_>>())
        };
        let [z, v] = along(s).map(|dual| dual.value);
        assert!((sample.point[0] - z).abs() < 1e-12 && (sample.point[1] - v).abs() < 1e-10, "{sample:?}");
        let slopes: [DVector<f64>; 2] =
            std::array::from_fn(|of| DVector::from_fn(x.len(), |k, _| along(k)[of].derivative));
        let expected = |a: usize, b: usize| (slopes[a].transpose() * &p * &slopes[b])[(0, 0)];
        for (a, b) in [(0, 0), (0, 1), (1, 1)] {
            let scale = (expected(a, a) * expected(b, b)).sqrt();
            assert!((sample.covariance[a][b] - expected(a, b)).abs() < 1e-10 * scale, "{a} {b} {sample:?}");
        }
        // f = s z + d v and the covariances of s with z and of d with v
        let with_s = (slopes[0].transpose() * p.column(s))[(0, 0)];
        let with_d = (slopes[1].transpose() * p.column(d))[(0, 0)];
        let force = x[s] * z + x[d] * v + with_s + with_d;
        assert!((sample.point[2] - force).abs() < 1e-10 * (x[s] * z).abs().max(1.0), "{} {force}", sample.point[2]);
    }
    // once the stiffness has settled, it is close to the true one
    let mean = found.run().state(s).skip(1000).sum::<f64>() / 1001.0;
    assert!((mean / truth.s - 1.0).abs() < 0.1, "{mean}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let (model, measured) = (Lever::default(), record());
    let problem = problem(&model);
    let identify = |elements: Vec<ModelElement<Lever>>| {
        ElementIdentification::new(&problem, &model, elements, [Lever::ACCELERATION])
    };
    let message = |elements| identify(elements).and_then(|found| found.run(&measured)).unwrap_err().to_string();

    // the motion of the mass is not the deformation of the element
    let text = message(vec![ModelElement { deformation: Lever::MOTION, ..ELEMENT }]);
    assert!(text.contains("deformation `motion` of element 1") && text.contains("`s`"), "{text}");
    let text = message(vec![ModelElement { stiffness: Lever::OTHER, ..ELEMENT }]);
    assert!(text.contains("expected stiffness") && text.contains("positive"), "{text}");
    let text = message(vec![ModelElement { deformation: Lever::RATE, ..ELEMENT }]);
    assert!(text.contains("depends on velocities"), "{text}");
    let text = message(vec![ModelElement { rate: Lever::ACCELERATION, ..ELEMENT }]);
    assert!(text.contains("depends on accelerations"), "{text}");
    let text = message(vec![ModelElement { damping: Lever::S, ..ELEMENT }]);
    assert!(text.contains("damping `s` of element 1") && text.contains("stands twice"), "{text}");
    let text = message(vec![ELEMENT; 2]);
    assert!(text.contains("cannot observe"), "{text}");
    assert!(identify(Vec::new()).is_err());

    let forces = identify(vec![ELEMENT]).unwrap();
    assert!(matches!(forces.run(&measured[1..]), Err(RestoringForceError::Size { .. })));
    let mut infinite = measured.clone();
    infinite[7] = f64::INFINITY;
    assert!(matches!(forces.run(&infinite), Err(RestoringForceError::Signal { sample: 7, .. })));
    assert!(forces.clone().lowest_stiffness(&[1.0, 2.0]).is_err());
    // a mass is no stiffness: its force is not along the element
    let text = message(vec![ModelElement { stiffness: Parameter::named("m").unwrap(), ..ELEMENT }]);
    assert!(text.contains("by virtual work"), "{text}");
}
