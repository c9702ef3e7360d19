//! Results of the tests for residuals that are not white or depend on inputs.

use std::f64::consts::TAU;

use costate_cost::residuals::*;

use crate::series::{autoregressive, times, times_with_gaps, white};

fn verdict(residuals: Residuals) -> Verdict {
    let assessment = assess(&residuals, &TestSettings::default()).unwrap();
    judge(&[assessment], VerdictLevels::default()).unwrap()
}

#[test]
fn the_band_of_a_tone_is_named() {
    for times in [times(2000), times_with_gaps(2000)] {
        let tone = |t: &f64| 0.5 * (TAU * 100.0 * t).sin();
        let values: Vec<f64> = times.iter().zip(white(1, 2000)).map(|(t, noise)| tone(t) + noise).collect();
        let residuals = Residuals::new("acceleration", &times, &values, &values).unwrap();
        let verdict = verdict(residuals.in_experiment("sweep up"));
        assert_eq!(verdict.judgement, Judgement::Insufficient);
        let [band] = verdict.findings[0].bands[..] else { panic!("{verdict}") };
        assert!(band.from < 100.0 && 100.0 < band.to && band.to - band.from < 80.0, "{verdict}");
        let text = verdict.to_string();
        assert!(text.contains("residuals of `acceleration` in `sweep up` are not white noise between "), "{text}");
        assert!(text.ends_with("the model is incomplete there"), "{text}");
    }
}

#[test]
fn coloured_residuals_and_offsets_are_found_at_low_frequencies() {
    let times = times(1000);
    let offset: Vec<f64> = white(3, 1000).iter().map(|noise| noise + 0.5).collect();
    for (values, lowest) in [(autoregressive(2, 1000, 0.6), 50.0), (offset, 0.0)] {
        let residuals = Residuals::new("x", &times, &values, &values).unwrap();
        assert!(whiteness(&residuals, None, 0).unwrap().p_value < 1e-9);
        let verdict = verdict(residuals);
        assert!(verdict.findings[0].bands[0].from <= lowest, "{verdict}");
        assert!(verdict.findings[0].bands.iter().all(|band| band.to < 250.0), "{verdict}");
    }
}

#[test]
fn an_input_that_the_model_answers_to_wrongly_is_named() {
    let times = times_with_gaps(2000);
    let (input, other) = (autoregressive(4, 2000, 0.7), white(5, 2000));
    let noise = white(6, 2000);
    let values: Vec<f64> = (0..2000).map(|j| noise[j] + 0.15 * input[j.max(3) - 3]).collect();
    let residuals = Residuals::new("x", &times, &values, &values).unwrap();
    let found = cross_correlation(&residuals, &input, Some(8)).unwrap();
    let strongest = found.lags.iter().max_by(|a, b| a.correlation.total_cmp(&b.correlation)).unwrap();
    assert!(strongest.lag == 3 && (strongest.delay - 3e-3).abs() < 1e-12 && found.p_value < 1e-6);
    let verdict = verdict(residuals.with_input("force", &input).unwrap().with_input("other", &other).unwrap());
    let follows = |name: &str| {
        let wanted = Contradiction::FollowInput { input: name.to_owned() };
        verdict.findings.iter().any(|finding| finding.contradiction == wanted)
    };
    assert!(follows("force") && !follows("other"), "{verdict}");
}
