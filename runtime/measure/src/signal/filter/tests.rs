use std::f64::consts::TAU;

use proptest::prelude::*;

use super::*;

/// The signal of the comparison, 60 samples at 100 Hz.
fn signal() -> Vec<f64> {
    (0..60).map(f64::from).map(|k| (0.3 * k).sin() + 0.2 * (2.1 * k).cos() + 0.01 * k).collect()
}

/// Samples 0, 1, 30 and 59 of `sosfilt`, from the steady state of the first sample, and of `sosfiltfilt` (scipy 1.17.1,
/// `butter`).
#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "as printed")]
fn scipy() -> Vec<(Filter, [f64; 4], [f64; 4])> {
    vec![
        (Filter::low_pass(1, 7.0), [2.000000000000001e-01, 2.008314211835239e-01, 9.906396168263709e-01,
        -2.737528739634240e-01], [1.808568645527773e-01, 3.238940987003521e-01, 5.860109146761566e-01,
        -3.328557068941516e-01]),
        (Filter::low_pass(4, 10.0), [2.000000000000001e-01, 2.000219555178325e-01, 1.251978261333290e+00,
        -1.193212411111763e-01], [2.022495588686599e-01, 4.248023161432727e-01, 7.111324664881717e-01,
        -3.533390777574356e-01]),
        (Filter::low_pass(5, 30.0), [2.000000000000000e-01, 2.004932071752148e-01, 9.982855532878846e-01,
        -3.672904046454228e-01], [2.002433530646641e-01, 1.961798401925650e-01, 7.290825447870168e-01,
        -3.608423694085854e-01]),
        (Filter::high_pass(3, 2.0), [0.000000000000000e+00, 4.013233067905825e-03, -2.047127792846937e-01,
        -3.140314181044860e-01], [7.996028781498427e-02, 8.992913613127956e-02, 5.466225510396998e-01,
        -9.662715199489744e-02]),
        (Filter::high_pass(8, 20.0), [1.734723475976807e-18, 1.331664717888867e-04, -1.416165499960406e-01,
        1.826678944786441e-01], [-1.526290918758763e-04, -1.312083091255446e-01, 1.969862254502575e-01,
        -2.959637305347991e-04]),
        (Filter::band_pass(2, 5.0, 15.0), [5.551115123125783e-17, 3.069879896492878e-04, -6.113455108544175e-01,
        3.315784539470941e-01], [-3.755137265955127e-02, 1.350399436593680e-03, 1.683831775898829e-01,
        -1.304238574777056e-02]),
        (Filter::band_pass(3, 1.0, 45.0), [2.775557561562891e-17, 3.114466281281118e-03, 3.329316273247739e-01,
        -8.440707294746902e-01], [-2.172226545346539e-01, -2.222711369199673e-01, 6.157501778068499e-01,
        4.041871660433560e-01]),
        (Filter::band_pass(1, 10.0, 12.0), [0.000000000000000e+00, 2.693760490991032e-04, -8.844983798684053e-02,
        2.802010693727346e-02], [2.440223663654693e-02, 3.089957913987087e-03, -1.737424509710385e-03,
        6.122885555219913e-03]),
    ]
}

#[test]
fn filters_are_those_of_scipy() -> Result<(), SignalError> {
    for (filter, forward, both) in scipy() {
        for (filter, expected) in [(filter.clone(), forward), (filter.forward_and_backward(), both)] {
            let mut values = signal();
            filter.map(0.01, values.len())?.apply(&mut values);
            for (sample, expected) in [0, 1, 30, 59].into_iter().zip(expected) {
                assert!(
                    (values[sample] - expected).abs() < 1e-10,
                    "{filter:?}, sample {sample}: {} and not {expected}",
                    values[sample]
                );
            }
        }
    }
    Ok(())
}

#[test]
fn gains_are_those_of_the_closed_form() -> Result<(), SignalError> {
    let interval = 1e-3;
    let warped = |frequency: f64| (0.5 * TAU * frequency * interval).tan();
    for order in [1, 2, 3, 6, 11, 20] {
        for frequency in [1.0, 20.0, 100.0, 310.0] {
            let ratio = warped(frequency) / warped(80.0);
            let low = 1.0 / (1.0 + ratio.powi(2 * order)).sqrt();
            let high = 1.0 / (1.0 + ratio.powi(-2 * order)).sqrt();
            let [n, f] = [order as usize, frequency as usize];
            assert!((Filter::low_pass(n, 80.0).gain(frequency, interval)? - low).abs() < 1e-12, "{n} {f}");
            assert!((Filter::high_pass(n, 80.0).gain(frequency, interval)? - high).abs() < 1e-12, "{n} {f}");
            let (a, b) = (warped(50.0), warped(120.0));
            let x = (warped(frequency).powi(2) - a * b) / ((b - a) * warped(frequency));
            let band = 1.0 / (1.0 + x.powi(2 * order)).sqrt();
            assert!((Filter::band_pass(n, 50.0, 120.0).gain(frequency, interval)? - band).abs() < 1e-10, "{n} {f}");
            let twice = Filter::band_pass(n, 50.0, 120.0).forward_and_backward().gain(frequency, interval)?;
            assert!((twice - band * band).abs() < 1e-10);
        }
    }
    Ok(())
}

#[test]
fn a_filter_forward_and_backward_does_not_delay() -> Result<(), SignalError> {
    let times: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
    let values = times.iter().map(|t| (TAU * 5.0 * t).sin()).collect();
    let record = Record::new(times)?.with_channel("x", Some("m"), values)?;
    let filter = Filter::low_pass(3, 8.0).forward_and_backward();
    let made = filtered(&record, &["x"], &filter)?;
    let gain = filter.gain(5.0, 1e-3)?;
    for i in 1500..2500 {
        let expected = gain * record.channel("x")?.values()[i];
        assert!((made.channel("x")?.values()[i] - expected).abs() < 1e-9, "{i}");
    }
    assert_eq!(made.channel("x")?.unit(), Some("m"));
    Ok(())
}

#[test]
fn what_cannot_be_filtered_is_refused() -> Result<(), SignalError> {
    let wrong = [
        Filter::low_pass(0, 1.0),
        Filter::low_pass(21, 1.0),
        Filter::low_pass(2, 50.0),
        Filter::high_pass(2, 0.0),
        Filter::low_pass(2, f64::NAN),
        Filter::band_pass(2, 10.0, 5.0),
        Filter::band_pass(2, 10.0, 60.0),
    ];
    for filter in wrong {
        assert!(matches!(filter.map(0.01, 100), Err(SignalError::Number { .. })), "{filter:?}");
    }
    assert!(Filter::low_pass(2, 1.0).map(0.0, 100).is_err());
    let holed = Record::new(vec![0.0, 0.01, 0.02])?.with_channel("x", None, vec![1.0, f64::NAN, 0.0])?;
    assert!(matches!(filtered(&holed, &["x"], &Filter::low_pass(2, 1.0)), Err(SignalError::Missing { .. })));
    let uneven = Record::new(vec![0.0, 0.01, 0.03])?.with_channel("x", None, vec![1.0, 0.0, 0.0])?;
    let error = filtered(&uneven, &["x"], &Filter::low_pass(2, 1.0)).map(drop);
    assert!(matches!(&error, Err(error @ SignalError::Uneven { .. }) if error.to_string().contains("option `rate`")));
    let mut short = [1.0; 3];
    Filter::low_pass(2, 1.0).map(0.01, 4)?.apply(&mut short);
    assert!(short.iter().all(|value: &f64| value.is_nan()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn transposes_are_those_of_the_maps(
        order in 1_usize..9, corner in 0.02_f64..0.48, kind in 0..3, both: bool,
        x in prop::collection::vec(-1.0_f64..1.0, 1..80), seed in 0_u64..1000,
    ) {
        let filter = match kind {
            0 => Filter::low_pass(order, corner),
            1 => Filter::high_pass(order, corner),
            _ => Filter::band_pass(order, 0.5 * corner, corner),
        };
        let filter = if both { filter.forward_and_backward() } else { filter };
        let y: Vec<f64> = (0..x.len()).map(|i| ((i as f64 + 1.0) * (seed as f64 + 0.5)).sin()).collect();
        let map = filter.map(1.0, x.len()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let (mut image, mut back) = (x.clone(), y.clone());
        map.apply(&mut image);
        map.transposed(&mut back);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scale = product(&image, &image).sqrt() * product(&y, &y).sqrt() + product(&x, &x).sqrt() * product(&back,
        &back).sqrt();
        prop_assert!((product(&image, &y) - product(&x, &back)).abs() < 1e-10 * scale.max(1.0), "{filter:?}");
    }
}
