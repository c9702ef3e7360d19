//! Reading all logs of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::EnsembleError;

use super::header::Header;
use super::line::content;

/// Contents of a log.
pub(crate) struct Log {
    pub file: PathBuf,
    pub header: Header,
    /// Records in the order in which they were written.
    pub records: Vec<String>,
    /// Number of lines that were left out as they were cut short or damaged.
    pub damaged: usize,
}

/// Reads the logs of a folder in the order of their names; none if there is no such folder. Logs may grow meanwhile.
pub(crate) fn read_logs(folder: &Path) -> Result<Vec<Log>, EnsembleError> {
    let failed = |file: &Path, source| EnsembleError::Read { file: file.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failed(folder, error))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| failed(folder, error))?.file_name();
        let is_log = name.to_str().is_some_and(|name| name.starts_with("tasks-") && name.ends_with(".log"));
        if is_log {
            files.push(folder.join(name));
        }
    }
    files.sort();
    let mut logs = Vec::new();
    for file in files {
        let bytes = costate_contract::files::read(&file).map_err(|error| failed(&file, error.into()))?;
        logs.extend(read_log(file, &bytes)?);
    }
    Ok(logs)
}

/// Parses a log; `None` if its process ended before the header was written.
fn read_log(file: PathBuf, bytes: &[u8]) -> Result<Option<Log>, EnsembleError> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let Some(first) = lines.next().and_then(|line| line.strip_suffix(b"\n")) else { return Ok(None) };
    let header = Header::read(content(first), &file)?;
    let (mut records, mut damaged) = (Vec::new(), 0);
    for line in lines {
        match line.strip_suffix(b"\n").and_then(content) {
            Some(record) => records.push(record.to_owned()),
            None => damaged += 1,
        }
    }
    Ok(Some(Log { file, header, records, damaged }))
}
