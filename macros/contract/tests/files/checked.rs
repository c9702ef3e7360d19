//! Files that are looked at before they are written, and files that were read.
#![allow(clippy::unwrap_used)]

use std::fs;

use costate_contract::files::{are_same, check, check_folder, read, remember_reads, resolved, was_read};

#[test]
fn a_check_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    fs::write(of("old.txt"), "old").unwrap();
    for name in ["old.txt", "new.txt"] {
        check(of(name)).unwrap();
    }
    check_folder(of("a/b/c")).unwrap();
    check_folder(folder.path()).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(of("old.txt")).unwrap(), "old");
    let missing = check(of("no/file")).unwrap_err().to_string();
    assert!(missing.contains("does not exist; make it first"), "{missing}");
    assert!(check(folder.path()).is_err() && check_folder(of("old.txt/inner")).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_takes_nothing_is_refused_and_a_pipe_is_not_opened() {
    assert!(check("/dev/full").is_err());
    check("/dev/null").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // opening it would wait for a reader
    check(&pipe).unwrap();
}

#[test]
fn a_file_that_was_read_is_known_by_all_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    for name in ["a.txt", "b.txt", "before.txt"] {
        fs::write(of(name), name).unwrap();
    }
    fs::create_dir(of("inner")).unwrap();
    read(of("before.txt")).unwrap();
    remember_reads();
    read(of("a.txt")).unwrap();
    fs::hard_link(of("a.txt"), of("second.txt")).unwrap();
    let mut names = vec!["a.txt", "inner/../a.txt", "second.txt"];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("second.txt", of("link.txt")).unwrap();
        names.push("link.txt");
    }
    for name in names {
        assert!(was_read(of(name)) && are_same(of(name), of("a.txt")), "{name}");
        assert!(!are_same(of(name), of("b.txt")), "{name}");
    }
    assert!(!was_read(of("b.txt")) && !was_read(of("before.txt")) && !was_read(of("none.txt")));
    // another program replaces it meanwhile: the name is still that of what was read
    fs::write(of("new"), "new").unwrap();
    fs::rename(of("new"), of("a.txt")).unwrap();
    assert!(was_read(of("a.txt")));
    // files that do not exist yet
    assert!(are_same(of("x.txt"), of("inner/../x.txt")) && !are_same(of("x.txt"), of("y.txt")));
}

#[cfg(unix)]
#[test]
fn paths_are_resolved_also_where_links_lead_to_nothing() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let of = |name: &str| root.join(name);
    fs::create_dir_all(of("a/b")).unwrap();
    symlink("../outside/new", of("a/gone")).unwrap();
    symlink("a/b", of("link")).unwrap();
    symlink("loop", of("loop")).unwrap();
    let cases = [
        ("a/gone", "outside/new"),
        ("link/../x", "a/x"),
        ("none/../../x", "../x"),
        ("link/new/file", "a/b/new/file"),
        ("./a/./b", "a/b"),
    ];
    for (path, expected) in cases {
        let expected = match expected.strip_prefix("../") {
            Some(above) => root.parent().unwrap().join(above),
            None => of(expected),
        };
        assert_eq!(resolved(of(path)), expected, "{path}");
    }
    // an endless one ends
    resolved(of("loop/x"));
}
