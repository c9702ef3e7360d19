//! Fits in pieces: chaotic motions, and starts far away.

use costate::identify::{
    Approach, Fit, IdentificationError, RequestError, Resampling, SpecificationError, UnknownParameter,
};
use costate::{Identification, Model, Record, Simulation, model};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

model! {
    #[interpreted]
    /// Duffing's oscillator with two wells, in chaos for this drive.
    pub Duffing {
        parameters { a: s^-2 = 1, b: m^-2*s^-2 = 1, d: s^-1 = 0.3, x_0: m = 0.5, v_0: m/s = 0.2 }
        inputs { drive: m/s^2 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: 1[kg]*(drive + a*x - b*x^3 - d*dot(x)) }
        initial { x = x_0, dot(x) = v_0 }
        outputs { position: m = x }
    }
}

model! {
    #[interpreted]
    /// A double pendulum that turns over, in redundant coordinates.
    pub DoublePendulum {
        parameters {
            m_1: kg = 1, m_2: kg = 1.2, l_1: m = 1, l_2: m = 0.8, d: N*m*s = 0.02, g: m/s^2 = 9.81,
            a_1: rad = 2.2, a_2: rad = 2.8
        }
        gravity { (0, -g) }
        bodies {
            one: planar { mass: m_1, inertia: m_1*l_1^2/12 },
            two: planar { mass: m_2, inertia: m_2*l_2^2/12 },
        }
        joints {
            top: revolute(ground, one.at(0, l_1/2)),
            middle: revolute(one.at(0, -l_1/2), two.at(0, l_2/2)),
        }
        elements {
            of_top: torsional(ground, one, damping = d),
            of_middle: torsional(one, two, damping = d),
        }
        initial { one.angle = a_1, two.angle = a_2 }
        outputs { first: rad = one.angle, second: rad = two.angle }
    }
}

fn drive(t: f64) -> f64 {
    0.5 * (1.2 * t).cos()
}

/// Every so many of the values.
fn every(step: usize, values: Vec<f64>) -> Vec<f64> {
    values.into_iter().step_by(step).collect()
}

fn noisy(values: Vec<f64>, deviation: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let noise = |value: f64, rng: &mut ChaCha8Rng| {
        let number: f64 = StandardNormal.sample(rng);
        value + deviation * number
    };
    values.into_iter().map(|value| noise(value, rng)).collect()
}

/// A number between 1 - most and 1 + most.
fn factor(most: f64, rng: &mut ChaCha8Rng) -> f64 {
    1.0 + most * rng.random_range(-1.0..1.0)
}

/// Compares the found values with the truth, in standard deviations.
fn worst<M: Model>(fit: &Fit<M>, truth: &M) -> f64 {
    let truth = truth.parameters();
    let deviations = fit.summary().parameters.iter().map(|fitted| {
        let value = truth.as_ref()[costate::Parameter::<M>::named(&fitted.name).unwrap().index()];
        (fitted.found - value).abs() / fitted.standard_deviation
    });
    deviations.fold(0.0, f64::max)
}

fn duffing(seed: u64) -> Identification<Duffing> {
    duffing_until(60.0, seed)
}

fn duffing_until(end: f64, seed: u64) -> Identification<Duffing> {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let truth = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive).step(0.01).until(end);
    let run = truth.error_limit(None).run().unwrap();
    let position = every(10, noisy(run.output(Duffing::POSITION), 0.01, rng));
    let record = Record::new(every(10, run.times())).unwrap().with_channel("position", Some("m"), position).unwrap();
    let start = Duffing {
        a: factor(0.3, rng),
        b: factor(0.3, rng),
        d: 0.3 * factor(0.3, rng),
        x_0: 0.5 * factor(0.3, rng),
        v_0: 0.2 * factor(0.3, rng),
    };
    Identification::new(&Simulation::new(&start).input(Duffing::DRIVE, drive).step(0.01))
        .unknown([Duffing::A, Duffing::B, Duffing::D, Duffing::X_0, Duffing::V_0])
        .measured(Duffing::POSITION, &record)
}

/// One simulation ends in a wrong minimum from most starts; by itself, the fit takes pieces there.
#[test]
fn a_chaotic_record_is_fitted_from_every_start() {
    let (mut single, mut in_pieces) = (0, 0);
    for seed in 0..20 {
        let fit = duffing(seed).run().unwrap();
        assert!(worst(&fit, &Duffing::default()) < 4.0, "{seed}: {fit}");
        in_pieces += usize::from(fit.summary().grown.as_ref().is_some_and(|grown| grown.pieces > 0));
        if seed < 5 {
            let fit = duffing(seed).approach(Approach::Single).without_error_limit().run();
            single += usize::from(fit.is_ok_and(|fit| worst(&fit, &Duffing::default()) < 4.0));
        }
    }
    assert!(single < 3 && in_pieces > 10, "{single} of 5, {in_pieces} of 20");
}

/// Pieces find the minimum of one simulation, with its covariance.
#[test]
fn the_result_is_that_of_one_simulation() {
    let by_number = duffing_until(15.0, 3).pieces(10).run().unwrap();
    let by_length = duffing_until(15.0, 3).pieces_of(3.0).run().unwrap();
    assert!([&by_number, &by_length].iter().all(|fit| !fit.summary().grown.as_ref().unwrap().only_in_pieces));
    for (one, other) in by_number.summary().parameters.iter().zip(&by_length.summary().parameters) {
        assert!((one.found - other.found).abs() < 1e-2 * one.standard_deviation, "{by_number} {by_length}");
        assert!((one.standard_deviation / other.standard_deviation - 1.0).abs() < 1e-2, "{by_number} {by_length}");
    }
}

fn double_pendulum(seed: u64, end: f64) -> Identification<DoublePendulum> {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let truth = DoublePendulum::default();
    let run = Simulation::new(&truth).step(5e-4).until(end).error_limit(None).run().unwrap();
    let record = Record::new(every(20, run.times())).unwrap();
    let first = every(20, noisy(run.output(DoublePendulum::FIRST), 0.02, rng));
    let second = every(20, noisy(run.output(DoublePendulum::SECOND), 0.02, rng));
    let record = record.with_channel("first", Some("rad"), first).unwrap();
    let record = record.with_channel("second", Some("rad"), second).unwrap();
    let start = DoublePendulum {
        m_2: 1.2 * factor(0.3, rng),
        l_1: factor(0.3, rng),
        l_2: 0.8 * factor(0.3, rng),
        d: 0.02 * factor(0.3, rng),
        a_1: 2.2 * factor(0.05, rng),
        a_2: 2.8 * factor(0.05, rng),
        ..truth
    };
    let positive = [DoublePendulum::M_2, DoublePendulum::L_1, DoublePendulum::L_2, DoublePendulum::D];
    Identification::new(&Simulation::new(&start).step(2e-3))
        .unknown(positive.map(|parameter| UnknownParameter::from(parameter).within(1e-4, 10.0)))
        .unknown([DoublePendulum::A_1, DoublePendulum::A_2])
        .measured(DoublePendulum::FIRST, &record)
        .measured(DoublePendulum::SECOND, &record)
}

#[test]
fn a_double_pendulum_that_turns_over_is_fitted() {
    for seed in 0..4 {
        let fit = double_pendulum(seed, 10.0).run().unwrap();
        assert!(worst(&fit, &DoublePendulum::default()) < 4.0, "{seed}: {fit}");
    }
}

/// Over 60 s no simulation in double precision follows the record: the continuous pieces are the result, and tasks that
/// simulate the whole record say so.
#[test]
fn where_no_simulation_follows_the_pieces_are_the_result() {
    let fit = double_pendulum(1, 60.0).run().unwrap();
    assert!(worst(&fit, &DoublePendulum::default()) < 4.0, "{fit}");
    let grown = fit.summary().grown.clone().unwrap();
    assert!(grown.only_in_pieces, "{fit}");
    assert!(fit.to_string().contains("one simulation with the found values does not follow the record"), "{fit}");
    let found = fit.summary().parameters.iter().find(|parameter| parameter.name == "l_1").unwrap();
    assert!(found.standard_deviation < 1e-3 && (found.found - 1.0).abs() < 1e-3, "{fit}");
    let refused = fit.bootstrap(Resampling::Residuals, 2, 1).unwrap_err();
    assert!(matches!(refused, IdentificationError::Request(RequestError::OnlyInPieces { .. })), "{refused}");
    // masses and damping grow with the known mass, and the lengths with gravity, so that all times remain
    let known = fit.known_parameters().unwrap();
    let relative = |name: &str| -> Vec<f64> {
        let one = known.parameters.iter().find(|one| one.name == name).unwrap();
        let found = fit.summary().parameters.iter().map(|one| one.found);
        found.zip(&one.effects).map(|(found, effect)| 100.0 * effect.change / found).collect()
    };
    for (name, wanted) in [("m_1", [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]), ("g", [0.0, 1.0, 1.0, 2.0, 0.0, 0.0])] {
        for (change, wanted) in relative(name).iter().zip(wanted) {
            assert!((change - wanted).abs() < 1e-3, "{name} {:?} {known}", relative(name));
        }
    }
    assert!(known.to_string().contains("where `g` is 1 % larger"), "{known}");
}

#[test]
fn pieces_that_cannot_be_are_refused() {
    let refused = |identification: Identification<Duffing>| match identification.run().unwrap_err() {
        IdentificationError::Specification(SpecificationError::Pieces { what, remedy }) => format!("{what}: {remedy}"),
        other => panic!("{other}"),
    };
    assert_eq!(refused(duffing(0).pieces(0)), "0 pieces: give a number of 1 or more");
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(duffing(0).pieces_of(length)).contains("give a positive number of seconds"));
    }
    assert!(refused(duffing(0).pieces(7000)).contains("a piece has a step of the run at least"));
    assert!(refused(duffing(0).pieces_of(1e-3)).contains("a piece has a step of the run at least"));
}

model! {
    #[interpreted]
    /// A pendulum of which only the height is measured: the motion and its mirror image give the same record.
    pub Pendulum {
        parameters { m: kg = 1, l: m = 1, d: N*m*s = 0.05, g: m/s^2 = 9.81, a: rad = 1.5 }
        coordinates { phi: rad }
        mass { phi: m*l^2 }
        forces { phi: -m*g*l*sin(phi) - d*dot(phi) }
        initial { phi = a }
        outputs { height: m = l*(1 - cos(phi)) }
    }
}

#[test]
fn pieces_do_not_change_to_the_mirrored_motion() {
    let truth = Pendulum::default();
    let run = Simulation::new(&truth).step(5e-3).until(20.0).error_limit(None).run().unwrap();
    let record = Record::new(every(4, run.times())).unwrap();
    let mut missed = Vec::new();
    for seed in 0..11 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values = noisy(every(4, run.output(Pendulum::HEIGHT)), 5e-3, &mut rng);
        let record = record.clone().with_channel("height", Some("m"), values).unwrap();
        let start = Pendulum { g: truth.g * (0.5 + 0.1 * seed as f64), d: 0.1, ..truth };
        let simulation = Simulation::new(&start).step(5e-3).until(20.0).error_limit(None);
        let fit = Identification::new(&simulation)
            .unknown([Pendulum::G, Pendulum::D].map(UnknownParameter::from))
            .measured(Pendulum::HEIGHT, &record)
            .pieces(40)
            .run();
        match fit {
            Ok(fit) if worst(&fit, &truth) < 4.0 => {}
            Ok(fit) => missed.push(format!("{seed}: g = {}, d = {}", fit.model().g, fit.model().d)),
            Err(error) => missed.push(format!("{seed}: {error}")),
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
