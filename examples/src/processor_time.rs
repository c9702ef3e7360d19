//! The time that computations take.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Returns the processor time of this thread; the elapsed time where the system does not know.
pub fn processor_time() -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split_whitespace().next()?.parse().ok());
    static START: OnceLock<Instant> = OnceLock::new();
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}
