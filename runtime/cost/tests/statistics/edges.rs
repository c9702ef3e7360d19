//! Residuals of which little or nothing can be said.

use costate_cost::residuals::*;

use crate::series::{times, white};

#[test]
fn wrong_samples_are_refused() {
    let new = |times: &[f64], values: &[f64], measured: &[f64]| {
        Residuals::new("x", times, values, measured).map(|_| ()).unwrap_err()
    };
    assert_eq!(new(&[], &[], &[]), ResidualError::Empty { field: "times" });
    assert!(matches!(new(&[0.0], &[], &[1.0]), ResidualError::Length { values: 0, times: 1, .. }));
    assert!(matches!(new(&[0.0], &[f64::NAN], &[1.0]), ResidualError::NotFinite { index: 0, .. }));
    assert!(matches!(new(&[0.0], &[1.0], &[1e200]), ResidualError::TooLarge { index: 0, .. }));
    assert!(matches!(new(&[1.0, 1.0], &[0.0; 2], &[0.0; 2]), ResidualError::NotIncreasing { index: 1, .. }));
    assert!(matches!(new(&[-1e308, 1e308], &[0.0; 2], &[0.0; 2]), ResidualError::TooLarge { .. }));
    let residuals = Residuals::new("x", &[0.0], &[1.0], &[1.0]).unwrap();
    assert!(residuals.with_input("u", &[]).is_err());
}

#[test]
fn every_series_has_an_assessment_that_can_be_written() {
    let constant = vec![0.1; 200];
    let zero = vec![0.0; 200];
    let noise = white(8, 200);
    let tiny: Vec<f64> = noise.iter().map(|x| x * 1e-310).collect();
    let huge: Vec<f64> = noise.iter().map(|x| x * 1e139).collect();
    let mut peak = zero.clone();
    peak[100] = 1e139;
    let regular = times(200);
    let irregular: Vec<f64> = regular.iter().map(|t| t * t + t).collect();
    let scattered: Vec<f64> = (0..200).map(|j| f64::from(j / 3) * 10.0 + f64::from(j % 3)).collect();
    let all = [&constant, &zero, &noise, &tiny, &huge, &peak];
    for times in [&regular, &irregular, &scattered] {
        for values in all {
            for measured in all {
                for samples in [1, 2, 19, 20, 37, 200] {
                    let residuals = Residuals::new("x", &times[..samples], &values[..samples], &measured[..samples])
                        .unwrap()
                        .with_input("u", &measured[..samples])
                        .unwrap();
                    for (lags, segment) in [(None, None), (Some(0), Some(0)), (Some(usize::MAX), Some(usize::MAX))] {
                        let settings = TestSettings { lags, segment, ..TestSettings::default() };
                        let assessment = assess(&residuals, &settings).unwrap();
                        let verdict = judge(std::slice::from_ref(&assessment), VerdictLevels::default()).unwrap();
                        let json = serde_json::to_string(&(assessment, &verdict)).unwrap();
                        assert!(!json.is_empty() && !verdict.to_string().contains("NaN"));
                    }
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_tested_is_doubtful_and_exact_fits_are_sufficient() {
    let judged = |times: &[f64], values: &[f64]| {
        let residuals = Residuals::new("x", times, values, values).unwrap();
        judge(&[assess(&residuals, &TestSettings::default()).unwrap()], VerdictLevels::default()).unwrap()
    };
    let few = judged(&times(10), &white(9, 10));
    assert_eq!(few.judgement, Judgement::Doubtful);
    let reason = "there are 10 samples; at least 20 are needed";
    assert_eq!(few.to_string(), format!("the model is doubtful:\nresiduals of `x` are not tested: {reason}"));
    assert_eq!(judged(&times(100), &[0.0; 100]).judgement, Judgement::Sufficient);
    assert_eq!(judge(&[], VerdictLevels::default()).unwrap().judgement, Judgement::Doubtful);
    let wrong = VerdictLevels { insufficient: 0.0, doubtful: 0.1 };
    assert!(judge(&[], wrong).is_err());
}

#[test]
fn inputs_that_say_nothing_have_a_reason() {
    let (times, values) = (times(100), white(10, 100));
    let residuals = Residuals::new("x", &times, &values, &values).unwrap();
    assert_eq!(cross_correlation(&residuals, &[9.81; 100], None), Err(Absent::ConstantInput));
    let short = Absent::InputLength { values: 3, samples: 100 };
    assert_eq!(coherence(&residuals, &[1.0; 3], None, 1e-3), Err(short));
    assert_eq!(spectrum(&residuals, None, 2.0), Err(Absent::Level { level: 2.0 }));
    // A sine and its delays span two dimensions, and their ends before the first sample the others.
    let sine: Vec<f64> = times.iter().map(|t| (200.0 * t).sin()).collect();
    assert!(cross_correlation(&residuals, &sine, Some(10)).unwrap().p_value > 1e-3);
}
