//! A posterior that posteriordb has drawn with Stan.

use costate_posterior::Sampler;

#[path = "../../examples/lynx_hare/model.rs"]
mod model;

/// Mean of every unknown, and its standard error.
const REFERENCE: [(&str, f64, f64); 8] = [
    ("alpha", 0.5469, 6e-4),
    ("beta", 0.02775, 4e-5),
    ("gamma", 0.8001, 9e-4),
    ("delta", 0.02409, 4e-5),
    ("hare", 34.04, 0.03),
    ("lynx", 5.936, 0.005),
    ("deviation of log_hare", 0.2481, 4e-4),
    ("deviation of log_lynx", 0.2510, 4e-4),
];

#[test]
fn lynx_and_hare_are_as_in_posteriordb() {
    let record = model::record().unwrap();
    let posterior = model::posterior(&record, 0.1).unwrap();
    let samples = posterior.sample(&Sampler::new().seed(1)).unwrap();
    let summary = samples.summary();
    println!("{summary}");
    for (name, mean, error) in REFERENCE {
        let row = summary.row(name).unwrap();
        assert!(row.r_hat < 1.01, "{summary}");
        assert!((row.mean - mean).abs() < 4.0 * error.hypot(row.error_of_mean), "{name} is not {mean}\n{summary}");
        // so that this says something
        assert!(row.error_of_mean < 0.04 * row.standard_deviation, "{summary}");
    }
    assert!(summary.warnings.is_empty(), "{summary}");
}
