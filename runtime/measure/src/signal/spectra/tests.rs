use super::*;
use crate::signal::{Record, SignalError, Window};

fn signal(value: fn(f64) -> f64) -> Vec<f64> {
    (0..500).map(f64::from).map(value).collect()
}

fn record() -> Result<Record, SignalError> {
    Ok(Record::new((0..500).map(|k| 0.01 * f64::from(k)).collect())?
        .with_channel("x", Some("N"), signal(|k| (0.3 * k).sin() + 0.2 * (2.1 * k * k).cos()))?
        .with_channel("y", Some("m"), signal(|k| 0.5 * (0.3 * k + 0.4).sin() + 0.3 * (1.7 * k * k).cos()))?)
}

#[test]
#[allow(clippy::excessive_precision, reason = "as printed")]
fn densities_and_responses_are_those_of_scipy() -> Result<(), SignalError> {
    let (record, averaging) = (record()?, Averaging::segments(64));
    let density = spectral_density([&record], "x", &averaging)?;
    let response = frequency_response([&record], "x", "y", &averaging)?;
    // `welch` without the mean of the record, `csd` over that without those of segments, `coherence` of scipy 1.17.1
    let scipy = [
        (1, 3.602596264261956e-04, [-4.654459770073713e-02, 6.290575117574750e-02], 2.115480750768661e-03),
        (3, 2.127976228250673e-01, [4.613859409058707e-01, 1.918546962431873e-01], 9.851122197223998e-01),
        (17, 4.289475991953497e-04, [-3.571483989388669e-01, -2.104543903619731e-01], 1.516266996150816e-01),
    ];
    let coherence = response.coherence.clone().unwrap_or_default();
    for (line, of_x, [re, im], expected) in scipy {
        assert!((density.densities[line] / of_x - 1.0).abs() < 1e-10, "{line}");
        let [own_re, own_im] = [response.real[line - 1], response.imaginary[line - 1]];
        assert!((own_re - re).abs() < 1e-10 && (own_im - im).abs() < 1e-10, "{line}: {own_re} {own_im}");
        assert!((coherence[line - 1] - expected).abs() < 1e-10, "{line}");
    }
    assert!((density.densities[32] / 5.663433453849438e-05 - 1.0).abs() < 1e-10);
    assert_eq!((density.segments, density.frequencies[32]), (14, 50.0));
    // lines without a phase belong to no response
    assert_eq!((response.frequencies.len(), response.frequencies[0]), (31, density.frequencies[1]));
    // halves of Hann's window are correlated by 1/6
    let expected = 14.0 / (1.0 + 2.0 * 13.0 / 14.0 / 36.0);
    assert!((density.averages - expected).abs() < 1e-9, "{}", density.averages);
    assert_eq!(density.unit.as_deref(), Some("(N)^2/Hz"));
    assert!((density.deviations()[3] * expected.sqrt() - density.densities[3]).abs() < 1e-12);
    let variance = (1.0 - coherence[2]) / coherence[2] / (2.0 * (expected - 1.0)) * response.magnitudes()[2].powi(2);
    assert!((response.variances.clone().unwrap_or_default()[2] / variance - 1.0).abs() < 1e-9);
    Ok(())
}

#[test]
fn amplitudes_and_gains_have_closed_forms() -> Result<(), SignalError> {
    let record = record()?;
    let doubled = record.channel("x")?.values().iter().map(|value| -2.0 * value).collect();
    let record = record.with_channel("z", Some("m"), doubled)?;
    for estimator in
        [Estimator::H1, Estimator::H2, Estimator::Hv, Estimator::HvOfNoise(3.0), Estimator::HvOfNoise(1e12)]
    {
        let averaging = Averaging::segments(100).window(Window::FlatTop).estimator(estimator);
        let response = frequency_response([&record], "x", "z", &averaging)?;
        assert!(response.real.iter().all(|re| (re + 2.0).abs() < 1e-9), "{estimator:?}");
        assert!(response.coherence.unwrap_or_default().iter().all(|one| *one > 1.0 - 1e-9));
        assert!(response.variances.unwrap_or_default().iter().all(|one| *one < 1e-12));
    }
    // the estimators of noise in one channel are limits
    let of = |estimator| frequency_response([&record], "x", "y", &Averaging::segments(64).estimator(estimator));
    for (limit, estimator) in [(Estimator::H2, Estimator::HvOfNoise(0.0)), (Estimator::H1, Estimator::HvOfNoise(1e12))]
    {
        let (a, b) = (of(limit)?, of(estimator)?);
        assert!(a.real.iter().zip(&b.real).all(|(a, b)| (a - b).abs() < 1e-6 * a.abs().max(1e-3)), "{limit:?}");
    }
    let (h1, hv) = (of(Estimator::H1)?, of(Estimator::Hv)?);
    let coherence = h1.coherence.clone().unwrap_or_default();
    for (k, coherence) in coherence.iter().enumerate() {
        assert!((hv.magnitudes()[k] * coherence.sqrt() / h1.magnitudes()[k] - 1.0).abs() < 1e-9);
    }
    // a density of whole periods is that of Parseval
    let sine = Record::new((0..1000).map(|k| 1e-3 * f64::from(k)).collect())?.with_channel(
        "s",
        None,
        (0..1000).map(|k| 3.0 * (0.2 * std::f64::consts::PI * f64::from(k)).sin()).collect(),
    )?;
    let density = spectral_density([&sine], "s", &Averaging::segments(500))?;
    assert!((density.mean_square(90.0, 110.0) - 4.5).abs() < 1e-9 && density.mean_square(0.0, 90.0) < 1e-9);
    assert_eq!(density.unit, None);
    // what is slower than segments is left, whose windows weigh their middles; the mean of the record is not
    let slow = |k: i32| 5.0 + (0.002 * std::f64::consts::PI * f64::from(k)).sin();
    let sine = sine.with_channel("slow", None, (0..1000).map(slow).collect())?;
    let rms = |length| {
        spectral_density([&sine], "slow", &Averaging::segments(length)).map(|one| one.mean_square(0.0, 500.0).sqrt())
    };
    for length in [50, 125, 250] {
        let found = rms(length)?;
        assert!((found / 0.5_f64.sqrt() - 1.0).abs() < 0.08, "{length}: {found}");
    }
    Ok(())
}

#[test]
fn chosen_frequencies_and_bands_are_those_of_the_grid() -> Result<(), SignalError> {
    let (record, averaging) = (record()?, Averaging::segments(64));
    let all = frequency_response([&record], "x", "y", &averaging)?;
    let some =
        frequency_response([&record], "x", "y", &averaging.clone().at([all.frequencies[4], all.frequencies[9]]))?;
    for (found, line) in [(0, 4), (1, 9)] {
        assert!(
            (some.real[found] - all.real[line]).abs() < 1e-9
                && (some.imaginary[found] - all.imaginary[line]).abs() < 1e-9
        );
    }
    let band =
        frequency_response([&record], "x", "y", &averaging.clone().between(all.frequencies[4], all.frequencies[9]))?;
    assert_eq!(band.real, all.real[4..=9]);
    let error = |averaging: &Averaging| frequency_response([&record], "x", "y", averaging).map(drop);
    for wrong in [vec![0.0], vec![50.0], vec![3.0, 3.0], vec![f64::NAN]] {
        assert!(matches!(error(&averaging.clone().at(wrong)), Err(SignalError::Number { .. })));
    }
    assert!(matches!(error(&averaging.clone().between(60.0, 70.0)), Err(SignalError::Band { .. })));
    assert!(matches!(error(&averaging.between(f64::NAN, 70.0)), Err(SignalError::Band { .. })));
    Ok(())
}

#[test]
fn what_has_no_meaning_is_refused() -> Result<(), SignalError> {
    let record = record()?;
    let of = |averaging: &Averaging| frequency_response([&record], "x", "y", averaging).map(drop);
    for length in [4, 501] {
        assert!(matches!(of(&Averaging::segments(length)), Err(SignalError::Short { .. })));
    }
    for overlap in [-0.1, 1.0, f64::NAN] {
        assert!(matches!(of(&Averaging::segments(64).overlap(overlap)), Err(SignalError::Number { .. })));
    }
    for ratio in [-1.0, f64::NAN] {
        let averaging = Averaging::segments(64).estimator(Estimator::HvOfNoise(ratio));
        assert!(matches!(of(&averaging), Err(SignalError::Number { .. })));
    }
    let one = Averaging::segments(400);
    let message = of(&one).unwrap_err().to_string();
    assert!(message.starts_with("1 averages do not tell the coherence of 1 input, nor how"), "{message}");
    let alone = frequency_response([&record], "x", "y", &one.without_coherence())?;
    assert_eq!((alone.coherence, alone.variances, alone.notes.len()), (None, None, 1));
    assert!(matches!(of(&Averaging::segments(64).exponential_window(1.0)), Err(SignalError::Setting { .. })));
    for (from, until) in [(-0.1, 0.1), (0.2, 0.1), (0.0, 9.0), (f64::NAN, 1.0)] {
        assert!(matches!(of(&Averaging::repetitions().force_window(from, until)), Err(SignalError::Number { .. })));
    }
    assert!(matches!(of(&Averaging::repetitions().exponential_window(0.0)), Err(SignalError::Number { .. })));
    let averaging = Averaging::segments(64);
    assert!(matches!(frequency_response([&record], "x", "x", &averaging), Err(SignalError::Repeated { .. })));
    assert!(matches!(frequency_response([&record, &record], "x", "y", &averaging), Err(SignalError::Twice { .. })));
    assert!(matches!(frequency_response([], "x", "y", &averaging), Err(SignalError::Short { .. })));
    assert!(matches!(frequency_responses([&record], &[], &["y"], &averaging), Err(SignalError::Setting { .. })));
    let others = averaging.clone().estimator(Estimator::H2);
    assert!(matches!(frequency_responses([&record], &["x", "y"], &["x"], &others), Err(SignalError::Setting { .. })));
    let silent = record.clone().with_channel("z", None, vec![1.0; 500])?;
    let refused = frequency_response([&silent], "z", "x", &averaging);
    assert!(matches!(refused, Err(SignalError::Unexcited { .. })));
    let huge = record.clone().with_channel("z", None, signal(|k| 1e300 * (k * k).sin()))?;
    assert!(matches!(frequency_response([&huge], "z", "x", &averaging), Err(SignalError::Range { .. })));
    let other = Record::new((0..500).map(|k| 0.02 * f64::from(k)).collect())?
        .with_channel("x", Some("N"), signal(f64::sin))?
        .with_channel("y", Some("m"), signal(f64::cos))?;
    let refused = frequency_response([&record, &other], "x", "y", &averaging);
    assert!(matches!(refused, Err(SignalError::Repetition { what: "sampling interval", .. })));
    let refused = spectral_density([&record], "x", &Averaging::repetitions().exponential_window(1.0));
    assert!(matches!(refused, Err(SignalError::Setting { .. })));
    let twin = record.channel("x")?.values().to_vec();
    let twins = record.clone().with_channel("w", None, twin)?;
    let refused = frequency_responses([&twins], &["x", "w"], &["y"], &averaging);
    assert!(matches!(refused, Err(SignalError::CorrelatedInputs { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn responses_are_drawn_with_what_is_known() -> Result<(), SignalError> {
    let record = record()?;
    let one = frequency_response([&record], "x", "y", &Averaging::segments(64))?;
    let svg = response_figure([&one]).svg().unwrap_or_default();
    for text in ["magnitude [(m)/(N)]", "y / x", "95 %", "coherence", "phase [°]"] {
        assert!(svg.contains(text), "{text}");
    }
    let alone = frequency_response([&record], "x", "y", &Averaging::segments(400).without_coherence())?;
    let svg = response_figure([&alone]).svg().unwrap_or_default();
    assert!(!svg.contains("coherence") && !svg.contains("95 %"));
    Ok(())
}
