//! The log of one process.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::EnsembleError;
use crate::shard::Shard;

use super::folder::prefix;
use super::header::Header;
use super::line::line;

/// A log that nobody else writes to.
pub(crate) struct LogWriter {
    file: File,
    pub path: PathBuf,
    synced: Instant,
    has_failed: bool,
}

impl LogWriter {
    /// Begins a new file.
    pub fn create(folder: &Path, shard: Shard, header: &Header) -> Result<Self, EnsembleError> {
        let failed = |file: &Path, source| EnsembleError::Write { file: file.to_owned(), source };
        let text = serde_json::to_string(header).map_err(|error| failed(folder, error.into()))?;
        let mut number = 1;
        let (path, file) = loop {
            let path = folder.join(format!("{}-{number:04}.log", prefix(shard)));
            match File::options().create_new(true).append(true).open(&path) {
                Ok(file) => break (path, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(failed(&path, error)),
            }
        };
        let mut writer = Self { file, path, synced: Instant::now(), has_failed: false };
        writer.append(&text)?;
        Ok(writer)
    }

    /// Adds a record. After a record that could not be written whole nothing more is written.
    pub fn append(&mut self, content: &str) -> Result<(), EnsembleError> {
        /// At most so much work is lost when a machine goes down. What a process has written survives its end at once.
        const SYNC_INTERVAL: Duration = Duration::from_secs(1);
        if self.has_failed {
            return Ok(());
        }
        let mut write = || {
            self.file.write_all(line(content).as_bytes())?;
            if self.synced.elapsed() >= SYNC_INTERVAL {
                self.file.sync_data()?;
                self.synced = Instant::now();
            }
            Ok(())
        };
        let written = write();
        written.map_err(|source| {
            self.has_failed = true;
            EnsembleError::Write { file: self.path.clone(), source }
        })
    }

    /// Waits until the medium has everything.
    pub fn finish(self) -> Result<(), EnsembleError> {
        self.file.sync_all().map_err(|source| EnsembleError::Write { file: self.path, source })
    }
}
