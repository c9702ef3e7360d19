use std::f64::consts::TAU;

use super::*;
use crate::signal::{Record, SignalError, Tacho, Trigger, Window};

fn record(rate: f64, duration: f64, value: impl Fn(f64) -> f64) -> Result<Record, SignalError> {
    let times: Vec<f64> = (0..(rate * duration) as usize).map(|k| k as f64 / rate).collect();
    let values = times.iter().map(|t| value(*t)).collect();
    Ok(Record::new(times)?.named("run").with_channel("a", Some("m/s^2"), values)?)
}

/// Angle in revolutions of a run-up from 600 to 1800 1/min in 20 s.
fn turns(t: f64) -> f64 {
    10.0 * t + 0.5 * t * t
}

/// Orders 2 and 5.5 of amplitudes 3 and 1, and a resonance of its own.
fn run_up() -> Result<(Record, Tacho), SignalError> {
    let rate = 4000.0;
    let signal = |t: f64| 3.0 * (TAU * 2.0 * turns(t)).cos() + (TAU * 5.5 * turns(t) + 1.0).sin();
    let record = record(rate, 20.0, signal)?;
    let tacho = record.times().iter().map(|t| (TAU * 6.0 * turns(*t)).sin()).collect();
    let record = record.with_channel("tacho", Some("V"), tacho)?;
    let tacho = Tacho::new(&record, "tacho", &Trigger::rising(0.0).hysteresis(0.3), 6)?;
    Ok((record, tacho))
}

#[test]
fn amplitudes_between_lines_are_right_to_a_thousandth() -> Result<(), SignalError> {
    for frequency in [93.0, 100.3, 147.77, 201.49] {
        let record = record(1000.0, 4.0, |t| 5.0 + 2.0 * (TAU * frequency * t).sin())?;
        for (quantity, expected) in [(Quantity::Amplitude, 2.0), (Quantity::Rms, 2.0_f64.sqrt())] {
            let map = spectrogram(&record, "a", &Mapping { length: Some(256), quantity, ..Mapping::default() })?;
            for column in 0..map.x.values.len() {
                let largest = (0..map.y.values.len()).map(|row| map.row(row)[column]).fold(0.0, f64::max);
                assert!((largest / expected - 1.0).abs() < 1.1e-3, "{frequency} {largest}");
            }
        }
        // a density has the mean square below it
        let map = spectrogram(
            &record,
            "a",
            &Mapping { length: Some(256), quantity: Quantity::Density, ..Mapping::default() },
        )?;
        let sum: f64 = (0..map.y.values.len()).map(|row| map.row(row)[3] * map.y.values[0]).sum();
        assert!((sum - 2.0).abs() < 2e-3, "{sum}");
        assert_eq!(map.unit.as_deref(), Some("(m/s^2)^2/Hz"));
    }
    Ok(())
}

#[test]
fn a_chirp_is_where_and_as_high_as_it_was() -> Result<(), SignalError> {
    // 100 to 200 Hz in 40 s: within a segment of 0.256 s, by 0.16 of a line
    let record = record(1000.0, 40.0, |t| 0.7 * (TAU * (100.0 * t + 1.25 * t * t)).sin())?;
    let map = spectrogram(&record, "a", &Mapping { length: Some(256), ..Mapping::default() })?;
    let spacing = map.y.values[0];
    for (column, time) in map.x.values.iter().enumerate() {
        let frequency = 100.0 + 2.5 * time;
        let nearest = (frequency / spacing).round() as usize - 1;
        assert!((map.row(nearest)[column] / 0.7 - 1.0).abs() < 2e-3, "{time} {}", map.row(nearest)[column]);
        // beyond the window's five lines there is nothing
        assert!(map.row(nearest + 8)[column] < 1e-3 && map.row(nearest - 8)[column] < 1e-3);
    }
    // lengths follow from the record: 40000 samples
    assert_eq!(spectrogram(&record, "a", &Mapping::default())?.y.values.len(), 1024);
    let narrow = Mapping { window: Some(Window::Rectangular), ..Mapping::default() };
    assert_eq!(spectrogram(&record, "a", &narrow)?.y.values.len(), 256);
    Ok(())
}

#[test]
fn orders_of_a_run_up_have_their_amplitudes() -> Result<(), SignalError> {
    let (record, tacho) = run_up()?;
    let orders = order_map(&record, "a", &tacho, &Mapping::default())?;
    assert_eq!((orders.x.name, orders.y.name, orders.y.values[0]), ("speed", "order", 1.0 / 16.0));
    for (order, amplitude) in [(2.0, 3.0), (5.5, 1.0)] {
        for (found, speed) in orders.order(order).iter().zip(&orders.x.values) {
            assert!((found / amplitude - 1.0).abs() < 1.5e-3, "{order} {speed} {found}");
        }
    }
    assert!(orders.order(12.0).iter().all(|found| *found < 3e-3) && orders.order(30.0)[0].is_nan());
    assert!(orders.x.values[0] > 600.0 && orders.x.values[99] < 1800.0 && orders.notes.is_empty());
    // over the time, at the speeds that there were
    let over_time =
        order_map(&record, "a", &tacho, &Mapping { over_time: true, revolutions: Some(10), ..Mapping::default() })?;
    let speeds = over_time.speeds.clone().unwrap_or_default();
    for ((time, speed), found) in over_time.x.values.iter().zip(speeds).zip(over_time.order(2.0)) {
        assert!((speed / 60.0 - 10.0 - time).abs() < 0.05, "{time} {speed}");
        assert!((found / 3.0 - 1.0).abs() < 1.5e-3, "{time} {found}");
    }
    Ok(())
}

#[test]
fn frequencies_over_the_speed_follow_orders_that_hardly_move() -> Result<(), SignalError> {
    let (record, tacho) = run_up()?;
    // within 1024 samples, order 2 moves by 0.13 of a line, order 5.5 by a third
    let map = speed_map(&record, "a", &tacho, &Mapping { length: Some(1024), ..Mapping::default() })?;
    for (order, amplitude) in [(2.0, 3.0), (5.5, 1.0)] {
        for (found, speed) in map.order(order).iter().zip(&map.x.values) {
            assert!((found / amplitude - 1.0).abs() < 4e-3, "{order} {speed} {found}");
        }
    }
    // the change of the speed in long segments is said
    let long = speed_map(&record, "a", &tacho, &Mapping { length: Some(16_384), ..Mapping::default() })?;
    assert!(long.notes[0].contains("take shorter segments"), "{:?}", long.notes);
    assert!(long.order(5.5)[50] < 0.8);
    // speeds that are passed twice are one column
    let twice = |t: f64| if t < 10.0 { turns(t) } else { turns(10.0) + 20.0 * (t - 10.0) - 0.5 * (t - 10.0).powi(2) };
    let mixed = |t: f64| (if t < 10.0 { 3.0 } else { 1.0 }) * (TAU * 2.0 * twice(t)).cos();
    let pulses: Vec<f64> = record.times().iter().map(|t| (TAU * 6.0 * twice(*t)).sin()).collect();
    let values = record.times().iter().map(|t| mixed(*t)).collect();
    let both =
        Record::new(record.times().to_vec())?.with_channel("a", None, values)?.with_channel("tacho", None, pulses)?;
    let tacho = Tacho::new(&both, "tacho", &Trigger::rising(0.0).hysteresis(0.3), 6)?;
    for map in [
        speed_map(&both, "a", &tacho, &Mapping { length: Some(1024), ..Mapping::default() })?,
        order_map(&both, "a", &tacho, &Mapping::default())?,
    ] {
        let found = map.order(2.0)[50];
        assert!((found - 5.0_f64.sqrt()).abs() < 0.02, "{} {found}", map.y.name);
    }
    Ok(())
}

#[test]
fn orders_beyond_the_rate_are_not_there() -> Result<(), SignalError> {
    let (record, tacho) = run_up()?;
    let map = order_map(&record, "a", &tacho, &Mapping { highest_order: 80.0, ..Mapping::default() })?;
    // 1600 Hz are order 53.3 at 1800 1/min
    assert!(map.order(79.0)[99].is_nan() && map.order(79.0)[0].is_finite() && map.notes.len() == 1);
    Ok(())
}

#[test]
fn what_makes_no_map_is_refused() -> Result<(), SignalError> {
    let (record, tacho) = run_up()?;
    let default = Mapping::default;
    for length in [8, 100_000] {
        assert!(matches!(
            spectrogram(&record, "a", &Mapping { length: Some(length), ..default() }),
            Err(SignalError::Short { .. })
        ));
    }
    for overlap in [1.0, -0.5, f64::NAN] {
        assert!(matches!(
            spectrogram(&record, "a", &Mapping { overlap, ..default() }),
            Err(SignalError::Number { .. })
        ));
    }
    let dense = Mapping { overlap: 0.9999, length: Some(16_384), ..default() };
    assert!(matches!(spectrogram(&record, "a", &dense), Err(SignalError::Number { .. })));
    assert!(matches!(
        order_map(&record, "a", &tacho, &Mapping { revolutions: Some(0), ..default() }),
        Err(SignalError::Short { .. })
    ));
    assert!(matches!(
        order_map(&record, "a", &tacho, &Mapping { revolutions: Some(1000), ..default() }),
        Err(SignalError::Short { .. })
    ));
    for highest_order in [0.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            order_map(&record, "a", &tacho, &Mapping { highest_order, ..default() }),
            Err(SignalError::Number { .. })
        ));
    }
    for speeds in [0, 1, usize::MAX] {
        assert!(matches!(
            speed_map(&record, "a", &tacho, &Mapping { speeds, ..default() }),
            Err(SignalError::Number { .. })
        ));
    }
    let part = record.clone().until(0.5)?;
    let early = Tacho::new(&part, "tacho", &Trigger::rising(0.0).hysteresis(0.3), 6)?;
    assert!(matches!(
        speed_map(&part, "a", &early, &Mapping { length: Some(1024), ..default() }),
        Err(SignalError::Steady { .. })
    ));
    let map = spectrogram(&record, "a", &default())?;
    assert!(map.order(2.0).is_empty() && map.levels(0.0).is_err());
    assert!(matches!(
        map.panel(&Picture { orders: vec![2.0], ..Picture::default() }),
        Err(SignalError::Setting { .. })
    ));
    for wrong in [
        Picture { reference: Some(-1.0), ..Picture::default() },
        Picture { range: 0.0, ..Picture::default() },
        Picture { up_to: Some(f64::NAN), ..Picture::default() },
    ] {
        assert!(matches!(map.panel(&wrong), Err(SignalError::Number { .. })));
    }
    let with = map.with_tacho(&tacho);
    assert!(matches!(
        with.panel(&Picture { orders: vec![-2.0], ..Picture::default() }),
        Err(SignalError::Number { .. })
    ));
    assert!(with.panel(&Picture { orders: vec![2.0], ..Picture::default() }).is_ok());
    Ok(())
}

#[test]
fn levels_have_their_reference() -> Result<(), SignalError> {
    let record = record(1000.0, 4.0, |t| if t < 2.0 { 10.0 * (TAU * 100.0 * t).sin() } else { 0.0 })?;
    let map = spectrogram(
        &record,
        "a",
        &Mapping { length: Some(250), overlap: 0.0, window: Some(Window::Hann), ..Mapping::default() },
    )?;
    let levels = map.levels(0.01)?;
    let highest = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((highest - 60.0).abs() < 1e-6 && levels.contains(&f64::NEG_INFINITY), "{highest}");
    let svg = map
        .figure(&Picture { reference: Some(0.01), up_to: Some(300.0), ..Picture::default() })?
        .svg()
        .unwrap_or_default();
    for text in ["level [dB re 0.01 m/s^2]", "a of run", "frequency [Hz]", "time [s]"] {
        assert!(svg.contains(text), "{text}");
    }
    let density = spectrogram(&record, "a", &Mapping { quantity: Quantity::Density, ..Mapping::default() })?;
    let svg = density.figure(&Picture { reference: Some(1.0), ..Picture::default() })?.svg().unwrap_or_default();
    assert!(svg.contains("dB re (1 m/s^2)²/Hz"));
    // the density of 10 m/s^2 in Hann's window: 50 over 1.5 lines
    let dense =
        spectrogram(&record, "a", &Mapping { length: Some(250), quantity: Quantity::Density, ..Mapping::default() })?;
    let highest = dense.levels(0.01)?.into_iter().fold(f64::NEG_INFINITY, f64::max);
    assert!((highest - 10.0 * (50.0_f64 / (1.5 * 4.0) / 1e-4).log10()).abs() < 1e-6, "{highest}");
    Ok(())
}

#[test]
fn a_table_has_both_axes() -> Result<(), Box<dyn std::error::Error>> {
    let record = record(1000.0, 0.1, |t| (TAU * 250.0 * t).cos())?;
    let map = spectrogram(
        &record,
        "a",
        &Mapping { length: Some(16), overlap: 0.0, window: Some(Window::Rectangular), ..Mapping::default() },
    )?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("map.csv");
    map.write_csv(&path)?;
    let text = std::fs::read_to_string(&path)?;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0][0]), (9, "amplitude [m/s^2] by frequency [Hz] over time [s]"));
    assert!(lines.iter().all(|line| line.len() == 7));
    assert_eq!(lines[4][0], "250.0");
    assert!((lines[4][3].parse::<f64>()? - 1.0).abs() < 1e-12 && lines[5][3].parse::<f64>()? < 1e-12);
    assert!(matches!(map.write_csv(folder.path()), Err(SignalError::Write { .. })));
    Ok(())
}
