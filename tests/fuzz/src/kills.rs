//! Processes that are killed while they write.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Kills processes while they write `file`, which holds something whole before, and looks at what it holds then.
///
/// `start` gives the command, which may end by itself or go on for ever. There are 20 kills, or as many as
/// `COSTATE_KILLS` says, at times from 0 to about as long as the command takes, at most `longest`.
///
/// # Panics
/// For a file that is not whole.
#[expect(clippy::panic, reason = "drivers are tests")]
pub fn kill_while_writing(
    start: impl Fn() -> Command,
    file: &Path,
    longest: Duration,
    is_whole: impl Fn(&[u8]) -> bool,
) {
    let kills = std::env::var("COSTATE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let begin = || start().stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let (mut random, mut hit, mut half) = (SmallRng::seed_from_u64(1), 0, 0);
    let mut most = longest;
    for _ in 0..kills {
        let Ok(mut child) = begin() else { panic!("the command cannot be started") };
        let (started, wait) = (Instant::now(), most.mul_f64(random.random()));
        loop {
            match child.try_wait() {
                Ok(Some(_)) => {
                    // as long as it takes by itself
                    most = most.min(started.elapsed().mul_f64(1.1));
                    break;
                }
                _ if started.elapsed() >= wait => {
                    hit += 1;
                    let _ = child.kill();
                    let _ = child.wait();
                    break;
                }
                _ => thread::sleep(Duration::from_micros(200)),
            }
        }
        half += usize::from(!fs::read(file).is_ok_and(|content| is_whole(&content)));
    }
    println!("{hit} of {kills} were killed, {half} files are not whole");
    assert_eq!(half, 0);
}
