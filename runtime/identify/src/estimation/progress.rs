//! A line on the terminal that shows the progress of an identification, or of one from many starts.

use std::fmt;
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use costate_optimize::{Iteration, MultistartProgress, OptimizerState, Variable};
use costate_system::problem::Problem;

/// Parts of a run that the bar distinguishes.
const BAR_LENGTH: u64 = 100;

/// Describes the checkpoints and the steps that a gradient computes once more; empty without checkpoints.
fn repetition(problem: &Problem) -> String {
    let memory = problem.memory();
    match memory.checkpoints {
        0 => String::new(),
        checkpoints => format!(
            ", {checkpoints} checkpoints, {:.2} runs more for a gradient",
            memory.repeated_steps as f64 / problem.steps() as f64
        ),
    }
}

/// Describes steps and memory of the runs, and the steps that a gradient of the longest one repeats.
fn runs<'p>(problems: impl ExactSizeIterator<Item = &'p Problem>) -> String {
    let (count, mut steps, mut bytes, mut longest) = (problems.len(), 0, 0, None::<&Problem>);
    for problem in problems {
        steps += problem.steps();
        bytes += problem.memory().total();
        longest = longest.filter(|longest| longest.steps() >= problem.steps()).or(Some(problem));
    }
    let repeated = longest.map_or(String::new(), repetition);
    let model = longest.map_or("", |longest| longest.description().name);
    match count {
        0 => "numbers are predicted without runs".to_owned(),
        1 => format!("{model}: {steps} steps, {} for a run{repeated}", HumanBytes(bytes)),
        count => {
            format!("{model}: {count} experiments, {steps} steps, {} for their runs{repeated}", HumanBytes(bytes))
        }
    }
}

/// The headings of the lines of iterations.
const HEADINGS: &str = "iteration            cost    reduction     foretold         step  moves most";

/// Formats one iteration: its cost, the reduction of the cost and the reduction that linear residuals had predicted,
/// the step, and the variable that has changed most relative to its typical change.
fn line_of(state: &OptimizerState, last: &Iteration) -> String {
    let before = state.history().iter().rev().nth(1);
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3e}"));
    let farthest = last.farthest.and_then(|k| state.variables().get(k)).map_or("", Variable::name);
    format!(
        "{:>9}  {:>14}  {:>11}  {:>11}  {:>11}  {farthest}",
        last.number,
        format!("{:.7e}", last.cost),
        number(before.map(|before| before.cost - last.cost)),
        number(last.foretold),
        number(before.map(|_| last.step)),
    )
}

/// A function that is called after every iteration.
pub type Observer<'p> = &'p mut (dyn FnMut(&Iteration) + Send + 'p);

/// Progress of an identification: on the terminal if wanted, and for an observer if there is one.
pub struct Progress<'p> {
    bar: Option<ProgressBar>,
    observer: Option<Observer<'p>>,
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("bar", &self.bar).finish_non_exhaustive()
    }
}

impl<'p> Progress<'p> {
    /// Starts the display with the memory that the runs need.
    pub fn new<'q>(wanted: bool, problems: impl ExactSizeIterator<Item = &'q Problem>) -> Self {
        let bar = wanted.then(|| {
            let bar = ProgressBar::new(BAR_LENGTH);
            if let Ok(style) = ProgressStyle::with_template("{elapsed} [{bar:20}] {msg}") {
                bar.set_style(style);
            }
            bar.println(runs(problems));
            bar.println(HEADINGS);
            bar.set_message("at the start values");
            bar
        });
        Self { bar, observer: None }
    }

    /// Reports iterations to an observer as well.
    pub fn observed_by(self, observer: Option<Observer<'p>>) -> Self {
        Self { observer, ..self }
    }

    /// Lets the bar follow the simulations of a problem.
    pub fn follow(&self, problem: Problem) -> Problem {
        match self.bar.clone() {
            Some(bar) => problem.with_progress(move |part| bar.set_position((part * BAR_LENGTH as f64) as u64)),
            None => problem,
        }
    }

    /// Prints a text above the bar.
    pub fn say(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.println(text);
        }
    }

    /// Shows the state after an iteration; the observer is called for the iterations after the first `known` ones.
    pub fn show(&mut self, state: &OptimizerState, known: usize) {
        if let Some(observer) = &mut self.observer {
            state.history().iter().skip(known).for_each(observer);
        }
        if let Some(bar) = &self.bar {
            if let Some(line) = state.history().last().map(|last| line_of(state, last)) {
                bar.println(line);
            }
            bar.set_message(format!(
                "iteration {}, cost {:.4e}, {} evaluations",
                state.iterations(),
                state.cost(),
                state.evaluations()
            ));
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line on the terminal for an identification from many starts.
pub(crate) struct MultistartProgressBar {
    bar: Option<ProgressBar>,
}

impl MultistartProgressBar {
    /// Starts the display with the memory of the runs that are stored at once.
    pub fn new<'p>(wanted: bool, problems: impl ExactSizeIterator<Item = &'p Problem>, starts: usize) -> Self {
        let bar = wanted.then(|| {
            let bar = ProgressBar::new(starts as u64);
            if let Ok(style) = ProgressStyle::with_template("{elapsed} [{bar:20}] {pos}/{len} starts {msg}") {
                bar.set_style(style);
            }
            let threads = rayon::current_num_threads().min(starts);
            bar.println(format!("{}: {starts} starts on {threads} threads", runs(problems)));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Self { bar }
    }

    /// Shows that a start has ended.
    pub fn show(&self, report: MultistartProgress) {
        if let Some(bar) = &self.bar {
            bar.set_position(report.ended as u64);
            bar.set_message(
                report.best.map_or("none with a result".to_owned(), |best| format!("best cost {best:.4e}")),
            );
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
