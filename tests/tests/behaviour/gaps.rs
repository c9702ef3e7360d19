//! Records with gaps: what identifications, inputs and spectra make of samples that are missing.

use std::error::Error;
use std::f64::consts::{PI, TAU};

use costate::cost::{
    AmplitudeSpectrum, FourierCoefficients, FourierLine, LeastSquares, OrderLine, Quadrature, SpectrumCost,
    SpectrumError, SpectrumForm, SumCost, Window, fourier_coefficients,
};
use costate::identify::{DataError, IdentificationError, Measurement, SpecificationError};
use costate::measure::{Gap, RecordError};
use costate::simulate::Sampled;
use costate::{Identification, Record, Simulation, model};
use costate_tests::noise::pattern;

model! {
    #[interpreted]
    /// A mass on a spring, driven by a force.
    pub Oscillator {
        parameters {
            c: N/m = 150.0,
            bias: m = 0.0,
        }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: 2[kg] }
        forces { x: drive - 0.8[N*s/m]*dot(x) - c*x }
        outputs {
            position: m = x + bias,
            velocity: m/s = dot(x),
        }
    }
}

const STEP: f64 = 5e-3;
const END: f64 = 4.0;

fn drive(t: f64) -> f64 {
    4.0 * (TAU * 1.3 * t).sin() + 2.0 * (TAU * 2.1 * t).cos()
}

/// Position with an error without trend, velocity, and drive.
fn record() -> Result<Record, Box<dyn Error>> {
    let model = Oscillator { bias: 0.02, ..Oscillator::default() };
    let run = Simulation::new(&model).input(Oscillator::DRIVE, drive).step(STEP).until(END).run()?;
    let mut noise = pattern();
    let position = run.output(Oscillator::POSITION).into_iter().map(|value| value + 0.01 * noise()).collect();
    let times = run.times();
    let force = times.iter().map(|&t| drive(t)).collect();
    Ok(Record::new(times)?
        .named("rig.csv")
        .with_channel("position", Some("m"), position)?
        .with_channel("velocity", Some("m/s"), run.output(Oscillator::VELOCITY))?
        .with_channel("drive", Some("N"), force)?)
}

/// The record with NaN in these samples of one channel.
fn without_cells(record: &Record, name: &str, missing: impl Fn(usize) -> bool) -> Record {
    let mut changed = Record::new(record.times().to_vec()).unwrap().named(record.name());
    for channel in record.channels() {
        let value = |(i, value): (usize, &f64)| {
            if channel.name() == name && missing(i) { f64::NAN } else { *value }
        };
        let values = channel.values().iter().enumerate().map(value).collect();
        changed = changed.with_channel(channel.name(), channel.unit(), values).unwrap();
    }
    changed
}

/// The record without these lines.
fn without_lines(record: &Record, missing: impl Fn(usize) -> bool) -> Record {
    let keep = |values: &[f64]| -> Vec<f64> {
        values.iter().enumerate().filter(|(i, _)| !missing(*i)).map(|(_, value)| *value).collect()
    };
    let mut changed = Record::new(keep(record.times())).unwrap().named(record.name());
    for channel in record.channels() {
        changed = changed.with_channel(channel.name(), channel.unit(), keep(channel.values())).unwrap();
    }
    changed
}

fn identification(record: &Record) -> Identification<Oscillator> {
    let start = Oscillator { c: 170.0, ..Oscillator::default() };
    let simulation = Simulation::new(&start).input(Oscillator::DRIVE, drive).step(STEP).until(END);
    Identification::new(&simulation)
        .unknown([Oscillator::C.into(), costate::identify::UnknownParameter::from(Oscillator::BIAS).linear(0.01)])
        .measured(Oscillator::POSITION, record)
}

/// A quarter of the record.
fn gap(i: usize) -> bool {
    (300..500).contains(&i)
}

#[test]
fn a_gap_changes_neither_result_nor_deviations_more_than_the_samples_lost() {
    let record = record().unwrap();
    let whole = identification(&record).run().unwrap();
    let bias = |fit: &costate::Fit<Oscillator>| fit.parameter(Oscillator::BIAS).unwrap().standard_deviation;
    let lines = without_lines(&record, gap);
    let cells = without_cells(&record, "position", gap);
    let by_lines = identification(&lines).run().unwrap();
    let by_cells = identification(&cells).run().unwrap();
    let by_sum = identification(&lines).quadrature(Quadrature::Sum).run().unwrap();
    // A quarter of the samples less; the sample before the gap had the weight of two hundred.
    let ratio = bias(&by_lines) / bias(&whole);
    assert!(ratio > 1.05 && ratio < 1.35, "{ratio}\n{by_lines}");
    assert!((bias(&by_lines) / bias(&by_sum) - 1.0).abs() < 1e-6, "{by_lines}\n{by_sum}");
    for (a, b) in by_lines.summary().parameters.iter().zip(&by_cells.summary().parameters) {
        assert_eq!((a.found, a.standard_deviation), (b.found, b.standard_deviation));
    }
    assert!((by_lines.model().bias - 0.02).abs() < 4.0 * bias(&by_lines), "{by_lines}");
}

#[test]
fn what_is_missing_is_said_beside_the_result() {
    let record = record().unwrap();
    let few = || costate::optimize::OptimizerSettings::default().with_maximum_iterations(1);
    let fit = |record: &Record| identification(record).optimizer(few()).run().unwrap();
    let measured = |record: &Record| {
        let measured = fit(record).summary().measurements[0].clone();
        (measured.samples, measured.missing, measured.gaps)
    };
    let gap_at = |from, to| Gap { from: f64::from(from) * STEP, to: f64::from(to) * STEP };
    assert_eq!(measured(&record), (801, 0, vec![]));
    assert_eq!(measured(&without_lines(&record, gap)), (601, 0, vec![gap_at(299, 500)]));
    let cells = without_cells(&record, "position", |i| gap(i) || i == 600);
    assert_eq!(measured(&cells), (600, 201, vec![gap_at(299, 500), gap_at(599, 601)]));
    let (table, whole) = (fit(&cells).to_string(), fit(&record).to_string());
    let note = "position: 600 samples from `rig.csv` (201 missing, 2 gaps, the longest from 1.495 to 2.500 s), std.";
    assert!(table.contains(note), "{table}");
    assert!(whole.contains("position: 801 samples from `rig.csv`, std."), "{whole}");
    let json = serde_json::to_value(fit(&cells)).unwrap();
    assert_eq!(json["measurements"][0]["gaps"][1]["to"], 601.0 * STEP);
}

#[test]
fn a_channel_without_samples_is_refused_where_it_is_used() {
    let record = without_cells(&record().unwrap(), "velocity", |_| true);
    assert!(identification(&record).run().is_ok());
    let error = identification(&record).measured(Oscillator::VELOCITY, &record).run().unwrap_err();
    assert!(
        matches!(&error, IdentificationError::Data(DataError::Record(RecordError::NoValues { channel, times: 801,
        .. })) if channel == "velocity"),
        "{error}"
    );
}

#[test]
fn an_input_with_a_gap_is_refused() {
    let record = record().unwrap();
    let run = |record: &Record, end: f64| {
        let simulation = Simulation::new(&Oscillator::default()).step(STEP).until(end);
        let identification = Identification::new(&simulation).unknown([Oscillator::C]);
        identification.measured(Oscillator::POSITION, record).problem().map(|_| ())
    };
    assert!(run(&record, END).is_ok());
    let gap_of = |record: &Record| match run(record, END) {
        Err(IdentificationError::Data(DataError::Record(RecordError::Gap { channel, gap, record }))) => {
            assert_eq!((channel.as_str(), record.as_str()), ("drive", "rig.csv"));
            gap
        }
        other => panic!("{other:?}"),
    };
    let expected = Gap { from: 299.0 * STEP, to: 500.0 * STEP };
    assert_eq!(gap_of(&without_lines(&record, gap)), expected);
    assert_eq!(gap_of(&without_cells(&record, "drive", gap)), expected);
    assert_eq!(gap_of(&without_cells(&record, "drive", |i| i < 2)), Gap { from: 0.0, to: 2.0 * STEP });
    let ends_early = without_cells(&record, "drive", |i| i > 700);
    assert_eq!(gap_of(&ends_early), Gap { from: 700.0 * STEP, to: 800.0 * STEP });
    // Before the gap, the input is known; gaps of other channels do not matter; after the record it stays for less
    // than a step.
    assert!(run(&ends_early.clone().until(3.5).unwrap(), 3.5).is_ok());
    assert!(run(&without_cells(&record, "velocity", gap), END).is_ok());
    assert!(run(&record.clone().until(END - 0.5 * STEP).unwrap(), END).is_ok());
    let behind = run(&record, END + 1.0).unwrap_err().to_string();
    assert!(behind.contains("extend the record or shorten the run"), "{behind}");
    let drive_of = |record: &Record| Sampled::from_record(record, "drive");
    assert_eq!(drive_of(&record).unwrap().at(0.0), Some(drive(0.0)));
    let message = drive_of(&without_lines(&record, gap)).unwrap_err().to_string();
    assert!(message.starts_with("`rig.csv`, channel `drive` has a gap from 1.495 to 2.5 s, in which"), "{message}");
    assert_eq!(drive_of(&ends_early.until(3.5).unwrap()).unwrap().range().1, 3.5);
    let one = without_cells(&record, "drive", |i| i > 0).until(0.0).unwrap();
    assert!(matches!(drive_of(&one), Err(RecordError::SingleSample { .. })));
    let none = without_cells(&record, "drive", |_| true);
    assert!(matches!(drive_of(&none), Err(RecordError::NoValues { .. })));
}

#[test]
fn an_output_has_one_measurement() {
    let (first, second) = (record().unwrap(), record().unwrap().named("second.csv"));
    let error = identification(&first).measured(Oscillator::POSITION, &second).run().unwrap_err();
    let IdentificationError::Specification(SpecificationError::RepeatedOutput { output: "position", .. }) = error
    else {
        panic!("{error:?}")
    };
    assert!(
        error.to_string().starts_with(
            "the output `position` is measured twice, by the channel `position` of `rig.csv` and by the channel \
                 `position` of `second.csv`, and"
        ),
        "{error}"
    );
    let also = Measurement::new(&first).channel("velocity").weight(2.0);
    let error = identification(&first).measured(Oscillator::POSITION, also).run().unwrap_err();
    assert!(matches!(error, IdentificationError::Specification(SpecificationError::RepeatedOutput { .. })), "{error}");
    // The same by a further cost, be it in a sum.
    let position = Oscillator::POSITION;
    let samples = first.samples("position").unwrap();
    let least_squares = || {
        let cost = LeastSquares::new(STEP, samples.times.len(), Quadrature::Sum);
        cost.with_channel(position, &samples.times, &samples.values, 1.0).unwrap()
    };
    let error = identification(&first).cost(1.0, least_squares()).run().unwrap_err();
    assert!(error.to_string().contains("by the cost 0 (counted from 0)"), "{error}");
    let sum = SumCost::new().with(1.0, least_squares()).unwrap();
    let error = identification(&first).cost(1.0, sum).run().unwrap_err();
    assert!(matches!(error, IdentificationError::Specification(SpecificationError::RepeatedOutput { .. })), "{error}");
    // Another output, and the same one in frequency, are another thing.
    let lines = FourierLine::band((1.2, 2.2), 0.0, END, Window::Hann).unwrap();
    let spectrum = SpectrumCost::new(STEP, samples.times.len(), SpectrumForm::Amplitude)
        .with_record(Oscillator::POSITION, &lines, &first, first.channel("position").unwrap(), 1.0)
        .unwrap();
    let both = identification(&first).measured(Oscillator::VELOCITY, &first).cost(1.0, spectrum.clone());
    assert!(both.run().is_ok());
    let again = spectrum.with_measured(position, &lines[..1], &samples.times, &samples.values, 1.0);
    assert!(
        matches!(&again, Err(SpectrumError::Repeated { output: "position", line }) if line == "1.25 Hz"),
        "{again:?}"
    );
}

#[test]
fn spectra_over_a_gap_are_refused() {
    let record = record().unwrap();
    let line = |from, to| [FourierLine::new(2.0, from, to, Window::Hann)];
    let expected = Gap { from: 299.0 * STEP, to: 500.0 * STEP };
    for holed in [without_lines(&record, gap), without_cells(&record, "position", gap)] {
        let channel = holed.channel("position").unwrap();
        let refused = |result: Result<(), SpectrumError>, name: Option<&str>| {
            assert_eq!(result, Err(SpectrumError::Gap { channel: name.map(str::to_owned), gap: expected }), "{name:?}");
        };
        let of = |from, to| FourierCoefficients::of(&holed, channel, &line(from, to));
        refused(of(0.5, 2.0).map(|_| ()), Some("position"));
        refused(of(1.6, 2.4).map(|_| ()), Some("position"));
        refused(AmplitudeSpectrum::of(&holed, channel, Window::Hann).map(|_| ()), Some("position"));
        let samples = holed.samples("position").unwrap();
        let (times, values) = (&samples.times, &samples.values);
        refused(fourier_coefficients(times, values, &line(0.0, 4.0)).map(|_| ()), None);
        let cost = SpectrumCost::new(STEP, 801, SpectrumForm::Amplitude);
        refused(cost.with_measured(Oscillator::POSITION, &line(2.0, 3.0), times, values, 1.0).map(|_| ()), None);
        // Beside the gap they are what they are without it.
        for (from, to) in [(0.0, 299.0 * STEP), (2.5, 4.0), (2.7, 3.1)] {
            let whole =
                fourier_coefficients(record.times(), record.channel("position").unwrap().values(), &line(from, to));
            assert_eq!(of(from, to), whole);
        }
    }
    let error = SpectrumError::Gap { channel: Some("position".to_owned()), gap: expected }.to_string();
    assert_eq!(
        error,
        "the channel `position` has a gap from 1.495 to 2.5 s, in which the signal and so its spectrum are not known; \
             choose windows outside of it, or cut the record there"
    );
    let none = without_cells(&record, "position", |_| true);
    let none = FourierCoefficients::of(&none, none.channel("position").unwrap(), &line(0.0, 1.0));
    assert!(matches!(none, Err(SpectrumError::Samples { samples: 0 })));
}

#[test]
fn orders_over_a_gap_are_refused() {
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 1e-3).collect();
    let angle: Vec<f64> = times.iter().map(|t| 2.0 * TAU * t).collect();
    let twist = angle.iter().map(|angle| (0.5 * angle).cos()).collect();
    let whole = Record::new(times)
        .and_then(|record| record.with_channel("angle", None, angle.clone()))
        .and_then(|record| record.with_channel("twist", None, twist))
        .unwrap();
    let missing = |i: usize| (400..500).contains(&i);
    // Half an order changes by little over the gap: nothing but the times shows it.
    let lines = [OrderLine::new(0.5, 0.0, 1, 4.0 * PI, Window::Rectangular).unwrap()];
    let orders = |record: &Record, lines: &[OrderLine]| {
        let channel = |name| record.channel(name).unwrap();
        FourierCoefficients::over_angle(record, channel("angle"), channel("twist"), lines)
    };
    assert!((orders(&whole, &lines).unwrap()[0].cosine - 1.0).abs() < 1e-5);
    let gap = Gap { from: 0.399, to: 0.5 };
    let holed = |name| without_cells(&whole, name, missing);
    for record in [without_lines(&whole, missing), holed("angle"), holed("twist")] {
        let error = orders(&record, &lines).unwrap_err();
        assert_eq!(error, SpectrumError::Gap { channel: Some("twist".to_owned()), gap });
        let behind = OrderLine::new(2.0, angle[500], 1, TAU, Window::Hann).unwrap();
        assert_eq!(orders(&record, &[behind]), orders(&whole, &[behind]));
    }
}
