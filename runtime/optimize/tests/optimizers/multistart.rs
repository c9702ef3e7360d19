//! Minimisations from many starts.

use costate_optimize::{
    Failure, Member, MultistartError, MultistartProgress, Objective, OptimizerSettings, OptimizerState, StartError,
    Variable, minimize, multistart,
};

use crate::problems::linear;

/// A cost with several minima; fails for p_0 > 4.
struct Waves;

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("too far")]
struct TooFar;

impl Objective for Waves {
    type Error = TooFar;

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<TooFar>> {
        if p[0] > 4.0 {
            return Err(Failure::Stop(TooFar));
        }
        Ok(p.iter().map(|p| (p - 1.0).powi(2) + 3.0 * (1.0 - (5.0 * (p - 1.0)).cos())).sum())
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<TooFar>> {
        for (g, p) in gradient.iter_mut().zip(p) {
            *g = 2.0 * (p - 1.0) + 15.0 * (5.0 * (p - 1.0)).sin();
        }
        Ok(())
    }
}

fn waves(threads: usize, starts: usize, seed: u64) -> (Vec<Member<TooFar>>, Vec<MultistartProgress>) {
    let variables = [Variable::new("x", 3.0).within(0.1, 5.0), linear("y", -2.0).within(-4.0, 4.0)];
    let mut reports = Vec::new();
    let from_state = |state: &mut OptimizerState| minimize(&mut Waves, state, |_| Ok(()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let members = pool.install(|| {
        let settings = OptimizerSettings::default();
        multistart(&variables, &settings, starts, seed, from_state, |report| reports.push(report)).unwrap()
    });
    (members, reports)
}

#[test]
fn a_multistart_finds_the_lowest_minimum() {
    let (members, reports) = waves(2, 60, 1);
    assert_eq!(members.len(), 60);
    let best = &members[0];
    assert!(best.state.parameters().iter().all(|p| (p - 1.0).abs() < 1e-6), "{:?}", best.state.parameters());
    assert!(members.windows(2).all(|pair| match (pair[0].cost(), pair[1].cost()) {
        (Some(a), Some(b)) => a <= b,
        (cost, None) => cost.is_some() || pair[0].number < pair[1].number,
        (None, Some(_)) => false,
    }));
    let failed = members.iter().filter(|member| member.outcome.is_err()).count();
    assert!(failed > 0 && failed < 30, "{failed} failed");
    let first = members.iter().find(|member| member.number == 0).unwrap();
    assert_eq!(first.start, [3.0, -2.0]);
    assert!(reports.iter().enumerate().all(|(k, report)| report.ended == k + 1 && report.starts == 60));
    assert_eq!(reports[59].best, best.cost());
}

#[test]
fn the_starts_of_a_multistart_fill_the_ranges() {
    let (members, _) = waves(1, 41, 7);
    for (k, (lower, upper, logarithmic)) in [(0.1_f64, 5.0_f64, true), (-4.0, 4.0, false)].into_iter().enumerate() {
        let scale = |p: f64| if logarithmic { p.ln() } else { p };
        let part = |p: f64| (scale(p) - scale(lower)) / (scale(upper) - scale(lower)) * 40.0;
        let drawn = members.iter().filter(|member| member.number > 0);
        let mut parts: Vec<_> = drawn.map(|member| part(member.start[k]).floor() as i64).collect();
        parts.sort_unstable();
        assert_eq!(parts, (0..40).collect::<Vec<_>>());
    }
}

#[test]
fn a_multistart_does_not_depend_on_the_threads() {
    let (one, two) = (waves(1, 30, 3).0, waves(2, 30, 3).0);
    assert_eq!(one, two);
    assert_ne!(waves(2, 30, 4).0, two, "the seed matters");
}

#[test]
fn a_multistart_needs_ranges() {
    let run = |variable: Variable, starts: usize| {
        let from_state = |state: &mut OptimizerState| minimize(&mut Waves, state, |_| Ok(()));
        let settings = OptimizerSettings::default();
        multistart(&[variable], &settings, starts, 0, from_state, |_| ()).unwrap_err()
    };
    assert_eq!(run(linear("x", 1.0).within(0.0, 2.0), 0), MultistartError::NoStarts);
    let open = run(linear("x", 1.0).within(0.0, f64::INFINITY), 5).to_string();
    assert!(open.starts_with("`x` has no range to start from, its bounds are [0, inf]"), "{open}");
    let logarithmic = run(Variable::new("x", 1.0).positive().within(0.0, 2.0), 5);
    assert!(matches!(logarithmic, MultistartError::NoRange { .. }));
    let outside = run(linear("x", 3.0).within(0.0, 2.0), 5);
    assert!(matches!(outside, MultistartError::Start(StartError::Variable(_))));
}
