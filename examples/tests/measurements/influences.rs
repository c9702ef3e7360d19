//! Effects that impair restoring forces, in the directions and sizes that KE 3.4 states.

use serde_json::Value;

use crate::found;

/// Returns an error in percent; infinite if the filter has lost the motion.
fn percent(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or(f64::INFINITY)
}

/// Returns the row of a list whose fields have these values.
fn row<'a>(rows: &'a Value, fields: &[(&str, Value)]) -> &'a Value {
    let has_all = |row: &&Value| fields.iter().all(|(field, value)| row[field] == *value);
    rows.as_array().unwrap().iter().find(has_all).unwrap()
}

#[test]
fn influences_have_the_published_directions() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["--seeds", "1"];
    for (option, values) in
        [("--noise", &["0.01", "0.05", "0.5"][..]), ("--rate", &["8", "100"]), ("--samples", &["500", "20000"])]
    {
        arguments.extend(values.iter().flat_map(|value| [option, *value]));
    }
    let found = found(folder.path(), "influences", &arguments);
    of_noise(&found["noise"]);
    of_sampling(&found["rates"], &found["counts"]);
    of_inertia(&found["inertia"]);
}

/// Checks that noise on the sensor impairs curves and surface, both of which bear 5 %, and that noise on the base
/// impairs the extended filter alone. The published curves of weak noise are worse than the surface: they have the
/// errors of the share between stiffness and damping, which cancel where the total force is divided.
fn of_noise(rows: &Value) {
    let of = |signal: &str, filter: &str, noise: f64, field: &str| {
        let fields = [("signal", signal.into()), ("filter", filter.into()), ("noise", noise.into())];
        percent(row(rows, &fields), field)
    };
    let [additive, coupled] = ["additive_percent", "coupled_percent"];
    for filter in ["EKF", "SR-UKF"] {
        let sensor = |noise, field| of("sensor", filter, noise, field);
        assert!(sensor(0.05, additive) < 5.0 && sensor(0.05, coupled) < 5.0, "{filter}: {rows}");
        assert!(sensor(0.5, additive) < 30.0 && sensor(0.5, coupled) < 30.0, "{filter}: {rows}");
        assert!(sensor(0.5, coupled) > 5.0 * sensor(0.01, coupled), "{filter}: {rows}");
        assert!(sensor(0.5, additive) > 5.0 * sensor(0.01, additive), "{filter}: {rows}");
    }
    assert!(of("base", "EKF", 0.01, additive) < 10.0);
    assert!(of("base", "EKF", 0.05, additive) > 30.0);
    assert!(of("base", "SR-UKF", 0.05, additive) < 1.1 * of("base", "SR-UKF", 0.01, additive));
    assert!(of("base", "SR-UKF", 0.05, additive) < 10.0);
}

/// Checks the effects of far fewer than 20 samples per period, and of few samples in total, which are largest for
/// surfaces.
fn of_sampling(rates: &Value, counts: &Value) {
    let rate = |samples: f64| {
        let fields = [("filter", "EKF".into()), ("samples_per_period", samples.into())];
        percent(row(rates, &fields), "additive_percent")
    };
    assert!(rate(100.0) < 12.0 && rate(8.0) > 2.0 * rate(100.0), "{rates}");
    for field in ["additive_percent", "coupled_percent", "polynomial_percent"] {
        let of = |samples: u32| percent(row(counts, &[("samples", samples.into())]), field);
        assert!(of(500) > 1.5 * of(20_000), "{field}: {counts}");
    }
    for samples in [500, 20_000] {
        let of = |field: &str| percent(row(counts, &[("samples", samples.into())]), field);
        assert!(of("polynomial_percent") < of("additive_percent"), "{counts}");
        assert!(of("additive_percent") < of("coupled_percent"), "{counts}");
    }
}

/// Checks that wrong entries impair the curves of the springs that they belong to.
fn of_inertia(rows: &Value) {
    let of = |assumption: &str| -> Vec<f64> {
        let errors = row(rows, &[("assumption", assumption.into())])["elastic_percent"].as_array().unwrap();
        errors.iter().map(|error| error.as_f64().unwrap_or(f64::INFINITY)).collect()
    };
    let right = of("as it is");
    assert!(right.iter().all(|error| *error < 6.0), "{rows}");
    for wrong in ["diagonal 20 % low", "diagonal 20 % high", "zero beside the diagonal", "twice beside the diagonal"] {
        assert!(of(wrong).iter().all(|error| *error > 12.0), "{rows}");
    }
    let one = of("µ11 20 % high");
    assert!(one[0] > 12.0 && one[1] < 6.0 && one[2] < 6.0, "{rows}");
}
