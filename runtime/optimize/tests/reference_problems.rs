//! Reference problems of least squares: their files, their derivatives, and that the default method solves them.

#[path = "../examples/nist/problems/mod.rs"]
#[allow(dead_code, reason = "the example `nist` has the rest")]
mod problems;

use costate_optimize::OptimizerSettings;

use problems::deviations::standard_deviations;
use problems::models::MODELS;
use problems::nist::{NistProblem, ProblemError, problems as nist, shipped};
use problems::residuals::Residuals;
use problems::run::{run, worst_relative_error};
use problems::strd::{Dataset, FileError, FormatError};
use problems::{mgh, run::variables};

fn misra() -> std::io::Result<String> {
    std::fs::read_to_string(shipped().join("Misra1a.dat"))
}

#[test]
fn a_file_is_read_whole() {
    let file = Dataset::parse(&misra().unwrap()).unwrap();
    assert_eq!((file.name.as_str(), file.parameters.len(), file.observations.len()), ("Misra1a", 2, 14));
    let second = file.parameters[1];
    assert_eq!((second.starts, second.value), ([0.0001, 0.0005], 5.501_564_318_1e-4));
    assert_eq!((second.deviation, file.sum_of_squares), (7.266_868_843_6e-6, 0.124_551_388_94));
    let last = &file.observations[13];
    assert_eq!((last.response, last.predictors.as_slice()), (81.78, [760.0].as_slice()));
    let nelson = Dataset::read(&shipped().join("Nelson.dat")).unwrap();
    assert_eq!(nelson.observations[0].predictors, [1.0, 180.0]);
}

#[test]
fn damaged_files_are_refused() {
    let wrong = |from: &str, to: &str| Dataset::parse(&misra().unwrap().replacen(from, to, 1)).unwrap_err();
    let number = FormatError::Number { line: 41, text: "5O0".to_owned() };
    assert_eq!(wrong("500  ", "5O0  "), number);
    assert_eq!(wrong("500  ", "     "), FormatError::Columns { line: 41, found: 3, expected: 4 });
    let parameter = FormatError::Parameter { line: 42, found: "b3".to_owned(), expected: 2 };
    assert_eq!(wrong("  b2 =", "  b3 ="), parameter);
    assert_eq!(wrong("10.07E0      77.6E0", ""), FormatError::Observations { found: 13, expected: 14.0 });
    assert_eq!(wrong("10.07E0 ", ""), FormatError::Columns { line: 61, found: 1, expected: 2 });
    assert_eq!(
        wrong("Residual Sum of Squares:", "Squares:"),
        FormatError::Missing { part: "Residual Sum of Squares:" }
    );
    assert_eq!(Dataset::parse(""), Err(FormatError::Missing { part: "Dataset Name:" }));
}

#[test]
fn files_of_other_problems_are_refused() {
    let file = Dataset::parse(&misra().unwrap()).unwrap();
    let error = NistProblem::new(MODELS[1], file.clone()).unwrap_err();
    assert!(matches!(error, ProblemError::Name { model: "Chwirut2", .. }), "{error}");
    let named = Dataset { name: "Chwirut2".to_owned(), ..file };
    let error = NistProblem::new(MODELS[1], named).unwrap_err();
    assert!(matches!(error, ProblemError::Shape { found: 2, expected: 3, .. }), "{error}");
    let error = nist(&shipped().join("nowhere")).unwrap_err();
    assert!(matches!(error, ProblemError::File(FileError::Read { .. })), "{error}");
}

/// Compares derivatives with central differences.
fn check_derivatives(name: &str, residuals: &Residuals, parameters: &[f64]) {
    const STEP: f64 = 1e-6;
    let linear = residuals.linear(parameters);
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    for (k, column) in linear.derivatives.iter().enumerate() {
        let size = if parameters[k] == 0.0 { 1.0 } else { parameters[k].abs() };
        let at = |step: f64| {
            let mut moved = parameters.to_vec();
            moved[k] += step * size;
            residuals.values(&moved)
        };
        let tolerance = 1e-7 * size * largest(column) + 1e-8 * largest(&linear.values);
        for ((above, below), exact) in at(STEP).iter().zip(at(-STEP)).zip(column) {
            let difference = (above - below) / (2.0 * STEP);
            assert!(
                (difference - exact * size).abs() <= tolerance,
                "{name}, parameter {k}: {difference} {}",
                exact * size
            );
        }
    }
}

#[test]
fn derivatives_are_those_of_the_residuals() {
    for problem in nist(&shipped()).unwrap() {
        for start in &problem.starts {
            check_derivatives(problem.name, &problem.residuals, start);
        }
    }
    for problem in mgh::problems() {
        for &factor in problem.factors {
            check_derivatives(problem.name, &problem.residuals, &problem.start_times(factor));
        }
    }
}

#[test]
fn certified_values_belong_to_the_models() {
    for NistProblem { name, parameters, deviations, sum_of_squares, residuals, .. } in nist(&shipped()).unwrap() {
        // the residuals of Lanczos1 are smaller than what eleven digits of the parameters leave
        if name == "Lanczos1" {
            continue;
        }
        let linear = residuals.linear(&parameters);
        assert!((2.0 * linear.cost() / sum_of_squares - 1.0).abs() < 1e-7, "{name}");
        let found = standard_deviations(&linear).unwrap();
        assert!(worst_relative_error(&found, &deviations) < 1e-6, "{name}: {found:?}");
    }
}

#[test]
fn unknowns_are_scaled_by_their_starts() {
    let scaled = variables(&[-2.0, 0.0]);
    let typical = |k: usize| format!("{:?}", scaled[k].scaling());
    assert_eq!([typical(0), typical(1)], ["Linear { typical: 2.0 }", "Linear { typical: 1.0 }"]);
}

/// Both starts of all 27 problems, with at most 800 iterations in total: MINPACK needs 3217 evaluations of the
/// derivatives.
#[test]
fn the_default_method_reaches_the_certified_parameters() {
    let settings = OptimizerSettings::default().with_maximum_iterations(500);
    let (mut iterations, mut missed) = (0, Vec::new());
    for problem in nist(&shipped()).unwrap() {
        for (k, start) in problem.starts.iter().enumerate() {
            let state = run(&problem.residuals, start, settings.clone()).unwrap();
            iterations += state.iterations();
            let error = worst_relative_error(&state.parameters(), &problem.parameters);
            if error > 1e-6 {
                missed.push(format!("{} from start {}: {error:.1e}", problem.name, k + 1));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(iterations <= 800, "{iterations} iterations");
}
