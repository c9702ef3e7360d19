use std::f64::consts::TAU;

use super::*;

/// Receptance of m = 2 kg, d = 3 N s/m, c = 500 N/m.
fn receptance(decay: f64) -> FrequencyResponse {
    let frequencies: Vec<f64> = (1..40).map(|k| 0.25 * f64::from(k)).collect();
    let values: Vec<[f64; 2]> = frequencies
        .iter()
        .map(|f| {
            let s = [decay, TAU * f];
            let [re, im] = [2.0 * (s[0] * s[0] - s[1] * s[1]) + 3.0 * s[0] + 500.0, 4.0 * s[0] * s[1] + 3.0 * s[1]];
            let size = re * re + im * im;
            [re / size, -im / size]
        })
        .collect();
    let (real, imaginary): (Vec<f64>, Vec<f64>) = values.iter().map(|[re, im]| (*re, *im)).unzip();
    let variances = values.iter().map(|[re, im]| 1e-4 * (re * re + im * im)).collect();
    let made = FrequencyResponse::new("mass", frequencies, real, imaginary).unwrap().in_units("m", "N");
    FrequencyResponse { added_decay: decay, ..made.with_variances(variances).unwrap() }
}

const ALL: [ResponseKind; 6] = [
    ResponseKind::Receptance,
    ResponseKind::Mobility,
    ResponseKind::Accelerance,
    ResponseKind::DynamicStiffness,
    ResponseKind::Impedance,
    ResponseKind::ApparentMass,
];

#[test]
fn all_kinds_convert_into_each_other() {
    for decay in [0.0, 0.7] {
        let start = receptance(decay);
        for kind in ALL {
            let one = start.converted(kind).unwrap();
            assert_eq!(one.kind().unwrap(), kind);
            for other in ALL {
                let (found, expected) = (one.converted(other).unwrap(), start.converted(other).unwrap());
                for k in 0..found.real.len() {
                    let size = expected.magnitudes()[k];
                    assert!((found.real[k] - expected.real[k]).abs() < 1e-12 * size, "{kind} {other}");
                    assert!((found.imaginary[k] - expected.imaginary[k]).abs() < 1e-12 * size);
                    // relative deviations stay what they are
                    assert!((found.deviations().unwrap()[k] / size - 0.01).abs() < 1e-12);
                }
            }
        }
        let stiffness = start.converted(ResponseKind::DynamicStiffness).unwrap();
        assert_eq!((stiffness.unit.as_deref(), stiffness.reference_unit.as_deref()), (Some("N"), Some("m")));
        for (f, (re, im)) in start.frequencies.iter().zip(stiffness.real.iter().zip(&stiffness.imaginary)) {
            let omega = TAU * f;
            let expected = 500.0 + 3.0 * decay + 2.0 * (decay * decay - omega * omega);
            assert!((re - expected).abs() < 1e-9, "{f}");
            assert!((im - (3.0 + 4.0 * decay) * omega).abs() < 1e-9);
        }
    }
}

#[test]
fn what_has_no_result_is_refused() {
    let of = |frequency: f64, value: f64, unit: &str, per: &str| {
        FrequencyResponse::new("x", vec![frequency], vec![value], vec![0.0]).unwrap().in_units(unit, per)
    };
    let at_rest = of(0.0, 1.0, "g", "N");
    assert!(matches!(
        at_rest.converted(ResponseKind::Receptance),
        Err(ResponseError::ZeroFrequency { wanted: ResponseKind::Receptance, .. })
    ));
    assert!((at_rest.converted(ResponseKind::Accelerance).unwrap().real[0] - 9.80665).abs() < 1e-12);
    let message = at_rest.converted(ResponseKind::Mobility).unwrap_err().to_string();
    assert!(message.contains("at 0 Hz has no mobility"), "{message}");
    assert!(matches!(
        of(1.0, 0.0, "m", "N").converted(ResponseKind::DynamicStiffness),
        Err(ResponseError::Range { .. })
    ));
    for (unit, per) in [("V", "N"), ("m", "m"), ("N", "N"), ("furlong", "N")] {
        assert!(matches!(of(1.0, 1.0, unit, per).kind(), Err(ResponseError::Units { .. })), "{unit} {per}");
    }
    let new = |frequencies: Vec<f64>| FrequencyResponse::new("x", frequencies, vec![0.0; 2], vec![0.0; 2]).map(drop);
    for wrong in [vec![1.0, 1.0], vec![-1.0, 1.0], vec![0.0, f64::NAN], vec![0.0, f64::INFINITY]] {
        assert!(matches!(new(wrong), Err(ResponseError::Frequency { .. })));
    }
    assert!(matches!(new(vec![1.0]), Err(ResponseError::Length { .. })));
    let one = || of(1.0, 1.0, "m", "N");
    assert!(matches!(one().with_coherence(vec![1.1]), Err(ResponseError::Value { .. })));
    assert!(matches!(one().with_variances(vec![-1.0]), Err(ResponseError::Value { .. })));
    assert!(matches!(one().between(2.0, 3.0), Err(ResponseError::EmptyBand { .. })));
}

#[test]
fn rotations_keep_their_units() {
    let measured = FrequencyResponse::new("shaft", vec![2.0], vec![180.0], vec![0.0]).unwrap().in_units("deg/s", "N*m");
    let found = measured.converted(ResponseKind::Accelerance).unwrap();
    assert_eq!((found.unit.as_deref(), found.reference_unit.as_deref()), (Some("rad/s^2"), Some("N*m")));
    assert!((found.imaginary[0] - std::f64::consts::PI * TAU * 2.0).abs() < 1e-9);
}

#[test]
fn radii_grow_for_few_averages() {
    let mut one = receptance(0.0);
    one.averages = Some(1e7);
    // Rayleigh's distribution
    let normal = one.radii(0.95).unwrap()[0] / one.deviations().unwrap()[0];
    assert!((normal - (2.0 * 20.0_f64.ln()).sqrt()).abs() < 1e-5, "{normal}");
    one.averages = Some(2.0);
    // F(0.95; 2, 2) = 19
    let few = one.radii(0.95).unwrap()[0] / one.deviations().unwrap()[0];
    assert!((few * few / 2.0 - 19.0).abs() < 1e-9, "{few}");
    assert_eq!((one.radii(1.0), one.radii(f64::NAN)), (None, None));
    one.averages = Some(1.0);
    assert_eq!(one.radii(0.5), None);
    let (mut kept, all) = (one.clone().between(1.0, 2.0).unwrap(), one);
    assert_eq!((kept.frequencies.len(), kept.variances.as_ref().unwrap()[0]), (5, all.variances.unwrap()[3]));
    (kept.real[0], kept.imaginary[0]) = (0.0, 0.0);
    assert!(kept.phase_deviations().unwrap()[0] < 1.82 && kept.phase_deviations().unwrap()[1] < 0.0101);
}

#[test]
fn a_table_has_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let one = FrequencyResponse::new("x", vec![1.0], vec![3.0], vec![4.0]).unwrap().in_units("m/s^2", "N");
    one.clone().with_coherence(vec![0.5]).unwrap().write_csv(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text,
        "frequency [Hz],real [(m/s^2)/(N)],imaginary [(m/s^2)/(N)],magnitude [(m/s^2)/(N)],phase \
             [rad],coherence\n1.0,3.0,4.0,5.0,0.9272952180016122,0.5\n"
    );
    assert!(matches!(one.write_csv(folder.path()), Err(ResponseError::File { .. })));
}

#[test]
fn added_decay_is_taken_off_a_mode() {
    // poles at -3 +- 40 i, which the window has moved to -5 +- 40 i
    let response = receptance(2.0);
    let of = |decay: f64| (decay.hypot(40.0) / TAU, decay / decay.hypot(40.0));
    let (found, expected) = (of(5.0), of(3.0));
    let (frequency, ratio) = response.without_added_decay(found.0, found.1);
    assert!((frequency - expected.0).abs() < 1e-12 && (ratio - expected.1).abs() < 1e-14);
    assert!(response.without_added_decay(of(1.0).0, of(1.0).1).1 < 0.0);
    assert_eq!(receptance(0.0).without_added_decay(2.0, 0.1).0, 2.0);
}
