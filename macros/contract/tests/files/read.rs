//! Names that are not files, and files that are not text, are refused with their kind.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::time::{Duration, Instant};

use costate_contract::files::{FileKind, ReadError, open, read, read_text};

#[test]
fn files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let text = "ä".repeat(100_000);
    fs::write(&path, &text).unwrap();
    assert_eq!(read_text(&path).unwrap(), text);
    assert_eq!(read(&path).unwrap(), text.as_bytes());
    fs::write(&path, b"ab\xffc").unwrap();
    assert!(matches!(read_text(&path), Err(ReadError::NoText { at: 2, byte: 0xff })));
}

#[test]
fn a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(error, ReadError::Kind(FileKind::Folder)));
    assert_eq!(error.to_string(), "it is a folder; give the name of a file");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(read_text(&pipe), Err(ReadError::Kind(FileKind::Pipe))));
    assert!(matches!(read("/dev/zero"), Err(ReadError::Kind(FileKind::Device))));
}

#[test]
fn a_large_file_of_zeros_is_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.txt");
    let file = fs::File::create(&path).unwrap();
    file.set_len(2 << 30).unwrap();
    let begin = Instant::now();
    match read_text(&path) {
        Err(ReadError::NoText { at: 0, byte: 0 } | ReadError::Memory(_)) => {}
        other => panic!("{:?}", other.map(|text| text.len())),
    }
    assert!(begin.elapsed() < Duration::from_secs(1));
}

#[test]
fn more_than_the_machine_has_is_refused_before_it_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.bin");
    // some file systems have no files of this length, which is as good
    if fs::File::create(&path).unwrap().set_len(1 << 43).is_ok() {
        assert!(matches!(read(&path), Err(ReadError::Memory(_))));
    }
}
