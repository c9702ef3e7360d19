//! The fixed-lag smoother against the fixed-interval smoother of everything that was measured until then.

use costate_filter::{FilterError, FixedLagSmoother, KalmanFilter, KalmanMethod, LinearSystem, SigmaPoints};
use costate_filter::{ParticleFilter, Storage, run, smooth};
use nalgebra::DMatrix;

use crate::likelihood::{Case, SAMPLES, case};

fn filter(case: &Case, method: KalmanMethod) -> KalmanFilter<LinearSystem> {
    let system = LinearSystem::new(case.transition.clone(), case.measurement.clone()).unwrap();
    KalmanFilter::new(system, method, 0.1, &case.start, &case.process, &case.errors).unwrap()
}

#[test]
fn late_states_are_those_of_the_whole_record_so_far() {
    let case = case();
    let points = SigmaPoints::default();
    for method in [KalmanMethod::Extended, KalmanMethod::SquareRootUnscented(points), KalmanMethod::Unscented(points)] {
        for lag in [0, 1, 4, SAMPLES - 1] {
            let mut smoother = FixedLagSmoother::new(filter(&case, method), lag).unwrap();
            smoother.begin(&[]).unwrap();
            for i in 1..SAMPLES {
                smoother.step(&[], &case.measured[2 * i..2 * i + 2]).unwrap();
                assert_eq!(smoother.latest().len(), 1 + lag.min(i));
                let Some(late) = smoother.delayed() else {
                    assert!(i < lag);
                    continue;
                };
                let so_far = &case.measured[..2 * (i + 1)];
                let whole = smooth(&run(&mut filter(&case, method), &[], so_far, Storage::Gains).unwrap()).unwrap();
                let mean = late.mean - DMatrix::from_column_slice(3, 1, whole.mean(i - lag)).column(0);
                let covariance = late.covariance - whole.covariance(i - lag);
                assert!(mean.amax() < 1e-9 && covariance.amax() < 1e-9, "{i}, {lag}: {mean} {covariance}");
            }
        }
    }
}

#[test]
fn a_record_is_smoothed_with_a_lag_and_to_its_end() {
    let case = case();
    let mut smoother = FixedLagSmoother::new(filter(&case, KalmanMethod::Extended), 4).unwrap();
    let (filtered, late) = smoother.run(&[], &case.measured, Storage::Covariances).unwrap();
    let kept = run(&mut filter(&case, KalmanMethod::Extended), &[], &case.measured, Storage::Gains).unwrap();
    let whole = smooth(&kept).unwrap();
    assert_eq!((filtered.samples(), late.samples()), (SAMPLES, SAMPLES));
    for i in 0..SAMPLES {
        assert_eq!(filtered.mean(i), kept.mean(i));
        for state in 0..3 {
            let [of_filter, of_lag, least] = [kept.covariance(i).unwrap(), late.covariance(i), whole.covariance(i)]
                .map(|covariance| covariance[(state, state)]);
            assert!(least <= of_lag * (1.0 + 1e-12) && of_lag <= of_filter * (1.0 + 1e-12), "{i}");
        }
        let from_the_end = SAMPLES - 1 - i;
        let is_same = late.mean(i).iter().zip(whole.mean(i)).all(|(one, other)| (one - other).abs() < 1e-12);
        assert!(is_same || from_the_end > 4, "{i}");
    }
    assert!(late.mean(5) != whole.mean(5));
}

#[test]
fn particles_are_smoothed_as_well() {
    let case = case();
    let particles = || {
        let system = LinearSystem::new(case.transition.clone(), case.measurement.clone()).unwrap();
        ParticleFilter::new(system, 200, 0.1, &case.start, &case.process, &case.errors, 5).unwrap()
    };
    let mut smoother = FixedLagSmoother::new(particles(), SAMPLES - 1).unwrap();
    let (_, late) = smoother.run(&[], &case.measured, Storage::Means).unwrap();
    let whole = smooth(&run(&mut particles(), &[], &case.measured, Storage::Gains).unwrap()).unwrap();
    for i in 0..SAMPLES {
        assert!(late.mean(i).iter().zip(whole.mean(i)).all(|(one, other)| (one - other).abs() < 1e-9), "{i}");
    }
}

#[test]
fn a_lag_as_long_as_the_record_is_refused() {
    let case = case();
    let mut smoother = FixedLagSmoother::new(filter(&case, KalmanMethod::Extended), SAMPLES).unwrap();
    let error = smoother.run(&[], &case.measured, Storage::Means).unwrap_err();
    assert!(matches!(error, FilterError::OutOfRange(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("lag") && text.contains("25") && text.contains("fewer samples"), "{text}");
    let huge = FixedLagSmoother::new(filter(&case, KalmanMethod::Extended), usize::MAX).unwrap_err();
    assert!(matches!(huge, FilterError::OutOfMemory(_)), "{huge}");
}
