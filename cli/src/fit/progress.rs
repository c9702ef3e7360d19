//! Progress of a fit on the terminal: one line that is written again, or lines now and then where there is no terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use costate::optimize::Iteration;

/// Least time between two lines where there is no terminal, after the first iterations.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// The display of a fit.
#[derive(Debug)]
pub struct Progress {
    is_terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
    /// Number of the minimisation, from 1; another one follows where residuals are weighed again.
    round: usize,
    /// True if a line is left on the terminal.
    is_open: bool,
    /// Words for what is tried in place of the fit itself; empty without.
    trial: String,
    /// The latest line, where it was not shown.
    latest: Option<String>,
}

impl Progress {
    /// Begins the display.
    pub fn new() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self {
            is_terminal,
            begun: Instant::now(),
            shown: None,
            round: 0,
            is_open: false,
            trial: String::new(),
            latest: None,
        }
    }

    /// Shows an iteration.
    pub fn show(&mut self, iteration: &Iteration) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let Iteration { number, cost, evaluations, .. } = iteration;
        let is_trial = !self.trial.is_empty();
        if !is_trial && (*number == 0 || self.round == 0) {
            self.round += 1;
        }
        let of = match self.round {
            _ if is_trial => format!("tries {}, ", self.trial),
            0 | 1 => String::new(),
            round => format!("round {round}, "),
        };
        let text = format!("{of}iteration {number}: cost {cost:.6e}, {evaluations} evaluations, {seconds:.1} s");
        self.line(is_always_shown(*number) && self.round <= 1 && !is_trial || *number == 0, &text);
    }

    /// Shows what is tried in place of the fit itself, or one of its iterations; without words the fit goes on.
    pub fn tries(&mut self, words: &str, iteration: Option<&Iteration>) {
        let is_new = self.trial != words && !words.is_empty();
        words.clone_into(&mut self.trial);
        match iteration {
            Some(iteration) => self.show(iteration),
            None if is_new => self.line(false, &format!("tries {words}")),
            None => {}
        }
    }

    /// Shows the time that the rest of some work will take.
    pub fn expects(&mut self, what: &str, seconds: f64) {
        self.line(true, &format!("{what}: about {seconds:.1} s left"));
    }

    /// Writes a line that stays.
    pub fn say(&mut self, text: &str) {
        let start = if self.is_terminal { "\r\x1b[2K" } else { "" };
        let _ = writeln!(std::io::stderr().lock(), "{start}{text}");
    }

    /// Writes a line, where there is no terminal only if it is due. A closed error output is no reason to stop.
    fn line(&mut self, is_due: bool, text: &str) {
        let mut output = std::io::stderr().lock();
        if self.is_terminal {
            let _ = write!(output, "\r\x1b[2K{text}").and_then(|()| output.flush());
            self.is_open = true;
        } else if is_due || self.shown.is_none_or(|shown| shown.elapsed() > LINE_INTERVAL) {
            let _ = writeln!(output, "{text}");
            (self.shown, self.latest) = (Some(Instant::now()), None);
        } else {
            self.latest = Some(text.to_owned());
        }
    }
}

/// Checks whether an iteration has a line however short the time since the last one is: 0, 1, 2, 3, 5, and these with
/// zeros after them.
fn is_always_shown(mut number: usize) -> bool {
    while number >= 10 && number / 10 * 10 == number {
        number /= 10;
    }
    matches!(number, 0 | 1 | 2 | 3 | 5)
}

impl Drop for Progress {
    /// Removes the line, so that the next text begins at the left; where there is no terminal, shows the last
    /// iteration.
    fn drop(&mut self) {
        if let Some(latest) = self.latest.take() {
            let _ = writeln!(std::io::stderr().lock(), "{latest}");
        }
        if self.is_open {
            let mut output = std::io::stderr().lock();
            let _ = write!(output, "\r\x1b[2K").and_then(|()| output.flush());
        }
    }
}
