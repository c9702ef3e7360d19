//! Stored states.

use costate_optimize::{
    Method, MethodError, OptimizeError, OptimizerSettings, OptimizerState, Scaling, StepSize, Variable,
    minimize_least_squares,
};

use crate::problems::*;

#[test]
fn a_resumed_run_continues_bit_by_bit() {
    let variables = || vec![Variable::new("x", 3.0).within(0.1, 5.0), linear("y", 0.2).within(-1.0, 0.7)];
    for (method, step_size) in combinations() {
        let settings = settings(method, step_size).with_maximum_iterations(25);
        let full = run(variables(), settings.clone(), rosenbrock);
        let mut part = OptimizerState::new(variables(), settings).unwrap();
        let mut stored = Vec::new();
        let mut objective = Squares::new(&part, rosenbrock);
        let store = |state: &OptimizerState| {
            stored.push(serde_json::to_string(state).unwrap());
            Ok(())
        };
        minimize_least_squares(&mut objective, &mut part, store).unwrap();
        for text in stored {
            let mut resumed: OptimizerState = serde_json::from_str(&text).unwrap();
            let done = resumed.iterations();
            let mut objective = Squares::new(&resumed, rosenbrock);
            minimize_least_squares(&mut objective, &mut resumed, |_| Ok(())).unwrap();
            assert_eq!(resumed, full, "{method}, {step_size}, resumed after iteration {done}");
        }
    }
}

#[test]
fn the_stored_state_names_its_method() {
    let settings = settings(Method::LimitedMemoryBfgs { memory: 3 }, StepSize::golden_section());
    let state = run(five(), settings, quadratic(&[1.0; 5], 0.2));
    let json = serde_json::to_value(&state).unwrap();
    assert_eq!(json["settings"]["method"]["limited_memory_bfgs"]["memory"], 3);
    assert_eq!(json["settings"]["step_size"]["golden_section"]["tolerance"], 0.01);
    let text = r#"{"method": "levenberg_marquardt", "maximum_iterations": 7}"#;
    let read: OptimizerSettings = serde_json::from_str(text).unwrap();
    let expected = OptimizerSettings::default().with_method(Method::LevenbergMarquardt);
    assert_eq!(read, expected.with_maximum_iterations(7));
    let old: OptimizerSettings = serde_json::from_str("{}").unwrap();
    assert_eq!((old.method, old.step_size), (Method::Automatic, StepSize::StrongWolfe));
}

#[test]
fn a_state_of_an_unknown_method_is_not_read() {
    let state = run(five(), settings(Method::Bfgs, StepSize::default()), quadratic(&[1.0; 5], 0.2));
    let read = |text: &str| serde_json::from_str::<OptimizerState>(text);
    let mut json = serde_json::to_value(&state).unwrap();
    assert_eq!(read(&json.to_string()).unwrap(), state);
    json["settings"]["method"] = "direct_bfgs".into();
    let error = read(&json.to_string()).unwrap_err().to_string();
    assert!(error.starts_with("unknown variant `direct_bfgs`"), "{error}");
    let mut json = serde_json::to_value(&state).unwrap();
    json["curvature"] = serde_json::json!({ "hessian": [1.0] });
    let error = read(&json.to_string()).unwrap_err().to_string();
    assert!(error.starts_with("unknown variant `hessian`"), "{error}");
}

#[test]
fn a_state_of_another_method_is_damaged() {
    for (method, other) in methods().into_iter().zip([Method::Bfgs, Method::GaussNewton].into_iter().cycle()) {
        let state = run(five(), settings(method, StepSize::default()), quadratic(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.2));
        let mut json = serde_json::to_value(&state).unwrap();
        json["settings"]["method"] = serde_json::to_value(other).unwrap();
        let mut state: OptimizerState = serde_json::from_value(json).unwrap();
        if matches!(method, Method::SteepestDescent) || method == other {
            continue;
        }
        let mut objective = Squares::new(&state, quadratic(&[1.0; 5], 0.2));
        let error = minimize_least_squares(&mut objective, &mut state, |_| Ok(())).unwrap_err();
        assert_eq!(error, OptimizeError::Method(MethodError::Damaged), "{method} as {other}");
    }
}

#[test]
fn a_minimisation_begins_anew_wherever_one_has_ended() {
    let linear = Variable::new("x", 1.0).scaled(Scaling::Linear { typical: 0.04 });
    let logarithmic = Variable::new("y", 1.0).positive();
    for far in [0.0, 1e-300, 1e15, 1e100] {
        let variables = [&linear, &logarithmic].map(|variable| variable.starting_with(far)).to_vec();
        let state = OptimizerState::new(variables, OptimizerSettings::default()).unwrap();
        assert!(state.restarted().is_consistent(), "{far}");
    }
}
