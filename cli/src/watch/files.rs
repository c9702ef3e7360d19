//! The files on which a page depends, and whether one of them has been saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::{LOOK_INTERVAL, Options};

/// Files with the time of their last change.
#[derive(Debug)]
pub struct Watched {
    files: Vec<(PathBuf, Option<Signature>)>,
    looked: Instant,
    changed: bool,
}

/// A file that has been saved is read when it has not changed for this time, or after so many such times.
const QUIET_TIME: Duration = Duration::from_millis(10);
const MAX_LOOKS: usize = 20;

/// The properties that differ between two versions of a file.
type Signature = (SystemTime, u64);

impl Watched {
    /// Watches the file of the model and the record.
    pub fn new(options: &Options) -> Self {
        let mut watched = Self { files: Vec::new(), looked: Instant::now(), changed: false };
        let own = [Some(options.run.selection.file.clone()), options.measured.record.clone()];
        watched.also(own.into_iter().flatten().chain(options.run.inputs.files()));
        watched
    }

    /// Watches these files as well, such as those of the tables of a model.
    pub fn also(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        for file in files {
            if !self.files.iter().any(|(known, _)| *known == file) {
                let signature = signature(&file);
                self.files.push((file, signature));
            }
        }
    }

    /// Checks whether it is time to look again.
    pub fn is_due(&self) -> bool {
        self.looked.elapsed() >= LOOK_INTERVAL
    }

    /// Looks at the files. Returns true if one has been saved since the last [`take_change`](Self::take_change).
    pub fn has_changed(&mut self) -> bool {
        self.changed |= self.look();
        self.changed
    }

    /// Looks at the files. Returns true once after a file has been saved, as soon as it is written to its end.
    pub fn take_change(&mut self) -> bool {
        if !self.has_changed() {
            return false;
        }
        // many programs empty a file before they write it
        for _ in 0..MAX_LOOKS {
            std::thread::sleep(QUIET_TIME);
            if !self.look() && !self.is_empty() {
                break;
            }
        }
        std::mem::take(&mut self.changed)
    }

    /// Returns true if a file differs from the last look at it.
    fn look(&mut self) -> bool {
        self.looked = Instant::now();
        let mut changed = false;
        for (file, known) in &mut self.files {
            let now = signature(file);
            // a file that is being replaced may be missing for a moment: the new one counts
            if now.is_some() && now != *known {
                *known = now;
                changed = true;
            }
        }
        changed
    }

    /// Returns true if a file has nothing in it.
    fn is_empty(&self) -> bool {
        self.files.iter().any(|(_, known)| known.is_some_and(|(_, length)| length == 0))
    }
}

fn signature(file: &Path) -> Option<Signature> {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_saved_file_is_one_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.rs");
        std::fs::write(&file, "a").unwrap();
        let mut watched = Watched { files: Vec::new(), looked: Instant::now(), changed: false };
        watched.also([file.clone(), file.clone()]);
        assert_eq!(watched.files.len(), 1);
        assert!(!watched.take_change());
        std::fs::write(&file, "ab").unwrap();
        assert!(watched.has_changed() && watched.take_change() && !watched.take_change());
        // a program that takes its time
        std::fs::write(&file, "").unwrap();
        let slow = std::thread::spawn({
            let file = file.clone();
            move || {
                std::thread::sleep(3 * QUIET_TIME);
                std::fs::write(&file, "abc").unwrap();
            }
        });
        assert!(watched.take_change() && std::fs::read_to_string(&file).unwrap() == "abc");
        slow.join().unwrap();
        assert!(!watched.take_change());
        std::fs::remove_file(&file).unwrap();
        assert!(!watched.take_change());
        std::fs::write(&file, "abcd").unwrap();
        assert!(watched.take_change());
    }
}
