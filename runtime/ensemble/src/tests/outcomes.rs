//! Outcomes of tasks on different executors.

use std::sync::Mutex;
use std::time::Duration;

use super::{iterate, tasks};
use crate::{End, Ensemble, EnsembleError, Failure, Interrupt, Outcomes, Task, Tasks};

/// Returns everything but the times, to the last bit.
fn bits(outcomes: &Outcomes<Vec<f64>>) -> Vec<(usize, Option<String>, Vec<u64>)> {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect();
    let told = outcomes.iter().map(|outcome| match &outcome.result {
        Ok(values) => (outcome.number, None, bits(values)),
        Err(failure) => (outcome.number, Some(failure.error.clone()), bits(failure.left.as_deref().unwrap_or(&[]))),
    });
    told.collect()
}

#[test]
fn results_do_not_depend_on_threads_and_groups() {
    let mut found = Vec::new();
    for (threads, group) in [(1, 1), (2, 1), (4, 3), (3, 40)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let tasks = tasks(30, 1.0);
        let work =
            |tasks: &[Task], end: End<'_, Vec<f64>>| tasks.iter().rev().for_each(|task| end(task, iterate(task)));
        let run = || Ensemble::new().run_in_groups(&tasks, group, work, |_, _| ()).unwrap();
        let outcomes = pool.install(run);
        assert_eq!((outcomes.done(), outcomes.failed(), outcomes.missing()), (30, 4, vec![]));
        found.push(bits(&outcomes));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(found[0][3].1.as_deref() == Some("the seventh") && found[0][3].2 == [(0.1_f64 + 0.2).to_bits()]);
    assert_ne!(found[0][0], found[0][1]);
}

#[test]
fn tasks_of_a_group_end_each_by_itself() {
    let limit = Duration::from_millis(20);
    let seen = Mutex::new(Vec::new());
    let work = |group: &[Task], end: End<'_, usize>| {
        assert_eq!(group.iter().map(Task::number).collect::<Vec<_>>(), [0, 1, 2]);
        end(&group[1], Ok(1));
        assert_eq!(*seen.lock().unwrap(), [1]);
        end(&group[2], Err(Failure::new("not today")));
        while !group[0].interrupt().is_triggered() {
            std::thread::sleep(Duration::from_millis(1));
        }
        end(&group[0], Err(Failure::new("stopped")));
    };
    let watch = |outcome: &crate::Outcome<usize>, _: &crate::Progress| seen.lock().unwrap().push(outcome.number);
    let limited = Ensemble::new().time_limit(limit);
    let outcomes = limited.run_in_groups(&Tasks::new("three", 3), 3, work, watch).unwrap().complete().unwrap();
    let error = |number: usize| outcomes[number].result.clone().unwrap_err().error;
    assert_eq!(outcomes[1].result, Ok(1));
    assert_eq!(
        (error(0).as_str(), error(2).as_str()),
        ("took longer than 20ms, the time limit of a task", "not today")
    );
    assert!(outcomes[0].seconds >= limit.as_secs_f64() && outcomes[1].seconds < outcomes[0].seconds);
}

#[test]
#[allow(clippy::panic, reason = "that of a task is what is tested")]
fn panics_and_numbers_that_are_not_finite_are_failures() {
    let work = |task: &crate::Task| match task.number() {
        0 => panic!("number {}", task.number()),
        1 => Ok(f64::NAN),
        number => Ok(number as f64),
    };
    let outcomes = Ensemble::new().run(&Tasks::new("mistakes", 3), work, |_, _| ()).unwrap();
    let errors: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.result.as_ref().err()).collect();
    assert_eq!(errors[0].error, "panicked: number 0");
    assert!(errors[1].error.contains("not finite"), "{}", errors[1].error);
    assert_eq!((errors.len(), outcomes.done()), (2, 3));
}

#[test]
fn a_task_that_takes_too_long_fails() {
    let work = |task: &crate::Task| {
        while task.number() == 1 && !task.interrupt().is_triggered() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if task.number() == 1 { Err(Failure::new("stopped")) } else { Ok(task.number()) }
    };
    let limited = Ensemble::new().time_limit(Duration::from_millis(20));
    let outcomes = limited.run(&Tasks::new("waiting", 3), work, |_, _| ()).unwrap().complete().unwrap();
    assert_eq!(outcomes[1].result.clone().unwrap_err().error, "took longer than 20ms, the time limit of a task");
    assert_eq!((outcomes[0].result.clone(), outcomes[2].result.clone()), (Ok(0), Ok(2)));
}

#[test]
fn what_an_interrupt_leaves_out_is_missing() {
    let interrupt = Interrupt::new();
    let ensemble = Ensemble::new().interrupt(interrupt.clone());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let ended = Mutex::new(0);
    let watch = |_: &crate::Outcome<Vec<f64>>, progress: &crate::Progress| {
        *ended.lock().unwrap() = progress.done;
        if progress.done == 4 {
            interrupt.trigger();
        }
    };
    let outcomes = pool.install(|| ensemble.run(&tasks(30, 1.0), iterate, watch).unwrap());
    assert_eq!((outcomes.done(), *ended.lock().unwrap(), outcomes.missing().len()), (4, 4, 26));
    assert!(outcomes.is_interrupted());
    assert!(matches!(outcomes.complete(), Err(EnsembleError::Unfinished { done: 4, tasks: 30, folder: None })));
}

#[test]
fn the_first_task_tells_what_is_expected_of_the_others() {
    let told = std::sync::Mutex::new(Vec::new());
    let estimated = || Ensemble::new().estimate(|progress| told.lock().unwrap().push(progress.clone()));
    let folder = tempfile::tempdir().unwrap();
    let slow = |task: &crate::Task| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        // no other task has begun when the first one ends
        if task.number() > 0 {
            assert_eq!(told.lock().unwrap().len(), 1);
        }
        iterate(task)
    };
    let outcomes = estimated().folder(folder.path()).run(&tasks(9, 1.0), slow, |_, _| ()).unwrap();
    assert_eq!((outcomes.done(), outcomes.failed()), (9, 1));
    let first = told.lock().unwrap().remove(0);
    assert_eq!((first.tasks, first.done), (9, 1));
    let at_once = Ensemble::new().at_once() as f64;
    let expected = 8.0 * first.seconds_per_task / at_once;
    assert!((first.expected_seconds - expected).abs() < 1e-9 && first.seconds_per_task >= 0.02, "{first:?}");
    // where nothing is left to do no estimate is reported
    estimated().folder(folder.path()).run(&tasks(9, 1.0), iterate, |_, _| ()).unwrap();
    assert!(told.lock().unwrap().is_empty());
}
