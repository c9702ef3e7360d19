//! Files are written whole or not at all, and what is no file keeps what it is.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;

use costate_contract::files::{NewFile, write};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_old_file_stays_until_the_new_one_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    write(&path, "old").unwrap();
    let mut new = NewFile::create(&path).unwrap();
    new.write_all(&[b'n'; 1 << 20]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    drop(new);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["a.txt"]);
    let mut new = NewFile::create(&path).unwrap();
    new.write_all(b"new").unwrap();
    new.finish().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[test]
fn leftovers_are_removed_and_files_in_work_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    // that of a killed call, and files of others
    for name in [".costate-abcdefABCDEF.part", ".costate-short.part", ".costate-abcdefABCDEF.part.txt"] {
        fs::write(of(name), "x").unwrap();
    }
    let mut work = NewFile::create(of("work.txt")).unwrap();
    work.write_all(b"work").unwrap();
    write(of("b.txt"), "b").unwrap();
    work.finish().unwrap();
    assert_eq!(names(folder.path()), [".costate-abcdefABCDEF.part.txt", ".costate-short.part", "b.txt", "work.txt"]);
}

#[test]
fn many_writers_of_one_folder_do_not_take_each_others_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for i in 0..100 {
                    write(folder.join(format!("{thread}.txt")), format!("{thread} {i}")).unwrap();
                }
            });
        }
    });
    assert_eq!(names(folder).len(), 8);
    assert_eq!(fs::read_to_string(folder.join("3.txt")).unwrap(), "3 99");
}

#[test]
fn a_folder_is_no_target() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(write(folder.path(), "x").unwrap_err().kind(), std::io::ErrorKind::IsADirectory);
    let error = write(folder.path().join("no/file"), "x").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(!error.to_string().contains(".costate-"), "{error}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn a_link_goes_on_pointing_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name);
        fs::create_dir(of("inside")).unwrap();
        write(of("inside/a.txt"), "old").unwrap();
        symlink("inside/a.txt", of("link")).unwrap();
        symlink("link", of("second")).unwrap();
        // one that leads to nothing yet
        symlink("inside/b.txt", of("new")).unwrap();
        write(of("second"), "first").unwrap();
        write(of("new"), "second").unwrap();
        assert!(of("link").is_symlink() && of("second").is_symlink() && of("new").is_symlink());
        assert_eq!(fs::read_to_string(of("inside/a.txt")).unwrap(), "first");
        assert_eq!(fs::read_to_string(of("inside/b.txt")).unwrap(), "second");
        symlink("loop", of("loop")).unwrap();
        assert!(write(of("loop"), "x").is_err());
    }

    #[test]
    fn permissions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sh");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    }

    #[test]
    fn a_pipe_stays_one_and_gets_the_content() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
        };
        write(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_device_and_links_to_one_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/dev/null", &link).unwrap();
        write(&link, "x").unwrap();
        write("/dev/null", "x").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert_eq!(names(folder.path()), ["link"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_file_of_a_process_is_added_to() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = fs::File::create(&path).unwrap();
        log.write_all(b"before ").unwrap();
        write(format!("/dev/fd/{}", log.as_raw_fd()), "behind").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before behind");
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        // the limit of the process's files stands for a full disk
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "old").unwrap();
        let run = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact --ignored write::unix::large_file"])
            .arg(std::env::current_exe().unwrap())
            .env("COSTATE_LARGE_FILE", &path)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&run.stdout).contains("1 passed"), "{run:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    #[ignore = "with a limit of the size of files, by the test above"]
    fn large_file() {
        let path = std::env::var_os("COSTATE_LARGE_FILE").unwrap();
        write(path, vec![b'x'; 1 << 20]).unwrap_err();
    }
}
