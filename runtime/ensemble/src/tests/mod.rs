//! Ensembles as programs use them.

mod continued;
mod kills;
mod mutated;
mod outcomes;

use crate::{Description, Failure, Task, Tasks, task_seed};

/// Tasks that belong to a number.
fn tasks(count: usize, constant: f64) -> Tasks {
    let mut description = Description::default();
    description.number("the constant", constant);
    Tasks::new("iterations of a map", count).described(description)
}

/// The logistic map, from a start that the seed of the task determines; every seventh task fails.
fn iterate(task: &Task) -> Result<Vec<f64>, Failure<Vec<f64>>> {
    if task.number() % 7 == 3 {
        return Err(Failure { error: "the seventh".to_owned(), left: Some(vec![0.1 + 0.2]) });
    }
    let mut x = (task_seed(5, task.number()) >> 11) as f64 / (1_u64 << 53) as f64;
    let step = |_| {
        x = 3.9 * x * (1.0 - x);
        x
    };
    Ok((0..20).map(step).collect())
}
