//! Fisher information (OB 5.6, 5.7): exact, for models with and without constraints, and what it says of parameters.

use costate::cost::Quadrature;
use costate::differentiate::SelectionError;
use costate::experiment::{Criterion, Information, InformationError, Noise, NoiseError, Sensitivities};
use costate::identify::UnknownParameter;
use costate::model::Dual;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{Checkpoints, Problem};
use costate::{Identification, Model, Output, Parameter, Record, Simulation};
use costate_tests::duals::seeded;
use costate_tests::{ParametersEverywhere, SwingingRod};
use nalgebra::DMatrix;

costate::model! {
    #[interpreted]
    /// A free oscillator, the parameters of which are in the force and in the initial state.
    pub Free {
        parameters { c: 1/s^2 = 4, x_0: m = 0.3 }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x }
        initial { x = x_0 }
        outputs { position: m = x, speed: m/s = dot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A mass between two springs.
    pub Parallel {
        parameters { m: kg = 1, k1: N/m = 20, k2: N/m = 30, d: N*s/m = 0.1 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -(k1 + k2)*x - d*dot(x) }
        initial { x = 0.1[m] }
        outputs { position: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on two springs one behind the other, the joint between which has no mass.
    pub InSeries {
        parameters { m: kg = 1, k1: N/m = 20, k2: N/m = 30, d: N*s/m = 0.1 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -k1*k2/(k1 + k2)*x - d*dot(x) }
        initial { x = 0.1[m] }
        outputs { position: m = x, joint: m = k2/(k1 + k2)*x }
    }
}

/// M from dual numbers through the whole run, one parameter at a time.
fn by_dual_numbers<M: Model>(problem: &Problem, model: &M, unknown: &[Parameter<M>], noise: &Noise<M>) -> DMatrix<f64> {
    let values = model.parameters();
    let in_duals = |parameter: &Parameter<M>| {
        let dual = seeded(values.as_ref(), parameter.index());
        costate::simulate::outputs_in::<M, Dual>(problem, &dual).unwrap()
    };
    let columns: Vec<_> = unknown.iter().map(in_duals).collect();
    let inverse = noise.covariance().try_inverse().unwrap();
    let mut m = DMatrix::zeros(unknown.len(), unknown.len());
    for i in 0..=problem.steps() {
        let rows = DMatrix::from_fn(noise.outputs().len(), unknown.len(), |j, k| {
            columns[k].row(i)[noise.outputs()[j].index()].derivative
        });
        m += rows.transpose() * &inverse * rows;
    }
    m
}

fn assert_close(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    for j in 0..expected.nrows() {
        for k in 0..expected.ncols() {
            let size = (expected[(j, j)] * expected[(k, k)]).sqrt();
            let error = (found[(j, k)] - expected[(j, k)]).abs() / size;
            assert!(error <= tolerance, "({j}, {k}): {} {} {error:e}", found[(j, k)], expected[(j, k)]);
        }
    }
}

#[test]
fn an_oscillator_has_the_information_of_its_solution() {
    // x = x_0 cos(w t): dx/dc = -x_0 t sin(w t)/(2 w), dx/dx_0 = cos(w t)
    let (model, end, sigma) = (Free::default(), 5.0, 1e-3);
    let noise = Noise::independent([(Free::POSITION, sigma)]).unwrap();
    let omega = model.c.sqrt();
    let error = |step: f64| {
        let problem = Simulation::new(&model).step(step).until(end).problem().unwrap();
        let known = Sensitivities::simulate(&problem, &model, [Free::C, Free::X_0]).unwrap();
        let found = known.information(&noise).unwrap().matrix();
        let mut expected = DMatrix::zeros(2, 2);
        for i in 0..=problem.steps() {
            let t = i as f64 * step;
            let (sine, cosine) = (omega * t).sin_cos();
            let row = nalgebra::RowVector2::new(-model.x_0 * t * sine / (2.0 * omega), cosine) / sigma;
            expected += row.transpose() * row;
        }
        assert_close(&found, &by_dual_numbers(&problem, &model, &[Free::C, Free::X_0], &noise), 1e-13);
        ((&found - &expected).norm() / expected.norm(), known.information(&noise).unwrap())
    };
    let ((coarse, _), (fine, information)) = (error(2e-3), error(1e-3));
    assert!(fine < 2e-6, "{fine:e}");
    assert!((coarse / fine - 4.0).abs() < 0.1, "{coarse:e} {fine:e}");
    // D = M^-1, and everything that follows
    let inverse = information.matrix().try_inverse().unwrap();
    assert_close(&information.dispersion(), &inverse, 1e-12);
    let deviations = information.standard_deviations();
    assert!((deviations[0] / inverse[(0, 0)].sqrt() - 1.0).abs() < 1e-12);
    assert!((information.relative_deviations()[1] / (deviations[1] / model.x_0) - 1.0).abs() < 1e-15);
    let correlation = inverse[(0, 1)] / (inverse[(0, 0)] * inverse[(1, 1)]).sqrt();
    assert!((information.correlation()[(0, 1)] - correlation).abs() < 1e-12);
    assert!((information.relative_matrix()[(0, 1)] / information.matrix()[(0, 1)] - model.c * model.x_0).abs() < 1e-12);
    assert_eq!((information.rank(), information.undetermined().len()), (2, 0));
    let weakest = information.weakest();
    let (smallest, _) = Criterion::SmallestEigenvalue.evaluate(&information.relative_matrix()).unwrap();
    assert!((weakest.standard_deviation() - (-1.0 / smallest).sqrt()).abs() < 1e-12 * weakest.standard_deviation());
}

#[test]
fn constraints_and_parameters_everywhere_are_exact() {
    let model = ParametersEverywhere::default();
    let unknown: Vec<_> = Parameter::<ParametersEverywhere>::all().collect();
    let outputs: Vec<_> = Output::<ParametersEverywhere>::all().collect();
    let n = outputs.len();
    let covariance = DMatrix::from_fn(n, n, |j, k| {
        let deviations = 1e-3 * (1.0 + j as f64) * (1.0 + k as f64);
        if j == k { deviations } else { 0.3 * deviations }
    });
    let noise = Noise::correlated(outputs, &covariance).unwrap();
    assert_close(&noise.covariance(), &covariance, 1e-15);
    let simulation = Simulation::new(&model).step(2e-3).until(0.6);
    let problem = simulation.problem().unwrap();
    let information =
        Sensitivities::simulate(&problem, &model, unknown.iter().copied()).unwrap().information(&noise).unwrap();
    let expected = by_dual_numbers(&problem, &model, &unknown, &noise);
    assert_close(&information.matrix(), &expected, 1e-10);
    // with checkpoints the same bits
    let checkpointed = simulation.clone().checkpoints(Checkpoints::Within(60_000)).problem().unwrap();
    assert!(checkpointed.has_checkpoints());
    let again = Sensitivities::simulate(&checkpointed, &model, unknown).unwrap().information(&noise).unwrap();
    assert_eq!(again.matrix(), information.matrix());
    for problem in [problem, checkpointed] {
        let unknown = Parameter::<ParametersEverywhere>::all();
        let unkept = Information::simulate(&problem, &model, unknown, &noise).unwrap();
        assert_eq!(unkept, information);
    }
}

/// The bound is what an identification says of its result: with every sample weighted by its variance and the noise
/// known.
#[test]
fn the_bound_is_the_covariance_of_an_identification() {
    let truth = SwingingRod::default();
    let unknown = [SwingingRod::D, SwingingRod::C, SwingingRod::OMEGA_0];
    let (angle, load) = (1e-3, 0.05);
    let noise = Noise::independent([(SwingingRod::ANGLE, angle), (SwingingRod::LOAD, load)]).unwrap();
    let simulation = Simulation::new(&truth).step(2e-3).until(1.0);
    let run = simulation.run().unwrap();
    let mut outputs = run.outputs().clone();
    noise.add(&mut outputs, 7);
    let record = Record::new(run.times())
        .unwrap()
        .with_channel("angle", None, outputs.output(SwingingRod::ANGLE).unwrap().collect())
        .unwrap()
        .with_channel("load", None, outputs.output(SwingingRod::LOAD).unwrap().collect())
        .unwrap();
    let with = |deviation: f64| {
        costate::identify::Measurement::new(&record).weight(deviation.powi(-2)).standard_deviation(deviation)
    };
    let fit = Identification::new(&Simulation::new(&truth))
        .unknown(unknown)
        .measured(SwingingRod::ANGLE, with(angle))
        .measured(SwingingRod::LOAD, with(load))
        .quadrature(Quadrature::Sum)
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton))
        .run()
        .unwrap();
    let problem = simulation.problem().unwrap();
    let known = Sensitivities::simulate(&problem, fit.model(), unknown).unwrap();
    let information = known.information(&noise).unwrap();
    let summary = fit.summary();
    let covariance = DMatrix::from_fn(3, 3, |j, k| summary.covariance[j][k]);
    assert_close(&information.dispersion(), &covariance, 1e-10);
    for (j, row) in summary.correlation.iter().enumerate() {
        for (k, correlation) in row.iter().enumerate() {
            assert!((information.correlation()[(j, k)] - correlation).abs() < 1e-10);
        }
    }
}

fn in_series(sensors: &[Output<InSeries>]) -> Information<InSeries> {
    let model = InSeries::default();
    let problem = Simulation::new(&model).step(1e-3).until(2.0).problem().unwrap();
    let noise = Noise::independent(sensors.iter().map(|&output| (output, 1e-3))).unwrap();
    let unknown = [InSeries::K1, InSeries::K2, InSeries::D];
    Sensitivities::simulate(&problem, &model, unknown).unwrap().information(&noise).unwrap()
}

#[test]
fn springs_that_cannot_be_told_apart_are_named() {
    let model = Parallel::default();
    let problem = Simulation::new(&model).step(1e-3).until(2.0).problem().unwrap();
    let noise = Noise::independent([(Parallel::POSITION, 1e-3)]).unwrap();
    let unknown = [Parallel::K1, Parallel::K2, Parallel::D];
    let parallel = Sensitivities::simulate(&problem, &model, unknown).unwrap().information(&noise).unwrap();
    // in parallel k1 + k2 is determined: dk1 = -dk2, in relative changes 30 : -20
    assert_eq!(parallel.rank(), 2);
    let [combination] = &parallel.undetermined()[..] else { panic!("{parallel}") };
    assert_eq!(combination.to_string(), "0.83 k1 - 0.55 k2");
    assert_eq!(combination.standard_deviation(), f64::INFINITY);
    assert_eq!(parallel.weakest(), *combination);
    let deviations = parallel.standard_deviations();
    assert!(deviations[0].is_infinite() && deviations[1].is_infinite() && deviations[2].is_finite());
    assert!(parallel.to_string().contains("0.83 k1 - 0.55 k2 is not determined"), "{parallel}");
    // in series 1/k1 + 1/k2 is: dk1/k1^2 = -dk2/k2^2, in relative changes 20 : -30
    let series = in_series(&[InSeries::POSITION]);
    assert_eq!(series.undetermined()[0].to_string(), "-0.55 k1 + 0.83 k2");
    for criterion in [Criterion::Determinant, Criterion::TraceOfInverse] {
        assert!(matches!(series.criterion(criterion), Err(InformationError::Singular { .. })));
    }
    // a sensor at the joint tells, and so does what is known beforehand
    let both = in_series(&[InSeries::POSITION, InSeries::JOINT]);
    assert_eq!((both.rank(), both.undetermined().len()), (3, 0));
    assert!(both.to_string().contains("least determined: "), "{both}");
    let known = parallel.with_prior([(Parallel::K2, 0.5)]).unwrap();
    assert_eq!(known.rank(), 3);
    let deviations = known.standard_deviations();
    assert!((deviations[1] - 0.5).abs() < 1e-9, "{deviations:?}");
    assert!(deviations[0] > 0.5 && known.correlation()[(0, 1)] < -0.9);
}

#[test]
fn information_adds_up() {
    let model = Free::default();
    let noise = Noise::independent([(Free::POSITION, 1e-3)]).unwrap();
    let informed = |end: f64, every: usize| {
        let problem = Simulation::new(&model).step(1e-3).until(end).problem().unwrap();
        let known = Sensitivities::simulate(&problem, &model, [Free::C, Free::X_0]).unwrap();
        known.sampled_every(every).unwrap().information(&noise).unwrap()
    };
    let (one, other) = (informed(1.0, 1), informed(3.0, 10));
    let sum = one.combined(&other).unwrap();
    assert_close(&sum.matrix(), &(one.matrix() + other.matrix()), 1e-14);
    assert_close(&one.with_prior_covariance(&other.dispersion()).unwrap().matrix(), &sum.matrix(), 1e-12);
    let deviation = 0.01;
    let prior = one.with_prior([(Free::C, deviation)]).unwrap();
    let mut expected = one.matrix();
    expected[(0, 0)] += deviation.powi(-2);
    assert_close(&prior.matrix(), &expected, 1e-14);

    let problem = Simulation::new(&model).step(1e-3).until(1.0).problem().unwrap();
    let alone = Sensitivities::simulate(&problem, &model, [Free::X_0]).unwrap();
    let error = one.combined(&alone.information(&noise).unwrap()).unwrap_err();
    assert!(error.to_string().contains("of c = 4, x_0 = 0.3 cannot be added to that of x_0 = 0.3"), "{error}");
    let error = alone.information(&noise).unwrap().with_prior([(Free::C, 1.0)]).unwrap_err();
    assert_eq!(error, InformationError::NotUnknown { name: "c", unknown: vec!["x_0"] });
    let error = one.with_prior([(Free::C, -1.0)]).unwrap_err();
    assert_eq!(error, InformationError::PriorDeviation { name: "c", deviation: -1.0 });
    let error = one.with_prior_covariance(&DMatrix::zeros(2, 2)).unwrap_err();
    assert!(matches!(error, InformationError::PriorCovariance { .. }), "{error}");
    assert!(one.with_prior_covariance(&DMatrix::zeros(1, 1)).is_err());
}

#[test]
fn sensors_are_compared_in_one_run() {
    let model = InSeries::default();
    let problem = Simulation::new(&model).step(1e-3).until(2.0).problem().unwrap();
    let known = Sensitivities::simulate(&problem, &model, [InSeries::K1, InSeries::K2, InSeries::D]).unwrap();
    let set = |sensors: &[(Output<InSeries>, f64)]| Noise::independent(sensors.iter().copied()).unwrap();
    let (mass, fine) = (set(&[(InSeries::POSITION, 1e-3)]), set(&[(InSeries::POSITION, 1e-4)]));
    let both = set(&[(InSeries::POSITION, 1e-3), (InSeries::JOINT, 1e-3)]);
    let sets = [("mass", &mass), ("fine", &fine), ("both", &both)];
    for (criterion, order) in [
        (Criterion::Determinant, ["both", "mass", "fine"]),
        (Criterion::TraceOfInverse, ["both", "mass", "fine"]),
        (Criterion::SmallestEigenvalue, ["both", "mass", "fine"]),
        (Criterion::Trace, ["fine", "both", "mass"]),
    ] {
        let comparison = known.compare(sets, criterion).unwrap();
        let names: Vec<_> = comparison.sets().iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names[0], order[0], "{comparison}");
        if criterion == Criterion::Trace {
            assert_eq!(names, order);
        }
        let best = &comparison.sets()[0];
        assert_eq!(best.information, known.information(&best.noise).unwrap());
        assert_eq!(best.cost, best.information.criterion(criterion).unwrap());
        assert!(comparison.to_string().contains("least determined"), "{comparison}");
    }
    assert_eq!(known.compare([], Criterion::Trace).unwrap_err(), InformationError::NothingToCompare);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let model = Free::default();
    let problem = Simulation::new(&model).step(1e-3).until(0.01).problem().unwrap();
    let none: [Parameter<Free>; 0] = [];
    let error = Sensitivities::simulate(&problem, &model, none).unwrap_err();
    assert_eq!(error, InformationError::NoUnknowns { model: "Free" });
    let error = Sensitivities::simulate(&problem, &model, [Free::C, Free::C]).unwrap_err();
    assert_eq!(error, SelectionError::Repeated { name: "c" }.into());
    let negative = [UnknownParameter::from(Free::C).linear(-1.0)];
    let error = Sensitivities::simulate(&problem, &model, negative).unwrap_err();
    assert!(matches!(error, InformationError::Variable(_)), "{error}");
    let known = Sensitivities::simulate(&problem, &model, [Free::C]).unwrap();
    for every in [0, 11] {
        let error = known.clone().sampled_every(every).unwrap_err();
        assert_eq!(error, InformationError::Sampling { every, limit: 10 });
    }
    let tiny = Noise::independent([(Free::POSITION, 1e-153)]).unwrap();
    let start = Sensitivities::simulate(&problem, &model, [Free::X_0]).unwrap();
    let error = start.information(&tiny).unwrap_err();
    assert!(matches!(error, InformationError::Sensitivity { output: "position", parameter: "x_0", .. }), "{error}");

    let independent = |sensors: &[(Output<Free>, f64)]| Noise::independent(sensors.iter().copied()).unwrap_err();
    assert_eq!(independent(&[]), NoiseError::NoSensors { model: "Free" });
    let twice = independent(&[(Free::SPEED, 1.0), (Free::SPEED, 2.0)]);
    assert_eq!(twice, NoiseError::RepeatedOutput { output: "speed" });
    for deviation in [0.0, -1.0, f64::INFINITY, 1e-200] {
        let expected = NoiseError::Deviation { output: "speed", deviation };
        assert_eq!(independent(&[(Free::SPEED, deviation)]), expected);
    }
    assert!(matches!(independent(&[(Free::SPEED, f64::NAN)]), NoiseError::Deviation { .. }));
    let correlated = |covariance: &[f64]| {
        let covariance = DMatrix::from_row_slice(2, covariance.len() / 2, covariance);
        Noise::correlated([Free::POSITION, Free::SPEED], &covariance).unwrap_err().to_string()
    };
    assert!(correlated(&[1.0, 0.0]).contains("position, speed has 2 rows and 1 columns"));
    assert!(correlated(&[1.0, 0.2, 0.3, 1.0]).contains("is not symmetric"));
    assert!(correlated(&[1.0, 1.0, 1.0, 1.0]).contains("is not positive definite"));
}

#[test]
fn noise_has_the_covariance_that_was_given() {
    let covariance = DMatrix::from_row_slice(2, 2, &[4e-6, -1e-3, -1e-3, 1.0]);
    let noise = Noise::correlated([Free::SPEED, Free::POSITION], &covariance).unwrap();
    let clean = costate::simulate::Series::<f64>::zeros(1e-3, 2, 40_000);
    let drawn = |seed| {
        let mut outputs = clean.clone();
        noise.add(&mut outputs, seed);
        outputs
    };
    let outputs = drawn(3);
    assert_eq!(outputs, drawn(3));
    assert_ne!(outputs, drawn(4));
    let mut found = DMatrix::zeros(2, 2);
    let mut white = DMatrix::zeros(2, 2);
    for i in 0..outputs.samples() {
        let mut row: Vec<f64> = noise.outputs().iter().map(|output| outputs.row(i)[output.index()]).collect();
        let outer = |row: &[f64]| DMatrix::from_fn(2, 2, |j, k| row[j] * row[k] / outputs.samples() as f64);
        found += outer(&row);
        // R^-1 = L^-T L^-1
        let mut weighed = row.clone();
        noise.weigh(&mut weighed);
        let back = &covariance * nalgebra::DVector::from_vec(weighed);
        assert!((back[0] - row[0]).abs() < 1e-15 && (back[1] - row[1]).abs() < 1e-12);
        noise.whiten(&mut row);
        white += outer(&row);
    }
    assert_close(&found, &covariance, 0.03);
    assert_close(&white, &DMatrix::identity(2, 2), 0.03);
    assert!((noise.standard_deviations()[0] - 2e-3).abs() < 1e-18);
    assert_close(&(noise.factor() * noise.factor().transpose()), &covariance, 1e-15);
}
