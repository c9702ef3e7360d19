//! The plate with an inertia that was identified from high excitation (KE 4.1).

use serde_json::Value;

use crate::found;

#[test]
fn a_wrong_inertia_serves_the_response() {
    let folder = tempfile::tempdir().unwrap();
    let found = found(folder.path(), "plate", &["--iterations", "3"]);
    let numbers = |value: &Value| -> Vec<f64> {
        // an error that is not finite is null
        value.as_array().unwrap().iter().map(|error| error.as_f64().unwrap_or(f64::INFINITY)).collect()
    };
    let [guessed, adapted] =
        ["guessed", "adapted"].map(|name| numbers(&found[name]["elastic_percent"]).iter().sum::<f64>());
    // "A significant increase in the RFS identification quality could be achieved with the identified M compared to
    // using its initial guess", whereas the entries are far off.
    assert!(adapted < 0.7 * guessed, "{adapted} {guessed}");
    let of = |excitation: &str, filter: &str| {
        let mut estimates = found["inertia"].as_array().unwrap().iter();
        let estimate = estimates.find(|one| one["excitation"] == excitation && one["filter"] == filter).unwrap();
        *numbers(&estimate["average_error_percent"]).last().unwrap()
    };
    assert!(of("high", "SR-UKF") > 10.0 && of("high", "EKF") > 3.0 * of("high", "SR-UKF"));
    assert!(of("low", "SR-UKF") < 5.0 && of("low", "EKF") < 5.0);
    // "A very good agreement between the depicted signals": as good as with the true inertia.
    let (response, with_truth) = (numbers(&found["adapted"]["response_percent"]), numbers(&found["response_errors"]));
    for (response, with_truth) in response.iter().zip(&with_truth) {
        assert!(*response < 1.5 * with_truth, "{response} {with_truth}");
    }
}
